/* Why a frame of a stack has no name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-stack-reason.h"

#include <glib/gi18n.h>

/**
 * ns_stack_reasons_new:
 * @symbols: (nullable): who names frames
 *
 * Returns: (transfer full) (element-type utf8 gpointer): how far the symbols of each module are, by
 *   its name
 */
GHashTable *
ns_stack_reasons_new (NsSymbolJob *symbols)
{
  GHashTable *reasons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) modules = symbols != NULL ? ns_symbol_job_list_modules (symbols) : NULL;
  guint i;

  for (i = 0; modules != NULL && i < modules->len; i++)
    {
      const NsSymbolModule *module = g_ptr_array_index (modules, i);

      /* 0 is "not asked for". */
      g_hash_table_insert (reasons,
                           g_strdup (module->name),
                           GUINT_TO_POINTER ((guint) module->info.state + 1));
    }
  return reasons;
}

static const char *
state_to_words (NsModuleState state)
{
  switch (state)
    {
    case NS_MODULE_FOUND:
      return _ ("no name there");
    case NS_MODULE_SEARCHING:
    case NS_MODULE_DOWNLOADING:
      return _ ("reading…");
    case NS_MODULE_NOT_FOUND:
      return _ ("no PDB found");
    case NS_MODULE_NO_MATCH:
      return _ ("PDB of another build");
    case NS_MODULE_NO_IDENTITY:
      return _ ("no PDB named");
    case NS_MODULE_REFUSED:
      return _ ("refused");
    case NS_MODULE_FAILED:
      return _ ("PDB not readable");
    case NS_MODULE_WAITING:
    default:
      return _ ("waiting…");
    }
}

/**
 * ns_stack_reason_to_words:
 * @reasons: (nullable): what ns_stack_reasons_new() gave
 * @trace: a trace
 * @pid: process of the stack
 * @address: of a frame without a name
 * @time_ns: of the stack
 *
 * Returns: (nullable): why it has none, in a few words
 */
const char *
ns_stack_reason_to_words (GHashTable *reasons,
                          const NsTrace *trace,
                          guint32 pid,
                          guint64 address,
                          gint64 time_ns)
{
  NsRow row = ns_trace_find_image (trace, pid, address, time_ns);
  const NsImageRow *image = row != 0 ? &g_array_index (trace->images, NsImageRow, row - 1) : NULL;
  guint state;

  if (image == NULL)
    return _ ("in no module");
  if (reasons == NULL || image->name == NS_STRING_NONE)
    return NULL;
  state = GPOINTER_TO_UINT (g_hash_table_lookup (reasons, ns_trace_text (trace, image->name)));
  return state_to_words (state > 0 ? (NsModuleState) (state - 1) : NS_MODULE_WAITING);
}

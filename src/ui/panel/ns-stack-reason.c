/* Reasons why a frame of a stack has no name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-stack-reason.h"

#include "base/ns-hash.h"

#include <glib/gi18n.h>

/* In addition to the states of modules: no symbol path is set. */
#define STATE_NO_PATH 1000u

/* Returns a key of a module: name and debug ID. */
static char *
dup_key (const char *name, const char *identity)
{
  return g_strdup_printf ("%s;%s", name, identity != NULL ? identity : "");
}

/**
 * ns_stack_reasons_new:
 * @symbols: (nullable): job that names frames
 *
 * Returns: (transfer full) (element-type utf8 gpointer): symbol state of each module, by name and
 * debug ID
 */
GHashTable *
ns_stack_reasons_new (NsSymbolJob *symbols)
{
  GHashTable *reasons = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) modules = symbols != NULL ? ns_symbol_job_list_modules (symbols) : NULL;
  guint i;

  for (i = 0; modules != NULL && i < modules->len; i++)
    {
      const NsSymbolModule *module = g_ptr_array_index (modules, i);
      char *key = dup_key (module->name, module->key);
      guint state = (guint) module->info.state + 1;

      /* A waiting module with a reason stays waiting until the settings change. */
      if (module->info.state == NS_MODULE_WAITING && module->info.reason != NULL)
        state = STATE_NO_PATH;
      /* The hash table has 0 for "not requested". If several modules without a debug ID share a
       * name, keep the state of one that was searched for. */
      if (module->info.state != NS_MODULE_WAITING || !g_hash_table_contains (reasons, key))
        g_hash_table_insert (reasons, key, GUINT_TO_POINTER (state));
      else
        g_free (key);
    }
  return reasons;
}

static const char *
state_to_words (NsModuleState state)
{
  switch (state)
    {
    case NS_MODULE_FOUND:
      return _ ("no symbol here");
    case NS_MODULE_SEARCHING:
    case NS_MODULE_DOWNLOADING:
      return _ ("reading…");
    case NS_MODULE_NOT_FOUND:
      return _ ("no PDB found");
    case NS_MODULE_NO_MATCH:
      return _ ("PDB of another build");
    case NS_MODULE_NO_IDENTITY:
      return _ ("no debug ID in the trace");
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
 * @reasons: (nullable): reasons from ns_stack_reasons_new()
 * @trace: a trace
 * @pid: process of the stack
 * @address: address of a frame without a name
 * @time_ns: time of the stack
 *
 * Returns: (nullable): short reason why the frame has no name
 */
const char *
ns_stack_reason_to_words (GHashTable *reasons,
                          const NsTrace *trace,
                          guint32 pid,
                          guint64 address,
                          gint64 time_ns)
{
  NsRow row = ns_trace_find_image (trace, pid, address, time_ns);
  const NsImageRow *image = ns_trace_get_row (trace, NS_TABLE_IMAGES, row);
  g_autofree char *identity = NULL;
  g_autofree char *key = NULL;
  char guid[NS_GUID_TEXT_SIZE];
  guint state;

  if (image == NULL)
    return _ ("no module");
  if (reasons == NULL || image->name == NS_STRING_NONE)
    return NULL;
  if (image->has_guid)
    identity = g_strdup_printf ("%s;%u", ns_guid_to_text (&image->guid, guid), image->age);
  key = dup_key (ns_trace_text (trace, image->name), identity);
  state = GPOINTER_TO_UINT (g_hash_table_lookup (reasons, key));
  if (state == STATE_NO_PATH)
    return _ ("no symbol path");
  return state_to_words (state > 0 ? (NsModuleState) (state - 1) : NS_MODULE_WAITING);
}

/* Modules of a symbol job: their state, and repeating the search for one of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-embedded-labels.h"
#include "model/ns-symbol-job-private.h"

#include <string.h>

static guint
get_n_modules (NsSymbolJob *self)
{
  guint n_modules;

  g_mutex_lock (&self->lock);
  n_modules = self->modules->len;
  g_mutex_unlock (&self->lock);
  return n_modules;
}

static NsRow
get_image (NsSymbolJob *self, guint module)
{
  NsRow row;

  g_mutex_lock (&self->lock);
  row = g_array_index (self->modules, NsSymbolWanted, module).image;
  g_mutex_unlock (&self->lock);
  return row;
}

static void
module_free (gpointer data)
{
  ns_symbol_module_clear (data);
  g_free (data);
}

static void
describe_module (NsSymbolJob *self, guint i, NsSymbolModule *module)
{
  NsRow row = get_image (self, i);
  const NsImageRow *image = NS_ROW_AT (self->trace->images, NsImageRow, row);
  char guid[NS_GUID_TEXT_SIZE];

  module->name =
      g_strdup (image->name != NS_STRING_NONE ? ns_trace_text (self->trace, image->name) : "?");
  if (image->pdb != NS_STRING_NONE)
    module->pdb = g_strdup (ns_trace_text (self->trace, image->pdb));
  if (image->has_guid)
    module->key = g_strdup_printf ("%s;%u", ns_guid_to_text (&image->guid, guid), image->age);
  module->n_embedded = ns_embedded_labels_count_image (self->trace, row);
  ns_resolver_get_info (self->resolver, i, &module->info);
}

/**
 * ns_symbol_job_count_fetching:
 * @self: a job
 * @first: (out caller-allocates): a module that is being downloaded, if there is one; to be cleared
 *   with ns_symbol_module_clear()
 *
 * Returns: the number of modules being downloaded
 */
guint
ns_symbol_job_count_fetching (NsSymbolJob *self, NsSymbolModule *first)
{
  guint n_modules = self->is_online ? get_n_modules (self) : 0;
  guint n_fetching = 0;

  memset (first, 0, sizeof *first);
  for (guint i = 0; i < n_modules; i++)
    {
      g_auto (NsModuleInfo) info = { 0 };

      ns_resolver_get_info (self->resolver, i, &info);
      if (info.state == NS_MODULE_DOWNLOADING && n_fetching++ == 0)
        describe_module (self, i, first);
    }
  return n_fetching;
}

/**
 * ns_symbol_job_list_modules:
 * @self: a job
 *
 * Returns: (transfer full) (element-type NsSymbolModule): the modules requested so far
 */
GPtrArray *
ns_symbol_job_list_modules (NsSymbolJob *self)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (module_free);
  guint n_modules = get_n_modules (self);

  for (guint i = 0; i < n_modules; i++)
    {
      NsSymbolModule *module = g_new0 (NsSymbolModule, 1);

      describe_module (self, i, module);
      g_ptr_array_add (list, module);
    }
  return list;
}

/* Splits the key of an address. */
static gboolean
parse_key (const char *key, guint *module, guint64 *wanted)
{
  char *end;

  *module = (guint) g_ascii_strtoull (key, &end, 10);
  if (*end != ':')
    return FALSE;
  *wanted = g_ascii_strtoull (end + 1, NULL, 16);
  return TRUE;
}

/* Requests the unresolved addresses of a module again; requires the lock. */
static void
want_again (NsSymbolJob *self, guint module)
{
  GArray *wanted = g_array_index (self->modules, NsSymbolWanted, module).wanted;
  GHashTableIter iter;
  gpointer key;
  gpointer name;

  g_hash_table_iter_init (&iter, self->names);
  while (g_hash_table_iter_next (&iter, &key, &name))
    {
      guint64 one;
      guint number;

      if (*((NsSymbolName *) name)->text != '\0' || !parse_key (key, &number, &one) ||
          number != module)
        continue;
      g_array_append_val (wanted, one);
    }
}

/**
 * ns_symbol_job_retry_module:
 * @self: a job
 * @module: index in the list of modules
 *
 * Searches again for the symbols of one module, or of all if the settings have changed.
 */
void
ns_symbol_job_retry_module (NsSymbolJob *self, guint module)
{
  g_autoptr (NsSymbolSettings) wanted = ns_view_context_dup_symbols (self->trace->view);

  if (module >= get_n_modules (self))
    return;
  if (wanted != self->settings)
    {
      ns_symbol_job_retry (self);
      return;
    }
  if (!ns_resolver_retry_module (self->resolver, module))
    return;
  g_mutex_lock (&self->lock);
  want_again (self, module);
  /* The search may have ended already. */
  if (self->pool != NULL)
    g_thread_pool_push (self->pool, GUINT_TO_POINTER (module + 1), NULL);
  ns_symbol_job_queue_batch (self);
  g_mutex_unlock (&self->lock);
}

/**
 * ns_symbol_module_clear:
 * @module: a module
 */
void
ns_symbol_module_clear (NsSymbolModule *module)
{
  g_clear_pointer (&module->name, g_free);
  g_clear_pointer (&module->pdb, g_free);
  g_clear_pointer (&module->key, g_free);
  ns_module_info_clear (&module->info);
}

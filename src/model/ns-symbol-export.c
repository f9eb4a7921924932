/* Resolves frames of a session for an export, in a thread that may wait for symbols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-symbol-export.h"

#include "engine/trace/ns-namer.h"
#include "model/ns-symbol-job-private.h"

/* Interval for checking for cancellation while waiting. */
#define LOOK_US (G_USEC_PER_SEC / 10)

struct _NsSymbolExport
{
  NsSymbolJob *job;
  GCancellable *cancellable;
  GString *name; /* the texts belong to the last result */
  char *file;
  char *inlined;
};

/**
 * ns_symbol_export_new:
 * @job: the symbol job of the session
 * @cancellable: (nullable): cancels the wait
 *
 * Returns: (transfer full): a resolver that uses @job
 */
NsSymbolExport *
ns_symbol_export_new (NsSymbolJob *job, GCancellable *cancellable)
{
  NsSymbolExport *self = g_new0 (NsSymbolExport, 1);

  self->job = g_object_ref (job);
  g_set_object (&self->cancellable, cancellable);
  self->name = g_string_new (NULL);
  return self;
}

/**
 * ns_symbol_export_free:
 * @self: (transfer full) (nullable): a resolver
 */
void
ns_symbol_export_free (NsSymbolExport *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->job);
  g_clear_object (&self->cancellable);
  g_string_free (self->name, TRUE);
  g_free (self->file);
  g_free (self->inlined);
  g_free (self);
}

/* Reads source file, line and inlined functions of an address. */
static void
take_place (NsSymbolExport *self, NsRow image, guint64 rva, gboolean is_return, guint32 *line)
{
  NsSymbolJob *job = self->job;
  g_autofree char *key = NULL;
  const NsSymbolName *name = NULL;
  guint32 module;

  g_mutex_lock (&job->lock);
  module = ns_map_get (job->by_image, image, 0);
  if (module != 0)
    {
      key = ns_symbol_job_key_of (module - 1, ns_symbol_job_wanted_of ((guint32) rva, is_return));
      name = g_hash_table_lookup (job->names, key);
    }
  if (name != NULL && name->line != 0)
    {
      self->file = g_strdup (name->text + name->file);
      *line = name->line;
    }
  if (name != NULL)
    self->inlined = g_strdup (name->inlined);
  g_mutex_unlock (&job->lock);
}

/**
 * ns_symbol_export_resolve:
 * @image: row of the image that contains the address
 * @rva: relative address in that image
 * @is_return: whether it is a return address
 * @symbol: (out): the known data; valid until the next call
 * @self: (type NsSymbolExport): a resolver
 *
 * Requests what is not known yet, without waiting for it.
 *
 * Returns: %TRUE if a symbol was found
 */
gboolean
ns_symbol_export_resolve (NsRow image,
                          guint64 rva,
                          gboolean is_return,
                          NsExportSymbol *symbol,
                          gpointer self)
{
  NsSymbolExport *names = self;
  guint32 offset;
  guint32 line = 0;

  g_string_truncate (names->name, 0);
  g_clear_pointer (&names->file, g_free);
  g_clear_pointer (&names->inlined, g_free);
  if (!ns_trace_name_place (names->job->trace, image, rva, is_return, names->name, &offset))
    return FALSE;
  take_place (names, image, rva, is_return, &line);
  *symbol = (NsExportSymbol){ names->name->str, offset, names->file, line, names->inlined };
  return TRUE;
}

/* Returns the number of requested names that will not be resolved until the settings change,
 * because the search for their modules ended without a result: there is no symbol path, or it was
 * cancelled. Requires both locks. */
static guint
count_put_off (NsSymbolJob *job)
{
  guint n_put_off = 0;
  guint i;

  for (i = 0; job->resolver != NULL && i < job->modules->len; i++)
    {
      guint n_wanted = g_array_index (job->modules, NsSymbolWanted, i).wanted->len;
      g_auto (NsModuleInfo) info = { 0 };

      if (n_wanted == 0)
        continue;
      ns_resolver_get_info (job->resolver, i, &info);
      if (info.state == NS_MODULE_WAITING && info.reason != NULL)
        n_put_off += n_wanted;
    }
  return n_put_off;
}

/**
 * ns_symbol_export_settle:
 * @self: (type NsSymbolExport): a resolver
 * @error: %G_IO_ERROR_CANCELLED
 *
 * Waits until each requested name is resolved, not found, or not searched for. The search
 * locations, and whether servers are used, are the settings of the window.
 *
 * Returns: %FALSE if it was cancelled
 */
gboolean
ns_symbol_export_settle (gpointer self, GError **error)
{
  NsSymbolExport *names = self;
  NsSymbolJob *job = names->job;
  gboolean is_open = TRUE;

  while (is_open && !g_cancellable_is_cancelled (names->cancellable))
    {
      g_rw_lock_reader_lock (&job->resolver_lock);
      g_mutex_lock (&job->lock);
      is_open = job->pool != NULL && job->n_open > count_put_off (job);
      g_rw_lock_reader_unlock (&job->resolver_lock);
      if (is_open)
        g_cond_wait_until (&job->settled, &job->lock, g_get_monotonic_time () + LOOK_US);
      g_mutex_unlock (&job->lock);
    }
  return !g_cancellable_set_error_if_cancelled (names->cancellable, error);
}

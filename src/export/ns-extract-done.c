/* Which traces a target has already, and with which options they were extracted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-target-private.h"

#include "base/ns-hash.h"

#include <glib/gstdio.h>
#include <string.h>

/* Readers of partitioned tables skip folders whose names begin with a dot. */
#define OPTIONS_FOLDER ".options"
#define FOLDER_MODE 0777

/* Lists the identities of complete traces. */
static void
list_done (NsExtractTarget *self)
{
  g_autofree char *table =
      g_build_filename (self->path, ns_extract_table_to_name (NS_EXTRACT_TRACE), NULL);
  g_autofree char *end = g_strconcat (".", ns_extract_form_to_name (self->form), NULL);
  GDir *dir = g_dir_open (table, 0, NULL);
  const char *day;

  self->done = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  while (dir != NULL && (day = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *folder = g_build_filename (table, day, NULL);
      GDir *parts = g_dir_open (folder, 0, NULL);
      const char *name;

      while (parts != NULL && (name = g_dir_read_name (parts)) != NULL)
        if (g_str_has_prefix (name, "part-") && g_str_has_suffix (name, end))
          g_hash_table_add (self->done,
                            g_strndup (name + strlen ("part-"),
                                       strlen (name) - strlen ("part-") - strlen (end)));
      if (parts != NULL)
        g_dir_close (parts);
    }
  if (dir != NULL)
    g_dir_close (dir);
}

/* Returns the path of the file with the options of a trace. A trace that was extracted with the
 * defaults has no such file. */
static char *
get_options_path (const NsExtractTarget *self, const char *id)
{
  return g_build_filename (self->path, OPTIONS_FOLDER, id, NULL);
}

static gboolean
has_options (NsExtractTarget *self, const char *id, const char *options)
{
  g_autofree char *found = NULL;
  g_autofree char *path = NULL;

  if (self->form == NS_EXTRACT_SQLITE)
    found = ns_extract_sqlite_dup_options (self->database, id);
  else
    {
      path = get_options_path (self, id);
      g_file_get_contents (path, &found, NULL, NULL);
    }
  return g_strcmp0 (found, options) == 0;
}

/**
 * ns_extract_target_has:
 * @self: a target
 * @id: identity of a trace
 * @options: (nullable): the options to extract it with, see ns_extract_target_store_options()
 *
 * Returns: whether all its tables existed at the first call, written with the same options
 */
gboolean
ns_extract_target_has (NsExtractTarget *self, const char *id, const char *options)
{
  if (self->form == NS_EXTRACT_SQLITE)
    {
      if (!ns_extract_target_open_database (self, NULL) ||
          !ns_extract_sqlite_has (self->database, id))
        return FALSE;
    }
  else
    {
      if (self->done == NULL)
        list_done (self);
      if (!g_hash_table_contains (self->done, id))
        return FALSE;
    }
  return has_options (self, id, options);
}

/**
 * ns_extract_target_store_options:
 * @self: a target
 * @id: identity of a trace that was extracted
 * @options: (nullable): a text that stands for what the rows depend on other than the trace; %NULL:
 *   the defaults
 *
 * Stores the options for ns_extract_target_has(). If that fails, the next run extracts the trace
 * again.
 */
void
ns_extract_target_store_options (NsExtractTarget *self, const char *id, const char *options)
{
  g_autofree char *path = NULL;
  g_autofree char *folder = NULL;

  if (self->form == NS_EXTRACT_SQLITE)
    {
      if (ns_extract_target_open_database (self, NULL))
        ns_extract_sqlite_store_options (self->database, id, options);
      return;
    }
  path = get_options_path (self, id);
  if (options == NULL)
    {
      g_unlink (path);
      return;
    }
  folder = g_path_get_dirname (path);
  g_mkdir_with_parents (folder, FOLDER_MODE);
  g_file_set_contents (path, options, -1, NULL);
}

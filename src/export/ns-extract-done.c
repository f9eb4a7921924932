/* Which traces a target has already, with which options they were extracted, and which inputs
 * failed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-target-private.h"

#include "base/ns-hash.h"

#include <glib/gstdio.h>
#include <string.h>

/* Readers of partitioned tables skip folders whose names begin with a dot. */
#define NOTES_FOLDER ".extract"
/* Names of notes begin with these. */
#define OPTIONS "options-"
#define FAILURE "failure-"
/* Stands for options while a trace is written: its rows may be those of before, or new ones. */
#define UNFINISHED "unfinished"
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

static char *
get_note_path (const NsExtractTarget *self, const char *name)
{
  return g_build_filename (self->path, NOTES_FOLDER, name, NULL);
}

/* Returns (transfer full) (nullable): the text that was stored under a name. */
static char *
read_note (NsExtractTarget *self, const char *name)
{
  g_autofree char *path = NULL;
  char *text = NULL;

  if (self->form == NS_EXTRACT_SQLITE)
    return ns_extract_target_open_database (self, NULL)
               ? ns_extract_sqlite_read_note (self->database, name)
               : NULL;
  path = get_note_path (self, name);
  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

/* Stores a text under a name; %NULL removes it. */
static void
write_note (NsExtractTarget *self, const char *name, const char *text)
{
  g_autofree char *path = NULL;
  g_autofree char *folder = NULL;

  if (self->form == NS_EXTRACT_SQLITE)
    {
      if (ns_extract_target_open_database (self, NULL))
        ns_extract_sqlite_write_note (self->database, name, text);
      return;
    }
  path = get_note_path (self, name);
  if (text == NULL)
    {
      g_unlink (path);
      return;
    }
  folder = g_path_get_dirname (path);
  g_mkdir_with_parents (folder, FOLDER_MODE);
  g_file_set_contents (path, text, -1, NULL);
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
  g_autofree char *name = NULL;
  g_autofree char *found = NULL;

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
  name = g_strconcat (OPTIONS, id, NULL);
  found = read_note (self, name);
  return g_strcmp0 (found, options) == 0;
}

/**
 * ns_extract_target_expect_options:
 * @self: a target
 * @id: identity of a trace that is going to be extracted
 * @options: (nullable): as for ns_extract_target_store_options(), which is called afterwards
 *
 * Notes that rows may be those of other options, in case the process ends before they are stored.
 */
void
ns_extract_target_expect_options (NsExtractTarget *self, const char *id, const char *options)
{
  g_autofree char *name = g_strconcat (OPTIONS, id, NULL);
  g_autofree char *before = read_note (self, name);

  if (g_strcmp0 (before, options) != 0)
    write_note (self, name, UNFINISHED);
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
  g_autofree char *name = g_strconcat (OPTIONS, id, NULL);

  write_note (self, name, options);
}

/**
 * ns_extract_target_replace_failure:
 * @self: a target
 * @path: path of an input that was read or failed
 * @id: (nullable): identity of its row in the table of failures; %NULL: it was read
 *
 * Removes the row of an earlier failure of the input, which had other contents then.
 */
void
ns_extract_target_replace_failure (NsExtractTarget *self, const char *path, const char *id)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, full, -1);
  g_autofree char *name = g_strconcat (FAILURE, sum, NULL);
  g_autofree char *before = read_note (self, name);

  if (g_strcmp0 (before, id) == 0)
    return;
  if (before != NULL)
    ns_extract_target_remove_failure (self, before);
  write_note (self, name, id);
}

/* What was named is gathered: files, folders and archives, whose traces are read as one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "etl/ns-etl-archive.h"
#include "etl/ns-etl-file-private.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

/* Names looked at in folders, and folders in folders. */
#define MAX_NAMES 100000
#define MAX_DEPTH 16
/* Traces of one case. */
#define MAX_INPUTS 1024
/* Of one archive, which is gone through from its beginning for each of them. */
#define MAX_OF_ARCHIVE 100

typedef struct
{
  GPtrArray *files;   /* (element-type NsEtlFile) */
  GPtrArray *refused; /* (element-type NsEtlRefused) */
  GHashTable *seen;   /* device, inode and member of what was opened */
  NsEtlCaseFlags flags;
  guint n_names;
  GError *first_error;
} Gathering;

/**
 * ns_etl_refused_free:
 * @data: (transfer full): an #NsEtlRefused
 */
void
ns_etl_refused_free (gpointer data)
{
  NsEtlRefused *self = data;

  g_free (self->path);
  g_free (self->member);
  g_free (self->reason);
  g_free (self);
}

static void
free_file (gpointer data)
{
  ns_etl_file_free (data);
}

/* Takes @reason. */
static NsEtlRefused *
refuse (GPtrArray *refused, const char *path, const char *member, char *reason)
{
  NsEtlRefused *one = g_new0 (NsEtlRefused, 1);

  one->path = g_strdup (path);
  one->member = g_strdup (member);
  one->reason = reason;
  g_ptr_array_add (refused, one);
  return one;
}

/* Takes @error. */
static void
refuse_for (Gathering *self, const char *path, const char *member, GError *error)
{
  refuse (self->refused, path, member, g_strdup (error->message));
  if (self->first_error == NULL)
    self->first_error = error;
  else
    g_error_free (error);
}

/* Whether the same member of the same file is there already; if not, it is from now on. */
static gboolean
is_repeated (Gathering *self, const char *path, const char *member)
{
  GStatBuf info;
  char *key;

  if (g_stat (path, &info) != 0)
    return FALSE;
  key = g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s",
                         (guint64) info.st_dev,
                         (guint64) info.st_ino,
                         member != NULL ? member : "");
  return !g_hash_table_add (self->seen, key);
}

static void
add_trace (Gathering *self, const char *path, const char *member, gboolean is_one_of_several)
{
  g_autoptr (GError) error = NULL;
  NsEtlFile *file;

  if (is_repeated (self, path, member))
    {
      refuse (self->refused, path, member, g_strdup (_ ("it was named before, and is read once")))
          ->is_repeated = TRUE;
      return;
    }
  if (self->files->len >= MAX_INPUTS)
    {
      g_set_error (&error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_LIMIT,
                   ngettext ("%u trace is open already, which is all that can be read as one",
                             "%u traces are open already, which is all that can be read as one",
                             MAX_INPUTS),
                   MAX_INPUTS);
      refuse_for (self, path, member, g_steal_pointer (&error));
      return;
    }
  file = ns_etl_file_open (path, member, &error);
  if (file == NULL)
    {
      refuse_for (self, path, member, g_steal_pointer (&error));
      return;
    }
  if (is_one_of_several)
    file->member = g_strdup (member);
  g_ptr_array_add (self->files, file);
}

/* A trace, or an archive with any number of them. */
static void
add_file (Gathering *self, const char *path, const char *member)
{
  g_auto (GStrv) members = NULL;
  guint i;

  if (member == NULL)
    members = ns_etl_file_list_members (path, NULL);
  /* What is wrong with a file or an archive is told by who opens it. */
  if (members == NULL || members[0] == NULL || members[1] == NULL)
    {
      add_trace (self, path, member, FALSE);
      return;
    }
  for (i = 0; members[i] != NULL && i < MAX_OF_ARCHIVE; i++)
    add_trace (self, path, members[i], TRUE);
  if (members[i] != NULL)
    refuse (
        self->refused,
        path,
        NULL,
        g_strdup_printf (
            ngettext (
                "of %u trace in the archive the first %u are read; unpack it to read all of them",
                "of %u traces in the archive the first %u are read; unpack it to read all of them",
                g_strv_length (members)),
            g_strv_length (members),
            MAX_OF_ARCHIVE));
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The names in a folder in their order; NULL: it cannot be read. */
static GPtrArray *
list_folder (Gathering *self, const char *path, GError **error)
{
  GDir *folder = g_dir_open (path, 0, error);
  GPtrArray *names;
  const char *name;

  if (folder == NULL)
    return NULL;
  names = g_ptr_array_new_with_free_func (g_free);
  while (self->n_names < MAX_NAMES && (name = g_dir_read_name (folder)) != NULL)
    {
      g_ptr_array_add (names, g_strdup (name));
      self->n_names++;
    }
  g_dir_close (folder);
  g_ptr_array_sort (names, compare_names);
  return names;
}

static void
add_folder (Gathering *self, const char *path, guint depth)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) names = list_folder (self, path, &error);
  guint i;

  if (names == NULL)
    {
      GError *ours = g_error_new (NS_TRACE_ERROR,
                                  NS_TRACE_ERROR_OPEN,
                                  _ ("cannot read the folder %s: %s"),
                                  path,
                                  error->message);

      refuse_for (self, path, NULL, ours);
      return;
    }
  for (i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *full = g_build_filename (path, name, NULL);

      if (g_file_test (full, G_FILE_TEST_IS_DIR))
        {
          if ((self->flags & NS_ETL_CASE_RECURSIVE) != 0 && depth < MAX_DEPTH &&
              !g_file_test (full, G_FILE_TEST_IS_SYMLINK))
            add_folder (self, full, depth + 1);
        }
      else if (ns_etl_archive_has_trace_name (name) || ns_etl_archive_has_name (name))
        add_file (self, full, NULL);
    }
  if (self->n_names >= MAX_NAMES && depth == 0)
    refuse (self->refused,
            path,
            NULL,
            g_strdup_printf (
                ngettext ("the folder has more than %u name; those behind it were not looked at",
                          "the folder has more than %u names; those behind them were not looked at",
                          MAX_NAMES),
                MAX_NAMES));
}

/* Which of the traces the others are asked to be like: the first one that was named as a file,
 * otherwise the first of the computer with most bytes. A capture does not tell the computer. */
static guint
choose_reference (const GPtrArray *files, gboolean is_first_named)
{
  guint64 most = 0;
  guint best = 0;
  guint i;
  guint k;

  for (i = 0; i < files->len; i++)
    {
      guint64 n_bytes = 0;

      if (((const NsEtlFile *) g_ptr_array_index (files, i))->is_capture)
        continue;
      if (is_first_named)
        return i;

      for (k = 0; k < files->len; k++)
        {
          g_autofree char *why = NULL;

          if (ns_etl_file_is_same_boot (g_ptr_array_index (files, i),
                                        g_ptr_array_index (files, k),
                                        &why))
            n_bytes += ns_etl_file_get_size (g_ptr_array_index (files, k));
        }
      if (n_bytes > most)
        {
          most = n_bytes;
          best = i;
        }
    }
  return best;
}

/* Leaves the traces of one computer, and tells the others and why. */
static void
part_machines (Gathering *self, gboolean is_first_named)
{
  guint chosen = choose_reference (self->files, is_first_named);
  NsEtlFile *reference = g_ptr_array_index (self->files, chosen);
  guint n_kept = 0;
  guint i;

  for (i = 0; i < self->files->len; i++)
    {
      NsEtlFile *file = g_ptr_array_index (self->files, i);
      g_autofree char *why = NULL;

      if (file == reference || ns_etl_file_is_same_boot (reference, file, &why))
        {
          file->why = g_steal_pointer (&why);
          self->files->pdata[n_kept++] = file;
          continue;
        }
      refuse (self->refused, file->path, file->member, g_strdup (why))->is_other_machine = TRUE;
      ns_etl_file_free (file);
    }
  self->files->len = n_kept;
}

static NsEtlFile *
join (Gathering *self, const char *const *paths, GError **error)
{
  gboolean is_first_named = !g_file_test (paths[0], G_FILE_TEST_IS_DIR);
  NsEtlFile *file;

  if (self->files->len == 0 && self->first_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->first_error));
      return NULL;
    }
  if (self->files->len == 0)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_OPEN,
                   (self->flags & NS_ETL_CASE_RECURSIVE) != 0
                       ? _ ("%s holds no trace; traces are named .etl")
                       : _ ("%s holds no trace; traces are named .etl, and folders in it are "
                            "looked into with --recursive"),
                   paths[0]);
      return NULL;
    }
  part_machines (self, is_first_named);
  file = ns_etl_file_join (self->files, error);
  if (file != NULL && self->refused->len > 0)
    file->refused = g_ptr_array_ref (self->refused);
  return file;
}

/**
 * ns_etl_file_open_case:
 * @paths: (array zero-terminated=1): traces, folders and archives, at least one
 * @member: (nullable): which trace of an archive that holds several; %NULL: all of them
 * @flags: how they are gathered
 * @error: return location
 *
 * Opens what was named as one trace. A single trace is opened as ns_etl_file_open() does. What
 * cannot be read, or was recorded by another computer, is left out and told by
 * ns_etl_file_get_refused().
 *
 * Returns: (transfer full) (nullable): the trace; %NULL if nothing of it could be opened
 */
NsEtlFile *
ns_etl_file_open_case (const char *const *paths,
                       const char *member,
                       NsEtlCaseFlags flags,
                       GError **error)
{
  Gathering self = { .flags = flags };
  NsEtlFile *file;
  guint i;

  g_return_val_if_fail (paths != NULL && paths[0] != NULL, NULL);

  self.files = g_ptr_array_new_with_free_func (free_file);
  self.refused = g_ptr_array_new_with_free_func (ns_etl_refused_free);
  self.seen = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  for (i = 0; paths[i] != NULL; i++)
    if (g_file_test (paths[i], G_FILE_TEST_IS_DIR))
      add_folder (&self, paths[i], 0);
    else
      add_file (&self, paths[i], member);
  file = join (&self, paths, error);
  g_ptr_array_unref (self.files);
  g_ptr_array_unref (self.refused);
  g_hash_table_unref (self.seen);
  g_clear_error (&self.first_error);
  return file;
}

/**
 * ns_etl_file_get_refused:
 * @self: a trace
 *
 * Returns: (transfer none) (nullable) (element-type NsEtlRefused): what was named and is not in it;
 *   %NULL: nothing
 */
const GPtrArray *
ns_etl_file_get_refused (const NsEtlFile *self)
{
  return self->refused;
}

/**
 * ns_etl_file_has_other_machines:
 * @self: a trace that was opened
 *
 * Returns: whether files of other computers, or of other starts of one, were named with it
 */
gboolean
ns_etl_file_has_other_machines (const NsEtlFile *self)
{
  guint i;

  for (i = 0; self->refused != NULL && i < self->refused->len; i++)
    if (((const NsEtlRefused *) g_ptr_array_index (self->refused, i))->is_other_machine)
      return TRUE;
  return FALSE;
}

/**
 * ns_etl_file_get_member:
 * @self: a trace, or an input of a case
 *
 * Returns: (transfer none) (nullable): which of the traces in an archive it is; %NULL if the file
 *   holds only this one
 */
const char *
ns_etl_file_get_member (const NsEtlFile *self)
{
  return self->member;
}

/**
 * ns_etl_file_get_why:
 * @self: an input of a case
 *
 * Returns: (transfer none) (nullable): what tells that it belongs to the case, without a full stop;
 *   %NULL: the others were compared with it
 */
const char *
ns_etl_file_get_why (const NsEtlFile *self)
{
  return self->why;
}

/**
 * ns_etl_file_dup_input_name:
 * @self: a trace
 * @input: number of one of its files
 *
 * Returns: (transfer full): what tells the input from others: the last part of its path, or of the
 *   name that it has in an archive with several
 */
char *
ns_etl_file_dup_input_name (const NsEtlFile *self, guint input)
{
  const NsEtlFile *file = ns_etl_file_get_input (self, input);

  return g_path_get_basename (file->member != NULL ? file->member : file->path);
}

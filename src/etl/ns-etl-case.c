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
/* Stands for the other members of an archive; no member is named so. */
#define ARCHIVE_MARK "\n"
/* Of one archive, which is gone through from its beginning for each of them. */
#define MAX_OF_ARCHIVE 100

typedef struct
{
  GPtrArray *files;        /* (element-type NsEtlFile) */
  GPtrArray *refused;      /* (element-type NsEtlRefused) */
  GPtrArray *log_archives; /* (element-type filename) */
  GHashTable *seen;        /* device, inode and member of what was opened */
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
refuse_repeated (Gathering *self, const char *path, const char *member)
{
  char *reason = g_strdup (_ ("it was named before, and is read once"));

  refuse (self->refused, path, member, reason)->is_repeated = TRUE;
}

static void
add_trace (Gathering *self, const char *path, const char *member, gboolean is_one_of_several)
{
  g_autoptr (GError) error = NULL;
  NsEtlFile *file;

  if (is_repeated (self, path, member))
    {
      refuse_repeated (self, path, member);
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

/* Whether all that may be read of an archive is logs. A trace alone in it may have any name. */
static gboolean
is_of_logs (const char *path, const char *const *members, const NsEtlArchiveOthers *others)
{
  g_autoptr (NsEtlFile) file = NULL;

  if (members == NULL || others->n_logs + others->n_filters == 0)
    return FALSE;
  if (members[0] == NULL)
    return TRUE;
  /* Every other archive lists nothing but traces. */
  if (ns_etl_archive_has_trace_name (members[0]))
    return FALSE;
  file = ns_etl_file_open (path, NULL, NULL);
  return file == NULL;
}

/**
 * ns_etl_path_is_of_logs:
 * @path: a file
 *
 * Returns: whether it is an archive without a trace, which by the names in it may have logs, or
 *   names of filters
 */
gboolean
ns_etl_path_is_of_logs (const char *path)
{
  NsEtlArchiveOthers others = { 0 };
  g_auto (GStrv) members = ns_etl_file_list_with_others (path, &others, NULL);

  return is_of_logs (path, (const char *const *) members, &others);
}

static void
add_archive_of_logs (Gathering *self, const char *path)
{
  GError *error = g_error_new (NS_TRACE_ERROR,
                               NS_TRACE_ERROR_ARCHIVE,
                               _ ("%s holds no trace (no file named .etl); logs in it are read "
                                  "together with a trace"),
                               path);
  NsEtlRefused *one = refuse (self->refused,
                              path,
                              NULL,
                              g_strdup (_ ("it holds no trace, and no log of a known "
                                           "kind")));

  one->is_of_logs = TRUE;
  if (self->first_error == NULL)
    self->first_error = error;
  else
    g_error_free (error);
  g_ptr_array_add (self->log_archives, g_strdup (path));
}

/* What somebody handed over, and what the capture kit recorded, has tables beside the trace that
 * are no logs. @first: the first of the files that were opened of it */
static gboolean
has_companions (const Gathering *self, guint first)
{
  guint i;

  for (i = first; i < self->files->len; i++)
    if (ns_etl_file_has_companions (g_ptr_array_index (self->files, i)))
      return TRUE;
  return FALSE;
}

/* What an archive holds besides traces. @first: as for has_companions() */
static void
add_others (Gathering *self, const char *path, const NsEtlArchiveOthers *others, guint first)
{
  if (others->n_logs > 0 && !has_companions (self, first))
    g_ptr_array_add (self->log_archives, g_strdup (path));
  /* Who names members has told that before. */
  if (others->n_archives > 0 && (self->flags & NS_ETL_CASE_MEMBERS) == 0)
    refuse (self->refused,
            path,
            NULL,
            g_strdup_printf (ngettext ("%u archive in it is not looked into; unpack it and name "
                                       "what it holds",
                                       "%u archives in it are not looked into; unpack them and "
                                       "name what they hold",
                                       others->n_archives),
                             others->n_archives));
}

static void
add_members (Gathering *self, const char *path, const char *const *members)
{
  guint n_members = g_strv_length ((char **) members);
  guint i;

  for (i = 0; i < MIN (n_members, MAX_OF_ARCHIVE); i++)
    add_trace (self, path, members[i], TRUE);
  if (i < n_members)
    refuse (
        self->refused,
        path,
        NULL,
        g_strdup_printf (
            ngettext (
                "of %u trace in the archive the first %u are read; unpack it to read all of them",
                "of %u traces in the archive the first %u are read; unpack it to read all of them",
                n_members),
            n_members,
            MAX_OF_ARCHIVE));
}

/* A trace, or an archive with any number of them. */
static void
add_file (Gathering *self, const char *path, const char *member)
{
  g_auto (GStrv) members = NULL;
  NsEtlArchiveOthers others = { 0 };
  guint first = self->files->len;
  gboolean is_of_case = (self->flags & NS_ETL_CASE_MEMBERS) != 0;
  gboolean is_logs;

  if (member == NULL || is_of_case)
    members = ns_etl_file_list_with_others (path, &others, NULL);
  is_logs = is_of_logs (path, (const char *const *) members, &others);
  if ((is_logs || others.n_logs > 0 || others.n_archives > 0) &&
      is_repeated (self, path, ARCHIVE_MARK))
    {
      if (is_logs)
        {
          refuse_repeated (self, path, NULL);
          return;
        }
      others = (NsEtlArchiveOthers){ 0 };
    }
  if (is_logs)
    {
      add_archive_of_logs (self, path);
      others.n_logs = 0;
    }
  /* What is wrong with a file or an archive is told by who opens it. */
  else if (member != NULL || members == NULL || members[0] == NULL || members[1] == NULL)
    add_trace (self, path, member, member != NULL && is_of_case);
  else
    add_members (self, path, (const char *const *) members);
  add_others (self, path, &others, first);
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

static gboolean
has_file_of (const Gathering *self, const char *path)
{
  guint i;

  for (i = 0; i < self->files->len; i++)
    if (strcmp (ns_etl_file_get_path (g_ptr_array_index (self->files, i)), path) == 0)
      return TRUE;
  return FALSE;
}

/* Logs that stand beside traces of another computer only are of that. */
static void
part_logs (Gathering *self)
{
  guint i;

  for (i = 0; i < self->refused->len; i++)
    {
      const NsEtlRefused *one = g_ptr_array_index (self->refused, i);
      guint found;

      if (one->is_other_machine && !has_file_of (self, one->path) &&
          g_ptr_array_find_with_equal_func (self->log_archives, one->path, g_str_equal, &found))
        g_ptr_array_remove_index (self->log_archives, found);
    }
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
  part_logs (self);
  file = ns_etl_file_join (self->files, error);
  if (file != NULL && self->refused->len > 0)
    file->refused = g_ptr_array_ref (self->refused);
  if (file != NULL && self->log_archives->len > 0)
    file->log_archives = g_ptr_array_ref (self->log_archives);
  return file;
}

/**
 * ns_etl_file_open_members:
 * @paths: (array zero-terminated=1): traces, folders and archives, at least one
 * @members: of each of @paths: which trace of an archive that holds several; %NULL: all of them
 * @flags: how they are gathered
 * @error: return location
 *
 * As ns_etl_file_open_case(), with a member of each archive.
 *
 * Returns: (transfer full) (nullable): the trace; %NULL if nothing of it could be opened
 */
NsEtlFile *
ns_etl_file_open_members (const char *const *paths,
                          const char *const *members,
                          NsEtlCaseFlags flags,
                          GError **error)
{
  Gathering self = { .flags = flags };
  NsEtlFile *file;
  guint i;

  g_return_val_if_fail (paths != NULL && paths[0] != NULL, NULL);

  self.files = g_ptr_array_new_with_free_func (free_file);
  self.refused = g_ptr_array_new_with_free_func (ns_etl_refused_free);
  self.log_archives = g_ptr_array_new_with_free_func (g_free);
  self.seen = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  for (i = 0; paths[i] != NULL; i++)
    if (g_file_test (paths[i], G_FILE_TEST_IS_DIR))
      add_folder (&self, paths[i], 0);
    else
      add_file (&self, paths[i], members[i]);
  file = join (&self, paths, error);
  g_ptr_array_unref (self.files);
  g_ptr_array_unref (self.refused);
  g_ptr_array_unref (self.log_archives);
  g_hash_table_unref (self.seen);
  g_clear_error (&self.first_error);
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
  guint n_paths = g_strv_length ((char **) paths);
  g_autofree const char **members = g_new (const char *, n_paths);
  guint i;

  for (i = 0; i < n_paths; i++)
    members[i] = member;
  return ns_etl_file_open_members (paths, members, flags, error);
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
 * ns_etl_file_get_log_archives:
 * @self: a trace
 *
 * Returns: (transfer none) (nullable) (element-type filename): archives that were named with it and
 *   have members that are named as logs are; %NULL: none
 */
const GPtrArray *
ns_etl_file_get_log_archives (const NsEtlFile *self)
{
  return self->log_archives;
}

static gboolean
find_archive_of_logs (const NsEtlFile *self, const char *path, guint *found)
{
  guint i;

  for (i = 0; self->refused != NULL && i < self->refused->len; i++)
    {
      const NsEtlRefused *one = g_ptr_array_index (self->refused, i);

      *found = i;
      if (one->is_of_logs && strcmp (one->path, path) == 0)
        return TRUE;
    }
  return FALSE;
}

/**
 * ns_etl_file_leave_logs:
 * @self: a trace that was just opened
 * @path: one of its archives
 *
 * Somebody else reads the logs in an archive.
 */
void
ns_etl_file_leave_logs (NsEtlFile *self, const char *path)
{
  guint found;

  if (self->log_archives != NULL &&
      g_ptr_array_find_with_equal_func (self->log_archives, path, g_str_equal, &found))
    g_ptr_array_remove_index (self->log_archives, found);
}

/**
 * ns_etl_file_is_archive_of_logs:
 * @self: a trace
 * @path: an archive that was named with it
 *
 * Returns: whether the archive is left out unless it has logs
 */
gboolean
ns_etl_file_is_archive_of_logs (const NsEtlFile *self, const char *path)
{
  guint found;

  return find_archive_of_logs (self, path, &found);
}

/**
 * ns_etl_file_accept_logs:
 * @self: a trace that was just opened
 * @path: one of its archives of logs, in which there is one
 *
 * An archive of which logs are read is not left out.
 */
void
ns_etl_file_accept_logs (NsEtlFile *self, const char *path)
{
  guint found;

  if (find_archive_of_logs (self, path, &found))
    g_ptr_array_remove_index (self->refused, found);
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

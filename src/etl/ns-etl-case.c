/* Gathers the traces of named files, folders and archives, and opens them as one trace, a case.
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

/* Maximum number of names in folders, and maximum depth of folders. */
#define MAX_NAMES 100000
#define MAX_DEPTH 16
/* Maximum number of traces in one case. */
#define MAX_INPUTS 1024
/* Stands for the other members of an archive in the table of opened members; no member has this
 * name. */
#define ARCHIVE_MARK "\n"
/* Maximum number of traces from one archive, which is read from its beginning for each of them. */
#define MAX_OF_ARCHIVE 100

typedef struct
{
  NsEtlOpenFiles *open_files;
  GPtrArray *files;        /* (element-type NsEtlFile) */
  GPtrArray *refused;      /* (element-type NsEtlRefused) */
  GPtrArray *log_archives; /* (element-type filename) */
  GHashTable *seen;        /* device, inode and member of everything opened */
  NsEtlCaseFlags flags;
  guint n_names;
  GError *first_error;
} Gathering;

/**
 * ns_etl_refused_free:
 * @data: (transfer full): an #NsEtlRefused
 *
 * Frees @data.
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

/**
 * ns_etl_refused_get_reason:
 * @self: a refused file
 * @is_redacted: whether to name neither computers nor members of archives
 *
 * Returns: (transfer none): the reason, one line without a full stop
 */
const char *
ns_etl_refused_get_reason (const NsEtlRefused *self, gboolean is_redacted)
{
  if (!is_redacted || !self->has_names)
    return self->reason;
  return self->is_other_machine ? _ ("another computer") : _ ("it has no such member");
}

static void
free_file (gpointer data)
{
  ns_etl_file_free (data);
}

/* Adds a refused file; takes ownership of @reason. */
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

/* Adds a refused file; takes ownership of @error. */
static void
refuse_for (Gathering *self, const char *path, const char *member, GError *error)
{
  refuse (self->refused, path, member, g_strdup (error->message))->has_names =
      g_error_matches (error, NS_TRACE_ERROR, NS_TRACE_ERROR_MEMBER);
  if (self->first_error == NULL)
    self->first_error = error;
  else
    g_error_free (error);
}

/* Returns whether the same member of the same file was seen before; marks it as seen. */
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
  char *reason = g_strdup (_ ("it was specified before and is read once"));

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
                   ngettext ("%u trace is already open, the maximum that can be read as one",
                             "%u traces are already open, the maximum that can be read as one",
                             MAX_INPUTS),
                   MAX_INPUTS);
      refuse_for (self, path, member, g_steal_pointer (&error));
      return;
    }
  file = ns_etl_file_open_among (self->open_files, path, member, &error);
  if (file == NULL)
    {
      refuse_for (self, path, member, g_steal_pointer (&error));
      return;
    }
  if (is_one_of_several)
    file->member = g_strdup (member);
  g_ptr_array_add (self->files, file);
}

/* Returns whether an archive holds logs and no trace. The only member of an archive may be a trace
 * with any name. */
static gboolean
is_of_logs (const char *path, const char *const *members, const NsEtlArchiveOthers *others)
{
  g_autoptr (NsEtlFile) file = NULL;

  if (members == NULL || others->n_logs + others->n_filters == 0)
    return FALSE;
  if (members[0] == NULL)
    return TRUE;
  /* Other archives list traces only. */
  if (ns_etl_archive_has_trace_name (members[0]))
    return FALSE;
  file = ns_etl_file_open (path, NULL, NULL);
  return file == NULL;
}

/**
 * ns_etl_path_is_of_logs:
 * @path: a file
 *
 * Returns: whether the file is an archive without a trace whose members are named like logs or
 *   files with names of WFP filters
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

/* Returns whether a file opened from the archive has companions, whose tables are no logs: in a
 * hand-over or a recording of the capture kit. @first: index of the first file opened from the
 * archive. */
static gboolean
has_companions (const Gathering *self, guint first)
{
  guint i;

  for (i = first; i < self->files->len; i++)
    if (ns_etl_file_has_companions (g_ptr_array_index (self->files, i)))
      return TRUE;
  return FALSE;
}

/* Notes what an archive holds besides traces. @first: as for has_companions(). */
static void
add_others (Gathering *self, const char *path, const NsEtlArchiveOthers *others, guint first)
{
  if (others->n_logs > 0 && !has_companions (self, first))
    g_ptr_array_add (self->log_archives, g_strdup (path));
  /* With named members this was reported when the case was first opened. */
  if (others->n_archives > 0 && (self->flags & NS_ETL_CASE_MEMBERS) == 0)
    refuse (self->refused,
            path,
            NULL,
            g_strdup_printf (
                ngettext ("%u archive in it is not read; unpack it and specify its contents",
                          "%u archives in it are not read; unpack them and specify their contents",
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
    refuse (self->refused,
            path,
            NULL,
            g_strdup_printf (ngettext ("of %u trace in the archive only the first %u are read; "
                                       "unpack it to read all of them",
                                       "of %u traces in the archive only the first %u are read; "
                                       "unpack it to read all of them",
                                       n_members),
                             n_members,
                             MAX_OF_ARCHIVE));
}

/* Adds a trace, or an archive with any number of traces. */
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
  /* Opening the file reports what is wrong with it. */
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

/* Returns the sorted names in a folder; (transfer full); NULL: it cannot be read. */
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
                ngettext ("the folder has more than %u entry; the remaining ones were ignored",
                          "the folder has more than %u entries; the remaining ones were ignored",
                          MAX_NAMES),
                MAX_NAMES));
}

/* Returns the index of the trace with which the others are compared: the first one that was named
 * as a file, else the first of the computer with most bytes. Captures do not name a computer. */
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

/* Keeps the traces of one computer; the others are refused, with the reason. */
static void
separate_machines (Gathering *self, gboolean is_first_named)
{
  guint chosen = choose_reference (self->files, is_first_named);
  NsEtlFile *reference = g_ptr_array_index (self->files, chosen);
  guint n_kept = 0;
  guint i;

  for (i = 0; i < self->files->len; i++)
    {
      NsEtlFile *file = g_ptr_array_index (self->files, i);
      g_autofree char *why = NULL;
      NsEtlRefused *refused;

      if (file == reference || ns_etl_file_is_same_boot (reference, file, &why))
        {
          file->why = g_steal_pointer (&why);
          self->files->pdata[n_kept++] = file;
          continue;
        }
      refused = refuse (self->refused, file->path, file->member, g_strdup (why));
      refused->is_other_machine = TRUE;
      refused->has_names = ns_etl_file_has_other_name (reference, file);
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

/* Drops archives with logs that accompany traces of another computer only. */
static void
drop_foreign_logs (Gathering *self)
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
                       : _ ("%s holds no trace; traces are named .etl, and --recursive also reads "
                            "the folders in it"),
                   paths[0]);
      return NULL;
    }
  separate_machines (self, is_first_named);
  drop_foreign_logs (self);
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
 * @members: for each of @paths: the trace to open from an archive with several; %NULL: all
 * @flags: how to gather files
 * @error: return location
 *
 * Like ns_etl_file_open_case(), with a member per archive.
 *
 * Returns: (transfer full) (nullable): the trace; %NULL with @error set if none could be opened
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
  self.open_files = ns_etl_open_files_new ();
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
  ns_etl_open_files_unref (self.open_files);
  g_clear_error (&self.first_error);
  return file;
}

/**
 * ns_etl_file_open_case:
 * @paths: (array zero-terminated=1): traces, folders and archives, at least one
 * @member: (nullable): the trace to open from an archive with several; %NULL: all
 * @flags: how to gather files
 * @error: return location
 *
 * Opens the traces of all paths as one trace. A single trace is opened like ns_etl_file_open()
 * does. Traces that cannot be read, or were recorded by another computer, are left out: see
 * ns_etl_file_get_refused().
 *
 * Returns: (transfer full) (nullable): the trace; %NULL with @error set if none could be opened
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
 * Returns: (transfer none) (nullable) (element-type NsEtlRefused): named files that are not in it;
 *   %NULL: none
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
 * Returns: (transfer none) (nullable) (element-type filename): archives, named along with the
 *   trace, whose members are named like logs; %NULL: none
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
 * Removes an archive from ns_etl_file_get_log_archives(), because the caller reads its logs.
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
 * @path: an archive that was named along with it
 *
 * Returns: whether the archive is listed as refused, which ns_etl_file_accept_logs() undoes
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
 * @path: one of its archives of logs, which has a log
 *
 * Removes the archive from the refused files, because its logs are read.
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
 * @self: a trace
 *
 * Returns: whether files of other computers, or of other boots, were named along with it
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
 * Returns: (transfer none) (nullable): its name among several traces of an archive; %NULL: the file
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
 * Returns: (transfer none) (nullable): why it belongs to the case, without a full stop; %NULL: the
 *   others were compared with it
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
 * Returns: (transfer full): a name that distinguishes the input: the base name of its path, or of
 *   its member in an archive with several traces
 */
char *
ns_etl_file_dup_input_name (const NsEtlFile *self, guint input)
{
  const NsEtlFile *file = ns_etl_file_get_input (self, input);

  return g_path_get_basename (file->member != NULL ? file->member : file->path);
}

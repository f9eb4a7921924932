/* Recognizes logs of other tools, and reads them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-private.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

/* Number of bytes that are enough to recognize a file. */
#define LOOK_BYTES 65536
/* Maximum number of lines that are tested for being the first of a log, and limits of folders. */
#define MAX_LOOKED_LINES 20
#define MAX_NAMES 100000
#define MAX_DEPTH 16

static const char *const kind_names[NS_SIDE_N_KINDS] = {
  [NS_SIDE_NONE] = "unknown",    [NS_SIDE_W3C] = "w3c",         [NS_SIDE_FIREWALL] = "firewall",
  [NS_SIDE_SYSLOG] = "syslog",   [NS_SIDE_HAR] = "har",         [NS_SIDE_NETLOG] = "netlog",
  [NS_SIDE_PROCMON] = "procmon", [NS_SIDE_PERFMON] = "perfmon", [NS_SIDE_CSV] = "csv",
};

static void (*const readers[NS_SIDE_N_KINDS]) (NsSideReader *self) = {
  [NS_SIDE_W3C] = ns_side_read_w3c,       [NS_SIDE_FIREWALL] = ns_side_read_w3c,
  [NS_SIDE_SYSLOG] = ns_side_read_syslog, [NS_SIDE_HAR] = ns_side_read_har,
  [NS_SIDE_NETLOG] = ns_side_read_netlog, [NS_SIDE_PROCMON] = ns_side_read_table,
  [NS_SIDE_PERFMON] = ns_side_read_table, [NS_SIDE_CSV] = ns_side_read_table,
};

/**
 * ns_side_kind_to_text:
 * @kind: kind of a log
 *
 * Returns: (transfer none): its name
 */
const char *
ns_side_kind_to_text (NsSideKind kind)
{
  return kind_names[kind < NS_SIDE_N_KINDS ? kind : NS_SIDE_NONE];
}

/* Returns the kind of a name; @text: (nullable). */
NsSideKind
ns_side_kind_from_text (const char *text)
{
  guint i;

  for (i = NS_SIDE_NONE + 1; i < NS_SIDE_N_KINDS; i++)
    if (g_strcmp0 (kind_names[i], text) == 0)
      return (NsSideKind) i;
  return NS_SIDE_NONE;
}

static gboolean
has_suffix (const char *name, const char *const *suffixes)
{
  gsize length = strlen (name);
  guint i;

  for (i = 0; suffixes[i] != NULL; i++)
    if (length > strlen (suffixes[i]) &&
        g_ascii_strcasecmp (name + length - strlen (suffixes[i]), suffixes[i]) == 0)
      return TRUE;
  return FALSE;
}

static NsSideKind
find_kind_of_w3c (const char *text)
{
  const char *fields = strstr (text, "#Fields:");
  gsize length;
  g_autofree char *line = NULL;

  if (fields == NULL)
    return NS_SIDE_NONE;
  length = strcspn (fields, "\r\n");
  line = g_ascii_strdown (fields, (gssize) length);
  if (strstr (line, " time") == NULL)
    return NS_SIDE_NONE;
  return strstr (line, "src-ip") != NULL && strstr (line, " action") != NULL ? NS_SIDE_FIREWALL
                                                                             : NS_SIDE_W3C;
}

static gboolean
has_line_of_syslog (const char *text)
{
  guint i;

  for (i = 0; i < MAX_LOOKED_LINES && *text != '\0'; i++)
    {
      gsize length = strcspn (text, "\r\n");
      g_autofree char *line = g_strndup (text, MIN (length, 256));

      if (ns_side_is_syslog (line))
        return TRUE;
      text += length;
      text += strspn (text, "\r\n");
    }
  return FALSE;
}

/* Recognizes a log by its beginning; the name decides only for ambiguous contents. */
static NsSideKind
find_kind_of_text (const char *text, const char *name, gboolean is_table)
{
  static const char *const tables[] = { ".csv", ".tsv", NULL };
  static const char *const archives[] = { ".har", NULL };
  const char *first = text + strspn (text, " \t\r\n");

  if (*first == '#')
    return find_kind_of_w3c (first);
  if (*first == '{')
    {
      if (strstr (first, "\"logEventTypes\"") != NULL || strstr (first, "\"constants\"") != NULL)
        return NS_SIDE_NETLOG;
      if (strstr (first, "\"log\"") != NULL &&
          (has_suffix (name, archives) || strstr (first, "\"entries\"") != NULL ||
           strstr (first, "\"creator\"") != NULL))
        return NS_SIDE_HAR;
      return NS_SIDE_NONE;
    }
  if (g_str_has_prefix (first, "\"(PDH-CSV"))
    return NS_SIDE_PERFMON;
  if ((g_str_has_prefix (first, "\"Time of Day\"") ||
       g_str_has_prefix (first, "\"Date & Time\"")) &&
      strstr (first, "\"Operation\"") != NULL)
    return NS_SIDE_PROCMON;
  if (has_suffix (name, tables) || is_table)
    return NS_SIDE_CSV;
  if (has_line_of_syslog (first))
    return NS_SIDE_SYSLOG;
  return ns_side_is_table (first) ? NS_SIDE_CSV : NS_SIDE_NONE;
}

/* Returns whether the bytes are text; traces and archives contain NUL bytes. */
static gboolean
is_text (const char *bytes, gsize n_bytes)
{
  if (n_bytes >= 2 && (memcmp (bytes, "\xff\xfe", 2) == 0 || memcmp (bytes, "\xfe\xff", 2) == 0))
    return TRUE;
  return n_bytes > 0 && memchr (bytes, '\0', n_bytes) == NULL;
}

/**
 * ns_side_find_kind_of_bytes:
 * @bytes: the beginning of a file
 * @n_bytes: number of bytes
 * @path: its path
 * @time_columns: (nullable): see #NsSideOptions; a file with a time column is a table
 *
 * Returns: the kind of the log; %NS_SIDE_NONE: no log
 */
NsSideKind
ns_side_find_kind_of_bytes (const guint8 *bytes,
                            gsize n_bytes,
                            const char *path,
                            const char *time_columns)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *column = NULL;
  g_autofree char *text = NULL;
  gsize n_looked = MIN (n_bytes, LOOK_BYTES);
  gsize n_text;
  char *copy;

  if (!is_text ((const char *) bytes, n_looked))
    return NS_SIDE_NONE;
  copy = g_malloc (n_looked + 1);
  memcpy (copy, bytes, n_looked);
  copy[n_looked] = '\0';
  text = ns_side_text_from_bytes (copy, n_looked, &n_text);
  /* Only a value for this very file makes a table of any text. */
  column = ns_side_options_dup_value (time_columns, path, name);
  return find_kind_of_text (text, name, column != NULL && strchr (time_columns, '=') != NULL);
}

/**
 * ns_side_find_kind:
 * @path: a file
 * @time_columns: (nullable): see #NsSideOptions; a file with a time column is a table
 *
 * Returns: the kind of the log according to its first bytes; %NS_SIDE_NONE: no log, or unreadable
 */
NsSideKind
ns_side_find_kind (const char *path, const char *time_columns)
{
  g_autofree guint8 *bytes = NULL;
  gsize n_bytes;
  FILE *file;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return NS_SIDE_NONE;
  file = fopen (path, "rbe");
  if (file == NULL)
    return NS_SIDE_NONE;
  bytes = g_malloc (LOOK_BYTES);
  n_bytes = fread (bytes, 1, LOOK_BYTES, file);
  fclose (file);
  return ns_side_find_kind_of_bytes (bytes, n_bytes, path, time_columns);
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Adds the logs in a folder; only files named like logs are opened. */
static void
add_folder (const char *path,
            gboolean is_recursive,
            guint depth,
            guint *n_names,
            const char *time_columns,
            GPtrArray *logs)
{
  static const char *const suffixes[] = { ".log", ".old", ".har",    ".json", ".csv",
                                          ".tsv", ".txt", ".syslog", NULL };
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GDir *folder = g_dir_open (path, 0, NULL);
  const char *name;
  guint i;

  if (folder == NULL)
    return;
  while (*n_names < MAX_NAMES && (name = g_dir_read_name (folder)) != NULL)
    {
      g_ptr_array_add (names, g_strdup (name));
      (*n_names)++;
    }
  g_dir_close (folder);
  g_ptr_array_sort (names, compare_names);
  for (i = 0; i < names->len && logs->len < NS_SIDE_MAX_LOGS; i++)
    {
      g_autofree char *full = g_build_filename (path, g_ptr_array_index (names, i), NULL);

      if (g_file_test (full, G_FILE_TEST_IS_DIR))
        {
          if (is_recursive && depth < MAX_DEPTH && !g_file_test (full, G_FILE_TEST_IS_SYMLINK))
            add_folder (full, is_recursive, depth + 1, n_names, time_columns, logs);
        }
      else if (has_suffix (g_ptr_array_index (names, i), suffixes) &&
               ns_side_find_kind (full, time_columns) != NS_SIDE_NONE)
        g_ptr_array_add (logs, g_steal_pointer (&full));
    }
}

/**
 * ns_side_split:
 * @paths: (array zero-terminated=1): files and folders
 * @is_recursive: whether to include subfolders
 * @time_columns: (nullable): see #NsSideOptions
 * @traces: (element-type filename): receives the paths that are no logs; not copied
 * @logs: (element-type filename): receives the logs, copied
 *
 * Separates logs from traces. Folders count as traces, and the logs in them as logs. After
 * %NS_SIDE_MAX_LOGS logs, all files count as traces.
 */
void
ns_side_split (const char *const *paths,
               gboolean is_recursive,
               const char *time_columns,
               GPtrArray *traces,
               GPtrArray *logs)
{
  guint n_names = 0;
  guint i;

  for (i = 0; paths[i] != NULL; i++)
    if (logs->len < NS_SIDE_MAX_LOGS && ns_side_find_kind (paths[i], time_columns) != NS_SIDE_NONE)
      g_ptr_array_add (logs, g_strdup (paths[i]));
    else
      {
        g_ptr_array_add (traces, (gpointer) paths[i]);
        if (g_file_test (paths[i], G_FILE_TEST_IS_DIR))
          add_folder (paths[i], is_recursive, 0, &n_names, time_columns, logs);
      }
}

static void
fault_clear (gpointer data)
{
  g_free (((NsSideFault *) data)->what);
}

/* Creates a log without lines and path; (transfer full). */
NsSideLog *
ns_side_log_new (const char *name, NsSideKind kind)
{
  NsSideLog *self = g_new0 (NsSideLog, 1);

  self->name = g_strdup (name);
  self->kind = kind;
  self->faults = g_array_new (FALSE, FALSE, sizeof (NsSideFault));
  g_array_set_clear_func (self->faults, fault_clear);
  return self;
}

static guint32
count_lines (const char *text, gsize n_bytes)
{
  const char *end = text + n_bytes;
  guint32 n_lines = 1;

  while ((text = memchr (text, '\n', (gsize) (end - text))) != NULL && ++text < end)
    n_lines++;
  return n_lines;
}

/* Reads a text. @damage: (nullable): why it is incomplete; reported before all malformed lines. */
static void
read_text (NsSideReader *reader, const char *text, gsize n_bytes, const char *damage)
{
  reader->at = text;
  reader->end = text + n_bytes;
  if (damage != NULL)
    ns_side_reader_refuse (reader, count_lines (text, n_bytes), damage);
  readers[reader->log->kind](reader);
  if (ns_side_reader_is_full (reader))
    ns_side_reader_refuse (reader, reader->line, N_ ("too many lines in one log"));
}

static void
find_offset (NsSideLog *log, const NsSideOptions *options)
{
  if (!ns_side_find_offset (options->offsets, log->path, &log->offset_ns))
    log->offset_ns = 0;
}

/**
 * ns_side_log_read:
 * @path: a log
 * @options: how to read it
 * @func: (scope call): called for each line, in the order of the file
 * @user_data: for @func
 *
 * Reads a log. Malformed lines are skipped and reported; a log that cannot be read at all has a
 * refusal.
 *
 * Returns: (transfer full): the result
 */
NsSideLog *
ns_side_log_read (const char *path,
                  const NsSideOptions *options,
                  NsSideLineFunc func,
                  gpointer user_data)
{
  g_autofree char *name = g_path_get_basename (path);
  NsSideLog *self = ns_side_log_new (name, ns_side_find_kind (path, options->time_columns));
  NsSideReader reader = { .options = options, .log = self, .func = func, .user_data = user_data };
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize n_bytes;

  self->path = g_strdup (path);
  find_offset (self, options);
  if (self->kind == NS_SIDE_NONE)
    {
      self->refusal = g_strdup (_ ("it is not a log of a known type"));
      return self;
    }
  text = ns_side_text_read (path, NS_SIDE_MAX_BYTES, &n_bytes, &error);
  if (text == NULL)
    self->refusal = g_strdup (error->message);
  else
    read_text (&reader, text, n_bytes, NULL);
  return self;
}

/**
 * ns_side_log_read_bytes:
 * @bytes: (nullable) (transfer full): contents of a log in an archive, followed by a zero byte;
 *   %NULL: unreadable
 * @n_bytes: size in bytes, without that byte
 * @path: path of the archive followed by the member's name; or the archive's path alone
 * @damage: (nullable): why the contents are incomplete, one line without a full stop
 * @options: how to read it
 * @logs: (element-type NsSideLog): receives the log
 * @func: (scope call): called for each line, in the order of the log; its member `part` is the
 *   index in @logs
 * @user_data: for @func
 *
 * Like ns_side_log_read(), for a log in memory.
 */
void
ns_side_log_read_bytes (char *bytes,
                        gsize n_bytes,
                        const char *path,
                        const char *damage,
                        const NsSideOptions *options,
                        GPtrArray *logs,
                        NsSideLineFunc func,
                        gpointer user_data)
{
  g_autofree char *name = g_path_get_basename (path);
  NsSideLog *self = ns_side_log_new (name, NS_SIDE_NONE);
  NsSideReader reader = { .options = options,
                          .log = self,
                          .func = func,
                          .user_data = user_data,
                          .part = logs->len };
  g_autofree char *text = NULL;
  gsize n_text;

  self->path = g_strdup (path);
  self->is_embedded = TRUE;
  find_offset (self, options);
  g_ptr_array_add (logs, self);
  if (bytes == NULL)
    {
      self->refusal = g_strdup (damage);
      return;
    }
  self->kind =
      ns_side_find_kind_of_bytes ((const guint8 *) bytes, n_bytes, path, options->time_columns);
  text = ns_side_text_from_bytes (bytes, n_bytes, &n_text);
  if (self->kind == NS_SIDE_NONE)
    self->refusal = g_strdup (_ ("it is not a log of a known type"));
  else
    read_text (&reader, text, n_text, damage);
}

/**
 * ns_side_log_free:
 * @self: (transfer full) (nullable): a log
 */
void
ns_side_log_free (NsSideLog *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->name);
  g_free (self->time_column);
  g_strfreev (self->columns);
  g_free (self->refusal);
  g_array_unref (self->faults);
  g_free (self);
}

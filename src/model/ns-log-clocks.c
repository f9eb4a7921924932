/* Time settings of the logs beside a trace and of its files: time offsets, and time columns of
 * tables.
 *
 * They are stored with the view of the trace, which is identified by the content of the trace, not
 * by its logs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-log-clocks.h"

#include "base/ns-time.h"
#include "export/ns-view-file.h"
#include "model/ns-session-view.h"
#include "query/ns-fields.h"

#include <string.h>

#define OFFSETS "log-offsets"           /* a{sx}: nanoseconds, by path or name */
#define INPUT_OFFSETS "input-offsets"   /* a{sx}: the same for trace files */
#define TIME_COLUMNS "log-time-columns" /* a{ss}: column titles, by path or name */

/**
 * ns_log_clock_parse_offset:
 * @text: text entered by the user; accepts a decimal comma, and a hyphen for the minus sign
 * @offset_ns: (out): the offset in nanoseconds
 *
 * Returns: whether it is a number of seconds
 */
gboolean
ns_log_clock_parse_offset (const char *text, gint64 *offset_ns)
{
  g_autofree char *plain = g_strstrip (g_strdelimit (g_strdup (text), ",", '.'));

  if (g_str_has_prefix (plain, NS_MINUS))
    {
      g_autofree char *number = g_strconcat ("-", plain + strlen (NS_MINUS), NULL);

      return ns_side_parse_offset (number, offset_ns);
    }
  return ns_side_parse_offset (plain, offset_ns);
}

/**
 * ns_log_clock_offset_to_text:
 * @offset_ns: time offset of a log
 *
 * Returns: (transfer full): the offset in seconds, for ns_log_clock_parse_offset()
 */
char *
ns_log_clock_offset_to_text (gint64 offset_ns)
{
  g_autofree char *seconds = ns_time_seconds_to_text (offset_ns, 9);
  GString *text = g_string_new (seconds);

  while (text->str[text->len - 1] == '0')
    g_string_truncate (text, text->len - 1);
  if (text->str[text->len - 1] == '.')
    g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

/* The format has one entry per line, so entries with line breaks are skipped. */
static gboolean
is_one_line (const char *text)
{
  return strchr (text, '\n') == NULL;
}

static void
add_offset (GString *lines, const char *who, gint64 offset_ns)
{
  g_autofree char *seconds = ns_log_clock_offset_to_text (offset_ns);

  if (is_one_line (who))
    g_string_append_printf (lines, "%s=%s\n", who, seconds);
}

static void
add_time_column (GString *lines, const char *who, const char *column)
{
  if (is_one_line (who) && is_one_line (column))
    g_string_append_printf (lines, "%s=%s\n", who, column);
}

static gint64
get_offset (const NsTrace *trace, guint input)
{
  return ns_etl_file_get_offset (ns_etl_file_get_input (trace->file, input));
}

static gboolean
has_unknown_times (const NsSideLog *log)
{
  return log->columns != NULL && log->columns[0] != NULL && log->time_column == NULL &&
         log->refusal != NULL;
}

/**
 * ns_log_clocks_find:
 * @trace: a trace
 * @path: a log, or the path of a trace file as returned by ns_trace_dup_input_path()
 * @clock: (out caller-allocates): its time settings; @path is borrowed
 * @columns: (out) (transfer none) (nullable): for a table with a selectable time column, its
 *   columns
 *
 * Returns: whether the trace contains the file
 */
gboolean
ns_log_clocks_find (const NsTrace *trace, const char *path, NsLogClock *clock, char ***columns)
{
  guint i;

  *clock = (NsLogClock){ .path = path };
  *columns = NULL;
  for (i = 0; i < trace->logs->len; i++)
    {
      const NsSideLog *log = g_ptr_array_index (trace->logs, i);

      if (strcmp (log->path, path) != 0)
        continue;
      clock->offset_ns = log->offset_ns;
      clock->time_column = log->time_column;
      clock->is_unknown = has_unknown_times (log);
      *columns = log->columns;
      return TRUE;
    }
  for (i = 0; i < ns_etl_file_get_n_inputs (trace->file); i++)
    {
      g_autofree char *one = ns_trace_dup_input_path (trace->file, i);

      if (strcmp (one, path) != 0 || !ns_etl_file_can_shift (trace->file, i, NULL))
        continue;
      clock->offset_ns = get_offset (trace, i);
      return TRUE;
    }
  return FALSE;
}

/**
 * ns_log_clocks_find_unknown:
 * @trace: a trace
 * @but: (element-type filename): a set of logs
 *
 * Returns: (transfer none) (nullable): a log not in @but whose time column cannot be determined
 *   from the column titles; %NULL if there is none
 */
const char *
ns_log_clocks_find_unknown (const NsTrace *trace, GHashTable *but)
{
  guint i;

  for (i = 0; i < trace->logs->len; i++)
    {
      const NsSideLog *log = g_ptr_array_index (trace->logs, i);

      if (has_unknown_times (log) && !g_hash_table_contains (but, log->path))
        return log->path;
    }
  return NULL;
}

/**
 * ns_log_clocks_list:
 * @trace: a trace
 * @changed: (nullable): a changed setting
 * @offsets: (out): in the format of #NsTraceOptions
 * @time_columns: (out): likewise
 *
 * Returns the time settings of all logs and files, to load the trace again with them.
 */
void
ns_log_clocks_list (const NsTrace *trace,
                    const NsLogClock *changed,
                    char **offsets,
                    char **time_columns)
{
  GString *of_clocks = g_string_new (NULL);
  GString *of_columns = g_string_new (NULL);
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (trace->file); i++)
    {
      g_autofree char *path = ns_trace_dup_input_path (trace->file, i);
      gboolean is_changed = changed != NULL && strcmp (changed->path, path) == 0;

      if (ns_etl_file_can_shift (trace->file, i, NULL))
        add_offset (of_clocks, path, is_changed ? changed->offset_ns : get_offset (trace, i));
    }
  for (i = 0; i < trace->logs->len; i++)
    {
      const NsSideLog *log = g_ptr_array_index (trace->logs, i);
      gboolean is_changed = changed != NULL && strcmp (changed->path, log->path) == 0;
      const char *column = is_changed ? changed->time_column : log->time_column;

      add_offset (of_clocks, log->path, is_changed ? changed->offset_ns : log->offset_ns);
      add_time_column (of_columns, log->path, column != NULL ? column : "");
    }
  *offsets = g_string_free (of_clocks, FALSE);
  *time_columns = g_string_free (of_columns, FALSE);
}

/**
 * ns_log_clocks_are_corrected:
 * @trace: a trace
 *
 * Returns: whether any file or log has a time offset
 */
gboolean
ns_log_clocks_are_corrected (const NsTrace *trace)
{
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (trace->file); i++)
    if (get_offset (trace, i) != 0)
      return TRUE;
  for (i = 0; i < trace->logs->len; i++)
    if (((const NsSideLog *) g_ptr_array_index (trace->logs, i))->offset_ns != 0)
      return TRUE;
  return FALSE;
}

/* Returns the key of a log: its name, which is valid in another folder, or its path if the name is
 * ambiguous. */
static const char *
get_key (const NsTrace *trace, guint number)
{
  const NsSideLog *log = g_ptr_array_index (trace->logs, number);
  guint i;

  for (i = 0; i < trace->logs->len; i++)
    if (i != number &&
        strcmp (((const NsSideLog *) g_ptr_array_index (trace->logs, i))->name, log->name) == 0)
      return log->path;
  return log->name;
}

/* The same for a file of the trace. */
static char *
dup_input_key (const NsTrace *trace, guint number)
{
  g_autofree char *name = ns_etl_file_dup_input_name (trace->file, number);
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (trace->file); i++)
    {
      g_autofree char *other = ns_etl_file_dup_input_name (trace->file, i);

      if (i != number && strcmp (name, other) == 0)
        return ns_trace_dup_input_path (trace->file, number);
    }
  return g_steal_pointer (&name);
}

static void
save_inputs (const NsTrace *trace, GVariantDict *view)
{
  GVariantBuilder offsets;
  guint i;

  g_variant_builder_init (&offsets, G_VARIANT_TYPE ("a{sx}"));
  for (i = 0; i < ns_etl_file_get_n_inputs (trace->file); i++)
    if (get_offset (trace, i) != 0)
      {
        g_autofree char *key = dup_input_key (trace, i);

        if (g_utf8_validate (key, -1, NULL))
          g_variant_builder_add (&offsets, "{sx}", key, get_offset (trace, i));
      }
  g_variant_dict_insert_value (view, INPUT_OFFSETS, g_variant_builder_end (&offsets));
}

/**
 * ns_log_clocks_save:
 * @trace: a trace
 * @view: (inout): its view, which receives the time settings
 */
void
ns_log_clocks_save (const NsTrace *trace, GVariantDict *view)
{
  GVariantBuilder offsets;
  GVariantBuilder columns;
  guint i;

  save_inputs (trace, view);
  g_variant_builder_init (&offsets, G_VARIANT_TYPE ("a{sx}"));
  g_variant_builder_init (&columns, G_VARIANT_TYPE ("a{ss}"));
  for (i = 0; i < trace->logs->len; i++)
    {
      const NsSideLog *log = g_ptr_array_index (trace->logs, i);
      const char *key = get_key (trace, i);

      if (!g_utf8_validate (key, -1, NULL))
        continue;
      if (log->offset_ns != 0)
        g_variant_builder_add (&offsets, "{sx}", key, log->offset_ns);
      if (log->time_column != NULL)
        g_variant_builder_add (&columns, "{ss}", key, log->time_column);
    }
  g_variant_dict_insert_value (view, OFFSETS, g_variant_builder_end (&offsets));
  g_variant_dict_insert_value (view, TIME_COLUMNS, g_variant_builder_end (&columns));
}

/* Adds the offsets of a view; @offsets: an `a{sx}`. */
static void
add_offsets (GString *lines, GVariant *offsets)
{
  GVariantIter iter;
  const char *who;
  gint64 offset_ns;

  g_variant_iter_init (&iter, offsets);
  while (g_variant_iter_next (&iter, "{&sx}", &who, &offset_ns))
    add_offset (lines, who, offset_ns);
}

/* Appends @text (nullable, consumed): later entries for a log override earlier ones. */
static char *
join (GString *lines, char *text)
{
  g_string_append (lines, text != NULL ? text : "");
  g_free (text);
  return g_string_free (lines, FALSE);
}

/**
 * ns_log_clocks_ask:
 * @trace: a trace whose logs are not read yet
 * @offsets: (inout) (nullable): in the format of #NsTraceOptions
 * @time_columns: (inout) (nullable): likewise
 * @user_data: ignored
 *
 * Inserts the stored settings before the current ones, which override them.
 */
void
ns_log_clocks_ask (const NsTrace *trace, char **offsets, char **time_columns, gpointer user_data)
{
  g_autofree char *key = ns_view_file_identify (trace);
  gboolean is_carried;
  g_autoptr (GVariant) view = ns_session_view_find (trace, key, &is_carried);
  g_autoptr (GVariant) of_clocks = NULL;
  g_autoptr (GVariant) of_columns = NULL;
  GString *offset_lines = g_string_new (NULL);
  GString *column_lines = g_string_new (NULL);
  GVariantIter iter;
  const char *who;
  const char *column;

  if (view != NULL)
    {
      of_clocks = g_variant_lookup_value (view, OFFSETS, G_VARIANT_TYPE ("a{sx}"));
      of_columns = g_variant_lookup_value (view, TIME_COLUMNS, G_VARIANT_TYPE ("a{ss}"));
    }
  if (of_clocks != NULL)
    add_offsets (offset_lines, of_clocks);
  if (of_columns != NULL)
    {
      g_variant_iter_init (&iter, of_columns);
      while (g_variant_iter_next (&iter, "{&s&s}", &who, &column))
        add_time_column (column_lines, who, column);
    }
  *offsets = join (offset_lines, *offsets);
  *time_columns = join (column_lines, *time_columns);
}

/**
 * ns_log_clocks_find_inputs:
 * @trace: a loaded trace
 * @offsets: (nullable): the offsets it was loaded with, in the format of #NsTraceOptions; they
 *   override the stored ones
 *
 * Returns: (transfer full) (nullable): the offsets to load the trace files with instead, in the
 *   format of #NsTraceOptions; %NULL if they are the same
 */
char *
ns_log_clocks_find_inputs (const NsTrace *trace, const char *offsets)
{
  g_autofree char *key = NULL;
  g_autofree char *remembered = NULL;
  g_autofree char *wanted = NULL;
  g_autoptr (GVariant) view = NULL;
  g_autoptr (GVariant) of_inputs = NULL;
  GString *lines;
  gboolean is_carried;
  gboolean is_other = FALSE;
  guint i;

  if (ns_etl_file_get_n_inputs (trace->file) < 2)
    return NULL;
  key = ns_view_file_identify (trace);
  view = ns_session_view_find (trace, key, &is_carried);
  if (view != NULL)
    of_inputs = g_variant_lookup_value (view, INPUT_OFFSETS, G_VARIANT_TYPE ("a{sx}"));
  if (of_inputs == NULL)
    return NULL;
  lines = g_string_new (NULL);
  add_offsets (lines, of_inputs);
  remembered = join (lines, g_strdup (offsets));
  lines = g_string_new (NULL);
  for (i = 0; i < ns_etl_file_get_n_inputs (trace->file); i++)
    {
      g_autofree char *path = ns_trace_dup_input_path (trace->file, i);
      gint64 offset_ns = 0;

      if (!ns_etl_file_can_shift (trace->file, i, NULL) ||
          !ns_side_find_offset (remembered, path, &offset_ns))
        continue;
      is_other = is_other || offset_ns != get_offset (trace, i);
      add_offset (lines, path, offset_ns);
    }
  wanted = join (lines, g_strdup (offsets));
  return is_other ? g_steal_pointer (&wanted) : NULL;
}

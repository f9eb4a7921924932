/* Part of the verb `info`: logs of other tools beside a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-info-logs.h"

#include "base/ns-json.h"
#include "engine/open/ns-log.h"
#include "export/ns-export-cell.h"
#include "side/ns-side.h"

#include <glib/gi18n-lib.h>

/* A log whose time span was read. */
typedef struct
{
  NsSideLog *log;
  guint64 first_filetime;
  guint64 last_filetime; /* 0: the log has no lines */
} Log;

static void
log_free (gpointer data)
{
  Log *self = data;

  ns_side_log_free (self->log);
  g_free (self);
}

static void
note_moment (Log *self, guint64 filetime)
{
  if (self->last_filetime == 0)
    self->first_filetime = filetime;
  self->first_filetime = MIN (self->first_filetime, filetime);
  self->last_filetime = MAX (self->last_filetime, filetime);
}

static void
add_line (const NsSideLine *line, gpointer user_data)
{
  note_moment (user_data, line->filetime);
}

/* Logs that are not named files: parts of a hand-over or of an archive. */
typedef struct
{
  GPtrArray *read; /* (element-type NsSideLog) */
  GArray *spans;   /* (element-type Log): of each element of @read */
} EmbeddedLogs;

static void
add_embedded_line (const NsSideLine *line, gpointer user_data)
{
  EmbeddedLogs *self = user_data;

  if (self->spans->len <= line->part)
    g_array_set_size (self->spans, line->part + 1);
  note_moment (&g_array_index (self->spans, Log, line->part), line->filetime);
}

static void
list_embedded (const NsEtlFile *file, const NsSideOptions *options, GPtrArray *logs)
{
  g_autoptr (GPtrArray) read = g_ptr_array_new ();
  g_autoptr (GArray) spans = g_array_new (FALSE, TRUE, sizeof (Log));
  EmbeddedLogs embedded = { read, spans };
  guint i;

  ns_log_read_archives (file, options, read, add_embedded_line, &embedded);
  for (i = 0; i < ns_etl_file_get_n_inputs (file); i++)
    {
      const NsEtlFile *input = ns_etl_file_get_input (file, i);
      GBytes *bytes = ns_etl_file_get_companion (input, NS_ETL_COMPANION_LOG);

      if (bytes != NULL)
        ns_side_handed_read (bytes,
                             ns_etl_file_get_path (input),
                             NS_ETL_COMPANION_LOG_NAME,
                             options,
                             read,
                             add_embedded_line,
                             &embedded);
    }
  /* Adds an empty span for logs without a line. */
  g_array_set_size (spans, read->len);
  for (i = 0; i < read->len; i++)
    {
      Log *log = g_new (Log, 1);

      *log = g_array_index (spans, Log, i);
      log->log = g_ptr_array_index (read, i);
      g_ptr_array_add (logs, log);
    }
}

/**
 * ns_cli_info_list_logs:
 * @cli: the parsed command line
 * @file: the trace
 *
 * Reads the logs that were named with the trace or came with it.
 *
 * Returns: (transfer full): the logs, for the functions below
 */
GPtrArray *
ns_cli_info_list_logs (const NsCli *cli, const NsEtlFile *file)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) traces = g_ptr_array_new ();
  GPtrArray *logs = g_ptr_array_new_with_free_func (log_free);
  NsSideOptions options = { .zone = &ns_etl_file_get_header (file)->zone,
                            .near_filetime = ns_etl_file_ns_to_filetime (file, 0),
                            .offsets = cli->options.offsets,
                            .time_columns = cli->options.time_columns };
  guint i;

  ns_side_split ((const char *const *) cli->options.files,
                 cli->options.is_recursive,
                 cli->options.time_columns,
                 traces,
                 paths);
  /* Without a trace, the log itself was opened as the trace. */
  for (i = 0; traces->len > 0 && i < MIN (paths->len, NS_SIDE_MAX_LOGS); i++)
    {
      Log *log = g_new0 (Log, 1);

      log->log = ns_side_log_read (g_ptr_array_index (paths, i), &options, add_line, log);
      g_ptr_array_add (logs, log);
    }
  list_embedded (file, &options, logs);
  return logs;
}

static void
append_moment (GString *json, const char *key, guint64 filetime)
{
  g_autofree char *iso = filetime != 0 ? ns_time_filetime_to_iso (filetime, 0, TRUE) : NULL;

  g_string_append_printf (json, ", \"%s\": ", key);
  ns_json_append_string (json, iso);
}

/**
 * ns_cli_info_append_logs_json:
 * @json: (inout): to append to
 * @logs: the result of ns_cli_info_list_logs()
 * @line: text that precedes each element
 *
 * Appends the elements of the list of logs.
 */
void
ns_cli_info_append_logs_json (GString *json, const GPtrArray *logs, const char *line)
{
  guint i;

  for (i = 0; i < logs->len; i++)
    {
      const Log *one = g_ptr_array_index (logs, i);

      g_string_append_printf (json, "%s%s{\"file\": ", i > 0 ? "," : "", line);
      ns_json_append_string (json, one->log->path);
      g_string_append (json, ", \"kind\": ");
      ns_json_append_string (json, ns_side_kind_to_text (one->log->kind));
      g_string_append_printf (json,
                              ", \"rows\": %u, \"lines_left_out\": %u",
                              one->log->n_lines,
                              one->log->n_faults);
      append_moment (json, "start_utc", one->first_filetime);
      append_moment (json, "end_utc", one->last_filetime);
      g_string_append_printf (json,
                              ", \"offset_ns\": %" G_GINT64_FORMAT ", \"reason\": ",
                              one->log->offset_ns);
      ns_json_append_string (json, one->log->refusal);
      g_string_append (json, "}");
    }
}

/**
 * ns_cli_info_append_logs_people:
 * @text: (inout): to append to
 * @logs: the result of ns_cli_info_list_logs()
 *
 * Appends one line per log; nothing if there are none.
 */
void
ns_cli_info_append_logs_people (GString *text, const GPtrArray *logs)
{
  guint i;

  if (logs->len > 0)
    g_string_append_printf (text,
                            "\n%12s  %12s  %12s  %-10s  %s\n",
                            _ ("Lines"),
                            _ ("Left out"),
                            _ ("Offset (s)"),
                            _ ("Kind"),
                            _ ("Log"));
  for (i = 0; i < logs->len; i++)
    {
      const Log *one = g_ptr_array_index (logs, i);
      g_autofree char *first =
          one->last_filetime != 0 ? ns_time_filetime_to_iso (one->first_filetime, 0, TRUE) : NULL;
      g_autofree char *last =
          one->last_filetime != 0 ? ns_time_filetime_to_iso (one->last_filetime, 0, TRUE) : NULL;

      g_string_append_printf (text,
                              "%12u  %12u  %+12.3f  %-10s  ",
                              one->log->n_lines,
                              one->log->n_faults,
                              (double) one->log->offset_ns / NS_PER_SECOND,
                              ns_side_kind_to_text (one->log->kind));
      ns_export_cell_append_plain (text, one->log->name);
      if (one->log->refusal != NULL)
        {
          g_string_append (text, "  (");
          ns_export_cell_append_plain (text, one->log->refusal);
          g_string_append_c (text, ')');
        }
      else if (first != NULL)
        g_string_append_printf (text, "  %s – %s", first, last);
      g_string_append_c (text, '\n');
    }
}

/* Session statistics (`info --stats`): what Windows reports when a session is stopped, as far as
 * the file holds it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-stats.h"

#include "base/ns-json.h"
#include "export/ns-export-cell.h"

#include <glib/gi18n-lib.h>

/* A member of EVENT_TRACE_PROPERTIES, or the reason why the file lacks it. */
typedef struct
{
  const char *key;
  char *text; /* NULL: not in the file */
  gboolean is_text;
  const char *note; /* (nullable): the reason, or the meaning of the number */
} Stat;

static void
stat_clear (gpointer data)
{
  g_free (((Stat *) data)->text);
}

static void
add (GArray *stats, const char *key, char *text, gboolean is_text, const char *note)
{
  Stat row = { key, text, is_text, note };

  g_array_append_val (stats, row);
}

static void
add_number (GArray *stats, const char *key, guint32 number, const char *note)
{
  add (stats, key, g_strdup_printf ("%u", number), FALSE, note);
}

static void
add_missing (GArray *stats, const char *key, const char *reason)
{
  add (stats, key, NULL, FALSE, reason);
}

static const char *
clock_to_words (guint32 clock)
{
  switch (clock)
    {
    case NS_CLOCK_QPC:
      return "QPC";
    case NS_CLOCK_SYSTEM:
      return _ ("system time");
    case NS_CLOCK_CYCLE:
      return _ ("CPU cycles");
    default:
      return _ ("unknown; read as QPC");
    }
}

/* Collects the members in the order in which Windows' controllers list them. */
static GArray *
gather (const NsEtlHeader *header, const char *modes)
{
  const char *live = _ ("available only from a running session");
  const char *asked = _ ("session setting that is not written to the file");
  GArray *stats = g_array_new (FALSE, TRUE, sizeof (Stat));

  g_array_set_clear_func (stats, stat_clear);
  add (stats, "logfile", g_strdup (header->log_file), TRUE, NULL);
  add (stats, "trace_name", g_strdup (header->session), TRUE, NULL);
  add_missing (stats, "trace_guid", asked);
  add_number (stats, "buffer_size", header->buffer_size, _ ("bytes"));
  add_missing (stats, "min_buffers", asked);
  add_missing (stats, "max_buffers", asked);
  add_number (stats, "max_file_size", header->max_file_size, _ ("MB; 0: no limit"));
  add_number (stats, "logfile_mode", header->mode, modes);
  add_missing (stats, "flush_timer", asked);
  add_missing (stats, "enable_flags", asked);
  add_number (stats, "clock_resolution", header->clock, clock_to_words (header->clock));
  add_missing (stats, "age_limit", asked);
  add_missing (stats, "buffer_count", live);
  add_missing (stats, "free_buffers", live);
  add_number (stats, "events_lost", header->events_lost, NULL);
  add_number (stats, "buffers_written", header->buffers_written, NULL);
  add_number (stats, "log_buffers_lost", header->buffers_lost, NULL);
  add_missing (stats, "real_time_buffers_lost", live);
  add_missing (stats, "logger_tid", live);
  return stats;
}

static void
append_json (GString *text, GArray *stats, const char *line)
{
  guint i;

  g_string_append_c (text, '{');
  for (i = 0; i < stats->len; i++)
    {
      const Stat *stat = &g_array_index (stats, Stat, i);

      g_string_append_printf (text, "%s%s\"%s\": ", i == 0 ? "" : ",", line, stat->key);
      if (stat->text == NULL || stat->is_text)
        ns_json_append_string (text, stat->text);
      else
        g_string_append (text, stat->text);
      if (stat->note == NULL)
        continue;
      g_string_append_printf (text, ",%s\"%s_note\": ", line, stat->key);
      ns_json_append_string (text, stat->note);
    }
  g_string_append (text, *line == '\n' ? "\n}\n" : " }\n");
}

static void
append_line (GString *text,
             NsExportFormat format,
             gboolean is_guarded,
             const char *key,
             const char *value,
             const char *note)
{
  switch (format)
    {
    case NS_EXPORT_CSV:
      g_string_append_printf (text, "%s,", key);
      ns_export_cell_append_csv_text (text, value, is_guarded);
      g_string_append_c (text, ',');
      ns_export_cell_append_csv_text (text, note, is_guarded);
      g_string_append (text, "\r\n");
      break;
    case NS_EXPORT_MARKDOWN:
      g_string_append_printf (text, "| %s | ", key);
      ns_export_cell_append_markdown (text, value);
      g_string_append (text, " | ");
      ns_export_cell_append_markdown (text, note);
      g_string_append (text, " |\n");
      break;
    case NS_EXPORT_TEXT:
      g_string_append_printf (text, "%-24s%s", key, value);
      if (*note != '\0')
        g_string_append_printf (text, " (%s)", note);
      g_string_append_c (text, '\n');
      break;
    default:
      g_string_append_printf (text, "%s\t", key);
      ns_export_cell_append_tsv_text (text, value, is_guarded);
      g_string_append_c (text, '\t');
      ns_export_cell_append_tsv_text (text, note, is_guarded);
      g_string_append_c (text, '\n');
      break;
    }
}

/**
 * ns_cli_stats_append:
 * @header: the trace header
 * @modes: names of the set bits of its mode
 * @format: the output format
 * @is_guarded: the result of ns_view_context_guards_formulas()
 * @text: to append to
 *
 * Appends the statistics of the session; what Windows does not write to the file is `n/a`, with the
 * reason.
 */
void
ns_cli_stats_append (const NsEtlHeader *header,
                     const char *modes,
                     NsExportFormat format,
                     gboolean is_guarded,
                     GString *text)
{
  g_autoptr (GArray) stats = gather (header, modes);
  guint i;

  if (format == NS_EXPORT_JSON || format == NS_EXPORT_JSONL)
    {
      append_json (text, stats, format == NS_EXPORT_JSON ? "\n  " : " ");
      return;
    }
  if (format != NS_EXPORT_TEXT)
    append_line (text, format, is_guarded, "field", "value", "note");
  if (format == NS_EXPORT_MARKDOWN)
    g_string_append (text, "| --- | --- | --- |\n");
  for (i = 0; i < stats->len; i++)
    {
      const Stat *stat = &g_array_index (stats, Stat, i);

      append_line (text,
                   format,
                   is_guarded,
                   stat->key,
                   stat->text != NULL ? stat->text : "n/a",
                   stat->note != NULL ? stat->note : "");
    }
}

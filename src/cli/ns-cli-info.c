/* The verb `info`: describes a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json.h"
#include "cli/ns-cli-info-inputs.h"
#include "cli/ns-cli-info-logs.h"
#include "cli/ns-cli-info-packets.h"
#include "cli/ns-cli-stats.h"
#include "cli/ns-cli-time.h"
#include "cli/ns-cli.h"
#include "engine/build/ns-survey.h"
#include "engine/net/ns-missing.h"
#include "engine/trace/ns-capture-kit.h"
#include "engine/trace/ns-embedded-labels.h"
#include "export/ns-export-cell.h"
#include "export/ns-export-fit.h"
#include "export/ns-export-table.h"
#include "query/ns-field-text.h"
#include "query/ns-fields.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum number of damages in the output for reading. */
#define MAX_SHOWN_DAMAGE 20

/* LogFileMode bits (evntrace.h, EVENT_TRACE_*_MODE without prefix and suffix). */
static const char *const mode_names[32] = {
  "SEQUENTIAL",
  "CIRCULAR",
  "APPEND",
  "NEWFILE",
  "MS_FLUSH_TIMER",
  "PREALLOCATE",
  "NONSTOPPABLE",
  "SECURE",
  "REAL_TIME",
  "DELAY_OPEN",
  "BUFFERING",
  "PRIVATE_LOGGER",
  "ADD_HEADER",
  "KBYTES_FOR_SIZE",
  "GLOBAL_SEQUENCE",
  "LOCAL_SEQUENCE",
  "RELOG",
  "PRIVATE_IN_PROC",
  "BUFFER_INTERFACE",
  "KD_FILTER",
  "REALTIME_RELOG",
  "LOST_EVENTS_DEBUG",
  "STOP_ON_HYBRID_SHUTDOWN",
  "PERSIST_ON_HYBRID_SHUTDOWN",
  "USE_PAGED_MEMORY",
  "SYSTEM_LOGGER",
  "COMPRESSED",
  "INDEPENDENT_SESSION",
  "NO_PER_PROCESSOR_BUFFERING",
  "BLOCKING",
  NULL,
  "ADDTO_TRIAGE_DUMP",
};

/* A value that is not a list. */
typedef struct
{
  const char *key;
  const char *title; /* title in output for reading */
  char *text;        /* NULL: not known */
  gboolean is_text;  /* quoted in JSON */
  char *words;       /* value in output for reading; NULL: @text */
} Fact;

static void
fact_clear (gpointer data)
{
  g_free (((Fact *) data)->text);
  g_free (((Fact *) data)->words);
}

static void
add_text (GArray *facts, const char *key, const char *title, char *text)
{
  Fact fact = { key, title, text, TRUE, NULL };

  g_array_append_val (facts, fact);
}

static void
add_number (GArray *facts, const char *key, const char *title, guint64 number)
{
  Fact fact = { key, title, g_strdup_printf ("%" G_GUINT64_FORMAT, number), FALSE, NULL };
  g_autoptr (GString) grouped = g_string_new (NULL);

  ns_field_append_grouped (grouped, number);
  fact.words = g_string_free (g_steal_pointer (&grouped), FALSE);
  g_array_append_val (facts, fact);
}

/* Adds a number. @words: (transfer full): shown instead of it in output for reading. */
static void
add_signed (GArray *facts, const char *key, const char *title, gint64 number, char *words)
{
  Fact fact = { key, title, g_strdup_printf ("%" G_GINT64_FORMAT, number), FALSE, words };

  g_array_append_val (facts, fact);
}

static const char *
clock_to_text (NsClock clock)
{
  return clock == NS_CLOCK_SYSTEM ? "system" : clock == NS_CLOCK_CYCLE ? "cycle" : "qpc";
}

static void
add_session (GArray *facts, const NsEtlFile *file)
{
  const NsEtlHeader *header = ns_etl_file_get_header (file);

  add_text (facts,
            "file",
            _ ("File"),
            g_strdup (ns_cli_get_shown_path (ns_etl_file_get_path (file))));
  add_number (facts, "size", _ ("Bytes"), ns_etl_file_get_given_size (file));
  add_text (facts, "session", _ ("Session"), g_strdup (header->session));
  add_text (facts, "log_file", _ ("Log file"), g_strdup (header->log_file));
  add_text (facts,
            "machine",
            _ ("Computer"),
            g_strdup (ns_etl_file_get_machine ((NsEtlFile *) file)));
  add_text (facts,
            "boot_time",
            _ ("Computer started"),
            header->boot_filetime != 0 ? ns_time_filetime_to_iso (header->boot_filetime, 0, TRUE)
                                       : NULL);
  add_text (facts,
            "os_version",
            _ ("Windows"),
            ns_etl_file_is_capture (file) ? NULL
                                          : g_strdup_printf ("%u.%u.%u",
                                                             header->os_major,
                                                             header->os_minor,
                                                             header->os_build));
  add_number (facts, "pointer_size", _ ("Pointer size"), header->pointer_size);
  add_number (facts, "processors", _ ("Processors"), header->n_processors);
  add_number (facts, "buffer_size", _ ("Buffer size"), header->buffer_size);
}

static void
add_buffers (GArray *facts, const NsEtlFile *file)
{
  const NsEtlReport *report = ns_etl_file_get_report (file);

  add_number (facts, "buffers", _ ("Buffers"), report->n_buffers);
  add_number (facts, "buffers_compressed", _ ("Compressed buffers"), report->n_compressed);
  add_number (facts, "buffers_damaged", _ ("Damaged buffers"), report->n_damaged);
  add_number (facts, "buffers_empty", _ ("Buffers never written"), report->n_empty);
  add_number (facts, "bytes_dropped", _ ("Bytes left out"), report->n_bytes_dropped);
}

/* Formats a span for reading: `17.500 900 s`; (transfer full). */
static char *
span_to_words (gint64 span_ns)
{
  g_autoptr (GString) text = g_string_new (NULL);

  ns_field_append_seconds (text, span_ns);
  g_string_append (text, " s");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Formats a time zone for reading: `UTC+01:00`; (transfer full). Windows' bias, which is added to
 * local time to get UTC, has the opposite sign. */
static char *
bias_to_words (gint64 bias_min)
{
  gint64 minutes = ABS (bias_min);

  if (bias_min == 0)
    return g_strdup ("UTC");
  return g_strdup_printf ("UTC%s%02u:%02u",
                          bias_min < 0 ? "+" : "\342\210\222",
                          (guint) (minutes / 60),
                          (guint) (minutes % 60));
}

static void
add_times (GArray *facts, const NsEtlFile *file, const NsSurvey *survey)
{
  guint64 first = ns_etl_file_raw_to_filetime (file, survey->first_raw);
  guint64 last = ns_etl_file_raw_to_filetime (file, survey->last_raw);
  gint64 first_ns = ns_etl_file_raw_to_ns (file, survey->first_raw);
  gint64 last_ns = ns_etl_file_raw_to_ns (file, survey->last_raw);
  gint64 duration_ns;
  gboolean has_any = survey->n_records > 0;

  /* A damaged trace may have records at both ends of time, or one whose time overflows. */
  if (__builtin_sub_overflow (last_ns, first_ns, &duration_ns))
    duration_ns = G_MAXINT64;
  duration_ns = MAX (duration_ns, 0);
  add_text (facts, "clock", _ ("Clock"), g_strdup (clock_to_text (ns_etl_file_get_clock (file))));
  add_number (facts, "frequency", _ ("Frequency"), ns_etl_file_get_frequency (file));
  add_text (facts,
            "start_utc",
            _ ("First record"),
            has_any ? ns_time_filetime_to_iso (first, 0, TRUE) : NULL);
  add_text (facts,
            "end_utc",
            _ ("Last record"),
            has_any ? ns_time_filetime_to_iso (last, 0, TRUE) : NULL);
  add_signed (facts,
              "duration_ns",
              _ ("Span"),
              has_any ? duration_ns : 0,
              has_any ? span_to_words (duration_ns) : g_strdup ("-"));
  add_signed (facts,
              "timezone_bias_min",
              _ ("Local time"),
              ns_etl_file_get_header (file)->zone.bias_min,
              bias_to_words (ns_etl_file_get_header (file)->zone.bias_min));
}

static void
add_counts (GArray *facts, const NsEtlFile *file, const NsSurvey *survey)
{
  const NsEtlHeader *header = ns_etl_file_get_header (file);
  const NsEtlReport *report = ns_etl_file_get_report (file);
  NsMissing missing;

  ns_missing_count_survey (file, survey, &missing);
  add_number (facts, "events", _ ("Events"), survey->n_records);
  add_number (facts,
              "duplicates",
              _ ("Events recorded twice"),
              ns_etl_file_get_n_inputs (file) > 1 ? ns_etl_file_get_n_duplicates (file) : 0);
  add_number (facts, "events_lost", _ ("Events lost"), header->events_lost);
  add_number (facts, "buffers_lost", _ ("Buffers lost"), header->buffers_lost);
  add_number (facts, "events_missing", _ ("Events missing at least"), missing.n_events);
  add_number (facts,
              "buffers_missing",
              _ ("Buffers missing at least"),
              ns_missing_get_buffers (&missing));
  add_number (facts, "events_undecodable", _ ("Events without description"), survey->n_undecodable);
  add_number (facts, "events_out_of_order", _ ("Events out of order"), report->n_out_of_order);
  add_number (facts,
              "events_outside_session",
              _ ("Events whose time is far outside the session"),
              report->n_strays);
  add_number (facts,
              "events_of_unknown_kind",
              _ ("Records of a kind without a known layout"),
              report->n_unknown_kind);
  add_number (facts,
              "items_damaged",
              _ ("Events whose extended data is damaged"),
              report->n_bad_items);
  add_number (facts, "stacks", _ ("Stacks"), survey->n_stacks);
}

/* Adds what came with a handed-over trace: labels, view and notes. */
static void
add_companions (GArray *facts, const NsEtlFile *file)
{
  GBytes *names = ns_etl_file_get_companion (file, NS_ETL_COMPANION_NAMES);
  gboolean has_view = ns_etl_file_get_companion (file, NS_ETL_COMPANION_VIEW) != NULL;
  Fact view = { "carried_view",
                _ ("Embedded view and notes"),
                g_strdup (has_view ? "true" : "false"),
                FALSE,
                g_strdup (has_view ? _ ("yes") : _ ("no")) };

  add_number (facts,
              "carried_names",
              _ ("Embedded names"),
              names != NULL ? ns_embedded_labels_count (names) : 0);
  g_array_append_val (facts, view);
}

/* Adds what the capture kit wrote about its recording. */
static void
add_capture (GArray *facts, const NsEtlFile *file)
{
  static const struct
  {
    const char *key;
    const char *fact;
    const char *title;
  } shown[] = {
    { "computer", "capture_computer", N_ ("Computer (capture kit)") },
    { "windows", "capture_windows", N_ ("Windows (capture kit)") },
    { "wpr", "capture_wpr", N_ ("Recorder (capture kit)") },
    { "mode", "capture_mode", N_ ("Mode (capture kit)") },
    { "profile", "capture_profile", N_ ("Profile (capture kit)") },
    { "layers", "capture_layers", N_ ("Layers (capture kit)") },
    { "options", "capture_options", N_ ("Options (capture kit)") },
    { "start", "capture_start", N_ ("Started (capture kit)") },
    { "stop", "capture_stop", N_ ("Stopped (capture kit)") },
    { "events-lost", "capture_events_lost", N_ ("Events lost (capture kit)") },
    { "packets-bytes-each", "capture_packet_bytes", N_ ("Bytes of each packet (capture kit)") },
    { "sensitive", "capture_sensitive", N_ ("Contents (capture kit)") },
  };
  g_autoptr (NsCaptureKit) capture = ns_capture_kit_new (file);
  guint i;

  for (i = 0; capture != NULL && i < G_N_ELEMENTS (shown); i++)
    {
      const char *value = ns_capture_kit_get (capture, shown[i].key);

      if (value != NULL && *value != '\0')
        add_text (facts, shown[i].fact, _ (shown[i].title), g_strdup (value));
    }
}

/* Returns the names of the set bits, comma-separated, each between @before and @after; (transfer
 * full). */
static char *
modes_to_text (guint32 mode, const char *before, const char *after)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (mode_names); i++)
    {
      if ((mode >> i & 1) == 0)
        continue;
      if (text->len > 0)
        g_string_append (text, ", ");
      g_string_append (text, before);
      if (mode_names[i] != NULL)
        g_string_append (text, mode_names[i]);
      else
        g_string_append_printf (text, "0x%x", 1u << i);
      g_string_append (text, after);
    }
  return g_string_free (text, FALSE);
}

/* Adds the log file mode: `CIRCULAR, REAL_TIME (0x102)`. */
static void
add_mode (GArray *facts, guint32 mode)
{
  g_autofree char *names = modes_to_text (mode, "", "");
  Fact fact = { "mode", _ ("Log file mode"), g_strdup_printf ("%u", mode), FALSE, NULL };

  fact.words = mode == 0 ? g_strdup (_ ("none of its flags is set"))
                         : g_strdup_printf ("%s (0x%x)", names, mode);
  g_array_append_val (facts, fact);
}

/* Redacts the values that name people or places; session names may do so, too. */
static void
redact (GArray *facts)
{
  static const char *const telling[] = { "file",
                                         "session",
                                         "log_file",
                                         "machine",
                                         "capture_computer",
                                         "capture_profile",
                                         "capture_options",
                                         NULL };
  guint i;

  for (i = 0; i < facts->len; i++)
    {
      Fact *fact = &g_array_index (facts, Fact, i);

      if (g_strv_contains (telling, fact->key))
        g_clear_pointer (&fact->text, g_free);
    }
}

static GArray *
gather (const NsEtlFile *file, const NsSurvey *survey, gboolean is_redacted)
{
  GArray *facts = g_array_new (FALSE, TRUE, sizeof (Fact));

  g_array_set_clear_func (facts, fact_clear);
  add_session (facts, file);
  add_buffers (facts, file);
  add_times (facts, file, survey);
  add_mode (facts, ns_etl_file_get_header (file)->mode);
  add_counts (facts, file, survey);
  add_companions (facts, file);
  add_capture (facts, file);
  if (is_redacted)
    redact (facts);
  return facts;
}

/* Appends the event counts of one provider by ID; versions are added up. */
static void
append_json_ids (GString *json, const NsSurvey *survey, guint provider, guint *kind)
{
  gboolean is_first = TRUE;

  g_string_append (json, "{");
  while (*kind < survey->kinds->len)
    {
      const NsSurveyKind *row = &g_array_index (survey->kinds, NsSurveyKind, *kind);
      guint id = row->is_message ? 0 : row->id;
      guint64 n = 0;

      if (row->provider != provider)
        break;
      for (; *kind < survey->kinds->len; (*kind)++)
        {
          row = &g_array_index (survey->kinds, NsSurveyKind, *kind);
          if (row->provider != provider || (row->is_message ? 0 : row->id) != id)
            break;
          n += row->n_records;
        }
      g_string_append_printf (json, "%s\"%u\": %" G_GUINT64_FORMAT, is_first ? "" : ", ", id, n);
      is_first = FALSE;
    }
  g_string_append (json, "}");
}

static void
append_json_providers (GString *json, const NsSurvey *survey, const char *line)
{
  gboolean is_first = TRUE;
  guint kind = 0;
  guint i;

  for (i = 0; i < survey->providers->len; i++)
    {
      const NsSurveyProvider *row = &g_array_index (survey->providers, NsSurveyProvider, i);
      char guid[NS_GUID_TEXT_SIZE];

      if (row->n_records == 0)
        continue;
      g_string_append_printf (json,
                              "%s%s{\"guid\": \"%s\", \"name\": ",
                              is_first ? "" : ",",
                              line,
                              ns_guid_to_text (&row->guid, guid));
      ns_json_append_string (json, row->name);
      g_string_append_printf (
          json,
          ", \"kind\": \"%s\", \"schema\": \"%s\", \"events\": %" G_GUINT64_FORMAT
          ", \"bytes\": %" G_GUINT64_FORMAT ", \"first_ns\": %" G_GINT64_FORMAT
          ", \"last_ns\": %" G_GINT64_FORMAT ", \"ids\": ",
          row->kind,
          ns_schema_source_to_text (row->source),
          row->n_records,
          row->n_bytes,
          row->first_ns,
          row->last_ns);
      append_json_ids (json, survey, i, &kind);
      g_string_append (json, "}");
      is_first = FALSE;
    }
}

static void
append_json_damage (GString *json, const NsEtlFile *file, const char *line)
{
  const NsEtlReport *report = ns_etl_file_get_report (file);
  guint i;

  for (i = 0; i < report->damage->len; i++)
    {
      const NsEtlDamage *damage = g_ptr_array_index (report->damage, i);
      guint64 offset = damage->offset;
      guint input = ns_etl_file_find_input_of_byte (file, &offset);

      g_string_append_printf (json,
                              "%s%s{\"input\": %u, \"offset\": %" G_GUINT64_FORMAT ", \"what\": ",
                              i == 0 ? "" : ",",
                              line,
                              input,
                              offset);
      ns_json_append_string (json, damage->what);
      g_string_append (json, "}");
    }
}

static void
append_json (GString *json,
             const NsEtlFile *file,
             const NsSurvey *survey,
             const NsPacketSurvey *packets,
             const GPtrArray *logs,
             GArray *facts,
             gboolean is_redacted,
             gboolean one_line)
{
  const char *line = one_line ? " " : "\n  ";
  const char *deep = one_line ? " " : "\n    ";
  g_autofree char *modes = modes_to_text (ns_etl_file_get_header (file)->mode, "\"", "\"");
  guint i;

  g_string_append (json, "{");
  for (i = 0; i < facts->len; i++)
    {
      const Fact *fact = &g_array_index (facts, Fact, i);

      g_string_append_printf (json, "%s\"%s\": ", line, fact->key);
      if (fact->is_text)
        ns_json_append_string (json, fact->text);
      else
        g_string_append (json, fact->text);
      g_string_append (json, ",");
      if (strcmp (fact->key, "mode") == 0)
        g_string_append_printf (json, "%s\"mode_names\": [%s],", line, modes);
    }
  g_string_append_printf (json, "%s\"packets\": ", line);
  ns_cli_info_append_packets_json (json, packets, deep);
  g_string_append_printf (json, ",%s\"inputs\": [", line);
  if (!is_redacted)
    ns_cli_info_append_inputs_json (json, file, deep);
  g_string_append_printf (json, "],%s\"duplicates_by_pair\": [", line);
  if (!is_redacted)
    ns_cli_info_append_pairs_json (json, file, deep);
  g_string_append_printf (json, "],%s\"gaps\": [", line);
  if (!is_redacted)
    ns_cli_info_append_gaps_json (json, file, deep);
  g_string_append_printf (json, "],%s\"logs\": [", line);
  if (!is_redacted)
    ns_cli_info_append_logs_json (json, logs, deep);
  g_string_append_printf (json, "],%s\"left_out\": [", line);
  if (!is_redacted)
    ns_cli_info_append_left_out_json (json, file, deep);
  g_string_append_printf (json, "],%s\"providers\": [", line);
  append_json_providers (json, survey, deep);
  g_string_append_printf (json, "],%s\"damage\": [", line);
  append_json_damage (json, file, deep);
  g_string_append (json, one_line ? "] }\n" : "]\n}\n");
}

/* Width of the three columns before a provider, and of the space between them. */
#define WIDTH_BEFORE_NAME 42

/* Appends the provider's name and, if the line has room, its GUID; cuts the name if it must. */
static void
append_provider (GString *text, const NsSurveyProvider *row, guint line_width)
{
  g_autoptr (GString) name = g_string_new (row->name);
  guint room = line_width > WIDTH_BEFORE_NAME ? line_width - WIDTH_BEFORE_NAME : 1;
  gsize n_name = name->len;
  char guid[NS_GUID_TEXT_SIZE];

  ns_guid_to_text (&row->guid, guid);
  g_string_append_printf (name, "%s{%s}", n_name > 0 ? " " : "", guid);
  if (line_width > 0 && ns_export_cell_get_width (name->str) > room)
    {
      if (n_name > 0)
        g_string_truncate (name, n_name);
      ns_export_fit_cell (name, room);
    }
  ns_export_cell_append_plain (text, name->str);
  g_string_append_c (text, '\n');
}

static void
append_people_providers (GString *text, const NsSurvey *survey, guint line_width)
{
  guint i;

  g_string_append_printf (text,
                          "\n%12s  %-12s  %-12s  %s\n",
                          _ ("Events"),
                          _ ("Kind"),
                          _ ("Schema"),
                          _ ("Provider"));
  for (i = 0; i < survey->providers->len; i++)
    {
      const NsSurveyProvider *row = &g_array_index (survey->providers, NsSurveyProvider, i);

      if (row->n_records == 0)
        continue;
      g_string_append_printf (text,
                              "%12" G_GUINT64_FORMAT "  %-12s  %-12s  ",
                              row->n_records,
                              row->kind,
                              row->source == NS_SCHEMA_NONE
                                  ? _ ("no schema")
                                  : ns_schema_source_to_text (row->source));
      append_provider (text, row, line_width);
    }
}

/* Appends the form for reading. */
static void
append_people (GString *text,
               const NsEtlFile *file,
               const NsSurvey *survey,
               const NsPacketSurvey *packets,
               const GPtrArray *logs,
               GArray *facts,
               guint line_width)
{
  const NsEtlReport *report = ns_etl_file_get_report (file);
  guint i;

  for (i = 0; i < facts->len; i++)
    {
      const Fact *fact = &g_array_index (facts, Fact, i);

      ns_export_cell_append_aligned (text, fact->title, 32, FALSE, FALSE);
      g_string_append (text, "  ");
      ns_export_cell_append_plain (text,
                                   fact->words != NULL  ? fact->words
                                   : fact->text != NULL ? fact->text
                                                        : "-");
      g_string_append_c (text, '\n');
    }
  if (packets != NULL)
    ns_cli_info_append_packets_people (text, packets);
  ns_cli_info_append_inputs_people (text, file);
  ns_cli_info_append_gaps_people (text, file);
  ns_cli_info_append_logs_people (text, logs);
  append_people_providers (text, survey, line_width);
  if (report->damage->len > 0)
    g_string_append_printf (text, "\n%s\n", _ ("Damage"));
  for (i = 0; i < MIN (report->damage->len, MAX_SHOWN_DAMAGE); i++)
    {
      const NsEtlDamage *damage = g_ptr_array_index (report->damage, i);
      guint64 offset = damage->offset;
      guint input = ns_etl_file_find_input_of_byte (file, &offset);
      g_autofree char *name = ns_etl_file_dup_input_name (file, input);

      g_string_append_printf (text, "  0x%010" G_GINT64_MODIFIER "x  ", offset);
      if (ns_etl_file_get_n_inputs (file) > 1)
        {
          ns_export_cell_append_plain (text, name);
          g_string_append (text, ": ");
        }
      g_string_append_printf (text, "%s\n", damage->what);
    }
  if (report->damage->len > MAX_SHOWN_DAMAGE)
    g_string_append_printf (text, _ ("  and %u more\n"), report->damage->len - MAX_SHOWN_DAMAGE);
}

/* Appends one line per value, for programs that do not parse JSON. */
static void
append_cells (GString *text, NsExportFormat format, GArray *facts, gboolean is_guarded)
{
  guint i;

  g_string_append (text,
                   format == NS_EXPORT_CSV        ? "field,value\r\n"
                   : format == NS_EXPORT_MARKDOWN ? "| field | value |\n| --- | --- |\n"
                                                  : "field\tvalue\n");
  for (i = 0; i < facts->len; i++)
    {
      const Fact *fact = &g_array_index (facts, Fact, i);
      const char *value = fact->text != NULL ? fact->text : "";

      if (format == NS_EXPORT_CSV)
        {
          g_string_append_printf (text, "%s,", fact->key);
          if (fact->is_text)
            ns_export_cell_append_csv_text (text, value, is_guarded);
          else
            ns_export_cell_append_csv (text, value);
          g_string_append (text, "\r\n");
        }
      else if (format == NS_EXPORT_MARKDOWN)
        {
          g_string_append_printf (text, "| %s | ", fact->key);
          ns_export_cell_append_markdown (text, value);
          g_string_append (text, " |\n");
        }
      else
        {
          g_string_append_printf (text, "%s\t", fact->key);
          if (fact->is_text)
            ns_export_cell_append_tsv_text (text, value, is_guarded);
          else
            ns_export_cell_append_plain (text, value);
          g_string_append_c (text, '\n');
        }
    }
}

static gboolean
parse_format (const NsCliOptions *options, NsExportFormat *format, GError **error)
{
  *format = NS_EXPORT_TEXT;
  if (options->format == NULL || ns_export_format_from_name (options->format, format))
    return TRUE;
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               _ ("there is no format “%s”"),
               options->format);
  return FALSE;
}

static gboolean
print_stats (NsCli *cli, const NsEtlFile *file, NsExportFormat format, GError **error)
{
  const NsEtlHeader *header = ns_etl_file_get_header (file);
  g_autofree char *modes = modes_to_text (header->mode, "", "");
  g_autoptr (GString) text = g_string_new (NULL);

  ns_cli_stats_append (header, modes, format, ns_view_context_guards_formulas (cli->view), text);
  return ns_cli_write (text->str, text->len, cli, error);
}

/* Names the providers that only the user has named. */
static void
add_labels (NsSurvey *survey, NsProviderLabels *labels)
{
  guint i;

  for (i = 0; i < survey->providers->len; i++)
    {
      NsSurveyProvider *provider = &g_array_index (survey->providers, NsSurveyProvider, i);

      if (provider->n_records > 0 && provider->name == NULL)
        provider->name = ns_provider_labels_find (labels, &provider->guid);
    }
}

/**
 * ns_cli_info:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `info`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_info (NsCli *cli, GError **error)
{
  g_autoptr (NsSchemas) schemas = NULL;
  g_autoptr (NsEtlFile) file = NULL;
  g_autoptr (NsSurvey) survey = NULL;
  g_autoptr (NsPacketSurvey) packets = NULL;
  g_autoptr (GPtrArray) logs = NULL;
  g_autoptr (GArray) facts = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_redacted = cli->options.want_redacted;
  NsExportFormat format;
  NsTimeSpan span;

  if (!parse_format (&cli->options, &format, error))
    return FALSE;
  if (is_redacted && (format == NS_EXPORT_TEXT || cli->options.want_stats))
    return ns_trace_refuse_query (error, _ ("--redact of info: specify a format, such as json"));
  file = ns_cli_open_file (cli, error);
  if (file == NULL || !ns_cli_time_parse_span (&cli->options, file, &span, error))
    return FALSE;
  if (cli->options.want_stats)
    return print_stats (cli, file, format, error);
  schemas = ns_schemas_new (ns_view_context_get_schemas (cli->view));
  if (cli->options.manifests != NULL &&
      !ns_schemas_add_manifests (schemas, cli->options.manifests, error))
    return FALSE;
  survey = ns_survey_new (file, schemas, &span, ns_cli_progress, cli, error);
  if (survey == NULL)
    return FALSE;
  add_labels (survey, ns_view_context_get_labels (cli->view));

  logs = ns_cli_info_list_logs (cli, file);
  ns_etl_file_report_companions (file);
  ns_schemas_report_refused (schemas, file);
  facts = gather (file, survey, is_redacted);
  /* The components are named after network adapters, which redaction hides. */
  if (ns_cli_info_has_packets (survey) && !is_redacted)
    {
      packets = ns_packet_survey_new (file, schemas, &span, ns_cli_progress, cli, error);
      if (packets == NULL)
        return FALSE;
    }
  if (format == NS_EXPORT_JSON || format == NS_EXPORT_JSONL)
    append_json (text, file, survey, packets, logs, facts, is_redacted, format == NS_EXPORT_JSONL);
  else if (format == NS_EXPORT_TEXT)
    append_people (text,
                   file,
                   survey,
                   packets,
                   logs,
                   facts,
                   ns_cli_is_terminal (cli) ? ns_cli_get_columns () : 0);
  else
    append_cells (text, format, facts, ns_view_context_guards_formulas (cli->view));
  ns_cli_report_damage (cli, file);
  return ns_cli_write (text->str, text->len, cli, error);
}

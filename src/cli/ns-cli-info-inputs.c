/* Part of the verb `info`: the files that a trace is read from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-info-inputs.h"

#include "base/ns-json.h"
#include "base/ns-time.h"
#include "cli/ns-cli.h"
#include "engine/open/ns-coverage.h"
#include "export/ns-export-cell.h"
#include "query/ns-field-text.h"

#include <glib/gi18n-lib.h>

/* State of the JSON object being written. */
typedef struct
{
  GString *json;
  const char *before; /* text that precedes the next member */
} Members;

static void
add_key (Members *self, const char *key)
{
  g_string_append_printf (self->json, "%s\"%s\": ", self->before, key);
  self->before = ", ";
}

static void
add_text (Members *self, const char *key, const char *text)
{
  add_key (self, key);
  ns_json_append_string (self->json, text);
}

static void
add_number (Members *self, const char *key, guint64 number)
{
  add_key (self, key);
  g_string_append_printf (self->json, "%" G_GUINT64_FORMAT, number);
}

static void
add_moment (Members *self, const char *key, guint64 filetime)
{
  g_autofree char *iso = filetime != 0 ? ns_time_filetime_to_iso (filetime, 0, TRUE) : NULL;

  add_text (self, key, iso);
}

static guint64
count_events (const NsEtlFile *input)
{
  return ns_etl_file_get_report (input)->n_records + ns_etl_file_get_n_duplicates (input);
}

/* Appends the properties of an input, without its name. */
static void
append_about (Members *self, const NsEtlFile *file, guint number)
{
  const NsEtlFile *input = ns_etl_file_get_input (file, number);
  const NsEtlHeader *header = ns_etl_file_get_header (input);
  const NsEtlReport *report = ns_etl_file_get_report (input);
  gboolean is_case = ns_etl_file_get_n_inputs (file) > 1;
  guint64 first_raw;
  guint64 last_raw;

  if (!ns_etl_file_find_span (input, &first_raw, &last_raw))
    first_raw = last_raw = 0;
  add_number (self, "size", ns_etl_file_get_given_size (input));
  add_text (self, "session", header->session);
  add_text (self, "machine", ns_etl_file_get_machine ((NsEtlFile *) input));
  add_moment (self, "boot_time", header->boot_filetime);
  add_number (self, "os_build", header->os_build);
  add_number (self, "processors", header->n_processors);
  add_moment (self, "start_utc", last_raw != 0 ? ns_etl_file_raw_to_filetime (file, first_raw) : 0);
  add_moment (self, "end_utc", last_raw != 0 ? ns_etl_file_raw_to_filetime (file, last_raw) : 0);
  add_number (self, "events", count_events (input));
  add_number (self, "duplicates", is_case ? ns_etl_file_get_n_duplicates (input) : 0);
  add_number (self, "events_lost", header->events_lost);
  add_number (self, "buffers_lost", header->buffers_lost);
  add_number (self, "buffers_damaged", report->n_damaged);
  add_number (self,
              "clock_uncertainty_ns",
              is_case ? (guint64) ns_etl_file_get_clock_uncertainty (input) : 0);
  add_key (self, "clock_offset_ns");
  g_string_append_printf (self->json, "%" G_GINT64_FORMAT, ns_etl_file_get_offset (input));
}

static void
append_input (Members *self, const NsEtlFile *file, guint number)
{
  const NsEtlFile *input = ns_etl_file_get_input (file, number);

  add_text (self, "file", ns_etl_file_get_path (input));
  add_text (self, "member", ns_etl_file_get_member (input));
  append_about (self, file, number);
  add_text (self, "why", ns_etl_file_get_why (input));
}

static gboolean
pass_cb (const NsRecord *record, gpointer user_data)
{
  return !ns_cli_is_stopped ();
}

/* Opens a file of another machine; NULL: it cannot be read any more. */
static NsEtlFile *
open_other (const NsEtlRefused *refused)
{
  NsEtlFile *file =
      refused->is_other_machine ? ns_etl_file_open (refused->path, refused->member, NULL) : NULL;

  if (file != NULL &&
      ns_etl_file_walk (file, NS_ETL_WALK_FILE_ORDER, NULL, pass_cb, NULL, NULL, NULL, NULL))
    return file;
  ns_etl_file_free (file);
  return NULL;
}

/**
 * ns_cli_info_append_inputs_json:
 * @json: (inout): to append to
 * @file: a trace that was walked
 * @line: text that precedes each element
 *
 * Appends the elements of the list of inputs.
 */
void
ns_cli_info_append_inputs_json (GString *json, const NsEtlFile *file, const char *line)
{
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (file); i++)
    {
      Members members = { json, "" };

      g_string_append_printf (json, "%s%s{", i > 0 ? "," : "", line);
      append_input (&members, file, i);
      g_string_append (json, "}");
    }
}

/**
 * ns_cli_info_append_pairs_json:
 * @json: (inout): to append to
 * @file: a trace that was walked
 * @line: text that precedes each element
 *
 * Appends the elements of the list of inputs that recorded the same events.
 */
void
ns_cli_info_append_pairs_json (GString *json, const NsEtlFile *file, const char *line)
{
  g_autoptr (GArray) pairs = ns_etl_file_list_pairs (file);
  guint i;

  for (i = 0; i < pairs->len; i++)
    {
      const NsEtlPair *pair = &g_array_index (pairs, NsEtlPair, i);
      Members members = { json, "" };

      g_string_append_printf (json, "%s%s{", i > 0 ? "," : "", line);
      add_number (&members, "first", pair->first);
      add_number (&members, "second", pair->second);
      add_number (&members, "events", pair->n_in_buffers + pair->n_records);
      g_string_append (json, "}");
    }
}

static char *
dup_missing_name (const NsEtlFile *file, const NsCoverageSpan *gap)
{
  g_autofree char *before = ns_etl_file_dup_input_name (file, gap->input);
  g_autofree char *behind = ns_etl_file_dup_input_name (file, gap->next);

  return gap->is_missing ? ns_coverage_dup_missing_name (before, behind) : NULL;
}

/**
 * ns_cli_info_append_gaps_json:
 * @json: (inout): to append to
 * @file: a trace that was walked
 * @line: text that precedes each element
 *
 * Appends the elements of the list of gaps and overlaps between files of one session.
 */
void
ns_cli_info_append_gaps_json (GString *json, const NsEtlFile *file, const char *line)
{
  g_autoptr (GArray) gaps = ns_coverage_list_gaps (file);
  guint i;

  for (i = 0; i < gaps->len; i++)
    {
      const NsCoverageSpan *gap = &g_array_index (gaps, NsCoverageSpan, i);
      g_autofree char *name = dup_missing_name (file, gap);
      Members members = { json, "" };

      g_string_append_printf (json, "%s%s{", i > 0 ? "," : "", line);
      add_text (&members, "what", gap->is_missing ? "missing" : "overlap");
      add_number (&members, "first", gap->input);
      add_number (&members, "second", gap->next);
      add_text (&members, "file", name);
      add_key (&members, "begin_ns");
      g_string_append_printf (json, "%" G_GINT64_FORMAT, gap->span.begin_ns);
      add_key (&members, "end_ns");
      g_string_append_printf (json, "%" G_GINT64_FORMAT, gap->span.end_ns);
      g_string_append (json, "}");
    }
}

/**
 * ns_cli_info_append_gaps_people:
 * @text: (inout): to append to
 * @file: a trace that was walked
 *
 * Appends one line per gap or overlap between files of one session.
 */
void
ns_cli_info_append_gaps_people (GString *text, const NsEtlFile *file)
{
  g_autoptr (GArray) gaps = ns_coverage_list_gaps (file);
  guint i;

  if (gaps->len > 0)
    g_string_append_c (text, '\n');
  for (i = 0; i < gaps->len; i++)
    {
      const NsCoverageSpan *gap = &g_array_index (gaps, NsCoverageSpan, i);
      g_autofree char *name = dup_missing_name (file, gap);
      g_autofree char *before = ns_etl_file_dup_input_name (file, gap->input);
      g_autofree char *behind = ns_etl_file_dup_input_name (file, gap->next);
      g_autofree char *begin = ns_time_seconds_to_text (gap->span.begin_ns, 3);
      g_autofree char *end = ns_time_seconds_to_text (gap->span.end_ns, 3);
      g_autofree char *line =
          /* Translators: two times in seconds, and two files. */
          g_strdup_printf (gap->is_missing ? _ ("missing from %s to %s s, between %s and %s")
                                           : _ ("overlap from %s to %s s, of %s and %s"),
                           begin,
                           end,
                           before,
                           behind);

      ns_export_cell_append_plain (text, line);
      if (name != NULL)
        {
          g_string_append (text, ": ");
          ns_export_cell_append_plain (text, name);
        }
      g_string_append_c (text, '\n');
    }
}

static const char *
report_state (const NsEtlRefused *refused)
{
  return refused->is_repeated        ? "repeated"
         : refused->is_other_machine ? "other-machine"
                                     : "unreadable";
}

/**
 * ns_cli_info_append_left_out_json:
 * @json: (inout): to append to
 * @file: a trace
 * @line: text that precedes each element
 *
 * Appends the elements of the list of named files that are not in the trace. A file of another
 * machine has the properties of an input, too.
 */
void
ns_cli_info_append_left_out_json (GString *json, const NsEtlFile *file, const char *line)
{
  const GPtrArray *refused = ns_etl_file_get_refused (file);
  guint i;

  for (i = 0; refused != NULL && i < refused->len; i++)
    {
      const NsEtlRefused *one = g_ptr_array_index (refused, i);
      Members members = { json, "" };
      g_autoptr (NsEtlFile) other = NULL;

      g_string_append_printf (json, "%s%s{", i > 0 ? "," : "", line);
      add_text (&members, "file", one->path);
      add_text (&members, "member", one->member);
      add_text (&members, "state", report_state (one));
      add_text (&members, "reason", one->reason);
      other = open_other (one);
      if (other != NULL)
        append_about (&members, other, 0);
      g_string_append (json, "}");
    }
}

static void
append_name (GString *text, const char *path, const char *member)
{
  g_autofree char *base = g_path_get_basename (path);

  ns_export_cell_append_plain (text, base);
  if (member == NULL)
    return;
  g_string_append (text, " (");
  ns_export_cell_append_plain (text, member);
  g_string_append (text, ")");
}

static void
append_machine (GString *text, const NsEtlFile *file, guint number, const char *member)
{
  const NsEtlFile *input = ns_etl_file_get_input (file, number);
  const NsEtlHeader *header = ns_etl_file_get_header (input);
  const char *machine = ns_etl_file_get_machine ((NsEtlFile *) input);
  guint64 boot = header->boot_filetime;
  g_autofree char *started = boot != 0 ? ns_time_filetime_to_iso (boot, 0, TRUE) : g_strdup ("-");
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;
  guint64 first_raw;
  guint64 last_raw;

  if (ns_etl_file_find_span (input, &first_raw, &last_raw))
    {
      first = ns_time_filetime_to_iso (ns_etl_file_raw_to_filetime (file, first_raw), 0, TRUE);
      last = ns_time_filetime_to_iso (ns_etl_file_raw_to_filetime (file, last_raw), 0, TRUE);
    }
  g_string_append_printf (text,
                          "%-28s  %-28s  %-28s  %5u  %6u  ",
                          started,
                          first != NULL ? first : "-",
                          last != NULL ? last : "-",
                          header->os_build,
                          header->events_lost);
  ns_export_cell_append_plain (text, machine != NULL ? machine : "-");
  g_string_append (text, "  ");
  append_name (text, ns_etl_file_get_path (input), member);
  g_string_append_c (text, '\n');
}

/* Lists the machine of each named file if there are several files. */
static void
append_machines (GString *text, const NsEtlFile *file)
{
  const GPtrArray *refused = ns_etl_file_get_refused (file);
  guint n_inputs = ns_etl_file_get_n_inputs (file);
  guint i;

  if (n_inputs == 1 && !ns_etl_file_has_other_machines (file))
    return;
  g_string_append_printf (text,
                          "\n%-28s  %-28s  %-28s  %5s  %6s  %s\n",
                          _ ("Computer started"),
                          _ ("First record"),
                          _ ("Last record"),
                          _ ("Build"),
                          _ ("Lost"),
                          _ ("Computer, file"));
  for (i = 0; i < n_inputs; i++)
    append_machine (text, file, i, ns_etl_file_get_member (ns_etl_file_get_input (file, i)));
  for (i = 0; refused != NULL && i < refused->len; i++)
    {
      const NsEtlRefused *one = g_ptr_array_index (refused, i);
      g_autoptr (NsEtlFile) other = open_other (one);

      if (other != NULL)
        append_machine (text, other, 0, one->member);
    }
}

/**
 * ns_cli_info_append_inputs_people:
 * @text: (inout): to append to
 * @file: a trace that was walked
 *
 * Appends the files of a case, one per line, the files that are left out, and the machine of each.
 * Appends nothing for a trace of one file.
 */
void
ns_cli_info_append_inputs_people (GString *text, const NsEtlFile *file)
{
  const GPtrArray *refused = ns_etl_file_get_refused (file);
  guint n_inputs = ns_etl_file_get_n_inputs (file);
  guint i;

  if (n_inputs > 1)
    g_string_append_printf (text,
                            "\n%12s  %12s  %12s  %s\n",
                            _ ("Events"),
                            _ ("Duplicates"),
                            _ ("Lost"),
                            _ ("File"));
  for (i = 0; n_inputs > 1 && i < n_inputs; i++)
    {
      const NsEtlFile *input = ns_etl_file_get_input (file, i);

      g_string_append_printf (text,
                              "%12" G_GUINT64_FORMAT "  %12" G_GUINT64_FORMAT "  %12u  ",
                              count_events (input),
                              ns_etl_file_get_n_duplicates (input),
                              ns_etl_file_get_header (input)->events_lost);
      append_name (text, ns_etl_file_get_path (input), ns_etl_file_get_member (input));
      if (ns_etl_file_get_why (input) != NULL)
        g_string_append_printf (text, "  (%s)", ns_etl_file_get_why (input));
      if (ns_etl_file_get_offset (input) != 0)
        {
          g_autofree char *seconds = ns_time_seconds_to_text (ns_etl_file_get_offset (input), 3);

          g_string_append (text, "  ");
          /* Translators: what was added to the times of a file, such as -1.500. */
          g_string_append_printf (text, _ ("clock corrected by %s s"), seconds);
        }
      g_string_append_c (text, '\n');
    }
  append_machines (text, file);
  if (refused != NULL)
    g_string_append_printf (text, "\n%s\n", _ ("Left out"));
  for (i = 0; refused != NULL && i < refused->len; i++)
    {
      const NsEtlRefused *one = g_ptr_array_index (refused, i);

      g_string_append (text, "  ");
      append_name (text, one->path, one->member);
      g_string_append (text, ": ");
      ns_export_cell_append_plain (text, one->reason);
      g_string_append_c (text, '\n');
    }
}

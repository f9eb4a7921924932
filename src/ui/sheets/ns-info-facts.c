/* Texts of the trace information about the recording: time, session, missing parts and data rate.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-coverage-paint.h"
#include "ui/sheets/ns-info-facts.h"

#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <string.h>

/* Formats a moment in the local time of the traced computer, to the second. @is_time omits the
 * date. */
static char *
dup_moment (const NsEtlHeader *header, gint64 time_ns, gboolean is_time)
{
  guint64 moment = header->start_filetime + (guint64) (MAX (time_ns, 0) / 100);
  g_autofree char *text =
      ns_time_filetime_to_iso (moment,
                               ns_zone_get_offset_min (&header->zone, header->start_filetime),
                               FALSE);
  char *day = text;
  char *time = strchr (text, 'T');

  if (time == NULL)
    return g_steal_pointer (&text);
  *time++ = '\0';
  time[strcspn (time, ".")] = '\0';
  return is_time ? g_strdup (time) : g_strdup_printf ("%s %s", day, time);
}

/**
 * ns_info_facts_dup_recorded:
 * @trace: a trace with a file
 *
 * Returns: (transfer full): begin and end of the recording and the UTC offset
 */
char *
ns_info_facts_dup_recorded (const NsTrace *trace)
{
  const NsEtlHeader *header = ns_etl_file_get_header (trace->file);
  g_autofree char *begin = dup_moment (header, 0, FALSE);
  g_autofree char *end = dup_moment (header, trace->end_ns, TRUE);
  int offset_min = ns_zone_get_offset_min (&header->zone, header->start_filetime);

  /* Translators: a date and time, a time, and by how many hours and minutes it is off UTC. */
  return g_strdup_printf (_ ("%s – %s (UTC%c%d:%02d, traced computer)"),
                          begin,
                          end,
                          offset_min < 0 ? '-' : '+',
                          ABS (offset_min) / 60,
                          ABS (offset_min) % 60);
}

/**
 * ns_info_facts_dup_session:
 * @trace: a trace with a file
 *
 * Returns: (transfer full): name, buffers and clock of the recording session
 */
char *
ns_info_facts_dup_session (const NsTrace *trace)
{
  const NsEtlHeader *header = ns_etl_file_get_header (trace->file);
  const char *clocks[] = { "?", "QPC", _ ("system time"), _ ("processor cycles") };
  guint clock = (guint) ns_etl_file_get_clock (trace->file);
  g_autofree char *size = g_format_size_full (header->buffer_size, G_FORMAT_SIZE_IEC_UNITS);

  /* Translators: a name, a number of buffers, the size of one, and a kind of clock. */
  return g_strdup_printf (ngettext ("%s · %u buffer of %s · clock: %s",
                                    "%s · %u buffers of %s · clock: %s",
                                    header->buffers_written),
                          header->session,
                          header->buffers_written,
                          size,
                          clocks[MIN (clock, 3)]);
}

/**
 * ns_info_facts_dup_missing:
 * @trace: a trace with a file
 *
 * Returns: (transfer full) (nullable): a sentence about the first gap in a series of files; %NULL
 *   if no gap is known
 */
char *
ns_info_facts_dup_missing (const NsTrace *trace)
{
  g_autoptr (GArray) gaps = ns_coverage_list_gaps (trace->file);
  guint i;

  for (i = 0; i < gaps->len; i++)
    {
      const NsCoverageSpan *gap = &g_array_index (gaps, NsCoverageSpan, i);
      g_autofree char *begin = gap->is_missing ? ns_words_seconds (gap->span.begin_ns) : NULL;
      g_autofree char *end = gap->is_missing ? ns_words_seconds (gap->span.end_ns) : NULL;

      if (gap->is_missing)
        /* Translators: two times, such as “7.30 s”. */
        return g_strdup_printf (
            _ ("A part of a series is missing: there are no events from %s to %s."),
            begin,
            end);
    }
  return NULL;
}

/**
 * ns_info_facts_find_rate:
 * @trace: a trace
 *
 * Returns: recorded bytes per second; 0 for a trace shorter than a second
 */
guint64
ns_info_facts_find_rate (const NsTrace *trace)
{
  guint64 size = ns_etl_file_get_size (trace->file);

  return trace->end_ns >= NS_PER_SECOND
             ? (guint64) ((double) size / (double) trace->end_ns * NS_PER_SECOND)
             : 0;
}

/**
 * ns_info_facts_dup_capture_kit:
 * @trace: a trace
 *
 * Returns: (transfer full) (nullable): how the capture kit recorded the trace; %NULL: it was
 *   recorded otherwise
 */
char *
ns_info_facts_dup_capture_kit (const NsTrace *trace)
{
  static const char *const keys[] = { "computer", "windows", "mode", "layers", "options" };
  GString *text;
  guint i;

  if (trace->capture == NULL)
    return NULL;
  text = g_string_new (NULL);
  for (i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *value = ns_capture_kit_get (trace->capture, keys[i]);

      if (value != NULL && *value != '\0')
        g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", value);
    }
  return g_string_free (text, FALSE);
}

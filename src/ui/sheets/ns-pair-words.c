/* What is said of requests that two machines recorded, and of their clocks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-pair-words.h"

#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <string.h>

static char *
dup_field (const NsTrace *trace, NsRow row, const char *id)
{
  char *text =
      row != 0 ? ns_field_dup_raw (trace, ns_table_find_field (NS_TABLE_ACTIVITIES, id), row - 1)
               : NULL;

  if (text != NULL && *text == '\0')
    g_clear_pointer (&text, g_free);
  return text;
}

/**
 * ns_pair_words_request:
 * @trace: a trace
 * @row: one of its activities, 1-based
 *
 * Returns: (transfer full): what was asked for: a URL without the server, which is the other
 *   machine; else the server
 */
char *
ns_pair_words_request (const NsTrace *trace, NsRow row)
{
  g_autofree char *method = dup_field (trace, row, "method");
  g_autofree char *url = dup_field (trace, row, "url");
  const char *host = url != NULL ? strstr (url, "://") : NULL;
  const char *path = host != NULL ? strchr (host + 3, '/') : NULL;
  g_autofree char *what = g_strdup (path != NULL ? path : url);

  if (what == NULL)
    what = dup_field (trace, row, "server");
  if (what == NULL)
    what = dup_field (trace, row, "ip");
  if (what == NULL)
    what = g_strdup ("?");
  return method != NULL ? g_strconcat (method, " ", what, NULL) : g_steal_pointer (&what);
}

/**
 * ns_pair_words_end:
 * @pairs: what two machines have in common
 * @names: of the machines
 * @machine: one of them
 * @row: one of its activities, 1-based; 0: none
 *
 * Returns: (transfer full): the machine and the process that asked or answered
 */
char *
ns_pair_words_end (const NsPairs *pairs, char *const names[2], guint machine, NsRow row)
{
  g_autofree char *process = dup_field (pairs->traces[machine], row, "process");

  if (row == 0)
    /* Translators: %s is the name of a computer. */
    return g_strdup_printf (_ ("not seen on %s"), names[machine]);
  return process != NULL ? g_strconcat (names[machine], " · ", process, NULL)
                         : g_strdup (names[machine]);
}

/**
 * ns_pair_words_part:
 * @row: a request
 * @part: a part of it
 *
 * Returns: (transfer full): how long it took, in ms; empty: that is not told
 */
char *
ns_pair_words_part (const NsPairRow *row, guint part)
{
  g_autofree char *text = NULL;

  if (row->phases[part] == NS_UNKNOWN)
    return g_strdup ("");
  text = ns_words_milliseconds (row->phases[part]);
  return g_strconcat ((row->about & (1u << part)) != 0 ? "≈ " : "", text, NULL);
}

/**
 * ns_pair_words_get_total:
 * @pairs: what two machines have in common
 * @row: one of their requests
 *
 * Returns: nanoseconds that the client waited; at least so many, to the end of the trace, where it
 *   waits still
 */
gint64
ns_pair_words_get_total (const NsPairs *pairs, const NsPairRow *row)
{
  gint64 end_ns = pairs->traces[row->client_machine]->end_ns;

  if (row->duration_ns != NS_UNKNOWN)
    return row->duration_ns;
  if (row->client_machine == 1)
    end_ns = ns_clock_fit_to_first (&pairs->fit, end_ns);
  return MAX (ns_time_between (row->open_ns, end_ns), 0);
}

/**
 * ns_pair_words_start:
 * @row: a request
 *
 * Returns: (transfer full): when it began, as the tables of the window have it
 */
char *
ns_pair_words_start (const NsPairRow *row)
{
  const NsFieldValue value = { .type = NS_TYPE_TIME, .v.i = row->open_ns };
  GString *text = g_string_new (NULL);

  ns_field_append_human (ns_table_find_field (NS_TABLE_ACTIVITIES, "open_ns"), &value, text);
  return g_string_free (text, FALSE);
}

/**
 * ns_pair_words_clock:
 * @pairs: what two machines have in common
 * @names: of the machines
 *
 * Returns: (transfer full): how the clocks stand to each other, and what that is known by
 */
char *
ns_pair_words_clock (const NsPairs *pairs, char *const names[2])
{
  gint64 ahead_ns = ns_pairs_get_ahead (pairs);
  g_autofree char *apart = ns_words_milliseconds (ABS (ahead_ns));
  g_autofree char *uncertainty = ns_words_milliseconds (pairs->fit.uncertainty_ns);
  g_autofree char *exchanges = ns_words_count (pairs->fit.n_exchanges);
  g_autofree char *crossing = ns_words_count (pairs->n_crossing);

  if (pairs->connections->len == 0)
    return g_strdup (_ ("No connection was recorded at both: they have no addresses, or no time, "
                        "in common. Correct the clock by hand if it is wrong by minutes."));
  if (pairs->clock == NS_PAIRS_CLOCK_WALL)
    return g_strdup (_ ("The clocks are taken for equal: too little that went there and back was "
                        "recorded at both."));
  if (pairs->clock == NS_PAIRS_CLOCK_HAND)
    return g_strdup_printf (_ ("The clock was set by hand. Ways that would arrive before they were "
                               "sent: %s"),
                            crossing);
  return g_strdup_printf (
      ahead_ns < 0
          /* Translators: the name of a computer, two times in ms, a number, and a count. */
          ? _ ("%s is %s ms behind, ± %s ms; drift %+.1f ppm. From %s ways there and back; %s ways "
               "contradict it.")
          : _ ("%s is %s ms ahead, ± %s ms; drift %+.1f ppm. From %s ways there and back; %s ways "
               "contradict it."),
      names[1],
      apart,
      uncertainty,
      pairs->fit.drift * 1e6,
      exchanges,
      crossing);
}

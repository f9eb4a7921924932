/* Texts about paired requests of two machines and about their clock alignment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-pair-words.h"

#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Smaller drifts are shown as 0.0 without a sign. */
#define LEAST_PPM 0.05

/* Reasons why the other machine has no record of a request. */
typedef enum
{
  REASON_BEFORE,    /* sent before its recording started */
  REASON_AFTER,     /* sent after its recording ended */
  REASON_NOT_THERE, /* its trace lacks the connection */
  REASON_NO_ANSWER, /* its trace has the connection, but not the request */
  N_REASONS,
} Reason;

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
 * Returns: (transfer full): the method and the URL without scheme and host, since the host is the
 *   other machine; without a URL the server
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
 * @pairs: the paired requests
 * @names: the names of the machines
 * @machine: a machine
 * @row: one of its activities, 1-based; 0: none
 *
 * Returns: (transfer full): the machine and its process that sent or answered the request
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
 * @part: a phase of it
 *
 * Returns: (transfer full): the duration of the phase in ms; empty if it is unknown
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
 * @pairs: the paired requests
 * @row: a request
 *
 * Returns: nanoseconds that the client waited; for a request without an end, the time to the end of
 *   the trace, which is a lower bound
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
 * Returns: (transfer full): the start time, in the format of the window's tables
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
 * @pairs: the paired requests
 * @names: the names of the machines
 *
 * Returns: (transfer full): a sentence about the offset and drift between the clocks and how they
 *   were determined
 */
char *
ns_pair_words_clock (const NsPairs *pairs, char *const names[2])
{
  gint64 ahead_ns = ns_pairs_get_ahead (pairs);
  double drift_ppm = pairs->fit.drift * 1e6;
  g_autofree char *apart = ns_words_milliseconds (ABS (ahead_ns));
  g_autofree char *uncertainty = ns_words_milliseconds (pairs->fit.uncertainty_ns);
  g_autofree char *exchanges = ns_words_count (pairs->fit.n_exchanges);
  g_autofree char *crossing = ns_words_count (pairs->n_crossing);

  if (pairs->connections->len == 0)
    return g_strdup (_ ("No connection was recorded on both machines: no addresses or no times "
                        "match. Correct the clock manually if it is wrong by minutes."));
  if (pairs->clock == NS_PAIRS_CLOCK_WALL)
    return g_strdup (_ (
        "The clocks are assumed to be equal: too few round trips were recorded on both machines."));
  if (pairs->clock == NS_PAIRS_CLOCK_HAND)
    return g_strdup_printf (
        _ ("The clock was set manually. Transfers that would arrive before they were sent: %s"),
        crossing);
  return g_strdup_printf (
      ahead_ns < 0
          /* Translators: a computer, two times in ms, a number with its sign, and a count. */
          ? _ ("%s is %s ms behind, ± %s ms; drift %s%.1f ppm. Based on %s round trips; %s "
               "transfers contradict it.")
          : _ ("%s is %s ms ahead, ± %s ms; drift %s%.1f ppm. Based on %s round trips; %s "
               "transfers contradict it."),
      names[1],
      apart,
      uncertainty,
      drift_ppm < -LEAST_PPM   ? NS_MINUS
      : drift_ppm >= LEAST_PPM ? "+"
                               : "",
      fabs (drift_ppm),
      exchanges,
      crossing);
}

/**
 * ns_pair_words_get_confidence:
 * @pairs: the paired requests
 * @row: a request
 *
 * Returns: the confidence of the pairing, an #NsConfidence; −1 if only one machine recorded the
 *   request
 */
int
ns_pair_words_get_confidence (const NsPairs *pairs, const NsPairRow *row)
{
  if (row->server == 0 || row->connection == G_MAXUINT)
    return -1;
  return g_array_index (pairs->connections, NsPairConnection, row->connection).confidence;
}

/**
 * ns_pair_words_get_sure:
 * @pairs: the paired requests
 * @row: a request
 *
 * Returns: (transfer none): the confidence of the pairing as text
 */
const char *
ns_pair_words_get_sure (const NsPairs *pairs, const NsPairRow *row)
{
  int confidence = ns_pair_words_get_confidence (pairs, row);

  /* Translators: of a request that one of two machines recorded only. */
  return confidence >= 0 ? ns_words_get_confidence (confidence) : _ ("not paired");
}

/* Returns the recorded time span of a machine on the clock of the first machine. */
static NsTimeSpan
get_recorded (const NsPairs *pairs, guint machine)
{
  gint64 end_ns = pairs->traces[machine]->end_ns;

  if (machine == 0)
    return (NsTimeSpan){ 0, end_ns };
  return (NsTimeSpan){ ns_clock_fit_to_first (&pairs->fit, 0),
                       ns_clock_fit_to_first (&pairs->fit, end_ns) };
}

/* Returns why the other machine has no record of an unpaired request. */
static Reason
get_reason (const NsPairs *pairs, const NsPairRow *row)
{
  NsTimeSpan recorded = get_recorded (pairs, !row->client_machine);

  if (row->open_ns < recorded.begin_ns)
    return REASON_BEFORE;
  if (row->open_ns > recorded.end_ns)
    return REASON_AFTER;
  return row->connection == G_MAXUINT ? REASON_NOT_THERE : REASON_NO_ANSWER;
}

/* Returns a part of a sentence; @name is the machine that has no record of the requests. */
static char *
reason_to_text (Reason reason, guint n_rows, const char *name)
{
  g_autofree char *count = ns_words_count (n_rows);

  switch (reason)
    {
    case REASON_BEFORE:
      /* Translators: of requests; a count, and the name of a computer. */
      return g_strdup_printf (ngettext ("%s was sent before the recording on %s started",
                                        "%s were sent before the recording on %s started",
                                        n_rows),
                              count,
                              name);
    case REASON_AFTER:
      /* Translators: of requests; a count, and the name of a computer. */
      return g_strdup_printf (ngettext ("%s was sent after the recording on %s ended",
                                        "%s were sent after the recording on %s ended",
                                        n_rows),
                              count,
                              name);
    case REASON_NOT_THERE:
      /* Translators: of requests; a count, and the name of a computer. */
      return g_strdup_printf (ngettext ("%s used a connection that %s did not record",
                                        "%s used connections that %s did not record",
                                        n_rows),
                              count,
                              name);
    case REASON_NO_ANSWER:
    case N_REASONS:
    default:
      /* Translators: of requests; a count, and the name of a computer. */
      return g_strdup_printf (ngettext ("%s was not seen on %s although its connection was",
                                        "%s were not seen on %s although their connections were",
                                        n_rows),
                              count,
                              name);
    }
}

/**
 * ns_pair_words_clock_note:
 * @pairs: the paired requests
 * @names: the names of the machines
 * @is_narrow: whether both network phases share a column
 *
 * Returns: (transfer full): a note about the clock and the accuracy of a table of requests
 */
char *
ns_pair_words_clock_note (const NsPairs *pairs, char *const names[2], gboolean is_narrow)
{
  g_autofree char *clock = ns_pair_words_clock (pairs, names);
  g_autofree char *uncertainty = ns_words_milliseconds (pairs->fit.uncertainty_ns);
  g_autofree char *exact = NULL;

  if (pairs->clock != NS_PAIRS_CLOCK_EXCHANGES)
    /* Translators: the name of a computer, and a sentence. */
    return g_strdup_printf (_ ("All times in ms, on the clock of %s. %s"), names[0], clock);
  exact = g_strdup_printf (
      is_narrow
          /* Translators: a number of milliseconds. */
          ? _ ("The times to the server and back are each ± %s ms; their sum, the network, and the "
               "other columns are exact.")
          : _ ("Network out and network back are each ± %s ms; their sum and the other columns are "
               "exact."),
      uncertainty);
  /* Translators: the name of a computer, and two sentences. */
  return g_strdup_printf (_ ("All times in ms, on the clock of %s. %s %s"), names[0], exact, clock);
}

static void
add_reason (GString *text, guint n, char *reason)
{
  if (n > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", reason);
  g_free (reason);
}

/**
 * ns_pair_words_rows_note:
 * @pairs: the paired requests
 * @names: the names of the machines
 * @rows: (element-type guint32): indices of the requests in a table
 *
 * Returns: (transfer full): a note about the number of unpaired requests and the reasons
 */
char *
ns_pair_words_rows_note (const NsPairs *pairs, char *const names[2], const GArray *rows)
{
  GString *reasons = g_string_new (NULL);
  g_autofree char *counted = NULL;
  g_autofree char *all = ns_words_count (rows->len);
  g_autofree char *alone = NULL;
  guint n_of[2][N_REASONS] = { { 0 } };
  guint n_alone = 0;
  guint machine;
  guint i;

  for (i = 0; i < rows->len; i++)
    {
      const NsPairRow *row =
          &g_array_index (pairs->rows, NsPairRow, g_array_index (rows, guint32, i));

      if (row->server == 0)
        {
          n_of[row->client_machine == 0][get_reason (pairs, row)]++;
          n_alone++;
        }
    }
  for (machine = 0; machine < 2; machine++)
    for (i = 0; i < N_REASONS; i++)
      add_reason (reasons,
                  n_of[machine][i],
                  reason_to_text ((Reason) i, n_of[machine][i], names[machine]));
  counted = g_string_free (reasons, FALSE);
  if (n_alone == 0)
    return g_strdup (
        _ ("A median of a column is not the sum of the other medians. Each request is paired."));
  alone = ns_words_count (n_alone);
  return g_strdup_printf (
      /* Translators: two counts, and how many of them for which reason. */
      ngettext ("A median of a column is not the sum of the other medians. %s of %s request is not "
                "paired: %s.",
                "A median of a column is not the sum of the other medians. %s of %s requests are "
                "not paired: %s.",
                rows->len),
      alone,
      all,
      counted);
}

/**
 * ns_pair_words_correction:
 * @pairs: the paired requests
 *
 * Returns: (transfer full): the time that is added to the clock of the second machine; empty if the
 *   clocks were not aligned
 */
char *
ns_pair_words_correction (const NsPairs *pairs)
{
  gint64 ahead_ns = ns_pairs_get_ahead (pairs);
  g_autofree char *apart = ns_words_milliseconds (ABS (ahead_ns));

  if (pairs->clock == NS_PAIRS_CLOCK_WALL)
    return g_strdup ("");
  /* Translators: a number of milliseconds that are taken off times, or added to them. */
  return g_strdup_printf (ahead_ns < 0 ? _ ("+ %s ms") : _ ("− %s ms"), apart);
}

/**
 * ns_pair_words_nothing:
 * @pairs: the paired requests, without any request
 * @names: the names of the machines
 *
 * Returns: (transfer full): a sentence about why no request could be paired
 */
char *
ns_pair_words_nothing (const NsPairs *pairs, char *const names[2])
{
  NsTimeSpan first = get_recorded (pairs, 0);
  NsTimeSpan second = get_recorded (pairs, 1);

  if (pairs->connections->len > 0)
    /* Translators: names of two computers. */
    return g_strdup_printf (_ ("%s and %s have connections in common, but no request used them."),
                            names[0],
                            names[1]);
  if (second.begin_ns > first.end_ns || second.end_ns < first.begin_ns)
    /* Translators: names of two computers. */
    return g_strdup_printf (
        _ ("%s and %s were not recorded at the same time, according to their clocks."),
        names[0],
        names[1]);
  /* Translators: names of two computers. */
  return g_strdup_printf (
      _ ("%s and %s have no connection in common: no addresses and ports match."),
      names[0],
      names[1]);
}

static void
append_taken (GString *text, const char *format, gint64 time_ns)
{
  g_autofree char *ms = ns_words_milliseconds (time_ns);
  g_auto (GStrv) parts = g_strsplit (format, "{n}", 2);

  g_string_append_printf (text, "%s%s%s", parts[0], ms, parts[1] != NULL ? parts[1] : "");
}

/* Appends the known phases on the network and on the server. */
static void
append_phases (GString *text, const NsPairs *pairs, const NsPairRow *row, char *const names[2])
{
  const char *server = names[!row->client_machine];
  g_autofree char *process =
      dup_field (pairs->traces[!row->client_machine], row->server, "process");
  gint64 out_ns = row->phases[NS_PAIR_NETWORK_OUT];
  gint64 queue_ns = row->phases[NS_PAIR_SERVER_QUEUE];
  gint64 work_ns = row->phases[NS_PAIR_SERVER_WORK];
  g_autofree char *reached =
      /* Translators: of a request; the name of a computer. */
      g_strdup_printf (out_ns != NS_UNKNOWN ? _ ("; the request reached %s after {n} ms")
                                            : _ ("; the request reached %s"),
                       server);
  /* Translators: of a request; the name of a process, {n} is a number. */
  g_autofree char *waited = process != NULL
                                ? g_strdup_printf (_ (", waited there {n} ms for %s"), process)
                                : g_strdup (_ (", waited there {n} ms"));

  append_taken (text, reached, out_ns);
  if (queue_ns != NS_UNKNOWN)
    append_taken (text, waited, queue_ns);
  if (work_ns != NS_UNKNOWN)
    append_taken (text, _ (", was processed for {n} ms"), work_ns);
}

/**
 * ns_pair_words_sentence:
 * @pairs: the paired requests
 * @row: a request
 * @names: the names of the machines
 *
 * Returns: (transfer full): a description of the request from the client to the server and back
 */
char *
ns_pair_words_sentence (const NsPairs *pairs, const NsPairRow *row, char *const names[2])
{
  GString *text = g_string_new (NULL);
  guint machine = row->client_machine;
  const NsTrace *trace = pairs->traces[machine];
  g_autofree char *process = dup_field (trace, row->client, "process");
  g_autofree char *status = dup_field (trace, row->client, "status");
  g_autofree char *start = ns_pair_words_start (row);
  g_autofree char *total = ns_words_milliseconds (ns_pair_words_get_total (pairs, row));

  if (process != NULL)
    /* Translators: a process, the name of its computer, and a time in seconds. */
    g_string_append_printf (text,
                            _ ("%s on %s sent a request at %s s"),
                            process,
                            names[machine],
                            start);
  else
    /* Translators: the name of a computer, and a time in seconds. */
    g_string_append_printf (text, _ ("%s sent a request at %s s"), names[machine], start);
  if (row->phases[NS_PAIR_CLIENT_QUEUE] != NS_UNKNOWN)
    append_taken (text, _ (", waited {n} ms"), row->phases[NS_PAIR_CLIENT_QUEUE]);
  if (row->server != 0)
    append_phases (text, pairs, row, names);
  else
    /* Translators: of a request; the name of a computer. */
    g_string_append_printf (text, _ ("; the request was not seen on %s"), names[!machine]);
  if (row->duration_ns == NS_UNKNOWN)
    /* Translators: of a request; a number of milliseconds. */
    g_string_append_printf (text, _ ("; it had not ended after %s ms."), total);
  else if (status != NULL)
    /* Translators: of a request; a status such as 200, and a number of milliseconds. */
    g_string_append_printf (text, _ ("; received %s after %s ms."), status, total);
  else
    /* Translators: of a request; a number of milliseconds. */
    g_string_append_printf (text, _ ("; it ended after %s ms."), total);
  return g_string_free (text, FALSE);
}

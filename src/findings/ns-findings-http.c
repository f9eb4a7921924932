/* Rules about HTTP requests: slow TLS (D24), new connections (D32), waits for a connection (D34),
 * repeated requests (D39).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define TLS_ROUND_TRIPS(self) ns_findings_limit (self, NS_THRESHOLD_D24_ROUND_TRIPS)
#define TLS_MARGIN_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D24_MARGIN)
#define TLS_SLOW_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D24_PROBLEM)
#define MIN_NEW_CONNECTIONS(self) ns_findings_limit (self, NS_THRESHOLD_D32_CONNECTIONS)
#define NEW_CONNECTIONS_PERCENT(self) ns_findings_limit (self, NS_THRESHOLD_D32_SHARE)
#define POOL_WAIT_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D34_WAIT)
#define MIN_BUSY_CONNECTIONS 2
#define MAX_BUSY_STEPS 256
#define MIN_REPEATS(self) ns_findings_limit (self, NS_THRESHOLD_D39_REPEATS)
#define MAX_JITTER(self) (ns_findings_limit (self, NS_THRESHOLD_D39_JITTER) / 100.0)
#define MIN_PERIOD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D39_SHORTEST)
#define MAX_PERIOD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D39_LONGEST)
#define MIN_FAILURES_IN_A_ROW(self) ns_findings_limit (self, NS_THRESHOLD_D39_FAILURES)

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

static char *
dup_host (const NsFindings *self, const NsActivityRow *row)
{
  return ns_findings_dup_host (self, row->server, row->remote);
}

static void
report_slow_tls (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = ns_findings_dup_process (self, group);
  g_autofree char *worst = ns_findings_dup_span (group->worst_ns);
  g_autofree char *times = ns_findings_dup_times (group->count);
  g_autofree char *rtt = ns_findings_dup_span ((gint64) group->sum_a);
  NsSeverity severity =
      group->worst_ns >= TLS_SLOW_NS (self) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING;

  if (group->sum_a > 0)
    ns_findings_report (
        self,
        group,
        severity,
        NS_FINDING_HIGH,
        _ ("%s: the TLS handshake with %s took up to %s, with a round-trip time of %s%s."),
        process,
        group->subject,
        worst,
        rtt,
        times);
  else
    ns_findings_report_sentence (
        self,
        group,
        severity,
        NS_FINDING_MEDIUM,
        _ ("{process}: the TLS handshake with {subject} took up to {longest}{times}."),
        NULL);
}

void
ns_find_slow_tls (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint n;

  for (n = 0; n < self->operations->timed->len; n++)
    {
      guint i = g_array_index (self->operations->timed, guint, n);
      const NsActivityRow *row = ROW (trace, i);
      gint64 tls_ns = ns_activity_row_get_phase (row, NS_PHASE_TLS);
      g_autofree char *host = NULL;
      NsFindingGroup *group;
      gint64 rtt_ns;

      if (tls_ns < TLS_MARGIN_NS (self))
        continue;
      rtt_ns = ns_findings_rtt (self, row);
      if (rtt_ns == NS_UNKNOWN ? tls_ns < TLS_SLOW_NS (self)
                               : (tls_ns - TLS_MARGIN_NS (self)) / TLS_ROUND_TRIPS (self) < rtt_ns)
        continue;
      host = dup_host (self, row);
      group = ns_findings_group (self, row->pid, host, NULL);
      group->sum_a = MAX (group->sum_a, rtt_ns == NS_UNKNOWN ? 0 : (guint64) rtt_ns);
      /* The row holds the length of the handshake but not its start. */
      ns_findings_add (group,
                       NS_TABLE_ACTIVITIES,
                       i + 1,
                       0,
                       row->open_ns,
                       ns_time_after (row->open_ns, tls_ns));
    }
  ns_findings_report_groups (self, report_slow_tls);
}

static void
report_new_connections (NsFindings *self, NsFindingGroup *group)
{
  guint j;
  g_autofree char *process = NULL;
  g_autofree char *cost = NULL;
  gint64 first_end_ns = G_MAXINT64;
  guint n_new = 0;

  ns_findings_sort_moments (group);
  for (j = 0; j < group->moments->len; j++)
    {
      NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, j);

      /* An earlier connection had ended: it could have been reused. */
      moment->flag = moment->flag && first_end_ns < moment->open_ns;
      first_end_ns = MIN (first_end_ns, moment->close_ns);
      n_new += moment->flag != 0;
    }
  if (n_new < MIN_NEW_CONNECTIONS (self) ||
      n_new * 100 < group->moments->len * NEW_CONNECTIONS_PERCENT (self))
    return;
  process = ns_findings_dup_process (self, group);
  for (j = 0; j < group->moments->len; j++)
    {
      const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, j);

      if (moment->flag)
        ns_findings_add (group,
                         NS_TABLE_ACTIVITIES,
                         moment->row,
                         0,
                         moment->open_ns,
                         ns_time_after (moment->open_ns, (gint64) moment->value));
    }
  cost = ns_findings_dup_span (ns_findings_get_cost (group));
  ns_findings_report (self,
                      group,
                      NS_SEVERITY_WARNING,
                      NS_FINDING_MEDIUM,
                      _ ("%s: %u of %u requests to %s opened a new connection although an earlier "
                         "one was available; connecting took %s."),
                      process,
                      n_new,
                      group->moments->len,
                      group->subject,
                      cost);
}

/* Returns whether it is known which connection the request used. */
static gboolean
has_connection (const NsActivityRow *row)
{
  return row->reused >= 0 && !row->inferred && !row->failed;
}

/* Returns the number of requests with a new connection, by process, host and port; (transfer
 * full). */
static NsFindingSieve *
count_new (const NsFindings *self)
{
  NsFindingSieve *sieve = ns_finding_sieve_new (self->operations->requests->len);
  guint n;

  for (n = 0; n < self->operations->requests->len; n++)
    {
      const NsFindingRequest *request =
          &g_array_index (self->operations->requests, NsFindingRequest, n);
      const NsActivityRow *row = ROW (self->trace, request->row);

      if (ns_finding_sieve_may_be (request->n_peer, MIN_NEW_CONNECTIONS (self)) &&
          has_connection (row) && row->reused == 0)
        ns_finding_sieve_add (sieve, ns_finding_sieve_mix (request->peer, row->remote->port));
    }
  return sieve;
}

void
ns_find_new_connections (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (NsFindingSieve) sieve = count_new (self);
  guint n;

  for (n = 0; n < self->operations->requests->len; n++)
    {
      const NsFindingRequest *request =
          &g_array_index (self->operations->requests, NsFindingRequest, n);
      guint i = request->row;
      const NsActivityRow *row = ROW (trace, i);
      NsFindingMoment moment = { 0 };
      g_autofree char *host = NULL;
      g_autofree char *port = NULL;

      if (!ns_finding_sieve_may_be (request->n_peer, MIN_NEW_CONNECTIONS (self)) ||
          !has_connection (row) ||
          !ns_finding_sieve_may_be (
              ns_finding_sieve_get (sieve, ns_finding_sieve_mix (request->peer, row->remote->port)),
              MIN_NEW_CONNECTIONS (self)))
        continue;
      host = dup_host (self, row);
      port = g_strdup_printf ("%u", row->remote->port);
      moment.open_ns = row->open_ns;
      moment.close_ns = ns_findings_end (self, row->close_ns);
      moment.row = i + 1;
      moment.flag = row->reused == 0;
      moment.value =
          (guint64) ns_time_sum (MAX (ns_activity_row_get_phase (row, NS_PHASE_CONNECT), 0),
                                 MAX (ns_activity_row_get_phase (row, NS_PHASE_TLS), 0));
      ns_findings_add_moment (ns_findings_group (self, row->pid, host, port), &moment);
    }
  ns_findings_report_groups (self, report_new_connections);
}

/* Counts other requests of the group that were in progress when this one began, up to
 * MIN_BUSY_CONNECTIONS. */
static guint
count_busy (const NsFindingGroup *group, guint n)
{
  const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, n);
  guint n_busy = 0;
  guint i;

  for (i = n; i-- > 0 && n - i <= MAX_BUSY_STEPS && n_busy < MIN_BUSY_CONNECTIONS;)
    n_busy += g_array_index (group->moments, NsFindingMoment, i).close_ns > moment->open_ns;
  return n_busy;
}

static void
report_pool_waits (NsFindings *self, NsFindingGroup *group)
{
  guint j;
  g_autofree char *worst = NULL;

  ns_findings_sort_moments (group);
  for (j = 0; j < group->moments->len; j++)
    {
      const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, j);

      if (moment->value >= (guint64) POOL_WAIT_NS (self) &&
          count_busy (group, j) >= MIN_BUSY_CONNECTIONS)
        ns_findings_add (group,
                         NS_TABLE_ACTIVITIES,
                         moment->row,
                         0,
                         moment->open_ns,
                         ns_time_after (moment->open_ns, (gint64) moment->value));
    }
  if (group->count == 0)
    return;
  worst = ns_findings_dup_span (group->worst_ns);
  ns_findings_report_sentence (
      self,
      group,
      NS_SEVERITY_WARNING,
      NS_FINDING_MEDIUM,
      _ ("{process}: requests to {subject} waited up to {longest} while its other connections were "
         "busy{times}."),
      NULL);
}

/* Returns whether the request is known to have waited for a connection. .NET includes the time of
 * connecting in the wait, so without a recorded connect only requests that reused a connection
 * count. */
static gboolean
is_known_to_wait (const NsActivityRow *row)
{
  return row->source_table != NS_TABLE_DOTNET || row->reused > 0 ||
         ns_activity_row_get_phase (row, NS_PHASE_CONNECT) != NS_UNKNOWN;
}

/* Returns whether the layer of the request records when the request waits for a connection. */
static gboolean
records_waits (const NsActivityRow *row)
{
  return row->webio != 0 || row->wininet != 0 || row->source_table == NS_TABLE_CHROMIUM ||
         row->source_table == NS_TABLE_DOTNET;
}

/* Returns how long the request waited for a connection. */
static guint64
get_pool_wait (const NsActivityRow *row)
{
  /* The wait for a thread-pool thread is another phase. */
  return is_known_to_wait (row) ? (guint64) MAX (ns_activity_row_get_phase (row, NS_PHASE_QUEUE), 0)
                                : 0;
}

/* Returns whether the process can have had enough requests to the host at a time that one of them
 * waited for the others. */
static gboolean
may_wait (const NsFindingRequest *request)
{
  return ns_finding_sieve_may_be (request->n_peer, MIN_BUSY_CONNECTIONS + 1);
}

/* Returns the number of requests that waited, by process and host; (transfer full). */
static NsFindingSieve *
count_waits (const NsFindings *self)
{
  NsFindingSieve *sieve = ns_finding_sieve_new (self->operations->requests->len);
  guint n;

  for (n = 0; n < self->operations->requests->len; n++)
    {
      const NsFindingRequest *request =
          &g_array_index (self->operations->requests, NsFindingRequest, n);
      const NsActivityRow *row = ROW (self->trace, request->row);

      if (may_wait (request) && records_waits (row) &&
          get_pool_wait (row) >= (guint64) POOL_WAIT_NS (self))
        ns_finding_sieve_add (sieve, request->peer);
    }
  return sieve;
}

/* Finds requests that waited for a connection (D34). WebIO, WinINet, .NET and browsers record when
 * a request had none; it waited if other requests to the same server were in progress. */
void
ns_find_pool_waits (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (NsFindingSieve) sieve = count_waits (self);
  guint n;

  for (n = 0; n < self->operations->requests->len; n++)
    {
      const NsFindingRequest *request =
          &g_array_index (self->operations->requests, NsFindingRequest, n);
      guint i = request->row;
      const NsActivityRow *row = ROW (trace, i);
      NsFindingMoment moment = { 0 };
      g_autofree char *host = NULL;

      if (ns_finding_sieve_get (sieve, request->peer) == 0 || !records_waits (row))
        continue;
      host = dup_host (self, row);
      moment.open_ns = row->open_ns;
      moment.close_ns = ns_findings_end (self, row->close_ns);
      moment.row = i + 1;
      moment.value = get_pool_wait (row);
      ns_findings_add_moment (ns_findings_group (self, row->pid, host, NULL), &moment);
    }
  ns_findings_report_groups (self, report_pool_waits);
}

static gboolean
is_failure (NsFindings *self, const NsActivityRow *row)
{
  return !row->cancelled && (row->failed || row->http_status >= 400) &&
         !ns_findings_gets_in_later (self, row);
}

/* Returns whether the requests repeat at regular intervals; @period_ns: (out): the mean
 * interval. */
static gboolean
is_regular (const NsFindings *self, const GArray *moments, gint64 *period_ns)
{
  double sum = 0;
  double squares = 0;
  double n = (double) moments->len - 1;
  double mean;
  guint i;

  for (i = 1; i < moments->len; i++)
    {
      double gap =
          (double) ns_time_between (g_array_index (moments, NsFindingMoment, i - 1).open_ns,
                                    g_array_index (moments, NsFindingMoment, i).open_ns);

      sum += gap;
      squares += gap * gap;
    }
  mean = sum / n;
  *period_ns = (gint64) mean;
  return mean >= MIN_PERIOD_NS (self) && mean <= MAX_PERIOD_NS (self) &&
         sqrt (MAX (squares / n - mean * mean, 0)) < MAX_JITTER (self) * mean;
}

static guint
count_last_failures (NsFindings *self, const GArray *moments)
{
  guint best = 0;
  guint n = 0;
  guint i;

  for (i = 0; i < moments->len; i++)
    {
      NsRow row = g_array_index (moments, NsFindingMoment, i).row;

      n = is_failure (self, ROW (self->trace, row - 1)) ? n + 1 : 0;
      best = MAX (best, n);
    }
  return best;
}

static guint
count_failures (NsFindings *self, const GArray *moments)
{
  guint n = 0;
  guint i;

  for (i = 0; i < moments->len; i++)
    n += is_failure (self, ROW (self->trace, g_array_index (moments, NsFindingMoment, i).row - 1));
  return n;
}

static void
judge_repetition (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = NULL;
  g_autofree char *period = NULL;
  gint64 period_ns = 0;
  guint n_failed;
  gboolean is_polling;
  guint i;

  if (group->moments->len < MIN_FAILURES_IN_A_ROW (self))
    return;
  ns_findings_sort_moments (group);
  n_failed = count_last_failures (self, group->moments);
  is_polling =
      is_regular (self, group->moments, &period_ns) && group->moments->len >= MIN_REPEATS (self);
  if (!is_polling && n_failed < MIN_FAILURES_IN_A_ROW (self))
    return;
  process = ns_findings_dup_process (self, group);
  for (i = 0; i < group->moments->len; i++)
    {
      const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, i);

      ns_findings_add (group,
                       NS_TABLE_ACTIVITIES,
                       moment->row,
                       0,
                       moment->open_ns,
                       n_failed >= MIN_FAILURES_IN_A_ROW (self) ? moment->close_ns
                                                                : moment->open_ns);
      ns_findings_mark_answer (self, group, moment->row);
    }
  period = ns_findings_dup_span (period_ns);
  if (n_failed >= MIN_FAILURES_IN_A_ROW (self))
    ns_findings_report (
        self,
        group,
        NS_SEVERITY_WARNING,
        NS_FINDING_HIGH,
        /* Translators: process, URL, number, duration, number. */
        _ ("%s requested %s %u times, about every %s; %u consecutive requests failed."),
        process,
        group->subject,
        group->moments->len,
        period,
        n_failed);
  else
    ns_findings_report (self,
                        group,
                        NS_SEVERITY_INFO,
                        NS_FINDING_HIGH,
                        _ ("%s requested %s every %s (times: %u, failed: %u)."),
                        process,
                        group->subject,
                        period,
                        group->moments->len,
                        count_failures (self, group->moments));
}

void
ns_find_repetition (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint n;

  for (n = 0; n < self->operations->requests->len; n++)
    {
      const NsFindingRequest *request =
          &g_array_index (self->operations->requests, NsFindingRequest, n);
      guint i = request->row;
      const NsActivityRow *row = ROW (trace, i);
      NsFindingMoment moment = { 0 };
      g_autofree char *host = NULL;
      g_autofree char *path = NULL;
      g_autofree char *subject = NULL;

      if (!ns_finding_sieve_may_be (request->n_peer, MIN_FAILURES_IN_A_ROW (self)) ||
          row->inferred || !ns_time_is_set (row->open_ns))
        continue;
      host = dup_host (self, row);
      path = ns_findings_dup_path (ns_findings_text (self, row->url));
      subject = g_strconcat (host, path, NULL);
      moment.open_ns = row->open_ns;
      moment.close_ns = ns_findings_end (self, row->close_ns);
      moment.row = i + 1;
      ns_findings_add_moment (
          ns_findings_group (self, row->pid, subject, ns_findings_text (self, row->method)),
          &moment);
    }
  ns_findings_report_groups (self, judge_repetition);
}

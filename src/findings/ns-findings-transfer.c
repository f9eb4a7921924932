/* Rules about connections that are open: D12, D14, D17, D22, D40.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define STATUS_RESET 0xc000020d
#define STATUS_TIMEOUT 0xc00000b5
/* An end that the connection and the request tell of at nearly the same moment. */
#define SAME_MOMENT_NS NS_PER_MS
#define MIN_SEGMENTS_AGAIN 10
#define MIN_PERMILLE_AGAIN 10
#define BAD_PERMILLE_AGAIN 50
#define SEGMENT_BYTES 1460
#define MIN_SEGMENTS 100
#define SMALL_SEND_BYTES 256
#define SMALL_SEND_GAP_NS (2 * NS_PER_MS)
#define MIN_SMALL_SENDS 50
#define MIN_SMALL_PERCENT 80
#define IDLE_NS (60 * NS_PER_SECOND)
#define MIN_IDLE_RETRANSMITS 3

static gboolean
is_established (const NsTcpRow *tcp)
{
  return !tcp->is_udp && (tcp->state == NULL || (strcmp (tcp->state, "Connect_Fail") != 0 &&
                                                 strcmp (tcp->state, "Connect_Request") != 0));
}

static char *
dup_subject (const NsFindings *self, const NsTcpRow *tcp)
{
  return ns_findings_dup_endpoint (self, tcp->server, tcp->remote);
}

/* Whether the request had no whole answer when its connection ended. */
static gboolean
was_under_way (const NsActivityRow *row, gint64 end_ns)
{
  return ns_findings_is_request (row) && row->open_ns <= end_ns &&
         (row->close_ns == NS_TIME_OPEN || row->close_ns + SAME_MOMENT_NS >= end_ns) &&
         (row->failed || row->http_status == 0) && !row->cancelled;
}

/* Requests that a reset cut off. */
static void
add_reset_requests (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);
      const NsTcpRow *tcp;
      g_autofree char *subject = NULL;
      NsFindingGroup *group;

      if (row->tcp == 0 || row->tcp > trace->tcp->len)
        continue;
      tcp = &g_array_index (trace->tcp, NsTcpRow, row->tcp - 1);
      if (!is_established (tcp) || tcp->status != STATUS_RESET || !ns_time_is_set (tcp->close_ns) ||
          !was_under_way (row, tcp->close_ns))
        continue;
      subject = dup_subject (self, tcp);
      group = ns_findings_group (self, row->pid, subject, NULL);
      ns_findings_add (group, NS_TABLE_TCP, row->tcp, i + 1, row->open_ns, tcp->close_ns);
    }
}

/* Sends that a reset met: bytes were on their way, whoever sent them. */
static void
add_reset_sends (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      const NsWinsockRow *socket;
      g_autofree char *subject = NULL;

      if (call->winsock == 0 || call->winsock > trace->winsock->len ||
          call->status != STATUS_RESET || g_strcmp0 (call->call, "send") != 0)
        continue;
      socket = &g_array_index (trace->winsock, NsWinsockRow, call->winsock - 1);
      subject = ns_findings_dup_endpoint (self, socket->server, socket->remote);
      ns_findings_add (ns_findings_group (self, call->pid, subject, NULL),
                       NS_TABLE_CALLS,
                       i + 1,
                       call->activity,
                       call->open_ns,
                       ns_findings_end (self, call->close_ns));
    }
}

static void
tell_resets (NsFindings *self, NsFindingGroup *group)
{
  ns_findings_say (self,
                   group,
                   NS_SEVERITY_PROBLEM,
                   NS_FINDING_HIGH,
                   _ ("{process}: {subject} reset the connection before the answer was there "
                      "(WSAECONNRESET, times: {count})."),
                   NULL);
}

void
ns_find_resets (NsFindings *self)
{
  add_reset_requests (self);
  add_reset_sends (self);
  ns_findings_tell (self, tell_resets);
}

static gboolean
is_dead (const NsTcpRow *tcp)
{
  return is_established (tcp) && tcp->status == STATUS_TIMEOUT && ns_time_is_set (tcp->close_ns);
}

/* From the last byte that went over it. */
static gint64
get_last_sign (const NsTcpRow *tcp)
{
  gint64 last_ns = ns_time_is_set (tcp->last_data_ns) ? tcp->last_data_ns : tcp->open_ns;

  return MIN (last_ns, tcp->close_ns);
}

static void
tell_dead_connections (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = ns_findings_dup_process (self, group);
  g_autofree char *worst = ns_findings_dup_span (group->worst_ns);

  ns_findings_report (self,
                      group,
                      NS_SEVERITY_PROBLEM,
                      NS_FINDING_HIGH,
                      _ ("%s: Windows gave the connection to %s up after %s without an answer "
                         "(segments sent again: %u)."),
                      process,
                      group->subject,
                      worst,
                      (guint) group->sum_a);
}

void
ns_find_dead_connections (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->tcp->len; i++)
    {
      const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, i);
      g_autofree char *subject = NULL;
      NsFindingGroup *group;

      if (!is_dead (tcp))
        continue;
      subject = dup_subject (self, tcp);
      group = ns_findings_group (self, tcp->pid, subject, NULL);
      group->sum_a += tcp->extra->retransmits;
      ns_findings_add (group,
                       NS_TABLE_TCP,
                       i + 1,
                       tcp->activity,
                       get_last_sign (tcp),
                       tcp->close_ns);
    }
  ns_findings_tell (self, tell_dead_connections);
}

/* Segments sent again in a thousand, by bytes where they are known. */
static guint64
get_permille (const NsFindingGroup *group, guint64 n_bytes_again)
{
  if (n_bytes_again == 0)
    n_bytes_again = group->sum_a * SEGMENT_BYTES;
  return n_bytes_again * 1000 / MAX (group->sum_b, 1);
}

void
ns_find_retransmissions (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) again = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  guint i;

  for (i = 0; i < trace->tcp->len; i++)
    {
      const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, i);
      g_autofree char *subject = NULL;
      NsFindingGroup *group;
      guint64 *n_bytes;

      /* The bytes that were sent before the trace are not known. */
      if (!is_established (tcp) || tcp->before_trace || tcp->inferred || tcp->sent == 0)
        continue;
      subject = ns_findings_dup_host (self, tcp->server, tcp->remote);
      group = ns_findings_group (self, tcp->pid, subject, NULL);
      group->sum_b += tcp->sent;
      if (tcp->extra->retransmits <= tcp->extra->syn_retransmits)
        continue;
      n_bytes = g_hash_table_lookup (again, group);
      if (n_bytes == NULL)
        {
          n_bytes = g_new0 (guint64, 1);
          g_hash_table_insert (again, group, n_bytes);
        }
      *n_bytes += tcp->extra->retransmitted_bytes;
      group->sum_a += tcp->extra->retransmits - tcp->extra->syn_retransmits;
      /* How long each was waited for is not in the rows: no cost. */
      ns_findings_add (group, NS_TABLE_TCP, i + 1, tcp->activity, tcp->open_ns, tcp->open_ns);
    }
  for (i = 0; i < self->order->len; i++)
    {
      NsFindingGroup *group = g_ptr_array_index (self->order, i);
      const guint64 *n_bytes = g_hash_table_lookup (again, group);
      guint64 permille;
      g_autofree char *process = NULL;

      if (n_bytes == NULL || group->sum_a < MIN_SEGMENTS_AGAIN ||
          group->sum_b < MIN_SEGMENTS * SEGMENT_BYTES)
        continue;
      permille = get_permille (group, *n_bytes);
      if (permille < MIN_PERMILLE_AGAIN)
        continue;
      process = ns_findings_dup_process (self, group);
      ns_findings_report (self,
                          group,
                          permille >= BAD_PERMILLE_AGAIN ? NS_SEVERITY_PROBLEM
                                                         : NS_SEVERITY_WARNING,
                          NS_FINDING_MEDIUM,
                          /* Translators: the second number is a percentage. */
                          _ ("%s: %u segments to %s were sent again, %.1f %% of what was sent."),
                          process,
                          (guint) MIN (group->sum_a, G_MAXUINT),
                          group->subject,
                          (double) permille / 10);
    }
}

/* Calls of one kind on stream sockets, by socket. */
static void
gather_calls (NsFindings *self, gboolean with_receives)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      gboolean is_send = g_strcmp0 (call->call, "send") == 0;
      NsFindingMoment moment = { 0 };
      const NsWinsockRow *socket;
      g_autofree char *subject = NULL;
      g_autofree char *row = NULL;

      if (call->winsock == 0 || call->winsock > trace->winsock->len ||
          (!is_send && !(with_receives && g_strcmp0 (call->call, "recv") == 0)))
        continue;
      socket = &g_array_index (trace->winsock, NsWinsockRow, call->winsock - 1);
      if (socket->socket_type != 1)
        continue;
      /* Of some calls only the end was written. */
      moment.open_ns = ns_time_is_set (call->open_ns) ? call->open_ns : call->close_ns;
      if (!ns_time_is_set (moment.open_ns))
        continue;
      moment.close_ns = call->close_ns;
      moment.row = i + 1;
      moment.activity = call->activity;
      moment.value = call->length > 0 ? (guint64) call->length : 0;
      moment.flag = is_send;
      subject = ns_findings_dup_endpoint (self, socket->server, socket->remote);
      row = g_strdup_printf ("%u", call->winsock);
      ns_findings_add_moment (ns_findings_group (self, call->pid, subject, row), &moment);
    }
  for (i = 0; i < self->order->len; i++)
    ns_findings_sort_moments (g_ptr_array_index (self->order, i));
}

static void
judge_sends (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = ns_findings_dup_process (self, group);
  guint n_small = 0;
  guint64 n_bytes = 0;
  guint i;

  for (i = 0; i < group->moments->len; i++)
    {
      const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, i);
      const NsFindingMoment *before = moment - 1;

      if (moment->value == 0 || moment->value >= SMALL_SEND_BYTES || i == 0 ||
          moment->open_ns - before->open_ns > SMALL_SEND_GAP_NS)
        continue;
      n_small++;
      n_bytes += moment->value;
    }
  if (n_small < MIN_SMALL_SENDS ||
      (guint64) n_small * 100 < (guint64) group->moments->len * MIN_SMALL_PERCENT)
    return;
  for (i = 0; i < group->moments->len; i++)
    {
      const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, i);

      ns_findings_add (group,
                       NS_TABLE_CALLS,
                       moment->row,
                       moment->activity,
                       moment->open_ns,
                       moment->open_ns);
    }
  ns_findings_report (self,
                      group,
                      NS_SEVERITY_WARNING,
                      NS_FINDING_MEDIUM,
                      _ ("%s: %u of %u sends to %s were of %u bytes on average, one right after "
                         "the other."),
                      process,
                      n_small,
                      group->moments->len,
                      group->subject,
                      (guint) (n_bytes / n_small));
}

void
ns_find_small_sends (NsFindings *self)
{
  gather_calls (self, FALSE);
  ns_findings_tell (self, judge_sends);
}

/* A send after a long silence, after which the connection died without another byte from it. */
static void
judge_idle (NsFindings *self, NsFindingGroup *group)
{
  NsRow socket_row = (NsRow) g_ascii_strtoull (strrchr (group->key, '\n') + 1, NULL, 10);
  const NsWinsockRow *socket = &g_array_index (self->trace->winsock, NsWinsockRow, socket_row - 1);
  const NsTcpRow *tcp = NULL;
  const NsFindingMoment *send = NULL;
  gint64 last_ns = NS_TIME_NONE;
  gint64 idle_ns = 0;
  guint i;
  g_autofree char *process = NULL;
  g_autofree char *idle = NULL;
  g_autofree char *lost = NULL;

  if (socket->tcp != 0 && socket->tcp <= self->trace->tcp->len)
    tcp = &g_array_index (self->trace->tcp, NsTcpRow, socket->tcp - 1);
  if (tcp == NULL || !is_established (tcp) || !ns_time_is_set (tcp->close_ns) ||
      (tcp->status != STATUS_TIMEOUT && tcp->status != STATUS_RESET) ||
      tcp->extra->retransmits < MIN_IDLE_RETRANSMITS)
    return;
  for (i = 0; i < group->moments->len; i++)
    {
      const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, i);

      /* A receive counts when its bytes came. */
      gint64 at_ns =
          !moment->flag && ns_time_is_set (moment->close_ns) ? moment->close_ns : moment->open_ns;

      if (!moment->flag && (moment->value == 0 || !ns_time_is_set (moment->close_ns)))
        continue;
      if (moment->flag && last_ns != NS_TIME_NONE && at_ns - last_ns >= IDLE_NS)
        {
          send = moment;
          idle_ns = at_ns - last_ns;
        }
      else if (!moment->flag)
        send = NULL;
      last_ns = MAX (last_ns, at_ns);
    }
  if (send == NULL)
    return;
  ns_findings_add (group, NS_TABLE_TCP, socket->tcp, tcp->activity, send->open_ns, tcp->close_ns);
  process = ns_findings_dup_process (self, group);
  idle = ns_findings_dup_span (idle_ns);
  lost = ns_findings_dup_span (group->worst_ns);
  ns_findings_report (self,
                      group,
                      NS_SEVERITY_PROBLEM,
                      NS_FINDING_MEDIUM,
                      _ ("%s: after %s without traffic the connection to %s was dead; %s went by "
                         "until that was known."),
                      process,
                      idle,
                      group->subject,
                      lost);
}

void
ns_find_forgotten_connections (NsFindings *self)
{
  gather_calls (self, TRUE);
  ns_findings_tell (self, judge_idle);
}

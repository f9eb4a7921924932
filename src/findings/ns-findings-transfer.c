/* Rules about open connections: retransmissions (D17), small sends (D22).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "engine/trace/ns-event-index.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MIN_SEGMENTS_AGAIN(self) ns_findings_limit (self, NS_THRESHOLD_D17_AGAIN)
#define MIN_PERMILLE_AGAIN(self) ns_findings_limit (self, NS_THRESHOLD_D17_SHARE)
#define BAD_PERMILLE_AGAIN(self) ns_findings_limit (self, NS_THRESHOLD_D17_PROBLEM)
#define SEGMENT_BYTES 1460
#define MIN_SEGMENTS(self) ns_findings_limit (self, NS_THRESHOLD_D17_SENT)
#define SMALL_SEND_BYTES(self) ns_findings_limit (self, NS_THRESHOLD_D22_BYTES)
#define SMALL_SEND_GAP_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D22_GAP)
#define MIN_SMALL_SENDS(self) ns_findings_limit (self, NS_THRESHOLD_D22_SENDS)
#define MIN_SMALL_PERCENT(self) ns_findings_limit (self, NS_THRESHOLD_D22_SHARE)
/* Group key: segments that the peer sent. */
#define RECEIVED "received"

static gboolean
is_established (const NsTcpRow *tcp)
{
  return !tcp->is_udp && tcp->state != NS_TCP_CONNECT_FAIL && tcp->state != NS_TCP_CONNECT_REQUEST;
}

/* Retransmitted and total segments of one connection. */
typedef struct
{
  guint64 n_again;
  guint64 n_sent;
} Share;

/* Derives the share from the summary of a connection, which covers its whole life but counts
 * bytes. */
static Share
get_summary (const NsTcpRow *tcp)
{
  const NsTcpExtra *extra = tcp->extra;
  guint64 n_bytes =
      extra->total_again +
      (extra->total_sent != NS_UNKNOWN ? (guint64) MAX (extra->total_sent, 0) : tcp->sent);

  return (Share){ (guint64) ((double) extra->total_again * (double) extra->n_segments /
                                 (double) MAX (n_bytes, 1) +
                             0.5),
                  extra->n_segments };
}

/* Returns, by TCP row, the 1-based event of the summary that Windows logs at the end of the
 * connection; (transfer full). */
static guint32 *
list_summaries (const NsTrace *trace)
{
  guint32 *summaries = g_new0 (guint32, trace->tcp->len + 1);
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);

      if (sign->source == NS_SIGN_TCPIP && (sign->id == 1477 || sign->id == 1352) &&
          sign->tcp <= trace->tcp->len)
        summaries[sign->tcp] = sign->event + 1;
    }
  return summaries;
}

/**
 * ns_findings_mark_summary: (skip)
 * @self: the findings of one trace
 * @group: the group of the connection
 * @tcp: its TCP row
 *
 * Marks the event of the connection's summary, if there is one.
 */
void
ns_findings_mark_summary (NsFindings *self, NsFindingGroup *group, NsRow tcp)
{
  if (self->summaries == NULL)
    self->summaries = list_summaries (self->trace);
  if (tcp != 0 && tcp <= self->trace->tcp->len && self->summaries[tcp] != 0)
    ns_findings_mark (group, self->summaries[tcp] - 1);
}

/* Returns the retransmissions of a connection. Several layers count the same segments: the count
 * with most retransmissions is used. */
static Share
get_share (const NsTcpRow *tcp, const NsTcpConversation *conversation)
{
  const NsTcpExtra *extra = tcp->extra;
  guint64 n_bytes = tcp->sent + extra->retransmitted_bytes;
  Share summary = get_summary (tcp);
  Share share = { 0, extra->n_sends };

  if (share.n_sent == 0)
    share.n_sent = (n_bytes + SEGMENT_BYTES - 1) / SEGMENT_BYTES;
  if (extra->retransmits > extra->syn_retransmits)
    share.n_again = extra->retransmits - extra->syn_retransmits;
  if (summary.n_sent > 0 && summary.n_again >= share.n_again)
    share = summary;
  if (conversation != NULL && conversation->ways[NS_WAY_OUT].n_again > share.n_again)
    share = (Share){ conversation->ways[NS_WAY_OUT].n_again,
                     conversation->ways[NS_WAY_OUT].n_segments };
  share.n_sent = MAX (share.n_sent, share.n_again);
  return share;
}

/* Notes that the capture lost segments of the conversation: segments that seem retransmitted may be
 * those that the capture missed. */
static void
note_capture_loss (const NsFindings *self,
                   NsFindingGroup *group,
                   const NsTcpConversation *conversation)
{
  const NsFlowRow *flow;
  guint i;

  if (conversation == NULL || conversation->flow == 0 ||
      conversation->flow > self->trace->flows->len)
    return;
  flow = NS_ROW_AT (self->trace->flows, NsFlowRow, conversation->flow);
  for (i = 0; i < 2; i++)
    {
      const NsFlowAnomaly *anomaly = &ns_flow_get_more (flow)->ways[i];

      group->has_failed |=
          anomaly->missing_bytes > 0 || anomaly->counts[NS_FLOW_ACK_LOST_SEGMENT] > 0;
    }
}

static const char *
get_again_sentence (const NsFindingGroup *group)
{
  gboolean is_received = g_str_has_suffix (group->key, "\n" RECEIVED);

  if (g_str_has_suffix (group->key, "\n" NS_FINDINGS_OF_QUIC))
    /* Translators: do not translate the words in braces. */
    return _ ("{process}: {again} of {sent} packets of QUIC to {subject} were lost ({percent}).");
  if (group->has_failed)
    return is_received
               /* Translators: do not translate the words in braces. */
               ? _ ("{process}: {again} of {sent} segments from {subject} were probably "
                    "retransmitted ({percent}); the capture lacks some segments.")
               : _ ("{process}: {again} of {sent} segments to {subject} were probably "
                    "retransmitted ({percent}); the capture lacks some segments.");
  return is_received ? _ ("{process}: {again} of {sent} segments from {subject} were retransmitted "
                          "({percent}).")
                     : _ ("{process}: {again} of {sent} segments to {subject} were retransmitted "
                          "({percent}).");
}

static void
report_retransmissions (NsFindings *self, NsFindingGroup *group)
{
  guint64 permille = group->sum_a * 1000 / MAX (group->sum_b, 1);
  g_autofree char *n_again = NULL;
  g_autofree char *n_sent = NULL;
  g_autofree char *percent = NULL;

  if (group->count == 0 || group->sum_a < MIN_SEGMENTS_AGAIN (self) ||
      group->sum_b < MIN_SEGMENTS (self) || permille < MIN_PERMILLE_AGAIN (self))
    return;
  n_again = g_strdup_printf ("%" G_GUINT64_FORMAT, group->sum_a);
  n_sent = g_strdup_printf ("%" G_GUINT64_FORMAT, group->sum_b);
  percent = g_strdup_printf ("%.1f %%", (double) permille / 10);
  ns_findings_report_sentence (self,
                               group,
                               permille >= BAD_PERMILLE_AGAIN (self) ? NS_SEVERITY_PROBLEM
                                                                     : NS_SEVERITY_WARNING,
                               group->has_failed ? NS_FINDING_LOW : NS_FINDING_MEDIUM,
                               get_again_sentence (group),
                               "again",
                               n_again,
                               "sent",
                               n_sent,
                               "percent",
                               percent,
                               NULL);
}

/* Adds conversations in captured packets, and retransmissions of the peers. */
static void
add_packets_again (NsFindings *self, NsFindingGroup **out, NsFindingGroup **in)
{
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  guint i;
  guint way;

  for (i = 0; packets != NULL && i < packets->conversations->len; i++)
    for (way = 0; way < 2; way++)
      {
        const NsTcpConversation *conversation =
            &g_array_index (packets->conversations, NsTcpConversation, i);
        NsFindingGroup **groups = way == NS_WAY_OUT ? out : in;
        NsString server = NS_STRING_NONE;
        g_autofree char *subject = NULL;

        if (conversation->ways[way].n_segments == 0 || groups[i] != NULL)
          continue;
        if (conversation->tcp != 0 && conversation->tcp <= self->trace->tcp->len)
          server = NS_ROW_AT (self->trace->tcp, NsTcpRow, conversation->tcp)->server;
        subject = ns_findings_dup_host (self, server, &conversation->there);
        groups[i] = ns_findings_group (self,
                                       conversation->pid,
                                       subject,
                                       way == NS_WAY_OUT ? NULL : RECEIVED);
        groups[i]->sum_b += conversation->ways[way].n_segments;
        if (conversation->ways[way].n_again == 0)
          continue;
        groups[i]->sum_a += conversation->ways[way].n_again;
        note_capture_loss (self, groups[i], conversation);
        ns_findings_add (groups[i],
                         conversation->tcp != 0 ? NS_TABLE_TCP : NS_N_TABLES,
                         conversation->tcp,
                         conversation->activity,
                         conversation->open_ns,
                         conversation->open_ns);
      }
}

/* Returns the number of connections with retransmissions, by process and host; (transfer full)
 * (nullable): %NULL: there are none. Does not count those that only packets show. */
static NsFindingSieve *
count_again (const NsTrace *trace)
{
  NsFindingSieve *sieve = NULL;
  guint i;

  for (i = 0; i < trace->tcp->len; i++)
    {
      const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, i);

      if ((tcp->extra->retransmits == 0 && tcp->extra->total_again == 0) || !is_established (tcp) ||
          get_share (tcp, NULL).n_again == 0)
        continue;
      if (sieve == NULL)
        sieve = ns_finding_sieve_new (trace->tcp->len);
      ns_finding_sieve_add (sieve,
                            ns_findings_hash_peer (trace, tcp->pid, tcp->server, tcp->remote));
    }
  return sieve;
}

void
ns_find_retransmissions (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  guint n_conversations = packets != NULL ? packets->conversations->len : 0;
  g_autofree guint *conversations = ns_findings_list_conversations (self);
  g_autofree NsFindingGroup **out = g_new0 (NsFindingGroup *, n_conversations + 1);
  g_autofree NsFindingGroup **in = g_new0 (NsFindingGroup *, n_conversations + 1);
  g_autoptr (NsFindingSieve) sieve = packets == NULL ? count_again (trace) : NULL;
  guint i;

  /* Without retransmissions a group is not reported. */
  for (i = 0; (packets != NULL || sieve != NULL) && i < trace->tcp->len; i++)
    {
      const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, i);
      const NsTcpConversation *conversation = NULL;
      g_autofree char *subject = NULL;
      NsFindingGroup *group;
      Share share;

      if (conversations[i + 1] != 0)
        conversation =
            &g_array_index (packets->conversations, NsTcpConversation, conversations[i + 1] - 1);
      if (!is_established (tcp) ||
          (sieve != NULL &&
           ns_finding_sieve_get (
               sieve,
               ns_findings_hash_peer (trace, tcp->pid, tcp->server, tcp->remote)) == 0))
        continue;
      share = get_share (tcp, conversation);
      if (share.n_sent == 0)
        continue;
      subject = ns_findings_dup_host (self, tcp->server, tcp->remote);
      group = ns_findings_group (self, tcp->pid, subject, NULL);
      group->sum_b += share.n_sent;
      if (conversation != NULL)
        out[conversations[i + 1] - 1] = group;
      if (share.n_again == 0)
        continue;
      group->sum_a += share.n_again;
      note_capture_loss (self, group, conversation);
      ns_findings_mark_summary (self, group, i + 1);
      /* The rows do not hold how long the sender waited for each: no cost. */
      ns_findings_add (group, NS_TABLE_TCP, i + 1, tcp->activity, tcp->open_ns, tcp->open_ns);
    }
  add_packets_again (self, out, in);
  ns_findings_add_lost_packets (self);
  ns_findings_mark_facts (self, out, NS_FACT_AGAIN, TRUE);
  ns_findings_mark_facts (self, in, NS_FACT_AGAIN, FALSE);
  ns_findings_report_groups (self, report_retransmissions);
}

/* Returns the group of a socket's sends by a process; @group: (nullable): the group of its previous
 * send. */
static NsFindingGroup *
find_sender (NsFindings *self, const NsCallRow *call, NsFindingGroup *group)
{
  const NsWinsockRow *socket = NS_ROW_AT (self->trace->winsock, NsWinsockRow, call->winsock);
  g_autofree char *subject = NULL;
  g_autofree char *row = NULL;

  if (group != NULL && group->pid == call->pid)
    return group;
  subject = ns_findings_dup_endpoint (self, socket->server, socket->remote);
  row = g_strdup_printf ("%u", call->winsock);
  return ns_findings_group (self, call->pid, subject, row);
}

static gboolean
is_send (const NsTrace *trace, const NsCallRow *call)
{
  return call->winsock != 0 && call->winsock <= trace->winsock->len && call->kind == NS_CALL_SEND &&
         NS_ROW_AT (trace->winsock, NsWinsockRow, call->winsock)->socket_type == 1;
}

/* Returns whether a socket has enough sends for a finding. */
static gboolean
has_many_sends (const NsFindings *self)
{
  guint i;

  for (i = 1; i <= self->trace->winsock->len; i++)
    if (self->calls->n_sends[i] >= MIN_SMALL_SENDS (self))
      return TRUE;
  return FALSE;
}

/* Groups the sends of stream sockets by socket, where there are enough of them for a finding. */
static void
gather_sends (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree NsFindingGroup **groups = NULL;
  guint i;

  if (!has_many_sends (self))
    return;
  groups = g_new0 (NsFindingGroup *, trace->winsock->len + 1);
  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      NsFindingMoment moment = { 0 };
      NsFindingGroup **group;

      if (!is_send (trace, call) || self->calls->n_sends[call->winsock] < MIN_SMALL_SENDS (self))
        continue;
      /* For some calls only the end was recorded. */
      moment.open_ns = ns_time_is_set (call->open_ns) ? call->open_ns : call->close_ns;
      if (!ns_time_is_set (moment.open_ns))
        continue;
      moment.close_ns = call->close_ns;
      moment.row = i + 1;
      moment.activity = call->activity;
      moment.value = call->length > 0 ? (guint64) call->length : 0;
      group = &groups[call->winsock];
      *group = find_sender (self, call, *group);
      ns_findings_add_moment (*group, &moment);
    }
  for (i = 0; i < self->order->len; i++)
    ns_findings_sort_moments (g_ptr_array_index (self->order, i));
}

/* Returns the number of segments that a socket's sends filled; 0: not known. */
static guint
count_segments (const NsFindings *self, const NsFindingGroup *group)
{
  NsRow call = g_array_index (group->moments, NsFindingMoment, 0).row;
  NsRow socket = NS_ROW_AT (self->trace->calls, NsCallRow, call)->winsock;
  NsRow tcp = NS_ROW_AT (self->trace->winsock, NsWinsockRow, socket)->tcp;
  guint i;

  if (tcp == 0 || tcp > self->trace->tcp->len)
    return 0;
  for (i = 0; self->packets != NULL && i < self->packets->conversations->len; i++)
    {
      const NsTcpConversation *conversation =
          &g_array_index (self->packets->conversations, NsTcpConversation, i);

      if (conversation->tcp == tcp)
        return conversation->ways[NS_WAY_OUT].n_segments;
    }
  return NS_ROW_AT (self->trace->tcp, NsTcpRow, tcp)->extra->n_sends;
}

/* Returns the function that sent; (transfer full) (nullable). */
static char *
dup_sender (const NsFindings *self, const NsFindingGroup *group)
{
  const NsFindingMoment *first = &g_array_index (group->moments, NsFindingMoment, 0);
  NsRow socket = NS_ROW_AT (self->trace->calls, NsCallRow, first->row)->winsock;
  const NsWinsockRow *row = NS_ROW_AT (self->trace->winsock, NsWinsockRow, socket);

  return ns_findings_dup_function (self, row->send_stack, group->pid, first->open_ns);
}

static void
judge_sends (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = NULL;
  g_autofree char *function = NULL;
  g_autofree char *from = NULL;
  guint n_small = 0;
  guint64 n_bytes = 0;
  guint i;

  for (i = 0; i < group->moments->len; i++)
    {
      const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, i);
      const NsFindingMoment *before = moment - 1;

      if (moment->value == 0 || moment->value >= SMALL_SEND_BYTES (self) || i == 0 ||
          moment->open_ns - before->open_ns > SMALL_SEND_GAP_NS (self))
        continue;
      n_small++;
      n_bytes += moment->value;
    }
  if (n_small < MIN_SMALL_SENDS (self) ||
      (guint64) n_small * 100 < (guint64) group->moments->len * MIN_SMALL_PERCENT (self) ||
      /* each send filled a segment of its own at once, so collecting them would not help */
      count_segments (self, group) >= group->moments->len)
    return;
  process = ns_findings_dup_process (self, group);
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
  group->count = 1; /* connections; the sentence holds the number of sends */
  function = dup_sender (self, group);
  /* Translators: a function of a program. */
  from = function != NULL ? g_strdup_printf (_ (", from %s"), function) : g_strdup ("");
  ns_findings_report (
      self,
      group,
      NS_SEVERITY_WARNING,
      NS_FINDING_MEDIUM,
      /* Translators: a process, two numbers, an endpoint, a number, ", from" a
       * function or nothing. */
      _ ("%s: %u of %u sends to %s had %u bytes on average, in direct succession%s."),
      process,
      n_small,
      group->moments->len,
      group->subject,
      (guint) (n_bytes / n_small),
      from);
}

void
ns_find_small_sends (NsFindings *self)
{
  gather_sends (self);
  ns_findings_report_groups (self, judge_sends);
}

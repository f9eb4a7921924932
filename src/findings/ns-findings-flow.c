/* Rules about transport limits: zero windows (D18), full windows (D19), path MTU black holes (D20),
 * dropped packets (D21), delayed acknowledgments (D23).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "engine/net/flows/ns-flow-upper.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/net/packets/ns-packet-components.h"
#include "engine/net/packets/ns-packet-row.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define ZERO_WINDOW_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D18_CLOSED)
#define MIN_LIMITED_BYTES(self) ns_findings_limit (self, NS_THRESHOLD_D19_SENT)
#define MIN_LIMITED_PERCENT(self) ns_findings_limit (self, NS_THRESHOLD_D19_SHARE)
#define MIN_DROPS(self) ns_findings_limit (self, NS_THRESHOLD_D21_DROPS)
#define MIN_HELD(self) ns_findings_limit (self, NS_THRESHOLD_D23_WAITS)
#define HELD_ROUND_TRIPS(self) ns_findings_limit (self, NS_THRESHOLD_D23_ROUND_TRIPS)

/* Group key: the receiver's window limited the transfer, not the congestion window. */
#define BY_RECEIVER "receiver"
/* Group key: the zero window is this machine's, not the peer's. */
#define BY_THIS_MACHINE "here"
/* Group keys: how lost large segments were detected when Windows does not report a black hole. */
#define BY_RETRANSMISSIONS "again"
#define BY_ICMP "icmp"
/* Group key: packets of connections and sockets that are not recorded. */
#define UNOWNED "unowned"
#define BY_PACKETS "packets "
/* Minimum number of sends for a percentage to be meaningful. */
#define MIN_FLIGHTS 10

typedef gboolean (*AnomalyTest) (const NsFindings *self,
                                 const NsTcpRow *tcp,
                                 const NsTcpAnomaly *anomaly);
typedef void (*AnomalyFunc) (NsFindingGroup *group,
                             const NsTcpRow *tcp,
                             const NsTcpAnomaly *anomaly);

static NsFindingGroup *
group_of (NsFindings *self, const NsTcpRow *tcp, const char *extra)
{
  g_autofree char *subject = ns_findings_dup_endpoint (self, tcp->server, tcp->remote);

  return ns_findings_group (self, tcp->pid, subject, extra);
}

/* Groups the connections that pass the test, with the time they lost. */
static void
gather (NsFindings *self, AnomalyTest test, gboolean is_held)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->tcp_anomalies->len; i++)
    {
      const NsTcpAnomaly *anomaly = &g_array_index (trace->tcp_anomalies, NsTcpAnomaly, i);
      const NsTcpRow *tcp = NS_ROW_AT (trace->tcp, NsTcpRow, anomaly->tcp);
      gint64 cost_ns = is_held ? anomaly->held_ns : anomaly->flow->zero_window_ns;
      gint64 from_ns = is_held ? anomaly->held_from_ns : anomaly->flow->zero_from_ns;
      NsFindingGroup *group;

      if (!test (self, tcp, anomaly))
        continue;
      group = group_of (self, tcp, NULL);
      group->sum_a += is_held ? anomaly->n_held : anomaly->flow->n_zero_windows;
      ns_findings_add (group,
                       NS_TABLE_TCP,
                       anomaly->tcp,
                       tcp->activity,
                       from_ns,
                       ns_time_after (from_ns, cost_ns));
      ns_findings_mark_at (self, group, from_ns);
    }
}

/* Marks connections that Windows closed because the peer's window stayed at zero (TCPIP event
 * 1200). */
static void
gather_stalled (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      const NsTcpRow *tcp;
      NsFindingGroup *group;

      if (sign->source != NS_SIGN_TCPIP || sign->id != 1200 || sign->tcp == 0 ||
          sign->tcp > trace->tcp->len)
        continue;
      tcp = NS_ROW_AT (trace->tcp, NsTcpRow, sign->tcp);
      group = group_of (self, tcp, NULL);
      group->sum_b = TRUE;
      ns_findings_mark (group, sign->event);
      if (group->count == 0)
        ns_findings_add (group,
                         NS_TABLE_TCP,
                         sign->tcp,
                         tcp->activity,
                         ns_time_is_set (tcp->last_data_ns) ? tcp->last_data_ns : sign->time_ns,
                         sign->time_ns);
    }
}

static gboolean
has_zero_window (const NsFindings *self, const NsTcpRow *tcp, const NsTcpAnomaly *anomaly)
{
  return anomaly->flow->zero_window_ns >= ZERO_WINDOW_NS (self);
}

static void
report_zero_window (NsFindings *self, NsFindingGroup *group)
{
  ns_findings_report_sentence (
      self,
      group,
      group->sum_b != 0 ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      g_str_has_suffix (group->key, "\n" BY_THIS_MACHINE)
          /* Translators: do not translate the words in braces. */
          ? _ ("{process}: zero window: {subject} could not send for up to {longest}, as the local "
               "program read too slowly (connections: {count}).")
          : _ ("{process}: zero window: {subject} accepted no data for up to {longest}, as the "
               "remote program read too slowly (connections: {count})."),
      NULL);
}

/* Returns, by TCP row, whether events report its zero window; (transfer full). */
static gboolean *
list_reported (const NsFindings *self)
{
  gboolean *is_reported = g_new0 (gboolean, self->trace->tcp->len + 1);
  guint i;

  for (i = 0; i < self->trace->tcp_anomalies->len; i++)
    {
      const NsTcpAnomaly *anomaly = &g_array_index (self->trace->tcp_anomalies, NsTcpAnomaly, i);

      if (anomaly->tcp <= self->trace->tcp->len)
        is_reported[anomaly->tcp] |= anomaly->flow->zero_window_ns >= ZERO_WINDOW_NS (self);
    }
  return is_reported;
}

/* Groups zero windows in captured packets, of the peer or of this machine. */
static void
gather_closed_windows (NsFindings *self)
{
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  g_autofree gboolean *is_reported = list_reported (self);
  guint i;
  guint j;

  for (i = 0; packets != NULL && i < packets->conversations->len; i++)
    for (j = 0; j < 2; j++)
      {
        const NsTcpConversation *conversation =
            &g_array_index (packets->conversations, NsTcpConversation, i);
        const NsPacketWay *way = &conversation->ways[j];
        NsString server = NS_STRING_NONE;
        g_autofree char *subject = NULL;
        NsFindingGroup *group;
        gboolean has_row = conversation->tcp != 0 && conversation->tcp <= self->trace->tcp->len;

        if (way->zero_ns < ZERO_WINDOW_NS (self) ||
            (j == NS_WAY_IN && has_row && is_reported[conversation->tcp]))
          continue;
        if (has_row)
          server = NS_ROW_AT (self->trace->tcp, NsTcpRow, conversation->tcp)->server;
        subject = ns_findings_dup_endpoint (self, server, &conversation->there);
        group = ns_findings_group (self,
                                   conversation->pid,
                                   subject,
                                   j == NS_WAY_OUT ? BY_THIS_MACHINE : NULL);
        ns_findings_mark_packet (self, group, way->zero_packet);
        ns_findings_mark_packet (self, group, way->zero_end_packet);
        ns_findings_add (group,
                         conversation->tcp != 0 ? NS_TABLE_TCP : NS_N_TABLES,
                         conversation->tcp,
                         conversation->activity,
                         way->zero_from_ns,
                         ns_time_after (way->zero_from_ns, way->zero_ns));
      }
}

void
ns_find_zero_windows (NsFindings *self)
{
  gather (self, has_zero_window, FALSE);
  gather_closed_windows (self);
  gather_stalled (self);
  ns_findings_report_groups (self, report_zero_window);
}

/* Returns the percentage of the time that Windows counted. */
static guint
get_percent (const NsTcpAnomaly *anomaly, gint64 part_ns)
{
  double whole_ns = (double) anomaly->flow->receiver_ns + (double) anomaly->flow->network_ns +
                    (double) anomaly->flow->sender_ns;

  return whole_ns > 0 ? (guint) ((double) part_ns * 100 / whole_ns) : 0;
}

/* Limit of a transfer, and the percentage of its time or of its sends for which it applied. */
typedef struct
{
  gboolean is_receiver;
  guint percent;
  gint64 part_ns; /* 0: not counted */
} Limit;

static Limit
get_limit (const NsFindings *self, const NsTcpAnomaly *anomaly)
{
  const NsTcpFlow *flow = anomaly->flow;
  gboolean is_receiver = flow->receiver_ns >= flow->network_ns;
  gint64 part_ns = is_receiver ? flow->receiver_ns : flow->network_ns;
  Limit limit = { is_receiver, get_percent (anomaly, part_ns), part_ns };
  guint n_full = MAX (flow->n_full[0], flow->n_full[1]);

  /* Windows counts the time; without that, the sends tell which window was full. */
  if (limit.percent >= MIN_LIMITED_PERCENT (self) || flow->n_flights < MIN_FLIGHTS)
    return limit;
  return (Limit){ flow->n_full[0] >= flow->n_full[1],
                  (guint) ((guint64) n_full * 100 / flow->n_flights),
                  0 };
}

static void
report_limits (NsFindings *self, NsFindingGroup *group)
{
  gboolean is_receiver = g_str_has_suffix (group->key, "\n" BY_RECEIVER);
  g_autofree char *percent = g_strdup_printf ("%u %%", (guint) group->sum_a);
  /* Translators: appended to a sentence: the size of a window. */
  g_autofree char *size = group->sum_b != 0
                              ? g_strdup_printf (_ (", of %u bytes"), (guint) group->sum_b)
                              : g_strdup ("");
  const char *sentence;

  if (group->worst_ns > 0)
    sentence = is_receiver
                   /* Translators: do not translate the words in braces. */
                   ? _ ("{process}: data sent to {subject} waited up to {longest}, {percent} of "
                        "its time, for the receive window{size} (connections: {count}).")
                   : _ ("{process}: data sent to {subject} waited up to {longest}, {percent} of "
                        "its time, for the congestion window{size} (connections: {count}).");
  else
    sentence = is_receiver ? _ ("{process}: {percent} of the data sent to {subject} filled the "
                                "receive window{size} (connections: {count}).")
                           : _ ("{process}: {percent} of the data sent to {subject} filled the "
                                "congestion window{size} (connections: {count}).");
  ns_findings_report_sentence (self,
                               group,
                               NS_SEVERITY_WARNING,
                               NS_FINDING_MEDIUM,
                               sentence,
                               "percent",
                               percent,
                               "size",
                               size,
                               NULL);
}

void
ns_find_window_limits (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->tcp_anomalies->len; i++)
    {
      const NsTcpAnomaly *anomaly = &g_array_index (trace->tcp_anomalies, NsTcpAnomaly, i);
      const NsTcpRow *tcp = NS_ROW_AT (trace->tcp, NsTcpRow, anomaly->tcp);
      Limit limit = get_limit (self, anomaly);
      guint64 n_bytes = MAX (tcp->sent, (guint64) MAX (tcp->extra->total_sent, 0));
      gint64 open_ns;
      NsFindingGroup *group;

      if (n_bytes < MIN_LIMITED_BYTES (self) || limit.percent < MIN_LIMITED_PERCENT (self))
        continue;
      group = group_of (self, tcp, limit.is_receiver ? BY_RECEIVER : "network");
      group->sum_a = MAX (group->sum_a, limit.percent);
      group->sum_b = MAX (group->sum_b, anomaly->flow->window_bytes);
      /* Windows records how long the limit lasted, but not when. The summary of a connection that
       * existed before the trace covers time before it, too. */
      open_ns = ns_time_is_set (tcp->open_ns) ? tcp->open_ns : 0;
      ns_findings_mark_summary (self, group, anomaly->tcp);
      ns_findings_add (group,
                       NS_TABLE_TCP,
                       anomaly->tcp,
                       tcp->activity,
                       open_ns,
                       ns_time_after (open_ns, MIN (limit.part_ns, MAX (trace->end_ns, 0))));
    }
  ns_findings_report_groups (self, report_limits);
}

static const char *
get_black_hole_sentence (const NsFindingGroup *group)
{
  if (g_str_has_suffix (group->key, "\n" BY_ICMP))
    /* Translators: do not translate the words in braces; ICMP is a protocol. */
    return _ ("Router {from} says packets to {subject} may be at most {size} bytes{times}.");
  if (group->sum_b != 0)
    return _ ("{process}: segments of {size} bytes were lost on the path to {subject}; smaller "
              "ones arrived (connections: {count}).");
  if (g_str_has_suffix (group->key, "\n" BY_RETRANSMISSIONS))
    return _ (
        "{process}: segments of {size} bytes to {subject} were retransmitted repeatedly without an "
        "acknowledgment, while smaller ones were acknowledged (connections: {count}).");
  return _ ("{process}: segments of {size} bytes were apparently lost on the path to {subject}, "
            "where Windows tried smaller ones (connections: {count}).");
}

static void
report_black_holes (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *size = g_strdup_printf ("%u", (guint) group->sum_a);
  char from[NS_IP_TEXT_SIZE];

  ns_findings_report_sentence (self,
                               group,
                               group->has_failed ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
                               group->sum_b != 0 ? NS_FINDING_HIGH : NS_FINDING_MEDIUM,
                               get_black_hole_sentence (group),
                               "size",
                               size,
                               "from",
                               ns_ip_to_text (&group->local.ip, from),
                               NULL);
}

static NsFindingGroup *
group_of_conversation (NsFindings *self, const NsTcpConversation *conversation, const char *extra)
{
  NsString server = conversation->tcp != 0 && conversation->tcp <= self->trace->tcp->len
                        ? NS_ROW_AT (self->trace->tcp, NsTcpRow, conversation->tcp)->server
                        : NS_STRING_NONE;
  g_autofree char *subject = ns_findings_dup_endpoint (self, server, &conversation->there);

  return ns_findings_group (self, conversation->pid, subject, extra);
}

/* Groups conversations in captured packets that lost large segments; @is_reported: by TCP row,
 * whether events report it. */
static void
gather_lost_sizes (NsFindings *self, const gboolean *is_reported)
{
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  guint n_conversations = packets != NULL ? packets->conversations->len : 0;
  g_autofree NsFindingGroup **groups = g_new0 (NsFindingGroup *, n_conversations + 1);
  guint i;

  for (i = 0; i < n_conversations; i++)
    {
      const NsTcpConversation *conversation =
          &g_array_index (packets->conversations, NsTcpConversation, i);
      const NsPacketWay *way = &conversation->ways[NS_WAY_OUT];

      if (way->lost_bytes == 0 ||
          (conversation->tcp != 0 && conversation->tcp <= self->trace->tcp->len &&
           is_reported[conversation->tcp]))
        continue;
      groups[i] = group_of_conversation (self, conversation, BY_RETRANSMISSIONS);
      groups[i]->sum_a = MAX (groups[i]->sum_a, way->lost_bytes);
      groups[i]->sum_b |= way->is_cut_smaller;
      ns_findings_add (groups[i],
                       conversation->tcp != 0 ? NS_TABLE_TCP : NS_N_TABLES,
                       conversation->tcp,
                       conversation->activity,
                       way->lost_from_ns,
                       way->lost_to_ns);
    }
  ns_findings_mark_facts (self, groups, NS_FACT_AGAIN, TRUE);
}

/* Groups ICMP “packet too big” messages of routers on the path. */
static void
gather_too_big (NsFindings *self)
{
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  guint i;

  for (i = 0; packets != NULL && i < packets->facts->len; i++)
    {
      const NsPacketFact *fact = &g_array_index (packets->facts, NsPacketFact, i);
      const NsTcpConversation *conversation =
          &g_array_index (packets->conversations, NsTcpConversation, fact->conversation);
      const NsPacketRow *packet;
      NsFindingGroup *group;
      NsPacketEnds ends;

      if (fact->kind != NS_FACT_TOO_BIG || !fact->is_sent)
        continue;
      packet = NS_ROW_AT (self->trace->packets, NsPacketRow, fact->packet);
      group = group_of_conversation (self, conversation, BY_ICMP);
      group->sum_a = group->sum_a == 0 ? fact->value : MIN (group->sum_a, fact->value);
      ns_packet_row_read_ends (self->trace, packet, &ends);
      group->local.ip = ends.src.ip;
      ns_findings_mark_packet (self, group, fact->packet);
      ns_findings_add (group,
                       NS_TABLE_PACKETS,
                       fact->packet,
                       conversation->activity,
                       packet->time_ns,
                       packet->time_ns);
    }
}

void
ns_find_black_holes (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree gboolean *is_reported = g_new0 (gboolean, trace->tcp->len + 1);
  guint i;

  for (i = 0; i < trace->tcp_anomalies->len; i++)
    {
      const NsTcpAnomaly *anomaly = &g_array_index (trace->tcp_anomalies, NsTcpAnomaly, i);
      const NsTcpRow *tcp = NS_ROW_AT (trace->tcp, NsTcpRow, anomaly->tcp);
      NsFindingGroup *group;

      if (anomaly->flow->n_black_holes == 0 && !anomaly->flow->has_search_failed &&
          anomaly->flow->segment_bytes == 0)
        continue;
      group = group_of (self,
                        tcp,
                        anomaly->flow->n_black_holes == 0 && !anomaly->flow->has_search_failed
                            ? BY_RETRANSMISSIONS
                            : NULL);
      is_reported[anomaly->tcp] = TRUE;
      group->sum_a = MAX (group->sum_a, anomaly->flow->segment_bytes);
      group->sum_b |= anomaly->flow->has_smaller_helped;
      group->has_failed |= anomaly->flow->has_search_failed;
      ns_findings_mark_at (self, group, anomaly->flow->black_hole_from_ns);
      ns_findings_add (group,
                       NS_TABLE_TCP,
                       anomaly->tcp,
                       tcp->activity,
                       anomaly->flow->black_hole_from_ns,
                       MAX (anomaly->flow->black_hole_to_ns, anomaly->flow->black_hole_from_ns));
    }
  gather_lost_sizes (self, is_reported);
  gather_too_big (self);
  ns_findings_report_groups (self, report_black_holes);
}

/* Returns the text of a drop reason if the trace has it, else its number; (transfer full). */
static char *
dup_reason (const NsFindings *self, const NsSign *sign)
{
  static const char *const names[] = { "TCPIP", "Winsock-AFD" };
  const char *name = sign->source == NS_SIGN_AFD ? names[1] : names[0];
  const char *words = ns_findings_text (self, sign->words);

  if (*words != '\0')
    return g_strdup_printf ("%s: %s", name, words);
  if (sign->id == 1190)
    return g_strdup_printf (_ ("%s: received data was dropped"), name);
  return g_strdup_printf (_ ("%s: reason %" PRId64), name, sign->value);
}

static gboolean
is_drop (const NsSign *sign)
{
  return (sign->source == NS_SIGN_TCPIP &&
          (sign->id == 1190 || sign->id == 1214 || sign->id == 1215 || sign->id == 1423 ||
           sign->id == 1478)) ||
         (sign->source == NS_SIGN_AFD && sign->id == 1033);
}

static gboolean
is_group_address (const NsEndpoint *end)
{
  return end != NULL && (ns_ip_is_multicast (&end->ip) || ns_ip_is_broadcast (&end->ip));
}

/* Returns whether the packet was multicast or broadcast. */
static gboolean
is_multicast (const NsSign *sign)
{
  return is_group_address (sign->local) || is_group_address (sign->remote);
}

/* Returns whether a captured packet was multicast or broadcast, according to its IP or Ethernet
 * address. */
static gboolean
is_packet_multicast (const NsTrace *trace, const NsPacketRow *packet)
{
  const guint8 group_bit = 1;
  const guint8 *bytes = ns_packet_row_get_bytes (trace, packet);
  NsPacketEnds ends;

  ns_packet_row_read_ends (trace, packet, &ends);
  return is_group_address (&ends.dst) || (packet->link == NS_PACKET_ETHERNET && bytes != NULL &&
                                          packet->captured > 0 && (bytes[0] & group_bit) != 0);
}

/* Finds the connection or socket that the dropped packet belongs to. */
static NsFindingRef
find_owner (NsFindings *self, GHashTable *sockets, const NsSign *sign)
{
  NsFindingRef ref = { NS_TABLE_WINSOCK, 0 };

  if (sign->tcp != 0)
    return (NsFindingRef){ NS_TABLE_TCP, sign->tcp };
  if (sign->source == NS_SIGN_AFD)
    ref.row = GPOINTER_TO_UINT (g_hash_table_lookup (sockets, &sign->key));
  else if (sign->remote != NULL && sign->local != NULL)
    {
      ref.table = NS_TABLE_TCP;
      ref.row = ns_findings_find_connection (self, sign->local, sign->remote, sign->time_ns);
    }
  return ref;
}

static GHashTable *
index_sockets (const NsTrace *trace)
{
  GHashTable *sockets = g_hash_table_new (ns_hash_int64, g_int64_equal);
  guint i;

  for (i = 0; i < trace->winsock->len; i++)
    g_hash_table_insert (sockets,
                         &g_array_index (trace->winsock, NsWinsockRow, i).endpoint,
                         GUINT_TO_POINTER (i + 1));
  return sockets;
}

static void
add_drop (NsFindings *self, GHashTable *sockets, const NsSign *sign)
{
  const NsTrace *trace = self->trace;
  NsFindingRef owner = find_owner (self, sockets, sign);
  g_autofree char *reason = dup_reason (self, sign);
  g_autofree char *subject = NULL;
  const NsEndpoint *peer = sign->remote != NULL ? sign->remote : sign->local;
  guint n = (guint) CLAMP (sign->count, 1, G_MAXINT32);
  guint32 pid = NS_PID_UNKNOWN;
  NsFindingGroup *group;
  gboolean has_failed = FALSE;
  guint64 filter = 0;

  if (owner.row != 0 && owner.table == NS_TABLE_TCP)
    {
      const NsTcpRow *tcp = NS_ROW_AT (trace->tcp, NsTcpRow, owner.row);

      pid = tcp->pid;
      has_failed = tcp->status != 0;
      filter = ns_findings_find_filter (self, owner.row, sign->time_ns);
    }
  else if (owner.row != 0)
    pid = NS_ROW_AT (trace->winsock, NsWinsockRow, owner.row)->pid;
  else if (sign->source == NS_SIGN_AFD)
    pid = sign->pid;
  subject = peer != NULL ? ns_findings_dup_endpoint (self, NS_STRING_NONE, peer) : g_strdup ("");
  /* Drops of unknown owners are grouped by reason, whoever the peers are; the first peer is
   * named. */
  if (owner.row != 0 || pid != NS_PID_UNKNOWN)
    group = ns_findings_group (self, pid, subject, reason);
  else
    {
      g_autofree char *unowned = g_strdup_printf (UNOWNED "\n%s", reason);

      group = ns_findings_group (self, pid, "", unowned);
      group->has_failed |= group->count > 0 && strcmp (group->subject, subject) != 0;
      if (group->count == 0)
        ns_findings_set_subject (self, group, subject);
    }
  group->sum_a += owner.row != 0 ? n : 0;
  group->sum_b |= has_failed;
  if (filter != 0)
    group->n_filter = filter;
  ns_findings_mark (group, sign->event);
  ns_findings_add (group, owner.table, owner.row, 0, sign->time_ns, sign->time_ns);
  group->count += n - 1;
}

/* Reports the packets of one conversation that one component dropped for one reason. */
static void
report_dropped_packets (NsFindings *self, NsFindingGroup *group, const char *reason)
{
  const char *component = ns_findings_text (self, (NsString) group->n_filter);

  ns_findings_report_sentence (
      self,
      group,
      group->sum_b != 0 ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      /* Translators: do not translate the words in braces. */
      *component != '\0' ? _ ("{process}: {count} packets of the conversation with {subject} were "
                              "dropped by {component}: {reason}.")
                         : _ ("{process}: {count} packets of the conversation with {subject} were "
                              "dropped: {reason}."),
      "component",
      component,
      "reason",
      reason,
      NULL);
}

static void
report_drops (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *own = g_strdup_printf ("%u", (guint) group->sum_a);
  g_autofree char *filtered = NULL;
  const char *reason = strrchr (group->key, '\n') + 1;

  if (group->count < MIN_DROPS (self) && group->sum_a == 0)
    return;
  if (strstr (group->key, "\n" BY_PACKETS) != NULL)
    {
      report_dropped_packets (self, group, reason);
      return;
    }
  if (*reason == '\0')
    reason = group->subject;
  else if (group->n_filter != 0)
    {
      g_autofree char *filter = ns_findings_dup_filter (self, group->n_filter);

      /* Translators: why packets were dropped, and the ID of a WFP filter, maybe with its name. */
      reason = filtered = g_strdup_printf (_ ("%s, by filter %s"), reason, filter);
    }
  ns_findings_report_sentence (
      self,
      group,
      group->sum_b != 0 ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      group->pid != NS_PID_UNKNOWN && reason != group->subject
          /* Translators: do not translate the words in braces. */
          ? _ ("{process}: Windows dropped {count} packets of {subject}: {reason}.")
          : group->sum_a != 0 ? _ ("Windows dropped {count} packets, {own} of them of recorded "
                                   "connections: {reason}.")
            : reason == group->subject || group->subject[0] == '\0'
                ? _ ("Windows dropped {count} packets: {reason}.")
            : group->has_failed ? _ ("Windows dropped {count} packets of {subject} and others: "
                                     "{reason}.")
                                : _ ("Windows dropped {count} packets of {subject}: {reason}."),
      "own",
      own,
      "reason",
      reason,
      NULL);
}

/* Returns the conversation whose drops are reported by themselves: of TCP, or of a recorded socket;
 * %NULL: none. */
static const NsFlowRow *
find_flow (const NsTrace *trace, const NsPacketRow *packet)
{
  const NsFlowRow *flow = packet->flow != 0 && packet->flow <= trace->flows->len
                              ? NS_ROW_AT (trace->flows, NsFlowRow, packet->flow)
                              : NULL;

  return flow != NULL && (flow->kind == NS_FLOW_TCP || flow->tcp != 0 || flow->winsock != 0) ? flow
                                                                                             : NULL;
}

/* Adds a packet whose drop PktMon captured: to its conversation, else to its reason. */
static void
add_packet_drop (NsFindings *self, NsRow row)
{
  const NsTrace *trace = self->trace;
  const NsPacketRow *packet = NS_ROW_AT (trace->packets, NsPacketRow, row);
  const NsFlowRow *flow = find_flow (trace, packet);
  const NsPacketComponent *component =
      ns_packet_components_find_dropper (trace->packet_components, packet->data);
  const char *reason =
      ns_findings_text (self, ns_packet_row_get_place (trace, packet)->drop_reason);
  NsFindingGroup *group;

  if (*reason == '\0')
    reason = _ ("no reason given");
  if (flow != NULL)
    {
      const NsEndpoint *peer = ns_flow_get_remote (flow);
      g_autofree char *subject =
          ns_findings_dup_endpoint (self,
                                    flow->local != NS_FLOW_LOCAL_SERVER ? flow->server_name
                                                                        : NS_STRING_NONE,
                                    peer);
      g_autofree char *key =
          g_strdup_printf (BY_PACKETS "%u\n%u\n%s",
                           packet->flow,
                           component != NULL ? (guint) component->name : NS_STRING_NONE,
                           reason);

      group = ns_findings_group (self, flow->pid, subject, key);
      group->n_filter = component != NULL ? component->name : NS_STRING_NONE;
      group->sum_b |= ns_flow_get_error (flow) != 0;
      group->sum_a++;
    }
  else
    {
      group = ns_findings_group (self, NS_PID_UNKNOWN, reason, NULL);
      group->sum_a += ns_packet_row_get_tcp (trace, packet) != 0;
    }
  ns_findings_mark_at (self, group, packet->time_ns);
  ns_findings_add (group,
                   NS_TABLE_PACKETS,
                   row,
                   ns_packet_row_get_activity (trace, packet),
                   packet->time_ns,
                   packet->time_ns);
}

/* Groups the packets that Windows itself dropped by reason. */
void
ns_find_drops (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) sockets = NULL;
  guint64 n_for_all = 0;
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);

      if (is_drop (sign) && sign->source == NS_SIGN_AFD && sockets == NULL)
        sockets = index_sockets (trace);
      if (is_drop (sign) && is_multicast (sign))
        n_for_all += (guint64) CLAMP (sign->count, 1, G_MAXINT32);
      else if (is_drop (sign))
        add_drop (self, sockets, sign);
    }
  for (i = 0; i < trace->packets->len; i++)
    {
      const NsPacketRow *packet = &g_array_index (trace->packets, NsPacketRow, i);

      if (!packet->dropped ||
          ns_packet_drop_is_for_others (ns_packet_row_get_place (trace, packet)->drop_number))
        continue;
      if (is_packet_multicast (trace, packet))
        n_for_all++;
      else
        add_packet_drop (self, i + 1);
    }
  if (n_for_all > 0)
    {
      g_autofree char *n = g_strdup_printf ("%" G_GUINT64_FORMAT, n_for_all);

      /* Translators: a number. */
      self->aside = g_strdup_printf (_ ("Dropped multicast and broadcast packets: %s."), n);
    }
  ns_findings_report_groups (self, report_drops);
}

/* Returns whether delayed acknowledgments held data back. Delays of a few round trips are caused by
 * the network instead. */
static gboolean
is_held_back (const NsFindings *self, const NsTcpRow *tcp, const NsTcpAnomaly *anomaly)
{
  gint64 rtt_ns =
      tcp->extra->rtt_us > 0 ? (gint64) tcp->extra->rtt_us * 1000 : anomaly->handshake_ns;

  return anomaly->n_held >= MIN_HELD (self) &&
         anomaly->held_ns / anomaly->n_held >= rtt_ns * (gint64) HELD_ROUND_TRIPS (self);
}

static void
report_held (NsFindings *self, NsFindingGroup *group)
{
  gint64 all_ns = ns_findings_get_cost (group);
  g_autofree char *each = ns_findings_dup_span (all_ns / (gint64) MAX (group->sum_a, 1));
  g_autofree char *n = g_strdup_printf ("%u", (guint) group->sum_a);

  ns_findings_report_sentence (self,
                               group,
                               NS_SEVERITY_WARNING,
                               NS_FINDING_MEDIUM,
                               /* Translators: do not translate the words in braces. */
                               _ ("{process}: small sends to {subject} waited about {each} each "
                                  "for a delayed acknowledgment (times: {n})."),
                               "each",
                               each,
                               "n",
                               n,
                               NULL);
}

void
ns_find_delayed_acks (NsFindings *self)
{
  gather (self, is_held_back, TRUE);
  ns_findings_report_groups (self, report_held);
}

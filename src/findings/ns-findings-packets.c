/* Evidence of rules in captured packets, and findings that only packets show: TLS alerts and plain
 * HTTP answers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum distance of the record in which a layer above reports the same failure. */
#define SAME_FAILURE_NS NS_PER_SECOND
/* Maximum number of groups, and of spans of one group, that are compared. */
#define MAX_GROUPS 1024
#define MAX_SPANS 64

/* TLS alerts of RFC 8446, 6, and those of older versions that servers still send. */
static const struct
{
  guint8 number;
  const char *words;
} alerts[] = {
  { 10, N_ ("unexpected message") },
  { 20, N_ ("wrong checksum of a record") },
  { 22, N_ ("a record was too long") },
  { 40, N_ ("no common set of security parameters") },
  { 42, N_ ("bad certificate") },
  { 43, N_ ("unsupported certificate") },
  { 44, N_ ("revoked certificate") },
  { 45, N_ ("expired certificate") },
  { 46, N_ ("unspecified certificate problem") },
  { 47, N_ ("a value was out of range") },
  { 48, N_ ("unknown certificate authority") },
  { 49, N_ ("access denied") },
  { 50, N_ ("a message could not be decoded") },
  { 51, N_ ("a message could not be decrypted") },
  { 70, N_ ("unsupported version of TLS") },
  { 71, N_ ("insufficient security") },
  { 80, N_ ("internal error") },
  { 86, N_ ("inappropriate fallback to an older version") },
  { 90, N_ ("cancelled by the user") },
  { 109, N_ ("missing extension") },
  { 110, N_ ("unsupported extension") },
  { 112, N_ ("unknown server name") },
  { 113, N_ ("bad certificate status response") },
  { 115, N_ ("unknown identity of the pre-shared key") },
  { 116, N_ ("a client certificate is required") },
  { 120, N_ ("no common application protocol") },
};

/**
 * ns_findings_get_packets: (skip)
 * @self: the findings of one trace
 *
 * Analyzes the captured packets at the first call.
 *
 * Returns: (transfer none) (nullable): facts about the packets; %NULL: the trace has no packets
 */
const NsPacketFacts *
ns_findings_get_packets (NsFindings *self)
{
  if (self->packets == NULL && self->trace->packets->len > 0)
    self->packets = ns_packet_facts_new (self->trace);
  return self->packets;
}

/**
 * ns_findings_list_conversations: (skip)
 * @self: the findings of one trace
 *
 * Returns: (transfer full): by TCP row, the 1-based number of its conversation in packets, or 0
 */
guint *
ns_findings_list_conversations (NsFindings *self)
{
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  guint *conversations = g_new0 (guint, self->trace->tcp->len + 1);
  guint i;

  for (i = 0; packets != NULL && i < packets->conversations->len; i++)
    {
      NsRow tcp = g_array_index (packets->conversations, NsTcpConversation, i).tcp;

      if (tcp != 0 && tcp <= self->trace->tcp->len && conversations[tcp] == 0)
        conversations[tcp] = i + 1;
    }
  return conversations;
}

/**
 * ns_findings_mark_packet: (skip)
 * @self: the findings of one trace
 * @group: a group
 * @packet: 1-based row of a packet, or 0
 *
 * Adds the packet and its event to the evidence of the group.
 */
void
ns_findings_mark_packet (const NsFindings *self, NsFindingGroup *group, NsRow packet)
{
  if (packet == 0)
    return;
  ns_findings_add_ref (group, NS_TABLE_PACKETS, packet);
  ns_findings_mark_at (self, group, NS_ROW_AT (self->trace->packets, NsPacketRow, packet)->time_ns);
}

/**
 * ns_findings_mark_facts: (skip)
 * @self: the findings of one trace
 * @groups: (nullable): by 0-based conversation, its group or %NULL
 * @kind: the kind of packet facts to add
 * @is_sent: whether to add packets sent by this machine, instead of received ones
 *
 * Adds packets of conversations to the evidence of their groups.
 */
void
ns_findings_mark_facts (NsFindings *self,
                        NsFindingGroup *const *groups,
                        NsPacketFactKind kind,
                        gboolean is_sent)
{
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  guint i;

  for (i = 0; groups != NULL && packets != NULL && i < packets->facts->len; i++)
    {
      const NsPacketFact *fact = &g_array_index (packets->facts, NsPacketFact, i);

      if (fact->kind == kind && !fact->is_sent == !is_sent && groups[fact->conversation] != NULL)
        ns_findings_mark_packet (self, groups[fact->conversation], fact->packet);
    }
}

/**
 * ns_findings_dup_alert: (skip)
 * @number: number of a TLS alert
 *
 * Returns: (transfer full): the number and its meaning
 */
char *
ns_findings_dup_alert (guint64 number)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (alerts); i++)
    if (alerts[i].number == number)
      /* Translators: a number and what it means. */
      return g_strdup_printf (_ ("TLS alert %u, %s"), (guint) number, _ (alerts[i].words));
  return g_strdup_printf (_ ("TLS alert %u"), (guint) number);
}

static gboolean
has_span_near (const NsFindingGroup *group, gint64 time_ns)
{
  guint i;

  for (i = 0; i < group->spans->len && i < MAX_SPANS; i++)
    {
      const NsTimeSpan *span = &g_array_index (group->spans, NsTimeSpan, i);

      if (time_ns >= ns_time_after (span->begin_ns, -SAME_FAILURE_NS) &&
          time_ns <= ns_time_after (span->end_ns, SAME_FAILURE_NS))
        return TRUE;
    }
  return FALSE;
}

/* Finds the group in which a layer above reported the same failure; @code: HTTP status whose class
 * must match, or 0. */
static NsFindingGroup *
find_reported (const NsFindings *self,
               guint n_reported,
               const NsTcpConversation *conversation,
               guint code,
               gint64 time_ns)
{
  guint i;

  for (i = 0; i < n_reported && i < MAX_GROUPS; i++)
    {
      NsFindingGroup *group = g_ptr_array_index (self->order, i);

      if ((conversation->pid == NS_PID_UNKNOWN || group->pid == NS_PID_UNKNOWN ||
           conversation->pid == group->pid) &&
          (code == 0 || group->sum_a / 100 == code / 100) && has_span_near (group, time_ns))
        return group;
    }
  return NULL;
}

static NsString
get_server (const NsFindings *self, const NsTcpConversation *conversation)
{
  return conversation->tcp != 0 && conversation->tcp <= self->trace->tcp->len
             ? NS_ROW_AT (self->trace->tcp, NsTcpRow, conversation->tcp)->server
             : NS_STRING_NONE;
}

/**
 * ns_findings_add_alerts: (skip)
 * @self: the findings of one trace
 *
 * Adds TLS handshakes that ended with an alert in a packet. If a layer above reported the failure,
 * the alert becomes evidence of that group. A new group's @n_filter is the number of the alert.
 */
void
ns_findings_add_alerts (NsFindings *self)
{
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  guint n_reported = self->order->len;
  guint i;

  for (i = 0; packets != NULL && i < packets->facts->len; i++)
    {
      const NsPacketFact *fact = &g_array_index (packets->facts, NsPacketFact, i);
      const NsTcpConversation *conversation =
          &g_array_index (packets->conversations, NsTcpConversation, fact->conversation);
      gint64 time_ns = NS_ROW_AT (self->trace->packets, NsPacketRow, fact->packet)->time_ns;
      g_autofree char *host = NULL;
      g_autofree char *code = NULL;
      NsFindingGroup *group;

      if (fact->kind != NS_FACT_ALERT)
        continue;
      group = find_reported (self, n_reported, conversation, 0, time_ns);
      if (group == NULL)
        {
          host = ns_packet_facts_dup_server_name (self->trace, conversation->hello);
          if (host == NULL)
            host = ns_findings_dup_endpoint (self,
                                             get_server (self, conversation),
                                             &conversation->there);
          code = g_strdup_printf ("alert %u", fact->value);
          group = ns_findings_group (self, conversation->pid, host, code);
          group->n_filter = fact->value;
          ns_findings_add (group,
                           NS_TABLE_PACKETS,
                           fact->packet,
                           conversation->activity,
                           conversation->open_ns,
                           time_ns);
        }
      ns_findings_mark_packet (self, group, conversation->hello);
      ns_findings_mark_packet (self, group, fact->packet);
    }
}

/* Returns whether a layer above recorded the requests of this connection. */
static gboolean
is_recorded_above (const NsFindings *self, const NsTcpConversation *conversation)
{
  const NsLayerSet above =
      NS_LAYER_WINHTTP | NS_LAYER_WININET | NS_LAYER_DOTNET | NS_LAYER_CHROMIUM;

  return conversation->tcp != 0 && conversation->tcp <= self->trace->tcp->len &&
         (NS_ROW_AT (self->trace->tcp, NsTcpRow, conversation->tcp)->owner & above) != 0;
}

/**
 * ns_findings_add_answers: (skip)
 * @self: the findings of one trace
 *
 * Adds plain HTTP answers with an error status, unless a layer above recorded them. Their groups
 * have the key of groups of requests: host, path and class of the status.
 */
void
ns_findings_add_answers (NsFindings *self)
{
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  guint n_reported = self->order->len;
  guint i;

  for (i = 0; packets != NULL && i < packets->facts->len; i++)
    {
      const NsPacketFact *fact = &g_array_index (packets->facts, NsPacketFact, i);
      const NsTcpConversation *conversation =
          &g_array_index (packets->conversations, NsTcpConversation, fact->conversation);
      const NsPacketRow *row = NS_ROW_AT (self->trace->packets, NsPacketRow, fact->packet);
      const NsPacketRow *asked = row;
      g_autofree char *url = NULL;
      g_autofree char *path = NULL;
      g_autofree char *subject = NULL;
      NsFindingMoment moment = { .row = fact->packet, .value = fact->value };
      NsFindingGroup *group;

      /* 401 and 407 ask for authentication. */
      if (fact->kind != NS_FACT_HTTP_ERROR || fact->value == 401 || fact->value == 407 ||
          is_recorded_above (self, conversation) ||
          find_reported (self, n_reported, conversation, fact->value, row->time_ns) != NULL)
        continue;
      if (fact->request != 0)
        asked = NS_ROW_AT (self->trace->packets, NsPacketRow, fact->request);
      url = ns_packet_facts_dup_url (self->trace,
                                     fact->request,
                                     fact->is_sent ? &conversation->here : &conversation->there);
      path = ns_findings_dup_path (url != NULL ? url : "");
      if (url != NULL)
        {
          const char *host = url + strlen ("http://");

          subject = g_strdup_printf ("%.*s%s", (int) strcspn (host, "/"), host, path);
        }
      else
        subject =
            ns_findings_dup_endpoint (self, get_server (self, conversation), &conversation->there);
      group = ns_findings_group (self, conversation->pid, subject, fact->value >= 500 ? "5" : "4");
      group->sum_a = fact->value;
      group->sum_b = ns_findings_is_wanted_in_vain (path);
      ns_findings_add_moment (group, &moment);
      ns_findings_mark_packet (self, group, fact->request);
      ns_findings_mark_packet (self, group, fact->packet);
      ns_findings_add (group,
                       NS_TABLE_PACKETS,
                       fact->packet,
                       conversation->activity,
                       asked->time_ns,
                       row->time_ns);
    }
}

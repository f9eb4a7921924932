/* Rule about connects whose first SYN got no answer: D10.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>

#define MANY_LOST_SYNS(self) ns_findings_limit (self, NS_THRESHOLD_D10_PROBLEM)

static void
report_lost_syns (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *n_again = g_strdup_printf ("%u", (guint) group->sum_a);

  ns_findings_report_sentence (
      self,
      group,
      group->count >= MANY_LOST_SYNS (self) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      group->worst_ns > 0
          /* Translators: do not translate the words in braces. */
          ? _ ("{process}: the first SYN to {subject} got no answer before it was retransmitted; "
               "the connect took up to {longest} (connects: {count}, SYNs retransmitted: {again}).")
          : _ ("{process}: the first SYN to {subject} got no answer before it was retransmitted "
               "(connects: {count}, SYNs retransmitted: {again})."),
      "again",
      n_again,
      NULL);
}

/* Returns the length of the connect: from the request, else the connection, else its packets. */
static gint64
get_connect_time (const NsFindings *self,
                  const NsAttempt *attempt,
                  const NsTcpConversation *conversation)
{
  const NsTcpRow *tcp = NS_ROW_AT (self->trace->tcp, NsTcpRow, attempt->row);

  if (attempt->activity != 0 && attempt->activity <= self->trace->activities->len)
    {
      const NsActivityRow *row =
          NS_ROW_AT (self->trace->activities, NsActivityRow, attempt->activity);

      if (row->tcp == attempt->row && ns_activity_row_get_phase (row, NS_PHASE_CONNECT) > 0)
        return ns_activity_row_get_phase (row, NS_PHASE_CONNECT);
    }
  if (tcp->extra->handshake_us > 0)
    return (gint64) tcp->extra->handshake_us * 1000;
  return conversation != NULL && conversation->syn_ns != NS_TIME_NONE
             ? ns_time_between (conversation->syn_ns, conversation->answered_ns)
             : 0;
}

/* Adds connections whose start is not recorded: their summaries count retransmitted SYNs. */
static void
add_lost_in_summaries (NsFindings *self)
{
  guint i;

  for (i = 0; i < self->trace->tcp->len; i++)
    {
      const NsTcpRow *tcp = &g_array_index (self->trace->tcp, NsTcpRow, i);
      g_autofree char *subject = NULL;
      NsFindingGroup *group;

      if (tcp->extra->syn_retransmits == 0 || tcp->accepted ||
          (!tcp->before_trace && !tcp->inferred))
        continue;
      subject = ns_findings_dup_host (self, tcp->server, tcp->remote);
      group = ns_findings_group (self, tcp->pid, subject, NULL);
      group->sum_a += tcp->extra->syn_retransmits;
      ns_findings_mark_summary (self, group, i + 1);
      ns_findings_add (group, NS_TABLE_TCP, i + 1, tcp->activity, tcp->open_ns, tcp->open_ns);
    }
}

/* Adds connects in captured packets that have no TCP row. */
static void
add_lost_in_packets (NsFindings *self, NsFindingGroup **groups)
{
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  guint i;

  for (i = 0; packets != NULL && i < packets->conversations->len; i++)
    {
      const NsTcpConversation *conversation =
          &g_array_index (packets->conversations, NsTcpConversation, i);
      g_autofree char *subject = NULL;
      NsFindingGroup *group;

      if (conversation->ways[NS_WAY_OUT].n_syns_again == 0 ||
          conversation->answered_ns == NS_TIME_NONE || groups[i] != NULL ||
          (conversation->tcp != 0 && conversation->tcp <= self->trace->tcp->len))
        continue;
      subject = ns_findings_dup_host (self, NS_STRING_NONE, &conversation->there);
      group = ns_findings_group (self, conversation->pid, subject, NULL);
      group->sum_a += conversation->ways[NS_WAY_OUT].n_syns_again;
      groups[i] = group;
      ns_findings_add (group,
                       NS_N_TABLES,
                       0,
                       conversation->activity,
                       conversation->syn_ns,
                       conversation->answered_ns);
    }
}

void
ns_find_lost_syns (NsFindings *self)
{
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  g_autofree guint *conversations = ns_findings_list_conversations (self);
  g_autofree NsFindingGroup **groups =
      packets != NULL ? g_new0 (NsFindingGroup *, packets->conversations->len + 1) : NULL;
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);
      const NsTcpConversation *conversation = NULL;
      g_autofree char *subject = NULL;
      NsFindingGroup *group;
      guint32 n_again;

      if (attempt->end != NS_ATTEMPT_OK || attempt->table != NS_TABLE_TCP)
        continue;
      n_again = attempt->n_syns - 1;
      if (packets != NULL && conversations[attempt->row] != 0)
        {
          conversation = &g_array_index (packets->conversations,
                                         NsTcpConversation,
                                         conversations[attempt->row] - 1);
          /* The attempt and the packets show the same SYNs. */
          if (conversation->answered_ns != NS_TIME_NONE)
            n_again = MAX (n_again, conversation->ways[NS_WAY_OUT].n_syns_again);
        }
      if (n_again == 0)
        continue;
      subject = ns_findings_dup_host (self, attempt->server, &attempt->remote);
      group = ns_findings_group (self, attempt->pid, subject, NULL);
      group->sum_a += n_again;
      if (conversation != NULL)
        groups[conversations[attempt->row] - 1] = group;
      ns_findings_add (group,
                       attempt->table,
                       attempt->row,
                       attempt->activity,
                       attempt->open_ns,
                       ns_time_after (attempt->open_ns,
                                      get_connect_time (self, attempt, conversation)));
    }
  add_lost_in_summaries (self);
  add_lost_in_packets (self, groups);
  ns_findings_mark_facts (self, groups, NS_FACT_SYN_AGAIN, TRUE);
  ns_findings_report_groups (self, report_lost_syns);
}

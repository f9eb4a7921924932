/* Rules about connections that are open: D17, D22.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MIN_SEGMENTS_AGAIN ns_threshold_get (NS_THRESHOLD_D17_AGAIN)
#define MIN_PERMILLE_AGAIN ns_threshold_get (NS_THRESHOLD_D17_SHARE)
#define BAD_PERMILLE_AGAIN ns_threshold_get (NS_THRESHOLD_D17_PROBLEM)
#define SEGMENT_BYTES 1460
#define MIN_SEGMENTS ns_threshold_get (NS_THRESHOLD_D17_SENT)
#define SMALL_SEND_BYTES ns_threshold_get (NS_THRESHOLD_D22_BYTES)
#define SMALL_SEND_GAP_NS ns_threshold_get_ns (NS_THRESHOLD_D22_GAP)
#define MIN_SMALL_SENDS ns_threshold_get (NS_THRESHOLD_D22_SENDS)
#define MIN_SMALL_PERCENT ns_threshold_get (NS_THRESHOLD_D22_SHARE)

static gboolean
is_established (const NsTcpRow *tcp)
{
  return !tcp->is_udp && (tcp->state == NULL || (strcmp (tcp->state, "Connect_Fail") != 0 &&
                                                 strcmp (tcp->state, "Connect_Request") != 0));
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

/* Sends of stream sockets, by socket. */
static void
gather_sends (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      NsFindingMoment moment = { 0 };
      const NsWinsockRow *socket;
      g_autofree char *subject = NULL;
      g_autofree char *row = NULL;

      if (call->winsock == 0 || call->winsock > trace->winsock->len ||
          g_strcmp0 (call->call, "send") != 0)
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
  gather_sends (self);
  ns_findings_tell (self, judge_sends);
}

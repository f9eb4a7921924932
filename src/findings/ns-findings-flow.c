/* Rules about what holds data back below the programs: D18, D19, D20, D21, D23.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>

#define ZERO_WINDOW_NS (200 * NS_PER_MS)
#define MIN_LIMITED_BYTES (1 << 20)
#define MIN_LIMITED_PERCENT 30
#define MIN_DROPS 10
#define MIN_HELD 5
#define HELD_ROUND_TRIPS 2

/* What is limited by the window of the receiver, and not by that of the network. */
#define BY_RECEIVER "receiver"

typedef gboolean (*TroubleTest) (const NsTcpRow *tcp, const NsTcpTrouble *trouble);
typedef void (*TroubleFunc) (NsFindingGroup *group,
                             const NsTcpRow *tcp,
                             const NsTcpTrouble *trouble);

static NsFindingGroup *
group_of (NsFindings *self, const NsTcpRow *tcp, const char *extra)
{
  g_autofree char *subject = ns_findings_dup_endpoint (self, tcp->server, tcp->remote);

  return ns_findings_group (self, tcp->pid, subject, extra);
}

/* Each connection that passes the test, with the time it lost. */
static void
gather (NsFindings *self, TroubleTest test, gboolean is_held)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->tcp_troubles->len; i++)
    {
      const NsTcpTrouble *trouble = &g_array_index (trace->tcp_troubles, NsTcpTrouble, i);
      const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, trouble->tcp - 1);
      gint64 cost_ns = is_held ? trouble->held_ns : trouble->flow->zero_window_ns;
      gint64 from_ns = is_held ? trouble->held_from_ns : trouble->flow->zero_from_ns;
      NsFindingGroup *group;

      if (!test (tcp, trouble))
        continue;
      group = group_of (self, tcp, NULL);
      group->sum_a += is_held ? trouble->n_held : trouble->flow->n_zero_windows;
      group->sum_b |= tcp->status != 0;
      ns_findings_add (group,
                       NS_TABLE_TCP,
                       trouble->tcp,
                       tcp->activity,
                       from_ns,
                       from_ns + cost_ns);
    }
}

static gboolean
has_zero_window (const NsTcpRow *tcp, const NsTcpTrouble *trouble)
{
  return trouble->flow->zero_window_ns >= ZERO_WINDOW_NS;
}

static void
tell_zero_window (NsFindings *self, NsFindingGroup *group)
{
  ns_findings_say (self,
                   group,
                   group->sum_b != 0 ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
                   NS_FINDING_HIGH,
                   /* Translators: the words in braces stay as they are. */
                   _ ("{process}: {subject} took no data for up to {longest}: the program there "
                      "reads too slowly (connections: {count})."),
                   NULL);
}

void
ns_find_zero_windows (NsFindings *self)
{
  gather (self, has_zero_window, FALSE);
  ns_findings_tell (self, tell_zero_window);
}

/* In a hundred of the time that Windows counted. */
static guint
get_percent (const NsTcpTrouble *trouble, gint64 part_ns)
{
  gint64 whole_ns =
      trouble->flow->receiver_ns + trouble->flow->network_ns + trouble->flow->sender_ns;

  return whole_ns > 0 ? (guint) ((double) part_ns * 100 / (double) whole_ns) : 0;
}

static void
tell_limits (NsFindings *self, NsFindingGroup *group)
{
  gboolean is_receiver = g_str_has_suffix (group->key, "\n" BY_RECEIVER);
  g_autofree char *percent = g_strdup_printf ("%u", (guint) group->sum_a);

  ns_findings_say (
      self,
      group,
      is_receiver ? NS_SEVERITY_WARNING : NS_SEVERITY_INFO,
      NS_FINDING_MEDIUM,
      is_receiver
          /* Translators: the words in braces stay as they are. */
          ? _ ("{process}: what was sent to {subject} waited up to {longest}, {percent} % of its "
               "time, for the window of the receiver (connections: {count}).")
          : _ ("{process}: what was sent to {subject} waited up to {longest}, {percent} % of its "
               "time, for the window that the network allowed (connections: {count})."),
      "percent",
      percent,
      NULL);
}

void
ns_find_window_limits (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->tcp_troubles->len; i++)
    {
      const NsTcpTrouble *trouble = &g_array_index (trace->tcp_troubles, NsTcpTrouble, i);
      const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, trouble->tcp - 1);
      gboolean is_receiver = trouble->flow->receiver_ns >= trouble->flow->network_ns;
      gint64 part_ns = is_receiver ? trouble->flow->receiver_ns : trouble->flow->network_ns;
      guint percent = get_percent (trouble, part_ns);
      NsFindingGroup *group;

      /* The summary of a connection that was there before reaches back further than the trace. */
      if (tcp->before_trace || tcp->sent < MIN_LIMITED_BYTES || percent < MIN_LIMITED_PERCENT)
        continue;
      group = group_of (self, tcp, is_receiver ? BY_RECEIVER : "network");
      group->sum_a = MAX (group->sum_a, percent);
      /* When it was is not told: as long as it took. */
      ns_findings_add (group,
                       NS_TABLE_TCP,
                       trouble->tcp,
                       tcp->activity,
                       tcp->open_ns,
                       tcp->open_ns + part_ns);
    }
  ns_findings_tell (self, tell_limits);
}

static void
tell_black_holes (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *size = g_strdup_printf ("%u", (guint) group->sum_a);

  ns_findings_say (self,
                   group,
                   NS_SEVERITY_WARNING,
                   group->sum_b != 0 ? NS_FINDING_HIGH : NS_FINDING_MEDIUM,
                   group->sum_b != 0
                       /* Translators: the words in braces stay as they are. */
                       ? _ ("{process}: segments of {size} bytes vanished on the way to {subject}; "
                            "smaller ones arrived (connections: {count}).")
                       : _ ("{process}: segments of {size} bytes seem to vanish on the way to "
                            "{subject}, where Windows tried smaller ones (connections: {count})."),
                   "size",
                   size,
                   NULL);
}

void
ns_find_black_holes (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->tcp_troubles->len; i++)
    {
      const NsTcpTrouble *trouble = &g_array_index (trace->tcp_troubles, NsTcpTrouble, i);
      const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, trouble->tcp - 1);
      NsFindingGroup *group;

      if (trouble->flow->n_black_holes == 0)
        continue;
      group = group_of (self, tcp, NULL);
      group->sum_a = MAX (group->sum_a, trouble->flow->segment_bytes);
      group->sum_b |= trouble->flow->has_smaller_helped;
      ns_findings_add (group,
                       NS_TABLE_TCP,
                       trouble->tcp,
                       tcp->activity,
                       trouble->flow->black_hole_from_ns,
                       MAX (trouble->flow->black_hole_to_ns, trouble->flow->black_hole_from_ns));
    }
  ns_findings_tell (self, tell_black_holes);
}

static void
tell_drops (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *own = g_strdup_printf ("%u", (guint) group->sum_a);

  if (group->count < MIN_DROPS && group->sum_a == 0)
    return;
  ns_findings_say (self,
                   group,
                   NS_SEVERITY_WARNING,
                   NS_FINDING_HIGH,
                   group->sum_a != 0
                       /* Translators: the words in braces stay as they are. */
                       ? _ ("Windows dropped {count} packets, {own} of them of recorded "
                            "connections: {subject}.")
                       : _ ("Windows dropped {count} packets: {subject}."),
                   "own",
                   own,
                   NULL);
}

/* Packets that Windows itself threw away, by reason. */
void
ns_find_drops (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->packets->len; i++)
    {
      const NsPacketRow *packet = &g_array_index (trace->packets, NsPacketRow, i);
      const char *reason = ns_findings_text (self, packet->drop_reason);
      NsFindingGroup *group;

      if (!packet->dropped)
        continue;
      group = ns_findings_group (self,
                                 NS_PID_UNKNOWN,
                                 *reason != '\0' ? reason : _ ("no reason told"),
                                 NULL);
      group->sum_a += packet->tcp != 0;
      ns_findings_add (group,
                       NS_TABLE_PACKETS,
                       i + 1,
                       packet->activity,
                       packet->time_ns,
                       packet->time_ns);
    }
  ns_findings_tell (self, tell_drops);
}

/* A delay that the network itself needs proves nothing. */
static gboolean
is_held_back (const NsTcpRow *tcp, const NsTcpTrouble *trouble)
{
  return trouble->n_held >= MIN_HELD &&
         (tcp->extra->rtt_us <= 0 || trouble->held_ns / trouble->n_held >=
                                         (gint64) tcp->extra->rtt_us * 1000 * HELD_ROUND_TRIPS);
}

static void
tell_held (NsFindings *self, NsFindingGroup *group)
{
  gint64 all_ns = ns_findings_get_cost (group);
  g_autofree char *each = ns_findings_dup_span (all_ns / (gint64) MAX (group->sum_a, 1));
  g_autofree char *n = g_strdup_printf ("%u", (guint) group->sum_a);

  ns_findings_say (self,
                   group,
                   NS_SEVERITY_WARNING,
                   NS_FINDING_MEDIUM,
                   /* Translators: the words in braces stay as they are. */
                   _ ("{process}: small sends to {subject} waited about {each} each for an "
                      "acknowledgment that came late (times: {n})."),
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
  ns_findings_tell (self, tell_held);
}

/* Rules about opening connections: D08, D09, D11, D15, D16, D35, D36.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define UNREACHABLE_WITHIN_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D08_WITHIN)
#define MIN_UNREACHABLE(self) ns_findings_limit (self, NS_THRESHOLD_D08_CONNECTS)
#define MANY_REFUSALS(self) ns_findings_limit (self, NS_THRESHOLD_D11_PROBLEM)
/* RFC 8305, 5: delay before the next address is tried. */
#define FALLBACK_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D35_DELAY)
#define FALLBACK_BAD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D35_PROBLEM)
#define FALLBACK_MAX_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D35_LONGEST)
#define SILENT_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D09_SILENT)
/* Most hosts answer within this time. */
#define PENDING_NS (3 * NS_PER_SECOND)
#define DOWN_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D16_AFTER)
#define IS_DOWN "down"
#define IS_INBOUND "inbound"
/* Maximum number of interface-down records that are compared with all connects. */
#define MAX_DOWN 200
#define MAX_FILTERED 2000
#define SLOW_REFUSAL_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D36_DELAY)

/* Flags of NsFindingGroup.sum_b that gather() sets; sum_a counts the attempts that another address
 * overtook. */
enum
{
  HAS_NO_NETWORK = 1,
};

typedef gboolean (*AttemptTest) (const NsFindings *self, const NsAttempt *attempt);

/* Marks the event that reports how the attempt ended. */
void
ns_findings_mark_attempt (const NsFindings *self, NsFindingGroup *group, const NsAttempt *attempt)
{
  if (attempt->event != G_MAXUINT32)
    ns_findings_mark (group, attempt->event);
  else
    ns_findings_mark_at (self, group, attempt->close_ns);
}

/* Groups the attempts that pass the test by process and endpoint. */
static void
gather (NsFindings *self, AttemptTest test)
{
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);
      g_autofree char *subject = NULL;
      NsFindingGroup *group;

      if (!test (self, attempt))
        continue;
      subject = ns_findings_dup_endpoint (self, attempt->server, &attempt->remote);
      group = ns_findings_group (self, attempt->pid, subject, NULL);
      group->sum_a += attempt->is_overtaken;
      group->sum_b |= attempt->end == NS_ATTEMPT_NO_NETWORK ? HAS_NO_NETWORK : 0;
      ns_findings_mark_attempt (self, group, attempt);
      if (attempt->n_syns > 1)
        group->n_syns += attempt->n_syns;
      ns_findings_add (group,
                       attempt->table,
                       attempt->row,
                       attempt->activity,
                       attempt->open_ns,
                       ns_findings_end (self, attempt->close_ns));
    }
}

/* Returns whether @n attempts of the group began within the window. */
static gboolean
are_near (const NsFindingGroup *group, guint n, gint64 within_ns)
{
  guint i;

  for (i = n - 1; i < group->spans->len; i++)
    if (g_array_index (group->spans, NsTimeSpan, i).begin_ns -
            g_array_index (group->spans, NsTimeSpan, i - n + 1).begin_ns <=
        within_ns)
      return TRUE;
  return FALSE;
}

static gboolean
is_unreachable (const NsFindings *self, const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_NO_HOST || attempt->end == NS_ATTEMPT_NO_NETWORK;
}

/* Returns whether enough attempts failed within the window; sorts the group by time. */
static gboolean
is_repeated (const NsFindings *self, NsFindingGroup *group)
{
  ns_findings_get_cost (group); /* sorts the spans */
  return group->count >= MIN_UNREACHABLE (self) &&
         are_near (group, MIN_UNREACHABLE (self), UNREACHABLE_WITHIN_NS (self));
}

static void
report_unreachable (NsFindings *self, NsFindingGroup *group)
{
  if (is_repeated (self, group))
    ns_findings_report_sentence (
        self,
        group,
        group->sum_a < group->count ? NS_SEVERITY_PROBLEM : NS_SEVERITY_INFO,
        NS_FINDING_HIGH,
        (group->sum_b & HAS_NO_NETWORK) != 0
            ? _ ("{process}: {count} connects to {subject} failed: the network is unreachable "
                 "(WSAENETUNREACH).")
            : _ ("{process}: {count} connects to {subject} failed: the host is unreachable "
                 "(WSAEHOSTUNREACH)."),
        NULL);
}

void
ns_find_unreachable (NsFindings *self)
{
  gather (self, is_unreachable);
  ns_findings_report_groups (self, report_unreachable);
  ns_findings_clear_groups (self);
  ns_findings_report_icmp (self);
}

static gboolean
is_without_network (const NsFindings *self, const NsAttempt *attempt)
{
  return (attempt->end == NS_ATTEMPT_NO_NETWORK || attempt->end == NS_ATTEMPT_NO_ROUTE) &&
         !attempt->is_overtaken;
}

static void
report_no_route (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *interface = g_strdup_printf ("%u", (guint) group->sum_a);

  if (group->count == 0)
    return;
  ns_findings_report_sentence (
      self,
      group,
      NS_SEVERITY_PROBLEM,
      NS_FINDING_MEDIUM,
      g_str_has_suffix (group->key, "\n" IS_DOWN)
          /* Translators: do not translate the words in braces. */
          ? _ ("{process}: the network interface {interface} went down; connects to "
               "{subject} failed right after it{times}.")
          : _ ("{process}: there was no route to {subject} (WSAENETUNREACH, connects "
               "that failed: {count})."),
      "interface",
      interface,
      NULL);
}

/* IfOperStatusUp of IF_OPER_STATUS. */
#define OPERATES 1

static gboolean
went_down (const NsSign *sign)
{
  return sign->source == NS_SIGN_TCPIP &&
         (sign->id == 1106 || (sign->id == 1130 && sign->value != OPERATES));
}

/* Groups connects that failed within DOWN_NS after an interface went down, whatever their
 * status. */
static void
gather_interfaces (NsFindings *self)
{
  guint n_down = 0;
  guint i;
  guint j;

  for (i = 0; i < self->trace->signs->len && n_down < MAX_DOWN; i++)
    {
      const NsSign *sign = &g_array_index (self->trace->signs, NsSign, i);

      if (!went_down (sign))
        continue;
      n_down++;
      for (j = 0; j < self->attempts->len; j++)
        {
          const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, j);
          g_autofree char *subject = NULL;
          NsFindingGroup *group;

          if (attempt->end == NS_ATTEMPT_OK || attempt->end == NS_ATTEMPT_OPEN ||
              attempt->end == NS_ATTEMPT_CANCELLED || is_without_network (self, attempt) ||
              !ns_time_is_set (attempt->close_ns) || attempt->close_ns < sign->time_ns ||
              attempt->close_ns > sign->time_ns + DOWN_NS (self))
            continue;
          subject = ns_findings_dup_endpoint (self, attempt->server, &attempt->remote);
          group = ns_findings_group (self, attempt->pid, subject, IS_DOWN);
          group->sum_a = sign->key;
          ns_findings_mark (group, sign->event);
          ns_findings_mark_attempt (self, group, attempt);
          ns_findings_add (group,
                           attempt->table,
                           attempt->row,
                           attempt->activity,
                           attempt->open_ns,
                           attempt->close_ns);
        }
    }
}

void
ns_find_no_route (NsFindings *self)
{
  gather (self, is_without_network);
  gather_interfaces (self);
  ns_findings_report_groups (self, report_no_route);
}

static gboolean
is_timeout (const NsFindings *self, const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_TIMEOUT && !attempt->is_overtaken;
}

/* Returns whether the program closed the connection after a long wait and no record reports a
 * failure. */
static gboolean
is_silent (const NsFindings *self, const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_OPEN && !attempt->is_overtaken &&
         attempt->table == NS_TABLE_TCP &&
         ns_time_between (attempt->open_ns, attempt->close_ns) >= SILENT_NS (self);
}

/* Returns whether the attempt got no answer until the end of the trace, where gather() ends the
 * span. */
static gboolean
is_pending (const NsFindings *self, const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_OPEN && !attempt->is_overtaken &&
         attempt->table == NS_TABLE_TCP && !ns_time_is_set (attempt->close_ns);
}

static void
report_connect_timeouts (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *n_syns = g_strdup_printf ("%u", group->n_syns);

  ns_findings_report_sentence (
      self,
      group,
      NS_SEVERITY_PROBLEM,
      NS_FINDING_HIGH,
      group->n_syns > 0
          /* Translators: do not translate the words in braces. */
          ? _ ("{process}: {subject} did not answer within {longest} (connects: {count}, SYNs "
               "sent: {syns}).")
          : _ ("{process}: {subject} did not answer within {longest} (connects: {count})."),
      "syns",
      n_syns,
      NULL);
}

static void
report_silent (NsFindings *self, NsFindingGroup *group)
{
  group->is_absence = TRUE;
  report_connect_timeouts (self, group);
}

static void
report_pending (NsFindings *self, NsFindingGroup *group)
{
  if (group->worst_ns >= PENDING_NS)
    report_silent (self, group);
}

void
ns_find_connect_timeouts (NsFindings *self)
{
  gather (self, is_timeout);
  ns_findings_report_groups (self, report_connect_timeouts);
  ns_findings_clear_groups (self);
  gather (self, is_silent);
  ns_findings_report_groups (self, report_silent);
  ns_findings_clear_groups (self);
  gather (self, is_pending);
  ns_findings_report_groups (self, report_pending);
}

static gint64
get_length (const NsAttempt *attempt)
{
  return ns_time_between (attempt->open_ns, attempt->close_ns);
}

static gboolean
is_slow_loopback (const NsFindings *self, const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_REFUSED && ns_ip_is_loopback (&attempt->remote.ip) &&
         get_length (attempt) >= SLOW_REFUSAL_NS (self);
}

static gboolean
is_refused (const NsFindings *self, const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_REFUSED && !is_slow_loopback (self, attempt);
}

static void
report_refusals (NsFindings *self, NsFindingGroup *group)
{
  NsSeverity severity =
      group->count >= MANY_REFUSALS (self) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING;

  /* Each time another address of the server was reached. */
  if (group->sum_a == group->count)
    severity = NS_SEVERITY_INFO;
  ns_findings_report_sentence (self,
                               group,
                               severity,
                               NS_FINDING_HIGH,
                               _ ("{process}: {subject} refused the connection{times}."),
                               NULL);
}

void
ns_find_refusals (NsFindings *self)
{
  gather (self, is_refused);
  ns_findings_report_groups (self, report_refusals);
}

static void
report_slow_loopback (NsFindings *self, NsFindingGroup *group)
{
  ns_findings_report_sentence (self,
                               group,
                               NS_SEVERITY_WARNING,
                               NS_FINDING_HIGH,
                               _ ("{process}: no service was listening at {subject}, and Windows "
                                  "tried for {longest} before it reported that{times}."),
                               NULL);
}

void
ns_find_slow_loopback (NsFindings *self)
{
  gather (self, is_slow_loopback);
  ns_findings_report_groups (self, report_slow_loopback);
}

static gboolean
is_denied (const NsFindings *self, const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_DENIED;
}

/* Returns whether every connection attempt of the process was denied. */
static gboolean
has_reached_none (const NsFindings *self, guint32 pid)
{
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);

      if (attempt->pid == pid && attempt->end != NS_ATTEMPT_DENIED)
        return FALSE;
    }
  return pid != NS_PID_UNKNOWN;
}

/* Reports blocked incoming traffic. Its severity is INFO only, because filters block unsolicited
 * traffic all the time. */
static void
report_blocked_inbound (NsFindings *self, NsFindingGroup *group, const char *filter)
{
  ns_findings_report_sentence (
      self,
      group,
      NS_SEVERITY_INFO,
      NS_FINDING_MEDIUM,
      group->n_filter != 0
          /* Translators: do not translate the words in braces; filter is a number with a name or
           * without. */
          ? _ ("{process}: incoming traffic from {subject} was blocked on this "
               "machine by filter {filter}{times}.")
          : _ ("{process}: incoming traffic from {subject} was blocked on this "
               "machine{times}."),
      "filter",
      filter,
      NULL);
}

static void
report_denials (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *filter = ns_findings_dup_filter (self, group->n_filter);
  g_autofree char *layer =
      ns_findings_dup_filter_layer (self, group->n_filter, (guint) group->sum_b);
  const char *sentence;

  if (g_str_has_suffix (group->key, "\n" IS_INBOUND))
    {
      report_blocked_inbound (self, group, filter);
      return;
    }
  if (group->n_filter != 0)
    /* Translators: do not translate the words in braces; filter and layer are numbers with names or
     * without. */
    sentence = group->has_failed
                   ? _ ("{process}: traffic with {subject} was blocked on this machine by filter "
                        "{filter} in layer {layer} (WSAEACCES{also_times}).")
                   : _ ("{process}: traffic with {subject} was blocked on this machine by filter "
                        "{filter} (WSAEACCES{also_times}).");
  else
    sentence = _ ("{process}: connecting to {subject} was not allowed on this machine "
                  "(WSAEACCES{also_times}).");
  ns_findings_report_sentence (self,
                               group,
                               has_reached_none (self, group->pid) ? NS_SEVERITY_PROBLEM
                                                                   : NS_SEVERITY_WARNING,
                               NS_FINDING_MEDIUM,
                               sentence,
                               "filter",
                               filter,
                               "layer",
                               layer,
                               NULL);
}

/* Returns the process of the program path that a filter record names, if exactly one process of
 * that name ran at the time. */
static guint32
find_program (const NsTrace *trace, const char *path, gint64 time_ns)
{
  const char *name = strrchr (path, '\\') != NULL ? strrchr (path, '\\') + 1 : path;
  guint32 pid = NS_PID_UNKNOWN;
  guint i;

  for (i = 0; *name != '\0' && i < trace->processes->len; i++)
    {
      const NsProcessRow *row = &g_array_index (trace->processes, NsProcessRow, i);
      const char *other = row->name != NS_STRING_NONE ? ns_trace_text (trace, row->name) : NULL;

      if (other == NULL || g_ascii_strcasecmp (other, name) != 0 || row->start_ns > time_ns ||
          (ns_time_is_set (row->end_ns) && row->end_ns < time_ns))
        continue;
      if (pid != NS_PID_UNKNOWN)
        return NS_PID_UNKNOWN;
      pid = row->pid;
    }
  return pid;
}

static gboolean
is_filter_block (const NsSign *sign)
{
  return sign->source == NS_SIGN_WFP &&
         (sign->id == 1001 || sign->id == 1003 || sign->id == 1011 || sign->id == 1029);
}

/* Returns whether a WFP layer filters incoming traffic: INBOUND_IPPACKET, INBOUND_TRANSPORT,
 * INBOUND_ICMP_ERROR and ALE_AUTH_RECV_ACCEPT, each with its IPv4, IPv6 and discard variants
 * (FWPS_BUILTIN_LAYERS of fwpsu.h). */
static gboolean
is_inbound (const NsSign *sign)
{
  static const guint first[] = { 0, 12, 28, 44 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (first); i++)
    if (sign->source == NS_SIGN_WFP && sign->count >= first[i] && sign->count < first[i] + 4)
      return TRUE;
  return FALSE;
}

/* Stores the filter that blocked the traffic. Without a filter ID, a callout or the default action
 * did. */
static void
note_filter (NsFindingGroup *group, const NsSign *sign)
{
  if (!is_filter_block (sign) || sign->id == 1011 || sign->value <= 0)
    return;
  group->n_filter = (guint64) sign->value;
  group->has_failed = sign->count != NS_UNKNOWN;
  group->sum_b = sign->count != NS_UNKNOWN ? (guint64) sign->count : 0;
}

/* Finds the group of a denied connect to the same address at about the same time. */
static NsFindingGroup *
find_denied (NsFindings *self, const NsSign *sign)
{
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);
      g_autofree char *subject = NULL;

      if (!is_denied (self, attempt) || !ns_time_is_set (attempt->close_ns) ||
          ABS (attempt->close_ns - sign->time_ns) > NS_PER_SECOND ||
          (sign->remote != NULL && !ns_ip_equal (&sign->remote->ip, &attempt->remote.ip)))
        continue;
      subject = ns_findings_dup_endpoint (self, attempt->server, &attempt->remote);
      return ns_findings_group (self, attempt->pid, subject, NULL);
    }
  return NULL;
}

/* Groups the records of filters that blocked traffic; a connect that failed by a filter has a
 * record of its own, too. */
static void
gather_filters (NsFindings *self)
{
  guint n_filtered = 0;
  guint i;

  for (i = 0; i < self->trace->signs->len && n_filtered < MAX_FILTERED; i++)
    {
      const NsSign *sign = &g_array_index (self->trace->signs, NsSign, i);
      g_autofree char *subject = NULL;
      NsFindingGroup *group;
      guint32 pid = sign->pid;

      if (!is_filter_block (sign) &&
          !(sign->source == NS_SIGN_TCPIP && (sign->id == 1454 || sign->id == 1455) &&
            (guint32) sign->value >= 0xc0000000))
        continue;
      n_filtered++;
      group = find_denied (self, sign);
      if (group != NULL)
        {
          note_filter (group, sign);
          ns_findings_mark (group, sign->event);
          continue;
        }
      /* WFP records are logged on any thread, so the process comes from the program path. */
      if (sign->source == NS_SIGN_WFP)
        pid = find_program (self->trace, ns_findings_text (self, sign->name), sign->time_ns);
      subject =
          ns_findings_dup_endpoint (self,
                                    NS_STRING_NONE,
                                    sign->remote != NULL ? sign->remote : &ns_endpoint_pool_none);
      group = ns_findings_group (self, pid, subject, is_inbound (sign) ? IS_INBOUND : "filter");
      note_filter (group, sign);
      ns_findings_mark (group, sign->event);
      ns_findings_add (group, NS_N_TABLES, 0, 0, sign->time_ns, sign->time_ns);
    }
}

void
ns_find_denials (NsFindings *self)
{
  gather (self, is_denied);
  gather_filters (self);
  ns_findings_report_groups (self, report_denials);
}

/* Judges the attempts of one server from the first that failed to the one that succeeded. */
static void
judge_fallback (NsFindings *self, guint first, guint winner)
{
  const NsAttempt *loser = &g_array_index (self->attempts, NsAttempt, first);
  const NsAttempt *won = &g_array_index (self->attempts, NsAttempt, winner);
  gint64 cost_ns = ns_time_between (loser->open_ns, won->open_ns);
  g_autofree char *subject = NULL;
  NsFindingGroup *group;
  char text[NS_IP_TEXT_SIZE];

  /* Rule D36 covers loopback addresses that are refused slowly. */
  if (cost_ns < FALLBACK_NS (self) || cost_ns > FALLBACK_MAX_NS (self) ||
      is_slow_loopback (self, loser))
    return;
  subject = ns_findings_dup_host (self, loser->server, &loser->remote);
  group = ns_findings_group (self, loser->pid, subject, ns_ip_to_text (&loser->remote.ip, text));
  group->sum_a = loser->row;
  ns_findings_mark_attempt (self, group, loser);
  ns_findings_mark_at (self, group, loser->open_ns);
  ns_findings_mark_at (self, group, won->open_ns);
  group->sum_b = won->remote.ip.family == loser->remote.ip.family;
  ns_findings_add (group, loser->table, loser->row, loser->activity, loser->open_ns, won->open_ns);
  ns_findings_add (group, won->table, won->row, won->activity, won->open_ns, won->open_ns);
  group->count--;
}

static void
report_bad_first_address (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = ns_findings_dup_process (self, group);
  g_autofree char *worst = ns_findings_dup_span (group->worst_ns);
  g_autofree char *times = ns_findings_dup_times (group->count);
  const char *address = strrchr (group->key, '\n') + 1;

  ns_findings_report (self,
                      group,
                      group->worst_ns >= FALLBACK_BAD_NS (self) ? NS_SEVERITY_PROBLEM
                                                                : NS_SEVERITY_WARNING,
                      NS_FINDING_HIGH,
                      _ ("%s: up to %s was spent on connecting to %s, which was not reached, "
                         "before another address of %s was tried%s."),
                      process,
                      worst,
                      address,
                      group->subject,
                      times);
}

void
ns_find_bad_first_address (NsFindings *self)
{
  guint first = G_MAXUINT;
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);
      const NsAttempt *loser =
          first != G_MAXUINT ? &g_array_index (self->attempts, NsAttempt, first) : NULL;

      if (loser != NULL && (loser->pid != attempt->pid || loser->server != attempt->server))
        loser = NULL;
      if (attempt->end == NS_ATTEMPT_OK)
        {
          if (loser != NULL && !ns_ip_equal (&loser->remote.ip, &attempt->remote.ip))
            judge_fallback (self, first, i);
          first = G_MAXUINT;
        }
      else if (!attempt->is_overtaken)
        first = G_MAXUINT;
      else if (loser == NULL)
        first = i;
    }
  ns_findings_report_groups (self, report_bad_first_address);
}

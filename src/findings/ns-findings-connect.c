/* Rules about opening connections: D08 … D11, D15, D16, D35, D36, D41.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define UNREACHABLE_WITHIN_NS ns_threshold_get_ns (NS_THRESHOLD_D08_WITHIN)
#define MIN_UNREACHABLE ns_threshold_get (NS_THRESHOLD_D08_CONNECTS)
#define MANY_REFUSALS ns_threshold_get (NS_THRESHOLD_D11_PROBLEM)
#define MANY_LOST_SYNS ns_threshold_get (NS_THRESHOLD_D10_PROBLEM)
#define FALLBACK_NS                                                                                \
  ns_threshold_get_ns (NS_THRESHOLD_D35_DELAY) /* RFC 8305, 5: when the next address is tried */
#define FALLBACK_BAD_NS ns_threshold_get_ns (NS_THRESHOLD_D35_PROBLEM)
#define FALLBACK_MAX_NS ns_threshold_get_ns (NS_THRESHOLD_D35_LONGEST)
#define SILENT_NS ns_threshold_get_ns (NS_THRESHOLD_D09_SILENT)
#define DOWN_NS ns_threshold_get_ns (NS_THRESHOLD_D16_AFTER)
#define IS_DOWN "down"
/* So many are held against all connects. */
#define MAX_DOWN 200
#define MAX_FILTERED 2000
#define SLOW_REFUSAL_NS ns_threshold_get_ns (NS_THRESHOLD_D36_DELAY)
/* Ports 49152 … 65535, and how long each rests after its connection (2 × TIME_WAIT). */
#define N_LOCAL_PORTS ns_threshold_get (NS_THRESHOLD_D41_PORTS)
#define PORTS_PERCENT ns_threshold_get (NS_THRESHOLD_D41_SHARE)
#define PORTS_WITHIN_NS ns_threshold_get_ns (NS_THRESHOLD_D41_WITHIN)
#define STATUS_ADDRESS_IN_USE 0xc000020a

/* What gather() notes of a group, besides how many attempts were beaten. */
enum
{
  HAS_NO_NETWORK = 1,
  IS_LOOPBACK = 2,
};

typedef gboolean (*AttemptTest) (const NsAttempt *attempt);

/* What tells how the attempt ended. */
static void
mark (NsFindings *self, NsFindingGroup *group, const NsAttempt *attempt)
{
  if (attempt->event != G_MAXUINT32)
    ns_findings_mark (group, attempt->event);
  else
    ns_findings_mark_at (self, group, attempt->close_ns);
}

/* The attempts that pass the test, by process and endpoint. */
static void
gather (NsFindings *self, AttemptTest test)
{
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);
      g_autofree char *subject = NULL;
      NsFindingGroup *group;

      if (!test (attempt))
        continue;
      subject = ns_findings_dup_endpoint (self, attempt->server, &attempt->remote);
      group = ns_findings_group (self, attempt->pid, subject, NULL);
      group->sum_a += attempt->is_beaten;
      group->sum_b |= (attempt->end == NS_ATTEMPT_NO_NETWORK ? HAS_NO_NETWORK : 0) |
                      (ns_ip_is_loopback (&attempt->remote.ip) ? IS_LOOPBACK : 0);
      mark (self, group, attempt);
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

/* Whether so many of the group began within the window. */
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
is_unreachable (const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_NO_HOST || attempt->end == NS_ATTEMPT_NO_NETWORK;
}

/* Of a group of attempts in the order of time. */
static gboolean
is_repeated (NsFindingGroup *group)
{
  ns_findings_get_cost (group); /* puts them in order */
  return group->count >= MIN_UNREACHABLE &&
         are_near (group, MIN_UNREACHABLE, UNREACHABLE_WITHIN_NS);
}

static void
tell_unreachable (NsFindings *self, NsFindingGroup *group)
{
  if (is_repeated (group))
    ns_findings_say (
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
  ns_findings_tell (self, tell_unreachable);
}

static gboolean
is_without_network (const NsAttempt *attempt)
{
  return (attempt->end == NS_ATTEMPT_NO_NETWORK || attempt->end == NS_ATTEMPT_NO_ROUTE) &&
         !attempt->is_beaten;
}

static void
tell_no_route (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *interface = g_strdup_printf ("%u", (guint) group->sum_a);

  if (group->count == 0)
    return;
  ns_findings_say (self,
                   group,
                   NS_SEVERITY_PROBLEM,
                   NS_FINDING_MEDIUM,
                   g_str_has_suffix (group->key, "\n" IS_DOWN)
                       /* Translators: the words in braces stay as they are. */
                       ? _ ("{process}: the network interface {interface} went down; connects to "
                            "{subject} failed right after it (times: {count}).")
                       : _ ("{process}: there was no route to {subject} (WSAENETUNREACH, connects "
                            "that failed: {count})."),
                   "interface",
                   interface,
                   NULL);
}

/* IF_OPER_STATUS of an interface that carries something. */
#define OPERATES 1

static gboolean
went_down (const NsSign *sign)
{
  return sign->source == NS_SIGN_TCPIP &&
         (sign->id == 1106 || (sign->id == 1130 && sign->value != OPERATES));
}

/* Connects that failed within some seconds after an interface went down, whatever they say. */
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
              attempt->end == NS_ATTEMPT_CANCELLED || is_without_network (attempt) ||
              !ns_time_is_set (attempt->close_ns) || attempt->close_ns < sign->time_ns ||
              attempt->close_ns > sign->time_ns + DOWN_NS)
            continue;
          subject = ns_findings_dup_endpoint (self, attempt->server, &attempt->remote);
          group = ns_findings_group (self, attempt->pid, subject, IS_DOWN);
          group->sum_a = sign->key;
          ns_findings_mark (group, sign->event);
          mark (self, group, attempt);
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
  ns_findings_tell (self, tell_no_route);
}

static gboolean
is_timeout (const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_TIMEOUT && !attempt->is_beaten;
}

/* The program closed it after so long; nobody has said that it failed. */
static gboolean
is_silent (const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_OPEN && !attempt->is_beaten && attempt->table == NS_TABLE_TCP &&
         ns_time_between (attempt->open_ns, attempt->close_ns) >= SILENT_NS;
}

static void
tell_connect_timeouts (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *n_syns = g_strdup_printf ("%u", group->n_syns);

  ns_findings_say (
      self,
      group,
      NS_SEVERITY_PROBLEM,
      NS_FINDING_HIGH,
      group->n_syns > 0
          /* Translators: the words in braces stay as they are. */
          ? _ ("{process}: {subject} did not answer within {longest} (connects: {count}, SYNs "
               "sent: {syns}).")
          : _ ("{process}: {subject} did not answer within {longest} (connects: {count})."),
      "syns",
      n_syns,
      NULL);
}

static void
tell_silent (NsFindings *self, NsFindingGroup *group)
{
  group->is_absence = TRUE;
  tell_connect_timeouts (self, group);
}

void
ns_find_connect_timeouts (NsFindings *self)
{
  gather (self, is_timeout);
  ns_findings_tell (self, tell_connect_timeouts);
  ns_findings_clear_groups (self);
  gather (self, is_silent);
  ns_findings_tell (self, tell_silent);
}

static void
tell_lost_syns (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = ns_findings_dup_process (self, group);

  ns_findings_report (
      self,
      group,
      group->count >= MANY_LOST_SYNS ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      _ ("%s: the first SYN to %s got no answer before it was sent again (connects: %u, sent "
         "again: %u)."),
      process,
      group->subject,
      group->count,
      (guint) group->sum_a);
}

void
ns_find_lost_syns (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);
      const NsActivityRow *activity = NULL;
      g_autofree char *subject = NULL;
      NsFindingGroup *group;
      gint64 connect_ns = 0;
      guint32 n_again;

      if (attempt->end != NS_ATTEMPT_OK || attempt->table != NS_TABLE_TCP)
        continue;
      n_again = g_array_index (trace->tcp, NsTcpRow, attempt->row - 1).extra->syn_retransmits;
      if (n_again == 0)
        continue;
      if (attempt->activity != 0)
        activity = &g_array_index (trace->activities, NsActivityRow, attempt->activity - 1);
      if (activity != NULL && activity->tcp == attempt->row &&
          ns_activity_row_get_phase (activity, NS_PHASE_CONNECT) > 0)
        connect_ns = ns_activity_row_get_phase (activity, NS_PHASE_CONNECT);
      subject = ns_findings_dup_host (self, attempt->server, &attempt->remote);
      group = ns_findings_group (self, attempt->pid, subject, NULL);
      group->sum_a += n_again;
      ns_findings_add (group,
                       attempt->table,
                       attempt->row,
                       attempt->activity,
                       attempt->open_ns,
                       ns_time_after (attempt->open_ns, connect_ns));
    }
  ns_findings_tell (self, tell_lost_syns);
}

static gint64
get_length (const NsAttempt *attempt)
{
  return ns_time_between (attempt->open_ns, attempt->close_ns);
}

static gboolean
is_slow_loopback (const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_REFUSED && ns_ip_is_loopback (&attempt->remote.ip) &&
         get_length (attempt) >= SLOW_REFUSAL_NS;
}

static gboolean
is_refused (const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_REFUSED && !is_slow_loopback (attempt);
}

static void
tell_refusals (NsFindings *self, NsFindingGroup *group)
{
  NsSeverity severity = group->count >= MANY_REFUSALS ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING;

  /* Programs probe their own machine, and one address after the other. */
  if (group->sum_a == group->count ||
      (group->count < MANY_REFUSALS && (group->sum_b & IS_LOOPBACK) != 0))
    severity = NS_SEVERITY_INFO;
  ns_findings_say (self,
                   group,
                   severity,
                   NS_FINDING_HIGH,
                   _ ("{process}: {subject} refused the connection (times: {count})."),
                   NULL);
}

void
ns_find_refusals (NsFindings *self)
{
  gather (self, is_refused);
  ns_findings_tell (self, tell_refusals);
}

static void
tell_slow_loopback (NsFindings *self, NsFindingGroup *group)
{
  ns_findings_say (
      self,
      group,
      NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      _ ("{process}: nothing listens at {subject}, and Windows tried for {longest} before it said "
         "so (times: {count})."),
      NULL);
}

void
ns_find_slow_loopback (NsFindings *self)
{
  gather (self, is_slow_loopback);
  ns_findings_tell (self, tell_slow_loopback);
}

static gboolean
is_denied (const NsAttempt *attempt)
{
  return attempt->end == NS_ATTEMPT_DENIED;
}

/* Whether the process reached nobody at all. */
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

static void
tell_denials (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *filter = g_strdup_printf ("%u", (guint) group->n_filter);

  ns_findings_say (
      self,
      group,
      has_reached_none (self, group->pid) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_MEDIUM,
      group->n_filter != 0
          /* Translators: the words in braces stay as they are. */
          ? _ ("{process}: traffic with {subject} was blocked on this machine by filter {filter} "
               "(WSAEACCES, times: {count}).")
          : _ ("{process}: connecting to {subject} was not allowed on this machine (WSAEACCES, "
               "times: {count})."),
      "filter",
      filter,
      NULL);
}

/* The group of a connect that failed at the same moment. */
static NsFindingGroup *
find_denied (NsFindings *self, const NsSign *sign)
{
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);
      g_autofree char *subject = NULL;

      if (!is_denied (attempt) || !ns_time_is_set (attempt->close_ns) ||
          ABS (attempt->close_ns - sign->time_ns) > NS_PER_SECOND ||
          (sign->remote != NULL && !ns_ip_equal (&sign->remote->ip, &attempt->remote.ip)))
        continue;
      subject = ns_findings_dup_endpoint (self, attempt->server, &attempt->remote);
      return ns_findings_group (self, attempt->pid, subject, NULL);
    }
  return NULL;
}

/* A filter says no of its own; of a connect that failed by it another record tells, too. */
static void
gather_filters (NsFindings *self)
{
  guint n_filtered = 0;
  guint i;

  for (i = 0; i < self->trace->signs->len && n_filtered < MAX_FILTERED; i++)
    {
      const NsSign *sign = &g_array_index (self->trace->signs, NsSign, i);
      gboolean is_filter =
          sign->source == NS_SIGN_WFP && (sign->id == 1001 || sign->id == 1029) && sign->value != 0;
      g_autofree char *subject = NULL;
      NsFindingGroup *group;

      if (!is_filter && !(sign->source == NS_SIGN_TCPIP && (sign->id == 1454 || sign->id == 1455) &&
                          (guint32) sign->value >= 0xc0000000))
        continue;
      n_filtered++;
      subject = ns_findings_dup_endpoint (self,
                                          NS_STRING_NONE,
                                          sign->remote != NULL ? sign->remote : &ns_ends_none);
      group = find_denied (self, sign);
      if (group != NULL)
        {
          group->n_filter = is_filter ? (guint64) sign->value : group->n_filter;
          ns_findings_mark (group, sign->event);
          continue;
        }
      group = ns_findings_group (self, sign->pid, subject, "filter");
      group->n_filter = is_filter ? (guint64) sign->value : 0;
      ns_findings_mark (group, sign->event);
      ns_findings_add (group, NS_N_TABLES, 0, 0, sign->time_ns, sign->time_ns);
    }
}

void
ns_find_denials (NsFindings *self)
{
  gather (self, is_denied);
  gather_filters (self);
  ns_findings_tell (self, tell_denials);
}

/* The attempts of one server from the first that failed to the one that reached it. */
static void
judge_fallback (NsFindings *self, guint first, guint winner)
{
  const NsAttempt *loser = &g_array_index (self->attempts, NsAttempt, first);
  const NsAttempt *won = &g_array_index (self->attempts, NsAttempt, winner);
  gint64 cost_ns = ns_time_between (loser->open_ns, won->open_ns);
  g_autofree char *subject = NULL;
  NsFindingGroup *group;
  char text[NS_IP_TEXT_SIZE];

  if (cost_ns < FALLBACK_NS || cost_ns > FALLBACK_MAX_NS)
    return;
  subject = ns_findings_dup_host (self, loser->server, &loser->remote);
  group = ns_findings_group (self, loser->pid, subject, ns_ip_to_text (&loser->remote.ip, text));
  group->sum_a = loser->row;
  group->sum_b = won->remote.ip.family == loser->remote.ip.family;
  ns_findings_add (group, loser->table, loser->row, loser->activity, loser->open_ns, won->open_ns);
  ns_findings_add (group, won->table, won->row, won->activity, won->open_ns, won->open_ns);
  group->count--;
}

static void
tell_bad_first_address (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = ns_findings_dup_process (self, group);
  g_autofree char *worst = ns_findings_dup_span (group->worst_ns);
  const char *address = strrchr (group->key, '\n') + 1;

  ns_findings_report (self,
                      group,
                      group->worst_ns >= FALLBACK_BAD_NS ? NS_SEVERITY_PROBLEM
                                                         : NS_SEVERITY_WARNING,
                      NS_FINDING_HIGH,
                      _ ("%s: up to %s went to %s, which was not reached, before another "
                         "address of %s was tried (times: %u)."),
                      process,
                      worst,
                      address,
                      group->subject,
                      group->count);
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
      else if (!attempt->is_beaten)
        first = G_MAXUINT;
      else if (loser == NULL)
        first = i;
    }
  ns_findings_tell (self, tell_bad_first_address);
}

static void
add_exhausted (NsFindings *self)
{
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);

      if (attempt->end == NS_ATTEMPT_NO_PORTS)
        ns_findings_add (ns_findings_group (self, attempt->pid, "", "failed"),
                         attempt->table,
                         attempt->row,
                         attempt->activity,
                         attempt->open_ns,
                         ns_findings_end (self, attempt->close_ns));
    }
  for (i = 0; i < self->trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (self->trace->calls, NsCallRow, i);

      if (g_strcmp0 (call->call, "bind") == 0 && call->has_status &&
          call->status_family == NS_CODE_NTSTATUS &&
          (call->status == STATUS_ADDRESS_IN_USE ||
           ns_attempt_end_of (NS_CODE_NTSTATUS, call->status) == NS_ATTEMPT_NO_PORTS))
        ns_findings_add (ns_findings_group (self,
                                            call->pid,
                                            "",
                                            call->status == STATUS_ADDRESS_IN_USE ? "used"
                                                                                  : "failed"),
                         NS_TABLE_CALLS,
                         i + 1,
                         call->activity,
                         call->open_ns,
                         ns_findings_end (self, call->close_ns));
    }
}

/* What TCPIP says of ports that could not be had; a connect that failed so is told by its attempt.
 */
static void
add_refused_ports (NsFindings *self)
{
  guint i;

  for (i = 0; i < self->trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (self->trace->signs, NsSign, i);
      NsFindingGroup *group;
      gboolean is_used = (guint32) sign->value == STATUS_ADDRESS_IN_USE;

      if (sign->source != NS_SIGN_TCPIP ||
          (sign->id != 1006 && sign->id != 1394 && (sign->id != 1050 || sign->tcp != 0)))
        continue;
      group = ns_findings_group (self, sign->pid, "", is_used ? "used" : "failed");
      ns_findings_mark (group, sign->event);
      if (!is_used || group->count == 0)
        ns_findings_add (group, NS_N_TABLES, 0, 0, sign->time_ns, sign->time_ns);
      if (sign->local != NULL && group->local.port == 0)
        group->local = *sign->local;
    }
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a;
  gint64 right = *(const gint64 *) b;

  return (left > right) - (left < right);
}

/* The most connections that one endpoint got within the time that ports rest. */
static guint
count_densest (GArray *times)
{
  guint best = 0;
  guint begin = 0;
  guint i;

  g_array_sort (times, compare_times);
  for (i = 0; i < times->len; i++)
    {
      while (g_array_index (times, gint64, i) - g_array_index (times, gint64, begin) >
             PORTS_WITHIN_NS)
        begin++;
      best = MAX (best, i - begin + 1);
    }
  return best;
}

static void
free_times (gpointer times)
{
  g_array_unref (times);
}

static void
warn_of_many (NsFindings *self)
{
  g_autoptr (GHashTable) endpoints =
      g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, free_times);
  GHashTableIter iter;
  gpointer key;
  gpointer value;
  guint i;

  if (self->attempts->len < N_LOCAL_PORTS * PORTS_PERCENT / 100)
    return;
  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);
      char text[NS_IP_TEXT_SIZE];
      char *name =
          g_strdup_printf ("%u %s", attempt->pid, ns_endpoint_to_text (&attempt->remote, text));
      GArray *times = g_hash_table_lookup (endpoints, name);

      if (times == NULL)
        {
          times = g_array_new (FALSE, FALSE, sizeof (gint64));
          g_hash_table_insert (endpoints, g_strdup (name), times);
        }
      g_array_append_val (times, attempt->open_ns);
      g_free (name);
    }
  g_hash_table_iter_init (&iter, endpoints);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint n = count_densest (value);
      guint32 pid = (guint32) g_ascii_strtoull (key, NULL, 10);
      NsFindingGroup *group;

      if (n < N_LOCAL_PORTS * PORTS_PERCENT / 100)
        continue;
      group = ns_findings_group (self, pid, strchr (key, ' ') + 1, "many");
      ns_findings_add (group,
                       NS_TABLE_TCP,
                       0,
                       0,
                       g_array_index ((GArray *) value, gint64, 0),
                       g_array_index ((GArray *) value, gint64, 0));
      group->sum_a = n;
    }
}

static void
report_ports (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *within = ns_findings_dup_span (PORTS_WITHIN_NS);
  g_autofree char *ports = g_strdup_printf ("%u", N_LOCAL_PORTS);
  g_autofree char *n = g_strdup_printf ("%u", (guint) group->sum_a);

  if (g_str_has_suffix (group->key, "\nmany"))
    ns_findings_say (self,
                     group,
                     NS_SEVERITY_WARNING,
                     NS_FINDING_MEDIUM,
                     /* Translators: the words in braces stay as they are. */
                     _ ("{process} opened {n} connections to {subject} within {within}: the "
                        "{ports} local ports are nearly used up."),
                     "n",
                     n,
                     "within",
                     within,
                     "ports",
                     ports,
                     NULL);
  else if (g_str_has_suffix (group->key, "\nfailed"))
    ns_findings_say (
        self,
        group,
        NS_SEVERITY_PROBLEM,
        NS_FINDING_HIGH,
        _ ("{process}: no local port or buffer was left (WSAENOBUFS, times: {count})."),
        NULL);
  else
    ns_findings_say (
        self,
        group,
        NS_SEVERITY_INFO,
        NS_FINDING_HIGH,
        _ ("{process}: the local address was in use already (WSAEADDRINUSE, times: {count})."),
        NULL);
}

void
ns_find_port_exhaustion (NsFindings *self)
{
  add_exhausted (self);
  add_refused_ports (self);
  warn_of_many (self);
  ns_findings_tell (self, report_ports);
}

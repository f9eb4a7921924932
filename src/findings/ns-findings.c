/* What went wrong in a trace: every rule is asked, and its answer put in order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define TCPIP "Microsoft-Windows-TCPIP"
#define AFD "Microsoft-Windows-Winsock-AFD"
#define CONNECT TCPIP "|" AFD "|Microsoft-Windows-WebIO"
#define NAMES "Microsoft-Windows-DNS-Client"
#define REQUESTS "Microsoft-Windows-WebIO|Microsoft-Windows-WinINet"
#define TABLES(...)                                                                                \
  {                                                                                                \
    __VA_ARGS__, NS_N_TABLES                                                                       \
  }
#define ATTEMPTS TABLES (NS_TABLE_TCP, NS_TABLE_CALLS, NS_TABLE_WEBIO)
#define ASKED TABLES (NS_TABLE_WEBIO, NS_TABLE_WININET, NS_TABLE_CHROMIUM)

/* clang-format off */
static const NsFindingRule rules[] = {
  { "D01", N_("Slow name resolution"), N_("Look at the resolver that was asked, and whether the name could be kept longer."), NAMES "|Microsoft-Windows-Winsock-NameResolution", TABLES (NS_TABLE_DNS), ns_find_slow_names },
  { "D02", N_("A name server did not answer"), N_("Take that server out of the settings of the adapter, or see why it is silent."), NAMES, TABLES (NS_TABLE_DNS), ns_find_silent_server, 3010 },
  { "D03", N_("No DNS server answered"), N_("Check that the resolvers of this network can be reached, also through the VPN."), NAMES, TABLES (NS_TABLE_DNS), ns_find_silent_name_servers },
  { "D04", N_("Names tried with suffixes"), N_("Use the full name, ended by a dot, or make the list of suffixes shorter."), NAMES, TABLES (NS_TABLE_DNS), ns_find_suffixes },
  { "D05", N_("Name servers of the wrong adapter"), N_("Give names of this kind to the right adapter: rules of the VPN, order of adapters."), NAMES, TABLES (NS_TABLE_DNS), ns_find_wrong_adapter, 3010 },
  { "D06", N_("One address family answers late"), N_("Ask the resolver why the two types of the name differ; callers wait for both."), NAMES, TABLES (NS_TABLE_DNS), ns_find_late_answers },
  { "D07", N_("Same name resolved again and again"), N_("See whether the answer may be kept, and whether the DNS cache is on."), NAMES, TABLES (NS_TABLE_DNS), ns_find_names_asked_again },
  { "D08", N_("Destination unreachable, again and again"), N_("Check the route, the gateway and whether the host is on."), CONNECT, ATTEMPTS, ns_find_unreachable },
  { "D09", N_("Connect timed out"), N_("The host is off, or a firewall drops without an answer: try the port from elsewhere."), CONNECT, ATTEMPTS, ns_find_connect_timeouts },
  { "D10", N_("Connect needed more than one SYN"), N_("Look for loss on the way, or a server whose queue of connections is full: both look the same."), TCPIP, TABLES (NS_TABLE_TCP), ns_find_lost_syns },
  { "D11", N_("Connection refused"), N_("See that the service runs and listens at that port."), CONNECT, ATTEMPTS, ns_find_refusals },
  { "D12", N_("Reset by peer during a request"), N_("Look at the logs of the server and of what stands before it."), TCPIP "|" AFD, TABLES (NS_TABLE_TCP, NS_TABLE_WINSOCK), ns_find_resets },
  { "D13", N_("Answer cut off"), N_("See who closed first: the logs of the server, or the program itself."), AFD, TABLES (NS_TABLE_CALLS), ns_find_early_ends },
  { "D14", N_("Connection died unanswered"), N_("Cable, VPN, sleep, or a firewall that forgot the connection."), TCPIP, TABLES (NS_TABLE_TCP), ns_find_dead_connections },
  { "D15", N_("Refused on this machine"), N_("A local firewall or filter driver said no: look at its rules for this program."), CONNECT, ATTEMPTS, ns_find_denials },
  { "D16", N_("No route to the network"), N_("Check the adapter and its addresses at that time."), CONNECT, ATTEMPTS, ns_find_no_route },
  { "D17", N_("Many segments sent again"), N_("Look for loss on the way: Wi-Fi, a full link, a wrong duplex."), TCPIP, TABLES (NS_TABLE_TCP), ns_find_retransmissions },
  { "D18", N_("Receiver takes no data"), N_("Look at the program on the other side: it reads too slowly."), TCPIP, TABLES (NS_TABLE_TCP), ns_find_zero_windows },
  { "D19", N_("Sending limited by a window"), N_("A larger window of the receiver, or a shorter way, lets more through."), TCPIP, TABLES (NS_TABLE_TCP), ns_find_window_limits, 1477 },
  { "D20", N_("Large packets vanish"), N_("Let ICMP “too big” through, or make the MTU of the tunnel smaller."), TCPIP, TABLES (NS_TABLE_TCP), ns_find_black_holes },
  { "D21", N_("Packets dropped by Windows"), N_("Look at what dropped them: firewall, filter driver or adapter."), "Microsoft-Windows-PktMon|PktMon", { NS_N_TABLES }, ns_find_drops },
  { "D22", N_("Many small sends"), N_("Collect what is sent into one buffer."), AFD, TABLES (NS_TABLE_CALLS), ns_find_small_sends },
  { "D23", N_("Small sends wait for acknowledgments"), N_("Send each request at once, or switch TCP_NODELAY on."), TCPIP, TABLES (NS_TABLE_TCP), ns_find_delayed_acks, 1159 },
  { "D24", N_("Slow TLS handshake"), N_("Look for a slow server, or for certificates that are checked over the network."), REQUESTS, ASKED, ns_find_slow_tls },
  { "D25", N_("Certificates checked over the network"), N_("See that the server of the list can be reached, or let the web server staple its answer."), REQUESTS, ASKED, ns_find_slow_certificates },
  { "D26", N_("TLS failed"), N_("Look at the certificate of the server, at its name and dates, and at the versions both sides allow."), REQUESTS, ASKED, ns_find_tls_errors },
  { "D27", N_("Search for a proxy"), N_("Switch the search for a proxy off, or answer it at once."), REQUESTS "|" NAMES, TABLES (NS_TABLE_WEBIO, NS_TABLE_WININET, NS_TABLE_CHROMIUM, NS_TABLE_DNS), ns_find_proxy_searches },
  { "D28", N_("Requests sent again to log on"), N_("Keep connections open, and let the client authenticate beforehand."), REQUESTS, ASKED, ns_find_authentication },
  { "D29", N_("Silence in the middle of a request"), N_("See what the program did meanwhile: it did not wait for the network."), AFD, TABLES (NS_TABLE_CALLS), ns_find_gaps },
  { "D30", N_("Errors of the web server"), N_("Look at the server's log for these requests."), REQUESTS, ASKED, ns_find_http_errors },
  { "D31", N_("Chain of redirects"), N_("Ask for the last address at once."), REQUESTS, ASKED, ns_find_redirects },
  { "D32", N_("Connections not used again"), N_("Keep one client object, and read answers to their end."), REQUESTS, ASKED, ns_find_new_connections },
  { "D33", N_("Sockets not closed, or used out of order"), N_("Close each socket when it is done with, also where something fails, and not before."), AFD, TABLES (NS_TABLE_WINSOCK, NS_TABLE_CALLS), ns_find_socket_lives },
  { "D34", N_("Requests waited for a connection"), N_("Allow more connections to the server, or ask less at a time."), REQUESTS, ASKED, ns_find_pool_waits },
  { "D35", N_("Bad first address"), N_("Repair the address that never answered, or take it out of DNS."), CONNECT, ATTEMPTS, ns_find_bad_first_address },
  { "D36", N_("Loopback refused slowly"), N_("Name the address that the service listens at: 127.0.0.1 or ::1."), CONNECT, ATTEMPTS, ns_find_slow_loopback },
  { "D37", N_("Work waited for a thread of the pool"), N_("See what the threads of the pool were busy with; do not block in them."), "Microsoft-Windows-ThreadPool|ThreadPool", TABLES (NS_TABLE_TASKS), ns_find_thread_pool_waits },
  { "D38", N_("A window waited for the network"), N_("Ask for names and data on another thread than that of the window."), "Microsoft-Windows-Winsock-NameResolution", { NS_N_TABLES }, ns_find_blocked_windows },
  { "D39", N_("Polling or retrying"), N_("Ask less often, or wait longer after each failure."), REQUESTS, ASKED, ns_find_repetition },
  { "D40", N_("Idle connection was forgotten"), N_("Use keep-alive at a shorter interval than that."), AFD, TABLES (NS_TABLE_CALLS), ns_find_forgotten_connections },
  { "D41", N_("Local ports ran out"), N_("Use connections again instead of opening new ones."), CONNECT, ATTEMPTS, ns_find_port_exhaustion },
  { "D42", N_("Slow LDAP search"), N_("Search with an indexed attribute, and below a narrower base."), "Microsoft-Windows-LDAP-Client", TABLES (NS_TABLE_LDAP), ns_find_slow_ldap },
  { "D43", N_("Slow server"), N_("The network was faster than that: look at the server."), REQUESTS, ASKED, ns_find_slow_servers },
  { "D44", N_("Events lost"), N_("Record with more or larger buffers; findings of this trace may be wrong."), NULL, { NS_N_TABLES }, ns_find_losses },
  { "D45", N_("Not recorded"), N_("Record again with these providers to have the answer."), NULL, { NS_N_TABLES }, ns_find_missing_providers },
  { "D46", N_("The machine was silent"), N_("See whether it slept: what fails right after it has this cause."), NULL, { NS_N_TABLES }, ns_find_silences },
};
/* clang-format on */

static void
group_free (gpointer data)
{
  NsFindingGroup *group = data;

  g_free (group->key);
  g_free (group->subject);
  g_array_unref (group->spans);
  g_array_unref (group->refs);
  g_array_unref (group->activities);
  g_array_unref (group->moments);
  g_free (group);
}

/* The group of a process and a subject, and of what else tells them apart (@extra, nullable). */
NsFindingGroup *
ns_findings_group (NsFindings *self, guint32 pid, const char *subject, const char *extra)
{
  g_autofree char *key = g_strdup_printf ("%u\n%s\n%s", pid, subject, extra != NULL ? extra : "");
  NsFindingGroup *group = g_hash_table_lookup (self->groups, key);

  if (group != NULL)
    return group;
  group = g_new0 (NsFindingGroup, 1);
  group->key = g_steal_pointer (&key);
  group->subject = g_strdup (subject);
  group->pid = pid;
  group->process_ns = NS_TIME_NONE;
  group->spans = g_array_new (FALSE, FALSE, sizeof (NsTimeSpan));
  group->refs = g_array_new (FALSE, FALSE, sizeof (NsFindingRef));
  group->activities = g_array_new (FALSE, FALSE, sizeof (NsRow));
  group->moments = g_array_new (FALSE, FALSE, sizeof (NsFindingMoment));
  g_hash_table_insert (self->groups, group->key, group);
  g_ptr_array_add (self->order, group);
  return group;
}

/* One more row that shows it, with the time it lost. Of some rows only one end is known, of some
 * none: those count, but lost no time that could be told. */
void
ns_findings_add (NsFindingGroup *group,
                 NsTableId table,
                 NsRow row,
                 NsRow activity,
                 gint64 open_ns,
                 gint64 close_ns)
{
  gint64 begin_ns = ns_time_is_set (open_ns) ? open_ns : close_ns;
  NsFindingRef ref = { table, row };

  group->count++;
  if (ns_time_is_set (begin_ns))
    {
      NsTimeSpan span = { begin_ns,
                          ns_time_is_set (close_ns) ? MAX (close_ns, begin_ns) : begin_ns };

      if (group->process_ns == NS_TIME_NONE)
        group->process_ns = begin_ns;
      group->worst_ns = MAX (group->worst_ns, span.end_ns - span.begin_ns);
      g_array_append_val (group->spans, span);
    }
  if (row != 0)
    g_array_append_val (group->refs, ref);
  if (activity == 0 && table == NS_TABLE_ACTIVITIES)
    activity = row;
  if (activity != 0)
    g_array_append_val (group->activities, activity);
}

/* A row that is looked at beside those that lost time. */
void
ns_findings_add_ref (NsFindingGroup *group, NsTableId table, NsRow row)
{
  NsFindingRef ref = { table, row };

  g_array_append_val (group->refs, ref);
}

void
ns_findings_add_moment (NsFindingGroup *group, const NsFindingMoment *moment)
{
  if (group->process_ns == NS_TIME_NONE)
    group->process_ns = moment->open_ns;
  g_array_append_vals (group->moments, moment, 1);
}

static gint
compare_moments (gconstpointer a, gconstpointer b)
{
  const NsFindingMoment *left = a;
  const NsFindingMoment *right = b;

  if (left->open_ns != right->open_ns)
    return left->open_ns < right->open_ns ? -1 : 1;
  return (left->row > right->row) - (left->row < right->row);
}

void
ns_findings_sort_moments (NsFindingGroup *group)
{
  g_array_sort (group->moments, compare_moments);
}

static gint
compare_spans (gconstpointer a, gconstpointer b)
{
  const NsTimeSpan *left = a;
  const NsTimeSpan *right = b;

  return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

/* The time that at least one of the rows lost. */
gint64
ns_findings_get_cost (const NsFindingGroup *group)
{
  gint64 until_ns = G_MININT64;
  gint64 cost_ns = 0;
  guint i;

  g_array_sort (group->spans, compare_spans);
  for (i = 0; i < group->spans->len; i++)
    {
      const NsTimeSpan *span = &g_array_index (group->spans, NsTimeSpan, i);
      gint64 begin_ns = MAX (span->begin_ns, until_ns);

      if (span->end_ns > begin_ns)
        cost_ns += span->end_ns - begin_ns;
      until_ns = MAX (until_ns, span->end_ns);
    }
  return cost_ns;
}

static gint
compare_refs (gconstpointer a, gconstpointer b)
{
  const NsFindingRef *left = a;
  const NsFindingRef *right = b;

  if (left->table != right->table)
    return left->table < right->table ? -1 : 1;
  return (left->row > right->row) - (left->row < right->row);
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  NsRow left = *(const NsRow *) a;
  NsRow right = *(const NsRow *) b;

  return (left > right) - (left < right);
}

static void
sort_once (GArray *values, GCompareFunc compare)
{
  guint size = g_array_get_element_size (values);
  guint n_kept = 0;
  guint i;

  g_array_sort (values, compare);
  for (i = 0; i < values->len; i++)
    {
      const char *value = values->data + (gsize) i * size;

      if (n_kept > 0 && compare (values->data + (gsize) (n_kept - 1) * size, value) == 0)
        continue;
      memmove (values->data + (gsize) n_kept * size, value, size);
      n_kept++;
    }
  g_array_set_size (values, n_kept);
}

/* Lets a rule tell of each group it has gathered, in the order of their making. */
void
ns_findings_tell (NsFindings *self, NsFindingTellFunc tell)
{
  guint i;

  for (i = 0; i < self->order->len; i++)
    tell (self, g_ptr_array_index (self->order, i));
}

/* Takes what the group has gathered; a group is reported once. */
void
ns_findings_report (NsFindings *self,
                    NsFindingGroup *group,
                    NsSeverity severity,
                    NsFindingTrust trust,
                    const char *format,
                    ...)
{
  NsFindingRow row = { 0 };
  va_list arguments;

  va_start (arguments, format);
  row.text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  row.rule = self->rule->id;
  row.title = _ (self->rule->title);
  row.advice = _ (self->rule->advice);
  row.severity = severity;
  row.verdict = NS_VERDICT_FOUND;
  row.trust = self->has_losses && trust > NS_FINDING_LOW ? trust - 1 : trust;
  row.pid = group->pid;
  row.process_ns = group->process_ns;
  row.subject = group->subject[0] != '\0' ? g_strdup (group->subject) : NULL;
  row.cost_ns = ns_findings_get_cost (group);
  row.count = group->count;
  row.open_ns = row.close_ns = NS_TIME_NONE;
  if (group->spans->len > 0)
    {
      guint i;

      row.open_ns = g_array_index (group->spans, NsTimeSpan, 0).begin_ns;
      for (i = 0; i < group->spans->len; i++)
        row.close_ns = MAX (row.close_ns, g_array_index (group->spans, NsTimeSpan, i).end_ns);
    }
  else
    row.cost_ns = NS_UNKNOWN;
  row.activities = g_array_ref (group->activities);
  row.refs = g_array_ref (group->refs);
  sort_once (row.activities, compare_numbers);
  sort_once (row.refs, compare_refs);
  row.evidence = g_array_new (FALSE, FALSE, sizeof (guint32));
  row.needs = g_ptr_array_new ();
  g_array_append_val (self->rows, row);
}

static void
finding_clear (gpointer data)
{
  NsFindingRow *row = data;

  g_clear_pointer (&row->subject, g_free);
  g_clear_pointer (&row->text, g_free);
  g_clear_pointer (&row->activities, g_array_unref);
  g_clear_pointer (&row->refs, g_array_unref);
  g_clear_pointer (&row->evidence, g_array_unref);
  g_clear_pointer (&row->needs, g_ptr_array_unref);
}

static guint
count_rows (const NsTrace *trace, NsTableId table)
{
  switch ((guint) table)
    {
    case NS_TABLE_DNS:
      return trace->dns->len;
    case NS_TABLE_TCP:
      return trace->tcp->len;
    case NS_TABLE_CALLS:
      return trace->calls->len;
    case NS_TABLE_WINSOCK:
      return trace->winsock->len;
    case NS_TABLE_WEBIO:
      return trace->webio->len;
    case NS_TABLE_WININET:
      return trace->wininet->len;
    case NS_TABLE_CHROMIUM:
      return trace->chromium->len;
    case NS_TABLE_LDAP:
      return trace->ldap->len;
    case NS_TABLE_TASKS:
      return trace->tasks->len;
    default:
      return 0;
    }
}

static gboolean
has_provider (const NsTrace *trace, const char *name)
{
  guint i;

  for (i = 0; i < trace->providers->len; i++)
    {
      const NsProviderRow *row = &g_array_index (trace->providers, NsProviderRow, i);

      if (row->n_events > 0 && g_strcmp0 (ns_trace_text (trace, row->name), name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Whether the provider wrote an event with this number at all. */
static gboolean
has_event (const NsTrace *trace, const char *name, guint16 id)
{
  guint i;

  for (i = 0; i < trace->kinds->len; i++)
    {
      const NsKindRow *kind = &g_array_index (trace->kinds, NsKindRow, i);

      if (kind->id == id && kind->n_events > 0 && kind->provider < trace->providers->len &&
          g_strcmp0 (
              ns_trace_text (trace,
                             g_array_index (trace->providers, NsProviderRow, kind->provider).name),
              name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Whether the trace could have shown it; what is missing goes to @needs. */
static gboolean
can_judge (const NsTrace *trace, const NsFindingRule *rule, GPtrArray *needs)
{
  g_auto (GStrv) names = NULL;
  guint i;

  if (rule->needs == NULL)
    return TRUE;
  if (rule->event != 0)
    {
      if (!has_event (trace, rule->needs, rule->event))
        g_ptr_array_add (needs, (gpointer) rule->needs);
      return needs->len == 0;
    }
  for (i = 0; rule->tables[i] != NS_N_TABLES; i++)
    if (count_rows (trace, rule->tables[i]) > 0)
      return TRUE;
  names = g_strsplit (rule->needs, "|", -1);
  for (i = 0; names[i] != NULL; i++)
    if (has_provider (trace, names[i]))
      return TRUE;
  for (i = 0; names[i] != NULL; i++)
    g_ptr_array_add (needs, (gpointer) g_intern_string (names[i]));
  return FALSE;
}

/* The rule found nothing: was there anything to look at? */
static void
add_verdict (NsFindings *self)
{
  NsFindingRow row = { 0 };

  row.rule = self->rule->id;
  row.title = _ (self->rule->title);
  row.severity = NS_SEVERITY_INFO;
  row.pid = NS_PID_UNKNOWN;
  row.process_ns = 0;
  row.open_ns = row.close_ns = NS_TIME_NONE;
  row.cost_ns = NS_UNKNOWN;
  row.activities = g_array_new (FALSE, FALSE, sizeof (NsRow));
  row.refs = g_array_new (FALSE, FALSE, sizeof (NsFindingRef));
  row.evidence = g_array_new (FALSE, FALSE, sizeof (guint32));
  row.needs = g_ptr_array_new ();
  row.trust = self->has_losses ? NS_FINDING_MEDIUM : NS_FINDING_HIGH;
  if (can_judge (self->trace, self->rule, row.needs))
    {
      row.verdict = NS_VERDICT_NOT_FOUND;
      row.text = g_strdup (_ ("Nothing of the kind was found."));
    }
  else
    {
      g_autofree char *names = NULL;

      g_ptr_array_add (row.needs, NULL);
      names = g_strjoinv (", ", (char **) row.needs->pdata);
      g_ptr_array_set_size (row.needs, (int) row.needs->len - 1);
      row.verdict = NS_VERDICT_UNJUDGED;
      row.text =
          self->rule->event != 0
              /* Translators: the number of an event, and the name of its provider. */
              ? g_strdup_printf (_ ("Nothing was recorded that could tell: no event %u of %s."),
                                 self->rule->event,
                                 names)
              /* Translators: names of event providers, of which one would do. */
              : g_strdup_printf (_ ("Nothing was recorded that could tell: no events of %s."),
                                 names);
    }
  g_array_append_val (self->rows, row);
}

static gint
compare_findings (gconstpointer a, gconstpointer b)
{
  const NsFindingRow *left = a;
  const NsFindingRow *right = b;
  int order;

  if (left->verdict != right->verdict)
    return left->verdict < right->verdict ? -1 : 1;
  if (left->cost_ns != right->cost_ns)
    return left->cost_ns > right->cost_ns ? -1 : 1;
  if (left->severity != right->severity)
    return left->severity > right->severity ? -1 : 1;
  order = strcmp (left->rule, right->rule);
  if (order == 0)
    order = (left->open_ns > right->open_ns) - (left->open_ns < right->open_ns);
  if (order == 0)
    order = (left->pid > right->pid) - (left->pid < right->pid);
  return order != 0 ? order : g_strcmp0 (left->subject, right->subject);
}

static GArray *
findings_new (const NsTrace *trace)
{
  const NsEtlHeader *header = ns_etl_file_get_header (trace->file);
  NsFindings self = { .trace = trace };
  guint i;

  self.rows = g_array_new (FALSE, FALSE, sizeof (NsFindingRow));
  g_array_set_clear_func (self.rows, finding_clear);
  self.attempts = ns_attempts_new (trace);
  self.has_losses = header->events_lost > 0 || header->buffers_lost > 0;
  self.groups = g_hash_table_new (ns_hash_text, g_str_equal);
  self.order = g_ptr_array_new_with_free_func (group_free);
  for (i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      guint n_before = self.rows->len;

      self.rule = &rules[i];
      rules[i].find (&self);
      if (self.rows->len == n_before)
        add_verdict (&self);
      g_hash_table_remove_all (self.groups);
      g_ptr_array_set_size (self.order, 0);
    }
  g_array_sort (self.rows, compare_findings);
  g_hash_table_unref (self.groups);
  g_ptr_array_unref (self.order);
  g_array_unref (self.attempts);
  return self.rows;
}

/**
 * ns_findings_get:
 * @trace: a trace
 *
 * Who asks first computes them, in time that grows with the rows of the trace; who asks meanwhile
 * waits.
 *
 * Returns: (transfer none) (element-type NsFindingRow): what the rules say
 */
GArray *
ns_findings_get (const NsTrace *trace)
{
  static GMutex mutex;
  NsTrace *self = (NsTrace *) trace;
  GArray *findings = g_atomic_pointer_get (&self->findings);

  if (findings != NULL)
    return findings;
  g_mutex_lock (&mutex);
  findings = self->findings;
  if (findings == NULL)
    {
      findings = findings_new (trace);
      g_atomic_pointer_set (&self->findings, findings);
    }
  g_mutex_unlock (&mutex);
  return findings;
}

/**
 * ns_findings_are_known:
 * @trace: a trace
 *
 * Returns: whether ns_findings_get() has its answer ready
 */
gboolean
ns_findings_are_known (const NsTrace *trace)
{
  return g_atomic_pointer_get (&((NsTrace *) trace)->findings) != NULL;
}

/**
 * ns_findings_count:
 * @trace: a trace
 * @worst: (out): the worst severity of them
 *
 * Returns: how much was found
 */
guint
ns_findings_count (const NsTrace *trace, NsSeverity *worst)
{
  const GArray *findings = ns_findings_get (trace);
  guint n_found = 0;
  guint i;

  *worst = NS_SEVERITY_INFO;
  for (i = 0; i < findings->len; i++)
    {
      const NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);

      if (row->verdict != NS_VERDICT_FOUND)
        break;
      n_found++;
      *worst = MAX (*worst, row->severity);
    }
  return n_found;
}

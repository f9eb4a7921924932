/* Rules about name resolution: slow look-ups (D01), silent servers (D03), late answers of one
 * address type (D06), repeated look-ups (D07).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"
#include "base/ns-map.h"
#include "base/ns-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SLOW_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D01_SLOW)
#define VERY_SLOW_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D01_PROBLEM)
#define SUFFIX_WITHIN_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D04_TOGETHER)
/* Maximum number of look-ups of one name, and of groups, that are compared. */
#define MAX_SPAN_STEPS 64
#define MAX_GROUPS 4096
#define MAX_SERVERS 8
/* The resolver asks its servers at once or one after the other. */
#define ASKED_BEFORE_NS (5 * NS_PER_SECOND)
#define PAIR_BAD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D06_PROBLEM)
#define PAIR_WITHIN_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D06_TOGETHER)
#define PAIR_LATE_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D06_DELAY)
#define PAIR_LATE_FACTOR(self) ns_findings_limit (self, NS_THRESHOLD_D06_FACTOR)
#define AGAIN_WITHIN_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D07_WITHIN)
#define MIN_AGAIN(self) ns_findings_limit (self, NS_THRESHOLD_D07_QUESTIONS)

enum
{
  TYPE_A = 1,
  TYPE_AAAA = 28,
  STATUS_OK = 0,
  STATUS_TIMEOUT = 1460,
  STATUS_SERVER_FAILURE = 9002,
  STATUS_NO_NAME = 9003,
};

static gboolean
is_network (const NsDnsRow *dns)
{
  return ns_findings_is_asked (dns) && dns->source == NS_DNS_FROM_NETWORK;
}

/* Returns, by row of the DNS table, an operation that waits for it, or 0; (transfer full). */
static NsRow *
list_waiting (const NsTrace *trace)
{
  NsRow *waiting = g_new0 (NsRow, trace->dns->len + 1);
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    waiting[i + 1] = g_array_index (trace->dns, NsDnsRow, i).activity;
  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      if (row->dns != 0 && row->dns <= trace->dns->len && waiting[row->dns] == 0)
        waiting[row->dns] = i + 1;
    }
  return waiting;
}

/* Returns whether an operation waited for the look-up. The resolver records names that a request
 * looked up itself a second time. */
static gboolean
is_waited_for (const NsTrace *trace, const NsDnsRow *dns, NsRow activity)
{
  const NsActivityRow *row;

  if (dns->source != NS_DNS_FROM_NETWORK)
    return TRUE;
  if (activity == 0 || activity > trace->activities->len)
    return FALSE;
  row = NS_ROW_AT (trace->activities, NsActivityRow, activity);
  /* The operation ran during the look-up or began right after it. */
  return row->open_ns <= dns->close_ns + NS_PER_SECOND &&
         (!ns_time_is_set (row->close_ns) || row->close_ns >= dns->open_ns);
}

static void
report_slow_names (NsFindings *self, NsFindingGroup *group)
{
  NsSeverity severity =
      group->worst_ns >= VERY_SLOW_NS (self) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING;

  if (group->sum_a == 0)
    ns_findings_report_sentence (self,
                                 group,
                                 NS_SEVERITY_INFO,
                                 NS_FINDING_MEDIUM,
                                 _ ("{process}: the response for {subject} took {longest}; no "
                                    "operation is known to have waited for it."),
                                 NULL);
  else
    ns_findings_report_sentence (
        self,
        group,
        severity,
        NS_FINDING_HIGH,
        _ ("{process}: resolving {subject} took up to {longest} (slow answers: {count})."),
        NULL);
}

static gboolean
is_slow (const NsFindings *self, const NsDnsRow *dns)
{
  /* Rules about silent servers and about proxy discovery (WPAD) cover the others. */
  return ns_findings_is_asked (dns) && dns->close_ns - dns->open_ns >= SLOW_NS (self) &&
         !(dns->has_status && dns->status == STATUS_TIMEOUT) &&
         !ns_findings_blames_server (self, dns) &&
         !ns_findings_is_wpad (ns_findings_text (self, dns->query));
}

static char *
dup_look_up (const NsFindings *self, const NsDnsRow *dns)
{
  g_autofree char *name = g_ascii_strdown (ns_findings_text (self, dns->query), -1);

  return g_strdup_printf ("%u %s", dns->pid, name);
}

/* Returns whether one of the rules about servers explains why the look-up was slow. */
static gboolean
is_explained_by_server (const NsFindings *self, const NsDnsRow *dns)
{
  return ns_findings_is_asked (dns) && ns_findings_blames_server (self, dns);
}

/* Returns whether it is a slow look-up through the sockets API. */
static gboolean
is_slow_outer (const NsFindings *self, const NsDnsRow *dns)
{
  return ns_findings_is_outer (dns) && is_slow (self, dns);
}

static void
free_spans (gpointer spans)
{
  g_array_unref (spans);
}

typedef gboolean (*LookUpTest) (const NsFindings *self, const NsDnsRow *dns);

/* Returns the time spans of look-ups that pass the test, by process and name; (transfer full). */
static GHashTable *
list_look_ups (const NsFindings *self, LookUpTest test)
{
  GHashTable *outer = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, free_spans);
  guint i;

  for (i = 0; i < self->trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (self->trace->dns, NsDnsRow, i);
      NsTimeSpan span = { dns->open_ns, dns->close_ns };
      g_autofree char *key = NULL;
      GArray *spans;

      if (!test (self, dns))
        continue;
      key = dup_look_up (self, dns);
      spans = g_hash_table_lookup (outer, key);
      if (spans == NULL)
        {
          spans = g_array_new (FALSE, FALSE, sizeof (NsTimeSpan));
          g_hash_table_insert (outer, g_steal_pointer (&key), spans);
        }
      g_array_append_val (spans, span);
    }
  return outer;
}

/* Returns whether the look-up overlaps one of @outer of the same process and name. */
static gboolean
overlaps_look_up (const NsFindings *self, GHashTable *outer, const NsDnsRow *dns)
{
  g_autofree char *key = dup_look_up (self, dns);
  const GArray *spans = g_hash_table_lookup (outer, key);
  guint n_steps = 0;
  guint i;

  for (i = spans != NULL ? spans->len : 0; i-- > 0 && n_steps++ < MAX_SPAN_STEPS;)
    {
      const NsTimeSpan *span = &g_array_index (spans, NsTimeSpan, i);

      if (span->begin_ns < dns->close_ns && span->end_ns > dns->open_ns)
        return TRUE;
    }
  return FALSE;
}

void
ns_find_slow_names (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree NsRow *waiting = NULL;
  g_autoptr (GHashTable) outer = list_look_ups (self, is_slow_outer);
  g_autoptr (GHashTable) blamed = list_look_ups (self, is_explained_by_server);
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      NsFindingGroup *group;

      if (!is_slow (self, dns) ||
          overlaps_look_up (self, ns_findings_is_outer (dns) ? blamed : outer, dns))
        continue;
      if (waiting == NULL)
        waiting = list_waiting (trace);
      group = ns_findings_group (self, dns->pid, ns_findings_text (self, dns->query), NULL);
      ns_findings_add (group, NS_TABLE_DNS, i + 1, waiting[i + 1], dns->open_ns, dns->close_ns);
      group->sum_a += is_waited_for (trace, dns, waiting[i + 1]);
      if (dns->flow != 0)
        {
          ns_findings_mark_at (self, group, dns->open_ns);
          ns_findings_mark_at (self, group, dns->close_ns);
        }
    }
  ns_findings_report_groups (self, report_slow_names);
}

/* Lists the servers that were asked, as far as known: “, 10.0.0.1, 10.0.0.2 among them”; (transfer
 * full). */
static char *
dup_servers (const NsFindings *self, const NsFindingGroup *group)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *list = NULL;
  char text[NS_IP_TEXT_SIZE];
  guint i;
  guint j;

  if (group->local.ip.family != 0)
    g_ptr_array_add (names, (gpointer) ns_endpoint_to_text (&group->local, text));
  for (i = 0; i < group->refs->len && i < MAX_SPAN_STEPS; i++)
    {
      const NsFindingRef *ref = &g_array_index (group->refs, NsFindingRef, i);
      const NsDnsRow *dns = NS_ROW_AT (self->trace->dns, NsDnsRow, ref->row);

      for (j = 0; dns->servers != NULL && j < dns->servers->len && names->len < MAX_SERVERS; j++)
        {
          const char *name =
              ns_findings_text (self, g_array_index (dns->servers, NsDnsServer, j).address);

          if (*name != '\0' && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
            g_ptr_array_add (names, (gpointer) name);
        }
    }
  if (names->len == 0)
    return g_strdup ("");
  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  /* Translators: addresses of servers. */
  return g_strdup_printf (_ (", %s among them"), list);
}

static void
report_silent_name_servers (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *servers = dup_servers (self, group);

  ns_findings_report_sentence (
      self,
      group,
      NS_SEVERITY_PROBLEM,
      NS_FINDING_HIGH,
      group->worst_ns == 0
          /* Translators: do not translate the words in braces; servers may be nothing. */
          ? _ ("{process}: no DNS server answered for {subject}{servers}{times}.")
          : _ ("{process}: no DNS server answered for {subject} within {longest}{servers}{times}."),
      "servers",
      servers,
      NULL);
}

/* Finds the look-up that a DNS Client record is about, by name and time: the service logs records
 * for other processes. */
static NsFindingGroup *
find_look_up (NsFindings *self, const NsSign *sign)
{
  const char *name = ns_findings_text (self, sign->name);
  guint i;
  guint j;

  for (i = 0; i < self->order->len && i < MAX_GROUPS; i++)
    {
      NsFindingGroup *group = g_ptr_array_index (self->order, i);

      if (g_ascii_strcasecmp (group->subject, name) != 0)
        continue;
      for (j = 0; j < group->spans->len && j < MAX_SPAN_STEPS; j++)
        {
          const NsTimeSpan *span = &g_array_index (group->spans, NsTimeSpan, j);

          if (sign->time_ns >= span->begin_ns - NS_PER_SECOND &&
              sign->time_ns <= span->end_ns + SUFFIX_WITHIN_NS (self))
            return group;
        }
    }
  return NULL;
}

void
ns_find_silent_name_servers (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) questions = ns_findings_index_questions (self);
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      NsFindingGroup *group;

      if (!ns_findings_is_asked (dns) || ns_findings_is_outer (dns) || !dns->has_status ||
          dns->status != STATUS_TIMEOUT ||
          ns_findings_find_other_server (self, questions, i + 1, -ASKED_BEFORE_NS) != 0)
        continue;
      group = ns_findings_group (self, dns->pid, ns_findings_text (self, dns->query), NULL);
      ns_findings_add (group, NS_TABLE_DNS, i + 1, dns->activity, dns->open_ns, dns->close_ns);
      ns_findings_mark_at (self, group, dns->close_ns);
    }
  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      NsFindingGroup *group;

      if (sign->source != NS_SIGN_DNS || (sign->id != 1013 && sign->id != 1014))
        continue;
      group = find_look_up (self, sign);
      if (group == NULL)
        {
          group = ns_findings_group (self, sign->pid, ns_findings_text (self, sign->name), NULL);
          ns_findings_add (group, NS_N_TABLES, 0, 0, sign->time_ns, sign->time_ns);
        }
      ns_findings_mark (group, sign->event);
      if (sign->remote != NULL)
        group->local = *sign->remote;
    }
  ns_findings_report_groups (self, report_silent_name_servers);
}

static gboolean
is_bad (const NsDnsRow *dns)
{
  return dns->has_status && (dns->status == STATUS_SERVER_FAILURE || dns->status == STATUS_TIMEOUT);
}

/* Adds a name of which one address type failed and the other resolved. */
static void
judge_bad (NsFindings *self, NsRow bad, NsRow good)
{
  const NsDnsRow *row = NS_ROW_AT (self->trace->dns, NsDnsRow, bad);
  NsFindingGroup *group = ns_findings_group (self,
                                             row->pid,
                                             ns_findings_text (self, row->query),
                                             row->type == TYPE_AAAA ? "AAAA bad" : "A bad");

  ns_findings_add (group, NS_TABLE_DNS, bad, row->activity, row->open_ns, row->close_ns);
  ns_findings_add_ref (group, NS_TABLE_DNS, good);
  ns_findings_mark_at (self, group, row->close_ns);
  group->sum_a = row->type;
}

/* Judges a pair of A and AAAA look-ups: the caller waits for the later answer. */
static void
judge_pair (NsFindings *self, NsRow early, NsRow late)
{
  const NsDnsRow *first = NS_ROW_AT (self->trace->dns, NsDnsRow, early);
  const NsDnsRow *second = NS_ROW_AT (self->trace->dns, NsDnsRow, late);
  gint64 short_ns = MAX (first->close_ns - first->open_ns, 1);
  gint64 long_ns = second->close_ns - second->open_ns;
  NsFindingGroup *group;

  if (is_bad (first) || is_bad (second))
    {
      if (is_bad (first) != is_bad (second))
        judge_bad (self, is_bad (first) ? early : late, is_bad (first) ? late : early);
      return;
    }
  if (second->close_ns - first->close_ns < PAIR_LATE_NS (self) ||
      long_ns / PAIR_LATE_FACTOR (self) < short_ns)
    return;
  group = ns_findings_group (self,
                             first->pid,
                             ns_findings_text (self, first->query),
                             second->type == TYPE_AAAA ? "AAAA" : "A");
  ns_findings_add (group, NS_TABLE_DNS, late, second->activity, first->close_ns, second->close_ns);
  ns_findings_add_ref (group, NS_TABLE_DNS, early);
  ns_findings_mark_at (self, group, second->close_ns);
  group->sum_a = second->type;
}

static void
report_late_answers (NsFindings *self, NsFindingGroup *group)
{
  if (g_str_has_suffix (group->key, " bad"))
    {
      ns_findings_report_sentence (self,
                                   group,
                                   group->worst_ns >= PAIR_BAD_NS (self) ? NS_SEVERITY_PROBLEM
                                                                         : NS_SEVERITY_WARNING,
                                   NS_FINDING_MEDIUM,
                                   group->sum_a == TYPE_AAAA
                                       /* Translators: do not translate the words in braces. */
                                       ? _ ("{process}: the IPv6 query (AAAA) for {subject} failed "
                                            "after {longest}, the IPv4 query did not.")
                                       : _ ("{process}: the IPv4 query (A) for {subject} failed "
                                            "after {longest}, the IPv6 query did not."),
                                   NULL);
      return;
    }
  ns_findings_report_sentence (self,
                               group,
                               group->worst_ns >= PAIR_BAD_NS (self) ? NS_SEVERITY_PROBLEM
                                                                     : NS_SEVERITY_WARNING,
                               NS_FINDING_MEDIUM,
                               group->sum_a == TYPE_AAAA
                                   ? _ ("{process}: the IPv6 response (AAAA) for {subject} arrived "
                                        "{longest} after the IPv4 response.")
                                   : _ ("{process}: the IPv4 response (A) for {subject} arrived "
                                        "{longest} after the IPv6 response."),
                               NULL);
}

static gboolean
is_of_pair (const NsDnsRow *dns)
{
  return is_network (dns) && (dns->type == TYPE_A || dns->type == TYPE_AAAA);
}

/* Returns a hash of process and name. */
static guint32
hash_name (const NsDnsRow *dns)
{
  return (guint32) ns_map_mix (dns->pid, dns->query);
}

/* Returns the number of look-ups that may be one of a pair, by process and name; (transfer full).
 */
static NsFindingSieve *
count_names (const NsTrace *trace)
{
  NsFindingSieve *sieve = ns_finding_sieve_new (trace->dns->len);
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);

      if (is_of_pair (dns))
        ns_finding_sieve_add (sieve, hash_name (dns));
    }
  return sieve;
}

void
ns_find_late_answers (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (NsFindingSieve) sieve = count_names (trace);
  g_autoptr (NsMap) last = ns_map_new ();
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      const NsDnsRow *other;
      NsRow before;

      if (!is_of_pair (dns) || ns_finding_sieve_get (sieve, hash_name (dns)) < 2)
        continue;
      before = ns_map_swap (last, dns->pid, dns->query, i + 1);
      if (before == 0)
        continue;
      other = NS_ROW_AT (trace->dns, NsDnsRow, before);
      if (other->type == dns->type || ABS (dns->open_ns - other->open_ns) > PAIR_WITHIN_NS (self))
        continue;
      if (other->close_ns <= dns->close_ns)
        judge_pair (self, before, i + 1);
      else
        judge_pair (self, i + 1, before);
    }
  ns_findings_report_groups (self, report_late_answers);
}

/* Returns the maximum number of look-ups within the window; @first: (out): the first of them. */
static guint
find_densest (const GArray *moments, gint64 within_ns, guint *first)
{
  guint best = 0;
  guint begin = 0;
  guint i;

  for (i = 0; i < moments->len; i++)
    {
      while (g_array_index (moments, NsFindingMoment, i).open_ns -
                 g_array_index (moments, NsFindingMoment, begin).open_ns >
             within_ns)
        begin++;
      if (i - begin + 1 > best)
        {
          best = i - begin + 1;
          *first = begin;
        }
    }
  return best;
}

static void
report_names_asked_again (NsFindings *self, NsFindingGroup *group)
{
  guint j;
  g_autofree char *process = NULL;
  g_autofree char *span = NULL;
  guint first = 0;
  guint n;

  ns_findings_sort_moments (group);
  n = find_densest (group->moments, AGAIN_WITHIN_NS (self), &first);
  if (n < MIN_AGAIN (self))
    return;
  process = ns_findings_dup_process (self, group);
  for (j = first; j < first + n; j++)
    {
      const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, j);

      ns_findings_add (group,
                       NS_TABLE_DNS,
                       moment->row,
                       moment->activity,
                       moment->open_ns,
                       moment->close_ns);
      ns_findings_mark_at (self, group, moment->close_ns);
    }
  span =
      ns_findings_dup_span (g_array_index (group->moments, NsFindingMoment, first + n - 1).open_ns -
                            g_array_index (group->moments, NsFindingMoment, first).open_ns);
  ns_findings_report (self,
                      group,
                      NS_SEVERITY_WARNING,
                      NS_FINDING_MEDIUM,
                      _ ("%s: %s was queried over the network %u times within %s; the TTL of the "
                         "response is not recorded."),
                      process,
                      group->subject,
                      n,
                      span);
}

/* Returns whether the network resolved the name. */
static gboolean
is_resolved (const NsDnsRow *dns)
{
  return is_network (dns) && dns->has_status && dns->status == STATUS_OK;
}

/* Returns a hash of process, name and type. */
static guint32
hash_question (const NsDnsRow *dns)
{
  return (guint32) ns_map_mix ((guint64) dns->pid << 32 | dns->query, dns->type);
}

/* Returns the number of look-ups by process, name and type; (transfer full). */
static NsFindingSieve *
count_questions (const NsTrace *trace)
{
  NsFindingSieve *sieve = ns_finding_sieve_new (trace->dns->len);
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);

      if (is_resolved (dns))
        ns_finding_sieve_add (sieve, hash_question (dns));
    }
  return sieve;
}

void
ns_find_names_asked_again (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (NsFindingSieve) sieve = count_questions (trace);
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      NsFindingMoment moment = { 0 };
      char type[NS_TEXT_DIGITS + 1];

      if (!is_resolved (dns) ||
          !ns_finding_sieve_may_be (ns_finding_sieve_get (sieve, hash_question (dns)),
                                    MIN_AGAIN (self)))
        continue;
      g_snprintf (type, sizeof type, "%u", dns->type);
      moment.open_ns = dns->open_ns;
      moment.close_ns = dns->close_ns;
      moment.row = i + 1;
      moment.activity = dns->activity;
      ns_findings_add_moment (
          ns_findings_group (self, dns->pid, ns_findings_text (self, dns->query), type),
          &moment);
    }
  ns_findings_report_groups (self, report_names_asked_again);
}

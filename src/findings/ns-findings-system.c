/* Rules about thread pools, directories and the trace itself: D37, D42, D44, D45, D46.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define POOL_WAIT_NS ns_threshold_get_ns (NS_THRESHOLD_D37_WAIT)
#define POOL_WAIT_BAD_NS ns_threshold_get_ns (NS_THRESHOLD_D37_PROBLEM)
#define SLOW_LDAP_NS ns_threshold_get_ns (NS_THRESHOLD_D42_SLOW)
#define SLOW_LDAP_BAD_NS ns_threshold_get_ns (NS_THRESHOLD_D42_PROBLEM)
#define LOSS_BAD_PERCENT ns_threshold_get (NS_THRESHOLD_D44_PROBLEM)
#define SCOPE_SUBTREE 2
#define AFTER_SILENCE_NS ns_threshold_get_ns (NS_THRESHOLD_D46_AFTER)
/* A machine that sleeps does so a few times, and tells something in nearly every second between. */
#define MAX_SILENCES 3
#define MIN_LOUD_NS (10 * NS_PER_SECOND)
#define MIN_LOUD_PERCENT ns_threshold_get (NS_THRESHOLD_D46_LOUD)

/* Work that is meant to run at once; timers and idle work wait on purpose. */
static const char *
get_pool_name (NsTaskKind kind)
{
  switch (kind)
    {
    case NS_TASK_POOL:
      return _ ("the thread pool of Windows");
    case NS_TASK_OFFICE_POOL:
    case NS_TASK_DISPATCH_QUEUE:
      return _ ("the thread pool of Office");
    case NS_TASK_WINHTTP:
      return _ ("the queue of WinHTTP");
    case NS_TASK_NONE:
    case NS_TASK_IDLE:
    case NS_TASK_TIMER:
    case NS_TASK_THREAD:
    default:
      return NULL;
    }
}

/* Operations by the run that they were made in; (transfer full). */
static GHashTable *
list_links (const NsTrace *trace)
{
  GHashTable *links = g_hash_table_new (NULL, NULL);
  guint i;

  for (i = trace->activities->len; i-- > 0;)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      if (row->link != 0)
        g_hash_table_insert (links, GUINT_TO_POINTER (row->link), GUINT_TO_POINTER (i + 1));
    }
  return links;
}

static void
tell_thread_pool_waits (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = ns_findings_dup_process (self, group);
  g_autofree char *worst = ns_findings_dup_span (group->worst_ns);

  ns_findings_report (
      self,
      group,
      group->worst_ns >= POOL_WAIT_BAD_NS ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      /* Translators: a process, a length of time, a thread pool, a number. */
      _ ("%s: work that network operations stand on waited up to %s in %s (times: %u)."),
      process,
      worst,
      group->subject,
      group->count);
}

void
ns_find_thread_pool_waits (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) links = list_links (trace);
  guint i;

  for (i = 0; i < trace->tasks->len; i++)
    {
      const NsTaskRow *task = &g_array_index (trace->tasks, NsTaskRow, i);
      const char *pool = get_pool_name (task->kind);
      NsFindingGroup *group;
      NsRow activity;

      if (pool == NULL || !task->used || !ns_time_is_set (task->create_ns) ||
          !ns_time_is_set (task->start_ns) || task->start_ns - task->create_ns < POOL_WAIT_NS)
        continue;
      activity = task->run == 0
                     ? 0
                     : GPOINTER_TO_UINT (g_hash_table_lookup (links, GUINT_TO_POINTER (task->run)));
      group = ns_findings_group (self, task->pid, pool, NULL);
      ns_findings_add (group, NS_TABLE_TASKS, i + 1, activity, task->create_ns, task->start_ns);
      ns_findings_mark_at (self, group, task->create_ns);
      ns_findings_mark_at (self, group, task->start_ns);
    }
  ns_findings_tell (self, tell_thread_pool_waits);
}

/* Whether an index can be of no help: the value begins with anything, or all objects are meant. */
static gboolean
is_costly (const char *filter, guint32 scope)
{
  return strstr (filter, "=*") != NULL &&
         (strstr (filter, "=*)") == NULL || scope == SCOPE_SUBTREE);
}

static void
tell_slow_ldap (NsFindings *self, NsFindingGroup *group)
{
  ns_findings_say (
      self,
      group,
      group->worst_ns >= SLOW_LDAP_BAD_NS ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      g_str_has_suffix (group->key, "\ndown")
          /* Translators: the words in braces stay as they are. */
          ? _ ("{process}: the directory server was down or not reached (times: {count}): {base}.")
          : g_str_has_suffix (group->key, "costly")
                ? _ ("{process}: the search {filter} below {base} took up to {longest} on "
                     "{subject} "
                     "(times: {count}); it probably cannot use an index.")
                : _ ("{process}: the search {filter} below {base} took up to {longest} on "
                     "{subject} "
                     "(times: {count})."),
      "filter",
      ns_findings_text (self, (NsString) group->sum_a),
      "base",
      ns_findings_text (self, (NsString) group->sum_b),
      NULL);
}

/* The client tells of servers that do not answer with words only. */
static void
gather_down (NsFindings *self)
{
  guint i;

  for (i = 0; i < self->trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (self->trace->signs, NsSign, i);
      NsFindingGroup *group;

      if (sign->source != NS_SIGN_LDAP || (sign->id != 8 && sign->id != 21))
        continue;
      group = ns_findings_group (self, sign->pid, "", "down");
      group->sum_b = sign->name;
      ns_findings_add (group, NS_N_TABLES, 0, 0, sign->time_ns, sign->time_ns);
      ns_findings_mark (group, sign->event);
    }
}

void
ns_find_slow_ldap (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->ldap->len; i++)
    {
      const NsLdapRow *ldap = &g_array_index (trace->ldap, NsLdapRow, i);
      const char *filter = ns_findings_text (self, ldap->filter);
      g_autofree char *host = NULL;
      g_autofree char *extra = NULL;
      NsFindingGroup *group;

      if (!ns_time_is_set (ldap->open_ns) || !ns_time_is_set (ldap->close_ns) ||
          ldap->close_ns - ldap->open_ns < SLOW_LDAP_NS)
        continue;
      host = ns_findings_dup_host (self, ldap->server, &ldap->remote);
      extra = g_strdup_printf ("%u %u %s",
                               ldap->filter,
                               ldap->base,
                               is_costly (filter, ldap->scope) ? "costly" : "");
      group = ns_findings_group (self, ldap->pid, host, extra);
      group->sum_a = ldap->filter;
      group->sum_b = ldap->base;
      ns_findings_add (group, NS_TABLE_LDAP, i + 1, ldap->activity, ldap->open_ns, ldap->close_ns);
      ns_findings_mark_at (self, group, ldap->open_ns);
    }
  gather_down (self);
  ns_findings_tell (self, tell_slow_ldap);
}

/* What the session wrote of its own losses while it ran. */
enum
{
  LOST_EVENT = 32,
};

void
ns_find_losses (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  const NsEtlHeader *header = ns_etl_file_get_header (trace->file);
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  guint32 n_events = header->events_lost;
  guint32 n_buffers = header->buffers_lost;
  NsFindingGroup *group = ns_findings_group (self, NS_PID_UNKNOWN, "", NULL);
  guint n_told[2] = { 0, 0 };
  gboolean is_bad;
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);

      if (sign->source != NS_SIGN_LOST)
        continue;
      n_told[sign->id != LOST_EVENT]++;
      ns_findings_mark (group, sign->event);
    }
  /* The header of a session that nobody closed holds zeros. */
  n_events = MAX (n_events, n_told[0]);
  n_buffers = MAX (n_buffers, n_told[1]);
  group->count = n_events + n_buffers + (guint) MIN (report->n_damaged, G_MAXINT32);
  if (group->count == 0)
    return;
  is_bad = (guint64) n_events * 100 > trace->n_records * LOSS_BAD_PERCENT || n_buffers > 0;
  ns_findings_report (self,
                      group,
                      is_bad ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
                      NS_FINDING_HIGH,
                      _ ("The trace is not whole: events lost: %u, buffers lost: %u, buffers "
                         "damaged: %u."),
                      n_events,
                      n_buffers,
                      (guint) MIN (report->n_damaged, G_MAXUINT));
}

/* Attempts to connect that failed right after the silence. */
static guint
add_failures (NsFindings *self, NsFindingGroup *group, gint64 end_ns)
{
  guint n_failed = 0;
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);

      if (attempt->end == NS_ATTEMPT_OK || attempt->end == NS_ATTEMPT_OPEN ||
          !ns_time_is_set (attempt->close_ns) || attempt->close_ns < end_ns ||
          attempt->close_ns > end_ns + AFTER_SILENCE_NS)
        continue;
      n_failed++;
      ns_findings_add_ref (group, attempt->table, attempt->row);
      if (attempt->activity != 0)
        g_array_append_val (group->activities, attempt->activity);
    }
  return n_failed;
}

static void
tell_silence (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *n_failed = g_strdup_printf ("%u", (guint) group->sum_a);
  g_autofree char *at = ns_findings_dup_span (group->process_ns);

  ns_findings_say (self,
                   group,
                   group->sum_a > 0 ? NS_SEVERITY_WARNING : NS_SEVERITY_INFO,
                   group->sum_a > 0 ? NS_FINDING_MEDIUM : NS_FINDING_LOW,
                   /* Translators: the words in braces stay as they are. */
                   _ ("No processor wrote anything for {longest}, from {at} on: the machine "
                      "probably slept. Connects that failed right after it: {n}."),
                   "at",
                   at,
                   "n",
                   n_failed,
                   NULL);
}

/* Whether nearly every second but those of the silences has a record. */
static gboolean
is_dense (const NsTrace *trace)
{
  gint64 loud_ns = trace->end_ns;
  guint i;

  for (i = 0; i < trace->silences->len; i++)
    {
      const NsTimeSpan *silence = &g_array_index (trace->silences, NsTimeSpan, i);

      loud_ns -= silence->end_ns - silence->begin_ns;
    }
  return trace->silences->len <= MAX_SILENCES && loud_ns >= MIN_LOUD_NS &&
         trace->n_loud_seconds * 100 >= (guint64) (loud_ns / NS_PER_SECOND) * MIN_LOUD_PERCENT;
}

/* Whether the machine was silent for most of the span. */
gboolean
ns_findings_has_slept (const NsFindings *self, gint64 from_ns, gint64 to_ns)
{
  const NsTrace *trace = self->trace;
  gint64 silent_ns = 0;
  guint i;

  for (i = 0; i < trace->silences->len; i++)
    {
      const NsTimeSpan *silence = &g_array_index (trace->silences, NsTimeSpan, i);

      silent_ns += MAX (MIN (silence->end_ns, to_ns) - MAX (silence->begin_ns, from_ns), 0);
    }
  return is_dense (trace) && silent_ns > ns_time_between (from_ns, to_ns) / 2;
}

/* A machine that has little to tell is silent, too: only a trace that is dense elsewhere counts. */
void
ns_find_silences (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  if (!is_dense (trace))
    return;
  for (i = 0; i < trace->silences->len; i++)
    {
      const NsTimeSpan *silence = &g_array_index (trace->silences, NsTimeSpan, i);
      g_autofree char *number = g_strdup_printf ("%u", i);
      NsFindingGroup *group = ns_findings_group (self, NS_PID_UNKNOWN, "", number);

      ns_findings_add (group, NS_N_TABLES, 0, 0, silence->begin_ns, silence->end_ns);
      group->sum_a = add_failures (self, group, silence->end_ns);
    }
  ns_findings_tell (self, tell_silence);
}

static gboolean
lacks_the_same (const NsFindingRow *row, const NsFindingRow *other)
{
  guint i;

  if (row->verdict != NS_VERDICT_UNJUDGED || row->needs->len != other->needs->len)
    return FALSE;
  for (i = 0; i < row->needs->len; i++)
    if (g_ptr_array_index (row->needs, i) != g_ptr_array_index (other->needs, i))
      return FALSE;
  return TRUE;
}

/* “D10, D14: Microsoft-Windows-TCPIP 1186” */
static void
append_rules (GString *list, const NsFindingRow *row, const char *rules)
{
  guint i;

  g_string_append_printf (list, "%s%s: ", list->len > 0 ? "; " : "", rules);
  for (i = 0; i < row->needs->len; i++)
    {
      const char *need = g_ptr_array_index (row->needs, i);

      /* The keywords stand in the list of needs: here they would make it too long to read. */
      g_string_append_printf (list,
                              "%s%.*s",
                              i > 0 ? _ (" or ") : "",
                              (int) (strstr (need, " (") != NULL ? strstr (need, " (") - need
                                                                 : (gssize) strlen (need)),
                              need);
    }
}

/* The rules that could not be judged, those that lack the same together. */
void
ns_find_missing_providers (NsFindings *self)
{
  g_autoptr (GPtrArray) needs = g_ptr_array_new ();
  g_autoptr (GString) list = g_string_new (NULL);
  guint n_before = self->rows->len;
  guint n_rules = 0;
  NsFindingGroup *group;
  NsFindingRow *row;
  guint i;

  for (i = 0; i < n_before; i++)
    {
      const NsFindingRow *first = &g_array_index (self->rows, NsFindingRow, i);
      g_autoptr (GString) rules = NULL;
      guint j;

      if (first->verdict != NS_VERDICT_UNJUDGED)
        continue;
      n_rules++;
      for (j = 0; j < i; j++)
        if (lacks_the_same (&g_array_index (self->rows, NsFindingRow, j), first))
          break;
      if (j < i)
        continue;
      rules = g_string_new (first->rule);
      for (j = i + 1; j < n_before; j++)
        if (lacks_the_same (&g_array_index (self->rows, NsFindingRow, j), first))
          g_string_append_printf (rules, ", %s", g_array_index (self->rows, NsFindingRow, j).rule);
      append_rules (list, first, rules->str);
      for (j = 0; j < first->needs->len; j++)
        if (!g_ptr_array_find (needs, g_ptr_array_index (first->needs, j), NULL))
          g_ptr_array_add (needs, g_ptr_array_index (first->needs, j));
    }
  if (n_rules == 0)
    return;
  group = ns_findings_group (self, NS_PID_UNKNOWN, "", NULL);
  group->count = n_rules;
  ns_findings_report (self,
                      group,
                      NS_SEVERITY_INFO,
                      NS_FINDING_HIGH,
                      /* Translators: how many rules, then each with the events it needs. */
                      _ ("Rules that could not be judged: %u, for want of these events: %s."),
                      n_rules,
                      list->str);
  row = &g_array_index (self->rows, NsFindingRow, self->rows->len - 1);
  g_ptr_array_unref (row->needs);
  row->needs = g_steal_pointer (&needs);
}

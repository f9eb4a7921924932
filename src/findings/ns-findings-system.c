/* Rules about thread pools, directories and the trace itself: D37, D42, D44, D45, D46.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define POOL_WAIT_NS (50 * NS_PER_MS)
#define POOL_WAIT_BAD_NS (500 * NS_PER_MS)
#define SLOW_LDAP_NS (500 * NS_PER_MS)
#define LOSS_BAD_PERCENT 1
#define SCOPE_SUBTREE 2
#define AFTER_SILENCE_NS (10 * NS_PER_SECOND)
/* A machine that sleeps does so a few times, and tells something in nearly every second between. */
#define MAX_SILENCES 3
#define MIN_LOUD_NS (10 * NS_PER_SECOND)
#define MIN_LOUD_PERCENT 95

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
      NsRow activity;

      if (pool == NULL || !task->used || !ns_time_is_set (task->create_ns) ||
          !ns_time_is_set (task->start_ns) || task->start_ns - task->create_ns < POOL_WAIT_NS)
        continue;
      activity = task->run == 0
                     ? 0
                     : GPOINTER_TO_UINT (g_hash_table_lookup (links, GUINT_TO_POINTER (task->run)));
      ns_findings_add (ns_findings_group (self, task->pid, pool, NULL),
                       NS_TABLE_TASKS,
                       i + 1,
                       activity,
                       task->create_ns,
                       task->start_ns);
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
      NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      g_str_has_suffix (group->key, "\ncostly")
          ? _ ("{process}: searches on {subject} took up to {longest} (times: {count}); the filter "
               "probably cannot use an index.")
          : _ ("{process}: searches on {subject} took up to {longest} (times: {count})."),
      NULL);
}

void
ns_find_slow_ldap (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->ldap->len; i++)
    {
      const NsLdapRow *ldap = &g_array_index (trace->ldap, NsLdapRow, i);
      g_autofree char *host = NULL;
      const char *filter = ns_findings_text (self, ldap->filter);

      if (!ns_time_is_set (ldap->open_ns) || !ns_time_is_set (ldap->close_ns) ||
          ldap->close_ns - ldap->open_ns < SLOW_LDAP_NS)
        continue;
      host = ns_findings_dup_host (self, ldap->server, &ldap->remote);
      ns_findings_add (ns_findings_group (self,
                                          ldap->pid,
                                          host,
                                          is_costly (filter, ldap->scope) ? "costly" : ""),
                       NS_TABLE_LDAP,
                       i + 1,
                       ldap->activity,
                       ldap->open_ns,
                       ldap->close_ns);
    }
  ns_findings_tell (self, tell_slow_ldap);
}

void
ns_find_losses (NsFindings *self)
{
  const NsEtlHeader *header = ns_etl_file_get_header (self->trace->file);
  const NsEtlReport *report = ns_etl_file_get_report (self->trace->file);
  NsFindingGroup *group;
  gboolean is_bad;

  if (header->events_lost == 0 && header->buffers_lost == 0 && report->n_damaged == 0)
    return;
  group = ns_findings_group (self, NS_PID_UNKNOWN, "", NULL);
  group->count = 1;
  is_bad = (guint64) header->events_lost * 100 > self->trace->n_records * LOSS_BAD_PERCENT ||
           header->buffers_lost > 0;
  ns_findings_report (self,
                      group,
                      is_bad ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
                      NS_FINDING_HIGH,
                      _ ("The trace is not whole: events lost: %u, buffers lost: %u, buffers "
                         "damaged: %u."),
                      header->events_lost,
                      header->buffers_lost,
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

/* A machine that has little to tell is silent, too: only a trace that is dense elsewhere counts. */
void
ns_find_silences (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  gint64 loud_ns = trace->end_ns;
  guint i;

  for (i = 0; i < trace->silences->len; i++)
    {
      const NsTimeSpan *silence = &g_array_index (trace->silences, NsTimeSpan, i);

      loud_ns -= silence->end_ns - silence->begin_ns;
    }
  if (trace->silences->len > MAX_SILENCES || loud_ns < MIN_LOUD_NS ||
      trace->n_loud_seconds * 100 < (guint64) (loud_ns / NS_PER_SECOND) * MIN_LOUD_PERCENT)
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

/* What the recording lacks for a trace that has network operations at all. */
void
ns_find_missing_providers (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  const struct
  {
    const char *provider;
    const char *what;
    gboolean is_there;
  } parts[] = {
    { "Microsoft-Windows-DNS-Client", _ ("names (D01 to D07)"), trace->dns->len > 0 },
    { "Microsoft-Windows-TCPIP", _ ("connections (D08 to D23)"), trace->tcp->len > 0 },
    { "Microsoft-Windows-Winsock-AFD",
      _ ("sockets and calls (D13, D22, D29, D33, D40)"),
      trace->winsock->len + trace->calls->len > 0 },
    { NULL, _ ("stacks"), trace->n_stacks_attached > 0 },
  };
  g_autoptr (GPtrArray) needs = g_ptr_array_new ();
  g_autoptr (GString) list = g_string_new (NULL);
  NsFindingGroup *group;
  NsFindingRow *row;
  guint i;

  if (trace->activities->len == 0)
    return;
  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (parts[i].is_there)
        continue;
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", parts[i].what);
      if (parts[i].provider != NULL)
        g_ptr_array_add (needs, (gpointer) parts[i].provider);
    }
  if (list->len == 0)
    return;
  group = ns_findings_group (self, NS_PID_UNKNOWN, "", NULL);
  group->count = 1;
  ns_findings_report (self,
                      group,
                      NS_SEVERITY_INFO,
                      NS_FINDING_HIGH,
                      _ ("The trace has nothing about: %s."),
                      list->str);
  row = &g_array_index (self->rows, NsFindingRow, self->rows->len - 1);
  g_ptr_array_unref (row->needs);
  row->needs = g_steal_pointer (&needs);
}

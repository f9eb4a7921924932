/* Rules about thread pools (D37), directory searches (D42) and missing providers (D45).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "engine/net/packets/ns-packet-row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define POOL_WAIT_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D37_WAIT)
#define POOL_WAIT_BAD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D37_PROBLEM)
#define SLOW_LDAP_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D42_SLOW)
#define SLOW_LDAP_BAD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D42_PROBLEM)
#define SCOPE_SUBTREE 2

/* Returns the name of a pool whose work is meant to run at once, (nullable): timers and idle work
 * wait on purpose. */
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
    case NS_TASK_DOTNET_TASK:
    case NS_TASK_DOTNET_POOL:
      return _ ("the thread pool of .NET");
    case NS_TASK_NONE:
    case NS_TASK_IDLE:
    case NS_TASK_TIMER:
    case NS_TASK_THREAD:
    default:
      return NULL;
    }
}

/* Returns, by the run that started it, the first operation, 1-based; (transfer full). */
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
report_thread_pool_waits (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = ns_findings_dup_process (self, group);
  g_autofree char *worst = ns_findings_dup_span (group->worst_ns);
  g_autofree char *times = ns_findings_dup_times (group->count);

  ns_findings_report (self,
                      group,
                      group->worst_ns >= POOL_WAIT_BAD_NS (self) ? NS_SEVERITY_PROBLEM
                                                                 : NS_SEVERITY_WARNING,
                      NS_FINDING_HIGH,
                      /* Translators: a process, a duration, a thread pool, how often or nothing. */
                      _ ("%s: work that requests depend on waited up to %s in %s%s."),
                      process,
                      worst,
                      group->subject,
                      times);
}

void
ns_find_thread_pool_waits (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) links = NULL;
  guint i;

  for (i = 0; i < trace->tasks->len; i++)
    {
      const NsTaskRow *task = &g_array_index (trace->tasks, NsTaskRow, i);
      const char *pool;
      NsFindingGroup *group;
      NsRow activity;

      if (!task->used || !ns_time_is_set (task->create_ns) || !ns_time_is_set (task->start_ns) ||
          task->start_ns - task->create_ns < POOL_WAIT_NS (self))
        continue;
      pool = get_pool_name (task->kind);
      if (pool == NULL)
        continue;
      if (links == NULL)
        links = list_links (trace);
      activity = task->run == 0
                     ? 0
                     : GPOINTER_TO_UINT (g_hash_table_lookup (links, GUINT_TO_POINTER (task->run)));
      group = ns_findings_group (self, task->pid, pool, NULL);
      ns_findings_add (group, NS_TABLE_TASKS, i + 1, activity, task->create_ns, task->start_ns);
      ns_findings_mark_at (self, group, task->create_ns);
      ns_findings_mark_at (self, group, task->start_ns);
    }
  ns_findings_report_groups (self, report_thread_pool_waits);
}

/* Returns whether the search probably cannot use an index: a value begins with a wildcard, or a
 * presence filter covers a whole subtree. */
static gboolean
is_costly (const char *filter, guint32 scope)
{
  return strstr (filter, "=*") != NULL &&
         (strstr (filter, "=*)") == NULL || scope == SCOPE_SUBTREE);
}

static void
report_slow_ldap (NsFindings *self, NsFindingGroup *group)
{
  ns_findings_report_sentence (
      self,
      group,
      group->worst_ns >= SLOW_LDAP_BAD_NS (self) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      g_str_has_suffix (group->key, "\ndown")
          /* Translators: do not translate the words in braces. */
          ? _ ("{process}: the directory server was down or not reached{times}: {base}.")
          : g_str_has_suffix (group->key, "costly")
                ? _ ("{process}: the search {filter} below {base} took up to {longest} on "
                     "{subject}{times}; it probably could not use an index.")
                : _ ("{process}: the search {filter} below {base} took up to {longest} on "
                     "{subject}{times}."),
      "filter",
      ns_findings_text (self, (NsString) group->sum_a),
      "base",
      ns_findings_text (self, (NsString) group->sum_b),
      NULL);
}

/* Adds LDAP events about servers that do not answer; they hold a text only. */
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
          ldap->close_ns - ldap->open_ns < SLOW_LDAP_NS (self))
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
  ns_findings_report_groups (self, report_slow_ldap);
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

/* Appends a need without its level and keywords: the list of needs shows them, here they would make
 * the sentence too long. */
static void
append_without_settings (GString *list, const char *need)
{
  while (*need != '\0')
    {
      const char *open = strstr (need, " (");
      const char *close = open != NULL ? strchr (open, ')') : NULL;

      if (close == NULL)
        {
          g_string_append (list, need);
          return;
        }
      g_string_append_len (list, need, open - need);
      need = close + 1;
    }
}

/* Appends “D10, D14: Microsoft-Windows-TCPIP 1186”. */
static void
append_rules (GString *list, const NsFindingRow *row, const char *rules)
{
  guint i;

  g_string_append_printf (list, "%s%s: ", list->len > 0 ? "; " : "", rules);
  for (i = 0; i < row->needs->len; i++)
    {
      g_string_append (list, i > 0 ? _ (" or ") : "");
      append_without_settings (list, g_ptr_array_index (row->needs, i));
    }
}

/* Returns sentences on what the captured packets cannot show, each with a leading space; (transfer
 * full). */
static char *
dup_limits_of_packets (const NsTrace *trace)
{
  GString *text = g_string_new (NULL);
  gboolean has_pid = FALSE;
  guint32 snap = 0;
  guint n_ways[3] = { 0 };
  guint n_frames = 0;
  guint i;

  for (i = 0; i < trace->packets->len; i++)
    {
      const NsPacketRow *packet = &g_array_index (trace->packets, NsPacketRow, i);

      if (!ns_packet_row_is_frame (packet))
        continue;
      n_frames++;
      has_pid = has_pid || ns_packet_row_get_pid (trace, packet) != NS_PID_UNKNOWN;
      n_ways[packet->direction + 1]++;
      if (packet->captured < packet->length)
        snap = MAX (snap, packet->captured);
    }
  if (n_frames > 0 && !has_pid)
    g_string_append_printf (
        text,
        " %s",
        _ ("Packets do not identify their process: record Microsoft-Windows-TCPIP, too."));
  if (snap > 0)
    {
      g_string_append_c (text, ' ');
      /* Translators: a number of bytes. */
      g_string_append_printf (text,
                              _ ("No more than %u bytes of each packet were captured: names and "
                                 "headers are truncated."),
                              snap);
    }
  if (n_ways[1] == 0 && (n_ways[0] == 0) != (n_ways[2] == 0))
    g_string_append_printf (text, " %s", _ ("Only one direction of the packets was captured."));
  return g_string_free (text, FALSE);
}

/* Lists the rules that could not be judged, grouped by what they lack. */
void
ns_find_missing_providers (NsFindings *self)
{
  g_autoptr (GPtrArray) needs = g_ptr_array_new ();
  g_autoptr (GString) list = g_string_new (NULL);
  guint n_before = self->rows->len;
  g_autofree char *limits = NULL;
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
  limits = dup_limits_of_packets (self->trace);
  ns_findings_report (self,
                      group,
                      NS_SEVERITY_INFO,
                      NS_FINDING_HIGH,
                      /* Translators: how many rules, then each with the events it needs, and
                       * sentences on packets or nothing. */
                      _ ("Rules that could not be judged: %u, as these events are missing: %s.%s"),
                      n_rules,
                      list->str,
                      limits);
  row = &g_array_index (self->rows, NsFindingRow, self->rows->len - 1);
  g_ptr_array_unref (row->needs);
  row->needs = g_steal_pointer (&needs);
}

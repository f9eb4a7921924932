/* Rules about DNS servers: silent servers (D02), servers of the wrong adapter (D05).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Servers that are asked in parallel are asked within this time. */
#define NEXT_SERVER_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D02_NEXT)
#define WRONG_ADAPTER_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D05_DELAY)
#define COSTLY_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D02_PROBLEM)
#define WRONG_ADAPTER_BAD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D05_PROBLEM)
#define STATUS_NO_NAME 9003
/* Maximum number of groups that are searched for a server. */
#define MAX_GROUPS 1024
/* Maximum distance, and number, of captured questions of the same name to other servers. */
#define SAME_QUESTION_NS (5 * NS_PER_SECOND)
#define MAX_QUESTIONS 64
#define STATUS_TIMEOUT 1460

/* Returns whether the row is the DNS client's own record of an answered question; the caller has
 * another row. */
static gboolean
has_servers (const NsDnsRow *dns)
{
  return dns->servers != NULL && dns->source == NS_DNS_FROM_NETWORK &&
         ns_time_is_set (dns->open_ns) && ns_time_is_set (dns->close_ns);
}

static gboolean
has_answered (const NsDnsServer *server)
{
  return server->answered_ns != NS_TIME_NONE;
}

/* Returns the server that was asked next and answered; %NULL: none. */
static const NsDnsServer *
find_next_server (const NsFindings *self, const NsDnsRow *dns, const NsDnsServer *silent)
{
  const NsDnsServer *next = NULL;
  guint i;

  for (i = 0; i < dns->servers->len; i++)
    {
      const NsDnsServer *server = &g_array_index (dns->servers, NsDnsServer, i);

      if (has_answered (server) && server->asked_ns != NS_TIME_NONE &&
          server->asked_ns - silent->asked_ns >= NEXT_SERVER_NS (self) &&
          (next == NULL || server->asked_ns < next->asked_ns))
        next = server;
    }
  return next;
}

static char *
dup_server (const NsFindings *self, const NsDnsServer *server)
{
  const char *address = ns_findings_text (self, server->address);

  if (server->adapter <= NS_STRING_EMPTY)
    return g_strdup (address);
  return g_strdup_printf ("%s (%s)", address, ns_findings_text (self, server->adapter));
}

/* Returns the first server that resolved the name. */
static const NsDnsServer *
find_first_success (const NsDnsRow *dns)
{
  const NsDnsServer *good = NULL;
  guint i;

  for (i = 0; i < dns->servers->len; i++)
    {
      const NsDnsServer *server = &g_array_index (dns->servers, NsDnsServer, i);

      if (has_answered (server) && server->status == 0 && server->adapter > NS_STRING_EMPTY &&
          (good == NULL || server->answered_ns < good->answered_ns))
        good = server;
    }
  return good;
}

/* Returns a server of another adapter that did not answer, or reported later that the name does not
 * exist. */
static const NsDnsServer *
find_wrong_adapter (const NsDnsRow *dns, const NsDnsServer *good)
{
  guint i;

  for (i = 0; i < dns->servers->len; i++)
    {
      const NsDnsServer *server = &g_array_index (dns->servers, NsDnsServer, i);

      if (server->asked_ns != NS_TIME_NONE && server->adapter > NS_STRING_EMPTY &&
          server->adapter != good->adapter &&
          (!has_answered (server) ||
           (server->status == STATUS_NO_NAME && server->answered_ns >= good->answered_ns)))
        return server;
    }
  return NULL;
}

static void
report_silent_server (NsFindings *self, NsFindingGroup *group)
{
  group->is_absence = group->sum_b == 0;
  if (group->sum_a == 0)
    ns_findings_report_sentence (
        self,
        group,
        group->worst_ns >= COSTLY_NS (self) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
        NS_FINDING_HIGH,
        /* Translators: do not translate the words in braces. */
        group->worst_ns > 0 ? _ ("{process}: the name server {subject} did not answer within "
                                 "{longest}{times}.")
                            : _ ("{process}: the name server {subject} did not answer{times}."),
        NULL);
  else
    ns_findings_report_sentence (self,
                                 group,
                                 group->worst_ns >= COSTLY_NS (self) ? NS_SEVERITY_PROBLEM
                                                                     : NS_SEVERITY_WARNING,
                                 NS_FINDING_HIGH,
                                 /* Translators: do not translate the words in braces. */
                                 _ ("{process}: the name server {subject} did not answer; it took "
                                    "up to {longest} until {next} was queried{times}."),
                                 "next",
                                 ns_findings_text (self, (NsString) group->sum_a),
                                 NULL);
}

/* Adds servers that the DNS client itself reports as timed out (event 1015), for traces without the
 * records of questions. */
static void
add_timeouts (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      NsFindingGroup *group = NULL;
      char text[NS_IP_TEXT_SIZE];
      guint j;

      if (sign->source != NS_SIGN_DNS || sign->id != 1015 || sign->remote == NULL)
        continue;
      ns_ip_to_text (&sign->remote->ip, text);
      for (j = 0; j < self->order->len && j < MAX_GROUPS && group == NULL; j++)
        {
          NsFindingGroup *other = g_ptr_array_index (self->order, j);

          if (g_str_has_prefix (other->subject, text))
            group = other;
        }
      if (group == NULL || group->sum_a == 0)
        {
          group = ns_findings_group (self, sign->pid, text, NULL);
          ns_findings_add (group, NS_N_TABLES, 0, 0, sign->time_ns, sign->time_ns);
        }
      group->sum_b++;
      ns_findings_mark (group, sign->event);
    }
}

static gboolean
is_in_packets (const NsDnsRow *dns)
{
  return dns->source == NS_DNS_FROM_PACKET && dns->query > NS_STRING_EMPTY &&
         ns_time_is_set (dns->open_ns);
}

static char *
dup_question (const NsFindings *self, const NsDnsRow *dns)
{
  g_autofree char *name = g_ascii_strdown (ns_findings_text (self, dns->query), -1);

  return g_strdup_printf ("%u %s", dns->type, name);
}

static void
free_rows (gpointer rows)
{
  g_array_unref (rows);
}

/**
 * ns_findings_index_questions: (skip)
 * @self: the findings of one trace
 *
 * Returns: (transfer full) (element-type utf8 GArray): questions that only packets show, by type
 *   and name, for ns_findings_find_other_server()
 */
GHashTable *
ns_findings_index_questions (const NsFindings *self)
{
  GHashTable *questions = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, free_rows);
  guint i;

  for (i = 0; i < self->trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (self->trace->dns, NsDnsRow, i);
      NsRow row = i + 1;
      char *key;
      GArray *rows;

      if (!is_in_packets (dns))
        continue;
      key = dup_question (self, dns);
      rows = g_hash_table_lookup (questions, key);
      if (rows == NULL)
        {
          rows = g_array_new (FALSE, FALSE, sizeof (NsRow));
          g_hash_table_insert (questions, g_strdup (key), rows);
        }
      g_array_append_val (rows, row);
      g_free (key);
    }
  return questions;
}

/**
 * ns_findings_find_other_server: (skip)
 * @self: the findings of one trace
 * @questions: the result of ns_findings_index_questions()
 * @dns: an unanswered question in packets
 * @later_ns: minimum delay until the other server was asked; negative: it may have been asked
 *   before
 *
 * Returns: the first question of the same name and type that another server answered, or 0
 */
NsRow
ns_findings_find_other_server (const NsFindings *self,
                               GHashTable *questions,
                               NsRow dns,
                               gint64 later_ns)
{
  const NsDnsRow *silent = NS_ROW_AT (self->trace->dns, NsDnsRow, dns);
  g_autofree char *key = NULL;
  const GArray *rows;
  NsRow found = 0;
  guint n_steps = 0;
  guint i;

  if (!is_in_packets (silent))
    return 0;
  key = dup_question (self, silent);
  rows = g_hash_table_lookup (questions, key);
  for (i = 0; rows != NULL && i < rows->len && n_steps < MAX_QUESTIONS; i++)
    {
      NsRow row = g_array_index (rows, NsRow, i);
      const NsDnsRow *other = NS_ROW_AT (self->trace->dns, NsDnsRow, row);

      if (other->open_ns < silent->open_ns + later_ns ||
          ns_time_between (silent->close_ns, other->open_ns) > SAME_QUESTION_NS)
        continue;
      n_steps++;
      if (other->server != silent->server && other->has_status && other->status != STATUS_TIMEOUT &&
          ns_time_is_set (other->close_ns) &&
          (found == 0 || other->open_ns < NS_ROW_AT (self->trace->dns, NsDnsRow, found)->open_ns))
        found = row;
    }
  return found;
}

/* Adds servers from captured packets, in which each question to a server has a row of its own. */
static void
add_questions_in_packets (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) questions = ns_findings_index_questions (self);
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      const NsDnsRow *next;
      NsFindingGroup *group;
      NsRow row;

      if (!dns->has_status || dns->status != STATUS_TIMEOUT || dns->server <= NS_STRING_EMPTY)
        continue;
      row = ns_findings_find_other_server (self, questions, i + 1, NEXT_SERVER_NS (self));
      if (row == 0)
        continue;
      next = NS_ROW_AT (trace->dns, NsDnsRow, row);
      group = ns_findings_group (self, dns->pid, ns_findings_text (self, dns->server), NULL);
      group->sum_a = next->server;
      ns_findings_add (group, NS_TABLE_DNS, i + 1, dns->activity, dns->open_ns, next->open_ns);
      ns_findings_mark_at (self, group, dns->open_ns);
      ns_findings_mark_at (self, group, next->close_ns);
    }
}

void
ns_find_silent_server (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;
  guint j;

  ns_find_closed_name_servers (self);
  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      const NsDnsServer *good = has_servers (dns) ? find_first_success (dns) : NULL;

      /* The adapter is the cause, not the server: rule D05. */
      if (good != NULL && dns->close_ns - good->answered_ns >= WRONG_ADAPTER_NS (self) &&
          find_wrong_adapter (dns, good) != NULL)
        continue;
      for (j = 0; has_servers (dns) && j < dns->servers->len; j++)
        {
          const NsDnsServer *silent = &g_array_index (dns->servers, NsDnsServer, j);
          const NsDnsServer *next;
          g_autofree char *subject = NULL;
          NsFindingGroup *group;

          if (silent->asked_ns == NS_TIME_NONE || has_answered (silent))
            continue;
          next = find_next_server (self, dns, silent);
          if (next == NULL)
            continue;
          subject = dup_server (self, silent);
          group = ns_findings_group (self, dns->pid, subject, NULL);
          group->sum_a = next->address;
          ns_findings_add (group,
                           NS_TABLE_DNS,
                           i + 1,
                           dns->activity,
                           silent->asked_ns,
                           next->asked_ns);
          ns_findings_mark_at (self, group, silent->asked_ns);
          ns_findings_mark_at (self, group, next->answered_ns);
        }
    }
  add_questions_in_packets (self);
  add_timeouts (self);
  ns_findings_report_groups (self, report_silent_server);
}

static void
report_wrong_adapter (NsFindings *self, NsFindingGroup *group)
{
  ns_findings_report_sentence (
      self,
      group,
      group->worst_ns >= WRONG_ADAPTER_BAD_NS (self) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_MEDIUM,
      /* Translators: do not translate the words in braces. */
      _ ("{process}: the response for {name} had arrived, but the query ended up to {longest} "
         "later: Windows waited for the DNS servers of adapter {subject}{times}."),
      "name",
      ns_findings_text (self, (NsString) group->sum_a),
      NULL);
}

void
ns_find_wrong_adapter (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      const NsDnsServer *good = has_servers (dns) ? find_first_success (dns) : NULL;
      const NsDnsServer *wrong;
      NsFindingGroup *group;

      if (good == NULL || dns->close_ns - good->answered_ns < WRONG_ADAPTER_NS (self))
        continue;
      wrong = find_wrong_adapter (dns, good);
      if (wrong == NULL)
        continue;
      group = ns_findings_group (self, dns->pid, ns_findings_text (self, wrong->adapter), NULL);
      group->sum_a = dns->query;
      ns_findings_add (group, NS_TABLE_DNS, i + 1, dns->activity, good->answered_ns, dns->close_ns);
      ns_findings_mark_at (self, group, wrong->asked_ns);
      ns_findings_mark_at (self, group, good->answered_ns);
      ns_findings_mark_at (self, group, dns->close_ns);
    }
  ns_findings_report_groups (self, report_wrong_adapter);
}

/**
 * ns_findings_blames_server: (skip)
 * @self: the findings of one trace
 * @dns: a row of the DNS table
 *
 * Returns: whether rule D02 or D05 explains why the look-up was slow
 */
gboolean
ns_findings_blames_server (const NsFindings *self, const NsDnsRow *dns)
{
  const NsDnsServer *good = has_servers (dns) ? find_first_success (dns) : NULL;
  guint i;

  if (good != NULL && dns->close_ns - good->answered_ns >= WRONG_ADAPTER_NS (self) &&
      find_wrong_adapter (dns, good) != NULL)
    return TRUE;
  for (i = 0; has_servers (dns) && i < dns->servers->len; i++)
    {
      const NsDnsServer *server = &g_array_index (dns->servers, NsDnsServer, i);

      if (server->asked_ns != NS_TIME_NONE && !has_answered (server) &&
          find_next_server (self, dns, server) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* Rule about local ports and addresses that were not available: D41.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Ports 49152 … 65535, and how long each is unavailable after its connection (2 × TIME_WAIT). */
#define N_LOCAL_PORTS(self) ns_findings_limit (self, NS_THRESHOLD_D41_PORTS)
#define PORTS_PERCENT(self) ns_findings_limit (self, NS_THRESHOLD_D41_SHARE)
#define PORTS_WITHIN_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D41_WITHIN)
#define STATUS_ADDRESS_IN_USE 0xc000020a
/* Maximum number of connects that are kept as evidence. */
#define MAX_EVIDENCE 1000
/* Number of counters; endpoints are counted by their hashes. */
#define N_COUNTS 16384

/* Stores the local address that was not available; the finding names one of them. */
static void
store_local_address (NsFindingGroup *group, const NsEndpoint *local)
{
  if (local != NULL && local->port != 0 && group->local.port == 0)
    group->local = *local;
}

static void
add_refused_bind (NsFindings *self, NsRow row)
{
  const NsCallRow *call = NS_ROW_AT (self->trace->calls, NsCallRow, row);
  NsFindingGroup *group =
      ns_findings_group (self,
                         call->pid,
                         "",
                         call->status == STATUS_ADDRESS_IN_USE ? "used" : "failed");

  store_local_address (group,
                       &call->remote); /* the remote field of a bind holds the requested address */
  if (call->winsock != 0 && call->winsock <= self->trace->winsock->len)
    store_local_address (group,
                         NS_ROW_AT (self->trace->winsock, NsWinsockRow, call->winsock)->local);
  ns_findings_mark_at (self, group, call->close_ns);
  ns_findings_add (group,
                   NS_TABLE_CALLS,
                   row,
                   call->activity,
                   call->open_ns,
                   ns_findings_end (self, call->close_ns));
}

static void
add_exhausted (NsFindings *self)
{
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);
      NsFindingGroup *group;

      if (attempt->end != NS_ATTEMPT_NO_PORTS)
        continue;
      group = ns_findings_group (self, attempt->pid, "", "failed");
      if (attempt->table == NS_TABLE_TCP)
        store_local_address (group, NS_ROW_AT (self->trace->tcp, NsTcpRow, attempt->row)->local);
      ns_findings_mark_attempt (self, group, attempt);
      ns_findings_add (group,
                       attempt->table,
                       attempt->row,
                       attempt->activity,
                       attempt->open_ns,
                       ns_findings_end (self, attempt->close_ns));
    }
  for (i = 0; i < self->calls->failed->len; i++)
    {
      NsRow row = g_array_index (self->calls->failed, NsRow, i);
      const NsCallRow *call = NS_ROW_AT (self->trace->calls, NsCallRow, row);

      if (call->kind == NS_CALL_BIND && call->status_family == NS_CODE_NTSTATUS &&
          ns_attempt_end_of (NS_CODE_NTSTATUS, call->status) == NS_ATTEMPT_NO_PORTS)
        add_refused_bind (self, row);
    }
}

/* Adds TCPIP records about ports that were not available. A failed connect is reported by its
 * attempt instead. */
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
      store_local_address (group, sign->local);
    }
}

/* One connect. */
typedef struct
{
  gint64 time_ns;
  NsFindingRef ref;
} Opening;

static gint
compare_openings (gconstpointer a, gconstpointer b)
{
  const Opening *left = a;
  const Opening *right = b;

  return (left->time_ns > right->time_ns) - (left->time_ns < right->time_ns);
}

/* Returns the maximum number of connections to one endpoint within the time that ports are
 * unavailable; @first: (out): the first of them. */
static guint
count_densest (const NsFindings *self, GArray *openings, guint *first)
{
  guint best = 0;
  guint begin = 0;
  guint i;

  g_array_sort (openings, compare_openings);
  for (i = 0; i < openings->len; i++)
    {
      while (ns_time_between (g_array_index (openings, Opening, begin).time_ns,
                              g_array_index (openings, Opening, i).time_ns) >
             PORTS_WITHIN_NS (self))
        begin++;
      if (i - begin + 1 <= best)
        continue;
      best = i - begin + 1;
      *first = begin;
    }
  return best;
}

static void
free_openings (gpointer openings)
{
  g_array_unref (openings);
}

/* Returns the connects by process and endpoint; (transfer full) (element-type utf8 GArray). */
static GHashTable *
list_openings (const NsFindings *self)
{
  GHashTable *endpoints = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, free_openings);
  g_autoptr (GString) key = g_string_new (NULL);
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);
      Opening opening = { attempt->open_ns, { attempt->table, attempt->row } };
      GArray *openings;

      ns_attempt_set_key (key, attempt);
      openings = g_hash_table_lookup (endpoints, key->str);
      if (openings == NULL)
        {
          openings = g_array_new (FALSE, FALSE, sizeof (Opening));
          g_hash_table_insert (endpoints, g_strndup (key->str, key->len), openings);
        }
      g_array_append_val (openings, opening);
    }
  return endpoints;
}

/* Returns whether any endpoint can have got so many connections; endpoints whose hashes collide are
 * counted together, so FALSE is exact. */
static gboolean
may_have_many (const NsFindings *self, guint n_many)
{
  g_autofree guint *counts = g_new0 (guint, N_COUNTS);
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);
      guint32 hash = ns_hash_bytes (ns_hash_get_key (),
                                    (const char *) attempt->remote.ip.bytes,
                                    sizeof attempt->remote.ip.bytes);

      if (++counts[(hash ^ attempt->pid ^ (guint) attempt->remote.port << 3) % N_COUNTS] >= n_many)
        return TRUE;
    }
  return FALSE;
}

static void
warn_of_many (NsFindings *self)
{
  g_autoptr (GHashTable) endpoints = NULL;
  g_autoptr (GList) keys = NULL;
  GList *at;

  if (!may_have_many (self, N_LOCAL_PORTS (self) * PORTS_PERCENT (self) / 100))
    return;
  endpoints = list_openings (self);
  /* The order of the hash table differs in each run. */
  keys = g_list_sort (g_hash_table_get_keys (endpoints), (GCompareFunc) strcmp);
  for (at = keys; at != NULL; at = at->next)
    {
      const char *key = at->data;
      GArray *value = g_hash_table_lookup (endpoints, key);
      guint first = 0;
      guint n = count_densest (self, value, &first);
      guint32 pid = (guint32) g_ascii_strtoull (key, NULL, 10);
      const Opening *openings = (const Opening *) value->data + first;
      NsFindingGroup *group;
      guint i;

      if (n < N_LOCAL_PORTS (self) * PORTS_PERCENT (self) / 100)
        continue;
      group = ns_findings_group (self, pid, strchr (key, ' ') + 1, "many");
      ns_findings_add (group,
                       openings[0].ref.table,
                       openings[0].ref.row,
                       0,
                       openings[0].time_ns,
                       openings[0].time_ns);
      for (i = 1; i < MIN (n, MAX_EVIDENCE); i++)
        ns_findings_add_ref (group, openings[i].ref.table, openings[i].ref.row);
      ns_findings_add_ref (group, openings[n - 1].ref.table, openings[n - 1].ref.row);
      group->sum_a = group->count = n;
    }
}

static void
report_ports (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = ns_findings_dup_process (self, group);
  char address[NS_IP_TEXT_SIZE];
  g_autofree char *local =
      group->local.port != 0 ? g_strdup_printf (" %s", ns_endpoint_to_text (&group->local, address))
                             : g_strdup ("");

  if (g_str_has_suffix (group->key, "\nmany"))
    ns_findings_report (self,
                        group,
                        NS_SEVERITY_PROBLEM,
                        NS_FINDING_MEDIUM,
                        _ ("%s opened %u connections to %s within four minutes: the 16,384 local "
                           "ports were nearly used up."),
                        process,
                        (guint) group->sum_a,
                        group->subject);
  else if (g_str_has_suffix (group->key, "\nfailed"))
    ns_findings_report_sentence (
        self,
        group,
        NS_SEVERITY_PROBLEM,
        NS_FINDING_HIGH,
        /* Translators: do not translate the words in braces. */
        _ ("{process}: no local port or buffer was left{local} (WSAENOBUFS{also_times})."),
        "local",
        local,
        NULL);
  else
    ns_findings_report_sentence (self,
                                 group,
                                 /* A service that is started twice fails once. */
                                 group->count > 1 ? NS_SEVERITY_PROBLEM : NS_SEVERITY_INFO,
                                 NS_FINDING_HIGH,
                                 _ ("{process}: the local address{local} was in use already "
                                    "(WSAEADDRINUSE{also_times})."),
                                 "local",
                                 local,
                                 NULL);
}

void
ns_find_port_exhaustion (NsFindings *self)
{
  add_exhausted (self);
  add_refused_ports (self);
  warn_of_many (self);
  ns_findings_report_groups (self, report_ports);
}

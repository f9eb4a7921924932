/* Rule about proxy discovery: D27.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "findings/ns-codes.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PROXY_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D27_SLOW)
#define PROXY_BAD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D27_PROBLEM)
/* Maximum number of requests before a discovery that are compared. */
#define MAX_STEPS 256
#define MAX_SEARCHES 10000

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

/* Begin and end events of the discovery's steps, in WinHTTP and WinINet. */
static const struct
{
  guint16 begin;
  guint16 end;
  gboolean is_blocking; /* the calling thread waits for the end */
} steps[] = {
  { 816, 817, TRUE },
  { 801, 808, FALSE },
  { 801, 810, FALSE },
  { 834, 835, FALSE },
};

/* One proxy discovery. */
typedef struct
{
  NsTimeSpan span;
  guint32 pid;
  guint32 events[2];
  gboolean is_blocking;
} Search;

static char *
dup_key (const NsSign *sign, guint16 begin, guint32 tid)
{
  return g_strdup_printf ("%u %u %u %u", sign->source, sign->pid, begin, tid);
}

/* Returns the begin event of the step: on the same thread, else on any thread of the process. */
static const NsSign *
take_begin (GHashTable *begun, const NsSign *end, guint16 begin)
{
  g_autofree char *own = dup_key (end, begin, end->tid);
  g_autofree char *any = dup_key (end, begin, NS_PID_UNKNOWN);
  const NsSign *sign = g_hash_table_lookup (begun, own);

  if (sign == NULL)
    sign = g_hash_table_lookup (begun, any);
  g_hash_table_remove (begun, own);
  g_hash_table_remove (begun, any);
  return sign;
}

static void
add_search (const NsFindings *self, GArray *searches, GHashTable *begun, const NsSign *sign)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      const NsSign *begin = NULL;

      if (sign->id == steps[i].begin)
        {
          g_hash_table_replace (begun, dup_key (sign, sign->id, sign->tid), (gpointer) sign);
          g_hash_table_replace (begun, dup_key (sign, sign->id, NS_PID_UNKNOWN), (gpointer) sign);
          return;
        }
      if (sign->id == steps[i].end)
        begin = take_begin (begun, sign, steps[i].begin);
      if (begin != NULL && ns_time_between (begin->time_ns, sign->time_ns) >= PROXY_NS (self))
        {
          Search search = { { begin->time_ns, sign->time_ns },
                            sign->pid,
                            { begin->event, sign->event },
                            steps[i].is_blocking };

          g_array_append_val (searches, search);
        }
    }
}

/* Returns (transfer full) (element-type Search). */
static GArray *
list_searches (const NsFindings *self)
{
  const NsTrace *trace = self->trace;
  GArray *searches = g_array_new (FALSE, FALSE, sizeof (Search));
  g_autoptr (GHashTable) begun = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  guint i;

  for (i = 0; i < trace->signs->len && searches->len < MAX_SEARCHES; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);

      if (sign->source == NS_SIGN_WININET || sign->source == NS_SIGN_WINHTTP)
        add_search (self, searches, begun, sign);
    }
  return searches;
}

/* Returns the requests of this machine, sorted by start; (transfer full) (element-type
 * NsFindingMoment). */
static GArray *
list_requests (const NsFindings *self)
{
  const NsTrace *trace = self->trace;
  GArray *requests = g_array_new (FALSE, FALSE, sizeof (NsFindingMoment));
  guint n;

  for (n = 0; n < self->operations->requests->len; n++)
    {
      guint i = g_array_index (self->operations->requests, NsFindingRequest, n).row;
      const NsActivityRow *row = ROW (trace, i);
      NsFindingMoment moment = { .row = i + 1, .open_ns = row->open_ns, .value = row->pid };

      if (!ns_time_is_set (row->open_ns))
        continue;
      moment.close_ns = ns_time_is_set (row->first_byte_ns) ? row->first_byte_ns
                        : row->close_ns == NS_TIME_OPEN     ? trace->end_ns
                                                            : row->close_ns;
      g_array_append_val (requests, moment);
    }
  g_array_sort (requests, ns_findings_compare_moments);
  return requests;
}

/* Returns the number of requests that began until @time_ns, including those that ended. */
static guint
count_begun (const GArray *requests, gint64 time_ns)
{
  guint low = 0;
  guint high = requests->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (requests, NsFindingMoment, middle).open_ns <= time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Returns the last of the first @n requests that was waiting during the span, 1-based; 0: none.
 * @pid: NS_PID_UNKNOWN: any process. */
static guint
find_waiting_request (const GArray *requests, guint n, guint32 pid, const NsTimeSpan *span)
{
  guint n_steps;

  for (n_steps = 0; n > 0 && n_steps < MAX_STEPS; n--, n_steps++)
    {
      const NsFindingMoment *request = &g_array_index (requests, NsFindingMoment, n - 1);

      if ((pid == NS_PID_UNKNOWN || request->value == pid) && request->close_ns > span->begin_ns)
        return n;
    }
  return 0;
}

static void
gather_phases (NsFindings *self, gboolean *is_reported)
{
  const NsTrace *trace = self->trace;
  guint n;

  for (n = 0; n < self->operations->timed->len; n++)
    {
      guint i = g_array_index (self->operations->timed, guint, n);
      const NsActivityRow *row = ROW (trace, i);
      gint64 proxy_ns = ns_activity_row_get_phase (row, NS_PHASE_PROXY);

      if (proxy_ns < PROXY_NS (self))
        continue;
      is_reported[i] = TRUE;
      /* The discovery comes first in a request. The trace records its length only. */
      ns_findings_add (ns_findings_group (self, row->pid, "", NULL),
                       NS_TABLE_ACTIVITIES,
                       i + 1,
                       0,
                       row->open_ns,
                       ns_time_after (row->open_ns, proxy_ns));
    }
}

/* Groups the requests that waited for a discovery. A blocking discovery counts without requests,
 * too. */
static void
gather_searches (NsFindings *self,
                 const GArray *searches,
                 const GArray *requests,
                 gboolean *is_reported)
{
  guint i;

  for (i = 0; i < searches->len; i++)
    {
      const Search *search = &g_array_index (searches, Search, i);
      guint n = count_begun (requests, search->span.end_ns);
      NsFindingGroup *group = NULL;

      n = find_waiting_request (requests, n, search->pid, &search->span);
      if (n > 0 || search->is_blocking)
        group = ns_findings_group (self, search->pid, "", NULL);
      if (group == NULL)
        continue;
      ns_findings_mark (group, search->events[0]);
      ns_findings_mark (group, search->events[1]);
      if (n == 0)
        ns_findings_add (group, NS_N_TABLES, 0, 0, search->span.begin_ns, search->span.end_ns);
      for (; n > 0; n = find_waiting_request (requests, n - 1, search->pid, &search->span))
        {
          const NsFindingMoment *request = &g_array_index (requests, NsFindingMoment, n - 1);

          if (is_reported[request->row - 1])
            continue;
          is_reported[request->row - 1] = TRUE;
          ns_findings_add (group,
                           NS_TABLE_ACTIVITIES,
                           request->row,
                           0,
                           MAX (search->span.begin_ns, request->open_ns),
                           search->span.end_ns);
        }
    }
}

/**
 * ns_findings_is_wpad: (skip)
 * @name: a host name
 *
 * Returns: whether the name is “wpad”, alone or with a suffix
 */
gboolean
ns_findings_is_wpad (const char *name)
{
  return g_ascii_strncasecmp (name, "wpad", 4) == 0 && (name[4] == '\0' || name[4] == '.');
}

/* Finds the discovery in which a name was looked up, of any process: a service resolves for all. */
static NsFindingGroup *
find_search (NsFindings *self, guint n_groups, const NsDnsRow *dns)
{
  guint i;
  guint j;

  for (i = 0; i < n_groups && i < MAX_STEPS; i++)
    {
      NsFindingGroup *group = g_ptr_array_index (self->order, i);

      for (j = 0; j < group->spans->len && j < MAX_STEPS; j++)
        {
          const NsTimeSpan *span = &g_array_index (group->spans, NsTimeSpan, j);

          if (dns->open_ns <= span->end_ns && dns->close_ns >= span->begin_ns)
            return group;
        }
    }
  return NULL;
}

static gboolean
is_wpad_look_up (const NsFindings *self, const NsDnsRow *dns)
{
  return ns_time_is_set (dns->open_ns) && ns_time_is_set (dns->close_ns) &&
         ns_findings_is_wpad (ns_findings_text (self, dns->query));
}

static gboolean
has_wpad_name (const NsFindings *self)
{
  guint i;

  for (i = 0; i < self->trace->dns->len; i++)
    if (is_wpad_look_up (self, &g_array_index (self->trace->dns, NsDnsRow, i)))
      return TRUE;
  return FALSE;
}

/* Adds the WPAD look-ups. If the discovery itself is not recorded, the look-ups are its cost. */
static void
gather_wpad_names (NsFindings *self, const GArray *requests)
{
  guint n_groups = self->order->len;
  guint i;

  for (i = 0; i < self->trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (self->trace->dns, NsDnsRow, i);
      NsTimeSpan span = { dns->open_ns, dns->close_ns };
      NsFindingGroup *group;

      if (!is_wpad_look_up (self, dns))
        continue;
      group = find_search (self, n_groups, dns);
      if (group != NULL)
        ns_findings_add_ref (group, NS_TABLE_DNS, i + 1);
      else if (ns_time_between (dns->open_ns, dns->close_ns) >= PROXY_NS (self) &&
               (requests->len == 0 || find_waiting_request (requests,
                                                            count_begun (requests, dns->close_ns),
                                                            NS_PID_UNKNOWN,
                                                            &span) > 0))
        {
          group = ns_findings_group (self, dns->pid, ns_findings_text (self, dns->query), "name");
          group->sum_b = requests->len == 0; /* requests, which may have waited, are not recorded */
          ns_findings_add (group, NS_TABLE_DNS, i + 1, dns->activity, dns->open_ns, dns->close_ns);
        }
      else
        continue;
      if (group->sum_a == 0)
        group->sum_a = i + 1;
      ns_findings_mark_at (self, group, dns->open_ns);
      ns_findings_mark_at (self, group, dns->close_ns);
    }
}

static char *
dup_result (const NsDnsRow *dns)
{
  if (!dns->has_status)
    return g_strdup (_ ("no response was recorded"));
  return dns->status == 0 ? g_strdup (_ ("it was found"))
                          : ns_codes_describe (NS_CODE_DNS, dns->status);
}

static void
report_searches (NsFindings *self, NsFindingGroup *group)
{
  const NsDnsRow *dns =
      group->sum_a != 0 ? NS_ROW_AT (self->trace->dns, NsDnsRow, group->sum_a) : NULL;
  g_autofree char *result = dns != NULL ? dup_result (dns) : NULL;
  NsSeverity severity =
      group->worst_ns >= PROXY_BAD_NS (self) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING;
  const char *sentence = _ (
      "{process}: up to {longest} was spent on proxy detection (requests that waited: {count}).");

  if (result != NULL && g_str_has_suffix (result, "."))
    result[strlen (result) - 1] = '\0';
  if (g_str_has_suffix (group->key, "\nname"))
    /* Translators: do not translate the words in braces; the result is what came of the name. */
    sentence = _ ("{process}: up to {longest} was spent on proxy detection by the name "
                  "{name}{times}: {result}.");
  else if (dns != NULL)
    sentence = _ ("{process}: up to {longest} was spent on proxy detection (requests that waited: "
                  "{count}), also by the name {name}: {result}.");
  ns_findings_report_sentence (self,
                               group,
                               group->sum_b != 0 ? NS_SEVERITY_INFO : severity,
                               group->sum_b != 0 ? NS_FINDING_MEDIUM : NS_FINDING_HIGH,
                               sentence,
                               "name",
                               dns != NULL ? ns_findings_text (self, dns->query) : "",
                               "result",
                               result != NULL ? result : "",
                               NULL);
}

void
ns_find_proxy_searches (NsFindings *self)
{
  g_autoptr (GArray) searches = list_searches (self);
  g_autoptr (GArray) requests = NULL;
  g_autofree gboolean *is_reported = g_new0 (gboolean, self->trace->activities->len + 1);

  gather_phases (self, is_reported);
  if (searches->len > 0 || has_wpad_name (self))
    {
      requests = list_requests (self);
      gather_searches (self, searches, requests, is_reported);
      gather_wpad_names (self, requests);
    }
  ns_findings_report_groups (self, report_searches);
}

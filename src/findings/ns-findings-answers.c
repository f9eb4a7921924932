/* Rules about HTTP answers: repeated authentication (D28), error statuses (D30).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define MIN_AUTHENTICATIONS(self) ns_findings_limit (self, NS_THRESHOLD_D28_ANSWERS)
#define AUTHENTICATIONS_PERCENT(self) ns_findings_limit (self, NS_THRESHOLD_D28_SHARE)
/* NTLM needs this many 401 answers per connection. */
#define LEGS_PER_CONNECTION 2
#define MIN_CLIENT_ERRORS(self) ns_findings_limit (self, NS_THRESHOLD_D30_CLIENT_ERRORS)
/* Maximum number of status codes of one path that the sentence lists. */
#define MAX_CODES 8

enum
{
  HTTP_UNAUTHORIZED = 401,
  HTTP_PROXY_AUTHENTICATION = 407,
};

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

static gboolean
is_authentication (const NsActivityRow *row)
{
  return row->http_status == HTTP_UNAUTHORIZED || row->http_status == HTTP_PROXY_AUTHENTICATION;
}

/* Times at which a process last requested a URL, and last received it. */
typedef struct
{
  gint64 asked_ns;
  gint64 got_ns;
} LastTimes;

static gint64
url_key (const NsActivityRow *row)
{
  return (gint64) ((guint64) row->pid << 32 | row->url);
}

static GHashTable *
list_last_times (const NsTrace *trace)
{
  GHashTable *map = g_hash_table_new_full (ns_hash_int64, g_int64_equal, g_free, g_free);
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = ROW (trace, i);
      LastTimes *last;
      gint64 key;

      if (!ns_findings_is_request (row) || !ns_time_is_set (row->open_ns))
        continue;
      key = url_key (row);
      last = g_hash_table_lookup (map, &key);
      if (last == NULL)
        {
          last = g_new (LastTimes, 1);
          *last = (LastTimes){ NS_TIME_NONE, NS_TIME_NONE };
          g_hash_table_insert (map, g_memdup2 (&key, sizeof key), last);
        }
      last->asked_ns = MAX (last->asked_ns, row->open_ns);
      if (row->http_status >= 200 && row->http_status < 400)
        last->got_ns = MAX (last->got_ns, row->open_ns);
    }
  return map;
}

static const LastTimes *
get_last_times (NsFindings *self, const NsActivityRow *row)
{
  gint64 key = url_key (row);

  if (self->last == NULL)
    self->last = list_last_times (self->trace);
  return g_hash_table_lookup (self->last, &key);
}

/**
 * ns_findings_gets_in_later: (skip)
 * @self: the findings of one trace
 * @row: a request
 *
 * Returns: whether the server asked for authentication and the process received the same URL later
 */
gboolean
ns_findings_gets_in_later (NsFindings *self, const NsActivityRow *row)
{
  const LastTimes *last = is_authentication (row) ? get_last_times (self, row) : NULL;

  return last != NULL && last->got_ns > row->open_ns;
}

/* Returns whether the server asked for authentication and the process requested the URL again. */
static gboolean
is_repeated_with_credentials (NsFindings *self, const NsActivityRow *row)
{
  const LastTimes *last = is_authentication (row) ? get_last_times (self, row) : NULL;

  return last != NULL && last->asked_ns > row->open_ns;
}

/* Returns, by WinHTTP row, the 1-based event of the last answer's headers; (transfer full). */
static guint32 *
list_heads (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint32 *heads = g_new0 (guint32, trace->webio->len + 1);
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      const NsWebioConn *conn;

      if (sign->source == NS_SIGN_WEBIO && sign->id == 101)
        heads[ns_findings_find_webio (self, sign, &conn)] = sign->event + 1;
    }
  return heads;
}

/**
 * ns_findings_mark_answer: (skip)
 * @self: the findings of one trace
 * @group: the group that the answer supports
 * @activity: a request, 1-based row of the master table
 *
 * Marks the event of the last answer to a request; does nothing if that event is unknown.
 */
void
ns_findings_mark_answer (NsFindings *self, NsFindingGroup *group, NsRow activity)
{
  NsRow request = ROW (self->trace, activity - 1)->webio;

  if (self->heads == NULL)
    self->heads = list_heads (self);
  if (request != 0 && request <= self->trace->webio->len && self->heads[request] != 0)
    ns_findings_mark (group, self->heads[request] - 1);
}

static gboolean
is_of_group (const NsFindings *self, const NsFindingGroup *group, NsRow request)
{
  const NsWebioRow *row = NS_ROW_AT (self->trace->webio, NsWebioRow, request);
  const NsActivityRow *activity;
  g_autofree char *host = NULL;

  if (row->pid != group->pid || row->activity == 0 || row->activity > self->trace->activities->len)
    return FALSE;
  activity = ROW (self->trace, row->activity - 1);
  host = ns_findings_dup_host (self, activity->server, activity->remote);
  return strcmp (host, group->subject) == 0;
}

/* Returns the authentication scheme, as the answer or WinINet records it. */
static const char *
find_scheme (NsFindings *self, NsFindingGroup *group)
{
  const NsTrace *trace = self->trace;
  const char *scheme = NULL;
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      const NsWebioConn *conn;
      gboolean is_answer = sign->source == NS_SIGN_WEBIO && (sign->flags & NS_ANSWER_ASKS_WHO) != 0;
      gboolean is_reported = sign->source == NS_SIGN_WININET && sign->id == 601;
      NsRow request = is_answer ? ns_findings_find_webio (self, sign, &conn) : 0;

      if (!is_reported && (request == 0 || !is_of_group (self, group, request)))
        continue;
      ns_findings_mark (group, sign->event);
      if (scheme == NULL && sign->name != NS_STRING_NONE)
        scheme = ns_findings_text (self, sign->name);
    }
  return scheme != NULL ? scheme : _ ("scheme not recorded");
}

static void
report_authentication (NsFindings *self, NsFindingGroup *group)
{
  const NsTrace *trace = self->trace;
  guint j;
  g_autoptr (GHashTable) connections =
      g_hash_table_new_full (ns_hash_int64, g_int64_equal, g_free, NULL);
  g_autofree char *process = NULL;
  guint n_legs = 0;

  for (j = 0; j < group->moments->len; j++)
    {
      NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, j);

      if (!moment->flag)
        continue;
      n_legs++;
      g_hash_table_add (connections, g_memdup2 (&moment->value, sizeof (guint64)));
      group->sum_a += ROW (trace, moment->row - 1)->sent;
    }
  if (n_legs < MIN_AUTHENTICATIONS (self) ||
      n_legs <= LEGS_PER_CONNECTION * g_hash_table_size (connections) ||
      n_legs * 100 < group->moments->len * AUTHENTICATIONS_PERCENT (self))
    return;
  process = ns_findings_dup_process (self, group);
  for (j = 0; j < group->moments->len; j++)
    {
      const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, j);

      if (moment->flag)
        ns_findings_add (group,
                         NS_TABLE_ACTIVITIES,
                         moment->row,
                         0,
                         moment->open_ns,
                         moment->close_ns);
    }
  ns_findings_report (self,
                      group,
                      NS_SEVERITY_WARNING,
                      NS_FINDING_HIGH,
                      _ ("%s: %s requested authentication %u times (%s), of %u requests; %" PRIu64
                         " bytes were sent without effect."),
                      process,
                      group->subject,
                      n_legs,
                      find_scheme (self, group),
                      group->moments->len,
                      group->sum_a);
}

/* An answer that asked for authentication, before the last answer of a WinINet request. */
typedef struct
{
  guint32 pid;
  guint32 event;
  NsFindingMoment moment;
} Leg;

static gboolean
is_head (const NsSign *sign)
{
  return sign->source == NS_SIGN_WININET && sign->id == 203;
}

static gboolean
asks_who (const NsSign *sign)
{
  return sign->value == HTTP_UNAUTHORIZED || sign->value == HTTP_PROXY_AUTHENTICATION;
}

/* Returns whether WinINet reports an answer that asked for authentication. */
static gboolean
has_legs (const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    if (is_head (&g_array_index (trace->signs, NsSign, i)) &&
        asks_who (&g_array_index (trace->signs, NsSign, i)))
      return TRUE;
  return FALSE;
}

/* Returns the 401 and 407 answers before the last answer of a WinINet request, (transfer full):
 * WinINet repeats the request itself, within one row. */
static GArray *
list_legs (const NsTrace *trace)
{
  GArray *legs = g_array_new (FALSE, FALSE, sizeof (Leg));
  g_autofree guint *before = NULL;
  g_autoptr (NsMap) rows = NULL;
  guint at = 0;
  guint i;

  if (!has_legs (trace))
    return legs;
  before = g_new0 (guint, trace->wininet->len + 1);
  rows = ns_map_new ();
  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      const NsSign *asked;
      const NsWininetRow *request;
      Leg leg = { .moment.flag = TRUE };
      guint row;

      if (!is_head (sign))
        continue;
      row = ns_findings_find_wininet (trace, rows, &at, sign);
      if (row == 0)
        continue;
      request = NS_ROW_AT (trace->wininet, NsWininetRow, row);
      asked = before[row] != 0 ? &g_array_index (trace->signs, NsSign, before[row] - 1) : NULL;
      before[row] = asks_who (sign) ? i + 1 : 0;
      if (asked == NULL || request->activity == 0 || request->activity > trace->activities->len)
        continue;
      leg.pid = request->pid;
      leg.event = asked->event;
      leg.moment.open_ns = asked->time_ns;
      leg.moment.close_ns = sign->time_ns;
      leg.moment.row = request->activity;
      leg.moment.value = ROW (trace, request->activity - 1)->connection;
      g_array_append_val (legs, leg);
    }
  return legs;
}

/* Returns the number of answers that asked for authentication, by process and host; (transfer
 * full). */
static NsFindingSieve *
count_legs (NsFindings *self, const GArray *legs)
{
  const NsTrace *trace = self->trace;
  NsFindingSieve *sieve = ns_finding_sieve_new (self->operations->requests->len);
  guint i;

  for (i = 0; i < self->operations->requests->len; i++)
    {
      const NsFindingRequest *request =
          &g_array_index (self->operations->requests, NsFindingRequest, i);

      if (is_repeated_with_credentials (self, ROW (trace, request->row)))
        ns_finding_sieve_add (sieve, request->peer);
    }
  for (i = 0; i < legs->len; i++)
    {
      const Leg *leg = &g_array_index (legs, Leg, i);
      const NsActivityRow *row = ROW (trace, leg->moment.row - 1);

      ns_finding_sieve_add (sieve,
                            ns_findings_hash_peer (trace, leg->pid, row->server, row->remote));
    }
  return sieve;
}

void
ns_find_authentication (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GArray) legs = list_legs (trace);
  g_autoptr (NsFindingSieve) sieve = count_legs (self, legs);
  guint i;

  for (i = 0; i < self->operations->requests->len; i++)
    {
      const NsFindingRequest *request =
          &g_array_index (self->operations->requests, NsFindingRequest, i);
      const NsActivityRow *row = ROW (trace, request->row);
      NsFindingMoment moment = { 0 };
      g_autofree char *host = NULL;

      /* A group without such answers is not reported, whatever the minimum. */
      if (!ns_finding_sieve_may_be (ns_finding_sieve_get (sieve, request->peer),
                                    MAX (MIN_AUTHENTICATIONS (self), 1)))
        continue;
      host = ns_findings_dup_host (self, row->server, row->remote);
      moment.open_ns = row->open_ns;
      moment.close_ns = ns_findings_end (self, row->close_ns);
      moment.row = request->row + 1;
      moment.flag = is_repeated_with_credentials (self, row);
      moment.value = row->connection;
      ns_findings_add_moment (ns_findings_group (self, row->pid, host, NULL), &moment);
    }
  for (i = 0; i < legs->len; i++)
    {
      const Leg *leg = &g_array_index (legs, Leg, i);
      const NsActivityRow *row = ROW (trace, leg->moment.row - 1);
      g_autofree char *host = ns_findings_dup_host (self, row->server, row->remote);
      NsFindingGroup *group = ns_findings_group (self, leg->pid, host, NULL);

      ns_findings_add_moment (group, &leg->moment);
      ns_findings_mark (group, leg->event);
    }
  ns_findings_report_groups (self, report_authentication);
}

/* Formats status codes with their counts if there are several: “404 (2), 403”; (transfer full). */
static char *
dup_codes (const NsFindingGroup *group)
{
  GString *text = g_string_new (NULL);
  guint n_codes = 0;
  guint i;
  guint j;

  for (i = 0; i < group->moments->len && n_codes < MAX_CODES; i++)
    {
      guint64 code = g_array_index (group->moments, NsFindingMoment, i).value;
      guint n = 0;

      for (j = 0; j < i && g_array_index (group->moments, NsFindingMoment, j).value != code; j++)
        ;
      if (j < i)
        continue;
      for (j = i; j < group->moments->len; j++)
        n += g_array_index (group->moments, NsFindingMoment, j).value == code;
      n_codes++;
      g_string_append_printf (text, "%s%u", text->len > 0 ? ", " : "", (guint) code);
      if (n < group->moments->len)
        g_string_append_printf (text, " (%u)", n);
    }
  return g_string_free (text, FALSE);
}

static void
report_http_errors (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = NULL;
  g_autofree char *codes = NULL;
  g_autofree char *times = ns_findings_dup_times (group->count);
  gboolean is_server = group->sum_a >= 500;

  if (!is_server && group->count < MIN_CLIENT_ERRORS (self))
    return;
  process = ns_findings_dup_process (self, group);
  codes = dup_codes (group);
  ns_findings_report (self,
                      group,
                      is_server           ? NS_SEVERITY_PROBLEM
                      : group->sum_b != 0 ? NS_SEVERITY_INFO
                                          : NS_SEVERITY_WARNING,
                      NS_FINDING_HIGH,
                      _ ("%s: %s answered %s%s."),
                      process,
                      group->subject,
                      codes,
                      times);
}

void
ns_find_http_errors (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint n;

  for (n = 0; n < self->operations->requests->len; n++)
    {
      guint i = g_array_index (self->operations->requests, NsFindingRequest, n).row;
      const NsActivityRow *row = ROW (trace, i);
      NsFindingMoment moment = { .row = i + 1, .value = row->http_status };
      g_autofree char *host = NULL;
      g_autofree char *path = NULL;
      g_autofree char *subject = NULL;
      NsFindingGroup *group;

      if (row->http_status < 400 || row->http_status > 599 ||
          ns_findings_gets_in_later (self, row) || is_repeated_with_credentials (self, row))
        continue;
      host = ns_findings_dup_host (self, row->server, row->remote);
      path = ns_findings_dup_path (ns_findings_text (self, row->url));
      subject = g_strconcat (host, path, NULL);
      group = ns_findings_group (self, row->pid, subject, row->http_status >= 500 ? "5" : "4");
      group->sum_a = row->http_status;
      group->sum_b = ns_findings_is_wanted_in_vain (path);
      ns_findings_add_moment (group, &moment);
      ns_findings_add (group,
                       NS_TABLE_ACTIVITIES,
                       i + 1,
                       0,
                       row->open_ns,
                       ns_findings_end (self, row->close_ns));
      ns_findings_mark_answer (self, group, i + 1);
    }
  ns_findings_add_answers (self);
  ns_findings_report_groups (self, report_http_errors);
}

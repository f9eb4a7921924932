/* Rows that rules are tried on, and the claims that each rule must keep.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "finding-claims.h"

#include <string.h>

#define PID FINDING_PID

NsString
row_text (NsTrace *trace, const char *chars)
{
  return ns_strings_add (trace->strings, chars);
}

NsEndpoint
row_endpoint (const char *chars)
{
  NsEndpoint result = { 0 };

  g_assert_true (ns_endpoint_from_text (&result, chars));
  return result;
}

const NsEndpoint *
row_end (NsTrace *trace, const char *chars)
{
  const NsEndpoint end = row_endpoint (chars);

  return ns_ends_add (trace->ends, &end);
}

NsDnsRow *
row_add_name (NsTrace *trace, const char *name, guint32 status, gint64 open_ns, gint64 length_ns)
{
  NsDnsRow *row = test_trace_add (trace->dns);

  row->query = row_text (trace, name);
  row->type = 1;
  row->status = status;
  row->has_status = TRUE;
  row->source = "network";
  row->pid = PID;
  row->open_ns = open_ns;
  row->close_ns = open_ns + length_ns;
  return row;
}

NsTcpRow *
row_add_tcp (NsTrace *trace, const char *remote, guint32 status, gint64 open_ns, gint64 length_ns)
{
  NsTcpRow *row = test_trace_add_tcp (trace);

  row->pid = PID;
  row->remote = row_end (trace, remote);
  row->server = row_text (trace, "host.test");
  row->state = status == 0 ? "Close" : "Connect_Fail";
  row->status = status;
  test_extra (row)->rtt_us = NS_UNKNOWN;
  row->open_ns = open_ns;
  row->close_ns = open_ns + length_ns;
  row->shutdown_ns = row->first_data_ns = row->last_data_ns = NS_TIME_NONE;
  row->activity = 1;
  return row;
}

NsActivityRow *
row_add_request (NsTrace *trace, const char *url, guint32 status, gint64 open_ns, gint64 length_ns)
{
  NsActivityRow *row = test_trace_add_activity (trace, "host.test", open_ns);

  row->protocol = row->layers = NS_LAYER_WINHTTP;
  row->pid = PID;
  row->url = row_text (trace, url);
  row->method = row_text (trace, "GET");
  row->http_status = status;
  row->close_ns = open_ns + length_ns;
  row->failed = status >= 400;
  test_trace_add (trace->webio);
  row->webio = trace->activities->len;
  return row;
}

NsCallRow *
row_add_call (NsTrace *trace, const char *call, guint32 status, gint64 open_ns, gint64 length)
{
  NsCallRow *row;

  if (trace->winsock->len == 0)
    {
      NsWinsockRow *socket = test_trace_add_winsock (trace);

      socket->pid = PID;
      socket->socket_type = 1;
      socket->remote = row_end (trace, "192.0.2.1:443");
    }
  row = test_trace_add (trace->calls);
  row->call = call;
  row->pid = PID;
  row->winsock = 1;
  row->remote = row_endpoint ("192.0.2.1:443");
  row->status = status;
  row->status_family = NS_CODE_NTSTATUS;
  row->has_status = TRUE;
  row->length = length;
  row->open_ns = open_ns;
  row->close_ns = open_ns + MS / 10;
  return row;
}

/* What the rule says; exactly one row. */
const NsFindingRow *
finding_of (NsTrace *trace, const char *rule)
{
  const GArray *findings = ns_findings_get (trace);
  const NsFindingRow *found = NULL;
  guint i;

  for (i = 0; i < findings->len; i++)
    {
      const NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);

      if (strcmp (row->rule, rule) == 0)
        {
          g_assert_null (found);
          found = row;
        }
    }
  g_assert_nonnull (found);
  return found;
}

static void
test_a_rule_finds_what_it_is_for (gconstpointer user_data)
{
  const FindingClaim *claim = user_data;
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row;

  claim->make (trace, FALSE);
  row = finding_of (trace, claim->rule);
  g_assert_cmpint (row->verdict, ==, NS_VERDICT_FOUND);
  g_assert_cmpint (row->severity, ==, claim->severity);
  g_assert_cmpint (row->cost_ns, ==, claim->cost_ns);
  if (strstr (row->text, claim->said) == NULL)
    g_error ("%s says: %s", claim->rule, row->text);
  g_assert_true (g_str_has_suffix (row->text, "."));
  if (strcmp (claim->rule, "D45") != 0)
    g_assert_cmpuint (row->refs->len, >, 0);
  test_trace_free (trace);
}

static void
test_a_rule_lets_a_near_miss_be (gconstpointer user_data)
{
  const FindingClaim *claim = user_data;
  NsTrace *trace = test_trace_new (600 * SECOND);

  claim->make (trace, TRUE);
  g_assert_cmpint (finding_of (trace, claim->rule)->verdict, ==, NS_VERDICT_NOT_FOUND);
  test_trace_free (trace);
}

/* “No problem” is never said of what was not recorded. */
static void
test_a_rule_does_not_judge_what_was_not_recorded (gconstpointer user_data)
{
  const FindingClaim *claim = user_data;
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row = finding_of (trace, claim->rule);

  if (strcmp (claim->rule, "D45") == 0 || strcmp (claim->rule, "D46") == 0)
    g_assert_cmpint (row->verdict, ==, NS_VERDICT_NOT_FOUND);
  else
    {
      g_assert_cmpint (row->verdict, ==, NS_VERDICT_UNJUDGED);
      g_assert_cmpuint (row->needs->len, >, 0);
      g_assert_nonnull (strstr (row->text, g_ptr_array_index (row->needs, 0)));
    }
  test_trace_free (trace);
}

/* Each rule finds what it is for, lets be what only looks like it, and does not judge what was not
 * recorded. */
void
finding_claims_add (const FindingClaim *claims, guint n_claims)
{
  guint i;

  for (i = 0; i < n_claims; i++)
    {
      g_autofree char *found = g_strdup_printf ("/findings/%s/found", claims[i].rule);
      g_autofree char *near = g_strdup_printf ("/findings/%s/near-miss", claims[i].rule);
      g_autofree char *unjudged = g_strdup_printf ("/findings/%s/not-recorded", claims[i].rule);

      g_test_add_data_func (found, &claims[i], test_a_rule_finds_what_it_is_for);
      g_test_add_data_func (near, &claims[i], test_a_rule_lets_a_near_miss_be);
      g_test_add_data_func (unjudged, &claims[i], test_a_rule_does_not_judge_what_was_not_recorded);
    }
}

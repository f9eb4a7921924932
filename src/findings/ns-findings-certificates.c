/* Rule about certificate checks that use the network: D25.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/capi2/ns-capi2.h"
#include "engine/trace/ns-url.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CERTIFICATE_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D25_SLOW)
#define CERTIFICATE_BAD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D25_PROBLEM)
/* Maximum number of downloads during one handshake that are compared. */
#define MAX_FETCHES 256

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

/* Time of a connection's certificate check: from the last handshake step until Windows reports its
 * result. */
typedef struct
{
  NsTimeSpan span;
  guint32 events[2];
} Check;

/* Returns whether the URL looks like that of a revocation list, a certificate or an OCSP request,
 * which use plain HTTP. */
static gboolean
is_about_certificates (const char *url)
{
  static const char *const parts[] = { "/ocsp", "//ocsp", ".crl", "//crl", ".crt", ".p7c", ".cer" };
  g_autofree char *lower = g_ascii_strdown (url, -1);
  guint i;

  if (!g_str_has_prefix (lower, "http://"))
    return FALSE;
  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (lower, parts[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Returns whether a label of the host name is typical for servers of revocation lists or OCSP. */
static gboolean
is_of_certificates (const char *host)
{
  static const char *const labels[] = { "ocsp", "crl", "aia", "ctldl", "cacerts", "pki" };
  guint i;

  while (host != NULL && *host != '\0')
    {
      for (i = 0; i < G_N_ELEMENTS (labels); i++)
        if (g_ascii_strncasecmp (host, labels[i], strlen (labels[i])) == 0)
          return TRUE;
      host = strchr (host, '.');
      host = host != NULL ? host + 1 : NULL;
    }
  return FALSE;
}

static gboolean
is_slow (const NsFindings *self, const NsFindingMoment *fetch)
{
  return ns_time_between (fetch->open_ns, fetch->close_ns) >= CERTIFICATE_NS (self);
}

/* Returns whether the operation takes long and is a download about certificates, or a connection
 * for one. */
static gboolean
is_fetch (const NsFindings *self, const NsActivityRow *row, const NsFindingMoment *fetch)
{
  if (row->parent != 0 || !is_slow (self, fetch))
    return FALSE;
  return row->url > NS_STRING_EMPTY ? is_about_certificates (ns_findings_text (self, row->url))
                                    : is_of_certificates (ns_findings_text (self, row->server));
}

/* Returns downloads about certificates and the name look-ups for them, sorted by start; (transfer
 * full). */
static GArray *
list_fetches (const NsFindings *self)
{
  const NsTrace *trace = self->trace;
  GArray *fetches = g_array_new (FALSE, FALSE, sizeof (NsFindingMoment));
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = ROW (trace, i);
      NsFindingMoment fetch = { .table = NS_TABLE_ACTIVITIES, .row = i + 1, .value = row->pid };

      fetch.open_ns = row->open_ns;
      fetch.close_ns = ns_findings_end (self, row->close_ns);
      fetch.flag = row->failed || (row->url > NS_STRING_EMPTY && row->http_status == 0);
      if (is_fetch (self, row, &fetch))
        g_array_append_val (fetches, fetch);
    }
  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      NsFindingMoment fetch = { .table = NS_TABLE_DNS, .row = i + 1, .value = dns->pid };

      fetch.open_ns = dns->open_ns;
      fetch.close_ns = dns->close_ns;
      fetch.flag = dns->has_status && dns->status != 0;
      if (is_slow (self, &fetch) && is_of_certificates (ns_findings_text (self, dns->query)))
        g_array_append_val (fetches, fetch);
    }
  g_array_sort (fetches, ns_findings_compare_moments);
  return fetches;
}

/* Returns the certificate checks, indexed by WinHTTP row; (transfer full). */
static Check *
list_checks (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  Check *checks = g_new (Check, trace->webio->len + 1);
  guint i;

  for (i = 0; i <= trace->webio->len; i++)
    checks[i] = (Check){ { NS_TIME_NONE, NS_TIME_NONE }, { 0, 0 } };
  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      const NsWebioConn *conn;
      Check *check;

      if (sign->source != NS_SIGN_WEBIO || (sign->id != 703 && sign->id != 712 && sign->id != 713))
        continue;
      check = &checks[ns_findings_find_webio (self, sign, &conn)];
      if (sign->id == 703 && !ns_time_is_set (check->span.end_ns))
        {
          check->span.begin_ns = sign->time_ns;
          check->events[0] = sign->event;
        }
      else if (sign->id != 703 && ns_time_is_set (check->span.begin_ns))
        {
          check->span.end_ns = sign->time_ns;
          check->events[1] = sign->event;
        }
    }
  return checks;
}

static guint
find_first (const GArray *fetches, gint64 from_ns)
{
  guint low = 0;
  guint high = fetches->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (fetches, NsFindingMoment, middle).open_ns < from_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Returns whether the process of the download is that of the request, or may be the Windows service
 * that checks certificates: svchost.exe or lsass.exe. */
static gboolean
can_belong_to (const NsFindings *self, const NsFindingMoment *fetch, const NsActivityRow *row)
{
  const char *name;

  if (fetch->value == row->pid)
    return TRUE;
  name = ns_trace_get_process_name (self->trace, (guint32) fetch->value, fetch->open_ns);
  return name != NULL && (g_ascii_strcasecmp (name, "svchost.exe") == 0 ||
                          g_ascii_strcasecmp (name, "lsass.exe") == 0);
}

static char *
dup_asked_host (const NsFindings *self, const NsFindingMoment *fetch)
{
  const NsActivityRow *row;

  if (fetch->table == NS_TABLE_DNS)
    return g_strdup (
        ns_findings_text (self, NS_ROW_AT (self->trace->dns, NsDnsRow, fetch->row)->query));
  row = ROW (self->trace, fetch->row - 1);
  return ns_findings_dup_host (self, row->server, row->remote);
}

static gboolean
has_certificate_url (const NsFindings *self, const NsFindingMoment *fetch)
{
  return fetch->table == NS_TABLE_ACTIVITIES &&
         ROW (self->trace, fetch->row - 1)->url > NS_STRING_EMPTY;
}

static void
mark_check (NsFindingGroup *group, const Check *check)
{
  if (check == NULL || !ns_time_is_set (check->span.end_ns))
    return;
  ns_findings_mark (group, check->events[0]);
  ns_findings_mark (group, check->events[1]);
}

/* Adds the downloads within the handshake of a request and its certificate check. Without a
 * recorded check: those before the answer that took no longer than the handshake. */
static gboolean
add_fetches (NsFindings *self, const GArray *fetches, NsRow request, const Check *check)
{
  const NsActivityRow *row = ROW (self->trace, request - 1);
  gboolean is_checked = check != NULL && ns_time_is_set (check->span.end_ns);
  gint64 end_ns = ns_time_is_set (row->first_byte_ns) ? row->first_byte_ns
                                                      : ns_findings_end (self, row->close_ns);
  gint64 most_ns = ns_activity_row_get_phase (row, NS_PHASE_TLS);
  g_autofree char *host = ns_findings_dup_host (self, row->server, row->remote);
  gboolean is_found = FALSE;
  guint n_steps = 0;
  guint i;

  if (is_checked)
    {
      end_ns = check->span.end_ns;
      most_ns = G_MAXINT64;
    }
  for (i = find_first (fetches, row->open_ns); i < fetches->len && n_steps < MAX_FETCHES;
       i++, n_steps++)
    {
      const NsFindingMoment *fetch = &g_array_index (fetches, NsFindingMoment, i);
      g_autofree char *asked = NULL;
      NsFindingGroup *group;

      if (fetch->open_ns > end_ns)
        break;
      if ((fetch->table == NS_TABLE_ACTIVITIES && fetch->row == request) ||
          fetch->close_ns > end_ns || !can_belong_to (self, fetch, row) ||
          ns_time_between (fetch->open_ns, fetch->close_ns) > most_ns)
        continue;
      asked = dup_asked_host (self, fetch);
      /* Skip the request's own name look-up and connection. */
      if (!has_certificate_url (self, fetch) && g_ascii_strcasecmp (asked, host) == 0)
        continue;
      is_found = TRUE;
      group = ns_findings_group (self, row->pid, asked, NULL);
      group->sum_a += fetch->flag != 0;
      ns_findings_add (group, NS_TABLE_ACTIVITIES, request, 0, fetch->open_ns, fetch->close_ns);
      ns_findings_add_ref (group, fetch->table, fetch->row);
      mark_check (group, check);
    }
  return is_found;
}

/* Judges the handshake of a request; @fetches: (inout): the downloads, %NULL until needed. */
static void
judge_handshake (NsFindings *self, GArray **fetches, const Check *checks, NsRow request)
{
  const NsActivityRow *row = ROW (self->trace, request - 1);
  const Check *check =
      row->webio != 0 && row->webio <= self->trace->webio->len ? &checks[row->webio] : NULL;
  gint64 checked_ns =
      check != NULL ? ns_time_between (check->span.begin_ns, check->span.end_ns) : 0;
  g_autofree char *host = NULL;
  NsFindingGroup *group;

  if (checked_ns < CERTIFICATE_NS (self) &&
      ns_activity_row_get_phase (row, NS_PHASE_TLS) < CERTIFICATE_NS (self))
    return;
  if (*fetches == NULL)
    *fetches = list_fetches (self);
  if (add_fetches (self, *fetches, request, check) || checked_ns < CERTIFICATE_NS (self))
    return;
  host = ns_findings_dup_host (self, row->server, row->remote);
  group = ns_findings_group (self, row->pid, host, "unknown");
  mark_check (group, check);
  ns_findings_add (group,
                   NS_TABLE_ACTIVITIES,
                   request,
                   0,
                   check->span.begin_ns,
                   check->span.end_ns);
}

/* Adds a check that CAPI2 recorded; its rows name the server that was asked. */
static gboolean
add_capi2_check (NsFindings *self, NsRow number)
{
  const NsCapi2Row *check = NS_ROW_AT (self->trace->capi2, NsCapi2Row, number);
  NsRow request = check->layer.activity;
  NsRow retrieval;
  NsFindingGroup *group;

  if (check->parent != 0 || request == 0 || request > self->trace->activities->len ||
      check->kind == NS_CAPI2_RETRIEVAL || check->kind == NS_CAPI2_POLICY ||
      ns_time_between (check->layer.open_ns, check->layer.close_ns) < CERTIFICATE_NS (self))
    return FALSE;
  retrieval = ns_capi2_find_retrieval (self->trace, number);
  if (retrieval != 0)
    {
      const NsCapi2Row *row = NS_ROW_AT (self->trace->capi2, NsCapi2Row, retrieval);
      g_autofree char *host = ns_url_get_server (ns_findings_text (self, row->url));

      group = ns_findings_group (self, ROW (self->trace, request - 1)->pid, host, NULL);
      group->sum_a += row->layer.status > 0;
    }
  else
    {
      const NsActivityRow *row = ROW (self->trace, request - 1);
      g_autofree char *host = ns_findings_dup_host (self, row->server, row->remote);

      group = ns_findings_group (self, row->pid, host, "unknown");
    }
  ns_findings_add (group,
                   NS_TABLE_ACTIVITIES,
                   request,
                   0,
                   check->layer.open_ns,
                   check->layer.close_ns);
  return TRUE;
}

static void
report_certificates (NsFindings *self, NsFindingGroup *group)
{
  ns_findings_report_sentence (
      self,
      group,
      group->worst_ns >= CERTIFICATE_BAD_NS (self) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_MEDIUM,
      g_str_has_suffix (group->key, "\nunknown")
          /* Translators: do not translate the words in braces. */
          ? _ ("{process}: after the handshake with {subject} its certificate was checked for up "
               "to {longest}{times}; the server contacted for the check was not recorded.")
          : group->sum_a > 0 ? _ ("{process}: up to {longest} of a TLS handshake was spent on "
                                  "unsuccessful certificate retrieval from {subject}{times}.")
                             : _ ("{process}: up to {longest} of a TLS handshake was spent on "
                                  "certificate retrieval from {subject}{times}."),
      NULL);
}

void
ns_find_slow_certificates (NsFindings *self)
{
  g_autoptr (GArray) fetches = NULL;
  g_autofree Check *checks = list_checks (self);
  g_autofree guint8 *is_reported = g_malloc0 ((gsize) self->trace->activities->len + 1);
  guint i;

  for (i = 0; i < self->trace->capi2->len; i++)
    if (add_capi2_check (self, i + 1))
      is_reported[g_array_index (self->trace->capi2, NsCapi2Row, i).layer.activity] = 1;
  for (i = 0; i < self->operations->timed->len; i++)
    {
      NsRow row = g_array_index (self->operations->timed, guint, i) + 1;

      if (!is_reported[row])
        judge_handshake (self, &fetches, checks, row);
    }
  ns_findings_report_groups (self, report_certificates);
}

/* Rule about TLS failures: D26.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-codes.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SEC_E_INCOMPLETE_MESSAGE 0x80090318
/* From ERROR_INTERNET_SEC_INVALID_CERT to ERROR_WINHTTP_CLIENT_CERT_NO_ACCESS_PRIVATE_KEY;
 * is_other() lists the exceptions. */
#define FIRST_SECURE_ERROR 12169
#define LAST_SECURE_ERROR 12186
/* Maximum number of failure records, and of groups, that are compared. */
#define MAX_TLS_SIGNS 2000
#define MAX_GROUPS 1000

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

static gboolean
is_in (gint64 value, const int *list, guint n)
{
  guint i;

  for (i = 0; i < n; i++)
    if (value == list[i])
      return TRUE;
  return FALSE;
}

/* Returns whether the HRESULT belongs to security: SEC_E_*, SEC_I_*, CRYPT_E_*, CERT_E_*,
 * TRUST_E_*. */
static gboolean
is_of_security (guint32 error)
{
  return (error & 0xfffffe00) == 0x80090200 || (error & 0xfffffe00) == 0x00090200 ||
         (error & 0xffffff00) == 0x800b0100 || (error & 0xfffff000) == 0x80092000;
}

/* Returns whether the error says that TLS or a certificate failed. */
static gboolean
is_tls_error (NsCodeFamily family, guint32 error)
{
  /* ERROR_WINHTTP_SECURE_*, ERROR_INTERNET_SEC_* and *_CERT_*. */
  static const int win32[] = { 12037, 12038, 12044, 12045, 12055, 12056, 12057, 12157 };
  /* ERR_SSL_* and their consequences; ERR_CERT_* are -200 … -299. */
  static const int chromium[] = { -107, -110, -112, -113, -114, -116, -117, -123, -126, -134,
                                  -135, -141, -148, -149, -150, -156, -159, -164, -167, -172,
                                  -173, -175, -177, -178, -179, -180, -181, -182, -183, -184 };
  gint32 number = (gint32) error;

  switch (family)
    {
    case NS_CODE_WIN32:
    case NS_CODE_HRESULT:
      return is_of_security (error) || is_in (number, win32, G_N_ELEMENTS (win32)) ||
             (number >= FIRST_SECURE_ERROR && number <= LAST_SECURE_ERROR);
    case NS_CODE_CHROMIUM:
      return (number <= -200 && number >= -299) ||
             is_in (number, chromium, G_N_ELEMENTS (chromium));
    case NS_CODE_NTSTATUS:
    case NS_CODE_NONE:
    case NS_CODE_QUIC:
    case NS_CODE_HTTP:
    case NS_CODE_LDAP:
    case NS_CODE_DNS:
    case NS_CODE_TLS: /* alerts have records of their own */
    case NS_CODE_QUIC_TRANSPORT:
    case NS_CODE_HTTP3:
    default:
      return FALSE;
    }
}

/* Returns whether a WinHTTP error between the TLS errors is about something else. */
static gboolean
is_other (const NsFindingGroup *group)
{
  static const int others[] = {
    12172, 12173, 12174, 12176, 12177, 12180, 12181, 12182, 12183, 12184
  };

  return group->sum_b == NS_CODE_WIN32 &&
         is_in ((gint64) group->sum_a, others, G_N_ELEMENTS (others));
}

static void
report_tls_errors (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *why =
      group->n_filter != 0 ? ns_findings_dup_alert (group->n_filter)
      : group->text != NS_STRING_NONE
          ? g_strdup (ns_findings_text (self, group->text))
          : ns_codes_describe ((NsCodeFamily) group->sum_b, (gint64) group->sum_a);

  ns_findings_report_sentence (self,
                               group,
                               NS_SEVERITY_PROBLEM,
                               NS_FINDING_HIGH,
                               is_other (group)
                                   /* Translators: do not translate the words in braces; why is an
                                    * error number and what it means. */
                                   ? _ ("{process}: requests to {subject} ended with {why}{times}.")
                                   : _ ("{process}: TLS with {subject} failed{times}: {why}."),
                               "why",
                               g_str_has_suffix (why, ".") ? (why[strlen (why) - 1] = '\0', why)
                                                           : why,
                               NULL);
}

static void
add_tls_error (NsFindings *self,
               guint32 pid,
               const char *host,
               NsCodeFamily family,
               guint32 error,
               NsFindingGroup **group)
{
  g_autofree char *code = g_strdup_printf ("%u %u", family, error);

  *group = ns_findings_group (self, pid, host, code);
  (*group)->sum_a =
      family == NS_CODE_CHROMIUM ? (guint64) (gint64) (gint32) error : (guint64) error;
  (*group)->sum_b = family;
}

/* Finds the newest WinINet request with the handle of the record. */
static NsRow
find_wininet (const NsTrace *trace, const NsSign *sign)
{
  guint i;

  for (i = trace->wininet->len; i-- > 0;)
    {
      const NsWininetRow *row = &g_array_index (trace->wininet, NsWininetRow, i);

      if (row->open_ns <= sign->time_ns && row->pid == sign->pid &&
          (row->connect == sign->key || row->request == sign->key))
        return i + 1;
    }
  return 0;
}

/* Marks the event in the group of the same request, if there is one: the request's error and the
 * records of its layers report one failure. */
static gboolean
mark_same_failure (NsFindings *self, NsRow activity, guint32 pid, const NsSign *sign)
{
  guint i;
  guint j;

  for (i = 0; i < self->order->len && i < MAX_GROUPS; i++)
    {
      NsFindingGroup *group = g_ptr_array_index (self->order, i);

      if (group->pid != pid)
        continue;
      for (j = 0; j < group->activities->len && activity != 0; j++)
        if (g_array_index (group->activities, NsRow, j) == activity)
          {
            ns_findings_mark (group, sign->event);
            return TRUE;
          }
    }
  return FALSE;
}

static gboolean
fails_tls (const NsSign *sign)
{
  guint32 error = (guint32) sign->value;

  if (sign->source == NS_SIGN_WININET)
    return (sign->id == 703 || sign->id == 704) && error != 0;
  if (sign->source != NS_SIGN_WEBIO)
    return FALSE;
  switch (sign->id)
    {
    case 713:
      return TRUE;
    case 135:
      return is_tls_error (NS_CODE_WIN32, error);
    case 703: /* the handshake continues with the peer's data, or waits for more of it */
      return (error & 0x80000000) != 0 && error != SEC_E_INCOMPLETE_MESSAGE;
    default:
      return FALSE;
    }
}

static gboolean
is_tls_failure (const NsActivityRow *row)
{
  return is_tls_error (row->error_family, row->error);
}

/* Adds the time of an operation that TLS ended. */
static void
add_row (NsFindings *self, NsFindingGroup *group, NsRow activity)
{
  const NsActivityRow *row = ROW (self->trace, activity - 1);

  ns_findings_add (group,
                   NS_TABLE_ACTIVITIES,
                   activity,
                   0,
                   row->open_ns,
                   ns_findings_end (self, row->close_ns));
}

static void
add_tls_sign (NsFindings *self, const NsSign *sign)
{
  const NsTrace *trace = self->trace;
  const NsWebioConn *conn = NULL;
  NsTableId table = sign->source == NS_SIGN_WEBIO ? NS_TABLE_WEBIO : NS_TABLE_WININET;
  NsRow request = table == NS_TABLE_WEBIO ? ns_findings_find_webio (self, sign, &conn)
                                          : find_wininet (trace, sign);
  g_autofree char *host = NULL;
  NsRow activity = 0;
  guint32 error = (guint32) sign->value;
  NsFindingGroup *group;

  if (request != 0 && table == NS_TABLE_WEBIO)
    {
      const NsWebioRow *row = NS_ROW_AT (trace->webio, NsWebioRow, request);

      activity = row->activity;
      host = ns_findings_dup_host (self,
                                   row->server,
                                   conn != NULL ? conn->remote : &ns_endpoint_pool_none);
    }
  else if (request != 0)
    {
      const NsWininetRow *row = NS_ROW_AT (trace->wininet, NsWininetRow, request);

      activity = row->activity;
      host = ns_findings_dup_host (self, row->server, row->remote);
    }
  else
    host = g_strdup (ns_findings_text (self, sign->name));
  if (mark_same_failure (self, activity, sign->pid, sign))
    return;
  add_tls_error (self,
                 sign->pid,
                 host,
                 sign->id == 703 && table == NS_TABLE_WEBIO ? NS_CODE_HRESULT : NS_CODE_WIN32,
                 error,
                 &group);
  ns_findings_mark (group, sign->event);
  if (activity != 0 && is_tls_failure (ROW (trace, activity - 1)))
    add_row (self, group, activity);
  else
    ns_findings_add (group, table, request, activity, sign->time_ns, sign->time_ns);
}

/* Returns, by 0-based row of the master table, whether a group contains it; (transfer full). */
static gboolean *
list_reported (NsFindings *self)
{
  gboolean *is_reported = g_new0 (gboolean, self->trace->activities->len + 1);
  guint i;
  guint j;

  for (i = 0; i < self->order->len; i++)
    {
      NsFindingGroup *group = g_ptr_array_index (self->order, i);

      for (j = 0; j < group->activities->len; j++)
        is_reported[g_array_index (group->activities, NsRow, j) - 1] = TRUE;
    }
  return is_reported;
}

/* Reads the records of the layers first: they say what failed, while the request's error is often
 * only “secure failure”. */
void
ns_find_tls_errors (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree gboolean *is_reported = NULL;
  guint n_signs = 0;
  guint n;

  for (n = 0; n < trace->signs->len && n_signs < MAX_TLS_SIGNS; n++)
    if (fails_tls (&g_array_index (trace->signs, NsSign, n)))
      {
        n_signs++;
        add_tls_sign (self, &g_array_index (trace->signs, NsSign, n));
      }
  if (self->order->len > 0)
    is_reported = list_reported (self);
  for (n = 0; n < self->operations->failed->len; n++)
    {
      guint i = g_array_index (self->operations->failed, guint, n);
      const NsActivityRow *row = ROW (trace, i);
      g_autofree char *host = NULL;
      NsFindingGroup *group;

      if ((is_reported != NULL && is_reported[i]) || row->parent != 0 || !is_tls_failure (row))
        continue;
      host = ns_findings_dup_host (self, row->server, row->remote);
      add_tls_error (self, row->pid, host, row->error_family, row->error, &group);
      add_row (self, group, i + 1);
    }
  ns_findings_add_handshakes (self);
  ns_findings_add_alerts (self);
  ns_findings_report_groups (self, report_tls_errors);
  ns_findings_clear_groups (self);
  ns_findings_report_weak_tls (self);
}

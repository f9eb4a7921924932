/* Rule about chains of redirects: D31.
 *
 * WinINet and browsers record which request continues as which. For WinHTTP the answer names the
 * target, and the next request of the process to that URL is the next hop.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "engine/trace/ns-redirects.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MIN_HOPS(self) ns_findings_limit (self, NS_THRESHOLD_D31_HOPS)
/* Longer chains are split. */
#define MAX_HOPS 1000
#define NEXT_HOP_NS NS_PER_SECOND
/* Longer URLs are compared without normalization. */
#define MAX_URL 8192
/* Maximum number of hosts that the sentence names. */
#define MAX_NAMED 12

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

/* Returns the URL without query, fragment and user info, which may hold secrets; (transfer
 * full). */
static char *
dup_url_without_secrets (const char *url)
{
  gsize n = strcspn (url, "?#");
  const char *server = strstr (url, "://");
  const char *at = server != NULL ? memchr (server, '@', strcspn (server + 3, "/?#") + 3) : NULL;

  if (at == NULL || at >= url + n)
    return g_strndup (url, n);
  return g_strdup_printf ("%.*s%.*s",
                          (int) (server + 3 - url),
                          url,
                          (int) (url + n - at - 1),
                          at + 1);
}

/* Judges one chain, whose hops are sorted by time. */
static void
judge_hops (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = ns_findings_dup_process (self, group);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GString) way = g_string_new (NULL);
  g_autofree char *cost = NULL;
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;
  gboolean is_loop = FALSE;
  guint n_hops = 0;
  guint i;

  ns_findings_sort_moments (group);
  for (i = 0; i < group->moments->len; i++)
    {
      const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, i);
      const NsActivityRow *row = ROW (self->trace, moment->row - 1);
      g_autofree char *host = ns_findings_dup_host (self, row->server, row->remote);

      if (i < MAX_NAMED)
        g_string_append_printf (way, "%s%s", i > 0 ? " → " : "", host);
      is_loop |= !g_hash_table_add (seen, GUINT_TO_POINTER (row->url));
      g_free (last);
      last = dup_url_without_secrets (ns_findings_text (self, row->url));
      if (first == NULL)
        first = g_strdup (last);
      if (moment->flag)
        n_hops++;
      if (moment->value != 0)
        ns_findings_mark (group, (guint32) (moment->value - 1));
      if (moment->flag)
        ns_findings_add (group,
                         NS_TABLE_ACTIVITIES,
                         moment->row,
                         0,
                         moment->open_ns,
                         moment->close_ns);
    }
  if (n_hops < MIN_HOPS (self) && !(is_loop && n_hops > 0))
    return;
  cost = ns_findings_dup_span (ns_findings_get_cost (group));
  ns_findings_report (self,
                      group,
                      NS_SEVERITY_WARNING,
                      NS_FINDING_HIGH,
                      is_loop
                          /* Translators: process, number, duration, hosts, two URLs. */
                          ? _ ("%s: %u redirects took %s and came to the same address again: %s "
                               "(from %s to %s).")
                          : _ ("%s: %u redirects took %s: %s (from %s to %s)."),
                      process,
                      n_hops,
                      cost,
                      way->str,
                      first,
                      last);
}

static void
report_redirects (NsFindings *self, NsFindingGroup *group)
{
  const NsFindingMoment *first;
  const NsActivityRow *row;
  g_autofree char *host = NULL;

  if (group->moments->len < 2)
    return;
  ns_findings_sort_moments (group);
  first = &g_array_index (group->moments, NsFindingMoment, 0);
  row = ROW (self->trace, first->row - 1);
  host = ns_findings_dup_host (self, row->server, row->remote);
  ns_findings_set_subject (self, group, host);
  judge_hops (self, group);
}

/* Returns the first request of the chain that a request belongs to. */
static NsRow
find_origin (const NsTrace *trace, NsTableId table, NsRow row)
{
  guint i;

  for (i = 0; i < MAX_HOPS; i++)
    {
      NsRow before = ns_redirects_get_before (trace, table, row);

      if (before == 0)
        break;
      row = before;
    }
  return row;
}

/* Redirect target of a WinHTTP answer, and the hops around it. */
typedef struct
{
  NsString where;
  guint32 event;
  gint64 time_ns;
  NsRow next;   /* the request that follows, of the same table */
  NsRow origin; /* first request of the chain; 0: not known yet */
  gboolean is_next;
} Hop;

/* Returns the redirects by WinHTTP row; @is_any: (out): whether there are any; (transfer full). */
static Hop *
list_hops (NsFindings *self, gboolean *is_any)
{
  const NsTrace *trace = self->trace;
  Hop *hops = g_new0 (Hop, trace->webio->len + 1);
  guint i;

  *is_any = FALSE;
  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      const NsWebioConn *conn;
      NsRow request;

      if (sign->source != NS_SIGN_WEBIO || sign->id != 101 || sign->value < 300 ||
          sign->value > 399 || sign->name == NS_STRING_NONE)
        continue;
      request = ns_findings_find_webio (self, sign, &conn);
      if (request == 0)
        continue;
      hops[request].where = sign->name;
      hops[request].event = sign->event;
      hops[request].time_ns = sign->time_ns;
      *is_any = TRUE;
    }
  return hops;
}

/* Returns the URL in a normal form, resolved against @base; (transfer full); %NULL: not a URL. */
static char *
dup_normalized_url (const char *base, const char *url)
{
  const GUriFlags flags =
      G_URI_FLAGS_PARSE_RELAXED | G_URI_FLAGS_ENCODED | G_URI_FLAGS_SCHEME_NORMALIZE;
  g_autoptr (GUri) from = base != NULL ? g_uri_parse (base, flags, NULL) : NULL;
  g_autoptr (GUri) uri = g_uri_parse_relative (from, url, flags, NULL);
  g_autofree char *host = NULL;

  if (uri == NULL || g_uri_get_host (uri) == NULL)
    return NULL;
  host = g_ascii_strdown (g_uri_get_host (uri), -1);
  /* Fragments are not sent; the default port may be omitted. */
  return g_strdup_printf ("%s://%s:%d%s%s%s",
                          g_uri_get_scheme (uri),
                          host,
                          g_uri_get_port (uri),
                          *g_uri_get_path (uri) != '\0' ? g_uri_get_path (uri) : "/",
                          g_uri_get_query (uri) != NULL ? "?" : "",
                          g_uri_get_query (uri) != NULL ? g_uri_get_query (uri) : "");
}

/* Returns whether a Location, which may be relative to the request's URL (RFC 9110, 10.2.2), is the
 * URL of @to. */
static gboolean
leads_to (const NsFindings *self, const NsWebioRow *from, NsString where, const NsWebioRow *to)
{
  const char *target = ns_findings_text (self, where);
  const char *url = ns_findings_text (self, to->url);
  g_autofree char *wanted = NULL;
  g_autofree char *got = NULL;

  if (strcmp (url, target) == 0)
    return TRUE;
  if (strlen (target) > MAX_URL || strlen (url) > MAX_URL)
    return FALSE;
  got = dup_normalized_url (NULL, url);
  wanted = got != NULL ? dup_normalized_url (ns_findings_text (self, from->url), target) : NULL;
  return wanted != NULL && strcmp (wanted, got) == 0;
}

/* Links the redirects of WinHTTP requests to their next hops; the rows are sorted by start. */
static void
link_hops (NsFindings *self, Hop *hops)
{
  const GArray *webio = self->trace->webio;
  g_autoptr (GHashTable) waiting = g_hash_table_new (NULL, NULL);
  guint i;

  for (i = 0; i < webio->len; i++)
    {
      const NsWebioRow *row = &g_array_index (webio, NsWebioRow, i);
      NsRow before = GPOINTER_TO_UINT (g_hash_table_lookup (waiting, GUINT_TO_POINTER (row->pid)));
      guint n_steps;

      hops[i + 1].origin = i + 1;
      for (n_steps = 0; before != 0 && n_steps < 64; n_steps++)
        {
          const NsWebioRow *other = NS_ROW_AT (webio, NsWebioRow, before);

          if (other->pid == row->pid && hops[before].where > NS_STRING_EMPTY &&
              hops[before].next == 0 && row->open_ns >= hops[before].time_ns &&
              ns_time_between (hops[before].time_ns, row->open_ns) <= NEXT_HOP_NS &&
              leads_to (self, other, hops[before].where, row))
            {
              hops[before].next = i + 1;
              hops[i + 1].origin = hops[before].origin;
              hops[i + 1].is_next = TRUE;
              break;
            }
          before--;
        }
      g_hash_table_insert (waiting, GUINT_TO_POINTER (row->pid), GUINT_TO_POINTER (i + 1));
    }
}

/* Returns whether a layer above WinHTTP records that a request was redirected. */
static gboolean
has_redirected (const NsFindings *self)
{
  guint n;

  for (n = 0; n < self->operations->requests->len; n++)
    if (ROW (self->trace, g_array_index (self->operations->requests, NsFindingRequest, n).row)
            ->redirected)
      return TRUE;
  return FALSE;
}

void
ns_find_redirects (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  gboolean is_any;
  g_autofree Hop *hops = list_hops (self, &is_any);
  guint n;

  /* Without a redirect no chain has a hop. */
  if (!is_any && MIN_HOPS (self) > 0 && !has_redirected (self))
    return;
  link_hops (self, hops);
  for (n = 0; n < self->operations->requests->len; n++)
    {
      guint i = g_array_index (self->operations->requests, NsFindingRequest, n).row;
      const NsActivityRow *row = ROW (trace, i);
      NsFindingMoment moment = { 0 };
      g_autofree char *chain = NULL;
      NsTableId table;
      NsRow request;

      moment.flag = row->redirected;
      if (ns_redirects_find (trace, i + 1, &table, &request))
        chain = g_strdup_printf ("%s%u",
                                 table == NS_TABLE_WININET ? "i" : "c",
                                 find_origin (trace, table, request));
      else if (row->webio != 0 && row->webio <= trace->webio->len)
        {
          chain = g_strdup_printf ("w%u", hops[row->webio].origin);
          if (hops[row->webio].next != 0)
            {
              moment.flag = TRUE;
              moment.value = (guint64) hops[row->webio].event + 1;
            }
        }
      else
        continue;
      moment.open_ns = row->open_ns;
      moment.close_ns = ns_findings_end (self, row->close_ns);
      moment.row = i + 1;
      ns_findings_add_moment (ns_findings_group (self, row->pid, "", chain), &moment);
    }
  ns_findings_report_groups (self, report_redirects);
}

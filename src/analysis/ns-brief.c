/* Short title of a row, for links and above its details.
 *
 * The sentence about a row begins with its process. Beside other rows of the process that part is
 * redundant, and the part that distinguishes the row would be truncated.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-get.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum length in characters; views also truncate longer texts. */
#define MAX_CHARS 200

static char *
dup_status (const NsSentence *self)
{
  gint64 status;

  if (!ns_sentence_get_number (self, "http_status", &status) || status == 0)
    return NULL;
  return g_strdup_printf ("%u", (guint) status);
}

/* Formats “POST /orders · 503”. */
static char *
brief_request (const NsSentence *self)
{
  return ns_brief_join (" \302\267 ",
                        ns_brief_join (" ",
                                       ns_sentence_dup (self, "method"),
                                       ns_brief_dup_path (self)),
                        dup_status (self));
}

/* Formats “plan.docx of \\srv1\data”. */
static char *
dup_file (const NsSentence *self)
{
  g_autofree char *url = ns_sentence_dup (self, "url");
  const char *name = url != NULL && g_str_has_prefix (url, "\\\\") ? strrchr (url, '\\') : NULL;

  return name != NULL && name[1] != '\0' ? g_strdup (name + 1) : NULL;
}

/* Formats “POST shop.example · 503”; for a file only its name, as the context shows the server. */
static char *
brief_activity (const NsSentence *self)
{
  char *server = dup_file (self);

  if (server == NULL)
    server = ns_sentence_dup (self, "server");
  if (server == NULL)
    server = ns_sentence_dup (self, "ip_port");
  return ns_brief_join (" \302\267 ",
                        ns_brief_join (" ", ns_sentence_dup (self, "method"), server),
                        dup_status (self));
}

/* Formats “DNS_ERROR_RCODE_NAME_ERROR”, without number and meaning. */
static char *
dup_code_name (const NsSentence *self)
{
  char *text = ns_sentence_dup (self, "status_text");
  char *end = text != NULL ? strstr (text, " (") : NULL;

  if (end != NULL)
    *end = '\0';
  return text;
}

/* Formats “shop.example → 203.0.113.24”. */
static char *
brief_dns (const NsSentence *self)
{
  const NsDnsRow *row = &g_array_index (self->trace->dns, NsDnsRow, self->row);
  char text[NS_IP_TEXT_SIZE];
  char *answer = NULL;

  if (row->addresses != NULL && row->addresses->len > 0)
    answer = g_strdup (ns_ip_to_text (&g_array_index (row->addresses, NsIp, 0), text));
  else if (row->has_status && row->status != 0)
    answer = dup_code_name (self);
  return ns_brief_join (" \342\206\222 ", ns_sentence_dup (self, "query"), answer);
}

static char *
dup_end (const NsEndpoint *end)
{
  char text[NS_IP_TEXT_SIZE];

  return ns_endpoint_is_empty (end) ? NULL : g_strdup (ns_endpoint_to_text (end, text));
}

/* Formats “10.20.4.18:50214 → 203.0.113.24:443”. */
static char *
brief_ends (const NsSentence *self)
{
  const NsTrace *trace = self->trace;
  const NsEndpoint *local;
  const NsEndpoint *remote;

  if (self->table == NS_TABLE_TCP)
    {
      local = g_array_index (trace->tcp, NsTcpRow, self->row).local;
      remote = g_array_index (trace->tcp, NsTcpRow, self->row).remote;
    }
  else if (self->table == NS_TABLE_WINSOCK)
    {
      local = g_array_index (trace->winsock, NsWinsockRow, self->row).local;
      remote = g_array_index (trace->winsock, NsWinsockRow, self->row).remote;
    }
  else
    {
      local = &g_array_index (trace->kernel_network, NsKernelNetworkRow, self->row).local;
      remote = &g_array_index (trace->kernel_network, NsKernelNetworkRow, self->row).remote;
    }
  return ns_brief_join (" \342\206\222 ", dup_end (local), dup_end (remote));
}

static char *
brief_flow (const NsSentence *self)
{
  return ns_brief_join (" \342\206\222 ",
                        ns_sentence_dup (self, "client_ip_port"),
                        ns_sentence_dup (self, "server_ip_port"));
}

static char *
brief_ldap (const NsSentence *self)
{
  return ns_brief_join (" ", ns_sentence_dup (self, "filter"), ns_sentence_dup (self, "base"));
}

static char *
brief_process (const NsSentence *self)
{
  g_autofree char *pid = ns_sentence_dup (self, "pid");

  return ns_brief_join (" ",
                        ns_sentence_dup (self, "name"),
                        pid != NULL ? g_strdup_printf ("(%s)", pid) : NULL);
}

static char *
brief_thread (const NsSentence *self)
{
  g_autofree char *tid = ns_sentence_dup (self, "tid");

  return tid != NULL ? g_strdup_printf (_ ("thread %s"), tid) : NULL;
}

static char *
brief_name (const NsSentence *self)
{
  return ns_sentence_dup (self, "name");
}

/* Formats name and subject of a finding. */
static char *
brief_finding (const NsSentence *self)
{
  return ns_brief_join (" \302\267 ",
                        ns_sentence_dup (self, "title"),
                        ns_sentence_dup (self, "subject"));
}

static char *
brief_log (const NsSentence *self)
{
  return ns_brief_join (" \302\267 ",
                        ns_sentence_dup (self, "source"),
                        ns_sentence_dup (self, "text"));
}

typedef char *(*BriefFunc) (const NsSentence *self);

/* Functions for the tables without a file of their own. */
static const BriefFunc writers[NS_N_TABLES] = {
  [NS_TABLE_ACTIVITIES] = brief_activity,
  [NS_TABLE_DNS] = brief_dns,
  [NS_TABLE_TCP] = brief_ends,
  [NS_TABLE_WINSOCK] = brief_ends,
  [NS_TABLE_KERNEL_NETWORK] = brief_ends,
  [NS_TABLE_FLOWS] = brief_flow,
  [NS_TABLE_LOG] = brief_log,
  [NS_TABLE_WEBIO] = brief_request,
  [NS_TABLE_WININET] = brief_request,
  [NS_TABLE_CHROMIUM] = brief_request,
  [NS_TABLE_DOTNET] = brief_request,
  [NS_TABLE_HTTP_SERVER] = brief_request,
  [NS_TABLE_URLMON] = brief_request,
  [NS_TABLE_LDAP] = brief_ldap,
  [NS_TABLE_PROCESSES] = brief_process,
  [NS_TABLE_THREADS] = brief_thread,
  [NS_TABLE_IMAGES] = brief_name,
  [NS_TABLE_PROVIDERS] = brief_name,
  [NS_TABLE_FINDINGS] = brief_finding,
};

/**
 * ns_brief_new:
 * @trace: a trace
 * @table: a table
 * @row: one of its rows, 0-based
 *
 * Returns: (transfer full): a single line that distinguishes the row from its neighbours, such as
 *   `POST /orders · 503` or `shop.example → 203.0.113.24`; its number if nothing else does
 */
char *
ns_brief_new (const NsTrace *trace, NsTableId table, guint row)
{
  const NsSentence self = { .trace = trace, .table = table, .row = row };
  BriefFunc brief = ns_table_get (table)->brief;
  g_autofree char *text = NULL;

  if (brief == NULL)
    brief = writers[table];
  if (brief != NULL && row < ns_table_get_n_rows (trace, table))
    text = brief (&self);
  if (text != NULL && g_utf8_strlen (text, -1) > MAX_CHARS)
    *g_utf8_offset_to_pointer (text, MAX_CHARS) = '\0';
  if (text != NULL && *text != '\0')
    return g_steal_pointer (&text);
  /* Translators: a row of a table, such as “TCP, row 12”. */
  return g_strdup_printf (_ ("%s, row %u"), _ (ns_table_get_title (table)), row + 1);
}

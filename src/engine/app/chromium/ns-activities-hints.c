/* Adds rows for URLs that a browser mentioned while it had a socket open to the URL's server.
 *
 * Only the server name and the time tie a URL to a connection, so such a row has no bytes and the
 * lowest confidence. Several of them below one socket are normal.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

#include "engine/app/chromium/ns-chromium.h"
#include "engine/app/chromium/ns-url-hints.h"

#include <string.h>

/* Maximum time from the request of a page to the open of its connection. */
#define BEFORE_NS NS_PER_SECOND
/* Maximum number of sockets to one server searched for a hint, newest first. */
#define NS_ACTIVITIES_MAX_HINT_SOCKETS 256
/* Maximum depth of a browser's process tree; a browser starts its child processes itself. */
#define NS_ACTIVITIES_MAX_FAMILY 16

/* One host name of a socket's remote endpoint. */
typedef struct
{
  NsString server; /* lower case */
  NsRow socket;
  gint64 open_ns;
} Entry;

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *left = a;
  const Entry *right = b;

  if (left->server != right->server)
    return left->server < right->server ? -1 : 1;
  if (left->open_ns != right->open_ns)
    return left->open_ns < right->open_ns ? -1 : 1;
  return (left->socket > right->socket) - (left->socket < right->socket);
}

static void
add_entry (NsTrace *trace, GArray *entries, NsString name, NsRow row, gint64 open_ns)
{
  g_autofree char *lower = NULL;
  Entry entry = { .socket = row, .open_ns = open_ns };

  if (name == NS_STRING_NONE)
    return;
  lower = g_ascii_strdown (ns_trace_text (trace, name), -1);
  entry.server = ns_strings_add (trace->strings, lower);
  g_array_append_val (entries, entry);
}

static GArray *
list_entries (NsTrace *trace)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint i;

  for (i = 0; i < trace->winsock->len; i++)
    {
      const NsWinsockRow *socket = &g_array_index (trace->winsock, NsWinsockRow, i);
      NsString query = NS_STRING_NONE;

      if (socket->dns != 0)
        query = NS_ROW_AT (trace->dns, NsDnsRow, socket->dns)->query;
      add_entry (trace, entries, socket->server, i + 1, socket->open_ns);
      if (socket->server_alt != socket->server)
        add_entry (trace, entries, socket->server_alt, i + 1, socket->open_ns);
      if (query != socket->server && query != socket->server_alt)
        add_entry (trace, entries, query, i + 1, socket->open_ns);
    }
  g_array_sort (entries, compare_entries);
  return entries;
}

/* Finds the topmost ancestor process that runs the same program. */
static NsRow
find_family (const NsTrace *trace, guint32 pid, gint64 time_ns)
{
  NsRow row = ns_trace_find_process (trace, pid, time_ns);
  guint i;

  for (i = 0; row != 0 && i < NS_ACTIVITIES_MAX_FAMILY; i++)
    {
      const NsProcessRow *process = NS_ROW_AT (trace->processes, NsProcessRow, row);
      NsRow above = ns_trace_find_process (trace, process->parent_pid, process->start_ns);

      if (above == 0 || above == row ||
          NS_ROW_AT (trace->processes, NsProcessRow, above)->name != process->name)
        break;
      row = above;
    }
  return row;
}

static gboolean
is_of_family (const NsTrace *trace, const NsUrlHint *hint, const NsWinsockRow *socket)
{
  NsRow family;

  if (hint->pid == socket->pid)
    return TRUE;
  family = find_family (trace, hint->pid, hint->begin_ns);
  return family != 0 && family == find_family (trace, socket->pid, socket->open_ns);
}

static gboolean
fits (const NsTrace *trace, const NsUrlHint *hint, const NsWinsockRow *socket)
{
  if (socket->activity == 0 ||
      NS_ROW_AT (trace->activities, NsActivityRow, socket->activity)->protocol != NS_LAYER_WINSOCK)
    return FALSE;
  return hint->begin_ns <= socket->close_ns && hint->port == socket->remote->port &&
         is_of_family (trace, hint, socket);
}

/* Finds the newest socket to the URL's server that may have carried the request. */
static NsRow
find_socket (const NsTrace *trace, const GArray *entries, const NsUrlHint *hint)
{
  const Entry *all = (const Entry *) (gpointer) entries->data;
  Entry wanted = { hint->server, G_MAXUINT32, hint->begin_ns + BEFORE_NS };
  guint low = 0;
  guint high = entries->len;
  guint n_looked;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_entries (&all[middle], &wanted) <= 0)
        low = middle + 1;
      else
        high = middle;
    }
  for (n_looked = 0; low > 0 && n_looked < NS_ACTIVITIES_MAX_HINT_SOCKETS; n_looked++)
    {
      const Entry *entry = &all[--low];

      if (entry->server != hint->server)
        break;
      if (fits (trace, hint, NS_ROW_AT (trace->winsock, NsWinsockRow, entry->socket)))
        return entry->socket;
    }
  return 0;
}

/* Adds the URL's own row to the table of browser requests. */
static NsRow
add_source (NsTrace *trace, const NsUrlHint *hint, NsRow winsock)
{
  const NsWinsockRow *socket = NS_ROW_AT (trace->winsock, NsWinsockRow, winsock);
  NsChromiumRow row = {
    .channel = hint->channel,
    .url = hint->url,
    .server = hint->server,
    .status = ns_strings_add (trace->strings, "Mentioned"),
    .http_status = hint->http_status,
    .remote = *socket->remote,
    .local = *socket->local,
    .pid = hint->pid,
    .tid = hint->tid,
    .open_ns = hint->begin_ns,
    .start_ns = NS_TIME_NONE,
    .close_ns = hint->end_ns,
    .winsock = winsock,
    .tcp = socket->tcp,
    .confidence = NS_CONFIDENCE_NAME,
    .activity_id = hint->activity_id,
  };

  g_array_append_val (trace->chromium, row);
  return trace->chromium->len;
}

/* Adds the row as a child of the socket's row, which keeps its bytes and lower layers. */
static void
add_row (NsBuilder *builder, const NsUrlHint *hint, NsRow winsock)
{
  NsTrace *trace = builder->trace;
  NsRow source = add_source (trace, hint, winsock);
  NsChromiumRow *request = NS_ROW_AT (trace->chromium, NsChromiumRow, source);
  NsActivityRow row;

  ns_activities_init (&row, NS_LAYER_CHROMIUM, NS_TABLE_CHROMIUM, source);
  row.parent = NS_ROW_AT (trace->winsock, NsWinsockRow, winsock)->activity;
  row.pid = hint->pid;
  row.tid = hint->tid;
  row.server = hint->server;
  row.url = hint->url;
  row.status = request->status;
  row.http_status = hint->http_status;
  row.remote = ns_endpoint_pool_add (builder->trace->ends, &request->remote);
  row.local = ns_endpoint_pool_add (builder->trace->ends, &request->local);
  row.activity_id = ns_trace_keep_guid (builder->trace, &hint->activity_id);
  row.open_ns = hint->begin_ns;
  row.close_ns = hint->end_ns;
  row.inferred = TRUE;
  row.confidence = NS_CONFIDENCE_NAME;
  request->activity = ns_activities_append (builder, &row);
}

/**
 * ns_activities_add_hints:
 * @builder: the builder
 *
 * Adds a row for each URL that a browser mentioned while it had a socket to the URL's server,
 * unless the trace has the browser's own request events.
 */
void
ns_activities_add_hints (NsBuilder *builder)
{
  const GArray *hints = ns_url_hints_get (builder->chromium->hints);
  g_autoptr (GArray) entries = NULL;
  guint i;

  if (hints->len == 0 || builder->chromium->has_netlog)
    return;
  entries = list_entries (builder->trace);
  for (i = 0; i < hints->len; i++)
    {
      const NsUrlHint *hint = &g_array_index (hints, NsUrlHint, i);
      NsRow socket = find_socket (builder->trace, entries, hint);

      if (socket != 0)
        add_row (builder, hint, socket);
    }
}

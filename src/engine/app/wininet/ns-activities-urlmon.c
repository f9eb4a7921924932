/* URLMon downloads in the master table: annotations of their requests, or rows of their own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"
#include "engine/trace/ns-interval-index.h"
#include "engine/trace/ns-url.h"

/* Maximum time from the request to a further socket to the same server that belongs to it. */
#define SECOND_SOCKET_NS (100 * (NS_PER_SECOND / 1000))

/* Marks the request as made by URLMon; it takes the stack of the download if it has none. */
static void
annotate (NsBuilder *builder, NsRow source, NsUrlmonRow *download)
{
  const NsWininetRow *request =
      NS_ROW_AT (builder->trace->wininet, NsWininetRow, download->wininet);
  NsActivityRow *row;

  if (request->activity == 0)
    return;
  row = NS_ROW_AT (builder->trace->activities, NsActivityRow, request->activity);
  row->layers |= NS_LAYER_URLMON;
  row->urlmon = source;
  if (row->stack == 0 && download->stack != 0)
    {
      row->stack = download->stack;
      row->link = download->link;
      row->stack_tid = download->tid;
    }
  download->activity = request->activity;
}

/* Indexes sockets without a URL and without bytes, by process and peer. */
static void
index_idle_sockets (const NsTrace *trace, NsIntervalIndex *sockets)
{
  guint i;

  ns_interval_index_init (sockets);
  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      if (row->protocol == NS_LAYER_WINSOCK && row->parent == 0 && row->sent + row->received == 0)
        ns_interval_index_add (sockets,
                               row->pid,
                               ns_endpoint_hash (row->remote),
                               i + 1,
                               row->open_ns);
    }
  ns_interval_index_settle (sockets);
}

/* Makes further sockets of the download's request children of its row. */
static void
fold_second_socket (NsBuilder *builder, const NsIntervalIndex *sockets, const NsUrlmonRow *download)
{
  GArray *activities = builder->trace->activities;
  const NsActivityRow *request;
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint n_lives;
  guint i;

  request = NS_ROW_AT (activities, NsActivityRow, download->activity);
  if (ns_ip_is_empty (&request->remote->ip) || !ns_time_is_set (request->open_ns))
    return;
  lives =
      ns_interval_index_get (sockets, request->pid, ns_endpoint_hash (request->remote), &n_lives);
  for (i = ns_interval_index_count_until (lives, n_lives, request->open_ns - 1);
       i < n_lives && n_left > 0;
       i++, n_left--)
    {
      NsActivityRow *row = NS_ROW_AT (activities, NsActivityRow, lives[i].row);

      if (row->open_ns > request->open_ns + SECOND_SOCKET_NS)
        break;
      if (row->parent == 0 && ns_endpoint_equal (row->remote, request->remote))
        row->parent = download->activity;
    }
}

static void
add_row (NsBuilder *builder, NsRow source, NsUrlmonRow *download)
{
  const char *url = ns_trace_text (builder->trace, download->url);
  g_autofree char *server = url != NULL ? ns_url_get_server (url) : NULL;
  NsActivityRow row;

  ns_activities_init (&row, NS_LAYER_URLMON, NS_TABLE_URLMON, source);
  row.urlmon = source;
  row.activity_id = ns_trace_keep_guid (builder->trace, &download->activity_id);
  row.pid = download->pid;
  row.tid = download->tid;
  row.url = download->url;
  row.server = ns_strings_add (builder->trace->strings, server);
  row.open_ns = download->open_ns;
  row.close_ns = download->close_ns;
  row.stack = download->stack;
  row.link = download->link;
  ns_activities_set_error (&row, download->abort_reason, NS_CODE_HRESULT);
  download->activity = ns_activities_append (builder, &row);
}

/**
 * ns_activities_add_urlmon:
 * @builder: the builder
 *
 * Marks the requests that URLMon asked for, and adds a row for each download without one.
 */
void
ns_activities_add_urlmon (NsBuilder *builder)
{
  NsIntervalIndex sockets;
  guint i;

  if (builder->trace->urlmon->len == 0)
    return;
  index_idle_sockets (builder->trace, &sockets);
  for (i = 0; i < builder->trace->urlmon->len; i++)
    {
      NsUrlmonRow *download = &g_array_index (builder->trace->urlmon, NsUrlmonRow, i);

      if (download->wininet != 0)
        annotate (builder, i + 1, download);
      if (download->activity != 0)
        fold_second_socket (builder, &sockets, download);
      else
        add_row (builder, i + 1, download);
    }
  ns_interval_index_clear (&sockets);
}

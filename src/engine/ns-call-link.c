/* Which socket, look-up and operation a WinSock call belongs to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-call-link.h"
#include "engine/ns-row-index.h"

/* The socket of the endpoint that lived then; among the peers of a datagram socket, the one named.
 */
static NsRow
find_socket (const NsTrace *trace,
             const NsRowIndex *sockets,
             const NsCallRow *call,
             guint64 process)
{
  gint64 time_ns = call->before_trace ? call->close_ns : call->open_ns;
  NsRow fallback = 0;
  guint32 number;

  for (number = ns_row_index_first (sockets, call->endpoint, process); number != 0;
       number = ns_row_index_next (sockets, number))
    {
      const NsWinsockRow *row = &g_array_index (trace->winsock, NsWinsockRow, number - 1);

      if ((ns_time_is_set (row->open_ns) && row->open_ns > time_ns) ||
          (ns_time_is_set (row->close_ns) && row->close_ns < time_ns))
        continue;
      if (call->remote.port == 0 || ns_endpoint_equal (row->remote, &call->remote))
        return number;
      fallback = number;
    }
  return fallback;
}

static void
link_resolution (const NsTrace *trace, const NsRowIndex *lookups, NsCallRow *call)
{
  guint32 number;

  for (number = ns_row_index_first (lookups, call->params, (guint64) call->close_ns); number != 0;
       number = ns_row_index_next (lookups, number))
    {
      const NsDnsRow *row = &g_array_index (trace->dns, NsDnsRow, number - 1);

      call->dns = number;
      call->activity = row->activity;
      if (row->pid == call->pid)
        return;
    }
}

/**
 * ns_call_link_rows: (skip)
 * @trace: a trace whose master table has been gathered
 * @owners: (element-type NsCallOwner): one a row of the calls
 *
 * Sets the socket or look-up, and with it the operation, of each call.
 */
void
ns_call_link_rows (NsTrace *trace, const GArray *owners)
{
  NsRowIndex sockets;
  NsRowIndex lookups;
  guint i;

  if (trace->calls->len == 0)
    return;
  ns_row_index_init (&sockets, trace->winsock->len);
  ns_row_index_init (&lookups, trace->dns->len);
  for (i = 0; i < trace->winsock->len; i++)
    {
      const NsWinsockRow *row = &g_array_index (trace->winsock, NsWinsockRow, i);

      ns_row_index_add (&sockets, row->endpoint, row->process_object, i + 1);
    }
  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *row = &g_array_index (trace->dns, NsDnsRow, i);

      ns_row_index_add (&lookups, row->query, (guint64) row->close_ns, i + 1);
    }

  for (i = 0; i < trace->calls->len; i++)
    {
      NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      guint64 process = g_array_index (owners, NsCallOwner, i).process;

      if (process == 0)
        {
          link_resolution (trace, &lookups, call);
          continue;
        }
      call->winsock = find_socket (trace, &sockets, call, process);
      if (call->winsock != 0)
        call->activity = g_array_index (trace->winsock, NsWinsockRow, call->winsock - 1).activity;
    }
  ns_row_index_clear (&sockets);
  ns_row_index_clear (&lookups);
}

/* Rows of TCP connections and datagram flows that no higher layer has claimed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

#include <string.h>

/* A reset of the connection, with which many connections end: it is an error of the row only if
 * the connect failed. */
#define STATUS_CONNECTION_RESET 0xc000020d

/* Returns whether the row is left out: idle system connections from before the trace
 * (correlation 3.9). */
static gboolean
is_noise (const NsTcpRow *tcp)
{
  gboolean nobody = tcp->pid == NS_PID_UNKNOWN || tcp->pid <= 4;

  return tcp->owner <= NS_LAYER_RUNDOWN && nobody && tcp->posted + tcp->sent + tcp->received == 0;
}

/* Returns the later of close and shutdown, if known. */
static gint64
end_of (const NsTcpRow *tcp)
{
  if (!ns_time_is_set (tcp->shutdown_ns))
    return tcp->close_ns;
  if (!ns_time_is_set (tcp->close_ns))
    return tcp->shutdown_ns;
  return MAX (tcp->close_ns, tcp->shutdown_ns);
}

static NsString
method_of (NsBuilder *builder, const NsTcpRow *tcp)
{
  if ((tcp->owner & NS_LAYER_RUNDOWN) != 0)
    return ns_strings_add (builder->trace->strings, NS_METHOD_RUNDOWN);
  return ns_activities_flow_method (builder, tcp->accepted ? tcp->local->port : tcp->remote->port);
}

static void
add_row (NsBuilder *builder, NsRow source, const NsTcpRow *tcp)
{
  gboolean connect_failed = tcp->state == NS_TCP_CONNECT_FAIL;
  NsActivityRow row;

  ns_activities_init (&row, tcp->is_udp ? NS_LAYER_UDP : NS_LAYER_TCP, NS_TABLE_TCP, source);
  row.layers |= tcp->owner;
  row.tcp = source;
  row.pid = tcp->pid;
  row.tid = tcp->tid;
  row.server = tcp->server;
  row.server_alt = tcp->server_alt;
  row.name_inferred = tcp->name_inferred;
  row.dns = tcp->dns;
  row.method = method_of (builder, tcp);
  row.status = ns_strings_add (builder->trace->strings, ns_tcp_state_to_text (tcp->state));
  row.remote = tcp->remote;
  row.local = tcp->local;
  row.accepted = tcp->accepted;
  row.sent = tcp->sent;
  row.received = tcp->received;
  row.activity_id = tcp->activity_id;
  row.open_ns = tcp->open_ns;
  row.close_ns = end_of (tcp);
  row.opened_before_trace = tcp->before_trace;
  row.inferred = tcp->inferred;
  row.socket = tcp->local->port;
  if (connect_failed || tcp->status != STATUS_CONNECTION_RESET)
    ns_activities_set_error (&row, tcp->status, NS_CODE_NTSTATUS);
  if (connect_failed)
    row.failed = TRUE;
  ns_activities_append (builder, &row);
}

/**
 * ns_activities_add_tcp:
 * @builder: the builder
 *
 * Adds a row for each connection that no higher layer has claimed.
 */
void
ns_activities_add_tcp (NsBuilder *builder)
{
  GArray *table = builder->trace->tcp;
  guint i;

  for (i = 0; i < table->len; i++)
    {
      const NsTcpRow *tcp = &g_array_index (table, NsTcpRow, i);

      if (tcp->activity == 0 && !is_noise (tcp))
        add_row (builder, i + 1, tcp);
    }
}

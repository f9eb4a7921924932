/* Rows of sockets that no request of a higher layer has claimed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/dotnet/ns-dotnet.h"
#include "engine/build/ns-activities-row.h"

#include "engine/trace/ns-services.h"

#define IPPROTO_TCP_NUMBER 6
#define SOCK_TYPE_DATAGRAM 2
#define LDAP_MODULE "Wldap32.dll"
/* Number of frames, from the leaf, in which the LDAP library is searched. */
#define NS_ACTIVITIES_MAX_LDAP_FRAMES 64

/* Returns whether the LDAP library is in the stack that created the socket. */
static gboolean
is_ldap (const NsTrace *trace, const NsWinsockRow *socket)
{
  guint n_frames = 0;
  const guint64 *frames;
  guint i;

  if (socket->stack == 0)
    return FALSE;
  frames = ns_stacks_get (trace->stacks, socket->stack, &n_frames);
  for (i = 0; i < MIN (n_frames, NS_ACTIVITIES_MAX_LDAP_FRAMES); i++)
    {
      NsRow image = ns_trace_find_image (trace, socket->pid, frames[i], socket->open_ns);
      NsString name =
          image != 0 ? NS_ROW_AT (trace->images, NsImageRow, image)->name : NS_STRING_NONE;

      if (name != NS_STRING_NONE &&
          g_ascii_strcasecmp (ns_trace_text (trace, name), LDAP_MODULE) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Formats the service, by port or by stack, and the protocol unless it is TCP. */
static NsString
method_of (NsBuilder *builder, const NsWinsockRow *socket)
{
  const char *protocol = ns_activities_protocol_name (socket->family, socket->protocol);
  const char *service =
      ns_service_name (socket->accepted ? socket->local->port : socket->remote->port);
  NsString method;

  if (service == NULL && !socket->connect_ex && is_ldap (builder->trace, socket))
    service = "LDAP";
  if (service == NULL || socket->protocol == IPPROTO_TCP_NUMBER)
    method = ns_strings_add (builder->trace->strings,
                             service != NULL ? service : (protocol != NULL ? protocol : ""));
  else
    method = ns_activities_join (builder, service, protocol, ":");
  return method;
}

/* Sets begin and end. A datagram exchange with one peer lasts from the first to the last
 * datagram, unless the close of the socket was recorded. The row of the socket has its state. */
static void
set_span (const NsBuilder *builder, const NsWinsockRow *socket, NsActivityRow *row)
{
  gint64 last_ns = socket->last_data_ns;

  row->open_ns = socket->open_ns;
  row->close_ns = socket->close_ns;
  if (socket->socket_type != SOCK_TYPE_DATAGRAM || socket->close_ns != NS_TIME_OPEN ||
      builder->options.compat_reference)
    return;
  if (socket->tcp != 0)
    {
      const NsTcpRow *flow = NS_ROW_AT (builder->trace->tcp, NsTcpRow, socket->tcp);

      if (ns_time_is_set (flow->close_ns))
        last_ns = ns_time_is_set (last_ns) ? MAX (last_ns, flow->close_ns) : flow->close_ns;
    }
  if (ns_time_is_set (last_ns))
    row->close_ns = last_ns;
  if (socket->next_peer && ns_time_is_set (socket->first_data_ns))
    row->open_ns = socket->first_data_ns;
}

static void
add_row (NsBuilder *builder, NsRow source, NsWinsockRow *socket)
{
  gint64 durations[NS_N_PHASES];
  NsActivityRow row;
  NsPhases phases;
  NsRow dns;

  ns_activities_init (&row, NS_LAYER_WINSOCK, NS_TABLE_WINSOCK, source);
  row.layers |= socket->layers;
  row.winsock = source;
  row.tcp = socket->tcp;
  row.dns = socket->dns;
  row.pid = socket->pid;
  row.tid = socket->tid_open;
  row.server = socket->server;
  row.server_alt = socket->server_alt;
  row.name_inferred = socket->name_inferred;
  row.method = method_of (builder, socket);
  row.remote = socket->remote;
  row.local = socket->local;
  row.accepted = socket->accepted;
  row.sent = socket->sent;
  row.received = socket->received;
  row.activity_id = socket->activity_id;
  set_span (builder, socket, &row);
  row.connection = socket->endpoint;
  row.request = socket->endpoint;
  row.socket = socket->local->port;
  row.stack = socket->stack;
  row.link = socket->link;
  row.stack_tid = socket->tid_open;
  if (socket->tcp != 0)
    row.confidence = (gint8) socket->tcp_confidence;
  ns_phases_init (&phases);
  if (ns_dotnet_describe_socket (builder, source, &phases, &dns))
    {
      gint64 end_ns = ns_time_is_set (row.close_ns) ? row.close_ns : builder->trace->end_ns;

      ns_phases_split (&phases, row.open_ns, end_ns, durations);
      ns_trace_keep_row_phases (builder->trace, &row, durations);
      if (row.dns == 0)
        row.dns = dns;
    }
  if (socket->status != 0)
    ns_activities_set_error (&row, socket->status, NS_CODE_NTSTATUS);
  else if (socket->tcp != 0)
    ns_activities_set_connect_error (builder, &row, socket->tcp);
  socket->activity = ns_activities_append (builder, &row);
}

/**
 * ns_activities_add_winsock:
 * @builder: the builder
 *
 * Adds a row for each socket with a peer that no higher layer has claimed.
 */
void
ns_activities_add_winsock (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  guint i;

  for (i = 0; i < trace->winsock->len; i++)
    {
      NsWinsockRow *socket = &g_array_index (trace->winsock, NsWinsockRow, i);
      gboolean taken;

      if (socket->activity != 0 || ns_endpoint_is_empty (socket->remote))
        continue;
      taken =
          socket->tcp != 0
              ? NS_ROW_AT (trace->tcp, NsTcpRow, socket->tcp)->activity != 0
              : (socket->layers & (NS_LAYER_WININET | NS_LAYER_WINHTTP | NS_LAYER_CHROMIUM)) != 0;
      if (!taken)
        add_row (builder, i + 1, socket);
    }
}

/* Links QUIC connections with datagram flows (`providers.md` 4 Q4) and with their handshakes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/quic/ns-quic-private.h"
#include "engine/app/tls/ns-tls-span.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/trace/ns-interval-index.h"

static void
index_datagrams (const NsTrace *trace, NsIntervalIndex *flows)
{
  guint i;

  ns_interval_index_init (flows);
  for (i = 0; i < trace->tcp->len; i++)
    {
      const NsTcpRow *udp = &g_array_index (trace->tcp, NsTcpRow, i);

      if (udp->is_udp && !ns_endpoint_is_empty (udp->remote))
        ns_interval_index_add (flows,
                               ns_endpoint_hash (udp->remote),
                               udp->local->port,
                               i + 1,
                               ns_time_is_set (udp->open_ns) ? udp->open_ns : G_MININT64);
    }
  ns_interval_index_settle (flows);
}

static gboolean
may_carry (const NsTcpRow *udp, const NsQuicRow *row)
{
  if (!ns_endpoint_equal (udp->remote, &row->remote) || udp->local->port != row->local.port)
    return FALSE;
  if (udp->pid != NS_PID_UNKNOWN && row->layer.pid != NS_PID_UNKNOWN && udp->pid != row->layer.pid)
    return FALSE;
  return !ns_time_is_set (udp->close_ns) || udp->close_ns >= row->layer.open_ns;
}

/* Returns the newest flow with both endpoints that existed during the connection. */
static NsRow
find_datagrams (const NsTrace *trace, const NsIntervalIndex *flows, const NsQuicRow *row)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint n_lives;
  guint i;

  if (ns_endpoint_is_empty (&row->remote) || row->local.port == 0)
    return 0;
  lives = ns_interval_index_get (flows, ns_endpoint_hash (&row->remote), row->local.port, &n_lives);
  for (i = ns_interval_index_count_until (lives, n_lives, row->layer.close_ns); i > 0 && n_left > 0;
       i--, n_left--)
    if (may_carry (NS_ROW_AT (trace->tcp, NsTcpRow, lives[i - 1].row), row))
      return lives[i - 1].row;
  return 0;
}

static void
add_evidence (NsQuicRow *row, const char *what)
{
  guint i;

  for (i = 0; i < NS_MAX_EVIDENCE; i++)
    if (row->layer.evidence[i] == NULL)
      {
        row->layer.evidence[i] = what;
        return;
      }
}

static void
join (NsBuilder *builder, const NsIntervalIndex *flows, NsQuicRow *row)
{
  NsNameAnswer answer = { 0 };
  NsTcpRow *udp;

  row->udp = find_datagrams (builder->trace, flows, row);
  if (row->udp != 0)
    {
      udp = NS_ROW_AT (builder->trace->tcp, NsTcpRow, row->udp);
      udp->owner |= NS_LAYER_QUIC;
      row->layer.confidence = NS_CONFIDENCE_LIKELY;
      add_evidence (row, "addresses");
      /* Use the byte counts of the flow if there are no others, and no other connection uses the
       * flow. */
      if (row->sent == NS_UNKNOWN && udp->activity == 0)
        {
          row->sent = (gint64) MIN (udp->sent, G_MAXINT64);
          row->received = (gint64) MIN (udp->received, G_MAXINT64);
        }
      if (row->layer.pid == NS_PID_UNKNOWN)
        row->layer.pid = udp->pid;
    }
  if (row->server_side > 0 || ns_ip_is_empty (&row->remote.ip))
    return;
  ns_host_names_resolve (builder,
                         row->layer.pid,
                         NS_STRING_NONE,
                         &row->remote.ip,
                         row->layer.open_ns,
                         &answer);
  row->server = answer.server;
  row->dns = answer.dns;
}

/**
 * ns_quic_join: (skip)
 * @builder: the builder
 *
 * Links connections with the flows that carry them, and names their servers.
 */
void
ns_quic_join (NsBuilder *builder)
{
  GArray *table = builder->trace->quic;
  NsIntervalIndex flows;
  guint i;

  index_datagrams (builder->trace, &flows);
  for (i = 0; i < table->len; i++)
    {
      NsQuicRow *row = &g_array_index (table, NsQuicRow, i);

      if (!row->is_stream)
        join (builder, &flows, row);
    }
  ns_interval_index_clear (&flows);
  for (i = 0; i < table->len; i++)
    {
      NsQuicRow *row = &g_array_index (table, NsQuicRow, i);

      if (row->is_stream && row->parent != 0)
        {
          const NsQuicRow *parent = NS_ROW_AT (table, NsQuicRow, row->parent);

          row->local = parent->local;
          row->remote = parent->remote;
          row->server = parent->server;
          row->udp = parent->udp;
          row->layer.confidence = parent->layer.confidence;
        }
    }
}

static void
report_handshake (NsBuilder *builder, NsRow number, const NsQuicRow *row)
{
  NsTrace *trace = builder->trace;
  NsTlsFacts facts;

  if (row->layer.activity != 0)
    ns_tls_get_facts (trace, NS_TABLE_ACTIVITIES, row->layer.activity, &facts);
  else
    ns_tls_facts_init (&facts);
  facts.sources |= 1 << NS_TLS_QUIC;
  facts.version = NS_STRING_NONE;
  if (row->has_handshake)
    facts.version = ns_strings_add (trace->strings, "TLS 1.3");
  else
    {
      facts.cipher = NS_STRING_NONE;
      facts.alpn = NS_STRING_NONE;
      facts.resumed = -1;
    }
  if (row->has_alert)
    {
      gboolean is_server = (row->shut_by_peer > 0) != (row->server_side > 0);

      ns_tls_set_alert (builder,
                        &facts,
                        row->alert,
                        is_server ? NS_TLS_FROM_SERVER : NS_TLS_FROM_CLIENT);
      if (!row->has_handshake)
        {
          facts.error = row->alert;
          facts.error_family = NS_CODE_TLS;
        }
    }
  if (trace->tls == NULL)
    ns_tls_store_make (trace);
  ns_tls_store_add (trace->tls, NS_TABLE_QUIC, number, &facts);
  if (row->layer.activity != 0)
    ns_tls_store_add (trace->tls, NS_TABLE_ACTIVITIES, row->layer.activity, &facts);
}

/**
 * ns_quic_settle: (skip)
 * @builder: the builder
 *
 * Sets the negotiated TLS parameters, and the activity of streams to that of their connection.
 */
void
ns_quic_settle (NsBuilder *builder)
{
  GArray *table = builder->trace->quic;
  guint i;

  for (i = 0; i < table->len; i++)
    {
      NsQuicRow *row = &g_array_index (table, NsQuicRow, i);

      if (row->is_stream && row->parent != 0)
        row->layer.activity = NS_ROW_AT (table, NsQuicRow, row->parent)->layer.activity;
      else if (!row->is_stream && (row->has_handshake || row->has_alert))
        report_handshake (builder, i + 1, row);
    }
}

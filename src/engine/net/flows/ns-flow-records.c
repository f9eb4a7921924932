/* Index of the connections that other layers recorded: found by both endpoints and time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow-records.h"

#include "wire/ns-wire-frame.h"

#include <string.h>

/* Packets of a connection may be captured this long before its open or after its close. */
#define SLACK_NS (3 * NS_PER_SECOND)

typedef struct
{
  const NsEndpoint *remote;
  const NsEndpoint *local;
  gint64 open_ns;
  gint64 close_ns;
  NsRow row;
  NsBool is_udp;
  NsBool is_taken;
} NsFlowRecord;

static void
add (NsFlowRecords *self, NsFlowRecordLayer layer, const NsFlowRecord *record)
{
  if (ns_ip_is_empty (&record->remote->ip))
    return;
  g_array_append_vals (self->records, record, 1);
  if (!ns_ip_is_empty (&record->local->ip))
    ns_map_set (self->own, ns_ip_hash (&record->local->ip), 0, 1);
  ns_interval_index_add (&self->lives[layer],
                         ns_endpoint_hash (record->remote),
                         record->local->port,
                         self->records->len,
                         ns_time_is_set (record->open_ns) ? record->open_ns : G_MININT64);
}

static void
add_tcp (NsFlowRecords *self, const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->tcp->len; i++)
    {
      const NsTcpRow *row = &g_array_index (trace->tcp, NsTcpRow, i);
      gint64 end_ns = row->close_ns;

      if (ns_time_is_set (row->shutdown_ns) && end_ns == NS_TIME_OPEN)
        end_ns = row->shutdown_ns;
      add (self,
           NS_FLOW_RECORD_TCP,
           &(NsFlowRecord){ row->remote,
                            row->local,
                            row->open_ns,
                            end_ns,
                            i + 1,
                            row->is_udp,
                            FALSE });
    }
}

static void
add_winsock (NsFlowRecords *self, const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->winsock->len; i++)
    {
      const NsWinsockRow *row = &g_array_index (trace->winsock, NsWinsockRow, i);
      gboolean is_udp = row->protocol == NS_IP_UDP;

      if (is_udp || row->protocol == NS_IP_TCP)
        add (self,
             NS_FLOW_RECORD_WINSOCK,
             &(NsFlowRecord){ row->remote,
                              row->local,
                              row->open_ns,
                              row->close_ns,
                              i + 1,
                              is_udp,
                              FALSE });
    }
}

static void
add_kernel (NsFlowRecords *self, const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->kernel_network->len; i++)
    {
      const NsKernelNetworkRow *row = &g_array_index (trace->kernel_network, NsKernelNetworkRow, i);

      add (self,
           NS_FLOW_RECORD_KERNEL,
           &(NsFlowRecord){ &row->remote,
                            &row->local,
                            row->open_ns,
                            row->close_ns,
                            i + 1,
                            row->is_udp,
                            FALSE });
    }
}

/**
 * ns_flow_records_init: (skip)
 * @self: (out): the index
 * @trace: a trace with complete tables of connections and sockets, which must not change
 */
void
ns_flow_records_init (NsFlowRecords *self, const NsTrace *trace)
{
  guint i;

  self->records = g_array_new (FALSE, FALSE, sizeof (NsFlowRecord));
  self->own = ns_map_new ();
  self->components = trace->packet_components;
  for (i = 0; i < NS_FLOW_N_RECORDS; i++)
    ns_interval_index_init (&self->lives[i]);
  add_tcp (self, trace);
  add_winsock (self, trace);
  add_kernel (self, trace);
  for (i = 0; i < NS_FLOW_N_RECORDS; i++)
    ns_interval_index_settle (&self->lives[i]);
}

/**
 * ns_flow_records_clear: (skip)
 * @self: an index
 *
 * Frees its memory.
 */
void
ns_flow_records_clear (NsFlowRecords *self)
{
  guint i;

  g_array_unref (self->records);
  ns_map_free (self->own);
  for (i = 0; i < NS_FLOW_N_RECORDS; i++)
    ns_interval_index_clear (&self->lives[i]);
}

static gboolean
is_of (const NsFlowRecord *self, const NsFlowEnds *ends)
{
  if (self->is_udp != ends->is_udp || !ns_endpoint_equal (self->remote, ends->remote))
    return FALSE;
  if (!ns_ip_is_empty (&self->local->ip) && !ns_ip_equal (&self->local->ip, &ends->local->ip))
    return FALSE;
  return !ns_time_is_set (self->close_ns) || self->close_ns + SLACK_NS >= ends->open_ns;
}

/* Returns the distance between the begins; a connection from before the trace has none. */
static gint64
distance (const NsFlowRecord *self, const NsFlowEnds *ends)
{
  return ns_time_is_set (self->open_ns) ? ABS (self->open_ns - ends->open_ns) : G_MAXINT64;
}

/**
 * ns_flow_records_take: (skip)
 * @self: an index
 * @layer: the layer
 * @ends: a conversation
 * @n_candidates: (out): number of records that matched
 *
 * Takes the matching record with the nearest begin; a record belongs to one flow only.
 *
 * Returns: the row of the record, or 0
 */
NsRow
ns_flow_records_take (NsFlowRecords *self,
                      NsFlowRecordLayer layer,
                      const NsFlowEnds *ends,
                      guint *n_candidates)
{
  const NsIntervalIndex *index = &self->lives[layer];
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  NsFlowRecord *best = NULL;
  const NsLife *lives;
  guint i;

  *n_candidates = 0;
  lives = ns_interval_index_get (index, ns_endpoint_hash (ends->remote), ends->local->port, &i);
  for (i = ns_interval_index_count_until (lives, i, ends->last_ns + SLACK_NS); i > 0 && n_left > 0;
       i--, n_left--)
    {
      NsFlowRecord *record = &g_array_index (self->records, NsFlowRecord, lives[i - 1].row - 1);

      if (record->is_taken || !is_of (record, ends))
        continue;
      ++*n_candidates;
      if (best == NULL || distance (record, ends) < distance (best, ends))
        best = record;
    }
  if (best == NULL)
    return 0;
  best->is_taken = TRUE;
  return best->row;
}

/* Returns whether the address is `0.0.0.0` or `::`. */
static gboolean
is_unspecified (const NsIp *ip)
{
  static const guint8 zero[16] = { 0 };

  return memcmp (ip->bytes, zero, sizeof zero) == 0;
}

/**
 * ns_flow_records_is_own: (skip)
 * @self: an index
 * @ip: an address
 *
 * Returns: whether it is known as an address of this machine: from connections, sockets, PktMon
 *   components or interfaces recorded by TCPIP
 */
gboolean
ns_flow_records_is_own (const NsFlowRecords *self, const NsIp *ip)
{
  return !is_unspecified (ip) &&
         (ns_ip_is_loopback (ip) || ns_map_get (self->own, ns_ip_hash (ip), 0) != 0 ||
          ns_packet_components_has_address (self->components, ip));
}

/**
 * ns_flow_records_outlive: (skip)
 * @self: an index
 * @ends: a conversation
 * @from_ns: last packet before a silence
 * @to_ns: next packet
 *
 * Returns: whether TCPIP recorded that it was open all the time
 */
gboolean
ns_flow_records_outlive (const NsFlowRecords *self,
                         const NsFlowEnds *ends,
                         gint64 from_ns,
                         gint64 to_ns)
{
  const NsIntervalIndex *index = &self->lives[NS_FLOW_RECORD_TCP];
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint i;

  lives = ns_interval_index_get (index, ns_endpoint_hash (ends->remote), ends->local->port, &i);
  for (i = ns_interval_index_count_until (lives, i, from_ns + SLACK_NS); i > 0 && n_left > 0;
       i--, n_left--)
    {
      const NsFlowRecord *record =
          &g_array_index (self->records, NsFlowRecord, lives[i - 1].row - 1);

      if (is_of (record, ends) &&
          (!ns_time_is_set (record->close_ns) || record->close_ns + SLACK_NS >= to_ns))
        return TRUE;
    }
  return FALSE;
}

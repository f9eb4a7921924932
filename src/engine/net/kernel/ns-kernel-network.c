/* Kernel-Network, and the kernel's TcpIp and UdpIp events: bytes by process and endpoints.
 *
 * Where Microsoft-Windows-TCPIP is recorded too, its records are more precise; these events then
 * add only what that provider did not record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/net/kernel/ns-kernel-packet.h"

#include "base/ns-map.h"
#include "engine/build/ns-builder.h"
#include "engine/net/kernel/ns-kernel-ends.h"
#include "engine/net/tcpip/ns-tcpip.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/trace/ns-ips.h"

#include <string.h>

/* Maximum time between the reports of one operation by the two sources. */
#define SAME_OPERATION_NS (10 * G_GINT64_CONSTANT (1000000))

enum
{
  SOURCE_CLASSIC = 1, /* the kernel logger */
  SOURCE_MANIFEST = 2,
  SOURCE_BOTH = SOURCE_CLASSIC | SOURCE_MANIFEST,
};

/* Operations of one kind, flow and size that only one of the two sources has reported so far. */
typedef struct
{
  gint64 last_ns;
  guint32 n_unmatched;
  guint32 source;
} Report;

struct _NsKernelNetwork
{
  NsIps *ips;
  NsMap *flow[2];   /* TCP, UDP: (peer, local address), (ports, pid) → newest row */
  guint sources;    /* SOURCE_ bits */
  NsMap *ends[2];   /* keys as in @flow → a number; empty unless there are two sources */
  NsMap *report_of; /* (that number and the operation, size) → index of @reports plus 1 */
  GArray *reports;  /* Telling */
};

static void
start (NsBuilder *builder)
{
  NsKernelNetwork *self = g_new0 (NsKernelNetwork, 1);

  builder->trace->kernel_ends = ns_kernel_ends_new ();
  ns_trace_own (builder->trace, builder->trace->kernel_ends, (GDestroyNotify) ns_kernel_ends_free);
  self->ips = ns_ips_new ();
  self->flow[0] = ns_map_new ();
  self->flow[1] = ns_map_new ();
  self->ends[0] = ns_map_new ();
  self->ends[1] = ns_map_new ();
  self->report_of = ns_map_new ();
  self->reports = g_array_new (FALSE, FALSE, sizeof (Report));
  builder->kernel_network = self;
}

static void
stop (NsBuilder *builder)
{
  NsKernelNetwork *self = g_steal_pointer (&builder->kernel_network);

  ns_ips_free (self->ips);
  ns_map_free (self->flow[0]);
  ns_map_free (self->flow[1]);
  ns_map_free (self->ends[0]);
  ns_map_free (self->ends[1]);
  ns_map_free (self->report_of);
  g_array_unref (self->reports);
  g_free (self);
}

static guint
source_of (const NsRecord *record)
{
  return (record->flags & NS_RECORD_MANIFEST) != 0 ? SOURCE_MANIFEST : SOURCE_CLASSIC;
}

/* Learns the machine's own addresses and the sources of the events. */
static void
scan (NsBuilder *builder, const NsRecord *record)
{
  NsKernelOperation operation;
  NsKernelPacket packet;
  gboolean is_udp;

  if (!ns_kernel_packet_read (record, &operation, &is_udp, &packet))
    return;
  builder->kernel_network->sources |= source_of (record);
  ns_kernel_ends_learn (builder->trace->kernel_ends, record);
}

/* Computes the key of a flow. */
static void
get_key (NsKernelNetwork *self, const NsKernelNetworkRow *flow, guint64 key[2])
{
  key[0] = (guint64) ns_ips_add (self->ips, &flow->remote.ip) << 32 |
           ns_ips_add (self->ips, &flow->local.ip);
  key[1] = ns_ips_key (flow->pid, flow->remote.port, flow->local.port);
}

static Report *
get_report (NsKernelNetwork *self,
            const NsKernelNetworkRow *flow,
            NsKernelOperation operation,
            guint32 size)
{
  Report none = { 0 };
  guint64 key[2];
  guint32 ends;
  guint32 n;

  get_key (self, flow, key);
  ends = ns_map_get (self->ends[flow->is_udp], key[0], key[1]);
  if (ends == 0)
    {
      ends = ns_map_get_size (self->ends[0]) + ns_map_get_size (self->ends[1]) + 1;
      ns_map_set (self->ends[flow->is_udp], key[0], key[1], ends);
    }
  n = ns_map_get (self->report_of, (guint64) ends << 8 | operation, size);
  if (n == 0)
    {
      g_array_append_val (self->reports, none);
      n = self->reports->len;
      ns_map_set (self->report_of, (guint64) ends << 8 | operation, size, n);
    }
  return &g_array_index (self->reports, Report, n - 1);
}

/* Returns whether the other source has just reported this operation: if both were recorded, the
 * kernel logger and the provider report the same operations. */
static gboolean
is_repeated (NsKernelNetwork *self,
             const NsRecord *record,
             const NsKernelNetworkRow *flow,
             NsKernelOperation operation,
             guint32 size)
{
  guint source = source_of (record);
  Report *report;

  if (self->sources != SOURCE_BOTH)
    return FALSE;
  report = get_report (self, flow, operation, size);
  if (report->n_unmatched > 0 && report->source != source &&
      record->time_ns - report->last_ns <= SAME_OPERATION_NS)
    {
      report->n_unmatched--;
      return TRUE;
    }
  if (report->source != source || record->time_ns - report->last_ns > SAME_OPERATION_NS)
    report->n_unmatched = 0;
  report->source = source;
  report->last_ns = record->time_ns;
  report->n_unmatched++;
  return FALSE;
}

/* Returns whether a connect or accept begins another connection, since the flow has earlier
 * events. */
static gboolean
is_restart (const NsKernelNetworkRow *row, NsKernelOperation operation)
{
  if (operation != NS_KERNEL_CONNECT && operation != NS_KERNEL_ACCEPT)
    return FALSE;
  return row->close_ns != NS_TIME_OPEN || row->n_connects + row->n_accepts > 0 ||
         row->sent + row->received > 0;
}

static NsKernelNetworkRow *
find_or_add (NsBuilder *builder,
             gboolean is_udp,
             NsKernelOperation operation,
             const NsKernelNetworkRow *wanted)
{
  NsKernelNetwork *self = builder->kernel_network;
  GArray *rows = builder->trace->kernel_network;
  guint64 key[2];
  NsRow n;

  get_key (self, wanted, key);
  n = ns_map_get (self->flow[is_udp], key[0], key[1]);
  if (n != 0)
    {
      NsKernelNetworkRow *row = &g_array_index (rows, NsKernelNetworkRow, n - 1);

      if (!is_restart (row, operation))
        return row;
    }
  g_array_append_val (rows, *wanted);
  ns_map_set (self->flow[is_udp], key[0], key[1], rows->len);
  return &g_array_index (rows, NsKernelNetworkRow, rows->len - 1);
}

static void
count (NsKernelNetworkRow *row, NsKernelOperation operation, guint32 size)
{
  switch (operation)
    {
    case NS_KERNEL_SEND:
      row->sent += size;
      break;
    case NS_KERNEL_RECEIVE:
      row->received += size;
      break;
    case NS_KERNEL_COPY:
      row->copied += size;
      break;
    case NS_KERNEL_RETRANSMIT:
      row->retransmits++;
      row->retransmitted_bytes += size;
      break;
    case NS_KERNEL_CONNECT:
      row->n_connects++;
      break;
    case NS_KERNEL_ACCEPT:
      row->n_accepts++;
      break;
    case NS_KERNEL_RECONNECT:
      row->n_reconnects++;
      break;
    case NS_KERNEL_DISCONNECT:
      row->n_disconnects++;
      row->close_ns = row->last_ns;
      break;
    case NS_KERNEL_FAIL:
    default:
      break;
    }
}

static NsRow
number_of (NsBuilder *builder, const NsKernelNetworkRow *row)
{
  const GArray *rows = builder->trace->kernel_network;

  return (NsRow) (row - &g_array_index (rows, NsKernelNetworkRow, 0)) + 1;
}

static void
handle (NsBuilder *builder, const NsRecord *record)
{
  NsKernelNetworkRow wanted = { 0 };
  NsKernelNetworkRow *row;
  NsKernelOperation operation;
  NsKernelPacket packet;
  gboolean is_udp;

  if (!ns_kernel_packet_read (record, &operation, &is_udp, &packet))
    return;
  wanted.is_udp = is_udp != FALSE;
  ns_kernel_ends_sort (builder->trace->kernel_ends,
                       is_udp,
                       operation,
                       &packet,
                       &wanted.local,
                       &wanted.remote);
  wanted.pid = packet.pid == 0 ? NS_PID_UNKNOWN : packet.pid;
  wanted.open_ns = record->time_ns;
  wanted.close_ns = NS_TIME_OPEN;
  if (is_repeated (builder->kernel_network, record, &wanted, operation, packet.size))
    return;

  row = find_or_add (builder, wanted.is_udp, operation, &wanted);
  row->last_ns = record->time_ns;
  count (row, operation, packet.size);
  if (operation == NS_KERNEL_SEND || operation == NS_KERNEL_RECEIVE)
    ns_moves_note (builder->trace->moves,
                   NS_TABLE_KERNEL_NETWORK,
                   number_of (builder, row),
                   record->time_ns,
                   packet.size,
                   operation == NS_KERNEL_SEND);
  if (row->stack == 0)
    row->stack = ns_stack_match_find (builder, record);
}

/* Links the flow with its TCPIP record, which counts the same bytes, and passes on what that
 * record lacks. */
static void
enrich (NsBuilder *builder, NsKernelNetworkRow *row)
{
  NsTcpRec *rec = ns_tcpip_find_tuple (builder,
                                       row->is_udp,
                                       &row->local,
                                       &row->remote,
                                       row->open_ns,
                                       NS_PER_SECOND);

  if (rec == NULL)
    rec = ns_tcpip_find_tuple (builder,
                               row->is_udp,
                               &row->local,
                               &row->remote,
                               row->last_ns,
                               NS_PER_SECOND);
  if (rec == NULL)
    return;
  row->tcp = rec->row;
  if (!rec->pid_sure && row->pid != NS_PID_UNKNOWN)
    {
      rec->pid = row->pid;
      rec->pid_source = NS_PID_FROM_PAYLOAD;
    }
  ns_tcpip_note_kernel_retransmits (builder, rec, row->retransmits, row->retransmitted_bytes);
}

static void
finish (NsBuilder *builder)
{
  GArray *rows = builder->trace->kernel_network;
  guint i;

  for (i = 0; i < rows->len; i++)
    {
      NsKernelNetworkRow *row = &g_array_index (rows, NsKernelNetworkRow, i);

      row->inferred = !row->is_udp && row->n_connects + row->n_accepts == 0;
      if (row->is_udp) /* no event ends a UDP flow: it ends with its last datagram */
        row->close_ns = row->last_ns;
      enrich (builder, row);
    }
}

static const NsProviderOps ops[] = {
  { NS_GUID_KERNEL_NETWORK, scan, handle, .has_stack = ns_stack_match_any },
  { NS_GUID_TCP_IP, scan, handle, .has_stack = ns_stack_match_any },
  { NS_GUID_UDP_IP, scan, handle, .has_stack = ns_stack_match_any },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (kernel_network, NsKernelNetworkRow, NULL),
};

const NsPart ns_kernel_network_part = {
  .name = "kernel-network",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = start,
  .number = finish,
  .stop = stop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};

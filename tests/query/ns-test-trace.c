/* A trace whose rows a test writes itself.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-trace.h"

#include "engine/bits/ns-bits.h"
#include "engine/capi2/ns-capi2.h"
#include "engine/flows/ns-flow.h"
#include "engine/ns-signs.h"

#include "engine/ns-builder.h"
#include "engine/ns-event-index.h"
#include "engine/ns-log.h"
#include "engine/ns-methods.h"
#include "engine/ns-trace-cache.h"
#include "engine/ns-trace-lookup.h"
#include "engine/ns-view-context.h"
#include "engine/quic/ns-quic.h"
#include "engine/rpc/ns-rpc.h"
#include "engine/smb/ns-smb.h"
#include "engine/tls/ns-tls.h"
#include "engine/wfp/ns-wfp.h"
#include "etl/ns-etl-writer.h"

#include <string.h>

static const struct
{
  gsize table;
  guint row_bytes;
} tables[] = {
  { G_STRUCT_OFFSET (NsTrace, processes), sizeof (NsProcessRow) },
  { G_STRUCT_OFFSET (NsTrace, chromium_events), sizeof (guint32) },
  { G_STRUCT_OFFSET (NsTrace, threads), sizeof (NsThreadRow) },
  { G_STRUCT_OFFSET (NsTrace, images), sizeof (NsImageRow) },
  { G_STRUCT_OFFSET (NsTrace, dns), sizeof (NsDnsRow) },
  { G_STRUCT_OFFSET (NsTrace, tcp), sizeof (NsTcpRow) },
  { G_STRUCT_OFFSET (NsTrace, tcp_anomalies), sizeof (NsTcpAnomaly) },
  { G_STRUCT_OFFSET (NsTrace, signs), sizeof (NsSign) },
  { G_STRUCT_OFFSET (NsTrace, enables), sizeof (NsEnableRow) },
  { G_STRUCT_OFFSET (NsTrace, silences), sizeof (NsTimeSpan) },
  { G_STRUCT_OFFSET (NsTrace, winsock), sizeof (NsWinsockRow) },
  { G_STRUCT_OFFSET (NsTrace, webio), sizeof (NsWebioRow) },
  { G_STRUCT_OFFSET (NsTrace, wininet), sizeof (NsWininetRow) },
  { G_STRUCT_OFFSET (NsTrace, ldap), sizeof (NsLdapRow) },
  { G_STRUCT_OFFSET (NsTrace, urlmon), sizeof (NsUrlmonRow) },
  { G_STRUCT_OFFSET (NsTrace, chromium), sizeof (NsChromiumRow) },
  { G_STRUCT_OFFSET (NsTrace, dotnet), sizeof (NsDotnetRow) },
  { G_STRUCT_OFFSET (NsTrace, http_server), sizeof (NsHttpServerRow) },
  { G_STRUCT_OFFSET (NsTrace, bits), sizeof (NsBitsRow) },
  { G_STRUCT_OFFSET (NsTrace, wfp), sizeof (NsWfpRow) },
  { G_STRUCT_OFFSET (NsTrace, capi2), sizeof (NsCapi2Row) },
  { G_STRUCT_OFFSET (NsTrace, quic), sizeof (NsQuicRow) },
  { G_STRUCT_OFFSET (NsTrace, smb), sizeof (NsSmbRow) },
  { G_STRUCT_OFFSET (NsTrace, rpc), sizeof (NsRpcRow) },
  { G_STRUCT_OFFSET (NsTrace, kernel_network), sizeof (NsKernelNetworkRow) },
  { G_STRUCT_OFFSET (NsTrace, tasks), sizeof (NsTaskRow) },
  { G_STRUCT_OFFSET (NsTrace, calls), sizeof (NsCallRow) },
  { G_STRUCT_OFFSET (NsTrace, packets), sizeof (NsPacketRow) },
  { G_STRUCT_OFFSET (NsTrace, packet_places), sizeof (NsPacketPlace) },
  { G_STRUCT_OFFSET (NsTrace, flows), sizeof (NsFlowRow) },
  { G_STRUCT_OFFSET (NsTrace, spans), sizeof (NsSpanRow) },
  { G_STRUCT_OFFSET (NsTrace, log), sizeof (NsLogRow) },
  { G_STRUCT_OFFSET (NsTrace, providers), sizeof (NsProviderRow) },
  { G_STRUCT_OFFSET (NsTrace, kinds), sizeof (NsKindRow) },
  { G_STRUCT_OFFSET (NsTrace, activities), sizeof (NsActivityRow) },
  { G_STRUCT_OFFSET (NsTrace, methods), sizeof (NsMethodRow) },
};

NsTrace *
test_trace_new (gint64 end_ns)
{
  NsEtlWriterOptions options = { .start_filetime = TEST_TRACE_START };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GBytes) bytes = ns_etl_writer_finish (writer);
  NsTrace *self = g_new0 (NsTrace, 1);
  guint i;

  self->file = ns_etl_file_open_bytes (bytes, "made.etl", NULL);
  g_assert_nonnull (self->file);
  self->strings = ns_strings_new ();
  self->arena = ns_arena_new (4096);
  self->ends = ns_endpoint_pool_new ();
  self->cache = ns_trace_cache_new ();
  self->view = ns_view_context_new ();
  self->ranges = ns_named_ranges_new ();
  self->thresholds = ns_view_context_dup_thresholds (self->view);
  self->stacks = ns_stacks_new ();
  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    G_STRUCT_MEMBER (GArray *, self, tables[i].table) =
        g_array_new (FALSE, TRUE, tables[i].row_bytes);
  self->packet_bytes = g_byte_array_new ();
  self->logs = g_ptr_array_new ();
  ns_event_index_init (self);
  self->end_ns = end_ns;
  return self;
}

void
test_trace_free (NsTrace *self)
{
  guint i;

  for (i = 0; i < self->dns->len; i++)
    g_clear_pointer (&g_array_index (self->dns, NsDnsRow, i).servers, g_array_unref);
  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    g_array_unref (G_STRUCT_MEMBER (GArray *, self, tables[i].table));
  g_byte_array_unref (self->packet_bytes);
  g_ptr_array_unref (self->logs);
  g_array_unref (self->events);
  g_array_unref (self->event_blocks);
  ns_trace_cache_free (self->cache);
  ns_view_context_unref (self->view);
  ns_thresholds_unref (self->thresholds);
  ns_named_ranges_free (self->ranges);
  ns_trace_free_owned (self);
  g_clear_pointer (&self->index, ns_trace_index_free);
  ns_columns_free (self->columns);
  ns_stacks_free (self->stacks);
  ns_strings_free (self->strings);
  ns_arena_free (self->arena);
  ns_endpoint_pool_free (self->ends);
  ns_etl_file_free (self->file);
  g_free (self);
}

gpointer
test_trace_add (GArray *table)
{
  g_array_set_size (table, table->len + 1);
  return table->data + (gsize) (table->len - 1) * g_array_get_element_size (table);
}

NsTcpRow *
test_trace_add_tcp (NsTrace *self)
{
  NsTcpRow *row = test_trace_add (self->tcp);

  row->remote = row->local = &ns_endpoint_pool_none;
  row->extra = ns_arena_new0 (self->arena, NsTcpExtra);
  return row;
}

NsWinsockRow *
test_trace_add_winsock (NsTrace *self)
{
  NsWinsockRow *row = test_trace_add (self->winsock);

  row->remote = row->local = &ns_endpoint_pool_none;
  return row;
}

NsPacketRow *
test_trace_add_packet (NsTrace *self, const NsEndpoint *src, const NsEndpoint *dst)
{
  gboolean is_v6 = src->ip.family == NS_AF_INET6;
  gsize n_ip = is_v6 ? 16 : 4;
  gsize at = is_v6 ? 8 : 12;
  guint8 bytes[48] = { is_v6 ? 0x60 : 0x45 };
  gsize size = (is_v6 ? 40 : 20) + 8;
  NsPacketRow *row = test_trace_add (self->packets);

  g_assert_cmpint (src->ip.family, ==, dst->ip.family);
  bytes[is_v6 ? 5 : 3] = is_v6 ? 8 : 28;
  bytes[is_v6 ? 6 : 9] = src->port != 0 || dst->port != 0 ? 17 : 59;
  memcpy (bytes + at, src->ip.bytes, n_ip);
  memcpy (bytes + at + n_ip, dst->ip.bytes, n_ip);
  bytes[size - 8] = (guint8) (src->port >> 8);
  bytes[size - 7] = (guint8) src->port;
  bytes[size - 6] = (guint8) (dst->port >> 8);
  bytes[size - 5] = (guint8) dst->port;
  bytes[size - 3] = 8;
  row->link = NS_PACKET_RAW_IP;
  row->data = self->packet_bytes->len;
  row->length = row->captured = (guint32) size;
  g_byte_array_append (self->packet_bytes, bytes, (guint) size);
  return row;
}

void
test_trace_drop_packet (NsTrace *self, NsPacketRow *row, const char *reason, guint32 number)
{
  const NsPacketPlace place = { .interface_name = NS_STRING_NONE,
                                .drop_reason = ns_strings_add (self->strings, reason),
                                .drop_number = number,
                                .pid = NS_PID_UNKNOWN };

  row->dropped = TRUE;
  row->place = self->packet_places->len;
  g_array_append_val (self->packet_places, place);
}

const NsEndpoint *
test_trace_end (NsTrace *self, const char *ip, guint16 port)
{
  NsEndpoint end = { .port = port };

  g_assert_true (ns_ip_from_text (&end.ip, ip));
  return ns_endpoint_pool_add (self->ends, &end);
}

NsActivityRow *
test_trace_add_activity (NsTrace *self, const char *server, gint64 open_ns)
{
  NsActivityRow *row = test_trace_add (self->activities);
  guint i;

  row->remote = row->local = &ns_endpoint_pool_none;
  row->protocol = row->layers = NS_LAYER_TCP;
  row->pid = row->tid = NS_PID_UNKNOWN;
  row->server = server == NULL ? NS_STRING_NONE : ns_strings_add (self->strings, server);
  row->open_ns = open_ns;
  row->close_ns = NS_TIME_OPEN;
  row->first_byte_ns = NS_TIME_NONE;
  row->posted = NS_UNKNOWN;
  row->reused = row->confidence = -1;
  row->phases = ns_arena_alloc (self->arena, NS_N_PHASES * sizeof (gint64));
  for (i = 0; i < NS_N_PHASES; i++)
    test_phases (row)[i] = NS_UNKNOWN;
  return row;
}

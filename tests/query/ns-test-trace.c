/* A trace whose rows are written by the test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-trace.h"

#include "engine/net/packets/ns-packet-components.h"
#include "engine/open/ns-parts.h"
#include "engine/trace/ns-trace-lookup.h"
#include "engine/trace/ns-trace-make.h"
#include "engine/trace/ns-view-context.h"
#include "etl/ns-etl-writer.h"

#include <string.h>

NsTrace *
test_trace_new (gint64 end_ns)
{
  NsEtlWriterOptions options = { .start_filetime = TEST_TRACE_START };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GBytes) bytes = ns_etl_writer_finish (writer);
  NsEtlFile *file = ns_etl_file_open_bytes (bytes, "made.etl", NULL);
  NsTrace *self;

  g_assert_nonnull (file);
  self = ns_trace_new_empty (file, NULL);
  self->packet_components = ns_packet_components_new ();
  ns_trace_own (self, self->packet_components, (GDestroyNotify) ns_packet_components_free);
  self->view = ns_view_context_new ();
  self->thresholds = ns_view_context_dup_thresholds (self->view);
  /* Tests may change rows after the first column was made. */
  g_clear_pointer (&self->columns, ns_columns_free);
  self->end_ns = end_ns;
  return self;
}

void
test_trace_free (NsTrace *self)
{
  ns_trace_unref (self);
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

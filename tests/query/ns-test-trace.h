/* A trace whose rows are written by the test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* 2024-01-01 00:00:00 UTC, the start of the trace. */
#define TEST_TRACE_START G_GUINT64_CONSTANT (133485408000000000)

NsTrace *test_trace_new (gint64 end_ns);
void test_trace_free (NsTrace *self);
/* Adds a row with all fields 0 or unknown; the pointer is valid until the next row is added. */
NsActivityRow *test_trace_add_activity (NsTrace *self, const char *server, gint64 open_ns);
gpointer test_trace_add (GArray *table);
NsTcpRow *test_trace_add_tcp (NsTrace *self);
NsWinsockRow *test_trace_add_winsock (NsTrace *self);
/* Adds a UDP packet, or one without transport header if there are no ports; both addresses are of
 * the same family. */
NsPacketRow *test_trace_add_packet (NsTrace *self, const NsEndpoint *src, const NsEndpoint *dst);
void test_trace_drop_packet (NsTrace *self, NsPacketRow *row, const char *reason, guint32 number);
/* Returns an endpoint for use in rows. */
const NsEndpoint *test_trace_end (NsTrace *self, const char *ip, guint16 port);

/* Returns the phases of such a row for writing. */
static inline gint64 *
test_phases (NsActivityRow *row)
{
  return (gint64 *) row->phases;
}

/* Returns the rare fields of such a row for writing. */
static inline NsTcpExtra *
test_extra (NsTcpRow *row)
{
  return (NsTcpExtra *) row->extra;
}

G_END_DECLS

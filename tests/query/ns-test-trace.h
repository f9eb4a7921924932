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
/* All zero but what is unknown; valid until the next one is added. */
NsActivityRow *test_trace_add_activity (NsTrace *self, const char *server, gint64 open_ns);
gpointer test_trace_add (GArray *table);
NsTcpRow *test_trace_add_tcp (NsTrace *self);
NsWinsockRow *test_trace_add_winsock (NsTrace *self);
/* A packet of UDP, of IP alone where it has no ports; both addresses are of one family. */
NsPacketRow *test_trace_add_packet (NsTrace *self, const NsEndpoint *src, const NsEndpoint *dst);
void test_trace_drop_packet (NsTrace *self, NsPacketRow *row, const char *reason, guint32 number);
/* An end that rows may point to. */
const NsEndpoint *test_trace_end (NsTrace *self, const char *ip, guint16 port);

/* The phases of such a row, to write to. */
static inline gint64 *
test_phases (NsActivityRow *row)
{
  return (gint64 *) row->phases;
}

/* What few connections have, likewise. */
static inline NsTcpExtra *
test_extra (NsTcpRow *row)
{
  return (NsTcpExtra *) row->extra;
}

G_END_DECLS

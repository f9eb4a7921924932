/* The set of captured sequence numbers of one direction of a connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * NsFlowBytes:
 * @begin: first position of the stretch that data arrive at now
 * @end: position behind it
 * @lowest: first position that is known to have been sent
 * @highest: position behind the last one seen
 * @apart: (element-type NsFlowStretch) (nullable): stretches elsewhere, and the bytes of probes
 *
 * Positions are sequence numbers counted on past 2^32, and none is 0: where there is nothing yet,
 * @end and @highest are. Segments in order cost nothing but the moving of @end; the others are kept
 * and put together at the end.
 */
typedef struct
{
  gint64 begin;
  gint64 end;
  gint64 lowest;
  gint64 highest;
  GArray *apart;
} NsFlowBytes;

void ns_flow_bytes_init (NsFlowBytes *self);
void ns_flow_bytes_clear (NsFlowBytes *self);
void ns_flow_bytes_see (NsFlowBytes *self, guint32 seq);
void ns_flow_bytes_add (NsFlowBytes *self, guint32 seq, guint32 size);
void ns_flow_bytes_add_probe (NsFlowBytes *self, guint32 seq);
guint64 ns_flow_bytes_sum (NsFlowBytes *self, guint64 *n_of_probes, guint64 *n_missing);

G_END_DECLS

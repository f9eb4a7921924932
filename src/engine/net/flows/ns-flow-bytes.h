/* The set of captured sequence numbers of one direction of a connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * NsFlowBytes:
 * @begin: begin of the range that is being extended
 * @end: its end
 * @lowest: lowest position known to have been sent
 * @highest: end of the highest range seen
 * @apart: (element-type NsFlowStretch) (nullable): other ranges, and the bytes of probes
 *
 * Positions are sequence numbers extended beyond 2^32, and never 0; @end and @highest are 0 if the
 * set is empty. Segments in order only advance @end; others are stored, and merged at the end.
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

/* What tells one connection of the timeline from another, and what its lane is called.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* The table whose row a connection is. */
typedef enum
{
  NS_LANE_END_NONE, /* of no table */
  NS_LANE_END_CONNECTION,
  NS_LANE_END_SOCKET,
  NS_LANE_END_FLOW,
} NsLaneEnd;

guint64 ns_lane_connection_key (const NsActivityRow *row);
guint64 ns_lane_connection_identity (const NsTrace *trace, const NsActivityRow *row);
NsLaneEnd ns_lane_connection_number (const NsActivityRow *row, guint32 *number);

G_END_DECLS

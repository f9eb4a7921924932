/* Keys and numbers of the connections of activities, by which lanes of the timeline are made and
 * named.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* The table that the row of a connection belongs to. */
typedef enum
{
  NS_CONNECTION_KIND_NONE, /* no table */
  NS_CONNECTION_KIND_CONNECTION,
  NS_CONNECTION_KIND_SOCKET,
  NS_CONNECTION_KIND_FLOW,
} NsConnectionKind;

guint64 ns_lane_connection_key (const NsActivityRow *row);
guint64 ns_lane_connection_identity (const NsTrace *trace, const NsActivityRow *row);
NsConnectionKind ns_lane_connection_number (const NsActivityRow *row, guint32 *number);

G_END_DECLS

/* Keys and numbers of the connections of activities, by which lanes of the timeline are made and
 * named.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "draw/ns-lane-connection.h"
#include "engine/activities/ns-activity-below.h"

/**
 * ns_lane_connection_key:
 * @row: an activity
 *
 * Returns: a key that all rows of one connection of the trace share; 0 if the connection is unknown
 */
guint64
ns_lane_connection_key (const NsActivityRow *row)
{
  if (row->tcp != 0)
    return G_GUINT64_CONSTANT (1) << 40 | row->tcp;
  if (row->winsock != 0)
    return G_GUINT64_CONSTANT (2) << 40 | row->winsock;
  if (row->kernel_network != 0)
    return G_GUINT64_CONSTANT (3) << 40 | row->kernel_network;
  if (row->connection != 0)
    return ns_map_mix (4, row->connection);
  if (row->socket != 0)
    return ns_map_mix (5, row->socket);
  return 0;
}

/**
 * ns_lane_connection_identity:
 * @trace: the trace of @row
 * @row: an activity
 *
 * Returns: a key of its connection that stays the same when only a part of the trace is opened
 */
guint64
ns_lane_connection_identity (const NsTrace *trace, const NsActivityRow *row)
{
  guint64 ends = ns_map_mix (ns_endpoint_hash (row->remote), row->local->port);

  if (row->tcp == 0 && row->winsock == 0 && row->kernel_network == 0)
    return ns_lane_connection_key (row);
  return ns_map_mix (ends, ns_activity_get_tcb (trace, row));
}

/**
 * ns_lane_connection_number:
 * @row: an activity
 * @number: (out): number of the connection, socket or flow below @row, as used in sentences, fields
 *   and links; 0: none
 *
 * Returns: the kind of that row
 */
NsConnectionKind
ns_lane_connection_number (const NsActivityRow *row, guint32 *number)
{
  *number = row->tcp != 0 ? row->tcp : row->winsock != 0 ? row->winsock : row->kernel_network;
  if (row->tcp != 0)
    return NS_CONNECTION_KIND_CONNECTION;
  if (row->winsock != 0)
    return NS_CONNECTION_KIND_SOCKET;
  return row->kernel_network != 0 ? NS_CONNECTION_KIND_FLOW : NS_CONNECTION_KIND_NONE;
}

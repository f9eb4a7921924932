/* Which connection a captured packet belongs to: both ends equal, and seen while it lived.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-lives.h"
#include "engine/ns-packet-link.h"

/* A capture stamps a packet up to this much before the open or after the close of its connection.
 */
#define SLACK_NS (3 * NS_PER_SECOND)

/* A connection of either table, with what a packet is compared with. */
typedef struct
{
  const NsEndpoint *remote;
  const NsEndpoint *local;
  gint64 open_ns;
  gint64 close_ns;
  NsRow tcp;
  NsRow activity;
  guint32 pid;
} Connection;

typedef struct
{
  GArray *connections; /* element-type Connection */
  NsLives lives;       /* (remote end, local port) → number + 1 */
} Index;

static void
index_add (Index *self, const Connection *connection)
{
  guint64 key = ns_endpoint_hash (connection->remote);

  if (ns_ip_is_empty (&connection->remote->ip))
    return;
  g_array_append_vals (self->connections, connection, 1);
  ns_lives_add (&self->lives,
                key,
                connection->local->port,
                self->connections->len,
                connection->open_ns);
}

static void
index_fill (Index *self, NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->tcp->len; i++)
    {
      const NsTcpRow *row = &g_array_index (trace->tcp, NsTcpRow, i);
      gint64 end_ns = row->close_ns;

      if (ns_time_is_set (row->shutdown_ns) && end_ns == NS_TIME_OPEN)
        end_ns = row->shutdown_ns;
      index_add (self,
                 &(Connection){ row->remote,
                                row->local,
                                row->open_ns,
                                end_ns,
                                i + 1,
                                row->activity,
                                row->pid });
    }
  for (i = 0; i < trace->kernel_network->len; i++)
    {
      const NsKernelNetworkRow *row = &g_array_index (trace->kernel_network, NsKernelNetworkRow, i);

      if (row->tcp == 0)
        index_add (self,
                   &(Connection){ &row->remote,
                                  &row->local,
                                  row->open_ns,
                                  row->close_ns,
                                  0,
                                  row->activity,
                                  row->pid });
    }
}

static gboolean
lived_at (const Connection *self, gint64 time_ns)
{
  if (ns_time_is_set (self->open_ns) && time_ns < self->open_ns - SLACK_NS)
    return FALSE;
  return !ns_time_is_set (self->close_ns) || time_ns <= self->close_ns + SLACK_NS;
}

static gboolean
is_within (const Connection *self, gint64 time_ns)
{
  return (!ns_time_is_set (self->open_ns) || time_ns >= self->open_ns) &&
         (!ns_time_is_set (self->close_ns) || time_ns <= self->close_ns);
}

/* The connection between these ends at this time: one that was open then, else a near one. */
static const Connection *
index_find (const Index *self, const NsEndpoint *remote, const NsEndpoint *local, gint64 time_ns)
{
  const Connection *near = NULL;
  guint n_left = NS_LIVES_MAX_LOOK_BACK;
  const NsLife *lives;
  guint i;

  lives = ns_lives_get (&self->lives, ns_endpoint_hash (remote), local->port, &i);
  for (i = ns_lives_count_until (lives, i, time_ns + SLACK_NS); i > 0 && n_left > 0; i--, n_left--)
    {
      const Connection *connection =
          &g_array_index (self->connections, Connection, lives[i - 1].row - 1);

      if (!ns_endpoint_equal (connection->remote, remote) || !lived_at (connection, time_ns))
        continue;
      if (!ns_ip_is_empty (&connection->local->ip) &&
          !ns_ip_equal (&connection->local->ip, &local->ip))
        continue;
      if (is_within (connection, time_ns))
        return connection;
      if (near == NULL)
        near = connection;
    }
  return near;
}

/**
 * ns_packet_link_rows: (skip)
 * @trace: a trace whose master table has been gathered
 *
 * Sets connection, activity and process of each packet. On the way out the peer is the destination;
 * a packet whose direction is not known is tried both ways.
 */
void
ns_packet_link_rows (NsTrace *trace)
{
  Index index = { .connections = g_array_new (FALSE, FALSE, sizeof (Connection)) };
  guint i;

  ns_lives_init (&index.lives);
  index_fill (&index, trace);
  ns_lives_settle (&index.lives);
  for (i = 0; i < trace->packets->len; i++)
    {
      NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, i);
      const Connection *connection = NULL;

      if (row->src.ip.family == NS_AF_NONE)
        continue;
      if (row->direction <= 0)
        connection = index_find (&index, &row->dst, &row->src, row->time_ns);
      if (connection == NULL && row->direction >= 0)
        connection = index_find (&index, &row->src, &row->dst, row->time_ns);
      if (connection == NULL)
        continue;
      row->tcp = connection->tcp;
      row->activity = connection->activity;
      row->pid = connection->pid;
    }
  g_array_unref (index.connections);
  ns_lives_clear (&index.lives);
}

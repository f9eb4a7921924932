/* States of each TCP connection: assigns state changes to connections.
 *
 * An event identifies a connection by the address of its TCB, which Windows reuses after the
 * connection has ended; the lifetimes distinguish the connections.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-state-tcp.h"

#include "base/ns-map.h"
#include "engine/trace/ns-event-index.h"
#include "engine/trace/ns-interval-index.h"
#include "query/ns-event-mark.h"

#include <glib/gi18n-lib.h>

/* Maximum time from a state change to the first event of the connection's row. */
#define EARLY_NS (NS_PER_SECOND / 10)

/* clang-format off */
/* State numbers in the manifest of the TCPIP provider. */
static const struct
{
  const char *name;
  NsTcpStage stage;
} states[] = {
  { N_ ("closed"), NS_TCP_STAGE_NONE },
  /* Translators: the following are states of a TCP connection, as RFC 9293 has them. */
  { N_ ("listening"), NS_TCP_STAGE_OPENING },
  { N_ ("SYN sent"), NS_TCP_STAGE_OPENING },
  { N_ ("SYN received"), NS_TCP_STAGE_OPENING },
  { N_ ("established"), NS_TCP_STAGE_OPEN },
  { N_ ("FIN wait 1"), NS_TCP_STAGE_CLOSING },
  { N_ ("FIN wait 2"), NS_TCP_STAGE_CLOSING },
  { N_ ("close wait"), NS_TCP_STAGE_CLOSING },
  { N_ ("closing"), NS_TCP_STAGE_CLOSING },
  { N_ ("last ACK"), NS_TCP_STAGE_CLOSING },
  { N_ ("time wait"), NS_TCP_STAGE_CLOSING },
};
/* clang-format on */

/* Value in place of a lane's index: the connection has none. */
#define LEFT_OUT G_MAXUINT32

struct _NsStateTcp
{
  const NsTrace *trace;
  NsIntervalIndex connections; /* TCB → rows of the table of connections */
  NsMap *lanes;                /* (row, or 0 and TCB) → index in @found + 1 */
  GArray *found;               /* NsStateLane */
  guint n_left_out;            /* number of connections without a lane */
};

static void
mark_clear (gpointer data)
{
  g_free (((NsStateMark *) data)->text);
}

/**
 * ns_state_tcp_new:
 * @trace: a trace; must outlive the result
 *
 * Returns: (transfer full): a collector without changes
 */
NsStateTcp *
ns_state_tcp_new (const NsTrace *trace)
{
  NsStateTcp *self = g_new0 (NsStateTcp, 1);
  guint i;

  self->trace = trace;
  ns_interval_index_init (&self->connections);
  self->lanes = ns_map_new ();
  self->found = g_array_new (FALSE, FALSE, sizeof (NsStateLane));
  for (i = 0; i < trace->tcp->len; i++)
    {
      const NsTcpRow *row = &g_array_index (trace->tcp, NsTcpRow, i);

      if (!row->is_udp)
        ns_interval_index_add (&self->connections, row->tcb, 0, i + 1, row->open_ns);
    }
  ns_interval_index_settle (&self->connections);
  return self;
}

/**
 * ns_state_tcp_free:
 * @self: (transfer full) (nullable): a collector
 */
void
ns_state_tcp_free (NsStateTcp *self)
{
  guint i;

  if (self == NULL)
    return;
  for (i = 0; i < self->found->len; i++)
    {
      g_array_unref (g_array_index (self->found, NsStateLane, i).marks);
      g_free (g_array_index (self->found, NsStateLane, i).name);
      g_free (g_array_index (self->found, NsStateLane, i).detail);
    }
  g_array_unref (self->found);
  ns_interval_index_clear (&self->connections);
  ns_map_free (self->lanes);
  g_free (self);
}

/* Returns the connection of a TCB at a time: the newest that had begun, since states may change
 * after its row has ended. 0: unknown. */
static guint32
find_connection (const NsStateTcp *self, guint64 tcb, gint64 time_ns)
{
  guint n_lives;
  const NsLife *lives = ns_interval_index_get (&self->connections, tcb, 0, &n_lives);
  guint n_begun = ns_interval_index_count_until (lives, n_lives, time_ns + EARLY_NS);

  return n_begun > 0 ? lives[n_begun - 1].row : 0;
}

static NsStateLane
new_lane (const NsStateTcp *self, guint32 row, guint64 tcb)
{
  NsStateLane lane = { .id = "tcp-state",
                       .marks = g_array_new (FALSE, TRUE, sizeof (NsStateMark)) };
  const NsTcpRow *connection = row != 0 ? NS_ROW_AT (self->trace->tcp, NsTcpRow, row) : NULL;
  char text[NS_IP_TEXT_SIZE];

  g_array_set_clear_func (lane.marks, mark_clear);
  lane.connection = row != 0 ? row : tcb;
  if (connection == NULL || ns_ip_is_empty (&connection->remote->ip))
    {
      lane.name = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", tcb);
      return lane;
    }
  lane.name = g_strdup_printf ("%s:%u",
                               connection->server > NS_STRING_EMPTY
                                   ? ns_trace_text (self->trace, connection->server)
                                   : ns_ip_to_text (&connection->remote->ip, text),
                               connection->remote->port);
  if (connection->local->port != 0)
    lane.detail = g_strdup_printf (":%u", connection->local->port);
  return lane;
}

static NsStateLane *
ensure_lane (NsStateTcp *self, guint64 tcb, gint64 time_ns)
{
  guint32 row = find_connection (self, tcb, time_ns);
  guint64 key = row != 0 ? row : tcb;
  guint32 place = ns_map_get (self->lanes, key, row != 0 ? 1 : 0);
  NsStateLane lane;

  if (place != 0)
    return place != LEFT_OUT ? &g_array_index (self->found, NsStateLane, place - 1) : NULL;
  if (self->found->len == NS_STATE_CONNECTIONS_MAX)
    {
      ns_map_set (self->lanes, key, row != 0 ? 1 : 0, LEFT_OUT);
      self->n_left_out++;
      return NULL;
    }
  lane = new_lane (self, row, tcb);
  g_array_append_val (self->found, lane);
  ns_map_set (self->lanes, key, row != 0 ? 1 : 0, self->found->len);
  return &g_array_index (self->found, NsStateLane, self->found->len - 1);
}

/**
 * ns_state_tcp_add:
 * @self: a collector
 * @event: an event
 * @row: its row in the table of events
 *
 * Adds the event to the lane of its connection, if it is a state change.
 */
void
ns_state_tcp_add (NsStateTcp *self, const NsEvent *event, guint32 row)
{
  NsStateMark mark = { .event = row };
  guint64 tcb;
  NsStateLane *lane;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  if (!ns_event_mark_get_tcp_change (event, &tcb, &mark.before, &mark.after))
    return;
  mark.time_ns = ns_trace_get_event_time (self->trace, row);
  lane = ensure_lane (self, tcb, mark.time_ns);
  if (lane == NULL || lane->n_all++ >= NS_STATE_MARKS_MAX)
    return;
  before = ns_state_tcp_dup_name (mark.before);
  after = ns_state_tcp_dup_name (mark.after);
  mark.text = g_strdup_printf ("%s → %s", before, after);
  g_array_append_val (lane->marks, mark);
}

/**
 * ns_state_tcp_finish:
 * @self: a collector; empty afterwards
 * @lanes: (element-type NsStateLane): gets the lanes, in the order of their first changes
 * @parent: index of the lane above them
 *
 * Returns: number of connections without a lane, as there are too many
 */
guint
ns_state_tcp_finish (NsStateTcp *self, GArray *lanes, guint parent)
{
  guint i;

  for (i = 0; i < self->found->len; i++)
    {
      NsStateLane lane = g_array_index (self->found, NsStateLane, i);

      lane.parent = parent;
      g_array_append_val (lanes, lane);
    }
  g_array_set_size (self->found, 0);
  return self->n_left_out;
}

/**
 * ns_state_tcp_get_stage:
 * @state: number of a state
 *
 * Returns: stage of a connection in that state
 */
NsTcpStage
ns_state_tcp_get_stage (guint8 state)
{
  return state < G_N_ELEMENTS (states) ? states[state].stage : NS_TCP_STAGE_NONE;
}

/**
 * ns_state_tcp_dup_name:
 * @state: number of a state
 *
 * Returns: (transfer full): its name
 */
char *
ns_state_tcp_dup_name (guint8 state)
{
  if (state < G_N_ELEMENTS (states))
    return g_strdup (_ (states[state].name));
  /* Translators: the number of a connection's state that has no name. */
  return g_strdup_printf (_ ("state %u"), state);
}

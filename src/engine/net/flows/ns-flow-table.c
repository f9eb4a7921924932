/* The table of open conversations, by key.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow-table.h"

#include "base/ns-hash.h"

/**
 * ns_flow_table_init: (skip)
 * @self: (out): an empty table
 * @rows: (element-type NsFlowRow): rows of the conversations
 */
void
ns_flow_table_init (NsFlowTable *self, GArray *rows)
{
  memset (self, 0, sizeof *self);
  self->rows = rows;
  self->flows = g_array_new (FALSE, TRUE, sizeof (NsFlowOpen));
  self->known = ns_map_new ();
}

/**
 * ns_flow_table_clear: (skip)
 * @self: a table
 *
 * Frees its memory.
 */
void
ns_flow_table_clear (NsFlowTable *self)
{
  while (self->oldest != 0)
    ns_flow_table_remove (self, self->oldest);
  g_array_unref (self->flows);
  ns_map_free (self->known);
}

/* Hashes a key, with the same result for both directions; keyed, so that a crafted capture
 * cannot cause collisions. */
static void
hash_key (const NsFlowKey *key, guint64 *a, guint64 *b)
{
  guint64 one = ns_endpoint_hash (&key->ends[0]);
  guint64 other = ns_endpoint_hash (&key->ends[1]);
  guint64 words[3] = { MIN (one, other),
                       MAX (one, other),
                       (guint64) key->vlan << 48 | (guint64) key->id << 32 |
                           (guint64) key->in_tunnel << 16 | (guint64) key->ip_protocol << 8 |
                           key->kind };

  *a = words[0] + words[1] * 3;
  *b = words[2] << 16 ^ ns_hash_bytes (ns_hash_get_key (), (const char *) words, sizeof words);
}

static gboolean
is_same (const NsFlowTable *self, const NsFlowOpen *flow, const NsFlowKey *key, guint *side)
{
  const NsFlowRow *row = ns_flow_table_get_row (self, flow);

  if (row->kind != key->kind || row->ip_protocol != key->ip_protocol || row->vlan != key->vlan ||
      flow->id != key->id || (row->tunnel == NS_FLOW_TUNNEL_INNER) != (key->in_tunnel != 0))
    return FALSE;
  *side = 0;
  if (ns_endpoint_equal (&row->client, &key->ends[0]) &&
      ns_endpoint_equal (&row->server, &key->ends[1]))
    return TRUE;
  *side = 1;
  return ns_endpoint_equal (&row->client, &key->ends[1]) &&
         ns_endpoint_equal (&row->server, &key->ends[0]);
}

/**
 * ns_flow_table_find: (skip)
 * @self: a table
 * @key: a key, with the packet's sender first
 * @side: (out): which endpoint of the conversation the sender is
 *
 * Returns: the number of the open conversation, or 0
 */
guint32
ns_flow_table_find (const NsFlowTable *self, const NsFlowKey *key, guint *side)
{
  guint32 number;
  guint64 a;
  guint64 b;

  hash_key (key, &a, &b);
  for (number = ns_map_get (self->known, a, b); number != 0;
       number = ns_flow_table_get (self, number)->same)
    if (is_same (self, ns_flow_table_get (self, number), key, side))
      return number;
  return 0;
}

static void
unlink_age (NsFlowTable *self, NsFlowOpen *flow)
{
  if (flow->older != 0)
    ns_flow_table_get (self, flow->older)->newer = flow->newer;
  else
    self->oldest = flow->newer;
  if (flow->newer != 0)
    ns_flow_table_get (self, flow->newer)->older = flow->older;
  else
    self->newest = flow->older;
}

static void
link_newest (NsFlowTable *self, guint32 number)
{
  NsFlowOpen *flow = ns_flow_table_get (self, number);

  flow->older = self->newest;
  flow->newer = 0;
  if (self->newest != 0)
    ns_flow_table_get (self, self->newest)->newer = number;
  else
    self->oldest = number;
  self->newest = number;
}

/**
 * ns_flow_table_add: (skip)
 * @self: a table with room: fewer than %NS_FLOW_TABLE_MAX
 * @key: a key of no open conversation, with the first sender first
 * @row: its row, which has the key's members
 *
 * Returns: the number of the new conversation
 */
guint32
ns_flow_table_add (NsFlowTable *self, const NsFlowKey *key, NsRow row)
{
  guint32 number = self->free;
  NsFlowOpen *flow;
  guint64 a;
  guint64 b;

  if (number != 0)
    self->free = ns_flow_table_get (self, number)->same;
  else
    {
      g_array_set_size (self->flows, self->flows->len + 1);
      number = self->flows->len;
    }
  flow = ns_flow_table_get (self, number);
  memset (flow, 0, sizeof *flow);
  flow->row = row;
  flow->id = key->id;
  ns_flow_tcp_init (&flow->tcp);
  hash_key (key, &a, &b);
  flow->same = ns_map_swap (self->known, a, b, number);
  link_newest (self, number);
  self->n_open++;
  return number;
}

/**
 * ns_flow_table_touch: (skip)
 * @self: a table
 * @number: a conversation that has a packet now
 */
void
ns_flow_table_touch (NsFlowTable *self, guint32 number)
{
  if (self->newest == number)
    return;
  unlink_age (self, ns_flow_table_get (self, number));
  link_newest (self, number);
}

/**
 * ns_flow_table_remove: (skip)
 * @self: a table
 * @number: a conversation that has ended
 */
void
ns_flow_table_remove (NsFlowTable *self, guint32 number)
{
  NsFlowOpen *flow = ns_flow_table_get (self, number);
  const NsFlowRow *row = ns_flow_table_get_row (self, flow);
  NsFlowKey key = { .ends = { row->client, row->server },
                    .vlan = row->vlan,
                    .id = flow->id,
                    .ip_protocol = row->ip_protocol,
                    .kind = row->kind,
                    .in_tunnel = row->tunnel == NS_FLOW_TUNNEL_INNER };
  guint32 before;
  guint64 a;
  guint64 b;

  hash_key (&key, &a, &b);
  before = ns_map_get (self->known, a, b);
  if (before == number)
    ns_map_set (self->known, a, b, flow->same);
  else
    {
      while (ns_flow_table_get (self, before)->same != number)
        before = ns_flow_table_get (self, before)->same;
      ns_flow_table_get (self, before)->same = flow->same;
    }
  unlink_age (self, flow);
  ns_flow_tcp_clear (&flow->tcp);
  flow->same = self->free;
  self->free = number;
  self->n_open--;
}

/* A map from a key of two 64-bit words to a list of numbers, newest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-multi-map.h"

#include "base/ns-map.h"

typedef struct
{
  guint32 value;
  guint32 next;
} Node;

/* Flag of a head that is the value itself, for a list with one value, as most lists are. */
#define ONLY ((guint32) 1 << 31)

struct _NsLists
{
  NsMap *heads;  /* → newest node, or the only value with ONLY */
  GArray *nodes; /* Node */
};

/**
 * ns_multi_map_new:
 *
 * Returns: (transfer full): an empty map
 */
NsMultiMap *
ns_multi_map_new (void)
{
  NsMultiMap *self = g_new0 (NsMultiMap, 1);

  self->heads = ns_map_new ();
  self->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  return self;
}

/**
 * ns_multi_map_free:
 * @self: (transfer full) (nullable): the lists
 */
void
ns_multi_map_free (NsMultiMap *self)
{
  if (self == NULL)
    return;
  ns_map_free (self->heads);
  g_array_unref (self->nodes);
  g_free (self);
}

static guint32
add_node (NsMultiMap *self, guint32 value, guint32 next)
{
  Node node = { value, next };

  g_array_append_val (self->nodes, node);
  return self->nodes->len;
}

/**
 * ns_multi_map_add:
 * @self: the lists
 * @a: first word of the key
 * @b: second word of the key
 * @value: becomes the head of the key's list; below 2³¹
 */
void
ns_multi_map_add (NsMultiMap *self, guint64 a, guint64 b, guint32 value)
{
  guint32 older = ns_map_swap (self->heads, a, b, value | ONLY);

  if (older == 0)
    return;
  if ((older & ONLY) != 0)
    older = add_node (self, older & ~ONLY, 0);
  ns_map_set (self->heads, a, b, add_node (self, value, older));
}

/**
 * ns_multi_map_first:
 * @self: the lists
 * @a: first word of the key
 * @b: second word of the key
 *
 * Returns: the newest node of the key's list; 0 if it has none
 */
guint32
ns_multi_map_first (const NsMultiMap *self, guint64 a, guint64 b)
{
  return ns_map_get (self->heads, a, b);
}

/**
 * ns_multi_map_expect:
 * @self: lists
 * @a: first word of the key
 * @b: second word of the key
 *
 * Prefetches memory for a look-up of the key, or for an addition to its list.
 */
void
ns_multi_map_expect (const NsMultiMap *self, guint64 a, guint64 b)
{
  ns_map_expect (self->heads, a, b);
}

/**
 * ns_multi_map_next:
 * @self: the lists
 * @node: a node, not 0
 *
 * Returns: the next older node; 0 at the end
 */
guint32
ns_multi_map_next (const NsMultiMap *self, guint32 node)
{
  return (node & ONLY) != 0 ? 0 : g_array_index (self->nodes, Node, node - 1).next;
}

/**
 * ns_multi_map_get:
 * @self: the lists
 * @node: a node, not 0
 *
 * Returns: its value
 */
guint32
ns_multi_map_get (const NsMultiMap *self, guint32 node)
{
  return (node & ONLY) != 0 ? node & ~ONLY : g_array_index (self->nodes, Node, node - 1).value;
}

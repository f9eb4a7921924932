/* The forest of activity IDs, by parent activity.
 *
 * An event with a related activity (EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID, which
 * EventWriteTransfer() writes) links the two: the related activity is the parent. IDs that are
 * linked in either direction are in one tree of the forest. The trees are stored as disjoint sets,
 * so that long chains and loops cost no more than other links.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-activity-ids.h"

#include "base/ns-map.h"

/* Maximum length of a path that is searched for a loop; a link above a longer one only joins the
 * trees. */
#define MAX_SEARCH 256

typedef struct
{
  NsGuid id;
  guint32 parent; /* 1-based; 0: none */
  guint32 head;   /* representative of its set; itself for the representative */
  guint32 depth;
  gboolean is_settled;
} Node;

struct _NsActivityIds
{
  NsMap *by_id;
  GArray *nodes; /* element-type Node */
};

/**
 * ns_activity_ids_new:
 *
 * Returns: (transfer full): an empty forest
 */
NsActivityIds *
ns_activity_ids_new (void)
{
  NsActivityIds *self = g_new0 (NsActivityIds, 1);

  self->by_id = ns_map_new ();
  self->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  return self;
}

/**
 * ns_activity_ids_free:
 * @self: (transfer full) (nullable): a forest
 */
void
ns_activity_ids_free (NsActivityIds *self)
{
  if (self == NULL)
    return;
  ns_map_free (self->by_id);
  g_array_unref (self->nodes);
  g_free (self);
}

static inline Node *
get_node (const NsActivityIds *self, guint32 number)
{
  return &g_array_index (self->nodes, Node, number - 1);
}

static guint32
find (const NsActivityIds *self, const NsGuid *id)
{
  return ns_map_get (self->by_id, ns_guid_low (id), ns_guid_high (id));
}

static guint32
intern (NsActivityIds *self, const NsGuid *id)
{
  guint32 number = find (self, id);
  Node node = { .id = *id };

  if (number != 0 || self->nodes->len >= NS_ACTIVITY_IDS_MAX)
    return number;
  number = self->nodes->len + 1;
  node.head = number;
  g_array_append_val (self->nodes, node);
  ns_map_set (self->by_id, ns_guid_low (id), ns_guid_high (id), number);
  return number;
}

/* Returns the representative of a set; halves the path for the next look-up. */
static guint32
find_head (const NsActivityIds *self, guint32 number)
{
  Node *node = get_node (self, number);

  while (node->head != number)
    {
      node->head = get_node (self, node->head)->head;
      number = node->head;
      node = get_node (self, number);
    }
  return number;
}

/* Returns whether @above may become the parent of @child, which has none, without a loop. */
static gboolean
is_free_of (const NsActivityIds *self, guint32 child, guint32 above)
{
  guint n_steps;

  for (n_steps = 0; n_steps < MAX_SEARCH && above != 0; n_steps++)
    {
      if (above == child)
        return FALSE;
      above = get_node (self, above)->parent;
    }
  return above == 0;
}

static void
link_to_parent (NsActivityIds *self, guint32 child, guint32 parent)
{
  guint32 child_head = find_head (self, child);
  guint32 parent_head = find_head (self, parent);
  Node *node = get_node (self, child);

  if (node->parent == 0 && (child_head != parent_head || is_free_of (self, child, parent)))
    node->parent = parent;
  /* Keep the older representative, so that a tree's number does not depend on later events. */
  if (child_head != parent_head)
    get_node (self, MAX (child_head, parent_head))->head = MIN (child_head, parent_head);
}

/**
 * ns_activity_ids_add:
 * @self: a forest
 * @record: any record, in time order
 *
 * Adds the link in the record. An activity keeps its first parent.
 */
void
ns_activity_ids_add (NsActivityIds *self, const NsRecord *record)
{
  guint32 child;
  guint32 parent;
  NsGuid related;

  if ((record->flags & NS_RECORD_MANIFEST) == 0 || ns_guid_is_zero (&record->activity))
    return;
  child = intern (self, &record->activity);
  if (record->n_extended == 0 || !ns_record_get_related_activity (record, &related) ||
      ns_guid_is_zero (&related))
    return;
  parent = intern (self, &related);
  if (child != 0 && parent != 0 && child != parent)
    link_to_parent (self, child, parent);
}

/**
 * ns_activity_ids_settle:
 * @self: a forest to which all records were added
 *
 * Computes the depth of each activity.
 */
void
ns_activity_ids_settle (NsActivityIds *self)
{
  g_autoptr (GArray) way = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 number;

  for (number = 1; number <= self->nodes->len; number++)
    {
      guint32 here = number;

      while (!get_node (self, here)->is_settled && get_node (self, here)->parent != 0)
        {
          g_array_append_val (way, here);
          here = get_node (self, here)->parent;
        }
      get_node (self, here)->is_settled = TRUE;
      while (way->len > 0)
        {
          guint32 depth = get_node (self, here)->depth + 1;

          here = g_array_index (way, guint32, way->len - 1);
          g_array_set_size (way, way->len - 1);
          get_node (self, here)->depth = depth;
          get_node (self, here)->is_settled = TRUE;
        }
    }
}

/**
 * ns_activity_ids_get_parent:
 * @self: a forest
 * @id: an activity
 * @parent: (out): its parent activity
 *
 * Returns: %TRUE if it has one
 */
gboolean
ns_activity_ids_get_parent (const NsActivityIds *self, const NsGuid *id, NsGuid *parent)
{
  guint32 number = find (self, id);

  if (number == 0 || get_node (self, number)->parent == 0)
    return FALSE;
  *parent = get_node (self, get_node (self, number)->parent)->id;
  return TRUE;
}

/**
 * ns_activity_ids_get_tree:
 * @self: a forest
 * @id: an activity
 *
 * Returns: the number of its tree, the same for all activities that are linked to it directly or
 *   indirectly; 0 for an ID that occurs in no event
 */
guint32
ns_activity_ids_get_tree (const NsActivityIds *self, const NsGuid *id)
{
  guint32 number = find (self, id);

  return number != 0 ? find_head (self, number) : 0;
}

/**
 * ns_activity_ids_get_depth:
 * @self: a forest
 * @id: an activity
 *
 * Returns: number of its ancestors, as computed by ns_activity_ids_settle()
 */
guint
ns_activity_ids_get_depth (const NsActivityIds *self, const NsGuid *id)
{
  guint32 number = find (self, id);

  return number != 0 ? get_node (self, number)->depth : 0;
}

/**
 * ns_activity_ids_get_size:
 * @self: a forest
 *
 * Returns: number of different activities
 */
guint
ns_activity_ids_get_size (const NsActivityIds *self)
{
  return self->nodes->len;
}

/* List model over row numbers: supports a million rows, with objects only for those on the screen.
 *
 * An item represents a position, not a row; its content is queried when needed. GTK iterates over
 * all changed items, with an object for each, when something among them is selected or focused. The
 * model therefore reports additions and removals at the end only; other changes are reported by
 * #NsRowList::contents-changed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-list.h"

/* Set in the value of a position with a group; the other bits are the group number. */
#define GROUP_BIT 0x80000000u

/* State shared by a list and its items, which may outlive it. */
typedef struct
{
  GArray *rows;      /* guint32: all rows, including those in collapsed groups */
  GArray *places;    /* guint32: visible rows and groups; without groups the same array as rows */
  NsGroups *groups;  /* NULL without grouping */
  GHashTable *alive; /* position → NsRowItem, borrowed values */
} Shown;

static void
shown_clear (gpointer data)
{
  Shown *shown = data;

  g_array_unref (shown->rows);
  g_array_unref (shown->places);
  g_hash_table_unref (shown->alive);
  ns_groups_free (shown->groups);
}

static guint32
get_row_at (const Shown *shown, guint place)
{
  guint32 code;

  if (place >= shown->places->len)
    return NS_ROW_NOT_A_ROW;
  code = g_array_index (shown->places, guint32, place);
  return shown->groups != NULL && (code & GROUP_BIT) != 0 ? NS_ROW_NOT_A_ROW : code;
}

static const NsGroup *
get_group_at (const Shown *shown, guint place)
{
  guint32 code;

  if (place >= shown->places->len || shown->groups == NULL)
    return NULL;
  code = g_array_index (shown->places, guint32, place);
  if ((code & GROUP_BIT) == 0)
    return NULL;
  code &= ~GROUP_BIT;
  return code < shown->groups->groups->len ? &g_array_index (shown->groups->groups, NsGroup, code)
                                           : &shown->groups->total;
}

struct _NsRowItem
{
  GObject parent_instance;

  guint place;
  Shown *shown;
};

G_DEFINE_FINAL_TYPE (NsRowItem, ns_row_item, G_TYPE_OBJECT)

static void
ns_row_item_finalize (GObject *object)
{
  NsRowItem *self = NS_ROW_ITEM (object);

  g_hash_table_remove (self->shown->alive, GUINT_TO_POINTER (self->place));
  g_rc_box_release_full (self->shown, shown_clear);
  G_OBJECT_CLASS (ns_row_item_parent_class)->finalize (object);
}

static void
ns_row_item_class_init (NsRowItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_row_item_finalize;
}

static void
ns_row_item_init (NsRowItem *self)
{
}

/**
 * ns_row_item_get_row:
 * @self: an item
 *
 * Returns: the row at its position, 0-based in its table; %NS_ROW_NOT_A_ROW for a group, or when
 *   the list has become shorter
 */
guint32
ns_row_item_get_row (NsRowItem *self)
{
  g_return_val_if_fail (NS_IS_ROW_ITEM (self), 0);

  return get_row_at (self->shown, self->place);
}

/**
 * ns_row_item_get_group:
 * @self: an item
 *
 * Returns: (nullable): the group at its position; %NULL for a row
 */
const NsGroup *
ns_row_item_get_group (NsRowItem *self)
{
  g_return_val_if_fail (NS_IS_ROW_ITEM (self), NULL);

  return get_group_at (self->shown, self->place);
}

struct _NsRowList
{
  GObject parent_instance;

  Shown *shown;
};

enum
{
  SIGNAL_CONTENTS_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static GType
ns_row_list_get_item_type (GListModel *model)
{
  return NS_TYPE_ROW_ITEM;
}

static guint
ns_row_list_get_n_items (GListModel *model)
{
  return NS_ROW_LIST (model)->shown->places->len;
}

static gpointer
ns_row_list_get_item (GListModel *model, guint position)
{
  NsRowList *self = NS_ROW_LIST (model);
  NsRowItem *item;

  if (position >= self->shown->places->len)
    return NULL;
  /* Return the same object for a position as long as it is referenced. */
  item = g_hash_table_lookup (self->shown->alive, GUINT_TO_POINTER (position));
  if (item != NULL)
    return g_object_ref (item);
  item = g_object_new (NS_TYPE_ROW_ITEM, NULL);
  item->place = position;
  item->shown = g_rc_box_acquire (self->shown);
  g_hash_table_insert (self->shown->alive, GUINT_TO_POINTER (position), item);
  return item;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = ns_row_list_get_item_type;
  iface->get_n_items = ns_row_list_get_n_items;
  iface->get_item = ns_row_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (NsRowList,
                               ns_row_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
ns_row_list_finalize (GObject *object)
{
  NsRowList *self = NS_ROW_LIST (object);

  g_rc_box_release_full (self->shown, shown_clear);
  G_OBJECT_CLASS (ns_row_list_parent_class)->finalize (object);
}

static void
ns_row_list_class_init (NsRowListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_row_list_finalize;

  /**
   * NsRowList::contents-changed:
   * @self: the list
   * @position: the first position with changed content
   * @n_items: number of positions that may have changed
   *
   * Emitted when existing items represent other rows or groups.
   */
  signals[SIGNAL_CONTENTS_CHANGED] = g_signal_new ("contents-changed",
                                                   NS_TYPE_ROW_LIST,
                                                   G_SIGNAL_RUN_LAST,
                                                   0,
                                                   NULL,
                                                   NULL,
                                                   NULL,
                                                   G_TYPE_NONE,
                                                   2,
                                                   G_TYPE_UINT,
                                                   G_TYPE_UINT);
}

static void
ns_row_list_init (NsRowList *self)
{
  self->shown = g_rc_box_new0 (Shown);
  self->shown->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->shown->places = g_array_ref (self->shown->rows);
  self->shown->alive = g_hash_table_new (NULL, NULL);
}

/**
 * ns_row_list_new:
 *
 * Returns: (transfer full): an empty list
 */
NsRowList *
ns_row_list_new (void)
{
  return g_object_new (NS_TYPE_ROW_LIST, NULL);
}

/* Replaces the positions and emits the changes. */
static void
take_places (NsRowList *self, GArray *places, gboolean groups_changed)
{
  g_autoptr (GArray) old = g_steal_pointer (&self->shown->places);
  guint n_both = MIN (old->len, places->len);
  guint head = 0;
  guint tail = 0;

  self->shown->places = places;
  while (!groups_changed && head < n_both &&
         g_array_index (old, guint32, head) == g_array_index (places, guint32, head))
    head++;
  while (!groups_changed && tail < n_both - head &&
         g_array_index (old, guint32, n_both - tail - 1) ==
             g_array_index (places, guint32, n_both - tail - 1))
    tail++;
  if (old->len != places->len)
    g_list_model_items_changed (G_LIST_MODEL (self),
                                n_both,
                                old->len - n_both,
                                places->len - n_both);
  if (head + tail < n_both)
    g_signal_emit (self, signals[SIGNAL_CONTENTS_CHANGED], 0, head, n_both - head - tail);
}

/* Lists the visible positions: groups in expanded groups, and the rows of expanded innermost
 * groups. */
static GArray *
list_places (const Shown *shown)
{
  const GArray *groups = shown->groups->groups;
  GArray *places = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 code;
  guint i = 0;

  while (i < groups->len)
    {
      const NsGroup *group = &g_array_index (groups, NsGroup, i);

      code = i | GROUP_BIT;
      g_array_append_val (places, code);
      i++;
      if (group->is_open && group->depth + 1 == shown->groups->n_fields)
        g_array_append_vals (places,
                             &g_array_index (shown->rows, guint32, group->begin),
                             group->end - group->begin);
      while (!group->is_open && i < groups->len &&
             g_array_index (groups, NsGroup, i).depth > group->depth)
        i++;
    }
  code = groups->len | GROUP_BIT;
  if (groups->len > 0)
    g_array_append_val (places, code);
  return places;
}

/**
 * ns_row_list_set_rows:
 * @self: a list
 * @rows: (element-type guint32): rows, 0-based; must not be changed afterwards
 *
 * Shows @rows in that order.
 */
void
ns_row_list_set_rows (NsRowList *self, GArray *rows)
{
  gboolean had_groups;

  g_return_if_fail (NS_IS_ROW_LIST (self));
  g_return_if_fail (rows != NULL);

  had_groups = self->shown->groups != NULL;
  g_clear_pointer (&self->shown->groups, ns_groups_free);
  g_array_unref (self->shown->rows);
  self->shown->rows = g_array_ref (rows);
  take_places (self, g_array_ref (rows), had_groups);
}

/**
 * ns_row_list_set_groups:
 * @self: a list
 * @groups: (transfer full): groups with their rows
 *
 * Shows groups, the content of expanded ones, and the total at the end.
 */
void
ns_row_list_set_groups (NsRowList *self, NsGroups *groups)
{
  g_return_if_fail (NS_IS_ROW_LIST (self));
  g_return_if_fail (groups != NULL);

  ns_groups_free (self->shown->groups);
  self->shown->groups = groups;
  g_array_unref (self->shown->rows);
  self->shown->rows = g_array_ref (groups->rows);
  take_places (self, list_places (self->shown), TRUE);
}

/**
 * ns_row_list_get_rows:
 * @self: a list
 *
 * Returns: (element-type guint32): the rows in order, including those in collapsed groups
 */
const GArray *
ns_row_list_get_rows (NsRowList *self)
{
  g_return_val_if_fail (NS_IS_ROW_LIST (self), NULL);

  return self->shown->rows;
}

/**
 * ns_row_list_get_groups:
 * @self: a list
 *
 * Returns: (nullable): its groups, if it has any
 */
const NsGroups *
ns_row_list_get_groups (NsRowList *self)
{
  g_return_val_if_fail (NS_IS_ROW_LIST (self), NULL);

  return self->shown->groups;
}

static guint
find_value (const GArray *values, guint32 value)
{
  guint i;

  if (value < values->len && g_array_index (values, guint32, value) == value)
    return value;
  for (i = 0; i < values->len; i++)
    if (g_array_index (values, guint32, i) == value)
      return i;
  return G_MAXUINT;
}

/**
 * ns_row_list_find:
 * @self: a list
 * @row: a row of the table
 *
 * Returns: its position, or %G_MAXUINT if it is not visible
 */
guint
ns_row_list_find (NsRowList *self, guint32 row)
{
  g_return_val_if_fail (NS_IS_ROW_LIST (self), G_MAXUINT);

  return find_value (self->shown->places, row);
}

/**
 * ns_row_list_get_row_at:
 * @self: a list
 * @position: a position
 *
 * Returns: the row there, or %NS_ROW_NOT_A_ROW
 */
guint32
ns_row_list_get_row_at (NsRowList *self, guint position)
{
  g_return_val_if_fail (NS_IS_ROW_LIST (self), NS_ROW_NOT_A_ROW);

  return get_row_at (self->shown, position);
}

/**
 * ns_row_list_get_group_at:
 * @self: a list
 * @position: a position
 *
 * Returns: (nullable): the group there; %NULL for a row
 */
const NsGroup *
ns_row_list_get_group_at (NsRowList *self, guint position)
{
  g_return_val_if_fail (NS_IS_ROW_LIST (self), NULL);

  return get_group_at (self->shown, position);
}

/**
 * ns_row_list_get_parent_at:
 * @self: a list
 * @position: a position
 *
 * Returns: the position of its parent group, or %G_MAXUINT
 */
guint
ns_row_list_get_parent_at (NsRowList *self, guint position)
{
  const NsGroup *here;
  guint depth;

  g_return_val_if_fail (NS_IS_ROW_LIST (self), G_MAXUINT);

  if (self->shown->groups == NULL || position >= self->shown->places->len)
    return G_MAXUINT;
  here = get_group_at (self->shown, position);
  if (here == &self->shown->groups->total)
    return G_MAXUINT;
  depth = here != NULL ? here->depth : self->shown->groups->n_fields;
  while (position-- > 0)
    {
      const NsGroup *group = get_group_at (self->shown, position);

      if (group != NULL && group->depth < depth)
        return position;
    }
  return G_MAXUINT;
}

/**
 * ns_row_list_set_open:
 * @self: a list
 * @group: one of its groups
 * @is_open: whether to expand it
 */
void
ns_row_list_set_open (NsRowList *self, const NsGroup *group, gboolean is_open)
{
  GArray *groups;
  guint i;

  g_return_if_fail (NS_IS_ROW_LIST (self));
  g_return_if_fail (self->shown->groups != NULL);

  groups = self->shown->groups->groups;
  if (group == &self->shown->groups->total || groups->len == 0 || group->is_open == is_open)
    return;
  i = (guint) (group - &g_array_index (groups, NsGroup, 0));
  g_array_index (groups, NsGroup, i).is_open = is_open;
  take_places (self, list_places (self->shown), FALSE);
  /* The expander of the group has changed. */
  g_signal_emit (self,
                 signals[SIGNAL_CONTENTS_CHANGED],
                 0,
                 find_value (self->shown->places, i | GROUP_BIT),
                 1);
}

/**
 * ns_row_list_set_all_open:
 * @self: a list
 * @is_open: whether to expand or to collapse all groups
 */
void
ns_row_list_set_all_open (NsRowList *self, gboolean is_open)
{
  guint i;

  g_return_if_fail (NS_IS_ROW_LIST (self));

  if (self->shown->groups == NULL)
    return;
  for (i = 0; i < self->shown->groups->groups->len; i++)
    g_array_index (self->shown->groups->groups, NsGroup, i).is_open = is_open;
  take_places (self, list_places (self->shown), TRUE);
}

/**
 * ns_row_list_list_closed:
 * @self: a list
 * @row: a row
 *
 * Returns: (transfer container) (element-type NsGroup): the collapsed groups that contain @row,
 *   outermost first
 */
GPtrArray *
ns_row_list_list_closed (NsRowList *self, guint32 row)
{
  GPtrArray *closed = g_ptr_array_new ();
  guint at;
  guint i;

  g_return_val_if_fail (NS_IS_ROW_LIST (self), closed);

  at = find_value (self->shown->rows, row);
  for (i = 0;
       at != G_MAXUINT && self->shown->groups != NULL && i < self->shown->groups->groups->len;
       i++)
    {
      NsGroup *group = &g_array_index (self->shown->groups->groups, NsGroup, i);

      if (group->begin <= at && group->end > at && !group->is_open)
        g_ptr_array_add (closed, group);
    }
  return closed;
}

/**
 * ns_row_list_reveal:
 * @self: a list
 * @row: a row
 *
 * Expands the groups that contain @row.
 *
 * Returns: whether it is visible now
 */
gboolean
ns_row_list_reveal (NsRowList *self, guint32 row)
{
  g_autoptr (GPtrArray) closed = NULL;
  guint i;

  g_return_val_if_fail (NS_IS_ROW_LIST (self), FALSE);

  closed = ns_row_list_list_closed (self, row);
  for (i = 0; i < closed->len; i++)
    ((NsGroup *) g_ptr_array_index (closed, i))->is_open = TRUE;
  if (closed->len > 0)
    take_places (self, list_places (self->shown), TRUE);
  return find_value (self->shown->rows, row) != G_MAXUINT;
}

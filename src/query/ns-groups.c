/* Groups rows by the values of fields, with totals of each group. Rows are sorted by the fields,
 * so that a group is a range of rows, and its inner groups are subranges.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-groups.h"
#include "query/ns-order.h"

#define NS_GROUPS_MAX_DEPTH 8

/* Counts the groups. */
static gsize
count_groups (const guint8 *depths, guint n_rows, guint n_fields)
{
  gsize n_groups = 0;
  guint i;

  for (i = 0; i < n_rows; i++)
    n_groups += n_fields - depths[i];
  return n_groups;
}

/* Begins groups at each row that differs from the previous one: from the level of the field that
 * differs to the innermost. */
static void
find_groups (NsGroups *self, const guint8 *depths)
{
  guint open[NS_GROUPS_MAX_DEPTH] = { 0 };
  guint i;
  guint d;

  for (i = 0; i < self->rows->len; i++)
    for (d = depths[i]; d < self->n_fields; d++)
      {
        NsGroup group = { .depth = d, .parent = d > 0 ? open[d - 1] : 0, .begin = i };

        if (open[d] > 0 && i > 0)
          g_array_index (self->groups, NsGroup, open[d] - 1).end = i;
        g_array_append_val (self->groups, group);
        open[d] = self->groups->len;
      }
  for (d = 0; d < self->n_fields && open[d] > 0; d++)
    g_array_index (self->groups, NsGroup, open[d] - 1).end = self->rows->len;
}

/* Returns the sort keys that distinguish the groups of a field: the field and its stand-in. */
static guint
get_keys (const NsField *const *fields, guint n_fields, NsOrderKey *keys)
{
  guint n_keys = 0;
  guint i;

  for (i = 0; i < n_fields; i++)
    {
      const NsField *stand_in = ns_field_get_stand_in (fields[i]);

      keys[n_keys++] = (NsOrderKey){ .field = fields[i] };
      if (stand_in != NULL)
        keys[n_keys++] = (NsOrderKey){ .field = stand_in, .instead_of = fields[i] };
    }
  return n_keys;
}

/* Converts depths from keys to fields: the number of fields in which a row equals the previous
 * one. */
static void
count_fields (const NsOrderKey *keys, guint n_keys, guint8 *depths, guint n_rows)
{
  guint8 n_fields_in[2 * NS_GROUPS_MAX_DEPTH + 1] = { 0 };
  guint n_fields = 0;
  guint i;

  for (i = 0; i < n_keys; i++)
    {
      n_fields_in[i] = (guint8) (keys[i].instead_of != NULL ? n_fields - 1 : n_fields);
      if (keys[i].instead_of == NULL)
        n_fields++;
    }
  n_fields_in[n_keys] = (guint8) n_fields;
  for (i = 0; i < n_rows; i++)
    depths[i] = n_fields_in[depths[i]];
}

/**
 * ns_groups_new:
 * @trace: a trace
 * @table: a table
 * @rows: (element-type guint32): the rows to group, 0-based
 * @fields: (array length=n_fields): the fields to group by, outermost first
 * @n_fields: number of fields, from one to eight
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Rows without a value are grouped by the value shown in its place, such as the address of a server
 * without a name. Those groups come last.
 *
 * Returns: (transfer full) (nullable): the groups; %NULL if stopped
 */
NsGroups *
ns_groups_new (const NsTrace *trace,
               NsTableId table,
               const GArray *rows,
               const NsField *const *fields,
               guint n_fields,
               NsProgressFunc progress,
               gpointer progress_data)
{
  g_autoptr (NsGroups) self = NULL;
  g_autofree guint8 *depths = g_new (guint8, (gsize) rows->len + 1);
  NsOrderKey keys[2 * NS_GROUPS_MAX_DEPTH];
  guint n_keys;
  gsize n_groups;

  g_return_val_if_fail (n_fields > 0 && n_fields <= NS_GROUPS_MAX_DEPTH, NULL);

  self = g_new0 (NsGroups, 1);
  self->rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), rows->len);
  self->n_fields = n_fields;
  g_array_append_vals (self->rows, rows->data, rows->len);
  n_keys = get_keys (fields, n_fields, keys);
  if (!ns_order_sort_apart (trace, keys, n_keys, self->rows, depths, progress, progress_data))
    return NULL;
  count_fields (keys, n_keys, depths, rows->len);
  n_groups = count_groups (depths, rows->len, n_fields);
  self->groups = g_array_sized_new (FALSE, FALSE, sizeof (NsGroup), (guint) n_groups);
  find_groups (self, depths);
  self->total.end = self->rows->len;
  if (!ns_groups_sum (self, trace, table, progress, progress_data))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * ns_groups_free:
 * @self: (transfer full) (nullable): groups
 */
void
ns_groups_free (NsGroups *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->rows);
  g_clear_pointer (&self->groups, g_array_unref);
  g_free (self);
}

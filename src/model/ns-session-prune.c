/* Deselects rows of a session that a filter hides.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-private.h"

static guint8 *
flag_rows (const GArray *rows, guint n_all)
{
  guint8 *flags = g_new0 (guint8, MAX (n_all, 1));
  guint i;

  for (i = 0; i < rows->len; i++)
    if (g_array_index (rows, guint32, i) < n_all)
      flags[g_array_index (rows, guint32, i)] = 1;
  return flags;
}

/* Removes hidden rows from the selection: they would otherwise be counted, shown in the panel and
 * exported without being visible. They are selected again when they reappear, unless the selection
 * has changed since. */
void
ns_session_prune (NsSession *self, NsTableId table)
{
  const GArray *shown = ns_row_list_get_rows (self->views[table].rows);
  guint n_all = ns_table_get_n_rows (self->trace, table);
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint8 *is_shown = NULL;
  guint i;

  if (self->selected_table != table || (self->selected->len == 0 && self->wanted->len == 0))
    return;
  if (self->wanted->len == 0)
    g_array_append_vals (self->wanted, self->selected->data, self->selected->len);
  is_shown = flag_rows (shown, n_all);
  for (i = 0; i < self->wanted->len; i++)
    {
      guint32 row = g_array_index (self->wanted, guint32, i);

      if (row < n_all && is_shown[row])
        g_array_append_val (left, row);
    }
  ns_session_apply_selection (self, table, (const guint32 *) (gpointer) left->data, left->len);
  if (left->len == self->wanted->len)
    g_array_set_size (self->wanted, 0);
}

/* Rows of a table found by a key of two words, newest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-row-index.h"

/**
 * ns_row_index_init: (skip)
 * @self: (out): an empty index
 * @n_rows: rows of the table; no more can be added
 */
void
ns_row_index_init (NsRowIndex *self, guint n_rows)
{
  self->newest = ns_map_new ();
  self->older = g_new0 (guint32, (gsize) n_rows + 1);
}

/**
 * ns_row_index_clear: (skip)
 * @self: an index
 */
void
ns_row_index_clear (NsRowIndex *self)
{
  g_clear_pointer (&self->newest, ns_map_free);
  g_clear_pointer (&self->older, g_free);
}

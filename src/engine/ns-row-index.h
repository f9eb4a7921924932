/* Rows of a table found by a key of two words, newest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"

G_BEGIN_DECLS

typedef struct
{
  NsMap *newest;  /* key → row number */
  guint32 *older; /* by row number: the next older row with the same key, 0 at the end */
} NsRowIndex;

void ns_row_index_init (NsRowIndex *self, guint n_rows);
void ns_row_index_clear (NsRowIndex *self);

/* Rows are added in their order; @row is 1-based. */
static inline void
ns_row_index_add (NsRowIndex *self, guint64 a, guint64 b, guint32 row)
{
  self->older[row] = ns_map_get (self->newest, a, b);
  ns_map_set (self->newest, a, b, row);
}

static inline guint32
ns_row_index_first (const NsRowIndex *self, guint64 a, guint64 b)
{
  return ns_map_get (self->newest, a, b);
}

static inline guint32
ns_row_index_next (const NsRowIndex *self, guint32 row)
{
  return self->older[row];
}

G_END_DECLS

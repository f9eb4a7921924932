/* Columns: one member of all rows of a table, packed, as those who look at it again and again want
 * it.
 *
 * Rows are structures while the engine writes them, since an event changes several members of one.
 * Who filters or sorts reads one member of every row, and would fetch all others with it. A column
 * has nothing but that member, in as few bytes as its numbers need: it is made when it is asked for
 * the second time, for a single look is over as soon as it is made, and then stays with the trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of all columns of a trace together; what finds no room is read from rows. */
#define NS_COLUMNS_MAX_BYTES (64u << 20)
/* Of a table with columns: while one is made, it takes eight bytes a row. */
#define NS_COLUMN_MAX_ROWS (8u << 20)
/* Stands for "unknown" among the numbers of a column that is to be made. */
#define NS_COLUMN_UNKNOWN G_MAXUINT64

typedef struct _NsColumns NsColumns;

/**
 * NsColumn:
 * @lowest: the lowest number
 * @n_rows: how many rows it has
 * @width: bytes a code has: 1, 2, 4 or 8
 * @codes: of each row: 0 for unknown, or else how far its number is above @lowest, and 1
 *
 * The numbers of one member of all rows. It never changes.
 */
typedef struct
{
  guint64 lowest;
  guint n_rows;
  guint width;
  guint64 codes[];
} NsColumn;

NsColumns *ns_columns_new (void);
void ns_columns_free (NsColumns *self);
const NsColumn *ns_columns_ask (NsColumns *self, gconstpointer key, guint n_rows, gboolean *make);
const NsColumn *ns_columns_keep (NsColumns *self, gconstpointer key, NsColumn *column);
gsize ns_columns_get_size (NsColumns *self);

NsColumn *ns_column_new (const guint64 *numbers, guint n_rows);

static inline guint64
ns_column_get_code (const NsColumn *self, guint row)
{
  switch (self->width)
    {
    case 1:
      return ((const guint8 *) self->codes)[row];
    case 2:
      return ((const guint16 *) (gconstpointer) self->codes)[row];
    case 4:
      return ((const guint32 *) (gconstpointer) self->codes)[row];
    default:
      return self->codes[row];
    }
}

/* Of a code that is not 0. */
static inline guint64
ns_column_get_number (const NsColumn *self, guint64 code)
{
  return self->lowest + (code - 1);
}

G_END_DECLS

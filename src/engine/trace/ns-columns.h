/* Packed columns: one member of all rows of a table, for repeated scans.
 *
 * Tables are arrays of structures, since one event changes several members of a row. Filtering and
 * sorting read one member of every row, and would fetch all other members with it. A column
 * contains only that member, in as few bytes as its values need. It is made at the second request,
 * as a single scan of the rows takes no longer than making it, and is kept with the trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum size of all columns of a trace; members without a column are read from the rows. */
#define NS_COLUMNS_MAX_BYTES (64u << 20)
/* Maximum number of rows of a table with columns: making one takes eight bytes per row. */
#define NS_COLUMN_MAX_ROWS (8u << 20)
/* Marks an unknown value in the input of ns_column_new(). */
#define NS_COLUMN_UNKNOWN G_MAXUINT64

typedef struct _NsColumns NsColumns;

/**
 * NsColumn:
 * @lowest: the lowest value
 * @n_rows: number of rows
 * @width: bytes per code: 1, 2, 4 or 8
 * @codes: one per row: 0 for unknown, else the value minus @lowest plus 1
 *
 * The values of one member of all rows. Immutable.
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

/* Decodes a code that is not 0. */
static inline guint64
ns_column_get_number (const NsColumn *self, guint64 code)
{
  return self->lowest + (code - 1);
}

G_END_DECLS

/* Packed columns of a trace: packs them, and caches them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-columns.h"

#include <string.h>

/* Cache entry of one column. */
typedef struct
{
  NsColumn *column; /* (nullable): NULL until made */
  guint n_asked;
} Place;

struct _NsColumns
{
  GMutex lock;
  GHashTable *places; /* (element-type Place), by key */
  gsize n_bytes;      /* total size of the cached columns */
};

static void
place_free (gpointer data)
{
  Place *place = data;

  g_free (place->column);
  g_free (place);
}

/**
 * ns_columns_new:
 *
 * Returns: (transfer full): an empty cache of columns
 */
NsColumns *
ns_columns_new (void)
{
  NsColumns *self = g_new0 (NsColumns, 1);

  g_mutex_init (&self->lock);
  self->places = g_hash_table_new_full (NULL, NULL, NULL, place_free);
  return self;
}

/**
 * ns_columns_free:
 * @self: (transfer full) (nullable): columns that no thread reads any more
 */
void
ns_columns_free (NsColumns *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->places);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static gsize
get_size (guint n_rows, guint width)
{
  return sizeof (NsColumn) + (gsize) n_rows * width;
}

/**
 * ns_columns_ask:
 * @self: columns
 * @key: key of the column
 * @n_rows: number of rows of its table
 * @make: (out): %TRUE if the caller must make the column and pass it to ns_columns_keep(); only one
 *   caller gets this result
 *
 * May be called from any thread.
 *
 * Returns: (transfer none) (nullable): the column, valid as long as @self; %NULL if the caller must
 *   read the rows
 */
const NsColumn *
ns_columns_ask (NsColumns *self, gconstpointer key, guint n_rows, gboolean *make)
{
  const NsColumn *column;
  Place *place;

  g_mutex_lock (&self->lock);
  place = g_hash_table_lookup (self->places, key);
  if (place == NULL)
    {
      place = g_new0 (Place, 1);
      g_hash_table_insert (self->places, (gpointer) key, place);
    }
  place->n_asked += place->n_asked < 3;
  column = place->column;
  *make = column == NULL && place->n_asked == 2 && n_rows > 0 && n_rows <= NS_COLUMN_MAX_ROWS &&
          self->n_bytes < NS_COLUMNS_MAX_BYTES;
  g_mutex_unlock (&self->lock);
  return column;
}

/**
 * ns_columns_keep:
 * @self: columns
 * @key: key of the column
 * @column: (transfer full) (nullable): the column that ns_columns_ask() requested; %NULL if it
 *   could not be made
 *
 * Returns: (transfer none) (nullable): the column, valid as long as @self; %NULL if there is no
 *   room
 */
const NsColumn *
ns_columns_keep (NsColumns *self, gconstpointer key, NsColumn *column)
{
  gsize n_bytes = column != NULL ? get_size (column->n_rows, column->width) : 0;
  Place *place;

  g_mutex_lock (&self->lock);
  place = g_hash_table_lookup (self->places, key);
  if (column != NULL && self->n_bytes + n_bytes <= NS_COLUMNS_MAX_BYTES)
    {
      self->n_bytes += n_bytes;
      place->column = column;
    }
  else
    g_clear_pointer (&column, g_free);
  g_mutex_unlock (&self->lock);
  return column;
}

/**
 * ns_columns_get_size:
 * @self: columns
 *
 * Returns: total size of the columns that are made, in bytes
 */
gsize
ns_columns_get_size (NsColumns *self)
{
  gsize n_bytes;

  g_mutex_lock (&self->lock);
  n_bytes = self->n_bytes;
  g_mutex_unlock (&self->lock);
  return n_bytes;
}

static guint
find_width (guint64 highest_code)
{
  if (highest_code <= G_MAXUINT8)
    return 1;
  if (highest_code <= G_MAXUINT16)
    return 2;
  return highest_code <= G_MAXUINT32 ? 4 : 8;
}

#define PACK(Type)                                                                                 \
  {                                                                                                \
    Type *codes = (Type *) (gpointer) self->codes;                                                 \
                                                                                                   \
    for (i = 0; i < self->n_rows; i++)                                                             \
      codes[i] = numbers[i] == NS_COLUMN_UNKNOWN ? 0 : (Type) (numbers[i] - self->lowest + 1);     \
  }

static void
pack (NsColumn *self, const guint64 *numbers)
{
  guint i;

  switch (self->width)
    {
    case 1:
      PACK (guint8)
      break;
    case 2:
      PACK (guint16)
      break;
    case 4:
      PACK (guint32)
      break;
    default:
      PACK (guint64)
      break;
    }
}

/**
 * ns_column_new:
 * @numbers: (array length=n_rows): the value of each row; %NS_COLUMN_UNKNOWN if unknown
 * @n_rows: number of rows
 *
 * Returns: (transfer full) (nullable): the column, freed with g_free(); %NULL if memory is short
 */
NsColumn *
ns_column_new (const guint64 *numbers, guint n_rows)
{
  guint64 lowest = NS_COLUMN_UNKNOWN;
  guint64 highest = 0;
  NsColumn *self;
  guint width;
  guint i;

  for (i = 0; i < n_rows; i++)
    if (numbers[i] != NS_COLUMN_UNKNOWN)
      {
        lowest = MIN (lowest, numbers[i]);
        highest = MAX (highest, numbers[i]);
      }
  width = lowest == NS_COLUMN_UNKNOWN ? 1 : find_width (highest - lowest + 1);
  self = g_try_malloc (get_size (n_rows, width));
  if (self == NULL)
    return NULL;
  self->lowest = lowest;
  self->n_rows = n_rows;
  self->width = width;
  pack (self, numbers);
  return self;
}

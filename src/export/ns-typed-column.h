/* Typed columns of tables, for other programs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"

G_BEGIN_DECLS

typedef enum
{
  NS_TYPED_BOOLEAN,
  NS_TYPED_INTEGER,   /* 64 bits, signed */
  NS_TYPED_TIMESTAMP, /* ns since 1970, UTC */
  NS_TYPED_TEXT,      /* UTF-8 */
  NS_TYPED_TEXTS,     /* a list of texts */
  NS_TYPED_INTEGERS,  /* a list of numbers */
} NsTypedKind;

/**
 * NsTypedColumn:
 * @name: its name
 * @kind: type of its cells
 */
typedef struct
{
  const char *name;
  NsTypedKind kind;
} NsTypedColumn;

/**
 * NsTypedCell:
 * @is_null: whether the value is unknown
 * @is_lasting: whether @text, or each text of @list, is valid until all rows are written, so that
 *   its address identifies it
 * @n_bytes: length of @text; 0: not measured
 * @number: BOOLEAN, INTEGER, TIMESTAMP
 * @text: TEXT: UTF-8; valid while the row is written
 * @list: (element-type utf8): TEXTS; INTEGERS: decimal numbers
 *
 * The value of a column in a row.
 */
typedef struct
{
  guint8 is_null;
  guint8 is_lasting;
  guint32 n_bytes;
  union
  {
    gint64 number;
    const char *text;
    const GPtrArray *list;
  };
} NsTypedCell;

/* Maximum number of rows per batch. */
#define NS_TYPED_BATCH_ROWS 256

/**
 * NsTypedNumbers:
 * @is_known: for each row, 1 if the value is known, else 0
 * @values: the values
 *
 * The values of a BOOLEAN, INTEGER or TIMESTAMP column in a batch of rows, for columns that are
 * read without cells.
 */
typedef struct
{
  guint8 is_known[NS_TYPED_BATCH_ROWS];
  gint64 values[NS_TYPED_BATCH_ROWS];
} NsTypedNumbers;

/**
 * NsTypedBatch:
 * @cells: cells of the first column, one per row, then those of the next column
 * @room: distance from the first cell of a column to that of the next
 * @n_rows: number of rows, at most @room
 *
 * A batch of rows, column by column, so that many cells of a column are processed at once.
 */
typedef struct
{
  const NsTypedCell *cells;
  guint room;
  guint n_rows;
} NsTypedBatch;

static inline const NsTypedCell *
ns_typed_batch_get (const NsTypedBatch *self, guint column, guint row)
{
  return &self->cells[(gsize) column * self->room + row];
}

G_END_DECLS

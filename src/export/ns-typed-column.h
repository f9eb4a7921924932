/* Typed columns: what tables for other programs are made of.
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
 * @kind: what its cells are
 */
typedef struct
{
  const char *name;
  NsTypedKind kind;
} NsTypedColumn;

/**
 * NsTypedCell:
 * @is_null: nothing is known
 * @is_lasting: @text is there until all rows are written, so that its address stands for it
 * @number: BOOLEAN, INTEGER, TIMESTAMP
 * @text: TEXT: UTF-8; as long as the row is being written
 * @list: (element-type utf8): TEXTS; INTEGERS: decimal numbers
 *
 * The value of a column in a row.
 */
typedef struct
{
  gboolean is_null;
  gboolean is_lasting;
  union
  {
    gint64 number;
    const char *text;
    const GPtrArray *list;
  };
} NsTypedCell;

/* Rows that are handed over together, at most. */
#define NS_TYPED_BATCH_ROWS 256

/**
 * NsTypedBatch:
 * @cells: those of the first column, one a row, then those of the next one
 * @room: from the first cell of a column to that of the next one
 * @n_rows: how many rows there are, at most @room
 *
 * Some rows, column by column: what is done to a column is done to many of its cells at once.
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

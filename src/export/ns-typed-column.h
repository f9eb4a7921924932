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
 * @number: BOOLEAN, INTEGER, TIMESTAMP
 * @text: TEXT: UTF-8; as long as the row is being written
 * @list: (element-type utf8): TEXTS; INTEGERS: decimal numbers
 *
 * The value of a column in a row.
 */
typedef struct
{
  gboolean is_null;
  gint64 number;
  const char *text;
  const GPtrArray *list;
} NsTypedCell;

G_END_DECLS

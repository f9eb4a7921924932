/* Rows and columns to write.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Rows and columns to write; @rows %NULL means all rows. */
typedef struct
{
  const NsTrace *trace;
  NsTableId table;
  const guint32 *rows; /* 0-based */
  gsize n_rows;
  const NsField *const *fields;
  guint n_fields;
} NsExportRows;

G_END_DECLS

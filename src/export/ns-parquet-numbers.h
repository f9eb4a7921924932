/* The distinct numbers of a column of a Parquet file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A dictionary of numbers, reused for all columns. */
typedef struct
{
  GArray *numbers; /* gint64: the distinct numbers, in order of first occurrence */
  GArray *codes;   /* guint32: the values as indices of @numbers */
  guint32 *slots;  /* by hash of a number: its index in @numbers from 1; 0: free */
  guint n_slots;   /* number of slots in use, a power of two */
} NsParquetNumbers;

void ns_parquet_numbers_init (NsParquetNumbers *self);
void ns_parquet_numbers_clear (NsParquetNumbers *self);
gboolean ns_parquet_numbers_code (NsParquetNumbers *self, const GArray *values);

G_END_DECLS

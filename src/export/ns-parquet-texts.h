/* The texts of a column of a Parquet file, each kept once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A column whose first so many values are hardly ever the same has no dictionary. */
#define NS_PARQUET_LOOK 4096
#define NS_PARQUET_MANY_IN_LOOK (NS_PARQUET_LOOK / 8 * 7)

/* Different texts, in the order in which they came. */
typedef struct
{
  guint8 *bytes; /* of all, one after the other */
  guint32 n_bytes;
  guint32 room_bytes;
  guint32 *ends; /* where in bytes each ends */
  guint32 n_texts;
  guint32 room_texts;
  GArray *hashes; /* guint32: of each */
  guint32 *slots; /* numbers from 1 on; 0: free */
  guint n_slots;  /* a power of two */
  guint n_added;
  gboolean is_plain; /* each is taken for a new one */
} NsParquetTexts;

void ns_parquet_texts_init (NsParquetTexts *self);
void ns_parquet_texts_clear (NsParquetTexts *self);
guint32 ns_parquet_texts_add (NsParquetTexts *self, const char *text, guint32 n_bytes);
const guint8 *ns_parquet_texts_get (const NsParquetTexts *self, guint32 number, guint32 *n_bytes);
int ns_parquet_texts_compare (const NsParquetTexts *self, guint32 a, guint32 b);

G_END_DECLS

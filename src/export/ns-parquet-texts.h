/* The distinct texts of a column of a Parquet file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Number of first values that are examined, and number of distinct ones among them from which on
 * a column has no dictionary. */
#define NS_PARQUET_LOOK 4096
#define NS_PARQUET_MANY_IN_LOOK (NS_PARQUET_LOOK / 8 * 7)

typedef struct _NsParquetKnownText NsParquetKnownText;

/* Distinct texts, in order of first occurrence. */
typedef struct
{
  guint8 *bytes; /* bytes of all texts, one after the other */
  guint32 n_bytes;
  guint32 room_bytes;
  guint32 *ends; /* end offset of each text in @bytes */
  guint32 n_texts;
  guint32 room_texts;
  GArray *hashes; /* guint32: hash of each text */
  guint32 *slots; /* numbers from 1; 0: free */
  guint n_slots;  /* a power of two */
  guint room_slots;
  guint n_added;
  gboolean is_plain;         /* texts are no longer compared; each counts as new */
  NsParquetKnownText *known; /* by hash of the address; NULL: no lasting text was added */
  guint known_bits;          /* log2 of the number of entries of @known that are in use */
  guint room_known_bits;     /* log2 of its size */
  guint n_evicted;           /* number of texts that others replaced in @known since it grew */
} NsParquetTexts;

void ns_parquet_texts_init (NsParquetTexts *self);
void ns_parquet_texts_clear (NsParquetTexts *self);
void ns_parquet_texts_reset (NsParquetTexts *self, gboolean is_same_column);
guint32 ns_parquet_texts_add (NsParquetTexts *self, const char *text, guint32 n_bytes);
guint32 ns_parquet_texts_add_lasting (NsParquetTexts *self, const char *text, guint32 *n_bytes);
const guint8 *ns_parquet_texts_get (const NsParquetTexts *self, guint32 number, guint32 *n_bytes);
int ns_parquet_texts_compare (const NsParquetTexts *self, guint32 a, guint32 b);

G_END_DECLS

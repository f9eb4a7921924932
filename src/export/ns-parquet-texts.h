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

/* A text that stays valid until all rows are written, and its number. */
typedef struct
{
  const char *text;
  guint32 number;
  guint32 n_bytes;
} NsParquetKnownText;

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

/* Returns the entry of the cache for a text, by Fibonacci hashing: its highest bits depend on all
 * bits of the address. The cache must have entries. */
static inline NsParquetKnownText *
ns_parquet_texts_get_entry (const NsParquetTexts *self, const char *text)
{
  return &self->known[(guint64) (guintptr) text * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >>
                      (64 - self->known_bits)];
}

/* Returns the number of a lasting text, mostly without a call if it was added before. */
static inline guint32
ns_parquet_texts_find_lasting (NsParquetTexts *self, const char *text, guint32 *n_bytes)
{
  const NsParquetKnownText *known =
      self->known_bits > 0 ? ns_parquet_texts_get_entry (self, text) : NULL;

  if (known == NULL || known->text != text)
    return ns_parquet_texts_add_lasting (self, text, n_bytes);
  *n_bytes = known->n_bytes;
  return known->number;
}

G_END_DECLS

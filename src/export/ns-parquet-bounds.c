/* The smallest and largest values of a column of a Parquet row group, by which readers skip groups.
 *
 * Source of the layout: parquet.thrift of the Parquet format specification.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-parquet-bounds.h"

#include <string.h>

/* Maximum length of texts used as bounds: longer ones take more space than they save. */
#define MAX_BOUND_BYTES 128

static GBytes *
number_to_bytes (gint64 number, NsTypedKind type)
{
  guint64 le = GUINT64_TO_LE ((guint64) number);

  return g_bytes_new (&le, type == NS_TYPED_BOOLEAN ? 1 : sizeof le);
}

/**
 * ns_parquet_find_bounds_of_numbers: (skip)
 * @numbers: (element-type gint64): the values
 * @type: type of the column
 * @info: (inout): gets the bounds, unless there are no values
 */
void
ns_parquet_find_bounds_of_numbers (const GArray *numbers,
                                   NsTypedKind type,
                                   NsParquetChunkInfo *info)
{
  gint64 min = G_MAXINT64;
  gint64 max = G_MININT64;
  guint i;

  for (i = 0; i < numbers->len; i++)
    {
      gint64 value = g_array_index (numbers, gint64, i);

      min = MIN (min, value);
      max = MAX (max, value);
    }
  if (numbers->len == 0)
    return;
  info->min = number_to_bytes (min, type);
  info->max = number_to_bytes (max, type);
}

static GBytes *
text_to_bound (const NsParquetTexts *texts, guint32 number)
{
  guint32 n_bytes;
  const guint8 *text = ns_parquet_texts_get (texts, number, &n_bytes);

  return n_bytes <= MAX_BOUND_BYTES ? g_bytes_new (text, n_bytes) : NULL;
}

/* Returns the first bytes of a text as a number: texts are in the order of their numbers unless
 * these are equal. */
static guint64
get_prefix (const NsParquetTexts *texts, guint32 number)
{
  guint64 prefix = 0;
  guint32 n_bytes;
  const guint8 *text = ns_parquet_texts_get (texts, number, &n_bytes);

  memcpy (&prefix, text, MIN (n_bytes, sizeof prefix));
  return GUINT64_FROM_BE (prefix);
}

/**
 * ns_parquet_find_bounds_of_texts: (skip)
 * @texts: the distinct values
 * @info: (inout): gets the bounds, except for long ones
 */
void
ns_parquet_find_bounds_of_texts (const NsParquetTexts *texts, NsParquetChunkInfo *info)
{
  guint64 min_prefix;
  guint64 max_prefix;
  guint32 min = 0;
  guint32 max = 0;
  guint32 i;

  if (texts->n_texts == 0)
    return;
  min_prefix = max_prefix = get_prefix (texts, 0);
  for (i = 1; i < texts->n_texts; i++)
    {
      guint64 prefix = get_prefix (texts, i);

      if (prefix < min_prefix ||
          (prefix == min_prefix && ns_parquet_texts_compare (texts, i, min) < 0))
        {
          min = i;
          min_prefix = prefix;
        }
      if (prefix > max_prefix ||
          (prefix == max_prefix && ns_parquet_texts_compare (texts, i, max) > 0))
        {
          max = i;
          max_prefix = prefix;
        }
    }
  info->min = text_to_bound (texts, min);
  info->max = text_to_bound (texts, max);
}

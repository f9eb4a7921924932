/* Parquet's hybrid of runs and packed bits, for levels and dictionary indices.
 *
 * Source of the layout: Encodings.md of the Parquet format specification.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-parquet-chunk.h"

#include <string.h>

#define GROUP NS_PARQUET_MIN_RUN
/* Number of values that are compared at once. */
#define BLOCK 64

static void
append_varint (GByteArray *bytes, guint64 number)
{
  guint8 buffer[10];
  guint n = 0;

  while (number >= 0x80)
    {
      buffer[n++] = (guint8) (number | 0x80);
      number >>= 7;
    }
  buffer[n++] = (guint8) number;
  g_byte_array_append (bytes, buffer, n);
}

/* Appends packed values; the last group is padded with zeros. */
static void
append_packed (GByteArray *bytes, const guint32 *values, gsize n, guint width)
{
  gsize n_groups = (n + GROUP - 1) / GROUP;
  gsize n_packed = n_groups * width * GROUP / 8;
  guint64 bits = 0; /* bits that are not written yet */
  guint n_bits = 0; /* number of these bits */
  guint8 *packed;
  guint before;
  gsize i;

  if (n == 0)
    return;
  append_varint (bytes, n_groups << 1 | 1);
  before = bytes->len;
  g_byte_array_set_size (bytes, before + (guint) n_packed);
  packed = bytes->data + before;
  for (i = 0; i < n_groups * GROUP; i++)
    {
      bits |= (guint64) (i < n ? values[i] : 0) << n_bits;
      for (n_bits += width; n_bits >= 8; n_bits -= 8)
        {
          *packed++ = (guint8) bits;
          bits >>= 8;
        }
    }
}

/* Appends a run of @n equal values; @width: bits per value, 1 to 32. */
static void
append_run (GByteArray *bytes, guint32 value, gsize n, guint width)
{
  guint8 le[4] = { (guint8) value,
                   (guint8) (value >> 8),
                   (guint8) (value >> 16),
                   (guint8) (value >> 24) };

  append_varint (bytes, (guint64) n << 1);
  g_byte_array_append (bytes, le, (width + 7) / 8);
}

/**
 * ns_parquet_append_runs:
 * @bytes: (inout): appended to
 * @values: (array length=n): values below 2 to the power of @width
 * @n: number of values
 * @width: bits per value, 1 to 32
 *
 * Appends values as runs if eight or more consecutive ones are equal, otherwise packed.
 */
void
ns_parquet_append_runs (GByteArray *bytes, const guint32 *values, gsize n, guint width)
{
  gsize packed = 0; /* index of the first value that is not written */
  gsize i;

  /* A run counts from the first complete group that it fills: values before are packed. */
  for (i = 0; i + GROUP <= n; i += GROUP)
    {
      gsize run = 1;

      /* Long runs are compared with themselves, one value later. */
      while (i + run + BLOCK <= n &&
             memcmp (values + i + run, values + i + run - 1, BLOCK * sizeof *values) == 0)
        run += BLOCK;
      while (i + run < n && values[i + run] == values[i])
        run++;
      if (run < GROUP)
        continue;
      append_packed (bytes, values + packed, i - packed, width);
      append_run (bytes, values[i], run, width);
      packed = i + run;
      i = packed - GROUP;
    }
  append_packed (bytes, values + packed, n - packed, width);
}

static void
append_packed_levels (GByteArray *bytes, const guint8 *levels, gsize n, guint width)
{
  gsize n_groups = (n + GROUP - 1) / GROUP;
  guint before;
  guint8 *packed;
  gsize i;

  if (n == 0)
    return;
  append_varint (bytes, n_groups << 1 | 1);
  before = bytes->len;
  g_byte_array_set_size (bytes, before + (guint) (n_groups * width));
  packed = bytes->data + before;
  for (i = 0; i < n; i += GROUP)
    {
      guint n_here = (guint) MIN (n - i, GROUP);
      guint bits = 0;
      guint j;

      for (j = 0; j < n_here; j++)
        bits |= (guint) levels[i + j] << (j * width);
      for (j = 0; j < width; j++)
        *packed++ = (guint8) (bits >> (8 * j));
    }
}

/* Returns whether the first eight levels are equal. */
static gboolean
is_group_equal (const guint8 *levels)
{
  guint64 group;

  memcpy (&group, levels, sizeof group);
  return group == levels[0] * G_GUINT64_CONSTANT (0x0101010101010101);
}

/**
 * ns_parquet_append_levels:
 * @bytes: (inout): appended to
 * @levels: (array length=n): values below 2 to the power of @width
 * @n: number of levels
 * @width: bits per level, 1 or 2
 *
 * Appends levels like ns_parquet_append_runs(). Most columns have a value in each row, or in none,
 * so that their levels are one run.
 */
void
ns_parquet_append_levels (GByteArray *bytes, const guint8 *levels, gsize n, guint width)
{
  gsize packed = 0; /* index of the first level that is not written */
  gsize i;

  for (i = 0; i + GROUP <= n; i += GROUP)
    {
      gsize run = GROUP;

      if (!is_group_equal (levels + i))
        continue;
      while (i + run + BLOCK <= n && memcmp (levels + i + run, levels + i + run - 1, BLOCK) == 0)
        run += BLOCK;
      while (i + run < n && levels[i + run] == levels[i])
        run++;
      append_packed_levels (bytes, levels + packed, i - packed, width);
      append_run (bytes, levels[i], run, width);
      packed = i + run;
      i = packed - GROUP;
    }
  append_packed_levels (bytes, levels + packed, n - packed, width);
}

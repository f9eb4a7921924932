/* Radix sort.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * NsRadixItem:
 * @key: what it is sorted by
 * @place: what it stands for; of no meaning here
 */
typedef struct
{
  guint64 key;
  guint32 place;
} NsRadixItem;

void ns_radix_sort (NsRadixItem *items, NsRadixItem *spare, guint n_items);

/* A number with a sign as one without, in the same order. */
static inline guint64
ns_radix_key_from_signed (gint64 number)
{
  return (guint64) number ^ G_GUINT64_CONSTANT (1) << 63;
}

G_END_DECLS

/* Radix sort.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * NsRadixItem:
 * @key: the sort key
 * @place: value of the caller
 */
typedef struct
{
  guint64 key;
  guint32 place;
} NsRadixItem;

void ns_radix_sort (NsRadixItem *items, NsRadixItem *spare, guint n_items);

/* Maps a signed number to an unsigned one of the same order. */
static inline guint64
ns_radix_key_from_signed (gint64 number)
{
  return (guint64) number ^ G_GUINT64_CONSTANT (1) << 63;
}

G_END_DECLS

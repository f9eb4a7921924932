/* Sets of TCP sequence numbers, to count the new bytes of a segment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _NsRangesList NsRangesList;

/* An all-zero structure is an empty set. Numbers are unrolled from 32 to 64 bits. Nearly all
 * sets are one span that grows at its end, and need no further memory. */
typedef struct
{
  guint64 begin; /* begin of the only span; 1: @list is used */
  union
  {
    guint64 end; /* end of the only span, and of the newest segment */
    NsRangesList *list;
  };
} NsRanges;

guint32 ns_ranges_add (NsRanges *self, guint32 begin, guint32 n_bytes);
gboolean ns_ranges_get_end (const NsRanges *self, guint32 *end);
void ns_ranges_clear (NsRanges *self);

G_END_DECLS

/* Sets of TCP sequence numbers: how many bytes of a segment are new?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* All zero is an empty set. The numbers are unrolled from 32 to 64 bits. */
typedef struct
{
  guint64 (*spans)[2]; /* begin and end, ascending, not touching */
  guint32 n_spans;
  guint32 n_alloc;
  gboolean has_last;
  guint64 last; /* end of the newest segment, to unroll the next one */
} NsRanges;

guint32 ns_ranges_add (NsRanges *self, guint32 begin, guint32 n_bytes);
void ns_ranges_clear (NsRanges *self);

G_END_DECLS

/* Finds rows of a table by a key of two words and a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"

G_BEGIN_DECLS

/* Maximum number of rows examined from a given time: of those that began by then the newest
 * first, or of those that began after it the oldest first. A key may have a million rows; the
 * one searched for began near that time. */
#define NS_INTERVAL_INDEX_MAX_LOOK_BACK 256

typedef struct
{
  gint64 open_ns; /* G_MININT64: before the trace */
  guint32 row;    /* 1-based */
  guint32 slot;
} NsLife;

typedef struct
{
  NsMap *slots;    /* key → slot, from 1 */
  GArray *lives;   /* element-type NsLife */
  guint32 *begins; /* by slot: index of its first row in @lives; has one element more than there are
                      slots */
  guint n_most;    /* number of rows of the largest key */
} NsIntervalIndex;

void ns_interval_index_init (NsIntervalIndex *self);
void ns_interval_index_clear (NsIntervalIndex *self);
void
ns_interval_index_add (NsIntervalIndex *self, guint64 a, guint64 b, guint32 row, gint64 open_ns);
void ns_interval_index_settle (NsIntervalIndex *self);
const NsLife *
ns_interval_index_get (const NsIntervalIndex *self, guint64 a, guint64 b, guint *n_lives);
guint ns_interval_index_count_until (const NsLife *lives, guint n_lives, gint64 time_ns);

G_END_DECLS

/* Determines the readable part of a damaged trace and the time spans with missing events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/net/ns-missing.h"

G_BEGIN_DECLS

/**
 * NsDamage:
 * @is_damaged: a part of the file could not be read
 * @is_cut: the file ends before its last buffer does
 * @first: (nullable): the first damaged position; %NULL if only whole buffers are missing
 * @n_places: number of damaged positions
 * @is_whole: all of them are in companion files; nothing of the trace itself is missing
 * @n_read: number of buffers that were read at least in part
 * @n_expected: number of buffers that were written, according to the header; 0 if not known
 * @n_events_missing: estimated number of events in the missing buffers
 * @n_torn: number of activities that were still running at the end of the readable part
 * @n_described: number of providers with a known event layout
 * @n_providers: number of providers that wrote events
 * @lacks_images: there are call stacks, but no module information
 * @read_end_ns: end of the readable part
 * @end_ns: end of the recording; @read_end_ns if that is not known or nothing is missing
 * @gaps: (element-type NsTimeSpan): disjoint time spans with missing events, in order; also where
 *   only the sequence numbers of the buffers have gaps
 * @missing: what the session lost, and which buffers are missing; known for each trace with a file
 * @percent_read: how much of the file could be read; at most 99 if it is damaged
 *
 * An immutable value.
 */
typedef struct
{
  gboolean is_damaged;
  gboolean is_cut;
  gboolean is_whole;
  const NsEtlDamage *first;
  guint n_places;
  guint64 n_read;
  guint64 n_expected;
  guint64 n_events_missing;
  guint n_torn;
  guint n_described;
  guint n_providers;
  gboolean lacks_images;
  gint64 read_end_ns;
  gint64 end_ns;
  GArray *gaps;
  NsMissing missing;
  guint percent_read;
} NsDamage;

NsDamage *ns_damage_look (const NsTrace *trace);
void ns_damage_free (NsDamage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsDamage, ns_damage_free)

G_END_DECLS

/* What of a damaged trace could be read, and which parts of its time are missing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/**
 * NsDamage:
 * @is_damaged: something of the file could not be read
 * @is_cut: the file ends before its last buffer does
 * @first: (nullable): the first place that is wrong; none where only whole buffers are missing
 * @n_places: how many are wrong
 * @is_whole: they are all beside the trace, of which nothing is missing
 * @n_read: buffers of which anything was read
 * @n_expected: buffers that the session wrote, as its header says; 0: not known
 * @n_events_missing: about how many events the missing buffers held, by those that were read
 * @n_torn: activities that were still going on when the reading ended
 * @n_described: providers with a known layout
 * @n_providers: those that wrote anything
 * @lacks_images: there are stacks, and nothing tells which modules they run through
 * @read_end_ns: up to where it was read
 * @end_ns: when the session ended; @read_end_ns where that is not known or nothing is missing
 * @gaps: (element-type NsTimeSpan): spans of which something is missing, in their order, apart
 *
 * Values: nothing of it changes.
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
} NsDamage;

NsDamage *ns_damage_look (const NsTrace *trace);
void ns_damage_free (NsDamage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsDamage, ns_damage_free)

G_END_DECLS

/* Occupied space in the lanes, where no text may be painted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-timeline-list.h"

G_BEGIN_DECLS

/**
 * NsTimelineOccupancy:
 * @free_from: px, end of the bars before the one being painted
 * @free_until: px, start of the next bar of the lane, including its mark
 *
 * The occupied space of the lanes of one frame.
 */
typedef struct
{
  const NsTimelineList *list;
  GArray *lanes; /* array of ranges for each lane from @first on; (nullable) elements */
  guint first;
  double free_from;
  double free_until;
} NsTimelineOccupancy;

void ns_timeline_room_init (NsTimelineOccupancy *self, const NsTimelineList *list);
void ns_timeline_room_clear (NsTimelineOccupancy *self);
void ns_timeline_room_take (NsTimelineOccupancy *self, guint shown, double x0, double x1);
gboolean
ns_timeline_room_is_free (const NsTimelineOccupancy *self, guint shown, double x0, double x1);
gboolean
ns_timeline_room_has_no_bar (const NsTimelineOccupancy *self, guint shown, double x0, double x1);

G_END_DECLS

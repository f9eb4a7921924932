/* Where in a lane a text may stand.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-timeline-list.h"

G_BEGIN_DECLS

/**
 * NsTimelineRoom:
 * @free_from: px where the bars before the one being painted end
 * @free_until: px where the next bar of its lane begins, with its mark
 *
 * What is taken of the lanes of one frame.
 */
typedef struct
{
  const NsTimelineList *list;
  GArray *lanes; /* GArray of spans, by lane from @first on; (nullable) elements */
  guint first;
  double free_from;
  double free_until;
} NsTimelineRoom;

void ns_timeline_room_init (NsTimelineRoom *self, const NsTimelineList *list);
void ns_timeline_room_clear (NsTimelineRoom *self);
void ns_timeline_room_take (NsTimelineRoom *self, guint shown, double x0, double x1);
gboolean ns_timeline_room_is_free (const NsTimelineRoom *self, guint shown, double x0, double x1);
gboolean
ns_timeline_room_has_no_bar (const NsTimelineRoom *self, guint shown, double x0, double x1);

G_END_DECLS

/* Lanes of two machines on a common clock, with the requests that both recorded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-pair-paint.h"

G_BEGIN_DECLS

/* No row. */
#define NS_PAIR_LANES_NONE G_MAXUINT

typedef struct _NsPairLanes NsPairLanes;

NsPairLanes *ns_pair_lanes_new (const NsPairs *pairs,
                                const guint32 *rows,
                                guint n_rows,
                                const char *const names[2],
                                const char *const notes[2]);
void ns_pair_lanes_free (NsPairLanes *self);
guint ns_pair_lanes_count (const NsPairLanes *self);
double ns_pair_lanes_get_height (const NsPairLanes *self, double scale);
double ns_pair_lanes_get_names_width (double scale);
double ns_pair_lanes_find_y (const NsPairLanes *self, guint row, double scale);
guint ns_pair_lanes_find_row (const NsPairLanes *self,
                              const NsTimelineLayout *layout,
                              double x,
                              double y,
                              double scale);
void ns_pair_lanes_paint (const NsPairLanes *self,
                          NsPaint *paint,
                          const NsTimelineLayout *layout,
                          guint chosen,
                          double scroll_y,
                          double height);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPairLanes, ns_pair_lanes_free)

G_END_DECLS

/* Visible items of one frame of the timeline: bars, and columns in place of narrow bars.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-timeline-lanes.h"
#include "draw/ns-timeline-layout.h"

G_BEGIN_DECLS

/* Bars narrower than this are folded into columns. */
#define NS_TIMELINE_FOLD_PX 2.0
#define NS_TIMELINE_COLUMN_PX 4
/* Width in px within which a narrow bar is hit, and distance within which a mark is hit. */
#define NS_TIMELINE_HIT_PX 9.0

/* A bar in a lane; its edges may be outside the plot. */
typedef struct
{
  guint32 row;   /* 0-based activity */
  guint32 shown; /* index among the shown lanes */
  double x0;
  double x1;
  gboolean is_dim; /* whether it does not match the filter, or only others are highlighted */
  double left;     /* left edge including marks and labels; that of the bar until it is painted */
  double right;    /* right edge, likewise */
} NsTimelineBar;

/* Rows that run during one column of a lane. */
typedef struct
{
  guint32 shown;
  guint32 column; /* index; its left edge is this times NS_TIMELINE_COLUMN_PX */
  guint32 n_running;
  guint32 n_opened;
  guint32 n_failed;
  guint32 n_found;     /* search matches that begin here */
  gboolean is_dim;     /* whether it counts dimmed rows */
  gboolean is_profile; /* whether it counts all rows of a folded process, not only narrow ones */
} NsTimelineColumn;

typedef struct _NsTimelineList NsTimelineList;

struct _NsTimelineList
{
  GArray *bars; /* (element-type NsTimelineBar): sorted by lane and open time */
  /* (element-type NsTimelineColumn): sorted by lane, dimmed ones first, and column */
  GArray *columns;
  NsTimelineList *head; /* (nullable): items of the sticky head lane */
};

NsTimelineList *ns_timeline_list_new (const NsTimelineLanes *lanes,
                                      const NsTimelineLayout *layout,
                                      guint first_shown,
                                      guint n_shown);
void ns_timeline_list_free (NsTimelineList *self);
const NsTimelineBar *ns_timeline_list_find_at (const NsTimelineList *self, guint shown, double x);
gboolean ns_timeline_list_count_at (const NsTimelineList *self,
                                    guint shown,
                                    double x,
                                    guint *n_rows,
                                    guint *n_failed);
const NsTimelineBar *ns_timeline_list_find_row (const NsTimelineList *self, guint row);
void ns_timeline_list_add_bar (NsTimelineList *self, const NsTimelineBar *bar);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsTimelineList, ns_timeline_list_free)

G_END_DECLS

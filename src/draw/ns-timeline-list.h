/* What one frame of the timeline shows: bars, and columns where bars are too narrow.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-timeline-lanes.h"
#include "draw/ns-timeline-layout.h"

G_BEGIN_DECLS

/* Rows narrower than this fold into columns. */
#define NS_TIMELINE_FOLD_PX 2.0
#define NS_TIMELINE_COLUMN_PX 4
/* Where a bar without width can still be hit. */
#define NS_TIMELINE_HIT_PX 9.0

/* A bar in a lane; its edges may be out of view. */
typedef struct
{
  guint32 row;   /* activity, 0-based */
  guint32 shown; /* lane, counted from the top of all */
  double x0;
  double x1;
  gboolean is_dim; /* the filter does not keep its row, or others stand out */
  double left;     /* how far the marks and words beside it reach; as the bar itself until */
  double right;    /* they were painted */
} NsTimelineBar;

/* What runs during one column of a lane. */
typedef struct
{
  guint32 shown;
  guint32 column; /* times NS_TIMELINE_COLUMN_PX is its left edge */
  guint32 n_running;
  guint32 n_opened;
  guint32 n_failed;
  guint32 n_found;     /* by a search, of those that begin here */
  gboolean is_dim;     /* of rows that the filter does not keep */
  gboolean is_profile; /* of a process: all that runs, not only what is too narrow */
} NsTimelineColumn;

typedef struct _NsTimelineList NsTimelineList;

struct _NsTimelineList
{
  GArray *bars;         /* NsTimelineBar, by lane and opening */
  GArray *columns;      /* NsTimelineColumn, by lane and column, the dim ones of a lane first */
  NsTimelineList *head; /* (nullable): of the outermost lane above the first one in view */
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

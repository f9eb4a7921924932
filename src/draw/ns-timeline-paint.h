/* Paints the timeline with cairo: for the window, for paper and for `netstitch-cli render`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-overview-bins.h"
#include "draw/ns-paint.h"
#include "draw/ns-timeline-list.h"
#include "draw/ns-timeline-room.h"
#include "engine/open/ns-coverage.h"

G_BEGIN_DECLS

#define NS_ROW_NONE G_MAXUINT32

/* A moment or a span somebody marked. */
typedef struct
{
  gint64 begin_ns;
  gint64 end_ns; /* as @begin_ns for a moment */
  char *text;    /* (nullable) */
} NsTimelineMark;

/* What the strip shows, in words; each may be absent. */
typedef enum
{
  NS_TIMELINE_LEGEND_RECEIVED,
  NS_TIMELINE_LEGEND_RECEIVED_ALONE, /* with its unit, where what was sent has no room beside it */
  NS_TIMELINE_LEGEND_SENT,
  NS_TIMELINE_LEGEND_FAILED,
  NS_TIMELINE_LEGEND_LOST,
  NS_TIMELINE_LEGEND_OPEN,
  NS_TIMELINE_LEGEND_COUNTS, /* instead of bytes and connections */
  NS_TIMELINE_N_LEGENDS,
} NsTimelineLegend;

/* What appears on the head of a lane under the pointer. */
typedef enum
{
  NS_LANE_BUTTON_NONE,
  NS_LANE_BUTTON_PIN,
  NS_LANE_BUTTON_HIDE,
} NsLaneButton;

/* Everything a frame depends on. Heights and widths in px. */
typedef struct
{
  const NsTrace *trace;
  const NsTimelineLanes *lanes;
  const NsTimelineLayout *layout;
  const NsTimelineList *list;
  const NsTimelineMetrics *metrics;
  const NsOverviewBins *overview;
  const GPtrArray *coverage; /* (nullable): who recorded when, below the strip: see ns-coverage */
  double names_width;
  gboolean is_mirrored; /* names stand at the right; time goes from left to right all the same */
  double height;        /* of everything: overview, ruler and lanes */
  double scroll;        /* of the lanes */
  NsTimeSpan selected;  /* begin = end: none */
  const guint8 *marked; /* (nullable): 1 for each selected activity */
  const GArray *chosen_lines; /* (nullable) (element-type guint32): selected lines of logs */
  guint32 hover_row;
  guint32 focus_row;
  guint32 focus_lane;        /* counted from the top of all */
  guint32 hover_lane;        /* whose head the pointer is on */
  NsLaneButton hover_button; /* of it */
  guint focus_handle;        /* of the selected span: 1 its beginning, 2 its end, 0 none */
  gboolean has_focus;
  const NsTimelineWords *words; /* (nullable) */
  gint64 clock_base_ns;         /* from midnight to the trace's zero; below 0: trace time */
  const char *title;            /* of the overview: "Overview" */
  const char *legend[NS_TIMELINE_N_LEGENDS]; /* lines below it */
  const char *corner;                        /* left of the ruler */
  const char *pill;                          /* (nullable): on the selected span */
  const NsTimelineMark *bookmarks;           /* (nullable): by their beginning */
  guint n_bookmarks;
  const gint64 *losses; /* (nullable): moments before which events were lost, in their order */
  guint n_losses;
  const NsTimeSpan *gaps; /* (nullable): of which something is missing, in their order */
  guint n_gaps;
  const NsCoverageHole *holes; /* (nullable): when nobody did: see ns_coverage_list_holes() */
  guint n_holes;
  const gint64 *found; /* (nullable): moments a search found, in any order */
  guint n_found;
  gint64 frontier_ns;        /* what is behind it was not read; 0: all was */
  const char *not_read;      /* (nullable): "not read yet", behind it in the overview */
  const char *still_reading; /* (nullable): "still reading from here", behind it in the lanes */
  const char *no_lanes;      /* (nullable): why there is none, in their place */
  gboolean is_arriving;      /* more is to come: what has not ended has no right edge */
  const char *head_name;     /* (nullable): the lane is a head: what the lanes below it belong to */
  gboolean has_no_labels;    /* bars are told apart by what stands beside them */
  gboolean has_moment;       /* the trace is played back */
  gint64 moment_ns;          /* and this is how far: how rows end behind it is not known yet */
} NsTimelineScene;

double ns_timeline_scene_get_plot_x (const NsTimelineScene *self);
void ns_timeline_scene_begin_names (const NsTimelineScene *self, NsPaint *paint);
void ns_timeline_scene_end_names (NsPaint *paint);
gint64 ns_timeline_scene_get_step (const NsTimelineScene *self, double scale);
void ns_timeline_paint (NsPaint *paint, const NsTimelineScene *scene);
NsLaneButton
ns_timeline_find_lane_button (const NsTimelineMetrics *metrics, double names_width, double x);
void ns_timeline_paint_lane_buttons (NsPaint *paint,
                                     const NsTimelineScene *scene,
                                     const NsLane *lane,
                                     double y);
void ns_timeline_paint_pin (NsPaint *paint, double x, double y);
void ns_timeline_paint_bar (NsPaint *paint,
                            const NsTimelineScene *scene,
                            NsTimelineBar *bar,
                            double lane_y,
                            const NsTimelineRoom *room);
void ns_timeline_paint_phases (NsPaint *paint,
                               const NsTimelineMetrics *metrics,
                               const NsActivityRow *row,
                               gint64 end_ns,
                               double x0,
                               double x1,
                               double middle_y);
void ns_timeline_paint_overview (NsPaint *paint, const NsTimelineScene *scene);
void
ns_timeline_paint_app_spans (NsPaint *paint, const NsTimelineScene *scene, guint first, guint end);
void ns_timeline_paint_lives (NsPaint *paint, const NsTimelineScene *scene, guint first, guint end);
void
ns_timeline_paint_states (NsPaint *paint, const NsTimelineScene *scene, guint first, guint end);
const NsStateMark *ns_timeline_states_find_at (const NsTimelineLanes *lanes,
                                               const NsTimelineLayout *layout,
                                               guint shown,
                                               double x);
void ns_timeline_paint_logs (NsPaint *paint, const NsTimelineScene *scene, guint first, guint end);
const NsLogMark *ns_timeline_logs_find_at (const NsTimelineLanes *lanes,
                                           const NsTimelineLayout *layout,
                                           guint shown,
                                           double x);
void ns_timeline_paint_found (NsPaint *paint,
                              const NsTimelineScene *scene,
                              const NsTimelineLayout *layout,
                              double y0,
                              double y1);
void ns_timeline_paint_gaps (NsPaint *paint,
                             const NsTimelineScene *scene,
                             const NsTimelineLayout *layout,
                             double y0,
                             double y1,
                             double strength);
void ns_timeline_paint_losses (NsPaint *paint,
                               const NsTimelineScene *scene,
                               const NsTimelineLayout *layout,
                               double y0,
                               double y1);
void
ns_timeline_paint_bookmarks (NsPaint *paint, const NsTimelineScene *scene, double y0, double y1);
gboolean
ns_timeline_bookmarks_cover (NsPaint *paint, const NsTimelineScene *scene, double x0, double x1);
void ns_timeline_paint_frontier (NsPaint *paint,
                                 const NsTimelineScene *scene,
                                 const NsTimelineLayout *layout,
                                 double y0,
                                 double y1);
void ns_timeline_paint_ruler (NsPaint *paint, const NsTimelineScene *scene);

G_END_DECLS

/* Paints the timeline with cairo: for the window, for printing and for `netstitch-cli render`.
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

/* A bookmark at a time or a time span. */
typedef struct
{
  gint64 begin_ns;
  gint64 end_ns; /* equal to @begin_ns for a single time */
  char *text;    /* (nullable) */
} NsTimelineMark;

/* Items of the legend of the overview strip; each may be absent. */
typedef enum
{
  NS_TIMELINE_LEGEND_RECEIVED,
  /* includes the unit; used if there is no room for the sent rate beside it */
  NS_TIMELINE_LEGEND_RECEIVED_ALONE,
  NS_TIMELINE_LEGEND_SENT,
  NS_TIMELINE_LEGEND_FAILED,
  NS_TIMELINE_LEGEND_LOST,
  NS_TIMELINE_LEGEND_OPEN,
  NS_TIMELINE_LEGEND_COUNTS, /* shown if there are neither bytes nor connections */
  NS_TIMELINE_N_LEGENDS,
} NsTimelineLegend;

/* Buttons on the head of a lane, shown under the pointer. */
typedef enum
{
  NS_LANE_BUTTON_NONE,
  NS_LANE_BUTTON_PIN,
  NS_LANE_BUTTON_HIDE,
} NsLaneButton;

/* Everything that a frame depends on. Heights and widths are in px. */
typedef struct
{
  const NsTrace *trace;
  const NsTimelineLanes *lanes;
  const NsTimelineLayout *layout;
  const NsTimelineList *list;
  const NsTimelineMetrics *metrics;
  const NsOverviewBins *overview;
  /* (nullable) (element-type NsCoverageLine): recording times, shown below the overview strip */
  const GPtrArray *coverage;
  double names_width;
  /* whether the names are at the right; time always runs from left to right */
  gboolean is_mirrored;
  double height;              /* total height of overview, ruler and lanes */
  double scroll;              /* vertical scroll position of the lanes */
  NsTimeSpan selected;        /* begin = end: no selection */
  const guint8 *marked;       /* (nullable): 1 for each selected activity */
  const GArray *chosen_lines; /* (nullable) (element-type guint32): selected log lines */
  guint32 hover_row;
  guint32 focus_row;
  guint32 focus_lane;        /* index among all shown lanes */
  guint32 hover_lane;        /* lane whose head is under the pointer */
  NsLaneButton hover_button; /* button of @hover_lane that is under the pointer */
  guint focus_handle;        /* focused handle of the selected span: 1 start, 2 end, 0 none */
  gboolean has_focus;
  const NsTimelineTexts *words; /* (nullable) */
  /* time from midnight to time 0 of the trace; below 0: show trace time */
  gint64 clock_base_ns;
  const char *title;                         /* title of the overview: "Overview" */
  const char *legend[NS_TIMELINE_N_LEGENDS]; /* texts below the title */
  const char *corner;                        /* text left of the ruler */
  const char *pill;                          /* (nullable): label of the selected span */
  const NsTimelineMark *bookmarks;           /* (nullable): sorted by start */
  guint n_bookmarks;
  const gint64 *losses; /* (nullable): times before which events were lost, sorted */
  guint n_losses;
  const NsTimeSpan *gaps; /* (nullable): time spans with missing events, sorted */
  guint n_gaps;
  /* (nullable): times that no trace recorded, see ns_coverage_list_holes() */
  const NsCoverageHole *holes;
  guint n_holes;
  const gint64 *found; /* (nullable): times of search matches, not sorted */
  guint n_found;
  gint64 frontier_ns; /* time up to which the trace was read; 0: all of it */
  /* (nullable): "not read yet", shown after the frontier in the overview */
  const char *not_read;
  /* (nullable): "still reading from here", shown after the frontier in the lanes */
  const char *still_reading;
  /* (nullable): the reason why there are no lanes, shown in their place */
  const char *no_lanes;
  /* whether more data will arrive, so that unended bars have no right edge */
  gboolean is_arriving;
  /* (nullable): name for a head lane: the parent of the lanes below it */
  const char *head_name;
  gboolean has_no_labels; /* whether bars have no labels, as in a table whose row names them */
  gboolean has_moment;    /* whether the trace is played back */
  gint64 moment_ns;       /* playback time; results of rows that end later are not shown */
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
                            const NsTimelineOccupancy *room);
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

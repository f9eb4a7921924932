/* What the halves of the timeline widget share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-coverage-paint.h"
#include "draw/ns-timeline-paint.h"
#include "ui/ns-theme.h"
#include "ui/timeline/ns-timeline.h"

G_BEGIN_DECLS

/* What a drag that has begun will do. */
typedef enum
{
  NS_DRAG_NONE,
  NS_DRAG_SPAN,
  NS_DRAG_PAN,
  NS_DRAG_FRAME,  /* the window in the overview */
  NS_DRAG_EDGE,   /* one edge of it */
  NS_DRAG_NAMES,  /* the edge of the lane names */
  NS_DRAG_HANDLE, /* an end of the selected span */
} NsTimelineDrag;

/* What the keyboard reaches beside the lanes. */
typedef enum
{
  NS_TIMELINE_PART_OVERVIEW,
  NS_TIMELINE_PART_RULER,
  NS_TIMELINE_N_PARTS,
} NsTimelinePartKind;

struct _NsTimeline
{
  GtkWidget parent_instance;

  NsSession *session;
  NsTimelineLanes *lanes;
  NsOverviewBins overview;
  GPtrArray *coverage; /* (element-type NsCoverageLine) (nullable): who recorded when */
  GArray *holes;       /* (element-type NsCoverageHole) (nullable): when nobody did */
  NsLaneGrouping grouping;
  GArray *lane_marks; /* NsLaneMark */
  GArray *bookmarks;  /* NsTimelineMark, earliest first */
  GArray *losses;     /* gint64; (nullable) */
  GArray *found;      /* gint64; (nullable): of rows a search found */
  GArray *found_rows; /* guint32; (nullable): such activities */
  gboolean shows_states;
  NsStateMarks *states;    /* (nullable): of the session, once they were asked for */
  GCancellable *finding;   /* they are being looked for */
  gboolean keeps_filtered; /* rows that the filter does not keep are dimmed, not hidden */
  gboolean is_time_held;   /* it does not move for what is chosen */
  gboolean is_unpacked;    /* each connection has a lane of its own */
  guint32 fit_row;         /* the row that F put into the middle */
  GCancellable *building;  /* lanes are being built in a thread */
  guint report_id;         /* when it is said so */
  guint set;               /* of the session: the rows that @lanes were, or are, built for */
  guint log_set;           /* likewise: the lines of logs */
  NsTimelineLayout layout;
  NsTimelineMetrics metrics;
  NsTimelineList *list; /* of the last frame; NULL: to be made */
  NsThemeLook look;
  gboolean has_look;
  GtkAdjustment *adjustment;
  gboolean is_reading;   /* what was not read yet is being read */
  gboolean is_following; /* the trace is still being written */
  gint64 moment_ns;      /* what is behind it is veiled; G_MAXINT64: nothing */
  double names_width;
  double wanted_names_width; /* 0: by the window's width */
  char *legend[NS_TIMELINE_N_LEGENDS];
  char *pill;

  GtkWidget *parts[NS_TIMELINE_N_PARTS];
  GtkWidget *cpu;     /* the strip at the foot */
  gboolean shows_cpu; /* if there is something to show: */
  gboolean has_cpu;
  gboolean is_end_focused; /* of the selected span: else its beginning */
  NsLaneButton hover_button;
  guint32 hover_row;
  guint32 hover_lane;
  guint32 focus_row;
  guint32 focus_lane;
  NsTimelineDrag drag;
  double drag_x;
  gboolean drag_zooms; /* to the span that is drawn, which is not selected */
  gint64 drag_time_ns; /* the fixed end of a span, or the left edge before panning */
  NsTimeSpan drag_span;
  double pinch_factor;
  double pointer_x;     /* where it was seen last */
  gboolean has_pointer; /* it is on the widget */
};

gboolean ns_timeline_is_mirrored (NsTimeline *self);
double ns_timeline_get_head_x (NsTimeline *self, double x);
gboolean ns_timeline_is_head (NsTimeline *self, double x);
double ns_timeline_get_plot_x (NsTimeline *self, double x);
double ns_timeline_from_plot_x (NsTimeline *self, double plot_x);
double ns_timeline_get_top (NsTimeline *self);
double ns_timeline_get_foot (NsTimeline *self);
void ns_timeline_add_cpu (NsTimeline *self);
void ns_timeline_find_cpu (NsTimeline *self);
void ns_timeline_allocate_cpu (NsTimeline *self);
void ns_timeline_update_cpu (NsTimeline *self);
guint32 ns_timeline_lane_at (NsTimeline *self, double y);
guint32 ns_timeline_sticky_at (NsTimeline *self, double y);
gboolean ns_timeline_is_sticky (NsTimeline *self, guint32 lane);
gboolean ns_timeline_go_to_sticky (NsTimeline *self, guint32 lane);
void ns_timeline_speak_lane (NsTimeline *self);
void ns_timeline_show_lane (NsTimeline *self, guint32 lane);
double ns_timeline_get_bottom (NsTimeline *self);
const NsTimelineBar *ns_timeline_bar_at (NsTimeline *self, double x, double y);
void ns_timeline_apply_layout (NsTimeline *self);
void ns_timeline_zoom_at (NsTimeline *self, double x, double factor);
void ns_timeline_update_adjustment (NsTimeline *self);
void ns_timeline_update_metrics (NsTimeline *self);
void ns_timeline_select (NsTimeline *self, guint32 row, gboolean extend);
void ns_timeline_stop_building (NsTimeline *self);
void ns_timeline_report_sorted (NsTimeline *self);
void ns_timeline_build_lanes (NsTimeline *self);
void ns_timeline_list_chosen (NsTimeline *self);
void ns_timeline_add_parts (NsTimeline *timeline);
void ns_timeline_allocate_parts (NsTimeline *timeline);
void ns_timeline_update_parts (NsTimeline *timeline);
void ns_timeline_find_states (NsTimeline *self);
void ns_timeline_forget_states (NsTimeline *self);
const NsStateMark *ns_timeline_state_at (NsTimeline *self, double x, double y);
const NsLogMark *ns_timeline_log_line_at (NsTimeline *self, double x, double y);
void ns_timeline_reveal_line (NsTimeline *self);
const GArray *ns_timeline_get_chosen_lines (NsTimeline *self);
void ns_timeline_lines_changed (NsTimeline *self);
void ns_timeline_take_lanes (NsTimeline *self, NsTimelineLanes *lanes);
void ns_timeline_free_lanes (NsTimelineLanes *lanes);
GArray *ns_timeline_marks_new (void);
const NsTimelineMark *ns_timeline_mark_at (NsTimeline *self, double x, double y);
void ns_timeline_zoom_lane (NsTimeline *self);
void ns_timeline_popup_lane (NsTimeline *self, double x, double y);
void ns_timeline_mark (NsTimeline *self, NsTimelineCommand command);
NsTimelineWords ns_timeline_get_words (void);
const char *ns_timeline_get_corner (NsTimeline *self);
void ns_timeline_clear_legend (NsTimeline *self);
void ns_timeline_update_legend (NsTimeline *self);
const char *ns_timeline_get_no_lanes (NsTimeline *self);
void ns_timeline_popup_corner (NsTimeline *self);
void ns_timeline_add_controllers (NsTimeline *self);
void ns_timeline_queue_list (NsTimeline *self);

G_END_DECLS

/* Private structure and functions of the timeline widget, shared by its source files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-coverage-paint.h"
#include "draw/ns-timeline-paint.h"
#include "ui/ns-theme.h"
#include "ui/timeline/ns-timeline.h"

G_BEGIN_DECLS

/* Kind of the current drag. */
typedef enum
{
  NS_DRAG_NONE,
  NS_DRAG_SPAN,
  NS_DRAG_PAN,
  NS_DRAG_FRAME,  /* moves the frame of the visible time in the overview, or draws a new one */
  NS_DRAG_EDGE,   /* moves one edge of that frame */
  NS_DRAG_NAMES,  /* resizes the column of lane names */
  NS_DRAG_HANDLE, /* moves one end of the selected span */
} NsTimelineDrag;

/* Child widgets that have the keyboard focus in place of the timeline. */
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
  GPtrArray *coverage; /* (element-type NsCoverageLine) (nullable): recording times */
  GArray *holes;       /* (element-type NsCoverageHole) (nullable): times that no trace recorded */
  NsLaneGrouping grouping;
  GArray *lane_marks; /* (element-type NsLaneMark) */
  GArray *bookmarks;  /* (element-type NsTimelineMark): sorted by start */
  GArray *losses;     /* (element-type gint64) (nullable) */
  GArray *found;      /* (element-type gint64) (nullable): times of search matches */
  GArray *found_rows; /* (element-type guint32) (nullable): activities that match the search */
  gboolean shows_states;
  /* (nullable): state changes of the session, after the first request for them */
  NsStateMarks *states;
  GCancellable *finding;   /* (nullable): set while state changes are being searched */
  gboolean keeps_filtered; /* whether rows that do not match the filter are dimmed, not hidden */
  gboolean is_time_held;   /* whether selecting a row scrolls the lanes only, not the time */
  gboolean is_unpacked;    /* whether each connection has a lane of its own */
  /* row that NS_TIMELINE_FOCUS centred last; its next use zooms to that row */
  guint32 fit_row;
  GCancellable *building; /* (nullable): set while lanes are built in a thread */
  guint report_id;        /* timeout after which the building of lanes is shown */
  guint set;              /* set of the session's rows that @lanes are built for */
  guint log_set;          /* set of the log lines, likewise */
  NsTimelineLayout layout;
  NsTimelineMetrics metrics;
  NsTimelineList *list; /* items of the last frame; NULL until the next one */
  NsThemeLook look;
  gboolean has_look;
  GtkAdjustment *adjustment;
  gboolean is_reading;   /* whether the unread part of the trace is being read */
  gboolean is_following; /* whether the trace is still being written */
  gint64 moment_ns;      /* playback time; later times are veiled. G_MAXINT64: no playback */
  double names_width;
  double wanted_names_width; /* width set by the user; 0: depends on the width of the widget */
  char *legend[NS_TIMELINE_N_LEGENDS];
  char *pill;

  GtkWidget *parts[NS_TIMELINE_N_PARTS];
  GtkWidget *cpu;     /* the CPU strip below the lanes */
  gboolean shows_cpu; /* the option; the strip is visible only if @has_cpu */
  gboolean has_cpu;
  gboolean is_end_focused; /* whether the focused handle of the selected span is its end */
  NsLaneButton hover_button;
  guint32 hover_row;
  guint32 hover_lane;
  guint32 focus_row;
  guint32 focus_lane;
  NsTimelineDrag drag;
  double drag_x;
  gboolean drag_zooms; /* whether the drag zooms to the span instead of selecting it */
  gint64 drag_time_ns; /* fixed end of the span of a drag */
  NsTimeSpan drag_span;
  double pinch_factor;
  double pointer_x;     /* last position of the pointer */
  gboolean has_pointer; /* whether the pointer is on the widget */
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
NsTimelineTexts ns_timeline_get_words (void);
const char *ns_timeline_get_corner (NsTimeline *self);
void ns_timeline_clear_legend (NsTimeline *self);
void ns_timeline_update_legend (NsTimeline *self);
const char *ns_timeline_get_no_lanes (NsTimeline *self);
void ns_timeline_popup_corner (NsTimeline *self);
void ns_timeline_add_controllers (NsTimeline *self);
void ns_timeline_queue_list (NsTimeline *self);

G_END_DECLS

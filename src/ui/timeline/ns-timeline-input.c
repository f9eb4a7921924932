/* Input of the timeline: scrolling, drags, clicks, pinch gestures, keys and tooltips.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-help.h"
#include "ui/ns-words.h"
#include "ui/timeline/ns-row-tip.h"
#include "ui/timeline/ns-timeline-private.h"

#include <glib/gi18n.h>
#include <math.h>

/* Minimum distance of a drag. */
#define DRAG_PX 4
/* Distance within which an edge can be dragged. */
#define EDGE_PX 6
#define MIN_NAMES_PX 100

static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, NsTimeline *self)
{
  GtkEventController *base = GTK_EVENT_CONTROLLER (controller);
  GdkModifierType state = gtk_event_controller_get_current_event_state (base);

  if (self->session == NULL)
    return FALSE;
  if (state & GDK_CONTROL_MASK)
    ns_timeline_zoom_at (self, self->pointer_x, pow (1.2, -dy));
  else if (state & GDK_SHIFT_MASK || fabs (dx) > fabs (dy))
    {
      ns_timeline_layout_pan (&self->layout, (fabs (dx) > fabs (dy) ? dx : dy) * 60);
      ns_timeline_apply_layout (self);
    }
  else
    gtk_adjustment_set_value (self->adjustment,
                              gtk_adjustment_get_value (self->adjustment) +
                                  dy * 2 * self->metrics.lane);
  return TRUE;
}

static void
pinch_begin_cb (GtkGesture *gesture, GdkEventSequence *sequence, NsTimeline *self)
{
  self->pinch_factor = 1;
}

static void
pinch_cb (GtkGestureZoom *gesture, double scale, NsTimeline *self)
{
  double x;
  double y;

  if (self->session == NULL || scale <= 0 ||
      !gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    return;
  ns_timeline_zoom_at (self, x, scale / self->pinch_factor);
  self->pinch_factor = scale;
}

static NsTimelineLayout
whole_layout (NsTimeline *self)
{
  NsTimelineLayout whole = self->layout;

  whole.begin_ns = whole.whole.begin_ns;
  whole.end_ns = whole.whole.end_ns;
  return whole;
}

/* Prepares to drag an end of the selected span near @plot_x; the other end is fixed. Returns
 * FALSE if none is near. */
static gboolean
take_handle (NsTimeline *self, double plot_x)
{
  NsTimeSpan span = ns_session_get_span (self->session);

  if (span.begin_ns >= span.end_ns)
    return FALSE;
  if (fabs (ns_timeline_layout_x_at (&self->layout, span.begin_ns) - plot_x) < EDGE_PX)
    self->drag_time_ns = span.end_ns;
  else if (fabs (ns_timeline_layout_x_at (&self->layout, span.end_ns) - plot_x) < EDGE_PX)
    self->drag_time_ns = span.begin_ns;
  else
    return FALSE;
  return TRUE;
}

/* Prepares to drag an edge of the frame in the overview near @plot_x; the other edge is fixed.
 * Returns FALSE if none is near. */
static gboolean
take_edge (NsTimeline *self, double plot_x)
{
  NsTimelineLayout whole = whole_layout (self);
  double x0 = ns_timeline_layout_x_at (&whole, self->layout.begin_ns);
  double x1 = ns_timeline_layout_x_at (&whole, self->layout.end_ns);

  if (fabs (x1 - plot_x) < EDGE_PX && fabs (x1 - plot_x) <= fabs (x0 - plot_x))
    self->drag_time_ns = self->layout.begin_ns;
  else if (fabs (x0 - plot_x) < EDGE_PX)
    self->drag_time_ns = self->layout.end_ns;
  else
    return FALSE;
  return TRUE;
}

static void
drag_edge (NsTimeline *self, double x)
{
  NsTimelineLayout whole = whole_layout (self);
  gint64 time_ns = ns_timeline_layout_time_at (&whole, ns_timeline_get_plot_x (self, x));
  NsTimeSpan span = { MIN (time_ns, self->drag_time_ns), MAX (time_ns, self->drag_time_ns) };

  ns_timeline_layout_show (&self->layout, span);
  ns_timeline_apply_layout (self);
}

/* Returns whether @x is at the edge of the lane names, which can be dragged. */
static gboolean
is_names_edge (NsTimeline *self, double x)
{
  return fabs (ns_timeline_get_head_x (self, x) - self->names_width) < EDGE_PX;
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, NsTimeline *self)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  double plot_x = ns_timeline_get_plot_x (self, x);

  self->drag = NS_DRAG_NONE;
  self->drag_zooms = FALSE;
  if (self->session == NULL || button == GDK_BUTTON_SECONDARY)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->drag_x = x;
  self->drag_span = (NsTimeSpan){ self->layout.begin_ns, self->layout.end_ns };
  if (is_names_edge (self, x))
    self->drag = NS_DRAG_NAMES;
  else if (ns_timeline_is_head (self, x))
    return;
  else if (button == GDK_BUTTON_MIDDLE)
    self->drag = NS_DRAG_PAN;
  else if (y < self->metrics.overview)
    self->drag = take_edge (self, plot_x) ? NS_DRAG_EDGE : NS_DRAG_FRAME;
  else if (y < ns_timeline_get_top (self) && take_handle (self, plot_x))
    self->drag = NS_DRAG_HANDLE;
  else
    {
      self->drag = NS_DRAG_SPAN;
      self->drag_zooms = (state & GDK_CONTROL_MASK) != 0;
      self->drag_time_ns = ns_timeline_layout_time_at (&self->layout, plot_x);
    }
}

static void
drag_frame (NsTimeline *self, double x)
{
  NsTimelineLayout whole = whole_layout (self);
  gint64 from_ns = ns_timeline_layout_time_at (&whole, ns_timeline_get_plot_x (self, self->drag_x));
  gint64 to_ns = ns_timeline_layout_time_at (&whole, ns_timeline_get_plot_x (self, x));
  gboolean is_inside = from_ns >= self->drag_span.begin_ns && from_ns < self->drag_span.end_ns;
  gboolean is_whole =
      self->drag_span.begin_ns == whole.begin_ns && self->drag_span.end_ns == whole.end_ns;
  NsTimeSpan span;

  /* A drag that begins inside the frame moves it; otherwise, or if everything is visible, it
   * draws a new one. */
  if (is_inside && !is_whole)
    {
      span.begin_ns = self->drag_span.begin_ns + to_ns - from_ns;
      span.end_ns = self->drag_span.end_ns + to_ns - from_ns;
    }
  else
    {
      span.begin_ns = MIN (from_ns, to_ns);
      span.end_ns = MAX (from_ns, to_ns) + 1;
    }
  ns_timeline_layout_show (&self->layout, span);
  ns_timeline_apply_layout (self);
}

static void
drag_span_to (NsTimeline *self, double plot_x)
{
  gint64 time_ns =
      ns_timeline_layout_time_at (&self->layout, CLAMP (plot_x, 0, self->layout.width));
  NsTimeSpan span = { MIN (self->drag_time_ns, time_ns), MAX (self->drag_time_ns, time_ns) };

  span.begin_ns = MAX (span.begin_ns, self->layout.whole.begin_ns);
  span.end_ns = MIN (span.end_ns, self->layout.whole.end_ns);
  ns_session_set_span (self->session, span);
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, NsTimeline *self)
{
  double x = self->drag_x + dx;

  if (self->session == NULL || self->drag == NS_DRAG_NONE)
    return;
  if (fabs (dx) < DRAG_PX && self->drag == NS_DRAG_SPAN)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  switch (self->drag)
    {
    case NS_DRAG_SPAN:
    case NS_DRAG_HANDLE:
      drag_span_to (self, ns_timeline_get_plot_x (self, x));
      break;
    case NS_DRAG_PAN:
      ns_timeline_layout_show (&self->layout, self->drag_span);
      ns_timeline_layout_pan (&self->layout, -dx);
      ns_timeline_apply_layout (self);
      break;
    case NS_DRAG_FRAME:
      drag_frame (self, x);
      break;
    case NS_DRAG_EDGE:
      drag_edge (self, x);
      break;
    case NS_DRAG_NAMES:
      self->wanted_names_width = MAX (ns_timeline_get_head_x (self, x), MIN_NAMES_PX);
      ns_timeline_update_metrics (self);
      break;
    case NS_DRAG_NONE:
    default:
      break;
    }
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, NsTimeline *self)
{
  gboolean is_zoom = self->drag == NS_DRAG_SPAN && self->drag_zooms && fabs (dx) >= DRAG_PX;
  const NsTimeSpan none = { 0, 0 };

  self->drag = NS_DRAG_NONE;
  if (self->session == NULL || !is_zoom)
    return;
  ns_timeline_do (self, NS_TIMELINE_SPAN_TO_ZOOM);
  ns_session_set_span (self->session, none);
}

/* Returns the bar at a position if it matches the filter; dimmed bars cannot be selected. */
static const NsTimelineBar *
kept_bar_at (NsTimeline *self, double x, double y)
{
  const NsTimelineBar *bar = ns_timeline_bar_at (self, x, y);

  return bar != NULL && ns_timeline_lanes_is_kept (self->lanes, bar->row) ? bar : NULL;
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, NsTimeline *self)
{
  if (self->session == NULL || n_press != 2 || ns_timeline_is_head (self, x) ||
      kept_bar_at (self, x, y) == NULL)
    return;
  ns_timeline_do (self, NS_TIMELINE_FOCUS);
  g_signal_emit_by_name (self, "activated");
}

static NsLaneButton
find_button (NsTimeline *self, double x)
{
  return ns_timeline_find_lane_button (&self->metrics,
                                       self->names_width,
                                       ns_timeline_get_head_x (self, x));
}

/* Handles a click on the head of a lane: one of its buttons, or else folds the lane. */
static void
press_head (NsTimeline *self, double x)
{
  switch (find_button (self, x))
    {
    case NS_LANE_BUTTON_PIN:
      ns_timeline_do (self, NS_TIMELINE_PIN);
      break;
    case NS_LANE_BUTTON_HIDE:
      ns_timeline_do (self, NS_TIMELINE_HIDE);
      break;
    case NS_LANE_BUTTON_NONE:
    default:
      ns_timeline_do (self, NS_TIMELINE_FOLD);
      break;
    }
}

static void
released_cb (GtkGestureClick *gesture, int n_press, double x, double y, NsTimeline *self)
{
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  guint32 lane;
  const NsStateMark *state_mark;
  const NsLogMark *line;
  const NsTimelineBar *bar;

  if (self->session == NULL || n_press != 1 || fabs (x - self->drag_x) >= DRAG_PX)
    return;
  lane = ns_timeline_lane_at (self, y);
  if (ns_timeline_is_head (self, x) && y >= self->metrics.overview &&
      y < ns_timeline_get_top (self))
    {
      ns_timeline_popup_corner (self);
      return;
    }
  if (lane == NS_LANE_NONE)
    return;
  self->focus_lane = lane;
  if (ns_timeline_sticky_at (self, y) != NS_LANE_NONE)
    {
      ns_timeline_go_to_sticky (self, lane);
      ns_timeline_speak_lane (self);
      return;
    }
  if (ns_timeline_is_head (self, x))
    {
      press_head (self, x);
      ns_timeline_speak_lane (self);
      return;
    }
  state_mark = ns_timeline_state_at (self, x, y);
  if (state_mark != NULL)
    {
      gtk_widget_activate_action (GTK_WIDGET (self),
                                  "win.go-to",
                                  "(su)",
                                  "events",
                                  state_mark->event);
      return;
    }
  line = ns_timeline_log_line_at (self, x, y);
  if (line != NULL)
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.go-to", "(su)", "log", line->row);
      return;
    }
  bar = kept_bar_at (self, x, y);
  if (bar != NULL)
    ns_timeline_select (self, bar->row, (state & GDK_CONTROL_MASK) != 0);
  else
    ns_session_select (self->session, NS_TABLE_ACTIVITIES, NULL, 0);
}

static void
menu_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, NsTimeline *self)
{
  const NsTimelineBar *bar;
  guint32 lane;

  if (self->session == NULL)
    return;
  bar = kept_bar_at (self, x, y);
  lane = ns_timeline_lane_at (self, y);
  if (lane != NS_LANE_NONE)
    self->focus_lane = lane;
  if (bar == NULL)
    {
      if (lane != NS_LANE_NONE)
        ns_timeline_popup_lane (self, x, y);
      else if (ns_timeline_is_head (self, x))
        ns_timeline_popup_corner (self);
      return;
    }
  if (!ns_session_get_marked (self->session)[bar->row])
    ns_timeline_select (self, bar->row, FALSE);
  g_signal_emit_by_name (self, "menu", x, y);
}

/* Returns the cursor for an edge that can be dragged, or NULL. */
static const char *
find_cursor (NsTimeline *self, double x, double y)
{
  double plot_x = ns_timeline_get_plot_x (self, x);
  gint64 kept_ns = self->drag_time_ns;
  gboolean is_edge;

  if (is_names_edge (self, x))
    return "col-resize";
  if (ns_timeline_is_head (self, x) || y >= ns_timeline_get_top (self))
    return NULL;
  is_edge = y < self->metrics.overview ? take_edge (self, plot_x) : take_handle (self, plot_x);
  self->drag_time_ns = kept_ns;
  return is_edge ? "ew-resize" : NULL;
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, NsTimeline *self)
{
  NsLaneButton button = NS_LANE_BUTTON_NONE;
  const NsTimelineBar *bar;
  guint32 lane;
  guint32 row;

  self->pointer_x = x;
  self->has_pointer = TRUE;
  if (self->session == NULL || self->drag != NS_DRAG_NONE)
    return;
  bar = ns_timeline_bar_at (self, x, y);
  row = bar != NULL ? bar->row : NS_ROW_NONE;
  lane = ns_timeline_is_head (self, x) ? ns_timeline_lane_at (self, y) : NS_LANE_NONE;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), find_cursor (self, x, y));
  if (lane != NS_LANE_NONE)
    button = find_button (self, x);
  if (row == self->hover_row && lane == self->hover_lane && button == self->hover_button)
    return;
  self->hover_row = row;
  self->hover_lane = lane;
  self->hover_button = button;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
leave_cb (GtkEventControllerMotion *controller, NsTimeline *self)
{
  self->has_pointer = FALSE;
  self->hover_row = NS_ROW_NONE;
  self->hover_lane = NS_LANE_NONE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Returns the tooltip of the head of a lane or of one of its buttons. */
static char *
dup_head_sentence (NsTimeline *self, double x, double y)
{
  guint32 shown = ns_timeline_lane_at (self, y);
  const NsLane *lane;

  if (shown == NS_LANE_NONE)
    return NULL;
  lane = ns_timeline_lanes_get (self->lanes, g_array_index (self->lanes->shown, guint32, shown));
  switch (ns_timeline_sticky_at (self, y) == NS_LANE_NONE ? find_button (self, x)
                                                          : NS_LANE_BUTTON_NONE)
    {
    case NS_LANE_BUTTON_PIN:
      return g_strdup (lane->is_pinned ? _ ("Unpin the lane (P)")
                                       : _ ("Pin the lane at the top (P)"));
    case NS_LANE_BUTTON_HIDE:
      return g_strdup (_ ("Hide the lane (H)"));
    case NS_LANE_BUTTON_NONE:
    default:
      return g_strdup_printf ("%s%s%s",
                              lane->name,
                              lane->detail == NULL || *lane->detail == ':' ? "" : " ",
                              lane->detail != NULL ? lane->detail : "");
    }
}

/* Returns the tooltip of a state change: its time and the new state. */
static char *
dup_state_sentence (NsTimeline *self, const NsStateMark *mark)
{
  g_autofree char *when = ns_wall_describe (ns_session_get_wall (self->session),
                                            ns_session_get_trace (self->session),
                                            mark->time_ns);

  if (when == NULL)
    when = ns_words_seconds (mark->time_ns);
  return g_strdup_printf ("%s  %s", when, mark->text);
}

/* Returns the tooltip of a folded block: the number of its rows. */
static char *
dup_block_sentence (NsTimeline *self, double x, double y)
{
  guint32 lane = ns_timeline_lane_at (self, y);
  g_autofree char *failed = NULL;
  g_autofree char *n_failed_text = NULL;
  g_autofree char *count = NULL;
  guint n_rows;
  guint n_failed;

  if (lane == NS_LANE_NONE || self->list == NULL ||
      !ns_timeline_list_count_at (self->list,
                                  lane,
                                  ns_timeline_get_plot_x (self, x),
                                  &n_rows,
                                  &n_failed) ||
      n_rows == 0)
    return NULL;
  count = ns_words_count (n_rows);
  if (n_failed == 0)
    return g_strdup_printf (ngettext ("%s row begins here", "%s rows begin here", n_rows), count);
  n_failed_text = ns_words_count (n_failed);
  failed = g_strdup_printf (ngettext ("%s failed", "%s failed", n_failed), n_failed_text);
  /* Translators: a count of rows, then how many of them failed, as in “3 failed”. */
  return g_strdup_printf (ngettext ("%s row begins here, %s", "%s rows begin here, %s", n_rows),
                          count,
                          failed);
}

/* Returns the tooltip of the line of recording times at @y, or NULL. */
static char *
dup_coverage_sentence (NsTimeline *self, double y)
{
  double k = self->look.scale;
  guint line =
      self->metrics.overview > 0
          ? ns_coverage_find_line (self->coverage, k, y - ns_timeline_metrics_get_overview (k))
          : G_MAXUINT;

  return line != G_MAXUINT ? ns_coverage_describe (self->coverage, line) : NULL;
}

/* Returns the tooltip of anything that is not a bar, or NULL. */
static char *
dup_words_at (NsTimeline *self, double x, double y)
{
  const NsStateMark *mark = ns_timeline_state_at (self, x, y);
  const NsLogMark *line = ns_timeline_log_line_at (self, x, y);

  if (y < self->metrics.overview)
    {
      char *coverage = dup_coverage_sentence (self, y);

      if (coverage != NULL)
        return coverage;
    }
  if (ns_timeline_is_head (self, x))
    return dup_head_sentence (self, x, y);
  if (mark != NULL)
    return dup_state_sentence (self, mark);
  if (line != NULL)
    return ns_words_row (self->session, NS_TABLE_LOG, line->row);
  if (ns_timeline_mark_at (self, x, y) != NULL)
    return g_strdup (ns_timeline_mark_at (self, x, y)->text);
  return ns_timeline_bar_at (self, x, y) == NULL ? dup_block_sentence (self, x, y) : NULL;
}

static gboolean
tooltip_cb (NsTimeline *self, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip)
{
  const NsTimelineBar *bar;
  guint32 row;
  g_autofree char *words = NULL;
  g_autofree char *tip = NULL;

  if (self->session == NULL || ns_help_has_open_menu (GTK_WIDGET (self)))
    return FALSE;
  if (!is_keyboard)
    words = dup_words_at (self, x, y);
  if (words != NULL)
    {
      tip = ns_words_tooltip (words);
      gtk_tooltip_set_text (tooltip, tip);
      return TRUE;
    }
  bar = is_keyboard || ns_timeline_is_head (self, x) ? NULL : ns_timeline_bar_at (self, x, y);
  row = is_keyboard   ? ns_session_get_activity (self->session)
        : bar != NULL ? bar->row
                      : NS_ROW_NONE;
  tip = row != NS_ROW_NONE ? ns_row_tip_new (self->session, row) : NULL;
  gtk_tooltip_set_markup (tooltip, tip);
  return tip != NULL;
}

static const struct
{
  guint key;
  NsTimelineCommand command;
} keys[] = {
  { GDK_KEY_w, NS_TIMELINE_ZOOM_IN },
  { GDK_KEY_plus, NS_TIMELINE_ZOOM_IN },
  { GDK_KEY_equal, NS_TIMELINE_ZOOM_IN },
  { GDK_KEY_KP_Add, NS_TIMELINE_ZOOM_IN },
  { GDK_KEY_s, NS_TIMELINE_ZOOM_OUT },
  { GDK_KEY_minus, NS_TIMELINE_ZOOM_OUT },
  { GDK_KEY_KP_Subtract, NS_TIMELINE_ZOOM_OUT },
  { GDK_KEY_0, NS_TIMELINE_WHOLE },
  { GDK_KEY_f, NS_TIMELINE_FOCUS },
  { GDK_KEY_a, NS_TIMELINE_EARLIER },
  { GDK_KEY_Left, NS_TIMELINE_EARLIER },
  { GDK_KEY_d, NS_TIMELINE_LATER },
  { GDK_KEY_Right, NS_TIMELINE_LATER },
  { GDK_KEY_Up, NS_TIMELINE_LANE_UP },
  { GDK_KEY_Down, NS_TIMELINE_LANE_DOWN },
  { GDK_KEY_period, NS_TIMELINE_BAR_NEXT },
  { GDK_KEY_comma, NS_TIMELINE_BAR_BEFORE },
  { GDK_KEY_r, NS_TIMELINE_ROW_TO_SPAN },
  { GDK_KEY_z, NS_TIMELINE_SPAN_TO_ZOOM },
  { GDK_KEY_space, NS_TIMELINE_FOLD },
  { GDK_KEY_p, NS_TIMELINE_PIN },
  { GDK_KEY_h, NS_TIMELINE_HIDE },
  { GDK_KEY_m, NS_TIMELINE_BOOKMARK },
  { GDK_KEY_n, NS_TIMELINE_NEXT_BOOKMARK },
};

/* Opens the context menu of the selected bar if it is in the focused lane, else of the lane. */
static void
popup_focused (NsTimeline *self)
{
  double y = ns_timeline_get_top (self) + (self->focus_lane + 0.5) * self->metrics.lane -
             gtk_adjustment_get_value (self->adjustment);
  guint32 row = ns_session_get_activity (self->session);
  const NsTimelineBar *bar =
      self->list != NULL && row != G_MAXUINT32 ? ns_timeline_list_find_row (self->list, row) : NULL;

  if (bar != NULL && bar->shown == self->focus_lane)
    g_signal_emit_by_name (self,
                           "menu",
                           ns_timeline_from_plot_x (self, CLAMP (bar->x0, 0, self->layout.width)),
                           y);
  else
    ns_timeline_popup_lane (self, ns_timeline_get_head_x (self, self->names_width), y);
}

/* Handles Ctrl+[ and Ctrl+], which pan by a page, and Alt+R, which selects the span between
 * bookmarks. */
static gboolean
do_with_modifier (NsTimeline *self, guint key, GdkModifierType state)
{
  if (state & GDK_ALT_MASK && gdk_keyval_to_lower (key) == GDK_KEY_r)
    ns_timeline_do (self, NS_TIMELINE_MARKS_TO_SPAN);
  else if (state & GDK_CONTROL_MASK && key == GDK_KEY_bracketleft)
    ns_timeline_do (self, NS_TIMELINE_PAGE_EARLIER);
  else if (state & GDK_CONTROL_MASK && key == GDK_KEY_bracketright)
    ns_timeline_do (self, NS_TIMELINE_PAGE_LATER);
  else
    return FALSE;
  return TRUE;
}

/* Handles Shift+comma and Shift+period by key code, since the shifted characters depend on the
 * keyboard layout. */
static gboolean
step_same (NsTimeline *self, guint keycode)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (self));
  guint key = 0;

  if (!gdk_display_translate_key (display, keycode, 0, 0, &key, NULL, NULL, NULL) ||
      (key != GDK_KEY_comma && key != GDK_KEY_period))
    return FALSE;
  ns_timeline_do (self, key == GDK_KEY_period ? NS_TIMELINE_SAME_NEXT : NS_TIMELINE_SAME_BEFORE);
  return TRUE;
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        NsTimeline *self)
{
  guint i;

  if (self->session == NULL)
    return FALSE;
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return do_with_modifier (self, key, state);
  if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter)
    {
      if (ns_timeline_go_to_sticky (self, self->focus_lane))
        return TRUE;
      g_signal_emit_by_name (self, "activated");
      return TRUE;
    }
  if (key == GDK_KEY_Menu || (key == GDK_KEY_F10 && state & GDK_SHIFT_MASK))
    {
      popup_focused (self);
      return TRUE;
    }
  if (gdk_keyval_to_lower (key) == GDK_KEY_m && state & GDK_SHIFT_MASK)
    {
      ns_timeline_do (self, NS_TIMELINE_NAME_BOOKMARK);
      return TRUE;
    }
  if (key == GDK_KEY_t)
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.next-clock", NULL);
  if (gdk_keyval_to_lower (key) == GDK_KEY_h && state & GDK_SHIFT_MASK)
    {
      ns_timeline_do (self, NS_TIMELINE_SHOW_HIDDEN);
      return TRUE;
    }
  if (state & GDK_SHIFT_MASK && step_same (self, keycode))
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == gdk_keyval_to_lower (key))
      {
        ns_timeline_do (self, keys[i].command);
        return TRUE;
      }
  return FALSE;
}

static void
add_gestures (NsTimeline *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *menu = gtk_gesture_click_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_group (click, drag);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  g_signal_connect (menu, "pressed", G_CALLBACK (menu_pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (menu));
  g_signal_connect (pinch, "begin", G_CALLBACK (pinch_begin_cb), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (pinch_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}

/* Adds the event controllers and the tooltip handler. */
void
ns_timeline_add_controllers (NsTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *key = gtk_event_controller_key_new ();

  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (widget, scroll);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (key, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (widget, key);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (tooltip_cb), NULL);
  add_gestures (self);
}

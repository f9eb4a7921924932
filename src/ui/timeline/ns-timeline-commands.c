/* Commands of the timeline for keys, menus and actions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/timeline/ns-timeline-private.h"

/* Zoom factor of a key or button, and shares of the visible time that a step and a page pan. */
#define ZOOM_STEP 1.5
#define PAN_STEP 0.1
#define PAGE_STEP 0.9

/* Pans so that the row is in the middle. Returns FALSE if it is there already, or is longer than
 * the visible time. */
static gboolean
centre_row (NsTimeline *self, NsTimeSpan span)
{
  gint64 length = self->layout.end_ns - self->layout.begin_ns;
  gint64 middle = span.begin_ns + (span.end_ns - span.begin_ns) / 2;
  NsTimeSpan before = { self->layout.begin_ns, self->layout.end_ns };

  if (span.end_ns - span.begin_ns > length)
    return FALSE;
  ns_timeline_layout_show (&self->layout,
                           (NsTimeSpan){ middle - length / 2, middle - length / 2 + length });
  return before.begin_ns != self->layout.begin_ns;
}

/* Centres the selected row the first time, and zooms to it the second time. */
static void
focus_selected (NsTimeline *self)
{
  guint32 row = ns_session_get_activity (self->session);
  NsTimeSpan span;
  NsTimeSpan wanted;
  gint64 length;

  if (row == G_MAXUINT32 ||
      !ns_session_get_row_span (self->session, NS_TABLE_ACTIVITIES, row, &span))
    return;
  if (self->fit_row != row && centre_row (self, span))
    {
      self->fit_row = row;
      ns_timeline_apply_layout (self);
      ns_timeline_reveal (self, row);
      return;
    }
  self->fit_row = NS_ROW_NONE;
  length = span.end_ns - span.begin_ns;
  wanted.begin_ns = span.begin_ns - length / 8 - 1000;
  wanted.end_ns = span.end_ns + length / 4 + 1000;
  ns_timeline_layout_show (&self->layout, wanted);
  ns_timeline_apply_layout (self);
  ns_timeline_reveal (self, row);
}

/* Announces the focused lane to screen readers. */
void
ns_timeline_speak_lane (NsTimeline *self)
{
  guint32 lane;

  if (self->lanes == NULL || self->focus_lane >= self->lanes->shown->len)
    return;
  lane = g_array_index (self->lanes->shown, guint32, self->focus_lane);
  ns_accessible_set_name (GTK_WIDGET (self), ns_timeline_lanes_get (self->lanes, lane)->name);
}

static void
step_lane (NsTimeline *self, int by)
{
  guint n_lanes = self->lanes->shown->len;

  if (n_lanes == 0)
    return;
  self->focus_lane = (guint32) CLAMP ((gint64) self->focus_lane + by, 0, (gint64) n_lanes - 1);
  ns_timeline_show_lane (self, self->focus_lane);
  ns_timeline_speak_lane (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
step_bar (NsTimeline *self, int by, gboolean is_same)
{
  guint32 chosen = ns_session_get_activity (self->session);
  guint32 lane;
  guint32 row;

  if (self->focus_lane >= self->lanes->shown->len)
    return;
  lane = g_array_index (self->lanes->shown, guint32, self->focus_lane);
  row = is_same ? ns_timeline_lanes_step_connection (self->lanes,
                                                     ns_session_get_trace (self->session),
                                                     lane,
                                                     chosen,
                                                     by)
                : ns_timeline_lanes_step (self->lanes, lane, chosen, by);
  if (row == NS_LANE_NONE)
    return;
  ns_timeline_select (self, row, FALSE);
  ns_timeline_reveal (self, row);
}

static void
fold_lane (NsTimeline *self)
{
  guint32 lane;

  if (self->focus_lane >= self->lanes->shown->len)
    return;
  lane = g_array_index (self->lanes->shown, guint32, self->focus_lane);
  ns_timeline_lanes_set_folded (self->lanes,
                                lane,
                                !ns_timeline_lanes_get (self->lanes, lane)->is_folded);
  ns_timeline_update_adjustment (self);
  ns_timeline_queue_list (self);
}

static void
select_row_span (NsTimeline *self)
{
  guint32 row = ns_session_get_activity (self->session);
  NsTimeSpan span;

  if (row != G_MAXUINT32 &&
      ns_session_get_row_span (self->session, NS_TABLE_ACTIVITIES, row, &span))
    ns_session_set_span (self->session, span);
}

/**
 * ns_timeline_do:
 * @self: a timeline
 * @command: the command
 */
void
ns_timeline_do (NsTimeline *self, NsTimelineCommand command)
{
  double middle = ns_timeline_from_plot_x (self, self->layout.width / 2);

  g_return_if_fail (NS_IS_TIMELINE (self));

  if (self->session == NULL)
    return;
  switch (command)
    {
    case NS_TIMELINE_ZOOM_IN:
      ns_timeline_zoom_at (self, middle, ZOOM_STEP);
      break;
    case NS_TIMELINE_ZOOM_OUT:
      ns_timeline_zoom_at (self, middle, 1 / ZOOM_STEP);
      break;
    case NS_TIMELINE_WHOLE:
      ns_timeline_layout_show (&self->layout, self->layout.whole);
      ns_timeline_apply_layout (self);
      break;
    case NS_TIMELINE_FOCUS:
      focus_selected (self);
      break;
    case NS_TIMELINE_EARLIER:
    case NS_TIMELINE_LATER:
      ns_timeline_layout_pan (&self->layout,
                              self->layout.width *
                                  (command == NS_TIMELINE_LATER ? PAN_STEP : -PAN_STEP));
      ns_timeline_apply_layout (self);
      break;
    case NS_TIMELINE_PAGE_EARLIER:
    case NS_TIMELINE_PAGE_LATER:
      ns_timeline_layout_pan (&self->layout,
                              self->layout.width *
                                  (command == NS_TIMELINE_PAGE_LATER ? PAGE_STEP : -PAGE_STEP));
      ns_timeline_apply_layout (self);
      break;
    case NS_TIMELINE_LANE_UP:
    case NS_TIMELINE_LANE_DOWN:
      step_lane (self, command == NS_TIMELINE_LANE_UP ? -1 : 1);
      break;
    case NS_TIMELINE_BAR_NEXT:
    case NS_TIMELINE_BAR_BEFORE:
      step_bar (self, command == NS_TIMELINE_BAR_NEXT ? 1 : -1, FALSE);
      break;
    case NS_TIMELINE_SAME_NEXT:
    case NS_TIMELINE_SAME_BEFORE:
      step_bar (self, command == NS_TIMELINE_SAME_NEXT ? 1 : -1, TRUE);
      break;
    case NS_TIMELINE_ROW_TO_SPAN:
      select_row_span (self);
      break;
    case NS_TIMELINE_SPAN_TO_ZOOM:
      if (ns_session_get_span (self->session).begin_ns < ns_session_get_span (self->session).end_ns)
        {
          ns_timeline_layout_show (&self->layout, ns_session_get_span (self->session));
          ns_timeline_apply_layout (self);
        }
      break;
    case NS_TIMELINE_ZOOM_LANE:
      ns_timeline_zoom_lane (self);
      break;
    case NS_TIMELINE_FOLD:
      fold_lane (self);
      break;
    case NS_TIMELINE_PIN:
    case NS_TIMELINE_HIDE:
    case NS_TIMELINE_SHOW_HIDDEN:
    case NS_TIMELINE_MARKS_TO_SPAN:
    case NS_TIMELINE_BOOKMARK:
    case NS_TIMELINE_NAME_BOOKMARK:
    case NS_TIMELINE_NEXT_BOOKMARK:
      ns_timeline_mark (self, command);
      break;
    default:
      break;
    }
}

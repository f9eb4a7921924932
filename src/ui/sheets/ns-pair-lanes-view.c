/* Lanes of two machines on one clock, below the timeline.
 *
 * The lanes show the visible span of the session. Zooming and panning changes that span, and so the
 * timeline with it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-pair-lanes-view.h"

#include "ui/ns-accessible.h"
#include "ui/ns-theme.h"

#include <glib/gi18n.h>
#include <math.h>

/* Zoom factors of a wheel step and of a key, the part of the width that a key pans, and the pixels
 * that a wheel step pans. The timeline uses the same. */
#define ZOOM_STEP 1.2
#define KEY_ZOOM 1.5
#define PAN_PART 0.1
#define WHEEL_PX 60
/* Height limits; lanes that do not fit are scrolled by SCROLL_PX per step. */
#define MOST_PX 220
#define LEAST_PX 80
#define SCROLL_PX 56
/* A drag over a shorter distance is a click. */
#define CLICK_PX 4

struct _NsPairLanesView
{
  GtkWidget parent_instance;

  NsSession *session; /* (nullable) */
  NsPairLanes *lanes; /* (nullable) */
  guint chosen;       /* row of the pairs */
  double scroll_y;
  double pointer_x;
  NsTimeSpan drag_from; /* visible span at the start of the drag */
  double drag_scroll_y;
};

G_DEFINE_FINAL_TYPE (NsPairLanesView, ns_pair_lanes_view, GTK_TYPE_WIDGET)

enum
{
  SIGNAL_CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static double
get_scale (NsPairLanesView *self)
{
  NsThemeLook look = { 0 };
  double scale;

  ns_theme_look_read (&look, GTK_WIDGET (self));
  scale = look.scale;
  ns_theme_look_clear (&look);
  return scale;
}

/* Returns the layout of the visible span in the area right of the lane names. */
static NsTimelineLayout
get_layout (NsPairLanesView *self)
{
  double names = ns_pair_lanes_get_names_width (get_scale (self));
  NsTimelineLayout layout;

  ns_timeline_layout_init (&layout,
                           ns_session_get_whole (self->session),
                           MAX (gtk_widget_get_width (GTK_WIDGET (self)) - names, 1));
  ns_timeline_layout_show (&layout, ns_session_get_visible (self->session));
  return layout;
}

static void
apply (NsPairLanesView *self, const NsTimelineLayout *layout)
{
  ns_session_set_visible (self->session, (NsTimeSpan){ layout->begin_ns, layout->end_ns });
}

static void
scroll_to (NsPairLanesView *self, double y)
{
  double most = self->lanes != NULL ? ns_pair_lanes_get_height (self->lanes, get_scale (self)) -
                                          gtk_widget_get_height (GTK_WIDGET (self))
                                    : 0;

  self->scroll_y = CLAMP (y, 0, MAX (most, 0));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
can_move (NsPairLanesView *self)
{
  return self->session != NULL && self->lanes != NULL;
}

static void
zoom_at (NsPairLanesView *self, double x, double factor)
{
  NsTimelineLayout layout = get_layout (self);
  double names = ns_pair_lanes_get_names_width (get_scale (self));

  ns_timeline_layout_zoom (&layout, CLAMP (x - names, 0, layout.width), factor);
  apply (self, &layout);
}

static void
pan_by (NsPairLanesView *self, double px)
{
  NsTimelineLayout layout = get_layout (self);

  ns_timeline_layout_pan (&layout, px);
  apply (self, &layout);
}

static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, NsPairLanesView *self)
{
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if (!can_move (self))
    return FALSE;
  if (state & GDK_CONTROL_MASK)
    zoom_at (self, self->pointer_x, pow (ZOOM_STEP, -dy));
  else if (state & GDK_SHIFT_MASK || fabs (dx) > fabs (dy))
    pan_by (self, (fabs (dx) > fabs (dy) ? dx : dy) * WHEEL_PX);
  else
    scroll_to (self, self->scroll_y + dy * SCROLL_PX);
  return TRUE;
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, NsPairLanesView *self)
{
  self->pointer_x = x;
}

static void
drag_begin_cb (GtkGestureDrag *drag, double x, double y, NsPairLanesView *self)
{
  if (!can_move (self))
    return;
  self->drag_from = ns_session_get_visible (self->session);
  self->drag_scroll_y = self->scroll_y;
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
drag_update_cb (GtkGestureDrag *drag, double dx, double dy, NsPairLanesView *self)
{
  NsTimelineLayout layout;

  if (!can_move (self) || (fabs (dx) < CLICK_PX && fabs (dy) < CLICK_PX))
    return;
  layout = get_layout (self);
  ns_timeline_layout_show (&layout, self->drag_from);
  ns_timeline_layout_pan (&layout, -dx);
  apply (self, &layout);
  scroll_to (self, self->drag_scroll_y - dy);
}

static void
drag_end_cb (GtkGestureDrag *drag, double dx, double dy, NsPairLanesView *self)
{
  NsTimelineLayout layout;
  double x;
  double y;
  guint row;

  if (!can_move (self) || fabs (dx) >= CLICK_PX || fabs (dy) >= CLICK_PX ||
      !gtk_gesture_drag_get_start_point (drag, &x, &y))
    return;
  layout = get_layout (self);
  row = ns_pair_lanes_find_row (self->lanes, &layout, x, y + self->scroll_y, get_scale (self));
  if (row != NS_PAIR_LANES_NONE)
    g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, row);
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        NsPairLanesView *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));

  if (!can_move (self) || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
    case GDK_KEY_w:
      zoom_at (self, width / 2, KEY_ZOOM);
      return TRUE;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
    case GDK_KEY_s:
      zoom_at (self, width / 2, 1 / KEY_ZOOM);
      return TRUE;
    case GDK_KEY_0:
      ns_session_set_visible (self->session, ns_session_get_whole (self->session));
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_a:
      pan_by (self, -width * PAN_PART);
      return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_d:
      pan_by (self, width * PAN_PART);
      return TRUE;
    case GDK_KEY_Up:
      scroll_to (self, self->scroll_y - SCROLL_PX);
      return TRUE;
    case GDK_KEY_Down:
      scroll_to (self, self->scroll_y + SCROLL_PX);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
ns_pair_lanes_view_measure (GtkWidget *widget,
                            GtkOrientation orientation,
                            int for_size,
                            int *minimum,
                            int *natural,
                            int *minimum_baseline,
                            int *natural_baseline)
{
  NsPairLanesView *self = NS_PAIR_LANES_VIEW (widget);
  double scale = get_scale (self);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = *natural = 0;
      return;
    }
  *natural = self->lanes != NULL
                 ? (int) MIN (ceil (ns_pair_lanes_get_height (self->lanes, scale)), MOST_PX * scale)
                 : 0;
  *minimum = MIN (*natural, (int) (LEAST_PX * scale));
}

static void
ns_pair_lanes_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  NsPairLanesView *self = NS_PAIR_LANES_VIEW (widget);
  double most =
      self->lanes != NULL ? ns_pair_lanes_get_height (self->lanes, get_scale (self)) - height : 0;

  self->scroll_y = CLAMP (self->scroll_y, 0, MAX (most, 0));
}

static void
ns_pair_lanes_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  NsPairLanesView *self = NS_PAIR_LANES_VIEW (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  NsThemeLook look = { 0 };
  NsTimelineLayout layout;
  NsPaint paint;
  cairo_t *cr;

  if (!can_move (self) || width < 4)
    return;
  layout = get_layout (self);
  ns_theme_look_read (&look, widget);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  ns_theme_look_begin (&look, &paint, cr);
  ns_pair_lanes_paint (self->lanes, &paint, &layout, self->chosen, self->scroll_y, height);
  cairo_destroy (cr);
  ns_theme_look_clear (&look);
}

static void
ns_pair_lanes_view_dispose (GObject *object)
{
  NsPairLanesView *self = NS_PAIR_LANES_VIEW (object);

  ns_pair_lanes_view_set_session (self, NULL);
  g_clear_pointer (&self->lanes, ns_pair_lanes_free);
  G_OBJECT_CLASS (ns_pair_lanes_view_parent_class)->dispose (object);
}

static void
ns_pair_lanes_view_class_init (NsPairLanesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_pair_lanes_view_dispose;
  widget_class->measure = ns_pair_lanes_view_measure;
  widget_class->size_allocate = ns_pair_lanes_view_size_allocate;
  widget_class->snapshot = ns_pair_lanes_view_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen",
                                         NS_TYPE_PAIR_LANES_VIEW,
                                         G_SIGNAL_RUN_LAST,
                                         0,
                                         NULL,
                                         NULL,
                                         NULL,
                                         G_TYPE_NONE,
                                         1,
                                         G_TYPE_UINT);
}

static void
ns_pair_lanes_view_init (NsPairLanesView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->chosen = NS_PAIR_LANES_NONE;
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  ns_accessible_set_name (widget, _ ("Requests of both machines on one clock"));
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (key, "key-pressed", G_CALLBACK (key_cb), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, key);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}

/**
 * ns_pair_lanes_view_new:
 *
 * Returns: (transfer floating): a view without lanes
 */
GtkWidget *
ns_pair_lanes_view_new (void)
{
  return g_object_new (NS_TYPE_PAIR_LANES_VIEW, NULL);
}

/**
 * ns_pair_lanes_view_set_session:
 * @self: a view
 * @session: (nullable): the session whose visible span the view shows
 */
void
ns_pair_lanes_view_set_session (NsPairLanesView *self, NsSession *session)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  if (session != NULL)
    g_signal_connect_swapped (session, "spans-changed", G_CALLBACK (gtk_widget_queue_draw), self);
}

/**
 * ns_pair_lanes_view_set_lanes:
 * @self: a view
 * @lanes: (transfer full) (nullable): the lanes to show; their pairs must outlive the view
 */
void
ns_pair_lanes_view_set_lanes (NsPairLanesView *self, NsPairLanes *lanes)
{
  g_clear_pointer (&self->lanes, ns_pair_lanes_free);
  self->lanes = lanes;
  self->chosen = NS_PAIR_LANES_NONE;
  self->scroll_y = 0;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/**
 * ns_pair_lanes_view_choose:
 * @self: a view
 * @row: a row of the pairs; %NS_PAIR_LANES_NONE: none
 *
 * Draws the links between the client and server side of a request, and scrolls to its lane.
 */
void
ns_pair_lanes_view_choose (NsPairLanesView *self, guint row)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self));
  double y = self->lanes != NULL ? ns_pair_lanes_find_y (self->lanes, row, get_scale (self)) : -1;

  self->chosen = row;
  if (y >= 0 && height > 0 &&
      (y - self->scroll_y > height - LEAST_PX / 2.0 || y - self->scroll_y < LEAST_PX / 2.0))
    scroll_to (self, y - height / 2.0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Child widgets of the timeline for the overview strip and the ruler, which can be focused.
 *
 * The timeline paints them; a part has the keyboard focus, handles keys and has an accessible name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/timeline/ns-timeline-part.h"

#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/timeline/ns-timeline-private.h"

#include <glib/gi18n.h>

/* Shift and an arrow key move the right edge of the frame by this fraction of the visible time. */
#define EDGE_STEP 20
/* Distance in px that Ctrl and an arrow key move a handle. */
#define FAST_PX 10

struct _NsTimelinePart
{
  GtkWidget parent_instance;

  gboolean is_ruler;
};

G_DEFINE_FINAL_TYPE (NsTimelinePart, ns_timeline_part, GTK_TYPE_WIDGET)

static NsTimeline *
get_timeline (NsTimelinePart *self)
{
  return NS_TIMELINE (gtk_widget_get_parent (GTK_WIDGET (self)));
}

static void
show_span (NsTimeline *timeline, NsTimeSpan span)
{
  ns_timeline_layout_show (&timeline->layout, span);
  ns_timeline_apply_layout (timeline);
}

/* Pans to the start or the end of the trace. */
static void
go_to_end (NsTimeline *timeline, gboolean is_begin)
{
  NsTimeSpan whole = timeline->layout.whole;
  gint64 length_ns = timeline->layout.end_ns - timeline->layout.begin_ns;

  if (is_begin)
    show_span (timeline, (NsTimeSpan){ whole.begin_ns, whole.begin_ns + length_ns });
  else
    show_span (timeline, (NsTimeSpan){ whole.end_ns - length_ns, whole.end_ns });
}

/* Moves the right edge of the frame; the left one is fixed. */
static void
move_edge (NsTimeline *timeline, int by)
{
  NsTimeSpan span = { timeline->layout.begin_ns, timeline->layout.end_ns };

  span.end_ns += by * MAX ((span.end_ns - span.begin_ns) / EDGE_STEP, 1);
  span.end_ns = MIN (span.end_ns, timeline->layout.whole.end_ns);
  if (span.end_ns > span.begin_ns)
    show_span (timeline, span);
}

static gboolean
press_in_overview (NsTimeline *timeline, guint key, GdkModifierType state)
{
  int by = key == GDK_KEY_Left ? -1 : 1;

  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      if (state & GDK_SHIFT_MASK)
        move_edge (timeline, by);
      else
        ns_timeline_do (timeline, by < 0 ? NS_TIMELINE_EARLIER : NS_TIMELINE_LATER);
      return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_End:
      go_to_end (timeline, key == GDK_KEY_Home);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      ns_timeline_do (timeline, NS_TIMELINE_WHOLE);
      return TRUE;
    default:
      return FALSE;
    }
}

/* Moves the focused handle, up to the other one. */
static void
move_handle (NsTimeline *timeline, double px)
{
  NsTimeSpan span = ns_session_get_span (timeline->session);
  NsTimeSpan whole = timeline->layout.whole;
  gint64 *edge_ns = timeline->is_end_focused ? &span.end_ns : &span.begin_ns;
  double x = ns_timeline_layout_x_at (&timeline->layout, *edge_ns) + px;

  *edge_ns =
      CLAMP (ns_timeline_layout_time_at (&timeline->layout, x), whole.begin_ns, whole.end_ns);
  if (span.begin_ns < span.end_ns)
    ns_session_set_span (timeline->session, span);
}

static gboolean
press_in_ruler (NsTimeline *timeline, guint key, GdkModifierType state)
{
  NsTimeSpan span = ns_session_get_span (timeline->session);
  double px = state & GDK_CONTROL_MASK ? FAST_PX : 1;

  if (key == GDK_KEY_Left || key == GDK_KEY_Right)
    {
      if (span.begin_ns < span.end_ns)
        move_handle (timeline, key == GDK_KEY_Left ? -px : px);
      else
        ns_timeline_do (timeline, key == GDK_KEY_Left ? NS_TIMELINE_EARLIER : NS_TIMELINE_LATER);
      return TRUE;
    }
  if (key != GDK_KEY_Home && key != GDK_KEY_End)
    return FALSE;
  timeline->is_end_focused = key == GDK_KEY_End;
  ns_timeline_update_parts (timeline);
  gtk_widget_queue_draw (GTK_WIDGET (timeline));
  return TRUE;
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        NsTimelinePart *self)
{
  NsTimeline *timeline = get_timeline (self);

  if (timeline->session == NULL || state & GDK_ALT_MASK)
    return FALSE;
  return self->is_ruler ? press_in_ruler (timeline, key, state)
                        : press_in_overview (timeline, key, state);
}

static void
ns_timeline_part_class_init (NsTimelinePartClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_css_name (widget_class, "part");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
}

static void
ns_timeline_part_init (NsTimelinePart *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  /* The timeline handles the pointer. */
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

/* Creates the parts. */
void
ns_timeline_add_parts (NsTimeline *timeline)
{
  guint i;

  for (i = 0; i < NS_TIMELINE_N_PARTS; i++)
    {
      NsTimelinePart *part = g_object_new (NS_TYPE_TIMELINE_PART, NULL);

      part->is_ruler = i == NS_TIMELINE_PART_RULER;
      timeline->parts[i] = GTK_WIDGET (part);
      gtk_widget_set_parent (timeline->parts[i], GTK_WIDGET (timeline));
    }
}

/* Allocates the parts over the overview strip and the ruler. */
void
ns_timeline_allocate_parts (NsTimeline *timeline)
{
  int width = gtk_widget_get_width (GTK_WIDGET (timeline));
  int left = (int) ns_timeline_from_plot_x (timeline, 0);
  int wide = MAX (width - (int) timeline->names_width, 1);
  int top = (int) timeline->metrics.overview;
  GtkAllocation overview = { left, 0, wide, MAX (top, 1) };
  GtkAllocation ruler = { left, top, wide, (int) timeline->metrics.ruler };
  guint i;

  for (i = 0; i < NS_TIMELINE_N_PARTS; i++)
    gtk_widget_measure (timeline->parts[i], GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_set_child_visible (timeline->parts[NS_TIMELINE_PART_OVERVIEW], top > 0);
  gtk_widget_size_allocate (timeline->parts[NS_TIMELINE_PART_OVERVIEW], &overview, -1);
  gtk_widget_size_allocate (timeline->parts[NS_TIMELINE_PART_RULER], &ruler, -1);
}

/* Updates the accessible names of the parts. */
void
ns_timeline_update_parts (NsTimeline *timeline)
{
  g_autofree char *begin = ns_words_seconds (timeline->layout.begin_ns);
  g_autofree char *end = ns_words_seconds (timeline->layout.end_ns);
  g_autofree char *overview = NULL;
  g_autofree char *ruler = NULL;
  NsTimeSpan span = { 0, 0 };

  if (timeline->session != NULL)
    span = ns_session_get_span (timeline->session);
  /* Translators: two times: what is in view. */
  overview = g_strdup_printf (_ ("Overview, in view: %s to %s"), begin, end);
  if (span.begin_ns < span.end_ns)
    {
      g_autofree char *from = ns_words_seconds (span.begin_ns);
      g_autofree char *to = ns_words_seconds (span.end_ns);

      /* Translators: two times: the selected span. */
      ruler = timeline->is_end_focused
                  ? g_strdup_printf (_ ("Ruler, end of the selected span: %s to %s"), from, to)
                  : g_strdup_printf (_ ("Ruler, start of the selected span: %s to %s"), from, to);
    }
  else
    ruler = g_strdup_printf (_ ("Ruler, in view: %s to %s"), begin, end);
  ns_accessible_set_name (timeline->parts[NS_TIMELINE_PART_OVERVIEW], overview);
  ns_accessible_set_name (timeline->parts[NS_TIMELINE_PART_RULER], ruler);
}

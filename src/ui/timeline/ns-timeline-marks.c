/* What a user marks on the timeline: pinned and hidden lanes, bookmarks, what the lanes are by;
 * and the picture of it on paper.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/timeline/ns-timeline-private.h"

#include <glib/gi18n.h>
#include <math.h>

/* Marks of one kind that are kept; a view file that has more is not ours. */
#define MAX_MARKS 10000
/* A bookmark nearer than this to where one is asked for is meant. */
#define BOOKMARK_PX 4
#define MENU_RESOURCE "/org/netstitch/Netstitch/lanes-menu.ui"

static const char *const grouping_names[] = {
  [NS_LANES_BY_PROCESS] = "process",   [NS_LANES_BY_SERVER] = "server",
  [NS_LANES_BY_PROTOCOL] = "protocol", [NS_LANES_BY_THREAD] = "thread",
  [NS_LANES_BY_ACTIVITY] = "activity",
};

/* What stands left of the ruler. */
const char *
ns_timeline_get_corner (NsTimeline *self)
{
  if (self->building != NULL)
    return _ ("sorting rows into lanes…");
  switch (self->grouping)
    {
    case NS_LANES_BY_SERVER:
      return _ ("server › process › connection ▾");
    case NS_LANES_BY_PROTOCOL:
      return _ ("protocol › server › connection ▾");
    case NS_LANES_BY_THREAD:
      return _ ("thread › server › connection ▾");
    case NS_LANES_BY_ACTIVITY:
      return _ ("activity id › server › connection ▾");
    case NS_LANES_BY_PROCESS:
    case NS_N_LANE_GROUPINGS:
    default:
      return _ ("process › server › connection ▾");
    }
}

static NsLaneMark *
find_mark (NsTimeline *self, guint64 key, NsLaneKind kind)
{
  guint i;

  for (i = 0; i < self->lane_marks->len; i++)
    {
      NsLaneMark *mark = &g_array_index (self->lane_marks, NsLaneMark, i);

      if (mark->key == key && mark->kind == kind)
        return mark;
    }
  return NULL;
}

/* Shows the lanes as they are marked now. */
static void
apply_marks (NsTimeline *self)
{
  if (self->lanes == NULL)
    return;
  ns_timeline_lanes_mark (self->lanes, self->lane_marks);
  if (self->focus_lane >= self->lanes->shown->len)
    self->focus_lane = MAX (self->lanes->shown->len, 1) - 1;
  ns_timeline_update_adjustment (self);
  ns_timeline_queue_list (self);
  g_signal_emit_by_name (self, "marks-changed");
}

static NsLaneMark *
ensure_focused_mark (NsTimeline *self)
{
  const NsLane *lane;
  NsLaneMark *mark;
  NsLaneMark fresh = { 0 };

  if (self->lanes == NULL || self->focus_lane >= self->lanes->shown->len)
    return NULL;
  lane = ns_timeline_lanes_get (self->lanes,
                                g_array_index (self->lanes->shown, guint32, self->focus_lane));
  mark = find_mark (self, lane->key, lane->kind);
  if (mark != NULL || self->lane_marks->len >= MAX_MARKS)
    return mark;
  fresh.key = lane->key;
  fresh.kind = lane->kind;
  g_array_append_val (self->lane_marks, fresh);
  return &g_array_index (self->lane_marks, NsLaneMark, self->lane_marks->len - 1);
}

static void
show_hidden (NsTimeline *self)
{
  guint i;

  for (i = 0; i < self->lane_marks->len; i++)
    g_array_index (self->lane_marks, NsLaneMark, i).is_hidden = FALSE;
}

static int
compare_moments (gconstpointer a, gconstpointer b)
{
  gint64 one = *(const gint64 *) a;
  gint64 two = *(const gint64 *) b;

  return one < two ? -1 : one > two;
}

/* Where a bookmark is wanted: at the row, the span or in the middle of what is seen. */
static gint64
find_bookmark_time (NsTimeline *self)
{
  guint32 row = ns_session_get_activity (self->session);
  NsTimeSpan span = ns_session_get_span (self->session);
  NsTimeSpan at;

  if (row != G_MAXUINT32 && ns_session_get_row_span (self->session, NS_TABLE_ACTIVITIES, row, &at))
    return at.begin_ns;
  if (span.begin_ns < span.end_ns)
    return span.begin_ns;
  return self->layout.begin_ns + (self->layout.end_ns - self->layout.begin_ns) / 2;
}

/* Sets a bookmark, or takes the one that stands there away. */
static void
toggle_bookmark (NsTimeline *self)
{
  gint64 time_ns = find_bookmark_time (self);
  double x = ns_timeline_layout_x_at (&self->layout, time_ns);
  guint i;

  for (i = 0; i < self->bookmarks->len; i++)
    {
      gint64 one = g_array_index (self->bookmarks, gint64, i);

      if (one != time_ns && fabs (ns_timeline_layout_x_at (&self->layout, one) - x) > BOOKMARK_PX)
        continue;
      g_array_remove_index (self->bookmarks, i);
      return;
    }
  if (self->bookmarks->len >= MAX_MARKS)
    return;
  g_array_append_val (self->bookmarks, time_ns);
  g_array_sort (self->bookmarks, compare_moments);
}

static void
step_bookmark (NsTimeline *self)
{
  gint64 middle = self->layout.begin_ns + (self->layout.end_ns - self->layout.begin_ns) / 2;
  gint64 wanted;
  guint i;

  if (self->bookmarks->len == 0)
    return;
  wanted = g_array_index (self->bookmarks, gint64, 0);
  for (i = 0; i < self->bookmarks->len; i++)
    /* One px further, as the middle may be rounded. */
    if (ns_timeline_layout_x_at (&self->layout, g_array_index (self->bookmarks, gint64, i)) >
        ns_timeline_layout_x_at (&self->layout, middle) + 1)
      {
        wanted = g_array_index (self->bookmarks, gint64, i);
        break;
      }
  ns_timeline_layout_pan (&self->layout,
                          ns_timeline_layout_x_at (&self->layout, wanted) - self->layout.width / 2);
  ns_timeline_apply_layout (self);
}

/* The commands that mark something. */
void
ns_timeline_mark (NsTimeline *self, NsTimelineCommand command)
{
  NsLaneMark *mark = NULL;

  switch (command)
    {
    case NS_TIMELINE_PIN:
      mark = ensure_focused_mark (self);
      if (mark != NULL)
        mark->is_pinned = !mark->is_pinned;
      break;
    case NS_TIMELINE_HIDE:
      mark = ensure_focused_mark (self);
      if (mark != NULL)
        mark->is_hidden = TRUE;
      break;
    case NS_TIMELINE_SHOW_HIDDEN:
      show_hidden (self);
      break;
    case NS_TIMELINE_BOOKMARK:
      toggle_bookmark (self);
      break;
    case NS_TIMELINE_NEXT_BOOKMARK:
    default:
      step_bookmark (self);
      return;
    }
  apply_marks (self);
}

/**
 * ns_timeline_get_n_hidden:
 * @self: a timeline
 *
 * Returns: how many lanes are hidden, not counting those under a hidden one
 */
guint
ns_timeline_get_n_hidden (NsTimeline *self)
{
  return self->lanes != NULL ? self->lanes->n_hidden : 0;
}

/**
 * ns_timeline_get_n_bookmarks:
 * @self: a timeline
 *
 * Returns: how many moments are marked
 */
guint
ns_timeline_get_n_bookmarks (NsTimeline *self)
{
  return self->bookmarks->len;
}

/**
 * ns_timeline_set_grouping:
 * @self: a timeline
 * @name: `process`, `server`, `protocol`, `thread` or `activity`
 *
 * Returns: whether there are such lanes
 */
gboolean
ns_timeline_set_grouping (NsTimeline *self, const char *name)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (grouping_names); i++)
    if (g_strcmp0 (grouping_names[i], name) == 0)
      break;
  if (i == G_N_ELEMENTS (grouping_names))
    return FALSE;
  if (self->grouping == (NsLaneGrouping) i)
    return TRUE;
  self->grouping = (NsLaneGrouping) i;
  self->focus_lane = 0;
  if (self->session != NULL)
    ns_timeline_build_lanes (self);
  return TRUE;
}

/**
 * ns_timeline_get_grouping:
 * @self: a timeline
 *
 * Returns: what the outermost lanes are, as ns_timeline_set_grouping() takes it
 */
const char *
ns_timeline_get_grouping (NsTimeline *self)
{
  return grouping_names[self->grouping];
}

static void
menu_closed_cb (GtkPopover *menu)
{
  g_idle_add_once ((GSourceOnceFunc) gtk_widget_unparent, menu);
}

/* The menu of what the lanes are by, at the left of the ruler. */
void
ns_timeline_popup_corner (NsTimeline *self)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (MENU_RESOURCE);
  GMenuModel *model = G_MENU_MODEL (gtk_builder_get_object (builder, "lanes_menu"));
  GtkWidget *menu = gtk_popover_menu_new_from_model (model);
  GdkRectangle place = { 12,
                         (int) self->metrics.overview,
                         (int) self->names_width - 24,
                         (int) self->metrics.ruler };

  gtk_widget_set_parent (menu, GTK_WIDGET (self));
  gtk_popover_set_pointing_to (GTK_POPOVER (menu), &place);
  g_signal_connect (menu, "closed", G_CALLBACK (menu_closed_cb), NULL);
  gtk_popover_popup (GTK_POPOVER (menu));
}

/**
 * ns_timeline_save_marks:
 * @self: a timeline
 * @dict: where to
 *
 * Writes what is marked, for ns_timeline_restore_marks().
 */
void
ns_timeline_save_marks (NsTimeline *self, GVariantDict *dict)
{
  GVariantBuilder lanes;
  guint i;

  g_variant_builder_init (&lanes, G_VARIANT_TYPE ("a(tubb)"));
  for (i = 0; i < self->lane_marks->len; i++)
    {
      const NsLaneMark *mark = &g_array_index (self->lane_marks, NsLaneMark, i);

      if (mark->is_hidden || mark->is_pinned)
        g_variant_builder_add (&lanes,
                               "(tubb)",
                               mark->key,
                               (guint32) mark->kind,
                               mark->is_hidden,
                               mark->is_pinned);
    }
  g_variant_dict_insert_value (dict, "lanes", g_variant_builder_end (&lanes));
  g_variant_dict_insert (dict, "lanes-by", "s", ns_timeline_get_grouping (self));
  g_variant_dict_insert_value (dict,
                               "bookmarks",
                               g_variant_new_fixed_array (G_VARIANT_TYPE_INT64,
                                                          self->bookmarks->data,
                                                          self->bookmarks->len,
                                                          sizeof (gint64)));
}

static void
read_bookmarks (NsTimeline *self, GVariant *view)
{
  g_autoptr (GVariant) moments = g_variant_lookup_value (view, "bookmarks", G_VARIANT_TYPE ("ax"));
  const gint64 *times;
  gsize n_times;
  gsize i;

  if (moments == NULL)
    return;
  times = g_variant_get_fixed_array (moments, &n_times, sizeof (gint64));
  for (i = 0; i < MIN (n_times, MAX_MARKS); i++)
    if (times[i] >= self->layout.whole.begin_ns && times[i] <= self->layout.whole.end_ns)
      g_array_append_val (self->bookmarks, times[i]);
  g_array_sort (self->bookmarks, compare_moments);
}

static void
read_lanes (NsTimeline *self, GVariant *view)
{
  g_autoptr (GVariant) lanes = g_variant_lookup_value (view, "lanes", G_VARIANT_TYPE ("a(tubb)"));
  gsize i;

  if (lanes == NULL)
    return;
  for (i = 0; i < MIN (g_variant_n_children (lanes), MAX_MARKS); i++)
    {
      NsLaneMark mark = { 0 };
      guint32 kind;

      g_variant_get_child (lanes, i, "(tubb)", &mark.key, &kind, &mark.is_hidden, &mark.is_pinned);
      mark.kind = (NsLaneKind) kind;
      g_array_append_val (self->lane_marks, mark);
    }
}

/**
 * ns_timeline_restore_marks:
 * @self: a timeline with a session
 * @view: (nullable): an `a{sv}`; %NULL clears all marks
 */
void
ns_timeline_restore_marks (NsTimeline *self, GVariant *view)
{
  const char *grouping = "process";

  g_array_set_size (self->lane_marks, 0);
  g_array_set_size (self->bookmarks, 0);
  if (view != NULL)
    {
      g_variant_lookup (view, "lanes-by", "&s", &grouping);
      read_lanes (self, view);
      read_bookmarks (self, view);
    }
  ns_timeline_set_grouping (self, grouping);
  apply_marks (self);
}

/* Timeline widget: the overview, ruler and lanes of a session, painted by src/draw.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-losses.h"
#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/timeline/ns-timeline-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Minimum height of a window with an overview; the second one is for a font scale above 1.5. */
#define LOW_PX 590
#define LOW_LARGE_PX 1090

enum
{
  SIGNAL_ACTIVATED,
  SIGNAL_MENU,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTimeline, ns_timeline, GTK_TYPE_WIDGET)

double
ns_timeline_get_top (NsTimeline *self)
{
  return self->metrics.overview + self->metrics.ruler;
}

/* Returns the lower end of the lanes in px from the top of the widget. */
double
ns_timeline_get_bottom (NsTimeline *self)
{
  return gtk_widget_get_height (GTK_WIDGET (self)) - ns_timeline_get_foot (self);
}

/* Returns the index of the shown lane at @y, or NS_LANE_NONE. */
guint32
ns_timeline_lane_at (NsTimeline *self, double y)
{
  double top = ns_timeline_get_top (self);
  guint32 sticky;
  double place;

  if (self->lanes == NULL || y < top || y >= ns_timeline_get_bottom (self))
    return NS_LANE_NONE;
  sticky = ns_timeline_sticky_at (self, y);
  if (sticky != NS_LANE_NONE)
    return sticky;
  place = floor ((y - top + gtk_adjustment_get_value (self->adjustment)) / self->metrics.lane);
  if (place < 0 || place >= self->lanes->shown->len)
    return NS_LANE_NONE;
  return (guint32) place;
}

static void
ensure_list (NsTimeline *self)
{
  double scroll = gtk_adjustment_get_value (self->adjustment);
  double height = ns_timeline_get_bottom (self) - ns_timeline_get_top (self);
  guint first = (guint) (scroll / self->metrics.lane);

  if (self->list != NULL)
    return;
  self->list = ns_timeline_list_new (self->lanes,
                                     &self->layout,
                                     first,
                                     (guint) (MAX (height, 0) / self->metrics.lane) + 2);
  ns_timeline_list_chosen (self);
}

/* Returns the bar at a position in the widget, or NULL. */
const NsTimelineBar *
ns_timeline_bar_at (NsTimeline *self, double x, double y)
{
  guint32 lane = ns_timeline_lane_at (self, y);

  if (lane == NS_LANE_NONE || ns_timeline_is_head (self, x))
    return NULL;
  ensure_list (self);
  return ns_timeline_list_find_at (self->list, lane, ns_timeline_get_plot_x (self, x));
}

/* Drops the items of the last frame and queues a redraw. */
void
ns_timeline_queue_list (NsTimeline *self)
{
  g_clear_pointer (&self->list, ns_timeline_list_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Sets the visible time of the session from the layout. */
void
ns_timeline_apply_layout (NsTimeline *self)
{
  NsTimeSpan visible = { self->layout.begin_ns, self->layout.end_ns };

  ns_timeline_queue_list (self);
  ns_session_set_visible (self->session, visible);
}

/* Zooms around an x of the widget. */
void
ns_timeline_zoom_at (NsTimeline *self, double x, double factor)
{
  ns_timeline_layout_zoom (&self->layout,
                           CLAMP (ns_timeline_get_plot_x (self, x), 0, self->layout.width),
                           factor);
  ns_timeline_apply_layout (self);
}

/* Updates the adjustment from the number of lanes. */
void
ns_timeline_update_adjustment (NsTimeline *self)
{
  double page = MAX (ns_timeline_get_bottom (self) - ns_timeline_get_top (self), 1);
  double upper = self->lanes != NULL ? self->lanes->shown->len * self->metrics.lane : 0;

  gtk_adjustment_configure (self->adjustment,
                            gtk_adjustment_get_value (self->adjustment),
                            0,
                            MAX (upper, page),
                            self->metrics.lane,
                            page - self->metrics.lane,
                            page);
}

static double
names_width_for (NsTimeline *self, double width)
{
  double wanted = self->wanted_names_width;

  if (wanted <= 0)
    wanted = (width < 560 ? 150 : width >= 1500 ? 288 : 234) * self->look.scale;
  return floor (CLAMP (wanted, 100, MAX (width / 2, 100)));
}

/* Returns whether the window is high enough for the overview. */
static gboolean
has_room_for_overview (NsTimeline *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  int height = root != NULL ? gtk_widget_get_height (GTK_WIDGET (root)) : 0;

  return height <= 0 || height >= (self->look.scale > 1.5 ? LOW_LARGE_PX : LOW_PX);
}

/* Updates everything that depends on the size of the widget or the font. */
void
ns_timeline_update_metrics (NsTimeline *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));

  self->metrics.overview = 0;
  if (has_room_for_overview (self))
    self->metrics.overview = ns_timeline_metrics_get_overview (self->look.scale) +
                             ns_coverage_get_height (self->coverage, self->look.scale);
  self->names_width = names_width_for (self, width);
  self->layout.width = MAX (width - self->names_width, 1);
  ns_timeline_update_adjustment (self);
  ns_timeline_queue_list (self);
}

static void
ensure_look (NsTimeline *self)
{
  if (self->has_look)
    return;
  ns_theme_look_read (&self->look, GTK_WIDGET (self));
  ns_timeline_metrics_init (&self->metrics, self->look.scale);
  self->has_look = TRUE;
  ns_timeline_update_metrics (self);
}

static guint
count_rows_in (NsTimeline *self, NsTimeSpan span)
{
  guint n_rows = 0;
  guint i;
  guint k;

  for (i = 0; i < self->lanes->lanes->len; i++)
    {
      const NsLane *lane = ns_timeline_lanes_get (self->lanes, i);

      if (lane->kind != NS_LANE_PROCESS)
        continue;
      for (k = lane->first; k < lane->first + lane->n_rows; k++)
        if (self->lanes->open_ns[k] < span.end_ns && self->lanes->close_ns[k] >= span.begin_ns &&
            ns_timeline_lanes_is_kept (self->lanes, self->lanes->rows[k]))
          n_rows++;
    }
  return n_rows;
}

static void
update_pill (NsTimeline *self)
{
  NsTimeSpan span = ns_session_get_span (self->session);
  g_autofree char *length = NULL;
  g_autofree char *count = NULL;
  guint n_rows;

  g_clear_pointer (&self->pill, g_free);
  if (span.begin_ns >= span.end_ns)
    return;
  length = ns_words_span (span.end_ns - span.begin_ns);
  n_rows = count_rows_in (self, span);
  count = ns_words_count (n_rows);
  self->pill = g_strdup_printf (ngettext ("%s · %s row", "%s · %s rows", n_rows), length, count);
}

static void
free_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  ns_timeline_lanes_free (task_data);
}

/* Frees lanes in a thread, as freeing a million of them takes longer than a frame. */
void
ns_timeline_free_lanes (NsTimelineLanes *lanes)
{
  g_autoptr (GTask) task = NULL;

  if (lanes == NULL)
    return;
  task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_set_source_tag (task, ns_timeline_free_lanes);
  g_task_set_task_data (task, lanes, NULL);
  g_task_run_in_thread (task, free_worker);
}

/* Highlights the rows of the selected finding, if it has any. */
static void
light_rows (NsTimeline *self)
{
  guint n_rows = ns_session_get_trace (self->session)->activities->len;
  const guint8 *marked = ns_session_get_marked (self->session);
  gboolean is_finding = ns_session_get_selected_table (self->session) == NS_TABLE_FINDINGS;

  if (self->lanes != NULL)
    ns_timeline_lanes_set_highlighted (self->lanes,
                                       is_finding && memchr (marked, 1, n_rows) != NULL ? marked
                                                                                        : NULL,
                                       n_rows);
}

/* Replaces the lanes by newly built ones. */
void
ns_timeline_take_lanes (NsTimeline *self, NsTimelineLanes *lanes)
{
  if (self->lanes != NULL)
    ns_timeline_lanes_copy_folds (lanes, self->lanes);
  ns_timeline_lanes_mark (lanes, self->lane_marks);
  ns_timeline_lanes_set_found (lanes, self->found_rows);
  g_clear_pointer (&self->list, ns_timeline_list_free);
  g_clear_pointer (&self->lanes, ns_timeline_free_lanes);
  self->lanes = lanes;
  light_rows (self);
  self->hover_row = NS_ROW_NONE;
  self->hover_lane = NS_LANE_NONE;
  ns_timeline_update_legend (self);
  update_pill (self);
  ns_timeline_update_adjustment (self);
  ns_timeline_queue_list (self);
}

static void
rows_changed_cb (NsTimeline *self, guint table)
{
  if (table == NS_TABLE_LOG)
    ns_timeline_lines_changed (self);
  if (table != NS_TABLE_ACTIVITIES)
    return;
  /* A change of the sort order does not affect the lanes. */
  if (ns_session_is_busy (self->session, NS_TABLE_ACTIVITIES))
    ns_timeline_stop_building (self);
  else if (ns_session_get_set (self->session, NS_TABLE_ACTIVITIES) != self->set)
    ns_timeline_build_lanes (self);
  else
    ns_timeline_report_sorted (self);
}

/* Updates the accessible name with the visible time and the selected bar. Screen readers see the
 * lanes as one object. */
static void
update_accessible (NsTimeline *self)
{
  g_autofree char *begin = ns_words_seconds (self->layout.begin_ns);
  g_autofree char *end = ns_words_seconds (self->layout.end_ns);
  g_autofree char *sentence = NULL;
  g_autofree char *label = NULL;
  g_autofree char *marks = NULL;
  guint32 row = self->session != NULL ? ns_session_get_activity (self->session) : G_MAXUINT32;

  if (row != G_MAXUINT32)
    sentence = ns_words_row (self->session, NS_TABLE_ACTIVITIES, row);
  /* Translators: the accessible name of the timeline: what is in view, then the selected bar. */
  label =
      g_strdup_printf (_ ("Timeline, %s to %s. %s"), begin, end, sentence != NULL ? sentence : "");
  marks = g_strdup_printf (ngettext ("%u bookmark", "%u bookmarks", self->bookmarks->len),
                           self->bookmarks->len);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  marks,
                                  -1);
  ns_timeline_update_parts (self);
  ns_timeline_update_cpu (self);
}

static void
spans_changed_cb (NsTimeline *self)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);

  if (visible.begin_ns != self->layout.begin_ns || visible.end_ns != self->layout.end_ns)
    ns_timeline_layout_show (&self->layout, visible);
  if (self->drag != NS_DRAG_PAN && self->drag != NS_DRAG_FRAME && self->drag != NS_DRAG_EDGE)
    update_pill (self);
  update_accessible (self);
  ns_timeline_queue_list (self);
}

/* Scrolls the lanes vertically so that the bar of a row is visible. Returns FALSE if no lane
 * shows it. */
static gboolean
reveal_lane (NsTimeline *self, guint32 row)
{
  guint shown = self->lanes != NULL ? ns_timeline_lanes_reveal (self->lanes, row) : NS_LANE_NONE;

  if (shown == NS_LANE_NONE)
    return FALSE;
  ns_timeline_update_adjustment (self);
  ns_timeline_show_lane (self, shown);
  self->focus_lane = shown;
  ns_timeline_queue_list (self);
  return TRUE;
}

/**
 * ns_timeline_reveal:
 * @self: a timeline
 * @row: an activity
 *
 * Scrolls so that the bar of @row is visible; pans only if its time is not visible.
 */
void
ns_timeline_reveal (NsTimeline *self, guint32 row)
{
  NsTimeSpan span;
  double x;

  if (!reveal_lane (self, row) ||
      !ns_session_get_row_span (self->session, NS_TABLE_ACTIVITIES, row, &span))
    return;
  x = ns_timeline_layout_x_at (&self->layout, span.begin_ns);
  if (ns_timeline_layout_x_at (&self->layout, span.end_ns) >= 0 && x <= self->layout.width)
    return;
  ns_timeline_layout_pan (&self->layout, x - self->layout.width / 3);
  ns_timeline_apply_layout (self);
}

static void
selection_changed_cb (NsTimeline *self)
{
  guint32 row = ns_session_get_activity (self->session);

  ns_timeline_reveal_line (self);
  if (row != G_MAXUINT32 && row != self->focus_row)
    {
      self->focus_row = NS_ROW_NONE;
      if (self->is_time_held)
        reveal_lane (self, row);
      else
        ns_timeline_reveal (self, row);
    }
  light_rows (self);
  update_accessible (self);
  ns_timeline_queue_list (self);
}

/* Selects an activity, as a click on its row in the table does. */
void
ns_timeline_select (NsTimeline *self, guint32 row, gboolean extend)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (extend && ns_session_get_selected_table (self->session) == NS_TABLE_ACTIVITIES)
    {
      const GArray *old = ns_session_get_selected (self->session);

      g_array_append_vals (rows, old->data, old->len);
    }
  g_array_append_val (rows, row);
  self->focus_row = row;
  ns_session_select (self->session,
                     NS_TABLE_ACTIVITIES,
                     (const guint32 *) (gpointer) rows->data,
                     rows->len);
}

static void
fill_scene (NsTimeline *self, const NsTimelineTexts *words, NsTimelineScene *scene)
{
  guint32 activity = ns_session_get_activity (self->session);
  guint i;

  memset (scene, 0, sizeof *scene);
  scene->trace = ns_session_get_trace (self->session);
  scene->lanes = self->lanes;
  scene->layout = &self->layout;
  scene->list = self->list;
  scene->metrics = &self->metrics;
  scene->overview = &self->overview;
  scene->coverage = self->metrics.overview > 0 ? self->coverage : NULL;
  scene->names_width = self->names_width;
  scene->is_mirrored = ns_timeline_is_mirrored (self);
  scene->height = ns_timeline_get_bottom (self);
  scene->scroll = gtk_adjustment_get_value (self->adjustment);
  scene->selected = ns_session_get_span (self->session);
  scene->marked = ns_session_get_marked (self->session);
  scene->chosen_lines = ns_timeline_get_chosen_lines (self);
  scene->hover_row = self->hover_row;
  scene->hover_lane = self->hover_lane;
  scene->hover_button = self->hover_button;
  if (gtk_widget_has_visible_focus (self->parts[NS_TIMELINE_PART_RULER]))
    scene->focus_handle = self->is_end_focused ? 2 : 1;
  scene->focus_row = activity != G_MAXUINT32 ? activity : NS_ROW_NONE;
  scene->focus_lane = self->focus_lane;
  scene->has_focus = gtk_widget_has_visible_focus (GTK_WIDGET (self));
  scene->words = words;
  scene->clock_base_ns = ns_wall_get_base_ns (ns_session_get_wall (self->session), scene->trace);
  scene->title = _ ("Overview");
  for (i = 0; i < NS_TIMELINE_N_LEGENDS; i++)
    scene->legend[i] = self->legend[i];
  scene->corner = ns_timeline_get_corner (self);
  scene->bookmarks = (const NsTimelineMark *) (gpointer) self->bookmarks->data;
  scene->n_bookmarks = self->bookmarks->len;
  scene->losses = self->losses != NULL ? (const gint64 *) (gpointer) self->losses->data : NULL;
  scene->n_losses = self->losses != NULL ? self->losses->len : 0;
  if (self->session != NULL)
    {
      const GArray *gaps = ns_session_get_damage (self->session)->gaps;

      scene->gaps = (const NsTimeSpan *) (gpointer) gaps->data;
      scene->n_gaps = gaps->len;
    }
  scene->holes = self->holes != NULL ? (const NsCoverageHole *) (gpointer) self->holes->data : NULL;
  scene->n_holes = self->holes != NULL ? self->holes->len : 0;
  scene->found = self->found != NULL ? (const gint64 *) (gpointer) self->found->data : NULL;
  scene->n_found = self->found != NULL ? self->found->len : 0;
  scene->pill = self->pill;
  scene->frontier_ns = ns_session_get_frontier (self->session);
  scene->not_read = self->is_reading ? _ ("not read yet") : _ ("not read");
  scene->still_reading = self->is_reading ? _ ("still reading from here") : _ ("not read");
  scene->is_arriving = self->is_reading || self->is_following;
  scene->has_moment = self->moment_ns != G_MAXINT64;
  scene->moment_ns = self->moment_ns;
  scene->no_lanes = ns_timeline_get_no_lanes (self);
}

/* Veils the time after the playback time, like the time outside the visible range in the
 * overview. */
static void
snapshot_moment (NsTimeline *self, GtkSnapshot *snapshot, float height)
{
  GtkStyleContext *style = gtk_widget_get_style_context (GTK_WIDGET (self));
  float left = (float) ns_timeline_from_plot_x (self, 0);
  float right = left + (float) self->layout.width;
  float x = left + (float) ns_timeline_layout_x_at (&self->layout, self->moment_ns);
  GdkRGBA veil;
  GdkRGBA line;

  if (!gtk_style_context_lookup_color (style, "ns_window", &veil) ||
      !gtk_style_context_lookup_color (style, "ns_accent", &line))
    return;
  x = CLAMP (x, left, right);
  gtk_snapshot_append_color (snapshot, &veil, &GRAPHENE_RECT_INIT (x, 0, right - x, height));
  gtk_snapshot_append_color (snapshot, &line, &GRAPHENE_RECT_INIT (x - 1, 0, 2, height));
}

static void
ns_timeline_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  NsTimeline *self = NS_TIMELINE (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  NsTimelineTexts words = ns_timeline_get_words ();
  NsTimelineScene scene;
  NsPaint paint;
  cairo_t *cr;
  guint i;

  if (self->lanes == NULL || width < 2 || height < 2)
    return;
  ensure_look (self);
  ensure_list (self);
  fill_scene (self, &words, &scene);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  ns_theme_look_begin (&self->look, &paint, cr);
  ns_timeline_paint (&paint, &scene);
  cairo_destroy (cr);
  if (self->moment_ns != G_MAXINT64)
    snapshot_moment (self, snapshot, (float) height);
  for (i = 0; i < NS_TIMELINE_N_PARTS; i++)
    gtk_widget_snapshot_child (widget, self->parts[i], snapshot);
  gtk_widget_snapshot_child (widget, self->cpu, snapshot);
}

static void
ns_timeline_measure (GtkWidget *widget,
                     GtkOrientation orientation,
                     int for_size,
                     int *minimum,
                     int *natural,
                     int *minimum_baseline,
                     int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 300 : 132;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : 400;
}

static void
ns_timeline_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  NsTimeline *self = NS_TIMELINE (widget);

  ensure_look (self);
  ns_timeline_update_metrics (self);
  ns_timeline_allocate_parts (self);
  ns_timeline_allocate_cpu (self);
}

static void
ns_timeline_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  NsTimeline *self = NS_TIMELINE (widget);

  GTK_WIDGET_CLASS (ns_timeline_parent_class)->css_changed (widget, change);
  self->has_look = FALSE;
  ns_timeline_queue_list (self);
}

static void
ns_timeline_dispose (GObject *object)
{
  NsTimeline *self = NS_TIMELINE (object);
  guint i;

  ns_timeline_set_session (self, NULL);
  ns_accessible_drop_menus (GTK_WIDGET (self));
  for (i = 0; i < NS_TIMELINE_N_PARTS; i++)
    g_clear_pointer (&self->parts[i], gtk_widget_unparent);
  g_clear_pointer (&self->cpu, gtk_widget_unparent);
  if (self->adjustment != NULL)
    g_signal_handlers_disconnect_by_data (self->adjustment, self);
  g_clear_object (&self->adjustment);
  G_OBJECT_CLASS (ns_timeline_parent_class)->dispose (object);
}

static void
ns_timeline_finalize (GObject *object)
{
  NsTimeline *self = NS_TIMELINE (object);

  ns_theme_look_clear (&self->look);
  ns_timeline_clear_legend (self);
  g_free (self->pill);
  g_array_unref (self->lane_marks);
  g_array_unref (self->bookmarks);
  G_OBJECT_CLASS (ns_timeline_parent_class)->finalize (object);
}

static void
ns_timeline_class_init (NsTimelineClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ns_timeline_dispose;
  object_class->finalize = ns_timeline_finalize;
  widget_class->snapshot = ns_timeline_snapshot;
  widget_class->measure = ns_timeline_measure;
  widget_class->size_allocate = ns_timeline_size_allocate;
  widget_class->css_changed = ns_timeline_css_changed;
  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);

  /**
   * NsTimeline::activated:
   * @self: the timeline
   *
   * Emitted when Enter is pressed or a bar is double-clicked.
   */
  signals[SIGNAL_ACTIVATED] = g_signal_new ("activated",
                                            NS_TYPE_TIMELINE,
                                            G_SIGNAL_RUN_LAST,
                                            0,
                                            NULL,
                                            NULL,
                                            NULL,
                                            G_TYPE_NONE,
                                            0);

  /**
   * NsTimeline::marks-changed:
   * @self: the timeline
   *
   * Emitted when lanes are pinned or hidden, when bookmarks change, and when state changes were
   * found.
   */
  g_signal_new ("marks-changed",
                NS_TYPE_TIMELINE,
                G_SIGNAL_RUN_LAST,
                0,
                NULL,
                NULL,
                NULL,
                G_TYPE_NONE,
                0);

  /**
   * NsTimeline::sorted:
   * @self: the timeline
   *
   * Emitted when the lanes contain all shown rows of the session.
   */
  g_signal_new ("sorted", NS_TYPE_TIMELINE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_MENU] = g_signal_new ("menu",
                                       NS_TYPE_TIMELINE,
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       G_TYPE_NONE,
                                       2,
                                       G_TYPE_DOUBLE,
                                       G_TYPE_DOUBLE);
}

static void
ns_timeline_init (NsTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 24, 100, 1));
  g_signal_connect_object (self->adjustment,
                           "value-changed",
                           G_CALLBACK (ns_timeline_queue_list),
                           self,
                           G_CONNECT_SWAPPED);
  self->lane_marks = g_array_new (FALSE, FALSE, sizeof (NsLaneMark));
  self->bookmarks = ns_timeline_marks_new ();
  self->moment_ns = G_MAXINT64;
  self->fit_row = NS_ROW_NONE;
  self->hover_row = NS_ROW_NONE;
  self->focus_row = NS_ROW_NONE;
  self->hover_lane = NS_LANE_NONE;
  g_signal_connect (self, "marks-changed", G_CALLBACK (update_accessible), NULL);
  ns_timeline_metrics_init (&self->metrics, 1);
  ns_timeline_layout_init (&self->layout, (NsTimeSpan){ 0, 1 }, 1);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  ns_timeline_add_controllers (self);
  ns_timeline_add_parts (self);
  ns_timeline_add_cpu (self);
}

/**
 * ns_timeline_set_session:
 * @self: a timeline
 * @session: (nullable): the session to show
 */
void
ns_timeline_set_session (NsTimeline *self, NsSession *session)
{
  g_return_if_fail (NS_IS_TIMELINE (self));

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_cancellable_cancel (self->building);
  g_clear_object (&self->building);
  g_clear_handle_id (&self->report_id, g_source_remove);
  ns_timeline_forget_states (self);
  g_clear_pointer (&self->list, ns_timeline_list_free);
  g_clear_pointer (&self->lanes, ns_timeline_free_lanes);
  g_clear_pointer (&self->losses, g_array_unref);
  g_clear_pointer (&self->coverage, g_ptr_array_unref);
  g_clear_pointer (&self->holes, g_array_unref);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_pointer (&self->found_rows, g_array_unref);
  g_set_object (&self->session, session);
  if (session == NULL)
    return;
  self->losses = ns_losses_find (ns_session_get_trace (session));
  self->coverage = ns_coverage_list (ns_session_get_trace (session));
  self->holes = ns_coverage_list_holes (self->coverage);
  if (self->has_look)
    ns_timeline_update_metrics (self);
  g_array_set_size (self->lane_marks, 0);
  g_array_set_size (self->bookmarks, 0);
  g_signal_connect_swapped (session, "rows-changed", G_CALLBACK (rows_changed_cb), self);
  g_signal_connect_swapped (session, "clock-changed", G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_connect_swapped (session, "spans-changed", G_CALLBACK (spans_changed_cb), self);
  g_signal_connect_swapped (session, "selection-changed", G_CALLBACK (selection_changed_cb), self);
  ns_timeline_layout_init (&self->layout, ns_session_get_whole (session), self->layout.width);
  ns_timeline_layout_show (&self->layout, ns_session_get_visible (session));
  if (ns_session_get_damage (session)->is_cut)
    self->layout.open_end_ns = ns_session_get_damage (session)->read_end_ns;
  ns_timeline_build_lanes (self);
  ns_timeline_find_states (self);
  ns_timeline_find_cpu (self);
  update_accessible (self);
}

/**
 * ns_timeline_set_reading:
 * @self: a timeline
 * @is_reading: whether the unread part of the trace is being read
 */
void
ns_timeline_set_reading (NsTimeline *self, gboolean is_reading)
{
  self->is_reading = is_reading;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * ns_timeline_set_following:
 * @self: a timeline
 * @is_following: whether the trace is still being written and its new events are shown
 */
void
ns_timeline_set_following (NsTimeline *self, gboolean is_following)
{
  self->is_following = is_following;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * ns_timeline_get_adjustment:
 * @self: a timeline
 *
 * Returns: (transfer none): vertical scroll position of the lanes, px
 */
GtkAdjustment *
ns_timeline_get_adjustment (NsTimeline *self)
{
  return self->adjustment;
}

/**
 * ns_timeline_set_moment:
 * @self: a timeline
 * @time_ns: playback time; later times are veiled. %G_MAXINT64 for no playback
 */
void
ns_timeline_set_moment (NsTimeline *self, gint64 time_ns)
{
  if (self->moment_ns == time_ns)
    return;
  self->moment_ns = time_ns;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  /* The lanes are built again, since they count only rows that have ended by then; a running
   * build of lanes or change of rows does so anyway. */
  if (self->session != NULL && self->building == NULL &&
      !ns_session_is_busy (self->session, NS_TABLE_ACTIVITIES))
    ns_timeline_build_lanes (self);
}

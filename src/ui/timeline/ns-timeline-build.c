/* Builds the lanes of the shown rows, in a thread if there are many, so that the window stays
 * responsive.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-meanwhile.h"
#include "draw/ns-row-span.h"
#include "model/ns-state-job.h"
#include "ui/ns-words.h"
#include "ui/timeline/ns-timeline-private.h"

#include <glib/gi18n.h>

/* Maximum number of rows that are grouped without a thread. */
#define FEW_ROWS 5000
/* Delay after which the building of lanes is shown. */
#define REPORT_AFTER_MS 150
/* Maximum number of selected rows that are shown as bars where other rows are folded. */
#define MAX_CHOSEN 128

typedef struct
{
  NsTrace *trace;
  GArray *rows;
  GArray *log_rows; /* log lines that match the filter */
  NsTimeSpan whole;
  NsTimelineTexts words;
  NsLaneGrouping grouping;
  gboolean keeps_filtered;
  gboolean is_unpacked;
  gint64 moment_ns;       /* playback time; G_MAXINT64: no playback */
  NsStateMarks *states;   /* (nullable) */
  NsTimelineLanes *lanes; /* (nullable): NULL until built, and after a cancellation */
  NsOverviewBins overview;
} Build;

static void
build_free (gpointer data)
{
  Build *build = data;

  ns_trace_unref (build->trace);
  ns_state_marks_unref (build->states);
  g_array_unref (build->rows);
  g_array_unref (build->log_rows);
  /* Set only if the task was cancelled after the lanes were built. */
  g_clear_pointer (&build->lanes, ns_timeline_free_lanes);
  g_free (build);
}

static gboolean
is_wanted (double fraction, gpointer user_data)
{
  return !g_cancellable_is_cancelled (user_data);
}

static void
run (Build *build, GCancellable *cancellable)
{
  gboolean is_dimmed = build->keeps_filtered &&
                       build->rows->len < ns_trace_get_n_rows (build->trace, NS_TABLE_ACTIVITIES);
  const NsLaneOptions options = { .grouping = build->grouping,
                                  .states = build->states,
                                  .has_moment = build->moment_ns != G_MAXINT64,
                                  .moment_ns = build->moment_ns,
                                  .is_unpacked = build->is_unpacked,
                                  .log_rows = build->log_rows,
                                  .dims_logs = build->keeps_filtered,
                                  .progress = is_wanted,
                                  .progress_data = cancellable };

  build->lanes = ns_timeline_lanes_new_grouped (build->trace,
                                                is_dimmed ? NULL : build->rows,
                                                &build->words,
                                                &options);
  if (build->lanes == NULL)
    return;
  if (is_dimmed)
    ns_timeline_lanes_set_filter (build->lanes, build->rows);
  ns_overview_bins_init_until (&build->overview,
                               build->trace,
                               build->rows,
                               build->whole,
                               build->moment_ns);
}

static gpointer
build_cb (gpointer task)
{
  run (g_task_get_task_data (task), g_task_get_cancellable (task));
  return NULL;
}

/* Builds the lanes in a thread; with a million rows this takes seconds. */
static void
build_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  ns_meanwhile_do_behind ("lanes", build_cb, task);
  g_task_return_boolean (task, TRUE);
}

static void
take (NsTimeline *self, Build *build)
{
  self->overview = build->overview;
  ns_timeline_take_lanes (self, g_steal_pointer (&build->lanes));
}

/* Reports that the lanes are complete, so that they can be exported. */
void
ns_timeline_report_sorted (NsTimeline *self)
{
  if (ns_timeline_is_sorted (self))
    g_signal_emit_by_name (self, "sorted");
}

static void
built_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  NsTimeline *self = NS_TIMELINE (source);
  Build *build = g_task_get_task_data (G_TASK (result));

  /* Cancelled: the rows have changed again, or another session is shown. */
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  g_clear_object (&self->building);
  take (self, build);
  /* The playback time has changed since the build began. */
  if (build->moment_ns != self->moment_ns)
    ns_timeline_build_lanes (self);
  else
    ns_timeline_report_sorted (self);
}

/* Returns the name of a "more" lane. */
static char *
more_cb (NsLaneKind kind, guint n_more)
{
  g_autofree char *count = ns_words_count (n_more);

  if (kind == NS_LANE_PROCESS)
    return g_strdup_printf (ngettext ("%s more process", "%s more processes", n_more), count);
  return g_strdup_printf (ngettext ("%s more server", "%s more servers", n_more), count);
}

/* Returns the name of a lane that several connections share. */
static char *
several_cb (NsConnectionKind end, guint n, guint32 lowest, guint32 highest)
{
  g_autofree char *count = ns_words_count (n);

  switch (end)
    {
    case NS_CONNECTION_KIND_CONNECTION:
      /* Translators: how many, then the lowest and the highest of their numbers. */
      return g_strdup_printf (ngettext ("%s connection: %u – %u", "%s connections: %u – %u", n),
                              count,
                              lowest,
                              highest);
    case NS_CONNECTION_KIND_SOCKET:
      /* Translators: how many, then the lowest and the highest of their numbers. */
      return g_strdup_printf (ngettext ("%s socket: %u – %u", "%s sockets: %u – %u", n),
                              count,
                              lowest,
                              highest);
    case NS_CONNECTION_KIND_FLOW:
      /* Translators: how many, then the lowest and the highest of their numbers. */
      return g_strdup_printf (ngettext ("%s flow: %u – %u", "%s flows: %u – %u", n),
                              count,
                              lowest,
                              highest);
    case NS_CONNECTION_KIND_NONE:
    default:
      return g_strdup_printf (ngettext ("%s connection", "%s connections", n), count);
    }
}

/* Returns the note after the name of a lane that does not show everything. */
static char *
first_cb (gboolean of_connections, guint n_shown, guint n_all)
{
  g_autofree char *shown = ns_words_count (n_shown);
  g_autofree char *all = ns_words_count (n_all);

  /* Translators: 2,000 are shown of 3,141; the second number decides about the plural. */
  return g_strdup_printf (
      of_connections
          ? ngettext ("(the first %s of %s connection)", "(the first %s of %s connections)", n_all)
          : ngettext ("(the first %s of %s change)", "(the first %s of %s changes)", n_all),
      shown,
      all);
}

/* Returns the name of the lane of a kind of state. */
static const char *
state_name_cb (const char *id)
{
  static const struct
  {
    const char *id;
    const char *name;
  } names[] = {
    { "ncsi", N_ ("Reachability (NCSI)") },
    { "network-profile", N_ ("Network profiles") },
    { "wlan", N_ ("Wi-Fi") },
    { "dhcp", N_ ("Address leases (DHCP)") },
    { "media", N_ ("Media") },
    { "interface", N_ ("Interfaces") },
    { "neighbor", N_ ("Neighbors") },
    { "tcp-state", N_ ("TCP connections") },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i].id, id))
      return _ (names[i].name);
  return id;
}

/* Returns the translated texts of lanes and bars. */
NsTimelineTexts
ns_timeline_get_words (void)
{
  return (NsTimelineTexts){ .connection = _ ("connection"),
                            /* Translators: the number of the connection of a whole follows. */
                            .within = _ ("within connection"),
                            .unknown = _ ("connection not known"),
                            /* Translators: its row in the table of WinSock follows. */
                            .socket = _ ("socket"),
                            /* Translators: what one end sends to another; its row follows. */
                            .flow = _ ("flow"),
                            .no_server = _ ("no server known"),
                            .no_process = _ ("process unknown"),
                            .no_activity = _ ("no activity id"),
                            .more = more_cb,
                            .several = several_cb,
                            .count = ns_words_count,
                            .cache = _ ("cache"),
                            .states = _ ("Machine states"),
                            .state_name = state_name_cb,
                            .first = first_cb };
}

static Build *
build_new (NsTimeline *self, const GArray *rows)
{
  Build *build = g_new0 (Build, 1);

  build->trace = ns_trace_ref (ns_session_get_trace (self->session));
  build->rows = g_array_ref ((GArray *) rows);
  build->log_rows = g_array_ref (
      (GArray *) ns_row_list_get_rows (ns_session_get_rows (self->session, NS_TABLE_LOG)));
  build->whole = ns_session_get_whole (self->session);
  build->grouping = self->grouping;
  build->moment_ns = self->moment_ns;
  build->keeps_filtered = self->keeps_filtered;
  build->is_unpacked = self->is_unpacked;
  if (self->shows_states && self->states != NULL)
    build->states = ns_state_marks_ref (self->states);
  build->words = ns_timeline_get_words ();
  return build;
}

/* Cancels the building of lanes, since the shown rows are about to change. */
void
ns_timeline_stop_building (NsTimeline *self)
{
  if (self->building == NULL)
    return;
  g_cancellable_cancel (self->building);
  g_clear_object (&self->building);
  self->set = G_MAXUINT;
}

static gboolean
report_cb (gpointer data)
{
  NsTimeline *self = data;

  self->report_id = 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

/* Builds the lanes of the rows that the session shows. */
void
ns_timeline_build_lanes (NsTimeline *self)
{
  const GArray *rows =
      ns_row_list_get_rows (ns_session_get_rows (self->session, NS_TABLE_ACTIVITIES));
  guint n_rows =
      self->keeps_filtered ? ns_session_get_trace (self->session)->activities->len : rows->len;
  Build *build;
  g_autoptr (GTask) task = NULL;

  /* While the session is busy its rows do not belong to its current set. */
  self->set = ns_session_is_busy (self->session, NS_TABLE_ACTIVITIES)
                  ? G_MAXUINT
                  : ns_session_get_set (self->session, NS_TABLE_ACTIVITIES);
  self->log_set = ns_session_is_busy (self->session, NS_TABLE_LOG)
                      ? G_MAXUINT
                      : ns_session_get_set (self->session, NS_TABLE_LOG);
  g_cancellable_cancel (self->building);
  g_clear_object (&self->building);
  if (n_rows <= FEW_ROWS || self->lanes == NULL)
    {
      g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint32));

      /* Empty lanes are used until the thread has built the others, so that @lanes is never
       * NULL. */
      build = build_new (self, n_rows <= FEW_ROWS ? rows : none);
      build->keeps_filtered = self->keeps_filtered && n_rows <= FEW_ROWS;
      run (build, NULL);
      take (self, build);
      build_free (build);
      if (n_rows <= FEW_ROWS)
        {
          ns_timeline_report_sorted (self);
          return;
        }
    }
  self->building = g_cancellable_new ();
  if (self->report_id == 0)
    self->report_id = g_timeout_add (REPORT_AFTER_MS, report_cb, self);
  task = g_task_new (self, self->building, built_cb, NULL);
  g_task_set_source_tag (task, ns_timeline_build_lanes);
  g_task_set_task_data (task, build_new (self, rows), build_free);
  g_task_run_in_thread (task, build_worker);
}

/**
 * ns_timeline_is_sorted:
 * @self: a timeline
 *
 * Returns: %TRUE if its lanes contain all shown rows of the session; otherwise #NsTimeline::sorted
 *   is emitted when they do
 */
gboolean
ns_timeline_is_sorted (NsTimeline *self)
{
  return self->session != NULL && self->building == NULL &&
         !ns_session_is_busy (self->session, NS_TABLE_ACTIVITIES);
}

/**
 * ns_timeline_set_keeps_filtered:
 * @self: a timeline
 * @keeps_filtered: whether rows that do not match the filter are dimmed instead of hidden
 */
void
ns_timeline_set_keeps_filtered (NsTimeline *self, gboolean keeps_filtered)
{
  if (self->keeps_filtered == keeps_filtered)
    return;
  self->keeps_filtered = keeps_filtered;
  if (self->session != NULL)
    ns_timeline_build_lanes (self);
}

/**
 * ns_timeline_get_keeps_filtered:
 * @self: a timeline
 *
 * Returns: whether rows that do not match the filter are dimmed instead of hidden
 */
gboolean
ns_timeline_get_keeps_filtered (NsTimeline *self)
{
  return self->keeps_filtered;
}

/**
 * ns_timeline_set_packs:
 * @self: a timeline
 * @packs: whether connections that do not overlap share a lane if there are many
 */
void
ns_timeline_set_packs (NsTimeline *self, gboolean packs)
{
  if (self->is_unpacked != packs)
    return;
  self->is_unpacked = !packs;
  if (self->session != NULL)
    ns_timeline_build_lanes (self);
}

/**
 * ns_timeline_get_packs:
 * @self: a timeline
 *
 * Returns: whether connections that do not overlap share a lane if there are many
 */
gboolean
ns_timeline_get_packs (NsTimeline *self)
{
  return !self->is_unpacked;
}

static void
states_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsTimeline) self = user_data;
  g_autoptr (NsStateMarks) marks = ns_state_job_run_finish (result, NULL);

  /* Cancelled: another session is shown, or none. */
  if (marks == NULL || self->session == NULL)
    return;
  g_clear_object (&self->finding);
  g_clear_pointer (&self->states, ns_state_marks_unref);
  self->states = g_steal_pointer (&marks);
  if (!self->shows_states)
    return;
  if (self->states->lanes->len > 0)
    ns_timeline_build_lanes (self);
  else
    self->shows_states = FALSE;
  g_signal_emit_by_name (self, "marks-changed");
}

/* Searches the state changes of the session at the first request. */
void
ns_timeline_find_states (NsTimeline *self)
{
  if (!self->shows_states || self->session == NULL || self->states != NULL || self->finding != NULL)
    return;
  self->finding = g_cancellable_new ();
  ns_state_job_run_async (ns_session_get_trace (self->session),
                          self->finding,
                          states_found_cb,
                          g_object_ref (self));
}

/* Drops the state changes of the previous session. */
void
ns_timeline_forget_states (NsTimeline *self)
{
  g_cancellable_cancel (self->finding);
  g_clear_object (&self->finding);
  g_clear_pointer (&self->states, ns_state_marks_unref);
}

/**
 * ns_timeline_set_shows_states:
 * @self: a timeline
 * @shows_states: whether state changes have lanes
 */
void
ns_timeline_set_shows_states (NsTimeline *self, gboolean shows_states)
{
  if (self->shows_states == shows_states)
    return;
  self->shows_states = shows_states;
  if (self->session == NULL)
    return;
  ns_timeline_find_states (self);
  if (self->states != NULL)
    ns_timeline_build_lanes (self);
}

/**
 * ns_timeline_may_have_states:
 * @self: a timeline
 *
 * Returns: %TRUE if the trace has state changes, or if they were not searched yet and it may have
 *   some
 */
gboolean
ns_timeline_may_have_states (NsTimeline *self)
{
  if (self->states != NULL)
    return self->states->lanes->len > 0;
  return self->session != NULL && ns_state_marks_may_be (ns_session_get_trace (self->session));
}

/**
 * ns_timeline_get_shows_states:
 * @self: a timeline
 *
 * Returns: whether state changes have lanes
 */
gboolean
ns_timeline_get_shows_states (NsTimeline *self)
{
  return self->shows_states;
}

/* Returns the state change at a position, or NULL. */
const NsStateMark *
ns_timeline_state_at (NsTimeline *self, double x, double y)
{
  guint32 lane = ns_timeline_lane_at (self, y);

  if (lane == NS_LANE_NONE || ns_timeline_is_head (self, x))
    return NULL;
  return ns_timeline_states_find_at (self->lanes,
                                     &self->layout,
                                     lane,
                                     ns_timeline_get_plot_x (self, x));
}

/* Returns the log line at a position, or NULL. */
const NsLogMark *
ns_timeline_log_line_at (NsTimeline *self, double x, double y)
{
  guint32 lane = ns_timeline_lane_at (self, y);

  if (lane == NS_LANE_NONE || ns_timeline_is_head (self, x))
    return NULL;
  return ns_timeline_logs_find_at (self->lanes,
                                   &self->layout,
                                   lane,
                                   ns_timeline_get_plot_x (self, x));
}

/* Returns the selected log lines, or NULL if the selection is of another table. */
const GArray *
ns_timeline_get_chosen_lines (NsTimeline *self)
{
  return ns_session_get_selected_table (self->session) == NS_TABLE_LOG
             ? ns_session_get_selected (self->session)
             : NULL;
}

/* Builds the lanes again if the set of log lines that match the filter has changed. */
void
ns_timeline_lines_changed (NsTimeline *self)
{
  if (self->lanes != NULL && !ns_session_is_busy (self->session, NS_TABLE_LOG) &&
      ns_session_get_set (self->session, NS_TABLE_LOG) != self->log_set)
    ns_timeline_build_lanes (self);
}

static void
add_bar (NsTimeline *self, guint32 row)
{
  const NsTrace *trace = ns_session_get_trace (self->session);
  const NsActivityRow *activity = ns_trace_get_row (trace, NS_TABLE_ACTIVITIES, row + 1);
  NsTimelineBar bar = { .row = row, .shown = ns_timeline_lanes_find_bar (self->lanes, row) };

  bar.x0 = ns_timeline_layout_x_at (&self->layout, activity->open_ns);
  bar.x1 = ns_timeline_layout_x_at (&self->layout,
                                    MIN (ns_row_span_end (trace, activity), self->moment_ns));
  bar.is_dim = ns_timeline_lanes_is_dim (self->lanes, row);
  if (bar.shown != NS_LANE_NONE && bar.x1 >= 0 && bar.x0 < self->layout.width)
    ns_timeline_list_add_bar (self->list, &bar);
}

/**
 * ns_timeline_list_chosen:
 * @self: a timeline with a list of items
 *
 * Adds bars for the selected rows, which may be folded among others.
 */
void
ns_timeline_list_chosen (NsTimeline *self)
{
  guint32 activity = ns_session_get_activity (self->session);
  const GArray *rows = ns_session_get_selected (self->session);
  guint n_rows =
      ns_session_get_selected_table (self->session) == NS_TABLE_ACTIVITIES ? rows->len : 0;
  guint i;

  if (activity != G_MAXUINT32)
    add_bar (self, activity);
  for (i = 0; i < MIN (n_rows, MAX_CHOSEN); i++)
    add_bar (self, g_array_index (rows, guint32, i));
}

/**
 * ns_timeline_set_found:
 * @self: a timeline
 * @times: (element-type gint64): start of each row that matches the search
 * @rows: (nullable) (element-type guint32): the rows, if they are activities
 *
 * Marks @times on the overview and the ruler, and the bars of @rows in their lanes.
 */
void
ns_timeline_set_found (NsTimeline *self, const GArray *times, const GArray *rows)
{
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_pointer (&self->found_rows, g_array_unref);
  self->found = g_array_sized_new (FALSE, FALSE, sizeof (gint64), times->len);
  if (times->len > 0)
    g_array_append_vals (self->found, times->data, times->len);
  if (rows != NULL && rows->len > 0)
    {
      self->found_rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), rows->len);
      g_array_append_vals (self->found_rows, rows->data, rows->len);
    }
  if (self->lanes != NULL)
    ns_timeline_lanes_set_found (self->lanes, self->found_rows);
  ns_timeline_queue_list (self);
}

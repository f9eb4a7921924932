/* A trace that is still being written: its new buffers are shown as they come, and all that was
 * chosen stays.
 *
 * Correlation looks at the whole trace, so each time the file has grown it is read again from its
 * beginning, in a thread that gives way to all else. What comes meanwhile is there after the next
 * reading, which follows as soon as the findings are known and the window has had time for its
 * user. A window that nobody can see reads a fifth of the time at most.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-match.h"
#include "model/ns-sched-job.h"
#include "model/ns-session-findings.h"
#include "model/ns-session-later.h"
#include "model/ns-trace-loader.h"
#include "ui/ns-settings.h"
#include "ui/ns-window-private.h"

#include <glib/gi18n.h>

/* How often the file is asked for its size; also on shares that tell nothing of changes. */
#define FOLLOW_EVERY_MS 400
/* The user has the window for so many times as long as it took to show what was read, at least. */
#define FOLLOW_ROOM 3
#define FOLLOW_ROOM_US 50000
/* Unseen, and at most while findings are looked for, it pauses so many times as long as it took. */
#define FOLLOW_PAUSES 4
/* What came while it was read is looked for so soon: it may be the last for a while. */
#define FOLLOW_SOON_MS 100
/* So many chosen rows are chosen again. */
#define MAX_AGAIN 100
/* Rows that have not come by then will not move the view. */
#define MAX_FRAMES 30
/* Among so many rows they are found before anybody notices. */
#define FEW_ROWS 20000

/* What the user has chosen, and where the focus is. */
typedef struct
{
  NsSession *session;
  GVariant *marks;
  GVariant *state;
  NsTimeSpan visible;
  NsTimeSpan whole;
  double scroll;
  double upper; /* where the rows ended */
  gboolean is_at_end;
  GtkWidget *focus; /* the part of the window; (nullable): elsewhere */
} Kept;

static GtkAdjustment *
find_adjustment (NsWindow *self)
{
  NsTableView *view = ns_window_peek_table (self, self->table);

  return view != NULL ? ns_table_view_get_adjustment (view) : NULL;
}

static void
keep (NsWindow *self, Kept *kept)
{
  GtkAdjustment *adjustment = find_adjustment (self);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  ns_timeline_save_marks (NS_TIMELINE (self->timeline), &dict);
  kept->session = g_object_ref (self->session);
  kept->marks = g_variant_ref_sink (g_variant_dict_end (&dict));
  kept->state = g_variant_ref_sink (ns_session_dup_state (self->session));
  kept->visible = ns_session_get_visible (self->session);
  kept->whole = ns_session_get_whole (self->session);
  kept->scroll = adjustment != NULL ? gtk_adjustment_get_value (adjustment) : 0;
  kept->upper = adjustment != NULL ? gtk_adjustment_get_upper (adjustment) : 0;
  kept->is_at_end = adjustment != NULL && kept->scroll > 0 &&
                    kept->scroll + gtk_adjustment_get_page_size (adjustment) + 1 >
                        gtk_adjustment_get_upper (adjustment);
  kept->focus = focus != NULL && gtk_widget_is_ancestor (focus, self->tables) ? self->tables : NULL;
}

static void
kept_clear (Kept *kept)
{
  g_object_unref (kept->session);
  g_variant_unref (kept->marks);
  g_variant_unref (kept->state);
}

/* A view of all that was read stays one of all, one of the end stays at the end, any other does not
 * move. */
static NsTimeSpan
follow_span (const Kept *kept, NsSession *session)
{
  NsTimeSpan whole = ns_session_get_whole (session);
  NsTimeSpan span = kept->visible;
  gint64 frontier_ns = ns_session_get_frontier (kept->session);

  if (frontier_ns > 0 && span.begin_ns <= kept->whole.begin_ns && span.end_ns >= frontier_ns)
    return ns_session_get_first_view (session);
  if (span.begin_ns <= kept->whole.begin_ns && span.end_ns >= kept->whole.end_ns)
    return whole;
  if (span.end_ns >= kept->whole.end_ns)
    {
      span.begin_ns += whole.end_ns - kept->whole.end_ns;
      span.end_ns = whole.end_ns;
    }
  return span;
}

static void
select_rows (NsWindow *self, NsTableId table, const GArray *rows)
{
  ns_session_select_again (self->session,
                           table,
                           (const guint32 *) (gpointer) rows->data,
                           rows->len);
}

/* Rows that are looked for in a thread, and who wants them. */
typedef struct
{
  NsWindow *window;
  NsSession *session;
  NsTableId table;
} Again;

static void
found_again_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Again *again = data;
  NsWindow *self = again->window;
  g_autoptr (GArray) rows = ns_row_match_find_finish (result, NULL);

  /* What was chosen meanwhile is newer. */
  if (rows != NULL && self->session == again->session &&
      ns_session_get_selected (self->session)->len == 0)
    select_rows (self, again->table, rows);
  g_object_unref (again->session);
  g_object_unref (again->window);
  g_free (again);
}

static void
select_again (NsWindow *self, const Kept *kept)
{
  NsTableId table = ns_session_get_selected_table (kept->session);
  const GArray *selected = ns_session_get_selected (kept->session);
  const guint32 *rows = (const guint32 *) (gpointer) selected->data;
  guint n_rows = MIN (selected->len, MAX_AGAIN);
  NsTrace *from = ns_session_get_trace (kept->session);
  NsTrace *to = ns_session_get_trace (self->session);
  Again *again;

  if (n_rows == 0)
    return;
  /* How many findings there are is not known at once. */
  if (table != NS_TABLE_FINDINGS && ns_table_get_n_rows (to, table) <= FEW_ROWS)
    {
      g_autoptr (GArray) found = ns_row_match_find (from, table, rows, n_rows, to, NULL);

      select_rows (self, table, found);
      return;
    }
  again = g_new0 (Again, 1);
  again->window = g_object_ref (self);
  again->session = g_object_ref (self->session);
  again->table = table;
  ns_row_match_find_async (from, table, rows, n_rows, to, NULL, found_again_cb, again);
}

/* A place to scroll to once the new rows have their size. */
typedef struct
{
  double scroll;
  double upper;
  gboolean is_at_end;
  guint n_frames;
} Place;

static gboolean
scroll_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  NsWindow *self = NS_WINDOW (widget);
  GtkAdjustment *adjustment = self->session != NULL ? find_adjustment (self) : NULL;
  Place *place = data;

  if (adjustment == NULL || ++place->n_frames > MAX_FRAMES)
    return G_SOURCE_REMOVE;
  if (gtk_adjustment_get_upper (adjustment) <= gtk_adjustment_get_page_size (adjustment) ||
      ns_session_is_busy (self->session, self->table) ||
      ns_table_view_is_growing (ns_window_peek_table (self, self->table)))
    return G_SOURCE_CONTINUE;
  /* Rows that the list has already have no room before the next frame. */
  if (place->is_at_end && gtk_adjustment_get_upper (adjustment) <= place->upper)
    return G_SOURCE_CONTINUE;
  gtk_adjustment_set_value (adjustment,
                            place->is_at_end ? gtk_adjustment_get_upper (adjustment)
                                             : place->scroll);
  return G_SOURCE_REMOVE;
}

static void
put_back (NsWindow *self, const Kept *kept)
{
  Place *place = g_new0 (Place, 1);
  GtkWidget *focus;
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      const GArray *order = ns_session_get_order (kept->session, (NsTableId) table);

      if (order->len > 0)
        ns_session_set_order (self->session, (NsTableId) table, order);
      ns_session_copy_grouping (self->session,
                                (NsTableId) table,
                                ns_session_get_grouping (kept->session, (NsTableId) table));
    }
  ns_session_set_wall (self->session, ns_session_get_wall (kept->session));
  ns_session_restore_state (self->session, kept->state);
  ns_timeline_restore_marks (NS_TIMELINE (self->timeline), kept->marks);
  select_again (self, kept);
  ns_session_set_visible (self->session, follow_span (kept, self->session));
  focus = gtk_window_get_focus (GTK_WINDOW (self));
  if (kept->focus != NULL && (focus == NULL || !gtk_widget_is_ancestor (focus, self->tables)))
    gtk_widget_child_focus (self->table_pages[self->table], GTK_DIR_TAB_FORWARD);
  place->scroll = kept->scroll;
  place->upper = kept->upper;
  place->is_at_end = kept->is_at_end;
  gtk_widget_add_tick_callback (GTK_WIDGET (self), scroll_cb, place, g_free);
}

/* Whether anything was done that the trace was not opened with. */
gboolean
ns_window_is_touched (NsWindow *self)
{
  return self->session != NULL && (ns_session_history_can_go (self->history, -1) ||
                                   ns_session_get_selected (self->session)->len > 0);
}

/* Shows a later reading of the trace that is shown as if it were opened; takes @trace. */
void
ns_window_show_later (NsWindow *self, NsTrace *trace)
{
  g_autoptr (NsSession) before = g_object_ref (self->session);

  self->is_later = TRUE;
  ns_window_show_session (self, ns_session_new_later (trace, self->file, before));
  self->is_later = FALSE;
}

/* Shows a later reading of the trace that is shown, and leaves what was chosen; takes @trace. */
void
ns_window_swap_trace (NsWindow *self, NsTrace *trace)
{
  gboolean is_info =
      g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->pages)), "info") == 0;
  Kept kept;

  keep (self, &kept);
  /* It is not left: there is nothing to remember for another time. */
  g_clear_pointer (&self->view_key, g_free);
  self->is_swapping = TRUE;
  ns_playback_bar_hold (self->playback_bar);
  ns_session_history_hold (self->history);
  ns_window_show_later (self, trace);
  put_back (self, &kept);
  ns_playback_bar_resume (self->playback_bar);
  self->is_swapping = FALSE;
  ns_session_history_resume (self->history, self->session);
  kept_clear (&kept);
  if (is_info)
    ns_window_show_page (self, "info");
  ns_window_update_actions (self);
}

static const NsEtlHeader *
get_header (NsWindow *self)
{
  NsTrace *trace = self->session != NULL ? ns_session_get_trace (self->session) : NULL;

  return trace != NULL && trace->file != NULL ? ns_etl_file_get_header (trace->file) : NULL;
}

static gboolean
is_unclosed (NsWindow *self)
{
  const NsEtlHeader *header = get_header (self);

  return header != NULL && header->end_filetime == 0;
}

static void
show_follow (NsWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "follow");

  gtk_widget_set_visible (self->follow_button, self->follow_id != 0 || self->is_paused);
  gtk_button_set_label (GTK_BUTTON (self->follow_button),
                        self->is_paused ? _ ("Following · paused") : _ ("Following"));
  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_boolean (self->follow_id != 0));
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), is_unclosed (self));
  ns_timeline_set_following (NS_TIMELINE (self->timeline), self->follow_id != 0);
}

/* Whether the window is put away. Not every desktop tells. */
static gboolean
is_unseen (NsWindow *self)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));

  return surface != NULL &&
         (gdk_toplevel_get_state (GDK_TOPLEVEL (surface)) & GDK_TOPLEVEL_STATE_MINIMIZED) != 0;
}

/* Findings of a reading that is replaced would be looked for again and again, and never shown. */
static gboolean
is_due (NsWindow *self)
{
  gint64 pause_us = self->follow_room_us;
  gboolean is_bad;
  guint n_found;

  if (is_unseen (self) || !ns_session_count_findings (self->session, &n_found, &is_bad))
    pause_us = MAX (pause_us, FOLLOW_PAUSES * self->follow_took_us);
  return g_get_monotonic_time () >= self->follow_ended_us + pause_us;
}

static void look (NsWindow *self);

static gboolean
soon_cb (gpointer data)
{
  NsWindow *self = data;

  self->follow_soon_id = 0;
  look (self);
  return G_SOURCE_REMOVE;
}

static void
look_soon (NsWindow *self)
{
  if (self->follow_soon_id == 0)
    self->follow_soon_id = g_timeout_add (FOLLOW_SOON_MS, soon_cb, self);
}

static void
show_grown (NsWindow *self, NsTrace *trace)
{
  gint64 began_us = g_get_monotonic_time ();
  gint64 now_us;

  ns_window_swap_trace (self, trace);
  now_us = g_get_monotonic_time ();
  self->follow_room_us = MAX (FOLLOW_ROOM * (now_us - began_us), FOLLOW_ROOM_US);
  self->follow_ended_us = now_us;
  look_soon (self);
}

/* The header of a trace is closed behind its last buffers: who saw it closed may have asked for the
 * size of the file before those came. It is complete when nothing has come since. */
static void
end_if_complete (NsWindow *self)
{
  if (is_unclosed (self))
    return;
  ns_window_stop_follow (self);
  ns_window_say (self, _ ("The trace is complete"));
}

static void
grown_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsWindow) self = data;
  g_autoptr (GError) error = NULL;
  NsTrace *trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &error);

  if (self->following == NULL || g_task_get_cancellable (G_TASK (result)) != self->following)
    {
      g_clear_pointer (&trace, ns_trace_unref);
      return;
    }
  g_clear_object (&self->following);
  self->follow_ended_us = g_get_monotonic_time ();
  self->follow_took_us = self->follow_ended_us - self->follow_began_us;
  if (trace != NULL)
    {
      ns_sched_job_watch (trace);
      show_grown (self, trace);
    }
}

static void
read_grown (NsWindow *self, guint64 size)
{
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (self->file);

  self->follow_began_us = g_get_monotonic_time ();
  self->following = g_cancellable_new ();
  /* A buffer that is being written is left for the next time. */
  ns_trace_loader_set_view (loader, ns_settings_get_view ());
  ns_trace_loader_set_max_bytes (loader, size);
  ns_trace_loader_load_async (loader, self->following, grown_cb, g_object_ref (self));
}

static void
size_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsWindow) self = data;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, NULL);
  guint64 size;
  gint64 time;

  if (info == NULL || self->follow_id == 0 || self->following != NULL || self->loading != NULL ||
      !g_file_equal (G_FILE (source), self->file))
    return;
  size = (guint64) g_file_info_get_size (info);
  time = ns_trace_loader_time_of (info);
  if (self->follow_time == 0)
    self->follow_time = time;
  /* The header is written once more when the trace is closed, without any growth. */
  if (size == self->follow_size && time == self->follow_time)
    {
      end_if_complete (self);
      return;
    }
  if (!is_due (self))
    {
      look_soon (self);
      return;
    }
  self->follow_size = size;
  self->follow_time = time;
  read_grown (self, size);
}

static void
look (NsWindow *self)
{
  if (self->following != NULL)
    return;
  g_file_query_info_async (self->file,
                           G_FILE_ATTRIBUTE_STANDARD_SIZE "," NS_TRACE_LOADER_TIME_ATTRIBUTES,
                           G_FILE_QUERY_INFO_NONE,
                           G_PRIORITY_LOW,
                           NULL,
                           size_cb,
                           g_object_ref (self));
}

static gboolean
look_cb (gpointer data)
{
  look (data);
  return G_SOURCE_CONTINUE;
}

/* Looks at once, where the disk tells that the file has changed. */
void
ns_window_follow_now (NsWindow *self)
{
  if (self->follow_id != 0)
    look (self);
}

/* Follows the trace that was opened, if it is still being written and no member of an archive. One
 * that is fetched would have to be fetched whole each time.
 */
void
ns_window_follow (NsWindow *self)
{
  NsTrace *trace = self->session != NULL ? ns_session_get_trace (self->session) : NULL;
  g_autofree char *path = self->session != NULL ? g_file_get_path (self->file) : NULL;

  ns_window_stop_follow (self);
  if (path == NULL || !is_unclosed (self) ||
      ns_etl_file_get_size (trace->file) != ns_load_bar_get_bytes (self->load_bar))
    return;
  self->follow_size = ns_load_bar_get_bytes (self->load_bar);
  self->follow_time = self->load_time;
  self->follow_ended_us = 0;
  self->follow_took_us = 0;
  self->follow_room_us = 0;
  self->follow_id = g_timeout_add (FOLLOW_EVERY_MS, look_cb, self);
  show_follow (self);
}

/* What is shown stays as it is. */
void
ns_window_stop_follow (NsWindow *self)
{
  if (self->is_swapping)
    return;
  if (self->following != NULL)
    g_cancellable_cancel (self->following);
  g_clear_object (&self->following);
  g_clear_handle_id (&self->follow_id, g_source_remove);
  g_clear_handle_id (&self->follow_soon_id, g_source_remove);
  self->is_paused = FALSE;
  show_follow (self);
}

static void
follow_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;
  gboolean is_on = g_variant_get_boolean (state);

  if (self->session == NULL || !is_unclosed (self))
    return;
  if (is_on)
    {
      ns_window_follow (self);
      self->follow_size = 0;
    }
  else
    {
      ns_window_stop_follow (self);
      self->is_paused = TRUE;
      show_follow (self);
    }
}

static const GActionEntry entries[] = {
  { "follow", NULL, NULL, "false", follow_cb, { 0 } },
};

/* Adds the actions to a new window. */
void
ns_window_add_follow (NsWindow *self)
{
  GAction *action;

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  /* Until a trace is there that is still being written. */
  action = g_action_map_lookup_action (G_ACTION_MAP (self), "follow");
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), FALSE);
}

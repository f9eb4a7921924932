/* A trace that is still being written: its new buffers are shown as they come, and all that was
 * chosen stays. When it is read again `model/ns-follower` decides.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-match.h"
#include "model/ns-session-later.h"
#include "ui/ns-settings.h"
#include "ui/ns-window-private.h"

#include <glib/gi18n.h>

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
  gboolean has_focus; /* the tabs have it */
} Kept;

static GtkAdjustment *
find_adjustment (NsWindow *self)
{
  NsTableView *view = ns_window_peek_table (self, ns_window_get_front (self));

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
  kept->has_focus = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->tabs));
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
      ns_session_is_busy (self->session, ns_window_get_front (self)) ||
      ns_table_view_is_growing (ns_window_peek_table (self, ns_window_get_front (self))))
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
  if (kept->has_focus &&
      (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->tabs))))
    ns_trace_tabs_focus (self->tabs);
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
  ns_window_show_session (self, ns_session_new_later (trace, ns_window_get_file (self), before));
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

static void
grown_cb (NsWindow *self, NsTrace *trace)
{
  ns_window_swap_trace (self, ns_trace_ref (trace));
}

static void
complete_cb (NsWindow *self)
{
  ns_window_say (self, _ ("The trace is complete"));
}

static void
following_cb (NsWindow *self)
{
  ns_timeline_set_following (NS_TIMELINE (self->timeline),
                             ns_follower_is_following (self->follower));
}

/* Rows are read once: a file that changes afterwards is offered to be read again. */
static void
file_changed_cb (NsWindow *self)
{
  ns_notice_bars_set_change (self->bars, NS_FILE_CHANGED);
}

static void
file_gone_cb (NsWindow *self)
{
  ns_notice_bars_set_change (self->bars, NS_FILE_GONE);
}

/* Has a new window follow what it shows. */
void
ns_window_add_follow (NsWindow *self)
{
  static const struct
  {
    const char *signal;
    GCallback callback;
  } connections[] = {
    { "grown", G_CALLBACK (grown_cb) },
    { "complete", G_CALLBACK (complete_cb) },
    { "notify::following", G_CALLBACK (following_cb) },
    { "file-changed", G_CALLBACK (file_changed_cb) },
    { "file-gone", G_CALLBACK (file_gone_cb) },
  };
  guint i;

  self->follower = ns_follower_new (ns_settings_get_view ());
  for (i = 0; i < G_N_ELEMENTS (connections); i++)
    g_signal_connect_object (self->follower,
                             connections[i].signal,
                             connections[i].callback,
                             self,
                             G_CONNECT_SWAPPED);
  ns_follow_button_set_follower (ns_status_bar_get_follow_button (self->status_bar),
                                 self->follower);
}

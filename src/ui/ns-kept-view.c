/* Saves the state of a view (selection, sort orders, grouping, zoom, scroll position), and restores
 * it after the trace was read again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-kept-view.h"

#include "model/ns-row-match.h"
#include "model/ns-session-state.h"

/* Maximum number of selected rows to restore. */
#define MAX_RESTORED_ROWS 100
/* Frames after which the scroll position is no longer restored. */
#define MAX_FRAMES 30
/* Up to this number of rows, the search for selected rows runs synchronously. */
#define FEW_ROWS 20000

struct _NsKeptView
{
  NsTimeline *timeline;
  NsTraceTabs *tabs;
  NsSession *session;
  GVariant *marks;
  GVariant *state;
  NsTimeSpan visible;
  NsTimeSpan whole;
  double scroll;
  double upper; /* upper bound of the adjustment */
  gboolean is_at_end;
  gboolean has_focus; /* the focus is inside the tabs */
};

static GtkAdjustment *
find_adjustment (NsTraceTabs *tabs, NsSession *session)
{
  NsTableView *view = ns_trace_tabs_peek_table (tabs, ns_session_get_front (session));

  return view != NULL ? ns_table_view_get_adjustment (view) : NULL;
}

static gboolean
has_focus (NsTraceTabs *tabs)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (tabs));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (tabs));
}

/**
 * ns_kept_view_new:
 * @session: the session
 * @timeline: the timeline that shows @session
 * @tabs: the tables that show @session
 *
 * Returns: (transfer full): the state of the view
 */
NsKeptView *
ns_kept_view_new (NsSession *session, NsTimeline *timeline, NsTraceTabs *tabs)
{
  NsKeptView *self = g_new0 (NsKeptView, 1);
  GtkAdjustment *adjustment = find_adjustment (tabs, session);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  ns_timeline_save_marks (timeline, &dict);
  self->timeline = g_object_ref (timeline);
  self->tabs = g_object_ref (tabs);
  self->session = g_object_ref (session);
  self->marks = g_variant_ref_sink (g_variant_dict_end (&dict));
  self->state = g_variant_ref_sink (ns_session_dup_state (session));
  self->visible = ns_session_get_visible (session);
  self->whole = ns_session_get_whole (session);
  self->scroll = adjustment != NULL ? gtk_adjustment_get_value (adjustment) : 0;
  self->upper = adjustment != NULL ? gtk_adjustment_get_upper (adjustment) : 0;
  self->is_at_end = adjustment != NULL && self->scroll > 0 &&
                    self->scroll + gtk_adjustment_get_page_size (adjustment) + 1 >
                        gtk_adjustment_get_upper (adjustment);
  self->has_focus = has_focus (tabs);
  return self;
}

/**
 * ns_kept_view_free:
 * @self: (transfer full): the state of a view
 *
 * Frees the state.
 */
void
ns_kept_view_free (NsKeptView *self)
{
  g_object_unref (self->timeline);
  g_object_unref (self->tabs);
  g_object_unref (self->session);
  g_variant_unref (self->marks);
  g_variant_unref (self->state);
  g_free (self);
}

/* Returns the span to show: a fully zoomed out view stays so, a view at the end of the trace
 * moves with the end, and any other view does not move. */
static NsTimeSpan
follow_span (const NsKeptView *self, NsSession *session)
{
  NsTimeSpan whole = ns_session_get_whole (session);
  NsTimeSpan span = self->visible;
  gint64 frontier_ns = ns_session_get_frontier (self->session);

  if (frontier_ns > 0 && span.begin_ns <= self->whole.begin_ns && span.end_ns >= frontier_ns)
    return ns_session_get_first_view (session);
  if (span.begin_ns <= self->whole.begin_ns && span.end_ns >= self->whole.end_ns)
    return whole;
  if (span.end_ns >= self->whole.end_ns)
    {
      span.begin_ns += whole.end_ns - self->whole.end_ns;
      span.end_ns = whole.end_ns;
    }
  return span;
}

static void
select_rows (NsSession *session, NsTableId table, const GArray *rows)
{
  ns_session_select_again (session, table, (const guint32 *) (gpointer) rows->data, rows->len);
}

/* Data of an asynchronous search for the selected rows. */
typedef struct
{
  NsSession *session;
  NsTableId table;
} SelectData;

static void
found_again_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  SelectData *select_data = data;
  g_autoptr (GArray) rows = ns_row_match_find_finish (result, NULL);

  /* A selection made by the user in the meantime has priority. */
  if (rows != NULL && ns_session_get_selected (select_data->session)->len == 0)
    select_rows (select_data->session, select_data->table, rows);
  g_object_unref (select_data->session);
  g_free (select_data);
}

static void
select_again (const NsKeptView *self, NsSession *session)
{
  NsTableId table = ns_session_get_selected_table (self->session);
  const GArray *selected = ns_session_get_selected (self->session);
  const guint32 *rows = (const guint32 *) (gpointer) selected->data;
  guint n_rows = MIN (selected->len, MAX_RESTORED_ROWS);
  NsTrace *from = ns_session_get_trace (self->session);
  NsTrace *to = ns_session_get_trace (session);
  SelectData *select_data;

  if (n_rows == 0)
    return;
  /* Findings are always searched asynchronously, because their number is not known yet. */
  if (table != NS_TABLE_FINDINGS && ns_table_get_n_rows (to, table) <= FEW_ROWS)
    {
      g_autoptr (GArray) found = ns_row_match_find (from, table, rows, n_rows, to, NULL);

      select_rows (session, table, found);
      return;
    }
  select_data = g_new0 (SelectData, 1);
  select_data->session = g_object_ref (session);
  select_data->table = table;
  ns_row_match_find_async (from, table, rows, n_rows, to, NULL, found_again_cb, select_data);
}

/* The scroll position to restore once the new rows are laid out. */
typedef struct
{
  NsTraceTabs *tabs;
  NsSession *session;
  double scroll;
  double upper;
  gboolean is_at_end;
  guint n_frames;
} ScrollData;

static void
scroll_data_free (gpointer data)
{
  ScrollData *scroll_data = data;

  g_object_unref (scroll_data->tabs);
  g_object_unref (scroll_data->session);
  g_free (scroll_data);
}

static gboolean
scroll_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  ScrollData *scroll_data = data;
  GtkAdjustment *adjustment = find_adjustment (scroll_data->tabs, scroll_data->session);
  NsTableId front = ns_session_get_front (scroll_data->session);

  if (adjustment == NULL || ++scroll_data->n_frames > MAX_FRAMES)
    return G_SOURCE_REMOVE;
  if (gtk_adjustment_get_upper (adjustment) <= gtk_adjustment_get_page_size (adjustment) ||
      ns_session_is_busy (scroll_data->session, front) ||
      ns_table_view_is_growing (ns_trace_tabs_peek_table (scroll_data->tabs, front)))
    return G_SOURCE_CONTINUE;
  /* The adjustment includes new rows only from the next frame on. */
  if (scroll_data->is_at_end && gtk_adjustment_get_upper (adjustment) <= scroll_data->upper)
    return G_SOURCE_CONTINUE;
  gtk_adjustment_set_value (adjustment,
                            scroll_data->is_at_end ? gtk_adjustment_get_upper (adjustment)
                                                   : scroll_data->scroll);
  return G_SOURCE_REMOVE;
}

static void
copy_orders (const NsKeptView *self, NsSession *session)
{
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      const GArray *order = ns_session_get_order (self->session, (NsTableId) table);

      if (order->len > 0)
        ns_session_set_order (session, (NsTableId) table, order);
      ns_session_copy_grouping (session,
                                (NsTableId) table,
                                ns_session_get_grouping (self->session, (NsTableId) table));
    }
}

/**
 * ns_kept_view_put_back:
 * @self: the state of a view
 * @session: the session of the reread trace, already shown by the timeline and the tabs
 *
 * Restores the state.
 */
void
ns_kept_view_put_back (NsKeptView *self, NsSession *session)
{
  ScrollData *scroll_data = g_new0 (ScrollData, 1);

  copy_orders (self, session);
  ns_session_set_wall (session, ns_session_get_wall (self->session));
  ns_session_restore_state (session, self->state);
  ns_timeline_restore_marks (self->timeline, self->marks);
  select_again (self, session);
  ns_session_set_visible (session, follow_span (self, session));
  if (self->has_focus && !has_focus (self->tabs))
    ns_trace_tabs_focus (self->tabs);
  scroll_data->tabs = g_object_ref (self->tabs);
  scroll_data->session = g_object_ref (session);
  scroll_data->scroll = self->scroll;
  scroll_data->upper = self->upper;
  scroll_data->is_at_end = self->is_at_end;
  /* The tick callback is added to the window, because it has to run after the layout of all rows
   * in the previous frame. */
  gtk_widget_add_tick_callback (GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self->tabs))),
                                scroll_cb,
                                scroll_data,
                                scroll_data_free);
}

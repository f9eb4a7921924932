/* Going to what was copied: a link, a moment, or the rows that tell of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-place-job.h"
#include "ui/ns-window-private.h"

#include <glib/gi18n.h>

/* Of a trace that is seen as a whole, a moment is shown with so much around it. */
#define WHOLE_PARTS 20

/* A search that is under way keeps its window. */
typedef struct
{
  NsWindow *window;
  NsSession *session;
  GCancellable *cancellable;
  char *text;
  NsPlaceKind kind;
} Going;

static void
going_free (Going *going)
{
  g_object_unref (going->window);
  g_object_unref (going->session);
  g_object_unref (going->cancellable);
  g_free (going->text);
  g_free (going);
}

static void
say_nothing_found (NsWindow *self, const char *text)
{
  /* Translators: what was pasted, such as an address or a name. */
  g_autofree char *said = g_strdup_printf (_ ("Nothing in this trace tells of “%s”."), text);

  ns_window_say (self, said);
}

/* Rows that the filter hides cannot be gone to: it goes, and Ctrl+Z brings it back. @is_time_asked:
 * what is in view stays so, wherever the bar is.
 */
static void
show_hits (NsWindow *self, const char *text, const NsPlaceHit *hit, gboolean is_time_asked)
{
  ns_window_show_table (self, hit->table);
  if (hit->is_hidden)
    {
      ns_filter_bar_set_text (self->filter_bar, "");
      ns_window_say (self, _ ("The filter hid it and was taken away. Ctrl+Z brings it back."));
    }
  ns_timeline_hold_time (NS_TIMELINE (self->timeline), is_time_asked);
  ns_session_select (self->session, hit->table, &hit->row, 1);
  ns_timeline_hold_time (NS_TIMELINE (self->timeline), FALSE);
  if (hit->filter != NULL)
    ns_find_bar_find_matching (self->find_bar, text, hit->filter);
}

/* Brings the time of a row into view, as long a view as before. */
static void
show_row_time (NsWindow *self, NsTableId table, guint32 row)
{
  NsTimeSpan whole = ns_session_get_whole (self->session);
  NsTimeSpan visible = ns_session_get_visible (self->session);
  gint64 length_ns = visible.end_ns - visible.begin_ns;
  gint64 begin_ns;
  NsTimeSpan span;

  if (!ns_session_get_row_span (self->session, table, row, &span) ||
      (span.begin_ns < visible.end_ns && span.end_ns > visible.begin_ns))
    return;
  begin_ns = CLAMP (span.begin_ns - length_ns / 3, whole.begin_ns, whole.end_ns - length_ns);
  ns_session_set_visible (self->session, (NsTimeSpan){ begin_ns, begin_ns + length_ns });
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Going *going = user_data;
  NsWindow *self = going->window;
  g_auto (NsPlaceHit) hit = { 0 };
  g_autoptr (GError) error = NULL;

  /* Who has gone elsewhere since stays there. */
  if (self->session == going->session && self->going == going->cancellable)
    {
      g_clear_object (&self->going);
      if (ns_place_job_run_finish (result, &hit, &error))
        {
          show_hits (self, going->text, &hit, going->kind == NS_PLACE_TIME);
          if (going->kind == NS_PLACE_ROWS)
            show_row_time (self, hit.table, hit.row);
        }
      else if (going->kind == NS_PLACE_ROWS &&
               g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
        say_nothing_found (self, going->text);
    }
  going_free (going);
}

/* Puts a moment in the middle of the view. */
static gboolean
show_moment (NsWindow *self, gint64 time_ns)
{
  NsTimeSpan whole = ns_session_get_whole (self->session);
  NsTimeSpan visible = ns_session_get_visible (self->session);
  gint64 length_ns = visible.end_ns - visible.begin_ns;
  gint64 begin_ns;

  if (time_ns < whole.begin_ns || time_ns > whole.end_ns)
    {
      ns_window_say (self, _ ("That moment is outside of this trace."));
      return FALSE;
    }
  if (length_ns >= whole.end_ns - whole.begin_ns)
    length_ns = MAX (length_ns / WHOLE_PARTS, 1);
  begin_ns = CLAMP (time_ns - length_ns / 2, whole.begin_ns, whole.end_ns - length_ns);
  ns_session_set_visible (self->session, (NsTimeSpan){ begin_ns, begin_ns + length_ns });
  return TRUE;
}

/* Whether the filter of the table in front keeps a row. */
static gboolean
is_kept (NsWindow *self, guint32 row)
{
  const GArray *rows = ns_row_list_get_rows (ns_session_get_rows (self->session, self->table));
  guint i;

  for (i = 0; i < rows->len; i++)
    if (g_array_index (rows, guint32, i) == row)
      return TRUE;
  return FALSE;
}

static void
follow_link (NsWindow *self, const NsPlace *place)
{
  NsTimeSpan whole = ns_session_get_whole (self->session);
  NsTimeSpan span = { MAX (place->span.begin_ns, whole.begin_ns),
                      MIN (place->span.end_ns, whole.end_ns) };
  guint32 row = (guint32) place->number - 1;

  if (place->has_table)
    ns_window_show_table (self, place->table);
  if (span.begin_ns < span.end_ns)
    ns_session_set_visible (self->session, span);
  if (place->number > 0 &&
      place->number <= ns_table_get_n_rows (ns_session_get_trace (self->session), self->table))
    {
      const NsPlaceHit hit = { .table = self->table,
                               .row = row,
                               .is_hidden = !is_kept (self, row) };

      show_hits (self, NULL, &hit, span.begin_ns < span.end_ns);
    }
}

/* Goes to what a text stands for. */
static void
go_to_text (NsWindow *self, const char *text)
{
  NsTrace *trace = self->session != NULL ? ns_session_get_trace (self->session) : NULL;
  g_autoptr (NsPlace) place = trace != NULL ? ns_place_new (trace, text) : NULL;
  Going *going;

  g_cancellable_cancel (self->going);
  g_clear_object (&self->going);
  if (place == NULL)
    {
      ns_window_say (self, _ ("What was copied is no place in a trace."));
      return;
    }
  if (place->kind == NS_PLACE_LINK)
    {
      follow_link (self, place);
      return;
    }
  if (place->kind == NS_PLACE_TIME && !show_moment (self, place->span.begin_ns))
    return;
  going = g_new0 (Going, 1);
  going->window = g_object_ref (self);
  going->session = g_object_ref (self->session);
  going->text = g_strdup (place->text);
  self->going = g_cancellable_new ();
  going->cancellable = g_object_ref (self->going);
  going->kind = place->kind;
  ns_place_job_run_async (self->session,
                          g_steal_pointer (&place),
                          self->table,
                          self->going,
                          found_cb,
                          going);
}

/* Shows what the command line asked for, once there is a trace to show it of. */
void
ns_window_take_asked_view (NsWindow *self)
{
  g_autoptr (GVariant) view = g_steal_pointer (&self->asked_view);
  const char *text = NULL;
  NsTableId table;

  if (view == NULL)
    return;
  if (g_variant_lookup (view, "table", "&s", &text) && ns_table_from_name (text, &table))
    ns_window_show_table (self, table);
  if (g_variant_lookup (view, "filter", "&s", &text))
    ns_filter_bar_set_text (self->filter_bar, text);
  if (g_variant_lookup (view, "sort", "&s", &text))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.sort", "s", text);
  if (g_variant_lookup (view, "go", "&s", &text))
    go_to_text (self, text);
}

/**
 * ns_window_ask_view:
 * @self: a window that shows or opens a trace
 * @view: (type GVariant): texts by name: `table`, `filter`, `sort`, `go`; none need be there
 *
 * Looks at the trace so, instead of as it was looked at the last time.
 */
void
ns_window_ask_view (NsWindow *self, GVariant *view)
{
  g_clear_pointer (&self->asked_view, g_variant_unref);
  self->asked_view = g_variant_ref_sink (view);
  if (self->session != NULL && self->loading == NULL)
    ns_window_take_asked_view (self);
}

static void
pasted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsWindow) self = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);

  go_to_text (self, text != NULL ? text : "");
}

static void
paste_go_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (data)),
                                 NULL,
                                 pasted_cb,
                                 g_object_ref (data));
}

static void
go_to_text_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  go_to_text (data, g_variant_get_string (parameter, NULL));
}

static const GActionEntry entries[] = {
  { "paste-go", paste_go_cb, NULL, NULL, NULL, { 0 } },
  { "go-to-text", go_to_text_cb, "s", NULL, NULL, { 0 } },
};

/* Switches what needs an open trace. */
void
ns_window_enable_go (NsWindow *self, gboolean has_trace)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), entries[i].name);

      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), has_trace);
    }
}

/* Adds the actions to a new window. */
void
ns_window_add_go (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

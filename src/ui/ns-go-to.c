/* Goes to a copied position: a link, a time, or the rows that contain a value such as an address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-go-to.h"

#include "model/ns-place-job.h"
#include "model/ns-signal.h"

#include <gdk/gdk.h>
#include <glib/gi18n.h>

/* In a fully zoomed out view, going to a time zooms in to the duration of the trace divided by
 * this. */
#define ZOOM_DIVISOR 20

struct _NsGoTo
{
  GObject parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  GCancellable *search_cancellable; /* (nullable): the running search */
  GVariant *view;                   /* (nullable): the view to show, see ns_go_to_set_view() */
};

enum
{
  SIGNAL_FILTER,
  SIGNAL_FOUND,
  SIGNAL_HOLD_TIME,
  SIGNAL_MESSAGE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsGoTo, ns_go_to, G_TYPE_OBJECT)

/* Data of a running search, which keeps the NsGoTo alive. */
typedef struct
{
  NsGoTo *self;
  GCancellable *cancellable;
  char *text;
  NsPlaceKind kind;
} SearchData;

static void
search_data_free (SearchData *search)
{
  g_object_unref (search->self);
  g_object_unref (search->cancellable);
  g_free (search->text);
  g_free (search);
}

static NsTableId
get_table (NsGoTo *self)
{
  return ns_session_get_front (self->session);
}

static void
show_message (NsGoTo *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

static void
set_filter (NsGoTo *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_FILTER], 0, text);
}

static void
hold_time (NsGoTo *self, gboolean is_held)
{
  g_signal_emit (self, signals[SIGNAL_HOLD_TIME], 0, is_held);
}

static void
show_nothing_found (NsGoTo *self, const char *text)
{
  /* Translators: what was pasted, such as an address or a name. */
  g_autofree char *said = g_strdup_printf (_ ("“%s” was not found in this trace."), text);

  show_message (self, said);
}

/* Selects a found row. If the filter hides the row, the filter is cleared, and Ctrl+Z restores
 * it. If @is_time_asked, the visible time span does not change. */
static void
show_hits (NsGoTo *self, const char *text, const NsPlaceHit *hit, gboolean is_time_asked)
{
  ns_session_show_table (self->session, hit->table);
  if (hit->is_hidden)
    {
      set_filter (self, "");
      show_message (self, _ ("The filter hid it and was removed. Ctrl+Z restores the filter."));
    }
  hold_time (self, is_time_asked);
  ns_session_select (self->session, hit->table, &hit->row, 1);
  hold_time (self, FALSE);
  if (hit->filter != NULL)
    g_signal_emit (self, signals[SIGNAL_FOUND], 0, text, hit->filter);
}

/* Scrolls to the time span of a row if it is out of view; the zoom does not change. */
static void
show_row_time (NsGoTo *self, NsTableId table, guint32 row)
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
  SearchData *search = user_data;
  NsGoTo *self = search->self;
  g_auto (NsPlaceHit) hit = { 0 };
  g_autoptr (GError) error = NULL;

  /* A newer request supersedes this search. */
  if (self->search_cancellable == search->cancellable)
    {
      g_clear_object (&self->search_cancellable);
      if (ns_place_job_run_finish (result, &hit, &error))
        {
          show_hits (self, search->text, &hit, search->kind == NS_PLACE_TIME);
          if (search->kind == NS_PLACE_ROWS)
            show_row_time (self, hit.table, hit.row);
        }
      else if (search->kind == NS_PLACE_ROWS &&
               g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
        show_nothing_found (self, search->text);
    }
  search_data_free (search);
}

/* Centres the view on a time. Returns FALSE if the time is outside the trace. */
static gboolean
show_moment (NsGoTo *self, gint64 time_ns)
{
  NsTimeSpan whole = ns_session_get_whole (self->session);
  NsTimeSpan visible = ns_session_get_visible (self->session);
  gint64 length_ns = visible.end_ns - visible.begin_ns;
  gint64 begin_ns;

  if (time_ns < whole.begin_ns || time_ns > whole.end_ns)
    {
      show_message (self, _ ("That time is outside this trace."));
      return FALSE;
    }
  if (length_ns >= whole.end_ns - whole.begin_ns)
    length_ns = MAX (length_ns / ZOOM_DIVISOR, 1);
  begin_ns = CLAMP (time_ns - length_ns / 2, whole.begin_ns, whole.end_ns - length_ns);
  ns_session_set_visible (self->session, (NsTimeSpan){ begin_ns, begin_ns + length_ns });
  return TRUE;
}

/* Returns whether the filter of the table in front matches a row. */
static gboolean
is_kept (NsGoTo *self, guint32 row)
{
  const GArray *rows = ns_row_list_get_rows (ns_session_get_rows (self->session, get_table (self)));
  guint i;

  for (i = 0; i < rows->len; i++)
    if (g_array_index (rows, guint32, i) == row)
      return TRUE;
  return FALSE;
}

static void
follow_link (NsGoTo *self, const NsPlace *place)
{
  NsTimeSpan whole = ns_session_get_whole (self->session);
  NsTimeSpan span = { MAX (place->span.begin_ns, whole.begin_ns),
                      MIN (place->span.end_ns, whole.end_ns) };
  guint32 row = (guint32) place->number - 1;

  if (place->has_table)
    ns_session_show_table (self->session, place->table);
  if (span.begin_ns < span.end_ns)
    ns_session_set_visible (self->session, span);
  if (place->number > 0 &&
      place->number <= ns_table_get_n_rows (ns_session_get_trace (self->session), get_table (self)))
    {
      const NsPlaceHit hit = { .table = get_table (self),
                               .row = row,
                               .is_hidden = !is_kept (self, row) };

      show_hits (self, NULL, &hit, span.begin_ns < span.end_ns);
    }
}

static void
stop (NsGoTo *self)
{
  g_cancellable_cancel (self->search_cancellable);
  g_clear_object (&self->search_cancellable);
}

/* Parses a text and goes to the position that it specifies. */
static void
go_to_text (NsGoTo *self, const char *text)
{
  NsTrace *trace = self->session != NULL ? ns_session_get_trace (self->session) : NULL;
  g_autoptr (NsPlace) place = trace != NULL ? ns_place_new (trace, text) : NULL;
  SearchData *search;

  stop (self);
  if (place == NULL)
    {
      show_message (self, _ ("The copied text is not a location in a trace."));
      return;
    }
  if (place->kind == NS_PLACE_LINK)
    {
      follow_link (self, place);
      return;
    }
  if (place->kind == NS_PLACE_TIME && !show_moment (self, place->span.begin_ns))
    return;
  search = g_new0 (SearchData, 1);
  search->self = g_object_ref (self);
  search->text = g_strdup (place->text);
  self->search_cancellable = g_cancellable_new ();
  search->cancellable = g_object_ref (self->search_cancellable);
  search->kind = place->kind;
  ns_place_job_run_async (self->session,
                          g_steal_pointer (&place),
                          get_table (self),
                          self->search_cancellable,
                          found_cb,
                          search);
}

static void
pasted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsGoTo) self = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);

  go_to_text (self, text != NULL ? text : "");
}

static void
paste_go_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gdk_clipboard_read_text_async (gdk_display_get_clipboard (gdk_display_get_default ()),
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

/**
 * ns_go_to_get_actions:
 * @self: an #NsGoTo
 *
 * Returns: (transfer none): the actions: `paste-go` goes to the position on the clipboard,
 *   `go-to-text` to that in its parameter
 */
GActionMap *
ns_go_to_get_actions (NsGoTo *self)
{
  g_return_val_if_fail (NS_IS_GO_TO (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_go_to_set_session:
 * @self: an #NsGoTo
 * @session: (nullable): the session to search
 *
 * Sets the session and cancels a running search.
 */
void
ns_go_to_set_session (NsGoTo *self, NsSession *session)
{
  g_return_if_fail (NS_IS_GO_TO (self));

  if (g_set_object (&self->session, session))
    stop (self);
}

/**
 * ns_go_to_set_view:
 * @self: an #NsGoTo
 * @view: (nullable) (type GVariant): a dictionary of strings with the optional keys `table`,
 *   `filter`, `sort` and `go`
 *
 * Stores the view to show when the trace is open, see ns_go_to_show_view().
 */
void
ns_go_to_set_view (NsGoTo *self, GVariant *view)
{
  g_return_if_fail (NS_IS_GO_TO (self));

  g_clear_pointer (&self->view, g_variant_unref);
  if (view != NULL)
    self->view = g_variant_ref_sink (view);
}

static void
sort (NsGoTo *self, const char *text)
{
  g_autoptr (GArray) order = ns_order_parse (get_table (self), text, NULL);

  if (order != NULL)
    ns_session_set_order (self->session, get_table (self), order);
}

/**
 * ns_go_to_show_view:
 * @self: an #NsGoTo with a session
 *
 * Applies the view stored by ns_go_to_set_view(), once.
 */
void
ns_go_to_show_view (NsGoTo *self)
{
  g_autoptr (GVariant) view = NULL;
  const char *text = NULL;
  NsTableId table;

  g_return_if_fail (NS_IS_GO_TO (self) && self->session != NULL);

  view = g_steal_pointer (&self->view);
  if (view == NULL)
    return;
  if (g_variant_lookup (view, "table", "&s", &text) && ns_table_from_name (text, &table))
    ns_session_show_table (self->session, table);
  if (g_variant_lookup (view, "filter", "&s", &text))
    set_filter (self, text);
  if (g_variant_lookup (view, "sort", "&s", &text))
    sort (self, text);
  if (g_variant_lookup (view, "go", "&s", &text))
    go_to_text (self, text);
}

static void
ns_go_to_dispose (GObject *object)
{
  NsGoTo *self = NS_GO_TO (object);

  stop (self);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ns_go_to_parent_class)->dispose (object);
}

static void
ns_go_to_finalize (GObject *object)
{
  NsGoTo *self = NS_GO_TO (object);

  g_clear_pointer (&self->view, g_variant_unref);
  g_object_unref (self->actions);
  G_OBJECT_CLASS (ns_go_to_parent_class)->finalize (object);
}

static void
ns_go_to_class_init (NsGoToClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_go_to_dispose;
  object_class->finalize = ns_go_to_finalize;
  /**
   * NsGoTo::filter:
   * @self: the #NsGoTo
   * @text: the new filter of the table in front
   *
   * Emitted to set the filter.
   */
  signals[SIGNAL_FILTER] = ns_signal_new (NS_TYPE_GO_TO, "filter", G_TYPE_NONE, 1, G_TYPE_STRING);
  /**
   * NsGoTo::found:
   * @self: the #NsGoTo
   * @text: the search text
   * @filter: the filter expression that selects the matching rows of the table in front
   *
   * Emitted after the first match was selected; more rows may match.
   */
  signals[SIGNAL_FOUND] =
      ns_signal_new (NS_TYPE_GO_TO, "found", G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
  /**
   * NsGoTo::hold-time:
   * @self: the #NsGoTo
   * @is_held: whether the visible time span is kept when rows are selected
   *
   * Emitted before and after a row is selected.
   */
  signals[SIGNAL_HOLD_TIME] =
      ns_signal_new (NS_TYPE_GO_TO, "hold-time", G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  /**
   * NsGoTo::message:
   * @self: the #NsGoTo
   * @text: the message
   *
   * Emitted to show a short message to the user.
   */
  signals[SIGNAL_MESSAGE] = ns_signal_new (NS_TYPE_GO_TO, "message", G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ns_go_to_init (NsGoTo *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
}

/**
 * ns_go_to_new:
 *
 * Returns: (transfer full): a new #NsGoTo without a session
 */
NsGoTo *
ns_go_to_new (void)
{
  return g_object_new (NS_TYPE_GO_TO, NULL);
}

/* The find bar: searches the table in front, steps through the matches, and highlights them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-find-bar.h"

#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/table/ns-table-view.h"

#include <glib/gi18n.h>
#include <string.h>

/* Type of the find-state action: search text, current match (from 1; 0 for none), number of
 * matches, and whether the search is running. */
#define STATE_FORMAT "(suub)"

struct _NsFindBar
{
  GtkBox parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  NsFinder *finder;
  gconstpointer found_rows; /* identity of the searched row array, not dereferenced */
  int find_by;              /* pending steps, taken when the search ends */
  gboolean is_held;         /* updates are suspended until ns_find_bar_resume() */
  gboolean was_at_hit;      /* restore the current match after the search */

  GtkWidget *bar;
  GtkWidget *entry;
  GtkWidget *count;
};

enum
{
  SIGNAL_VIEW,
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

enum
{
  PROP_0,
  PROP_SESSION,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsFindBar, ns_find_bar, GTK_TYPE_BOX)

/* Returns the view of the table in front: (transfer full) (nullable). */
static NsTableView *
dup_view (NsFindBar *self)
{
  NsTableView *view = NULL;

  if (self->session != NULL)
    g_signal_emit (self, signals[SIGNAL_VIEW], 0, &view);
  return view;
}

static NsTableId
get_table (NsFindBar *self)
{
  return ns_session_get_front (self->session);
}

static const GArray *
get_rows (NsFindBar *self)
{
  return ns_row_list_get_rows (ns_session_get_rows (self->session, get_table (self)));
}

static void
search (NsFindBar *self)
{
  g_autoptr (NsTableView) view = dup_view (self);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  const GArray *rows;
  g_autoptr (GPtrArray) fields = NULL;

  if (self->session == NULL || view == NULL)
    {
      ns_finder_clear (self->finder);
      return;
    }
  rows = get_rows (self);
  /* "search-changed" is delayed, so the search for this text may have run already. */
  if (self->found_rows == rows && ns_finder_get_table (self->finder) == get_table (self) &&
      strcmp (ns_finder_get_text (self->finder), text) == 0)
    return;
  self->found_rows = rows;
  /* The rows changed under a search by filter: runs the same filter on the new rows. */
  if (ns_finder_get_filter (self->finder) != NULL &&
      ns_finder_get_table (self->finder) == get_table (self) &&
      strcmp (ns_finder_get_text (self->finder), text) == 0)
    {
      ns_finder_search_matching (self->finder,
                                 ns_session_get_trace (self->session),
                                 get_table (self),
                                 rows,
                                 text,
                                 ns_finder_get_filter (self->finder));
      return;
    }
  fields = ns_table_view_list_fields (view);
  ns_finder_search (self->finder,
                    ns_session_get_trace (self->session),
                    get_table (self),
                    rows,
                    fields,
                    text);
}

/**
 * ns_find_bar_update:
 * @self: a find bar
 *
 * Searches again if the table in front shows other rows.
 */
void
ns_find_bar_update (NsFindBar *self)
{
  g_return_if_fail (NS_IS_FIND_BAR (self));

  if (self->session == NULL || self->is_held || *ns_finder_get_text (self->finder) == '\0' ||
      ns_session_is_busy (self->session, get_table (self)))
    return;
  if (self->found_rows != get_rows (self) || ns_finder_get_table (self->finder) != get_table (self))
    search (self);
}

static char *
dup_found_text (NsFindBar *self)
{
  guint current = ns_finder_get_current (self->finder);
  guint n_hits = ns_finder_get_hits (self->finder)->len;
  g_autofree char *all = ns_words_count (n_hits);
  g_autofree char *at = NULL;

  if (*ns_finder_get_text (self->finder) == '\0')
    return g_strdup ("");
  if (ns_finder_is_busy (self->finder))
    return g_strdup ("…");
  if (n_hits == 0)
    return g_strdup (_ ("Nothing found"));
  if (current == G_MAXUINT)
    return g_strdup_printf (ngettext ("%s%s row", "%s%s rows", n_hits),
                            ns_finder_is_capped (self->finder) ? "≥ " : "",
                            all);
  at = ns_words_count (current + 1);
  /* Translators: such as the third of seventeen matches. */
  return g_strdup_printf (_ ("%s of %s%s"),
                          at,
                          ns_finder_is_capped (self->finder) ? "≥ " : "",
                          all);
}

static void
show_row (NsFindBar *self, guint32 row)
{
  ns_session_select (self->session, ns_finder_get_table (self->finder), &row, 1);
}

/* Returns the position of the first selected row, where the search starts. */
static guint
find_start (NsFindBar *self)
{
  const GArray *selected = ns_session_get_selected (self->session);
  guint position;

  if (selected->len == 0 || ns_session_get_selected_table (self->session) != get_table (self))
    return 0;
  position = ns_row_list_find (ns_session_get_rows (self->session, get_table (self)),
                               g_array_index (selected, guint32, 0));
  return position != G_MAXUINT ? position : 0;
}

static void
go (NsFindBar *self, int by)
{
  guint32 row;

  self->find_by = 0;
  if (self->session == NULL)
    return;
  /* The step is taken when the running search ends. */
  if (ns_finder_is_busy (self->finder))
    {
      self->find_by = by;
      return;
    }
  if (ns_finder_get_current (self->finder) == G_MAXUINT && by > 0)
    {
      if (ns_finder_start_at (self->finder, find_start (self), &row))
        show_row (self, row);
      return;
    }
  if (ns_finder_go (self->finder, by, &row))
    show_row (self, row);
}

/* Makes the selected row the current match again, if the new session has it. */
static void
go_back_to_hit (NsFindBar *self)
{
  const GArray *selected = ns_session_get_selected (self->session);
  const GArray *hits = ns_finder_get_hits (self->finder);
  guint32 row;
  guint i;

  self->was_at_hit = FALSE;
  if (selected->len == 0 ||
      ns_session_get_selected_table (self->session) != ns_finder_get_table (self->finder))
    return;
  row = g_array_index (selected, guint32, 0);
  for (i = 0; i < hits->len; i++)
    if (g_array_index (hits, guint32, i) == row)
      {
        ns_finder_start_at (self->finder, find_start (self), &row);
        return;
      }
}

static void
finder_changed_cb (NsFindBar *self)
{
  g_autofree char *text = dup_found_text (self);
  GAction *state = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "find-state");
  guint current = ns_finder_get_current (self->finder);
  g_autoptr (NsTableView) view = dup_view (self);

  ns_accessible_set_status (self->count, text);
  g_simple_action_set_state (G_SIMPLE_ACTION (state),
                             g_variant_new (STATE_FORMAT,
                                            ns_finder_get_text (self->finder),
                                            current != G_MAXUINT ? current + 1 : 0,
                                            ns_finder_get_hits (self->finder)->len,
                                            ns_finder_is_busy (self->finder)));
  if (view != NULL)
    ns_table_view_set_found (view, ns_finder_get_text (self->finder));
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  if (self->find_by != 0 && !ns_finder_is_busy (self->finder))
    go (self, self->find_by);
  if (self->was_at_hit && !self->is_held && self->session != NULL &&
      !ns_finder_is_busy (self->finder))
    go_back_to_hit (self);
}

static void
entry_changed_cb (NsFindBar *self)
{
  self->was_at_hit = FALSE;
  if (self->session != NULL)
    search (self);
}

/* Steps through the matches on request of the user. "search-changed" is delayed, so a search for
 * the current text is started first; otherwise the step would use the matches of an older text. */
static void
walk (NsFindBar *self, int by)
{
  if (gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (self->bar)))
    entry_changed_cb (self);
  go (self, by);
}

static void
entry_next_cb (NsFindBar *self)
{
  walk (self, 1);
}

static void
entry_previous_cb (NsFindBar *self)
{
  walk (self, -1);
}

static gboolean
entry_key_cb (GtkEventControllerKey *controller,
              guint key,
              guint keycode,
              GdkModifierType state,
              NsFindBar *self)
{
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) || !(state & GDK_SHIFT_MASK))
    return FALSE;
  walk (self, -1);
  return TRUE;
}

/**
 * ns_find_bar_close:
 * @self: a find bar
 *
 * Closes the bar and ends the search.
 *
 * Returns: whether it was open
 */
gboolean
ns_find_bar_close (NsFindBar *self)
{
  g_return_val_if_fail (NS_IS_FIND_BAR (self), FALSE);

  if (!gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (self->bar)))
    return FALSE;
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->bar), FALSE);
  return TRUE;
}

static void
mode_changed_cb (NsFindBar *self)
{
  g_autoptr (NsTableView) view = NULL;

  if (gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (self->bar)))
    return;
  ns_finder_clear (self->finder);
  view = dup_view (self);
  if (view != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (view));
}

/**
 * ns_find_bar_open:
 * @self: a find bar
 *
 * Opens the bar and focuses its entry.
 */
void
ns_find_bar_open (NsFindBar *self)
{
  g_return_if_fail (NS_IS_FIND_BAR (self));

  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->bar), TRUE);
  gtk_widget_grab_focus (self->entry);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

static void
find_text_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsFindBar *self = data;

  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->bar), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), g_variant_get_string (parameter, NULL));
  search (self);
}

/**
 * ns_find_bar_find_matching:
 * @self: a find bar with a session
 * @text: the search text to display
 * @filter: the filter expression that selects the matches in the table in front
 *
 * Finds the rows that match @filter, and goes to the first.
 */
void
ns_find_bar_find_matching (NsFindBar *self, const char *text, const char *filter)
{
  g_return_if_fail (NS_IS_FIND_BAR (self) && self->session != NULL);

  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->bar), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  self->found_rows = get_rows (self);
  ns_finder_search_matching (self->finder,
                             ns_session_get_trace (self->session),
                             get_table (self),
                             self->found_rows,
                             text,
                             filter);
  go (self, 1);
}

static void
find_next_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  walk (data, 1);
}

static void
find_previous_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  walk (data, -1);
}

static const GActionEntry entries[] = {
  { "find-text", find_text_cb, "s", NULL, NULL, { 0 } },
  { "find-next", find_next_cb, NULL, NULL, NULL, { 0 } },
  { "find-previous", find_previous_cb, NULL, NULL, NULL, { 0 } },
};

/* Ignores state changes requested by others. */
static void
leave_state (GSimpleAction *action, GVariant *state, gpointer data)
{
}

static void
add_actions (NsFindBar *self)
{
  g_autoptr (GSimpleAction) state =
      g_simple_action_new_stateful ("find-state",
                                    NULL,
                                    g_variant_new (STATE_FORMAT, "", 0, 0, FALSE));

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  g_simple_action_set_enabled (state, FALSE);
  g_signal_connect (state, "change-state", G_CALLBACK (leave_state), NULL);
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (state));
}

/**
 * ns_find_bar_get_actions:
 * @self: a find bar
 *
 * Returns: (transfer none): the actions of the bar: `find-text`, `find-next` and `find-previous`;
 *   and the read-only state `find-state`: the text, the current match (from 1; 0 for none), the
 *   number of matches, and whether the search is running
 */
GActionMap *
ns_find_bar_get_actions (NsFindBar *self)
{
  g_return_val_if_fail (NS_IS_FIND_BAR (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_find_bar_get_finder:
 * @self: a find bar
 *
 * Returns: (transfer none): the search and its matches
 */
NsFinder *
ns_find_bar_get_finder (NsFindBar *self)
{
  g_return_val_if_fail (NS_IS_FIND_BAR (self), NULL);

  return self->finder;
}

/**
 * ns_find_bar_set_session:
 * @self: a find bar
 * @session: (nullable): the session to search
 *
 * Sets the session. The current search ends, unless updates are suspended by ns_find_bar_hold().
 */
void
ns_find_bar_set_session (NsFindBar *self, NsSession *session)
{
  g_return_if_fail (NS_IS_FIND_BAR (self));

  if (self->session == session)
    return;
  if (!self->is_held)
    ns_find_bar_close (self);
  self->found_rows = NULL;
  g_set_object (&self->session, session);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SESSION]);
}

/**
 * ns_find_bar_hold:
 * @self: a find bar
 *
 * Suspends updates while the session is replaced by one for the reread trace. The search text and
 * the focus are kept until ns_find_bar_resume().
 */
void
ns_find_bar_hold (NsFindBar *self)
{
  g_return_if_fail (NS_IS_FIND_BAR (self));

  self->is_held = TRUE;
  if (ns_finder_get_current (self->finder) != G_MAXUINT)
    self->was_at_hit = TRUE;
}

/**
 * ns_find_bar_resume:
 * @self: a suspended find bar
 *
 * Resumes updates and searches the new session.
 */
void
ns_find_bar_resume (NsFindBar *self)
{
  g_return_if_fail (NS_IS_FIND_BAR (self));

  self->is_held = FALSE;
  ns_find_bar_update (self);
}

static void
ns_find_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    g_value_set_object (value, NS_FIND_BAR (object)->session);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_find_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    ns_find_bar_set_session (NS_FIND_BAR (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_find_bar_dispose (GObject *object)
{
  NsFindBar *self = NS_FIND_BAR (object);

  if (self->finder != NULL)
    g_signal_handlers_disconnect_by_data (self->finder, self);
  g_clear_object (&self->session);
  g_clear_object (&self->finder);
  G_OBJECT_CLASS (ns_find_bar_parent_class)->dispose (object);
}

static void
ns_find_bar_finalize (GObject *object)
{
  g_object_unref (NS_FIND_BAR (object)->actions);
  G_OBJECT_CLASS (ns_find_bar_parent_class)->finalize (object);
}

static void
ns_find_bar_class_init (NsFindBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_find_bar_get_property;
  object_class->set_property = ns_find_bar_set_property;
  object_class->dispose = ns_find_bar_dispose;
  object_class->finalize = ns_find_bar_finalize;
  /**
   * NsFindBar:session:
   *
   * The session to search.
   */
  properties[PROP_SESSION] =
      g_param_spec_object ("session",
                           NULL,
                           NULL,
                           NS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  /**
   * NsFindBar::view:
   * @self: the find bar
   *
   * Requests the view of the table in front. Its columns are searched, and it highlights the
   * matches.
   *
   * Returns: (transfer full) (nullable): an #NsTableView
   */
  signals[SIGNAL_VIEW] = g_signal_new ("view",
                                       NS_TYPE_FIND_BAR,
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NS_TYPE_TABLE_VIEW,
                                       0);
  /**
   * NsFindBar::changed:
   * @self: the find bar
   *
   * Emitted when the search text, the matches or the current match change.
   */
  signals[SIGNAL_CHANGED] = g_signal_new ("changed",
                                          NS_TYPE_FIND_BAR,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-find-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, NsFindBar, bar);
  gtk_widget_class_bind_template_child (widget_class, NsFindBar, entry);
  gtk_widget_class_bind_template_child (widget_class, NsFindBar, count);
}

static void
ns_find_bar_init (NsFindBar *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->finder = ns_finder_new ();
  add_actions (self);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->finder, "changed", G_CALLBACK (finder_changed_cb), self);
  gtk_search_bar_connect_entry (GTK_SEARCH_BAR (self->bar), GTK_EDITABLE (self->entry));
  g_signal_connect_swapped (self->bar,
                            "notify::search-mode-enabled",
                            G_CALLBACK (mode_changed_cb),
                            self);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (entry_changed_cb), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (entry_next_cb), self);
  g_signal_connect_swapped (self->entry, "next-match", G_CALLBACK (entry_next_cb), self);
  g_signal_connect_swapped (self->entry, "previous-match", G_CALLBACK (entry_previous_cb), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (entry_key_cb), self);
  gtk_widget_add_controller (self->entry, keys);
}

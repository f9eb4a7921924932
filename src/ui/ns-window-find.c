/* Find in the table in front: the bar, the walk from hit to hit, and the marks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-spoken.h"
#include "ui/ns-window-find.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <string.h>

/* What others may read: text, hit looked at (from 1; 0: none), hits, whether it is looking. */
#define STATE_FORMAT "(suub)"

static void
search (NsWindow *self)
{
  NsTableView *view = ns_window_ensure_table (self, self->table);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->find_entry));
  const GArray *rows;
  g_autoptr (GPtrArray) fields = NULL;

  if (self->session == NULL || view == NULL)
    {
      ns_finder_clear (self->finder);
      return;
    }
  rows = ns_row_list_get_rows (ns_session_get_rows (self->session, self->table));
  /* The entry tells of a change late; the answer to it may be there already. */
  if (self->found_rows == rows && ns_finder_get_table (self->finder) == self->table &&
      strcmp (ns_finder_get_text (self->finder), text) == 0)
    return;
  self->found_rows = rows;
  /* The same question of other rows: in the words it was asked in. */
  if (ns_finder_get_filter (self->finder) != NULL &&
      ns_finder_get_table (self->finder) == self->table &&
      strcmp (ns_finder_get_text (self->finder), text) == 0)
    {
      ns_finder_search_matching (self->finder,
                                 ns_session_get_trace (self->session),
                                 self->table,
                                 rows,
                                 text,
                                 ns_finder_get_filter (self->finder));
      return;
    }
  fields = ns_table_view_list_fields (view);
  ns_finder_search (self->finder,
                    ns_session_get_trace (self->session),
                    self->table,
                    rows,
                    fields,
                    text);
}

/* Looks again when other rows are shown. */
void
ns_window_find_again (NsWindow *self)
{
  if (self->session == NULL || *ns_finder_get_text (self->finder) == '\0' ||
      ns_session_is_busy (self->session, self->table))
    return;
  if (self->found_rows != ns_row_list_get_rows (ns_session_get_rows (self->session, self->table)) ||
      ns_finder_get_table (self->finder) != self->table)
    search (self);
}

static char *
dup_found_text (NsWindow *self)
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
  /* Translators: the third of seventeen hits. */
  return g_strdup_printf (_ ("%s of %s%s"),
                          at,
                          ns_finder_is_capped (self->finder) ? "≥ " : "",
                          all);
}

static void
show_row (NsWindow *self, guint32 row)
{
  ns_session_select (self->session, ns_finder_get_table (self->finder), &row, 1);
}

/* The place of the first selected row, from which the walk begins. */
static guint
find_start (NsWindow *self)
{
  const GArray *selected = ns_session_get_selected (self->session);
  guint position;

  if (selected->len == 0 || ns_session_get_selected_table (self->session) != self->table)
    return 0;
  position = ns_row_list_find (ns_session_get_rows (self->session, self->table),
                               g_array_index (selected, guint32, 0));
  return position != G_MAXUINT ? position : 0;
}

static void
go (NsWindow *self, int by)
{
  guint32 row;

  self->find_by = 0;
  if (self->session == NULL)
    return;
  /* Who asks before the answer is there gets it then. */
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

static void
finder_changed_cb (NsWindow *self)
{
  g_autofree char *text = dup_found_text (self);
  GAction *state = g_action_map_lookup_action (G_ACTION_MAP (self), "find-state");
  guint current = ns_finder_get_current (self->finder);
  NsTableView *view;

  ns_window_update_actions (self);
  ns_spoken_set_status (self->find_count, text);
  g_simple_action_set_state (G_SIMPLE_ACTION (state),
                             g_variant_new (STATE_FORMAT,
                                            ns_finder_get_text (self->finder),
                                            current != G_MAXUINT ? current + 1 : 0,
                                            ns_finder_get_hits (self->finder)->len,
                                            ns_finder_is_busy (self->finder)));
  if (self->session == NULL)
    return;
  view = ns_window_ensure_table (self, self->table);
  if (view != NULL)
    ns_table_view_set_found (view, ns_finder_get_text (self->finder));
  ns_timeline_set_found (NS_TIMELINE (self->timeline),
                         ns_finder_get_times (self->finder),
                         ns_finder_get_table (self->finder) == NS_TABLE_ACTIVITIES
                             ? ns_finder_get_hits (self->finder)
                             : NULL);
  if (self->find_by != 0 && !ns_finder_is_busy (self->finder))
    go (self, self->find_by);
}

static void
entry_changed_cb (NsWindow *self)
{
  if (self->session != NULL)
    search (self);
}

/* Walks on as a person says. The entry tells of its last letters late: they are looked for first,
 * else the walk would be one through the hits of the letters before them. */
static void
walk (NsWindow *self, int by)
{
  if (gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (self->find_bar)))
    entry_changed_cb (self);
  go (self, by);
}

static void
entry_next_cb (NsWindow *self)
{
  walk (self, 1);
}

static void
entry_previous_cb (NsWindow *self)
{
  walk (self, -1);
}

static gboolean
entry_key_cb (GtkEventControllerKey *controller,
              guint key,
              guint keycode,
              GdkModifierType state,
              NsWindow *self)
{
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) || !(state & GDK_SHIFT_MASK))
    return FALSE;
  walk (self, -1);
  return TRUE;
}

/* Ends the search; whether there was one to end. */
gboolean
ns_window_stop_find (NsWindow *self)
{
  if (!gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (self->find_bar)))
    return FALSE;
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->find_bar), FALSE);
  return TRUE;
}

static void
mode_changed_cb (NsWindow *self)
{
  NsTableView *view;

  if (gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (self->find_bar)))
    return;
  ns_finder_clear (self->finder);
  view = self->session != NULL ? ns_window_ensure_table (self, self->table) : NULL;
  if (view != NULL)
    gtk_widget_child_focus (GTK_WIDGET (view), GTK_DIR_TAB_FORWARD);
}

static void
find_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  /* Where a flame graph has the keyboard, frames are looked for. */
  if (ns_window_search_tree (self))
    return;
  ns_window_leave_info (self);
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->find_bar), TRUE);
  gtk_widget_grab_focus (self->find_entry);
  gtk_editable_select_region (GTK_EDITABLE (self->find_entry), 0, -1);
}

static void
find_text_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->find_bar), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (self->find_entry), g_variant_get_string (parameter, NULL));
  search (self);
}

/* Finds the rows of the table in front that pass @filter, which is what @text means there. */
void
ns_window_find_matching (NsWindow *self, const char *text, const char *filter)
{
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->find_bar), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (self->find_entry), text);
  self->found_rows = ns_row_list_get_rows (ns_session_get_rows (self->session, self->table));
  ns_finder_search_matching (self->finder,
                             ns_session_get_trace (self->session),
                             self->table,
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
  { "find", find_cb, NULL, NULL, NULL, { 0 } },
  { "find-text", find_text_cb, "s", NULL, NULL, { 0 } },
  { "find-next", find_next_cb, NULL, NULL, NULL, { 0 } },
  { "find-previous", find_previous_cb, NULL, NULL, NULL, { 0 } },
};

/* Switches what needs an open trace. */
void
ns_window_enable_find (NsWindow *self, gboolean has_trace)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), entries[i].name);

      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), has_trace);
    }
}

/* Makes the find bar of a new window. */
void
ns_window_add_find (NsWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->finder = ns_finder_new ();
  g_signal_connect_object (self->finder,
                           "changed",
                           G_CALLBACK (finder_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  ns_window_add_state (self, "find-state", g_variant_new (STATE_FORMAT, "", 0, 0, FALSE));
  gtk_search_bar_connect_entry (GTK_SEARCH_BAR (self->find_bar), GTK_EDITABLE (self->find_entry));
  g_signal_connect_swapped (self->find_bar,
                            "notify::search-mode-enabled",
                            G_CALLBACK (mode_changed_cb),
                            self);
  g_signal_connect_swapped (self->find_entry,
                            "search-changed",
                            G_CALLBACK (entry_changed_cb),
                            self);
  g_signal_connect_swapped (self->find_entry, "activate", G_CALLBACK (entry_next_cb), self);
  g_signal_connect_swapped (self->find_entry, "next-match", G_CALLBACK (entry_next_cb), self);
  g_signal_connect_swapped (self->find_entry,
                            "previous-match",
                            G_CALLBACK (entry_previous_cb),
                            self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (entry_key_cb), self);
  gtk_widget_add_controller (self->find_entry, keys);
}

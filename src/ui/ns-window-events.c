/* Records in the window: what can be done with the selected one, and what is seen around the table
 * in front, whose fields and bytes may be below it. Over events there is no timeline unless
 * somebody wants one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-action-map.h"
#include "ui/ns-window-private.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-event-fields.h"
#include "ui/panel/ns-event-words.h"

#include <glib/gi18n.h>

/* The fields of the record that is chosen: below the table, or in the panel. */
GtkWidget *
ns_window_get_event_fields (NsWindow *self)
{
  GtkWidget *fields = ns_trace_tabs_peek_fields (self->tabs);

  if (fields != NULL &&
      ns_session_get_selected_table (self->session) == ns_session_get_front (self->session))
    return fields;
  return ns_details_panel_get_event_fields (NS_DETAILS_PANEL (self->panel));
}

/* Shows the parts of the window that belong to the table in front. What the pane shows the panel
 * does not show again. */
void
ns_window_update_parts (NsWindow *self)
{
  GtkWidget *part = gtk_paned_get_start_child (GTK_PANED (self->main_paned));
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GAction *timeline = g_action_map_lookup_action (G_ACTION_MAP (self), "timeline");
  /* A playback is moved by the bar below it. */
  gboolean is_wanted =
      ns_playback_bar_is_active (self->playback_bar) || ns_trace_tabs_wants_timeline (self->tabs);
  gboolean is_told_below;

  if (self->session == NULL)
    return;
  if (!is_wanted && focus != NULL && gtk_widget_is_ancestor (focus, part))
    gtk_widget_child_focus (GTK_WIDGET (self->tabs), GTK_DIR_TAB_FORWARD);
  gtk_widget_set_visible (part, is_wanted);
  is_told_below = ns_session_get_front (self->session) == NS_TABLE_EVENTS &&
                  ns_trace_tabs_peek_fields (self->tabs) != NULL &&
                  ns_session_get_selected_table (self->session) == NS_TABLE_EVENTS;
  ns_details_panel_set_has_fields (NS_DETAILS_PANEL (self->panel), !is_told_below);
  g_simple_action_set_state (G_SIMPLE_ACTION (timeline), g_variant_new_boolean (is_wanted));
}

/* How many events or packets are selected, and what is chosen in a single one: of several it would
 * read as their sum. */
char *
ns_window_dup_event_sums (NsWindow *self, guint n_events)
{
  gboolean is_packets = ns_session_get_selected_table (self->session) == NS_TABLE_PACKETS;
  g_autofree char *count = ns_words_count (n_events);
  g_autofree char *text =
      g_strdup_printf (is_packets ? ngettext ("%s packet selected", "%s packets selected", n_events)
                                  : ngettext ("%s event selected", "%s events selected", n_events),
                       count);
  NsEventFields *fields = NS_EVENT_FIELDS (ns_window_get_event_fields (self));
  const NsEventFacts *facts = ns_event_fields_get_facts (fields);
  const GArray *selected = ns_session_get_selected (self->session);
  g_autofree char *chosen = NULL;

  /* What is shown may still be the record that was chosen before. */
  if (facts == NULL || facts->is_packet != is_packets || selected->len != 1 ||
      facts->row != g_array_index (selected, guint32, 0))
    return g_steal_pointer (&text);
  chosen = ns_event_words_chosen (facts, ns_event_fields_get_chosen (fields));
  return g_strdup_printf ("%s   %s", text, chosen);
}

/* What is chosen in the record, for those who look through the actions, and in the status bar. */
void
ns_window_update_event (NsWindow *self)
{
  GAction *state = g_action_map_lookup_action (G_ACTION_MAP (self), "event");

  if (state == NULL || self->session == NULL)
    return;
  g_simple_action_set_state (G_SIMPLE_ACTION (state),
                             ns_event_fields_get_state (
                                 NS_EVENT_FIELDS (ns_window_get_event_fields (self))));
  ns_window_update_actions (self);
  if (ns_session_get_selected_table (self->session) == NS_TABLE_EVENTS ||
      ns_session_get_selected_table (self->session) == NS_TABLE_PACKETS)
    ns_status_bar_update_sums (self->status_bar);
}

static void
choose_byte_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (self->session != NULL)
    ns_event_fields_choose_byte (NS_EVENT_FIELDS (ns_window_get_event_fields (self)),
                                 g_variant_get_uint32 (parameter));
}

static void
choose_field_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (self->session != NULL)
    ns_event_fields_choose_name (NS_EVENT_FIELDS (ns_window_get_event_fields (self)),
                                 g_variant_get_string (parameter, NULL));
}

static void
fold_field_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (self->session != NULL)
    ns_event_fields_fold_name (NS_EVENT_FIELDS (ns_window_get_event_fields (self)),
                               g_variant_get_string (parameter, NULL));
}

/* The row above or below the selected one, in the order shown; a file that has the focus moves. */
static void
step_row_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  const GArray *selected = self->session != NULL ? ns_session_get_selected (self->session) : NULL;
  NsTableId table;
  NsRowList *rows;
  guint position;
  guint32 row;

  if (ns_trace_info_move_file (NS_TRACE_INFO (self->info), g_variant_get_int32 (parameter)) ||
      selected == NULL || selected->len == 0)
    return;
  table = ns_session_get_selected_table (self->session);
  rows = ns_session_get_rows (self->session, table);
  position = ns_row_list_find (rows, g_array_index (selected, guint32, 0));
  /* Numbers wrap round: above the first row there is none, and one not shown comes before it. */
  position += (guint) g_variant_get_int32 (parameter);
  if (position >= ns_row_list_get_rows (rows)->len)
    return;
  row = g_array_index (ns_row_list_get_rows (rows), guint32, position);
  if (row < ns_table_get_n_rows (ns_session_get_trace (self->session), table))
    ns_session_select (self->session, table, &row, 1);
}

/* Only the events whose field has the value of the chosen one. */
static void
filter_events_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (self->session == NULL)
    return;
  ns_window_show_table (self, NS_TABLE_EVENTS);
  ns_window_add_condition (self, g_variant_get_string (parameter, NULL), NULL);
}

static const GActionEntry entries[] = {
  { "choose-byte", choose_byte_cb, "u", NULL, NULL, { 0 } },
  { "choose-field", choose_field_cb, "s", NULL, NULL, { 0 } },
  { "fold-field", fold_field_cb, "s", NULL, NULL, { 0 } },
  { "step-row", step_row_cb, "i", NULL, NULL, { 0 } },
  { "filter-events", filter_events_cb, "s", NULL, NULL, { 0 } },
};

/* The state of "event" is what ns_event_fields_get_state() gives. */
void
ns_window_add_event_actions (NsWindow *self)
{
  GtkWidget *fields = ns_details_panel_get_event_fields (NS_DETAILS_PANEL (self->panel));

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  ns_action_map_add_state (G_ACTION_MAP (self),
                           "event",
                           ns_event_fields_get_state (NS_EVENT_FIELDS (fields)));
  g_signal_connect_object (fields,
                           "changed",
                           G_CALLBACK (ns_window_update_event),
                           self,
                           G_CONNECT_SWAPPED);
}

/* The tabs of events and of packets: fields and bytes below the table; over events no timeline
 * unless somebody wants one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-settings.h"
#include "ui/ns-window-private.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-event-fields.h"
#include "ui/panel/ns-event-words.h"
#include "ui/panel/ns-events-pane.h"

#include <glib/gi18n.h>

#define PANE_KEY "event-pane-shown"

/* The pane of a table that has one, once it was looked at. */
static NsEventsPane *
peek_pane (NsWindow *self, NsTableId table)
{
  GtkWidget *page = self->table_pages[table];
  GtkWidget *child = page != NULL ? gtk_widget_get_first_child (page) : NULL;

  return child != NULL && NS_IS_EVENTS_PANE (child) ? NS_EVENTS_PANE (child) : NULL;
}

static gboolean
is_pane_seen (NsWindow *self)
{
  return !self->is_event_pane_folded && peek_pane (self, self->table) != NULL;
}

static void
show_pane (NsWindow *self, NsTableId table)
{
  NsEventsPane *pane = peek_pane (self, table);

  if (pane != NULL)
    ns_events_pane_set_shown (pane, !self->is_event_pane_folded);
}

static gboolean
is_timeline_wanted (NsWindow *self)
{
  /* A playback is moved by the bar below it. */
  return ns_playback_bar_is_active (self->playback_bar) ||
         !self->hides_timeline[self->table == NS_TABLE_EVENTS];
}

static void
set_state (NsWindow *self, const char *name, gboolean state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (state));
}

/* The fields of the record that is chosen: below the table, or in the panel. */
GtkWidget *
ns_window_get_event_fields (NsWindow *self)
{
  if (is_pane_seen (self) && ns_session_get_selected_table (self->session) == self->table)
    return ns_events_pane_get_fields (peek_pane (self, self->table));
  return ns_details_panel_get_event_fields (NS_DETAILS_PANEL (self->panel));
}

/* The pane below the events, if it can have the keyboard. */
GtkWidget *
ns_window_peek_event_pane (NsWindow *self)
{
  return is_pane_seen (self) ? ns_events_pane_get_fields (peek_pane (self, self->table)) : NULL;
}

/* Shows the parts of the window that belong to the table in front. What the pane shows the panel
 * does not show again. */
void
ns_window_update_parts (NsWindow *self)
{
  GtkWidget *part = gtk_paned_get_start_child (GTK_PANED (self->main_paned));
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  gboolean is_wanted = is_timeline_wanted (self);
  gboolean is_told_below;

  if (self->session == NULL)
    return;
  show_pane (self, NS_TABLE_EVENTS);
  show_pane (self, NS_TABLE_PACKETS);
  if (!is_wanted && focus != NULL && gtk_widget_is_ancestor (focus, part))
    gtk_widget_child_focus (self->tables, GTK_DIR_TAB_FORWARD);
  gtk_widget_set_visible (part, is_wanted);
  is_told_below = self->table == NS_TABLE_EVENTS && is_pane_seen (self) &&
                  ns_session_get_selected_table (self->session) == NS_TABLE_EVENTS;
  ns_details_panel_set_has_fields (NS_DETAILS_PANEL (self->panel), !is_told_below);
  set_state (self, "event-pane", !self->is_event_pane_folded);
  set_state (self, "timeline", is_wanted);
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

static void
fields_changed_cb (NsWindow *self)
{
  ns_window_update_event (self);
}

/* The tab of events or packets, made when it is first looked at. */
GtkWidget *
ns_window_new_event_pane (NsWindow *self, NsTableId kind, GtkWidget *table)
{
  GtkWidget *pane = ns_events_pane_new (kind, table, self->session);

  g_signal_connect_object (ns_events_pane_get_fields (NS_EVENTS_PANE (pane)),
                           "changed",
                           G_CALLBACK (fields_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  return pane;
}

static void
remember (const char *key, gboolean value)
{
  if (ns_settings_get () != NULL)
    g_settings_set_boolean (ns_settings_get (), key, value);
}

static void
event_pane_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;
  GtkWidget *pane = ns_window_peek_event_pane (self);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  gboolean had_focus = pane != NULL && focus != NULL && gtk_widget_is_ancestor (focus, pane);

  self->is_event_pane_folded = !g_variant_get_boolean (state);
  remember (PANE_KEY, !self->is_event_pane_folded);
  ns_window_update_parts (self);
  if (had_focus && self->is_event_pane_folded)
    gtk_widget_grab_focus (GTK_WIDGET (ns_window_peek_table (self, self->table)));
}

static void
timeline_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;
  gboolean is_events = self->table == NS_TABLE_EVENTS;

  self->hides_timeline[is_events] = !g_variant_get_boolean (state);
  remember (is_events ? "timeline-over-events" : "timeline-shown", g_variant_get_boolean (state));
  ns_window_update_parts (self);
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
  { "event-pane", NULL, NULL, "true", event_pane_cb, { 0 } },
  { "timeline", NULL, NULL, "true", timeline_cb, { 0 } },
  { "filter-events", filter_events_cb, "s", NULL, NULL, { 0 } },
};

/* Switches what needs an open trace. */
void
ns_window_enable_event_pane (NsWindow *self, gboolean has_trace)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self),
                                                                              entries[i].name)),
                                 has_trace);
}

/* Reads what a new window is to show. */
void
ns_window_add_event_pane (NsWindow *self)
{
  GSettings *settings = ns_settings_get ();

  self->is_event_pane_folded = settings != NULL && !g_settings_get_boolean (settings, PANE_KEY);
  self->hides_timeline[FALSE] =
      settings != NULL && !g_settings_get_boolean (settings, "timeline-shown");
  self->hides_timeline[TRUE] =
      settings == NULL || !g_settings_get_boolean (settings, "timeline-over-events");
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (ns_details_panel_get_event_fields (NS_DETAILS_PANEL (self->panel)),
                           "changed",
                           G_CALLBACK (fields_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
}

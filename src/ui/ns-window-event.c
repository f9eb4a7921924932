/* What can be done with the record in the panel, as actions of the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"
#include "ui/panel/ns-event-fields.h"

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

static const GActionEntry entries[] = {
  { "choose-byte", choose_byte_cb, "u", NULL, NULL, { 0 } },
  { "choose-field", choose_field_cb, "s", NULL, NULL, { 0 } },
  { "fold-field", fold_field_cb, "s", NULL, NULL, { 0 } },
  { "step-row", step_row_cb, "i", NULL, NULL, { 0 } },
};

/* The state of "event" is what ns_event_fields_get_state() gives. */
void
ns_window_add_event_actions (NsWindow *self)
{
  GtkWidget *fields = ns_details_panel_get_event_fields (NS_DETAILS_PANEL (self->panel));

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  ns_window_add_state (self, "event", ns_event_fields_get_state (NS_EVENT_FIELDS (fields)));
}

/* What can be done with the record in the panel, as actions of the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"

/* What is chosen in the record, for those who look through the actions. */
static void
update_state (NsWindow *self)
{
  GAction *state = g_action_map_lookup_action (G_ACTION_MAP (self), "event");

  g_simple_action_set_state (G_SIMPLE_ACTION (state),
                             ns_details_panel_get_event (NS_DETAILS_PANEL (self->panel)));
}

static void
choose_byte_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_details_panel_choose_byte (NS_DETAILS_PANEL (self->panel), g_variant_get_uint32 (parameter));
  update_state (self);
}

static void
choose_field_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_details_panel_choose_field (NS_DETAILS_PANEL (self->panel),
                                 g_variant_get_string (parameter, NULL));
  update_state (self);
}

static const GActionEntry entries[] = {
  { "choose-byte", choose_byte_cb, "u", NULL, NULL, { 0 } },
  { "choose-field", choose_field_cb, "s", NULL, NULL, { 0 } },
};

/* The state of "event" is what ns_details_panel_get_event() gives. */
void
ns_window_add_event_actions (NsWindow *self)
{
  g_autoptr (GSimpleAction) state =
      g_simple_action_new_stateful ("event",
                                    NULL,
                                    ns_details_panel_get_event (NS_DETAILS_PANEL (self->panel)));

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (state));
}

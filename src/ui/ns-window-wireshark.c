/* The conversation of the selected row in Wireshark.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-wireshark.h"
#include "ui/ns-window-private.h"

#include <glib/gi18n.h>

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsWindow) self = data;
  g_autoptr (GError) error = NULL;

  if (ns_wireshark_open_finish (result, &error))
    ns_window_say (self, _ ("Wireshark shows the conversation of this row."));
  else
    ns_window_say (self, error->message);
}

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  const GArray *selected = self->session != NULL ? ns_session_get_selected (self->session) : NULL;

  if (selected == NULL || selected->len == 0)
    return;
  ns_wireshark_open_async (ns_session_get_trace (self->session),
                           ns_session_get_selected_table (self->session),
                           g_array_index (selected, guint32, 0),
                           opened_cb,
                           g_object_ref (self));
}

/* Whether the selected row has a conversation. */
gboolean
ns_window_has_conversation (NsWindow *self)
{
  const GArray *selected = self->session != NULL ? ns_session_get_selected (self->session) : NULL;

  return selected != NULL && selected->len > 0 &&
         ns_wireshark_has_packets (ns_session_get_trace (self->session),
                                   ns_session_get_selected_table (self->session),
                                   g_array_index (selected, guint32, 0));
}

/* Adds what opens another program. */
void
ns_window_add_wireshark (NsWindow *self)
{
  static const GActionEntry entries[] = {
    { "open-in-wireshark", open_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

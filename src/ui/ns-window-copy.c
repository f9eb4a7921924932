/* What the window gives to the clipboard beside plain rows, and where it goes for what is pasted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-place-job.h"
#include "model/ns-session-command.h"
#include "ui/ns-window-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* Longer texts are nothing to go to. */
#define MAX_PASTED_BYTES 4096

static void
copy (NsWindow *self, const char *text)
{
  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  ns_window_say (self, _ ("Copied"));
}

/* Takes down which rows are meant; their text is made when it is pasted. */
void
ns_window_copy_rows (NsWindow *self, NsRowsPurpose purpose)
{
  NsTableView *view = ns_window_ensure_table (self, self->table);
  g_autoptr (GdkContentProvider) content = NULL;

  if (view != NULL)
    content = ns_rows_content_new (self->session, view, purpose);
  if (content == NULL)
    return;
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (self)), content);
  ns_window_say (self, _ ("Copied"));
}

static void
copy_markdown_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_window_copy_rows (data, NS_ROWS_MARKDOWN);
}

static void
copy_json_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_window_copy_rows (data, NS_ROWS_JSON);
}

static void
copy_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  copy (self, ns_session_get_filter (self->session, self->table));
}

static void
copy_link_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  const GArray *selected = ns_session_get_selected (self->session);
  gboolean has_row =
      selected->len > 0 && ns_session_get_selected_table (self->session) == self->table;
  g_autofree char *text =
      ns_place_link_to_text (ns_session_get_visible (self->session),
                             self->table,
                             has_row ? g_array_index (selected, guint32, 0) + 1 : 0);

  copy (self, text);
}

static void
copy_command_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTableView *view = ns_window_ensure_table (self, self->table);
  g_autoptr (GPtrArray) fields = view != NULL ? ns_table_view_list_fields (view) : NULL;
  g_autofree char *text = NULL;

  if (fields == NULL)
    return;
  text = ns_session_to_command (self->session, self->table, fields);
  copy (self, text);
}

static const GActionEntry entries[] = {
  { "copy-markdown", copy_markdown_cb, NULL, NULL, NULL, { 0 } },
  { "copy-json", copy_json_cb, NULL, NULL, NULL, { 0 } },
  { "copy-filter", copy_filter_cb, NULL, NULL, NULL, { 0 } },
  { "copy-command", copy_command_cb, NULL, NULL, NULL, { 0 } },
  { "copy-link", copy_link_cb, NULL, NULL, NULL, { 0 } },
};

/* Switches what needs an open trace. */
void
ns_window_enable_copy (NsWindow *self, gboolean has_trace)
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
ns_window_add_copy (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

/* Paper and pictures of what the window shows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"
#include "ui/sheets/ns-print-sheet.h"

static void
print_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTableView *view = ns_window_ensure_table (self, self->table);

  if (view != NULL)
    ns_print_sheet_run (GTK_WINDOW (self), self->session, NS_TIMELINE (self->timeline), view);
}

/* For tests and scripts: the pages as a PDF file. */
static void
print_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTableView *view = ns_window_ensure_table (self, self->table);
  g_autoptr (GError) error = NULL;

  if (view != NULL && !ns_print_sheet_save (self->session,
                                            NS_TIMELINE (self->timeline),
                                            view,
                                            g_variant_get_string (parameter, NULL),
                                            &error))
    ns_window_say (self, error->message);
}

static void
picture_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_print_sheet_ask_picture (GTK_WINDOW (self), NS_TIMELINE (self->timeline));
}

static void
picture_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GError) error = NULL;

  if (!ns_timeline_save_picture (NS_TIMELINE (self->timeline),
                                 g_variant_get_string (parameter, NULL),
                                 &error))
    ns_window_say (self, error->message);
}

static const GActionEntry entries[] = {
  { "print", print_cb, NULL, NULL, NULL, { 0 } },
  { "print-to", print_to_cb, "s", NULL, NULL, { 0 } },
  { "save-picture", picture_cb, NULL, NULL, NULL, { 0 } },
  { "save-picture-to", picture_to_cb, "s", NULL, NULL, { 0 } },
};

/* Adds the actions that print to a new window. */
void
ns_window_add_print (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

/* Switches them by whether there is a trace. */
void
ns_window_enable_print (NsWindow *self, gboolean has_trace)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self),
                                                                              entries[i].name)),
                                 has_trace);
}

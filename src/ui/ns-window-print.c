/* Paper and pictures of what the window shows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"
#include "ui/sheets/ns-print-sheet.h"

#include <glib/gi18n.h>

/* What waits until all rows are in the lanes; @path: (nullable): where to write. */
typedef struct
{
  NsWindow *window;
  void (*run) (NsWindow *self, const char *path);
  char *path;
} Waiting;

static void
waiting_free (gpointer data, GClosure *closure)
{
  Waiting *waiting = data;

  g_free (waiting->path);
  g_free (waiting);
}

static void
sorted_cb (NsTimeline *timeline, Waiting *waiting)
{
  Waiting now = *waiting;

  now.path = g_strdup (waiting->path);
  /* Frees what waited. */
  g_signal_handlers_disconnect_matched (timeline,
                                        G_SIGNAL_MATCH_FUNC | G_SIGNAL_MATCH_DATA,
                                        0,
                                        0,
                                        NULL,
                                        sorted_cb,
                                        waiting);
  now.run (now.window, now.path);
  g_free (now.path);
}

/* Draws once there is something to draw: a picture of lanes that rows are still being sorted into
 * would be empty. Asked again meanwhile, the last one counts. */
void
ns_window_when_sorted (NsWindow *self,
                       void (*run) (NsWindow *self, const char *path),
                       const char *path)
{
  Waiting *waiting;

  g_signal_handlers_disconnect_matched (self->timeline,
                                        G_SIGNAL_MATCH_FUNC,
                                        0,
                                        0,
                                        NULL,
                                        sorted_cb,
                                        NULL);
  if (ns_timeline_is_sorted (NS_TIMELINE (self->timeline)))
    {
      run (self, path);
      return;
    }
  waiting = g_new0 (Waiting, 1);
  waiting->window = self;
  waiting->run = run;
  waiting->path = g_strdup (path);
  g_signal_connect_data (self->timeline,
                         "sorted",
                         G_CALLBACK (sorted_cb),
                         waiting,
                         waiting_free,
                         0);
  ns_window_say (self, _ ("Goes on as soon as all rows are sorted into lanes."));
}

static void
printed_cb (GtkWindow *window, const GError *error)
{
  if (error != NULL)
    ns_window_say (NS_WINDOW (window), error->message);
}

static void
print_now (NsWindow *self, const char *path)
{
  NsTableView *view = ns_window_ensure_table (self, self->table);

  if (view == NULL)
    return;
  if (path == NULL)
    ns_print_sheet_run (GTK_WINDOW (self), self->session, NS_TIMELINE (self->timeline), view);
  else
    ns_print_sheet_save (GTK_WINDOW (self),
                         self->session,
                         NS_TIMELINE (self->timeline),
                         view,
                         path,
                         printed_cb);
}

static void
picture_now (NsWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    ns_print_sheet_ask_picture (GTK_WINDOW (self), NS_TIMELINE (self->timeline));
  else if (!ns_timeline_save_picture (NS_TIMELINE (self->timeline), path, &error))
    ns_window_say (self, error->message);
}

static void
print_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_window_when_sorted (data, print_now, NULL);
}

/* For tests and scripts: the pages as a PDF file. */
static void
print_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_window_when_sorted (data, print_now, g_variant_get_string (parameter, NULL));
}

static void
picture_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_window_when_sorted (data, picture_now, NULL);
}

static void
picture_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_window_when_sorted (data, picture_now, g_variant_get_string (parameter, NULL));
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

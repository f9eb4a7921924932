/* What the window gives to the clipboard beside plain rows, and where it goes for what is pasted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-filter.h"
#include "ui/sheets/ns-export-dialog.h"

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

static void
copy_markdown_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTableView *view = ns_window_ensure_table (self, self->table);
  g_autofree char *text =
      view != NULL ? ns_export_dialog_selected_to_markdown (self->session, view) : NULL;

  copy (self, text);
}

static void
copy_json_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTableView *view = ns_window_ensure_table (self, self->table);
  g_autofree char *text =
      view != NULL ? ns_export_dialog_selected_to_json (self->session, view) : NULL;

  copy (self, text);
}

static void
copy_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  copy (self, ns_session_get_filter (self->session, self->table));
}

/* A place in the trace: `#t=BEGIN+LENGTH;table=NAME;row=NUMBER`, times in seconds. */
static void
copy_link_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTimeSpan visible = ns_session_get_visible (self->session);
  const GArray *selected = ns_session_get_selected (self->session);
  g_autoptr (GString) text = g_string_new (NULL);
  char begin[G_ASCII_DTOSTR_BUF_SIZE];
  char length[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (begin, sizeof begin, "%.9f", (double) visible.begin_ns / 1e9);
  g_ascii_formatd (length,
                   sizeof length,
                   "%.9f",
                   (double) (visible.end_ns - visible.begin_ns) / 1e9);
  g_string_append_printf (text,
                          "#t=%s+%s;table=%s",
                          begin,
                          length,
                          ns_table_get_name (self->table));
  if (selected->len > 0 && ns_session_get_selected_table (self->session) == self->table)
    g_string_append_printf (text, ";row=%u", g_array_index (selected, guint32, 0) + 1);
  copy (self, text->str);
}

static void
select_row (NsWindow *self, NsTableId table, guint64 number)
{
  guint32 row;

  if (number == 0 || number > ns_table_get_n_rows (ns_session_get_trace (self->session), table))
    return;
  row = (guint32) number - 1;
  ns_window_show_table (self, table);
  ns_session_select (self->session, table, &row, 1);
}

/* Goes where a link points to; whether it was one. */
static gboolean
go_to_link (NsWindow *self, const char *text)
{
  g_auto (GStrv) parts = NULL;
  NsTableId table = self->table;
  guint i;

  if (!g_str_has_prefix (text, "#t="))
    return FALSE;
  parts = g_strsplit (text + 1, ";", 8);
  for (i = 0; parts[i] != NULL; i++)
    {
      char *end = NULL;
      NsTimeSpan whole = ns_session_get_whole (self->session);
      double begin;
      double length;

      if (g_str_has_prefix (parts[i], "table="))
        {
          if (ns_table_from_name (parts[i] + strlen ("table="), &table))
            ns_window_show_table (self, table);
        }
      else if (g_str_has_prefix (parts[i], "row="))
        select_row (self, table, g_ascii_strtoull (parts[i] + strlen ("row="), NULL, 10));
      else if (g_str_has_prefix (parts[i], "t="))
        {
          begin = CLAMP (g_ascii_strtod (parts[i] + 2, &end), 0, (double) whole.end_ns / 1e9);
          length = *end == '+' ? g_ascii_strtod (end + 1, NULL) : 0;
          length = CLAMP (length, 0, (double) whole.end_ns / 1e9 - begin);
          if (length > 0)
            ns_session_set_visible (self->session,
                                    (NsTimeSpan){ (gint64) (begin * 1e9 + 0.5),
                                                  (gint64) ((begin + length) * 1e9 + 0.5) });
        }
    }
  return TRUE;
}

/* Anything else is looked for in the table, as it stands. */
static void
go_to (NsWindow *self, const char *text)
{
  g_autofree char *wanted = g_strstrip (g_strdup (text));

  if (*wanted == '\0' || strlen (wanted) > MAX_PASTED_BYTES || self->session == NULL ||
      strpbrk (wanted, "\r\n") != NULL)
    {
      ns_window_say (self, _ ("What was copied is no place in a trace."));
      return;
    }
  if (go_to_link (self, wanted))
    return;
  gtk_widget_activate_action (GTK_WIDGET (self), "win.find-text", "s", wanted);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.find-next", NULL);
}

static void
pasted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsWindow) self = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);

  go_to (self, text != NULL ? text : "");
}

static void
paste_go_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (data)),
                                 NULL,
                                 pasted_cb,
                                 g_object_ref (data));
}

static void
go_to_text_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  go_to (data, g_variant_get_string (parameter, NULL));
}

static const GActionEntry entries[] = {
  { "copy-markdown", copy_markdown_cb, NULL, NULL, NULL, { 0 } },
  { "copy-json", copy_json_cb, NULL, NULL, NULL, { 0 } },
  { "copy-filter", copy_filter_cb, NULL, NULL, NULL, { 0 } },
  { "copy-link", copy_link_cb, NULL, NULL, NULL, { 0 } },
  { "paste-go", paste_go_cb, NULL, NULL, NULL, { 0 } },
  { "go-to-text", go_to_text_cb, "s", NULL, NULL, { 0 } },
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

/* Which tables have a tab, and the menu at the end of the tabs that lists them all.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-settings.h"
#include "ui/ns-window-tabs.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

#define HIDDEN_KEY "hidden-tabs"
#define LIST_MAX_PX 420

static gboolean
is_hidden (const char *const *hidden, NsTableId table)
{
  /* The operations are what all the rest is about. */
  return table != NS_TABLE_ACTIVITIES && hidden != NULL &&
         g_strv_contains (hidden, ns_table_get_name (table));
}

/* Whether a table has a tab: what has nothing in this trace is behind the menu, unless somebody
 * went there. */
static gboolean
wants_tab (NsWindow *self, const char *const *hidden, NsTableId table)
{
  if (self->session == NULL || table == NS_TABLE_ACTIVITIES)
    return TRUE;
  if (!ns_window_may_have_rows (self, table) && !self->is_asked[table] && table != self->table)
    return FALSE;
  return !is_hidden (hidden, table);
}

/* Shows the tabs that are wanted, after the settings or after the tables were made. */
void
ns_window_update_tabs (NsWindow *self)
{
  GSettings *settings = ns_settings_get ();
  g_auto (GStrv) hidden = settings != NULL ? g_settings_get_strv (settings, HIDDEN_KEY) : NULL;
  guint i;

  /* GtkNotebook would go to a neighbour; none is as good as the operations. */
  if (is_hidden ((const char *const *) hidden, self->table))
    ns_window_show_table (self, NS_TABLE_ACTIVITIES);
  for (i = 0; i < NS_N_TABLES; i++)
    if (self->table_pages[i] != NULL)
      gtk_widget_set_visible (self->table_pages[i],
                              wants_tab (self, (const char *const *) hidden, (NsTableId) i));
}

static void
set_hidden (NsWindow *self, NsTableId table, gboolean hide)
{
  GSettings *settings = ns_settings_get ();
  g_auto (GStrv) old = settings != NULL ? g_settings_get_strv (settings, HIDDEN_KEY) : NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) hidden = NULL;
  guint i;

  for (i = 0; old != NULL && old[i] != NULL; i++)
    if (g_strcmp0 (old[i], ns_table_get_name (table)) != 0)
      g_strv_builder_add (builder, old[i]);
  if (hide && table != NS_TABLE_ACTIVITIES)
    g_strv_builder_add (builder, ns_table_get_name (table));
  hidden = g_strv_builder_end (builder);
  if (settings != NULL)
    g_settings_set_strv (settings, HIDDEN_KEY, (const char *const *) hidden);
}

static void
show_tab (NsWindow *self, NsTableId table, gboolean is_shown)
{
  self->is_asked[table] = is_shown;
  /* What has nothing is not remembered as something that is not wanted in other traces. */
  if (is_shown || ns_window_may_have_rows (self, table))
    set_hidden (self, table, !is_shown);
  if (!is_shown && self->table == table)
    ns_window_show_table (self, NS_TABLE_ACTIVITIES);
  ns_window_update_tabs (self);
}

/* Gives a table its tab back, if it was taken away; whoever asks for a table wants to see it. */
void
ns_window_ensure_tab (NsWindow *self, NsTableId table)
{
  if (self->table_pages[table] == NULL || gtk_widget_get_visible (self->table_pages[table]))
    return;
  self->is_asked[table] = TRUE;
  set_hidden (self, table, FALSE);
  gtk_widget_set_visible (self->table_pages[table], TRUE);
}

/* The nth tab that is shown, from 0; NULL when there are fewer. */
static GtkWidget *
get_nth_tab (NsWindow *self, int nth)
{
  GtkNotebook *tabs = GTK_NOTEBOOK (self->tables);
  int i;

  for (i = 0; i < gtk_notebook_get_n_pages (tabs); i++)
    if (gtk_widget_get_visible (gtk_notebook_get_nth_page (tabs, i)) && nth-- == 0)
      return gtk_notebook_get_nth_page (tabs, i);
  return NULL;
}

static void
nth_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  gint32 nth = g_variant_get_int32 (parameter);
  GtkWidget *page = get_nth_tab (self, nth);

  if (!ns_trace_info_show_nth (NS_TRACE_INFO (self->info), (guint) nth) && page != NULL)
    gtk_notebook_set_current_page (GTK_NOTEBOOK (self->tables),
                                   gtk_notebook_page_num (GTK_NOTEBOOK (self->tables), page));
}

static void
toggle_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTableId table;

  if (!ns_table_from_name (g_variant_get_string (parameter, NULL), &table) ||
      self->table_pages[table] == NULL)
    return;
  show_tab (self, table, !gtk_widget_get_visible (self->table_pages[table]));
}

static void
check_toggled_cb (GtkCheckButton *check, NsWindow *self)
{
  NsTableId table = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), "ns-table"));

  show_tab (self, table, gtk_check_button_get_active (check));
}

static void
go_clicked_cb (GtkButton *button, NsWindow *self)
{
  NsTableId table = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "ns-table"));
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (button), GTK_TYPE_POPOVER);

  gtk_popover_popdown (GTK_POPOVER (popover));
  ns_window_show_table (self, table);
}

/* One table: whether it has a tab, and the way to it. */
static GtkWidget *
line_new (NsWindow *self, NsTableId table)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *check = gtk_check_button_new ();
  GtkWidget *go = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (_ (ns_table_get_title (table)));
  g_autofree char *count = ns_words_count (ns_session_count_rows (self->session, table));
  GtkWidget *rows = gtk_label_new (count);
  g_autofree char *check_name = NULL;
  g_autofree char *go_name = NULL;

  /* Translators: the title of a table. */
  check_name = g_strdup_printf (_ ("Show the tab “%s”"), _ (ns_table_get_title (table)));
  /* Translators: the title of a table, and how many rows it has. */
  go_name = g_strdup_printf (_ ("Go to “%s”, %s rows"), _ (ns_table_get_title (table)), count);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (rows, "caption");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), rows);
  gtk_button_set_child (GTK_BUTTON (go), box);
  gtk_widget_add_css_class (go, "flat");
  gtk_widget_set_hexpand (go, TRUE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check),
                               gtk_widget_get_visible (self->table_pages[table]));
  gtk_widget_set_sensitive (check, table != NS_TABLE_ACTIVITIES);
  gtk_widget_set_tooltip_text (check, check_name);
  ns_accessible_set_name (check, check_name);
  ns_accessible_set_name (go, go_name);
  g_object_set_data (G_OBJECT (check), "ns-table", GUINT_TO_POINTER (table));
  g_object_set_data (G_OBJECT (go), "ns-table", GUINT_TO_POINTER (table));
  g_signal_connect_object (check, "toggled", G_CALLBACK (check_toggled_cb), self, 0);
  g_signal_connect_object (go, "clicked", G_CALLBACK (go_clicked_cb), self, 0);
  gtk_box_append (GTK_BOX (line), check);
  gtk_box_append (GTK_BOX (line), go);
  return line;
}

/* Those of the tables, in the order of their tabs, that have something, or have nothing. */
static guint
add_lines (NsWindow *self, GtkWidget *list, gboolean has_rows)
{
  GtkNotebook *tabs = GTK_NOTEBOOK (self->tables);
  guint n_lines = 0;
  int i;
  guint k;

  for (i = 0; self->session != NULL && i < gtk_notebook_get_n_pages (tabs); i++)
    for (k = 0; k < NS_N_TABLES; k++)
      if (self->table_pages[k] == gtk_notebook_get_nth_page (tabs, i) &&
          (k == NS_TABLE_ACTIVITIES || ns_window_may_have_rows (self, (NsTableId) k)) == has_rows)
        {
          gtk_box_append (GTK_BOX (list), line_new (self, (NsTableId) k));
          n_lines++;
        }
  return n_lines;
}

/* All tables: those with rows, and below a title those without. */
static void
create_popover (GtkMenuButton *button, gpointer data)
{
  NsWindow *self = data;
  GtkWidget *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *title = gtk_label_new (_ ("Nothing in This Trace"));
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *popover = gtk_popover_new ();

  add_lines (self, list, TRUE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "caption");
  gtk_widget_set_margin_start (title, 6);
  gtk_widget_set_margin_top (title, 6);
  gtk_box_append (GTK_BOX (list), title);
  gtk_widget_set_visible (title, add_lines (self, list, FALSE) > 0);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), LIST_MAX_PX);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);
  ns_help_set_popover_page (popover, "table");
  gtk_menu_button_set_popover (button, popover);
}

static void
list_tabs_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_menu_button_popup (GTK_MENU_BUTTON (
      gtk_notebook_get_action_widget (GTK_NOTEBOOK (NS_WINDOW (data)->tables), GTK_PACK_END)));
}

static const GActionEntry entries[] = {
  { "nth-tab", nth_tab_cb, "i", NULL, NULL, { 0 } },
  { "toggle-tab", toggle_tab_cb, "s", NULL, NULL, { 0 } },
  { "list-tabs", list_tabs_cb, NULL, NULL, NULL, { 0 } },
};

/* Switches what needs an open trace. */
void
ns_window_enable_tabs (NsWindow *self, gboolean has_trace)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self),
                                                                              entries[i].name)),
                                 has_trace);
}

/* Puts the menu behind the tabs of a new window. */
void
ns_window_add_tabs (NsWindow *self)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _ ("More"));
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "more-tabs");
  gtk_widget_set_tooltip_text (button, _ ("All tables, also those with nothing in this trace"));
  ns_accessible_set_name (button, _ ("More tables"));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), create_popover, self, NULL);
  gtk_notebook_set_action_widget (GTK_NOTEBOOK (self->tables), button, GTK_PACK_END);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

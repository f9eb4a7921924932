/* List of all tables of a trace, those without rows last, with a check button to show or hide the
 * tab of each. The hidden tabs are kept in the settings and apply to all traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-tabs-list.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-settings.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

#define LIST_MAX_PX 420
#define HIDDEN_KEY "hidden-tabs"

struct _NsTabsList
{
  GtkBox parent_instance;

  GtkWidget *full;
  GtkWidget *title; /* above the empty tables */
  GtkWidget *empty;
};

enum
{
  SIGNAL_TOGGLED,
  SIGNAL_GO,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTabsList, ns_tabs_list, GTK_TYPE_BOX)

/**
 * ns_tabs_list_is_hidden:
 * @table: a table
 *
 * Returns: whether the user has hidden the tab of @table
 */
gboolean
ns_tabs_list_is_hidden (NsTableId table)
{
  GSettings *settings = ns_settings_get ();
  g_auto (GStrv) hidden = settings != NULL ? g_settings_get_strv (settings, HIDDEN_KEY) : NULL;

  /* The tab of the operations cannot be hidden. */
  return table != NS_TABLE_ACTIVITIES && hidden != NULL &&
         g_strv_contains ((const char *const *) hidden, ns_table_get_name (table));
}

/**
 * ns_tabs_list_set_hidden:
 * @table: a table
 * @is_hidden: whether to hide its tab
 *
 * Stores whether the tab of @table is hidden.
 */
void
ns_tabs_list_set_hidden (NsTableId table, gboolean is_hidden)
{
  GSettings *settings = ns_settings_get ();
  g_auto (GStrv) old = settings != NULL ? g_settings_get_strv (settings, HIDDEN_KEY) : NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) hidden = NULL;
  guint i;

  for (i = 0; old != NULL && old[i] != NULL; i++)
    if (g_strcmp0 (old[i], ns_table_get_name (table)) != 0)
      g_strv_builder_add (builder, old[i]);
  if (is_hidden && table != NS_TABLE_ACTIVITIES)
    g_strv_builder_add (builder, ns_table_get_name (table));
  hidden = g_strv_builder_end (builder);
  if (settings != NULL)
    g_settings_set_strv (settings, HIDDEN_KEY, (const char *const *) hidden);
}

/**
 * ns_tabs_list_order:
 * @order: (out caller-allocates) (array fixed-size=NS_N_TABLES): return location
 *
 * Returns the tables in the order of their tabs: operations, findings, all others. The order does
 * not depend on the trace, so tabs keep their position from one trace to the next.
 */
void
ns_tabs_list_order (NsTableId order[NS_N_TABLES])
{
  guint n_tables = 0;
  guint table;

  order[n_tables++] = NS_TABLE_ACTIVITIES;
  order[n_tables++] = NS_TABLE_FINDINGS;
  for (table = 0; table < NS_N_TABLES; table++)
    if (table != NS_TABLE_ACTIVITIES && table != NS_TABLE_FINDINGS)
      order[n_tables++] = (NsTableId) table;
}

static void
toggled_cb (GtkCheckButton *check, NsTabsList *self)
{
  guint table = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), "ns-table"));

  g_signal_emit (self, signals[SIGNAL_TOGGLED], 0, table, gtk_check_button_get_active (check));
}

static void
go_clicked_cb (GtkButton *button, NsTabsList *self)
{
  guint table = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "ns-table"));

  g_signal_emit (self, signals[SIGNAL_GO], 0, table);
}

static GtkWidget *
check_new (NsTabsList *self, NsTableId table, gboolean has_tab)
{
  GtkWidget *check = gtk_check_button_new ();
  g_autofree char *name = NULL;

  /* Translators: the title of a table. */
  name = g_strdup_printf (_ ("Show the tab “%s”"), _ (ns_table_get_title (table)));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), has_tab);
  gtk_widget_set_sensitive (check, table != NS_TABLE_ACTIVITIES);
  gtk_widget_set_tooltip_text (check, name);
  ns_accessible_set_name (check, name);
  g_object_set_data (G_OBJECT (check), "ns-table", GUINT_TO_POINTER (table));
  g_signal_connect_object (check, "toggled", G_CALLBACK (toggled_cb), self, 0);
  return check;
}

static GtkWidget *
go_new (NsTabsList *self, NsTableId table, guint n_rows)
{
  GtkWidget *go = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (_ (ns_table_get_title (table)));
  g_autofree char *count = ns_words_count (n_rows);
  GtkWidget *rows = gtk_label_new (count);
  g_autofree char *name = NULL;

  /* Translators: the title of a table, and how many rows it has. */
  name = g_strdup_printf (_ ("Go to “%s”, %s rows"), _ (ns_table_get_title (table)), count);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (rows, "caption");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), rows);
  gtk_button_set_child (GTK_BUTTON (go), box);
  gtk_widget_add_css_class (go, "flat");
  gtk_widget_set_hexpand (go, TRUE);
  ns_accessible_set_name (go, name);
  g_object_set_data (G_OBJECT (go), "ns-table", GUINT_TO_POINTER (table));
  g_signal_connect_object (go, "clicked", G_CALLBACK (go_clicked_cb), self, 0);
  return go;
}

/**
 * ns_tabs_list_add:
 * @self: a list
 * @table: a table
 * @n_rows: the number of rows that its filter keeps
 * @has_tab: whether it has a tab
 * @is_empty: whether it has no rows in the trace
 *
 * Adds a line with a check button for the tab of @table and a button that opens @table.
 */
void
ns_tabs_list_add (NsTabsList *self,
                  NsTableId table,
                  guint n_rows,
                  gboolean has_tab,
                  gboolean is_empty)
{
  GtkWidget *line;

  g_return_if_fail (NS_IS_TABS_LIST (self));

  line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (line), check_new (self, table, has_tab));
  gtk_box_append (GTK_BOX (line), go_new (self, table, n_rows));
  gtk_box_append (GTK_BOX (is_empty ? self->empty : self->full), line);
  if (is_empty)
    gtk_widget_set_visible (self->title, TRUE);
}

static void
ns_tabs_list_class_init (NsTabsListClass *klass)
{
  /**
   * NsTabsList::toggled:
   * @self: the list
   * @table: a table
   * @has_tab: whether its tab is to be shown
   *
   * Emitted when the user toggles the check button of @table.
   */
  signals[SIGNAL_TOGGLED] = g_signal_new ("toggled",
                                          NS_TYPE_TABS_LIST,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          2,
                                          G_TYPE_UINT,
                                          G_TYPE_BOOLEAN);
  /**
   * NsTabsList::go:
   * @self: the list
   * @table: a table
   *
   * Emitted when the user clicks @table to open it.
   */
  signals[SIGNAL_GO] = g_signal_new ("go",
                                     NS_TYPE_TABS_LIST,
                                     G_SIGNAL_RUN_LAST,
                                     0,
                                     NULL,
                                     NULL,
                                     NULL,
                                     G_TYPE_NONE,
                                     1,
                                     G_TYPE_UINT);
}

static void
ns_tabs_list_init (NsTabsList *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->full = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->title = gtk_label_new (_ ("No Rows in This Trace"));
  self->empty = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_widget_add_css_class (self->title, "caption");
  gtk_widget_set_margin_start (self->title, 6);
  gtk_widget_set_margin_top (self->title, 6);
  gtk_widget_set_visible (self->title, FALSE);
  gtk_box_append (GTK_BOX (self), self->full);
  gtk_box_append (GTK_BOX (self), self->title);
  gtk_box_append (GTK_BOX (self), self->empty);
}

/**
 * ns_tabs_list_new:
 *
 * Returns: (transfer floating): an empty list
 */
NsTabsList *
ns_tabs_list_new (void)
{
  return g_object_new (NS_TYPE_TABS_LIST, NULL);
}

/**
 * ns_tabs_list_new_popover:
 * @self: (transfer floating): a list
 *
 * Returns: (transfer floating): a scrolling popover with @self
 */
GtkWidget *
ns_tabs_list_new_popover (NsTabsList *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *popover = gtk_popover_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), LIST_MAX_PX);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self));
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);
  ns_help_set_popover_page (popover, "table");
  return popover;
}

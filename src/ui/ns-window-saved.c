/* Filters with a name, kept for the next trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-help.h"
#include "ui/ns-settings.h"
#include "ui/ns-spoken.h"
#include "ui/ns-window-filter.h"

#include <glib/gi18n.h>

/* More are not kept. */
#define MAX_SAVED 200

/* All saved filters but one of this name for this table. */
static void
copy_others (NsWindow *self, const char *name, GVariantBuilder *builder)
{
  g_autoptr (GVariant) all = g_settings_get_value (ns_settings_get (), "saved-filters");
  GVariantIter iter;
  const char *table;
  const char *old;
  const char *text;

  g_variant_builder_init (builder, G_VARIANT_TYPE ("a(sss)"));
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&s&s)", &table, &old, &text))
    if (g_strcmp0 (table, ns_table_get_name (self->table)) != 0 || g_strcmp0 (old, name) != 0)
      g_variant_builder_add (builder, "(sss)", table, old, text);
}

static void
save_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autofree char *name = g_strstrip (g_variant_dup_string (parameter, NULL));
  const char *text;
  GVariantBuilder builder;

  if (self->session == NULL || ns_settings_get () == NULL)
    return;
  text = ns_session_get_filter (self->session, self->table);
  if (*text == '\0')
    return;
  copy_others (self, *name != '\0' ? name : text, &builder);
  g_variant_builder_add (&builder,
                         "(sss)",
                         ns_table_get_name (self->table),
                         *name != '\0' ? name : text,
                         text);
  g_settings_set_value (ns_settings_get (), "saved-filters", g_variant_builder_end (&builder));
  ns_window_say (self, _ ("Filter saved"));
}

static void
forget_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GVariantBuilder builder;

  if (ns_settings_get () == NULL)
    return;
  copy_others (data, g_variant_get_string (parameter, NULL), &builder);
  g_settings_set_value (ns_settings_get (), "saved-filters", g_variant_builder_end (&builder));
}

static void
use_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  GSettings *settings = ns_settings_get ();
  const char *wanted = g_variant_get_string (parameter, NULL);
  g_autoptr (GVariant) all = NULL;
  GVariantIter iter;
  const char *table;
  const char *name;
  const char *text;

  if (settings == NULL)
    return;
  all = g_settings_get_value (settings, "saved-filters");
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&s&s)", &table, &name, &text))
    if (g_strcmp0 (table, ns_table_get_name (self->table)) == 0 && g_strcmp0 (name, wanted) == 0)
      {
        ns_window_set_filter_text (self, text);
        return;
      }
}

static const GActionEntry entries[] = {
  { "save-filter", save_filter_cb, "s", NULL, NULL, { 0 } },
  { "forget-filter", forget_filter_cb, "s", NULL, NULL, { 0 } },
  { "use-filter", use_filter_cb, "s", NULL, NULL, { 0 } },
};

static GtkWidget *
line_new (const char *name, const char *text)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *use = gtk_button_new ();
  GtkWidget *forget = gtk_button_new_from_icon_name ("window-close-symbolic");
  GtkWidget *label = gtk_label_new (name);
  g_autofree char *spoken = g_strdup_printf (_ ("Forget “%s”"), name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
  gtk_button_set_child (GTK_BUTTON (use), label);
  ns_spoken_set_name (use, name);
  gtk_button_set_has_frame (GTK_BUTTON (use), FALSE);
  gtk_widget_set_hexpand (use, TRUE);
  gtk_widget_set_tooltip_text (use, text);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (use), "win.use-filter");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (use), "s", name);
  gtk_button_set_has_frame (GTK_BUTTON (forget), FALSE);
  gtk_widget_set_tooltip_text (forget, spoken);
  ns_spoken_set_name (GTK_WIDGET (forget), spoken);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (forget), "win.forget-filter");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (forget), "s", name);
  gtk_box_append (GTK_BOX (line), use);
  gtk_box_append (GTK_BOX (line), forget);
  return line;
}

static void
name_entered_cb (GtkEntry *entry, GtkWidget *popover)
{
  gtk_widget_activate_action (GTK_WIDGET (entry),
                              "win.save-filter",
                              "s",
                              gtk_editable_get_text (GTK_EDITABLE (entry)));
  gtk_popover_popdown (GTK_POPOVER (popover));
}

static void
save_clicked_cb (GtkWidget *entry)
{
  g_signal_emit_by_name (entry, "activate");
}

static void
add_saved_lines (NsWindow *self, GtkWidget *box)
{
  GSettings *settings = ns_settings_get ();
  g_autoptr (GVariant) all =
      settings != NULL ? g_settings_get_value (settings, "saved-filters") : NULL;
  GVariantIter iter;
  const char *table;
  const char *name;
  const char *text;
  guint n_lines = 0;

  if (all == NULL)
    return;
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&s&s)", &table, &name, &text) && n_lines < MAX_SAVED)
    if (g_strcmp0 (table, ns_table_get_name (self->table)) == 0)
      {
        gtk_box_append (GTK_BOX (box), line_new (name, text));
        n_lines++;
      }
  if (n_lines == 0)
    {
      GtkWidget *none = gtk_label_new (_ ("No filter of this table is saved yet."));

      gtk_widget_add_css_class (none, "dim");
      gtk_box_append (GTK_BOX (box), none);
    }
}

/* Made anew whenever it is opened. */
static void
create_popover (GtkMenuButton *button, gpointer data)
{
  NsWindow *self = data;
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *entry = gtk_entry_new ();
  GtkWidget *save = gtk_button_new_with_label (_ ("Save"));

  add_saved_lines (self, lines);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), lines);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 360);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("Name for this filter"));
  ns_spoken_set_name (GTK_WIDGET (entry), _ ("Name for this filter"));
  gtk_widget_set_hexpand (entry, TRUE);
  g_signal_connect (entry, "activate", G_CALLBACK (name_entered_cb), popover);
  g_signal_connect_swapped (save, "clicked", G_CALLBACK (save_clicked_cb), entry);
  gtk_box_append (GTK_BOX (row), entry);
  gtk_box_append (GTK_BOX (row), save);
  gtk_widget_set_sensitive (row,
                            self->session != NULL &&
                                *ns_session_get_filter (self->session, self->table) != '\0');
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), row);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  ns_help_set_popover_page (popover, "filter");
  gtk_menu_button_set_popover (button, popover);
}

/* Adds the actions and fills the menu of a new window. */
void
ns_window_add_saved (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->saved_button),
                                         create_popover,
                                         self,
                                         NULL);
}

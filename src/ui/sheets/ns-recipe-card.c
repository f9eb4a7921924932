/* Card of the trace information with the command that records a more complete trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/sheets/ns-recipe-card.h"

#include <glib/gi18n.h>

#define START_COMMAND "wpr -start netstitch.wprp -filemode"

static void
copy_cb (GtkWidget *button)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (button), START_COMMAND);
}

static GtkWidget *
label_new (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, style);
  return label;
}

/* Adds a line with a text on the left and a button on the right. */
static void
add_line (GtkWidget *card, GtkWidget *left, GtkWidget *right)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_widget_set_valign (right, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (line), left);
  gtk_box_append (GTK_BOX (line), right);
  gtk_box_append (GTK_BOX (card), line);
}

/* Adds the data rate of the recording. The rate of what is added cannot be predicted. */
static void
add_rate (GtkWidget *card, guint64 bytes_a_second, gboolean adds)
{
  g_autofree char *size = g_format_size (bytes_a_second);
  /* Translators: bytes. */
  g_autofree char *text =
      g_strdup_printf (adds ? _ ("This recording took %s per second; the additions increase that.")
                            : _ ("This recording took %s per second."),
                       size);

  gtk_box_append (GTK_BOX (card), label_new (text, "dim"));
}

/**
 * ns_recipe_card_fill:
 * @card: a vertical box, emptied first
 * @adds: what the recording adds, as text; empty for nothing
 * @layers: the layers to record, see ns_recipe_sheet_new()
 * @bytes_a_second: the data rate of the open trace; 0: unknown
 *
 * Shows the command that starts such a recording, and a button that opens the recipe window.
 */
void
ns_recipe_card_fill (GtkWidget *card, const char *adds, const char *layers, guint64 bytes_a_second)
{
  GtkWidget *save = gtk_button_new_with_label (*layers != '\0' ? _ ("Record What Is Missing…")
                                                               : _ ("How to Record…"));
  GtkWidget *copy = gtk_button_new_from_icon_name ("edit-copy-symbolic");
  GtkWidget *command = label_new (START_COMMAND, "code");
  GtkWidget *child;
  /* Translators: a list of what a recording has besides what this one has. */
  g_autofree char *text = g_strdup_printf (_ ("Adds: %s."), adds);

  while ((child = gtk_widget_get_first_child (card)) != NULL)
    gtk_box_remove (GTK_BOX (card), child);
  gtk_widget_set_tooltip_text (
      save,
      _ ("Choose what to record, and create a profile or commands for it"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (save), "win.recipe");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (save), "s", layers);
  gtk_button_set_has_frame (GTK_BUTTON (copy), FALSE);
  gtk_widget_set_tooltip_text (copy, _ ("Copy the command"));
  ns_accessible_set_name (copy, _ ("Copy the command that starts"));
  g_signal_connect (copy, "clicked", G_CALLBACK (copy_cb), NULL);
  gtk_label_set_selectable (GTK_LABEL (command), TRUE);
  add_line (card, label_new (_ ("A recording that answers more"), "strong"), save);
  add_line (card, command, copy);
  if (*adds != '\0')
    gtk_box_append (GTK_BOX (card), label_new (text, "dim"));
  if (bytes_a_second > 0)
    add_rate (card, bytes_a_second, *adds != '\0');
}

/* How to record a trace that answers what this one does not, in short.
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

/* A line with something to read at the left, and something to press at the right. */
static void
add_line (GtkWidget *card, GtkWidget *left, GtkWidget *right)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_widget_set_valign (right, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (line), left);
  gtk_box_append (GTK_BOX (line), right);
  gtk_box_append (GTK_BOX (card), line);
}

/* How large recordings become. What is added depends on what goes on there: nobody knows it before.
 */
static void
add_rate (GtkWidget *card, guint64 bytes_a_second, gboolean adds)
{
  g_autofree char *size = g_format_size (bytes_a_second);
  /* Translators: bytes. */
  g_autofree char *text =
      g_strdup_printf (adds ? _ ("This one took %s a second; what is added comes on top.")
                            : _ ("This one took %s a second."),
                       size);

  gtk_box_append (GTK_BOX (card), label_new (text, "dim"));
}

/**
 * ns_recipe_card_fill:
 * @card: a vertical box, emptied first
 * @adds: what such a recording has besides; empty for nothing
 * @layers: the layers it takes, see ns_recipe_sheet_new()
 * @bytes_a_second: what the recording that is there took; 0: not known
 *
 * Tells the command that starts such a recording, and offers its profile.
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
  gtk_widget_set_tooltip_text (save,
                               _ ("What to record, and a profile or commands that record it"));
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

/* How a line of a code path looks in the panel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-spoken.h"
#include "ui/panel/ns-stack-cell.h"
#include "ui/panel/ns-stack-line.h"

#include <glib/gi18n.h>

/* What can be done about a stack that is not there. */
static GtkWidget *
link_new (const char *text, const char *action)
{
  GtkWidget *link = gtk_button_new_with_label (text);

  gtk_widget_add_css_class (link, "link");
  gtk_widget_set_halign (link, GTK_ALIGN_START);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (link), action);
  return link;
}

/* Two lines at the left, one at the right; below them what can be done. */
static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *links = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  guint i;

  for (i = 0; i < 2; i++)
    {
      GtkWidget *label = gtk_label_new (NULL);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_box_append (GTK_BOX (lines), label);
    }
  gtk_box_append (GTK_BOX (links), link_new (_ ("Why?"), "stack.why"));
  gtk_box_append (GTK_BOX (links), link_new (_ ("Record a trace that has it…"), "win.recipe::"));
  gtk_box_append (GTK_BOX (lines), links);
  gtk_widget_set_hexpand (lines, TRUE);
  gtk_widget_set_valign (lines, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), lines);
  gtk_box_append (GTK_BOX (box), gtk_label_new (NULL));
  g_object_set_data (G_OBJECT (box), NS_STACK_CELL_ITEM, item);
  gtk_list_item_set_child (item, box);
}

static const char *
style_of (const NsStackLine *line)
{
  switch (line->kind)
    {
    case NS_STACK_LINE_THREAD:
      return "stack-thread";
    case NS_STACK_LINE_FRAME:
      return "stack-frame";
    case NS_STACK_LINE_SEAM:
      return "stack-seam";
    case NS_STACK_LINE_MISSING:
      return "stack-missing";
    case NS_STACK_LINE_FOLD:
    case NS_STACK_LINE_NOTE:
    default:
      return "dim";
    }
}

static void
line_changed_cb (NsStackLine *line, GtkWidget *box)
{
  GtkWidget *lines = gtk_widget_get_first_child (box);
  GtkWidget *first = gtk_widget_get_first_child (lines);
  GtkWidget *second = gtk_widget_get_next_sibling (first);
  GtkWidget *links = gtk_widget_get_next_sibling (second);
  GtkWidget *side = gtk_widget_get_next_sibling (lines);
  gboolean is_missing = line->kind == NS_STACK_LINE_MISSING;
  g_autofree char *spoken =
      line->second != NULL ? g_strdup_printf ("%s, %s", line->text, line->second) : NULL;
  const char *second_style = NULL;
  const char *classes[] = { "stack-line", style_of (line), NULL, NULL };

  if (line->kind == NS_STACK_LINE_SEAM && line->is_inferred)
    second_style = "inferred";
  if (line->kind == NS_STACK_LINE_FRAME && !line->is_named)
    second_style = "unresolved";
  classes[2] = second_style;
  gtk_widget_set_css_classes (box, classes);
  gtk_label_set_text (GTK_LABEL (first), line->text);
  gtk_label_set_wrap (GTK_LABEL (first), is_missing);
  gtk_label_set_ellipsize (GTK_LABEL (first),
                           is_missing ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (second), TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (second), PANGO_ELLIPSIZE_NONE);
  gtk_label_set_text (GTK_LABEL (second), line->second != NULL ? line->second : "");
  gtk_widget_set_visible (second, line->second != NULL);
  gtk_widget_set_visible (links, line->missing != NS_STACK_PRESENT);
  gtk_widget_set_visible (gtk_widget_get_last_child (links),
                          line->missing == NS_STACK_NOT_ENABLED ||
                              line->missing == NS_STACK_NOT_STACK_ENABLED);
  gtk_widget_add_css_class (second, "dim");
  gtk_label_set_text (GTK_LABEL (side), line->side != NULL ? line->side : "");
  gtk_widget_set_visible (side, line->side != NULL);
  gtk_widget_add_css_class (side, "dim");
  if (line->kind == NS_STACK_LINE_SEAM)
    gtk_widget_set_tooltip_text (
        box,
        line->is_inferred ? _ ("Inferred: the work began before its queueing was written down.")
                          : _ ("Observed: both events name the same piece of work."));
  else
    gtk_widget_set_tooltip_text (box, line->text);
  ns_spoken_set_row_name (box, spoken != NULL ? spoken : line->text);
}

static void
unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item),
                                        line_changed_cb,
                                        gtk_list_item_get_child (item));
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *box = gtk_list_item_get_child (item);
  NsStackLine *line = gtk_list_item_get_item (item);

  line_changed_cb (line, box);
  g_signal_connect_object (line, "changed", G_CALLBACK (line_changed_cb), box, 0);
}

/**
 * ns_stack_cell_factory_new:
 *
 * Returns: (transfer full): makes widgets for #NsStackLine objects; each has its #GtkListItem as
 *   data named %NS_STACK_CELL_ITEM
 */
GtkListItemFactory *
ns_stack_cell_factory_new (void)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), NULL);
  return factory;
}

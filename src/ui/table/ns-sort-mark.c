/* Coloured sort arrow in the title of the column that a table is sorted by.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-sort-mark.h"

/* Returns the start of the sort arrow in @title, or %NULL without one. */
static const char *
find_mark (const char *title)
{
  const char *up = g_strrstr (title, NS_SORT_MARK_UP);

  return up != NULL ? up : g_strrstr (title, NS_SORT_MARK_DOWN);
}

/**
 * ns_sort_mark_tint:
 * @view: a table
 *
 * Paints the sort arrows in the accent colour. Column titles are plain text in GTK, so the
 * attributes are set on the labels inside the header.
 */
void
ns_sort_mark_tint (GtkColumnView *view)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
  GdkRGBA color;

  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (view)),
                                       "ns_accent",
                                       &color))
    return;
  for (; title != NULL; title = gtk_widget_get_next_sibling (title))
    {
      GtkWidget *box = gtk_widget_get_first_child (title);
      GtkWidget *label = box != NULL ? gtk_widget_get_first_child (box) : NULL;
      const char *text = GTK_IS_LABEL (label) ? gtk_label_get_text (GTK_LABEL (label)) : NULL;
      const char *mark = text != NULL ? find_mark (text) : NULL;
      g_autoptr (PangoAttrList) list = pango_attr_list_new ();
      PangoAttribute *tint;

      if (text == NULL)
        continue;
      if (mark != NULL)
        {
          tint = pango_attr_foreground_new ((guint16) (color.red * G_MAXUINT16),
                                            (guint16) (color.green * G_MAXUINT16),
                                            (guint16) (color.blue * G_MAXUINT16));
          tint->start_index = (guint) (mark - text);
          pango_attr_list_insert (list, tint);
        }
      gtk_label_set_attributes (GTK_LABEL (label), list);
    }
}

/* Confidence indicator: three blocks, filled according to an #NsConfidence.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-links.h"
#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-confidence-indicator.h"

#define GAP_PX 2

/**
 * ns_confidence_indicator_new:
 *
 * Uses boxes because fonts draw block characters in different sizes or lack them.
 *
 * Returns: (transfer floating): three empty blocks
 */
GtkWidget *
ns_confidence_indicator_new (void)
{
  GtkWidget *blocks = g_object_new (GTK_TYPE_BOX,
                                    "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_IMG,
                                    "spacing",
                                    GAP_PX,
                                    "halign",
                                    GTK_ALIGN_END,
                                    "valign",
                                    GTK_ALIGN_CENTER,
                                    NULL);
  guint i;

  gtk_widget_add_css_class (blocks, "blocks");
  for (i = 0; i < NS_CONFIDENCE_CERTAIN; i++)
    gtk_box_append (GTK_BOX (blocks), gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0));
  return blocks;
}

/**
 * ns_confidence_indicator_set_confidence:
 * @blocks: a widget made by ns_confidence_indicator_new()
 * @confidence: an #NsConfidence
 *
 * Fills @confidence blocks and sets the accessible name to the confidence.
 */
void
ns_confidence_indicator_set_confidence (GtkWidget *blocks, int confidence)
{
  GtkWidget *block;
  int i = 0;

  for (block = gtk_widget_get_first_child (blocks); block != NULL;
       block = gtk_widget_get_next_sibling (block), i++)
    {
      if (i < confidence)
        gtk_widget_add_css_class (block, "on");
      else
        gtk_widget_remove_css_class (block, "on");
    }
  ns_accessible_set_name (GTK_WIDGET (blocks), ns_words_get_confidence (confidence));
}

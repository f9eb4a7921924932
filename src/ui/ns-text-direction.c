/* Text direction of numbers, times and addresses in right-to-left layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-text-direction.h"

/**
 * ns_text_direction_force_ltr:
 * @text: a #GtkLabel or #GtkInscription that shows data
 *
 * Sets the text direction to left-to-right, and aligns the text to the right in right-to-left
 * layouts. Digits, signs and arrows have no strong direction (Unicode UAX #9), so that a
 * right-to-left paragraph would reorder them: “0 377.104 12”, “5−”, or an arrow that points at its
 * source. Words keep the direction of their letters.
 */
void
ns_text_direction_force_ltr (GtkWidget *text)
{
  g_return_if_fail (GTK_IS_WIDGET (text));

  gtk_widget_set_direction (text, GTK_TEXT_DIR_LTR);
  if (gtk_widget_get_default_direction () != GTK_TEXT_DIR_RTL)
    return;
  if (GTK_IS_LABEL (text))
    gtk_label_set_xalign (GTK_LABEL (text), 1);
  else if (GTK_IS_INSCRIPTION (text))
    gtk_inscription_set_xalign (GTK_INSCRIPTION (text), 1);
}

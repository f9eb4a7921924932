/* Numbers, times and addresses where words are read from the right.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-digits.h"

/**
 * ns_digits_keep_order:
 * @text: a #GtkLabel or #GtkInscription that shows data
 *
 * Groups of digits, signs and arrows hold no letter that tells how they are read, so that they
 * would change places where words are read from the right: “0 377.104 12”, “5−”, and an arrow that
 * points at where something came from. They keep their order, and stand right, as everything does
 * there. Words of any language stay as they are, since their letters tell.
 */
void
ns_digits_keep_order (GtkWidget *text)
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

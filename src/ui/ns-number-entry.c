/* An entry for a number, which the wheel of the mouse passes by.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-number-entry.h"

/**
 * ns_number_entry_new:
 * @least: the smallest number
 * @most: the largest number
 * @step: what the buttons and the arrow keys add or take away
 *
 * On a page that scrolls the wheel is meant for the page: GTK's own entry would take it for a
 * change of the number under the pointer.
 *
 * Returns: (transfer floating): a #GtkSpinButton
 */
GtkWidget *
ns_number_entry_new (double least, double most, double step)
{
  GtkWidget *entry = gtk_spin_button_new_with_range (least, most, step);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (entry);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
  return entry;
}

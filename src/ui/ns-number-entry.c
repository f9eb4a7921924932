/* A spin button that ignores the scroll wheel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-number-entry.h"

/**
 * ns_number_entry_new:
 * @least: the smallest number
 * @most: the largest number
 * @step: the increment of the buttons and the arrow keys
 *
 * A plain #GtkSpinButton on a scrolling page changes its value when the user scrolls the page with
 * the pointer over it, so its scroll controllers are turned off.
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

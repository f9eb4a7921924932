/* A spin button that ignores the scroll wheel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_number_entry_new (double least, double most, double step);

G_END_DECLS

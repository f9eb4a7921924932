/* Text direction of numbers, times and addresses in right-to-left layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_text_direction_force_ltr (GtkWidget *text);

G_END_DECLS

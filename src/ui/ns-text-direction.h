/* Text direction of numbers, times and addresses in right-to-left layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_digits_keep_order (GtkWidget *text);

G_END_DECLS

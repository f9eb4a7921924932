/* Card of the trace information with the command that records a more complete trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void
ns_recipe_card_fill (GtkWidget *card, const char *adds, const char *layers, guint64 bytes_a_second);

G_END_DECLS

/* Legend of a flame graph: a box and a label for each colour.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-flame-look.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_flame_legend_widget_new (void);
void ns_flame_legend_widget_update (GtkWidget *legend, const GArray *lines, NsFlameColor color);

G_END_DECLS

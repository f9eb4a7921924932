/* Card of the trace information that lists the files of a trace and the files left out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_files_card_add_controls (GtkGrid *grid, GtkBox *card);
void ns_files_card_take_focus (GtkGrid *grid);
gboolean ns_files_card_move (GtkGrid *grid, int by);
char *ns_files_card_fill (GtkGrid *grid, const NsTrace *trace, GString *report);

G_END_DECLS

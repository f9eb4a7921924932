/* Label with the summary sentence of a row: main parts are bold, and rows and frames are links.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_summary_new (void);
void ns_summary_set_row (GtkWidget *label, const NsTrace *trace, NsTableId table, guint32 row);
void ns_summary_set_text (GtkWidget *label, const char *text);

G_END_DECLS

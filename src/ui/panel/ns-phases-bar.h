/* Bar of the phases of a row, or the symbol of one phase for a list.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_PHASES_BAR (ns_phases_bar_get_type ())
G_DECLARE_FINAL_TYPE (NsPhasesBar, ns_phases_bar, NS, PHASES_BAR, GtkWidget)

GtkWidget *ns_phases_bar_new (void);
GtkWidget *ns_phases_bar_new_sign (const NsActivityRow *row, NsPhase phase);
void ns_phases_bar_set_row (NsPhasesBar *self, const NsTrace *trace, const NsActivityRow *row);

G_END_DECLS

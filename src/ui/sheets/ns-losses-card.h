/* Card of the trace information about lost events: one line per processor.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-damage.h"
#include "model/ns-losses.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_losses_bar_new (gint64 end_ns, NsTimeSpan seen);
char *ns_losses_card_fill (GtkGrid *grid,
                           const NsTrace *trace,
                           const NsMissing *missing,
                           GString *report);

G_END_DECLS

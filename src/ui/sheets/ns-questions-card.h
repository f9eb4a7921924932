/* Card of the trace information that lists the questions a trace can answer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

char *ns_questions_card_fill (GtkGrid *grid,
                              const NsTrace *trace,
                              GString *report,
                              char **adds,
                              char **layers);

G_END_DECLS

/* Summary of the checks below the findings: rules not judged, rules that found nothing, totals.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_checks_new (void);
void ns_checks_update (GtkWidget *checks, NsSession *session);

G_END_DECLS

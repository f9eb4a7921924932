/* Below the findings: the rules that could not be judged, and those that found nothing.
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

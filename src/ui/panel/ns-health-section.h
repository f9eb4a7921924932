/* Section shown while no row is selected: the first findings, and whether the trace is complete.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_health_section_new (void);
void ns_health_section_set_session (GtkWidget *section, NsSession *session);

G_END_DECLS

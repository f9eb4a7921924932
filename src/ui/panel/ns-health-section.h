/* What the panel says of a trace while no row is selected.
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

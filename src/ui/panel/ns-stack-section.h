/* Compact call stack of a row in the overview.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"
#include "model/ns-symbol-job.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_STACK_SECTION (ns_stack_section_get_type ())
G_DECLARE_FINAL_TYPE (NsStackSection, ns_stack_section, NS, STACK_SECTION, GtkWidget)

GtkWidget *ns_stack_section_new (void);
void ns_stack_section_set_session (NsStackSection *self, NsSession *session, NsSymbolJob *symbols);
gboolean ns_stack_section_set_activity (NsStackSection *self, guint32 activity);
GtkWidget *ns_stack_section_get_parts (NsStackSection *self);

G_END_DECLS

/* Section about the thread of an operation: a bar of its states during the operation, and their
 * totals.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_THREAD_SECTION (ns_thread_section_get_type ())
G_DECLARE_FINAL_TYPE (NsThreadSection, ns_thread_section, NS, THREAD_SECTION, GtkWidget)

GtkWidget *ns_thread_section_new (void);
gboolean ns_thread_section_set_activity (NsThreadSection *self, NsTrace *trace, guint32 activity);

G_END_DECLS

/* Section about a DNS query: servers tried, answers, and the address that was used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-names-job.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_NAMES_SECTION (ns_names_section_get_type ())
G_DECLARE_FINAL_TYPE (NsNamesSection, ns_names_section, NS, NAMES_SECTION, GtkWidget)

GtkWidget *ns_names_section_new (void);
gboolean ns_names_section_set_name (NsNamesSection *self, NsTrace *trace, NsRow row);

G_END_DECLS

/* Section that lists the layers of the network stack at which a packet was captured, dropped or
 * changed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-appearances-job.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_APPEARANCES_SECTION (ns_appearances_section_get_type ())
G_DECLARE_FINAL_TYPE (NsAppearancesSection,
                      ns_appearances_section,
                      NS,
                      APPEARANCES_SECTION,
                      GtkWidget)

GtkWidget *ns_appearances_section_new (void);
gboolean
ns_appearances_section_set_packet (NsAppearancesSection *self, NsTrace *trace, NsRow packet);

G_END_DECLS

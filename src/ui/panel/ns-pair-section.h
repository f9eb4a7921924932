/* Section that shows the selected request as captured on the other machine: where its time went,
 * and a link to it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-pairing.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_PAIR_SECTION (ns_pair_section_get_type ())
G_DECLARE_FINAL_TYPE (NsPairSection, ns_pair_section, NS, PAIR_SECTION, GtkBox)

GtkWidget *ns_pair_section_new (void);
GtkWidget *ns_pair_section_get_sentence (NsPairSection *self);
void ns_pair_section_set_pairing (NsPairSection *self, NsPairing *pairing);
gboolean ns_pair_section_set_row (NsPairSection *self, guint32 activity);

G_END_DECLS

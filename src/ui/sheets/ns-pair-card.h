/* Card beside the list of paired requests: phases and evidence of one request, and clock alignment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-pairing.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_PAIR_CARD (ns_pair_card_get_type ())
G_DECLARE_FINAL_TYPE (NsPairCard, ns_pair_card, NS, PAIR_CARD, GtkBox)

GtkWidget *ns_pair_card_new (void);
void ns_pair_card_set (NsPairCard *self,
                       const NsPairs *pairs,
                       const NsPairRow *row,
                       char *const names[2]);

G_END_DECLS

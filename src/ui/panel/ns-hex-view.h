/* Hex view of an event; highlights the bytes of the selected field.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-event-facts.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_HEX_VIEW (ns_hex_view_get_type ())
G_DECLARE_FINAL_TYPE (NsHexView, ns_hex_view, NS, HEX_VIEW, GtkWidget)

GtkWidget *ns_hex_view_new (void);
void ns_hex_view_set_facts (NsHexView *self, const NsEventFacts *facts, guint32 first);
void ns_hex_view_hover (NsHexView *self, guint fact);
void ns_hex_view_choose (NsHexView *self, guint fact);

G_END_DECLS

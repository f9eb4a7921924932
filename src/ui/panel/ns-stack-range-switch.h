/* Switch between parts of a call stack: First, Middle, Last or Full.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/ns-stack-line.h"

G_BEGIN_DECLS

#define NS_N_STACK_RANGES (NS_STACK_RANGE_FULL + 1)

#define NS_TYPE_STACK_RANGE_SWITCH (ns_stack_range_switch_get_type ())
G_DECLARE_FINAL_TYPE (NsStackRangeSwitch, ns_stack_range_switch, NS, STACK_RANGE_SWITCH, GtkWidget)

GtkWidget *ns_stack_range_switch_new (void);
NsStackRange ns_stack_range_switch_get_range (NsStackRangeSwitch *self);
void ns_stack_range_switch_set_range (NsStackRangeSwitch *self, NsStackRange range);

G_END_DECLS

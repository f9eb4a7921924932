/* Switch between parts of a call stack: First, Middle, Last or Full.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/ns-stack-line.h"

G_BEGIN_DECLS

#define NS_N_STACK_PARTS (NS_STACK_PART_FULL + 1)

#define NS_TYPE_STACK_PARTS (ns_stack_parts_get_type ())
G_DECLARE_FINAL_TYPE (NsStackParts, ns_stack_parts, NS, STACK_PARTS, GtkWidget)

GtkWidget *ns_stack_parts_new (void);
NsStackPart ns_stack_parts_get_part (NsStackParts *self);
void ns_stack_parts_set_part (NsStackParts *self, NsStackPart part);

G_END_DECLS

/* Confidence indicator: three blocks, filled according to an #NsConfidence.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_confidence_indicator_new (void);
void ns_confidence_indicator_set_confidence (GtkWidget *blocks, int confidence);

G_END_DECLS

/* Icon for the severity of a finding.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-paint.h"
#include "model/ns-session-findings.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_SEVERITY_ICON (ns_severity_icon_get_type ())
G_DECLARE_FINAL_TYPE (NsSeverityIcon, ns_severity_icon, NS, SEVERITY_ICON, GtkWidget)

GtkWidget *ns_severity_icon_new (NsSeverityMark mark);
void ns_severity_icon_set (NsSeverityIcon *self, NsSeverityMark mark);
void ns_severity_icon_paint (GtkWidget *widget,
                             GtkSnapshot *snapshot,
                             NsSeverityMark mark,
                             double x,
                             int width,
                             int height);
NsSeverityMark ns_severity_icon_get_mark (const NsFindingRow *finding);
const char *ns_severity_icon_get_word (NsSeverityMark mark);

G_END_DECLS

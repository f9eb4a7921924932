/* Window that lists the processes of a trace and the hosts that each of them talked to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-audit-job.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_AUDIT_SHEET (ns_audit_sheet_get_type ())
G_DECLARE_FINAL_TYPE (NsAuditSheet, ns_audit_sheet, NS, AUDIT_SHEET, GtkWindow)

GtkWindow *ns_audit_sheet_new (GtkWindow *parent, NsSession *session);

G_END_DECLS

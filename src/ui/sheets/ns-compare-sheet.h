/* Window that compares the trace of its parent window with another trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_COMPARE_SHEET (ns_compare_sheet_get_type ())
G_DECLARE_FINAL_TYPE (NsCompareSheet, ns_compare_sheet, NS, COMPARE_SHEET, GtkWindow)

void ns_compare_sheet_show (GtkWindow *parent, NsSession *session, GFile *file);

G_END_DECLS

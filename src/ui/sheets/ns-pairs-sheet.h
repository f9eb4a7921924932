/* Window that pairs the requests of the parent window's trace with those of a trace of another
 * machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_PAIRS_SHEET (ns_pairs_sheet_get_type ())
G_DECLARE_FINAL_TYPE (NsPairsSheet, ns_pairs_sheet, NS, PAIRS_SHEET, GtkWindow)

void ns_pairs_sheet_show (GtkWindow *parent, NsSession *session, GFile *file);

G_END_DECLS

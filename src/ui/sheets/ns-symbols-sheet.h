/* Window that lists the state of the symbols of each module, with actions to search for missing
 * ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-symbol-job.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_SYMBOLS_SHEET (ns_symbols_sheet_get_type ())
G_DECLARE_FINAL_TYPE (NsSymbolsSheet, ns_symbols_sheet, NS, SYMBOLS_SHEET, GtkWindow)

GtkWindow *ns_symbols_sheet_new (GtkWindow *parent, NsSession *session);

G_END_DECLS

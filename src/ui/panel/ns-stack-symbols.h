/* Progress of symbol loading: the running download, and how many modules have symbols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-symbol-job.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_STACK_SYMBOLS (ns_stack_symbols_get_type ())
G_DECLARE_FINAL_TYPE (NsStackSymbols, ns_stack_symbols, NS, STACK_SYMBOLS, GtkWidget)

GtkWidget *ns_stack_symbols_new (void);
void ns_stack_symbols_set_job (NsStackSymbols *self, NsSymbolJob *job);

G_END_DECLS

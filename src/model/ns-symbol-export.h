/* Resolves frames of a session for an export, in a thread that may wait for symbols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-chain.h"
#include "model/ns-symbol-job.h"

G_BEGIN_DECLS

typedef struct _NsSymbolExport NsSymbolExport;

NsSymbolExport *ns_symbol_export_new (NsSymbolJob *job, GCancellable *cancellable);
void ns_symbol_export_free (NsSymbolExport *self);
/* An NsExportSymbolFunc with an NsSymbolExport as its user data. */
gboolean ns_symbol_export_resolve (NsRow image,
                                   guint64 rva,
                                   gboolean is_return,
                                   NsExportSymbol *symbol,
                                   gpointer self);
gboolean ns_symbol_export_settle (gpointer self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSymbolExport, ns_symbol_export_free)

G_END_DECLS

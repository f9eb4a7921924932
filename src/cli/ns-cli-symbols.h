/* The command line: symbols for the frames it prints.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli.h"
#include "export/ns-export-chain.h"

G_BEGIN_DECLS

typedef struct _NsCliSymbols NsCliSymbols;

NsCliSymbols *ns_cli_symbols_new (const NsCli *cli, const NsTrace *trace);
void ns_cli_symbols_give (const NsCli *cli, NsTrace *trace);
void ns_cli_symbols_free (NsCliSymbols *self);
gboolean ns_cli_symbols_resolve (NsRow image,
                                 guint64 rva,
                                 gboolean is_return,
                                 NsExportSymbol *symbol,
                                 gpointer user_data);
gboolean ns_cli_verb_symbols (NsCli *cli, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsCliSymbols, ns_cli_symbols_free)

G_END_DECLS

/* Resolves symbols of the frames that the program prints.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli.h"
#include "export/ns-export-chain.h"
#include "symbols/ns-resolver.h"

G_BEGIN_DECLS

typedef struct _NsCliSymbols NsCliSymbols;

struct _NsCliSymbols
{
  const NsCli *cli;
  const NsTrace *trace;
  NsResolver *resolver;
  GThread *watcher; /* (nullable): stops the resolver when the user stops the program */
  int watch_pipe[2];
  GArray *modules; /* (element-type guint32): 1-based module of the resolver, by row of the image */
  gboolean has_path;
};

NsCliSymbols *ns_cli_symbols_new (const NsCli *cli, const NsTrace *trace);
guint ns_cli_symbols_add_image (NsCliSymbols *self, NsRow row);
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

/* `stacks --tree`: prints the call tree, weighted by count, bytes, duration or failures.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-call-tree.h"
#include "cli/ns-cli.h"
#include "export/ns-export-table.h"

G_BEGIN_DECLS

gboolean ns_cli_tree_check (const NsCli *cli, NsCallTreeOptions *options, GError **error);
gboolean ns_cli_tree_print (NsCli *cli,
                            const NsTrace *trace,
                            const GArray *rows,
                            NsExportFormat format,
                            GError **error);

G_END_DECLS

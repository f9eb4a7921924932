/* The command line: `export --as html`, a report with the timeline of its rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli-list.h"
#include "cli/ns-cli.h"

G_BEGIN_DECLS

gboolean ns_cli_report (NsCli *cli, const NsCliList *list, gboolean is_bundle, GError **error);

G_END_DECLS

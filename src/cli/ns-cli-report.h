/* The command line: reports of rows, as a page with their timeline, as text, and in a hand-over.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli-list.h"
#include "cli/ns-cli.h"

G_BEGIN_DECLS

typedef enum
{
  NS_CLI_REPORT_HTML,
  NS_CLI_REPORT_TEXT,
  NS_CLI_REPORT_BUNDLE,
} NsCliReportKind;

gboolean ns_cli_report (NsCli *cli, const NsCliList *list, NsCliReportKind kind, GError **error);

G_END_DECLS

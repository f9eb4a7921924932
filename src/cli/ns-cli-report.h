/* Reports of rows: as a page with their timeline, as text, and in a hand-over.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli-list.h"
#include "cli/ns-cli.h"
#include "export/ns-export-forms.h"

G_BEGIN_DECLS

gboolean
ns_cli_report (NsCli *cli, const NsCliList *list, const NsExportForm *form, GError **error);

G_END_DECLS

/* The verb `codes`: explains an error number in every family that has it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli.h"
#include "export/ns-export-table.h"

G_BEGIN_DECLS

gboolean ns_cli_codes_print (const char *wanted,
                             NsExportFormat format,
                             guint line_width,
                             NsExportWriteFunc write,
                             gpointer write_data,
                             GError **error);
gboolean ns_cli_codes_run (NsCli *cli, GError **error);

G_END_DECLS

/* Output of rows that do not come from a table of the trace, in all formats.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli.h"
#include "export/ns-export-table.h"

G_BEGIN_DECLS

typedef struct _NsCliRows NsCliRows;

NsCliRows *ns_cli_rows_new (NsViewContext *view,
                            NsExportFormat format,
                            const char *const *columns,
                            NsExportWriteFunc write,
                            gpointer write_data);
void ns_cli_rows_free (NsCliRows *self);
gboolean ns_cli_rows_is_json (const NsCliRows *self);
void ns_cli_rows_add_text (NsCliRows *self, const char *text);
void ns_cli_rows_add_number (NsCliRows *self, guint64 number);
void ns_cli_rows_add_boolean (NsCliRows *self, gboolean value);
GString *ns_cli_rows_get_scratch (NsCliRows *self);
void ns_cli_rows_add_null (NsCliRows *self);
void ns_cli_rows_add_json (NsCliRows *self, const char *json, const char *text);
gboolean ns_cli_rows_end_row (NsCliRows *self, GError **error);
gboolean ns_cli_rows_finish (NsCliRows *self, gboolean is_single, GError **error);

gboolean ns_cli_rows_get_format (const NsCli *cli, NsExportFormat *format, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsCliRows, ns_cli_rows_free)

G_END_DECLS

/* Session statistics (`info --stats`).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"
#include "export/ns-export-table.h"

G_BEGIN_DECLS

void ns_cli_stats_append (const NsEtlHeader *header,
                          const char *modes,
                          NsExportFormat format,
                          gboolean is_guarded,
                          GString *text);

G_END_DECLS

/* Parses --from and --to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli.h"

G_BEGIN_DECLS

gboolean
ns_cli_time_check_span (const NsTimeSpan *span, const char *from, const char *to, GError **error);
gboolean ns_cli_time_parse_span (const NsCliOptions *options,
                                 const NsEtlFile *file,
                                 NsTimeSpan *span,
                                 GError **error);

G_END_DECLS

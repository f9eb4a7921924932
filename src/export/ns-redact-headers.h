/* Decides which headers are kept in exports without names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-redact.h"

G_BEGIN_DECLS

gboolean ns_redact_headers_keep_name (const char *name);
gboolean ns_redact_headers_keep_value (const char *name, const char *value);

G_END_DECLS

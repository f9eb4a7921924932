/* Strict validation of JSON (RFC 8259).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ns_json_check (const char *text, gsize size);

G_END_DECLS

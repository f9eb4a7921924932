/* Appends JSON strings to a text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void ns_json_append_string (GString *json, const char *text);
void ns_json_quote_tail (GString *json, gsize begin);

G_END_DECLS

/* Formats numbers and texts for cells, sentences and exports.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

const char *ns_method_to_text (const char *method);

const char *ns_field_get_point_mark (void);
void ns_field_append_signed (GString *text, gint64 number);
void ns_field_append_seconds (GString *text, gint64 time_ns);
void ns_field_append_milliseconds (GString *text, gint64 span_ns);

G_END_DECLS

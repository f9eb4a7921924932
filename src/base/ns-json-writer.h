/* Writing JSON: objects and arrays with their commas.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * NsJsonWriter:
 * @text: where the JSON goes; may be emptied at any time, once what it holds is written
 * @has_sibling: something stands before the next value in its object or array
 * @begins_line: the next value, or end, begins a line
 *
 * Begin with the text and zeros. Keys are names that the program knows, without anything to escape;
 * %NULL in arrays.
 */
typedef struct
{
  GString *text;
  gboolean has_sibling;
  gboolean begins_line;
} NsJsonWriter;

void ns_json_begin_object (NsJsonWriter *self, const char *key);
void ns_json_end_object (NsJsonWriter *self);
void ns_json_begin_array (NsJsonWriter *self, const char *key);
void ns_json_end_array (NsJsonWriter *self);
void ns_json_add_string (NsJsonWriter *self, const char *key, const char *text);
void ns_json_add_number (NsJsonWriter *self, const char *key, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
void ns_json_begin_value (NsJsonWriter *self, const char *key);
void ns_json_break_line (NsJsonWriter *self);

G_END_DECLS

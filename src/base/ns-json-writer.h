/* Writes JSON objects and arrays with their separators.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * NsJsonWriter:
 * @text: receives the JSON; may be emptied after its content was written
 * @has_sibling: the next value needs a comma before it
 * @begins_line: the next value or closing bracket starts a new line
 *
 * Initialize with a text and zeros. Keys are constants of the program that need no escapes; %NULL
 * in arrays.
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

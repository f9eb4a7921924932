/* Writes JSON objects and arrays with their separators.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json-writer.h"

#include "base/ns-json.h"
#include "base/ns-text.h"

#include <string.h>

static void
put_line (NsJsonWriter *self)
{
  if (self->begins_line)
    g_string_append_c (self->text, '\n');
  self->begins_line = FALSE;
}

/* Writes the separator and the key before a value. */
static void
put_key (NsJsonWriter *self, const char *key)
{
  if (self->has_sibling)
    g_string_append_c (self->text, ',');
  put_line (self);
  if (key != NULL)
    {
      g_string_append_c (self->text, '"');
      ns_text_append (self->text, key, strlen (key));
      ns_text_append (self->text, "\":", 2);
    }
  self->has_sibling = TRUE;
}

static void
begin (NsJsonWriter *self, const char *key, char bracket)
{
  put_key (self, key);
  g_string_append_c (self->text, bracket);
  self->has_sibling = FALSE;
}

static void
end (NsJsonWriter *self, char bracket)
{
  put_line (self);
  g_string_append_c (self->text, bracket);
  self->has_sibling = TRUE;
}

/**
 * ns_json_begin_object:
 * @self: a writer
 * @key: (nullable): the key of the object; %NULL for an element or the top level
 */
void
ns_json_begin_object (NsJsonWriter *self, const char *key)
{
  begin (self, key, '{');
}

/**
 * ns_json_end_object:
 * @self: a writer, in an object
 */
void
ns_json_end_object (NsJsonWriter *self)
{
  end (self, '}');
}

/**
 * ns_json_begin_array:
 * @self: a writer
 * @key: (nullable): the key of the array; %NULL for an element or the top level
 */
void
ns_json_begin_array (NsJsonWriter *self, const char *key)
{
  begin (self, key, '[');
}

/**
 * ns_json_end_array:
 * @self: a writer, in an array
 */
void
ns_json_end_array (NsJsonWriter *self)
{
  end (self, ']');
}

/**
 * ns_json_add_string:
 * @self: a writer
 * @key: (nullable): the key of the value; %NULL for an element
 * @text: (nullable): valid UTF-8; %NULL is written as `null`
 */
void
ns_json_add_string (NsJsonWriter *self, const char *key, const char *text)
{
  put_key (self, key);
  ns_json_append_string (self->text, text);
}

/**
 * ns_json_add_number:
 * @self: a writer
 * @key: (nullable): the key of the value; %NULL for an element
 * @format: format of the number, independent of the locale
 * @...: for @format
 */
void
ns_json_add_number (NsJsonWriter *self, const char *key, const char *format, ...)
{
  va_list arguments;

  put_key (self, key);
  va_start (arguments, format);
  g_string_append_vprintf (self->text, format, arguments);
  va_end (arguments);
}

/**
 * ns_json_begin_value:
 * @self: a writer
 * @key: (nullable): the key of the value; %NULL for an element
 *
 * Writes the separator and the key; the caller appends the value to the text.
 */
void
ns_json_begin_value (NsJsonWriter *self, const char *key)
{
  put_key (self, key);
}

/**
 * ns_json_break_line:
 * @self: a writer
 *
 * Starts a new line before the next value or closing bracket.
 */
void
ns_json_break_line (NsJsonWriter *self)
{
  self->begins_line = TRUE;
}

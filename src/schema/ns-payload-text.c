/* Formats a payload as JSON, and as the command `dump` prints it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-payload.h"

#include "base/ns-json.h"
#include "base/ns-tcl.h"
#include "schema/ns-value.h"

/* Maximum number of open brackets: an array and a struct per level. */
#define MAX_BRACKETS (2 * NS_SCHEMA_MAX_DEPTH + 4)
/* Name of the bytes after the last known field; no field has such a name. */
#define REST_NAME "(bytes)"

typedef struct
{
  const NsSecrets *secrets;
  GString *text;
  gboolean is_dump;
  guint n_open;
  char closers[MAX_BRACKETS]; /* ']' or '}' */
  gboolean has_items;         /* the innermost bracket has items */
} Writer;

static gboolean
in_array (const Writer *self)
{
  return self->n_open > 0 && self->closers[self->n_open - 1] == ']';
}

static void
begin_member (Writer *self, const char *name)
{
  if (self->has_items)
    g_string_append_c (self->text, self->is_dump ? ' ' : ',');
  self->has_items = TRUE;
  if (in_array (self))
    return;
  if (self->is_dump)
    {
      gsize begin = self->text->len;

      g_string_append (self->text, name);
      ns_tcl_quote_tail (self->text, begin);
      g_string_append_c (self->text, ' ');
    }
  else
    {
      ns_json_append_string (self->text, name);
      g_string_append_c (self->text, ':');
    }
}

static gboolean
open_bracket (Writer *self, const NsPayloadItem *item, char opener, char closer)
{
  if (self->n_open == MAX_BRACKETS)
    return FALSE;
  begin_member (self, item->field->name);
  g_string_append_c (self->text, self->is_dump ? '{' : opener);
  self->closers[self->n_open++] = closer;
  self->has_items = FALSE;
  return TRUE;
}

static void
close_bracket (Writer *self)
{
  if (self->n_open == 0)
    return;
  self->n_open--;
  g_string_append_c (self->text, self->is_dump ? '}' : self->closers[self->n_open]);
  self->has_items = TRUE;
}

static void
append_value (Writer *self, const NsPayloadItem *item)
{
  gsize begin = self->text->len;

  if (!self->is_dump)
    {
      ns_value_append_json (item, self->secrets, self->text);
      return;
    }
  ns_value_append_exact (item, self->secrets, self->text);
  ns_tcl_quote_tail (self->text, begin);
}

static gboolean
write_cb (const NsPayloadItem *item, gpointer user_data)
{
  Writer *self = user_data;

  switch (item->kind)
    {
    case NS_ITEM_ARRAY_BEGIN:
      return open_bracket (self, item, '[', ']');
    case NS_ITEM_STRUCT_BEGIN:
      return open_bracket (self, item, '{', '}');
    case NS_ITEM_ARRAY_END:
    case NS_ITEM_STRUCT_END:
      close_bracket (self);
      return TRUE;
    case NS_ITEM_REST:
      if (!self->is_dump)
        {
          begin_member (self, REST_NAME);
          append_value (self, item);
        }
      return TRUE;
    case NS_ITEM_VALUE:
    default:
      begin_member (self, item->field->name);
      append_value (self, item);
      return TRUE;
    }
}

static NsPayloadResult
write_payload (const NsSchema *schema, const NsRecord *record, Writer *self)
{
  NsPayloadResult result = ns_payload_walk (schema, record, write_cb, self);

  /* The walk stops in the middle of a structure when it reaches the maximum number of items. */
  while (self->n_open > 0)
    close_bracket (self);
  return result;
}

/**
 * ns_payload_append_json:
 * @schema: the layout
 * @record: a record
 * @secrets: (nullable): definition of secrets; %NULL: the default
 * @text: JSON text to append to
 *
 * Appends one object with a member for every field; bytes that no field covers become a hexadecimal
 * text named `(bytes)`.
 *
 * Returns: how well the payload fits the layout
 */
NsPayloadResult
ns_payload_append_json (const NsSchema *schema,
                        const NsRecord *record,
                        const NsSecrets *secrets,
                        GString *text)
{
  Writer writer = { .secrets = secrets, .text = text };
  NsPayloadResult result;

  g_string_append_c (text, '{');
  result = write_payload (schema, record, &writer);
  g_string_append_c (text, '}');
  return result;
}

/**
 * ns_payload_append_dump:
 * @schema: the layout
 * @record: a record
 * @secrets: (nullable): definition of secrets; %NULL: the default
 * @text: to append to
 *
 * Appends `NAME VALUE NAME VALUE`. Values that are empty or contain blanks or backslashes, arrays
 * and structs are enclosed in braces; a value that braces cannot enclose gets backslashes before
 * special characters, and control characters, lone surrogates and invalid UTF-8 become `\uXXXX`.
 * The result is valid UTF-8 without line ends.
 *
 * Returns: how well the payload fits the layout
 */
NsPayloadResult
ns_payload_append_dump (const NsSchema *schema,
                        const NsRecord *record,
                        const NsSecrets *secrets,
                        GString *text)
{
  Writer writer = { .secrets = secrets, .text = text, .is_dump = TRUE };

  return write_payload (schema, record, &writer);
}

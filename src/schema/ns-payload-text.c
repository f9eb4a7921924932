/* A whole payload as JSON, and in the form of `dump`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-payload.h"

#include "base/ns-json.h"

#include <string.h>

/* An array and a struct for every level. */
#define MAX_BRACKETS (2 * NS_SCHEMA_MAX_DEPTH + 4)
/* What the bytes behind the last known field are called; no real field has such a name. */
#define REST_NAME "(bytes)"

typedef struct
{
  GString *text;
  gboolean is_dump;
  guint n_open;
  char closers[MAX_BRACKETS]; /* ']' or '}' */
  gboolean has_items;         /* in the innermost bracket */
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
      g_string_append (self->text, name);
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

/* How a value of `dump` is written so that a reader of lists gets it back, as Tcl's does. */
typedef enum
{
  QUOTE_NONE,
  QUOTE_BRACES,
  QUOTE_BACKSLASHES,
} Quote;

static Quote
choose_quote (const char *text)
{
  const char *p;
  gint depth = 0;

  if (*text == '\0')
    return QUOTE_BRACES;
  /* A record is one line, whatever a text in it says. */
  if (strpbrk (text, "\r\n") != NULL)
    return QUOTE_BACKSLASHES;
  if (*text != '"' && strpbrk (text, " \t\\{}") == NULL)
    return QUOTE_NONE;
  for (p = text; *p != '\0'; p++)
    {
      depth += (*p == '{') - (*p == '}');
      if (depth < 0 || (*p == '\\' && strchr ("{}", p[1]) != NULL))
        return QUOTE_BACKSLASHES;
    }
  return depth == 0 ? QUOTE_BRACES : QUOTE_BACKSLASHES;
}

static void
escape_tail (GString *text, gsize begin)
{
  g_autofree char *plain = g_strdup (text->str + begin);
  const char *p;

  g_string_truncate (text, begin);
  for (p = plain; *p != '\0'; p++)
    if (*p == '\n')
      g_string_append (text, "\\n");
    else if (*p == '\r')
      g_string_append (text, "\\r");
    else if (strchr (" \t\\{}\"", *p) != NULL)
      g_string_append_printf (text, "\\%c", *p);
    else
      g_string_append_c (text, *p);
}

static void
append_value (Writer *self, const NsPayloadItem *item)
{
  gsize begin = self->text->len;

  if (!self->is_dump)
    {
      ns_value_append_json (item, self->text);
      return;
    }
  ns_value_append_text (item, self->text);
  switch (choose_quote (self->text->str + begin))
    {
    case QUOTE_BRACES:
      g_string_insert_c (self->text, (gssize) begin, '{');
      g_string_append_c (self->text, '}');
      break;
    case QUOTE_BACKSLASHES:
      escape_tail (self->text, begin);
      break;
    case QUOTE_NONE:
    default:
      break;
    }
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
write_payload (const NsSchema *schema, const NsRecord *record, GString *text, gboolean is_dump)
{
  Writer self = { .text = text, .is_dump = is_dump };
  NsPayloadResult result = ns_payload_walk (schema, record, write_cb, &self);

  /* A walk that hit a cap stops in the middle. */
  while (self.n_open > 0)
    close_bracket (&self);
  return result;
}

/**
 * ns_payload_append_json:
 * @schema: the layout
 * @record: a record
 * @text: JSON text so far
 *
 * Appends one object with a member for every field; bytes that no field explains are hexadecimal
 * text named `(bytes)`.
 *
 * Returns: how well the payload fits
 */
NsPayloadResult
ns_payload_append_json (const NsSchema *schema, const NsRecord *record, GString *text)
{
  NsPayloadResult result;

  g_string_append_c (text, '{');
  result = write_payload (schema, record, text, FALSE);
  g_string_append_c (text, '}');
  return result;
}

/**
 * ns_payload_append_dump:
 * @schema: the layout
 * @record: a record
 * @text: where to append
 *
 * Appends `NAME VALUE NAME VALUE`; values that are empty or hold blanks or backslashes, arrays and
 * structs stand in braces; what braces cannot hold has backslashes before what is special. Never
 * contains a line end.
 *
 * Returns: how well the payload fits
 */
NsPayloadResult
ns_payload_append_dump (const NsSchema *schema, const NsRecord *record, GString *text)
{
  return write_payload (schema, record, text, TRUE);
}

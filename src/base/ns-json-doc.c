/* JSON tokenizer that builds no objects (RFC 8259, lenient about numbers).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json-doc.h"

#include <string.h>

typedef struct
{
  NsJsonDoc *json;
  gsize size;
  gsize pos;
  guint stack[NS_JSON_MAX_DEPTH];
  guint depth;
} Parser;

static void
skip_space (Parser *self)
{
  while (self->pos < self->size && strchr (" \t\r\n", self->json->text[self->pos]) != NULL &&
         self->json->text[self->pos] != '\0')
    self->pos++;
}

static NsJsonToken *
add_token (Parser *self, NsJsonType type, gsize begin, gsize end)
{
  NsJsonToken *token;

  if (self->json->n_tokens == NS_JSON_MAX_TOKENS)
    return NULL;
  token = &self->json->tokens[self->json->n_tokens++];
  token->type = (guint8) type;
  token->begin = (guint32) begin;
  token->end = (guint32) end;
  token->next = self->json->n_tokens;
  return token;
}

static gboolean
read_string (Parser *self)
{
  gsize begin = ++self->pos;

  while (self->pos < self->size && self->json->text[self->pos] != '"')
    self->pos += self->json->text[self->pos] == '\\' ? 2 : 1;
  if (self->pos >= self->size)
    return FALSE;
  self->pos++;
  return add_token (self, NS_JSON_STRING, begin, self->pos - 1) != NULL;
}

static gboolean
read_primitive (Parser *self)
{
  gsize begin = self->pos;

  while (self->pos < self->size &&
         (g_ascii_isalnum (self->json->text[self->pos]) ||
          strchr ("+-.", self->json->text[self->pos]) != NULL) &&
         self->json->text[self->pos] != '\0')
    self->pos++;
  return self->pos > begin && add_token (self, NS_JSON_PRIMITIVE, begin, self->pos) != NULL;
}

static gboolean
open_container (Parser *self, NsJsonType type)
{
  if (self->depth == NS_JSON_MAX_DEPTH || add_token (self, type, self->pos, self->pos) == NULL)
    return FALSE;
  self->stack[self->depth++] = self->json->n_tokens - 1;
  self->pos++;
  return TRUE;
}

static gboolean
close_container (Parser *self, NsJsonType type)
{
  NsJsonToken *token;

  if (self->depth == 0)
    return FALSE;
  token = &self->json->tokens[self->stack[--self->depth]];
  token->end = (guint32) ++self->pos;
  token->next = self->json->n_tokens;
  return token->type == type;
}

/* Reads one value, bracket or separator. */
static gboolean
step (Parser *self)
{
  switch (self->json->text[self->pos])
    {
    case '{':
      return open_container (self, NS_JSON_OBJECT);
    case '[':
      return open_container (self, NS_JSON_ARRAY);
    case '}':
      return close_container (self, NS_JSON_OBJECT);
    case ']':
      return close_container (self, NS_JSON_ARRAY);
    case '"':
      return read_string (self);
    case ',':
    case ':':
      self->pos++;
      return self->depth > 0;
    default:
      return read_primitive (self);
    }
}

/**
 * ns_json_doc_parse:
 * @self: (out caller-allocates): receives the tokens
 * @text: JSON text, untrusted; not copied
 * @size: its length in bytes
 *
 * Splits one JSON value into tokens. Fails if the limits of size or depth are exceeded.
 *
 * Returns: %TRUE if @text is one complete value
 */
gboolean
ns_json_doc_parse (NsJsonDoc *self, const char *text, gsize size)
{
  Parser parser = { .json = self, .size = size };

  self->text = text;
  self->n_tokens = 0;
  if (size > G_MAXUINT32)
    return FALSE;
  skip_space (&parser);
  if (parser.pos >= size)
    return FALSE;
  do
    {
      if (!step (&parser))
        return FALSE;
      skip_space (&parser);
    }
  while (parser.depth > 0 && parser.pos < size);
  return parser.depth == 0 && parser.pos >= size;
}

/**
 * ns_json_doc_first:
 * @self: parsed text
 * @container: token of an object or array, or %NS_JSON_NONE
 *
 * Returns: its first child, %NS_JSON_NONE when it has none
 */
guint
ns_json_doc_first (const NsJsonDoc *self, guint container)
{
  if (container >= self->n_tokens || self->tokens[container].type > NS_JSON_ARRAY ||
      self->tokens[container].next == container + 1)
    return NS_JSON_NONE;
  return container + 1;
}

/**
 * ns_json_doc_after:
 * @self: parsed text
 * @container: token of an object or array
 * @token: a child of it
 *
 * Returns: the child after @token, or %NS_JSON_NONE
 */
guint
ns_json_doc_after (const NsJsonDoc *self, guint container, guint token)
{
  guint next = token < self->n_tokens ? self->tokens[token].next : NS_JSON_NONE;

  return next < self->n_tokens && next < self->tokens[container].next ? next : NS_JSON_NONE;
}

/**
 * ns_json_doc_get:
 * @self: parsed text
 * @object: token of an object, or %NS_JSON_NONE
 * @key: name of a member
 *
 * Returns: the token of the member's value, or %NS_JSON_NONE
 */
guint
ns_json_doc_get (const NsJsonDoc *self, guint object, const char *key)
{
  gsize length = strlen (key);
  guint token = ns_json_doc_first (self, object);

  if (token == NS_JSON_NONE || self->tokens[object].type != NS_JSON_OBJECT)
    return NS_JSON_NONE;
  while (token != NS_JSON_NONE)
    {
      guint value = ns_json_doc_after (self, object, token);
      const NsJsonToken *name = &self->tokens[token];

      if (value == NS_JSON_NONE)
        break;
      if (name->end - name->begin == length && memcmp (self->text + name->begin, key, length) == 0)
        return value;
      token = ns_json_doc_after (self, object, value);
    }
  return NS_JSON_NONE;
}

/**
 * ns_json_doc_get_int:
 * @self: parsed text
 * @token: a token, or %NS_JSON_NONE
 * @value: (out): the number, truncated to an integer
 *
 * Returns: %TRUE if the token is a number or a string that contains one
 */
gboolean
ns_json_doc_get_int (const NsJsonDoc *self, guint token, gint64 *value)
{
  char copy[32];
  char *end;
  gsize n;

  *value = 0;
  if (token >= self->n_tokens || self->tokens[token].type < NS_JSON_STRING)
    return FALSE;
  n = MIN (self->tokens[token].end - self->tokens[token].begin, sizeof copy - 1);
  memcpy (copy, self->text + self->tokens[token].begin, n);
  copy[n] = '\0';
  *value = g_ascii_strtoll (copy, &end, 10);
  return end != copy;
}

/**
 * ns_json_doc_is_true:
 * @self: parsed text
 * @token: a token, or %NS_JSON_NONE
 *
 * Returns: %TRUE if the token is `true`
 */
gboolean
ns_json_doc_is_true (const NsJsonDoc *self, guint token)
{
  return token < self->n_tokens && self->tokens[token].type == NS_JSON_PRIMITIVE &&
         self->text[self->tokens[token].begin] == 't';
}

/* Reads four hexadecimal digits; returns -1 if there are none. */
static int
read_unit (const char *p, const char *end)
{
  int unit = 0;
  guint i;

  if (end - p < 4)
    return -1;
  for (i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (p[i]);

      if (digit < 0)
        return -1;
      unit = unit << 4 | digit;
    }
  return unit;
}

/* Appends the character of an escape after its backslash; returns the position after it. */
static const char *
append_escape (GString *text, const char *p, const char *end)
{
  static const char letters[] = "bfnrt";
  static const char meanings[] = "\b\f\n\r\t";
  const char *letter = p < end && *p != '\0' ? strchr (letters, *p) : NULL;
  int unit;

  if (p >= end)
    return end;
  if (letter != NULL)
    {
      g_string_append_c (text, meanings[letter - letters]);
      return p + 1;
    }
  if (*p != 'u')
    {
      g_string_append_c (text, *p);
      return p + 1;
    }
  unit = read_unit (p + 1, end);
  if (unit < 0)
    return p + 1;
  p += 5;
  if (unit >= 0xd800 && unit < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u')
    {
      int low = read_unit (p + 2, end);

      if (low >= 0xdc00 && low < 0xe000)
        {
          g_string_append_unichar (text,
                                   (gunichar) (0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)));
          return p + 6;
        }
    }
  g_string_append_unichar (text,
                           unit == 0 || (unit >= 0xd800 && unit < 0xe000) ? 0xfffd
                                                                          : (gunichar) unit);
  return p;
}

/**
 * ns_json_doc_dup_string:
 * @self: parsed text
 * @token: a token, or %NS_JSON_NONE
 *
 * Returns: (transfer full) (nullable): the string with its escapes resolved, valid UTF-8; the raw
 *   text of other scalars; %NULL for containers and %NS_JSON_NONE
 */
char *
ns_json_doc_dup_string (const NsJsonDoc *self, guint token)
{
  g_autoptr (GString) text = NULL;
  const char *p;
  const char *end;

  if (token >= self->n_tokens || self->tokens[token].type < NS_JSON_STRING)
    return NULL;
  p = self->text + self->tokens[token].begin;
  end = self->text + self->tokens[token].end;
  text = g_string_sized_new ((gsize) (end - p));
  while (p < end)
    {
      if (*p == '\\')
        p = append_escape (text, p + 1, end);
      else
        g_string_append_c (text, *p++);
    }
  return g_utf8_make_valid (text->str, (gssize) text->len);
}

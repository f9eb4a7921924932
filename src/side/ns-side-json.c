/* Streaming JSON reader without a tree.
 *
 * Files of hundreds of megabytes hold arrays of small objects, which are read one by one. Nothing
 * is read twice, and an error ends the object that contains it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-json.h"
#include "side/ns-side-private.h"

#include <string.h>

#define MAX_NUMBER 40

/**
 * ns_side_json_init: (skip)
 * @self: (out caller-allocates): a reader
 * @text: valid UTF-8; must outlive @self
 * @size: its size in bytes
 */
void
ns_side_json_init (NsSideJson *self, const char *text, gsize size)
{
  *self = (NsSideJson){ text, text, text + size, text, 1, FALSE };
}

static void
skip_blanks (NsSideJson *self)
{
  while (self->at < self->end && strchr (" \t\r\n", *self->at) != NULL && *self->at != '\0')
    self->at++;
}

/**
 * ns_side_json_peek: (skip)
 * @self: a reader before a value
 *
 * Returns: the first character of the value; NUL at the end
 */
char
ns_side_json_peek (NsSideJson *self)
{
  skip_blanks (self);
  return self->at < self->end && !self->is_broken ? *self->at : '\0';
}

/**
 * ns_side_json_get_line: (skip)
 * @self: a reader
 *
 * Returns: the current line number, from 1
 */
guint32
ns_side_json_get_line (NsSideJson *self)
{
  const char *p = self->counted;

  while ((p = memchr (p, '\n', (gsize) (self->at - p))) != NULL)
    {
      self->line++;
      p++;
    }
  self->counted = self->at;
  return self->line;
}

static gboolean
break_off (NsSideJson *self)
{
  self->is_broken = TRUE;
  return FALSE;
}

/**
 * ns_side_json_enter: (skip)
 * @self: a reader before a value
 * @bracket: `{` or `[`
 *
 * Returns: whether the value begins with the bracket; other values are skipped
 */
gboolean
ns_side_json_enter (NsSideJson *self, char bracket)
{
  if (ns_side_json_peek (self) != bracket)
    {
      ns_side_json_skip (self);
      return FALSE;
    }
  self->at++;
  return TRUE;
}

/**
 * ns_side_json_next: (skip)
 * @self: a reader in an array or object
 * @bracket: its closing bracket, `}` or `]`
 * @is_first: (inout): whether none of its elements was read yet
 *
 * Returns: whether there is another value or key; consumes the closing bracket
 */
gboolean
ns_side_json_next (NsSideJson *self, char bracket, gboolean *is_first)
{
  char c = ns_side_json_peek (self);

  if (c == bracket)
    {
      self->at++;
      return FALSE;
    }
  if (!*is_first)
    {
      if (c != ',')
        return break_off (self);
      self->at++;
      c = ns_side_json_peek (self);
      /* Programs that were killed leave a trailing comma. */
      if (c == bracket)
        {
          self->at++;
          return FALSE;
        }
    }
  *is_first = FALSE;
  return c != '\0' || break_off (self);
}

/**
 * ns_side_json_next_key: (skip)
 * @self: a reader in an object
 * @is_first: (inout): whether none of its members was read yet
 * @key: receives the key
 *
 * Returns: whether there is another member, whose value follows
 */
gboolean
ns_side_json_next_key (NsSideJson *self, gboolean *is_first, GString *key)
{
  if (!ns_side_json_next (self, '}', is_first))
    return FALSE;
  if (ns_side_json_peek (self) != '"' || !ns_side_json_take_text (self, key) ||
      ns_side_json_peek (self) != ':')
    return break_off (self);
  self->at++;
  return TRUE;
}

static int
take_hex (NsSideJson *self)
{
  int value = 0;
  guint i;

  if (self->end - self->at < 4)
    return -1;
  for (i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (self->at[i]);

      if (digit < 0)
        return -1;
      value = value * 16 + digit;
    }
  self->at += 4;
  return value;
}

/* Reads the digits after "\u". */
static gboolean
take_escaped_number (NsSideJson *self, GString *text)
{
  int value = take_hex (self);
  gunichar c;

  if (value < 0)
    return FALSE;
  c = (gunichar) value;
  if (value >= 0xd800 && value < 0xdc00 && self->end - self->at >= 6 && self->at[0] == '\\' &&
      self->at[1] == 'u')
    {
      int low;

      self->at += 2;
      low = take_hex (self);
      if (low < 0)
        return FALSE;
      c = low >= 0xdc00 && low < 0xe000
              ? 0x10000 + ((gunichar) (value - 0xd800) << 10) + (gunichar) (low - 0xdc00)
              : 0xfffd;
    }
  if (c == 0 || !g_unichar_validate (c))
    c = 0xfffd;
  g_string_append_unichar (text, c);
  return TRUE;
}

static gboolean
take_escaped (NsSideJson *self, GString *text)
{
  static const char from[] = "\"\\/bfnrt";
  static const char to[] = "\"\\/\b\f\n\r\t";
  const char *place;
  char c;

  if (self->at >= self->end)
    return FALSE;
  c = *self->at++;
  if (c == 'u')
    return take_escaped_number (self, text);
  place = c != '\0' ? strchr (from, c) : NULL;
  if (place == NULL)
    return FALSE;
  g_string_append_c (text, to[place - from]);
  return TRUE;
}

/**
 * ns_side_json_take_text: (skip)
 * @self: a reader before a value
 * @text: receives the string, at most %NS_SIDE_MAX_TEXT bytes of it
 *
 * Returns: whether the value is a string; other values are skipped
 */
gboolean
ns_side_json_take_text (NsSideJson *self, GString *text)
{
  g_string_truncate (text, 0);
  if (ns_side_json_peek (self) != '"')
    {
      ns_side_json_skip (self);
      return FALSE;
    }
  self->at++;
  while (self->at < self->end && *self->at != '"')
    {
      const char *begin = self->at;

      if (*begin == '\\')
        {
          gsize old = text->len;

          self->at++;
          if (!take_escaped (self, text))
            return break_off (self);
          if (old >= NS_SIDE_MAX_TEXT)
            g_string_truncate (text, old);
          continue;
        }
      if ((guchar) *begin < ' ')
        return break_off (self);
      self->at = g_utf8_next_char (begin);
      if (text->len < NS_SIDE_MAX_TEXT)
        g_string_append_len (text, begin, self->at - begin);
    }
  if (self->at >= self->end)
    return break_off (self);
  self->at++;
  return TRUE;
}

/**
 * ns_side_json_take_number: (skip)
 * @self: a reader before a value
 * @number: (out): the number, which may be in a string
 *
 * Returns: whether the value is a number
 */
gboolean
ns_side_json_take_number (NsSideJson *self, double *number)
{
  char text[MAX_NUMBER + 1];
  gsize length = 0;
  char *end;

  *number = 0;
  if (ns_side_json_peek (self) == '"')
    {
      g_autoptr (GString) quoted = g_string_new (NULL);

      if (!ns_side_json_take_text (self, quoted) || quoted->len == 0)
        return FALSE;
      *number = g_ascii_strtod (quoted->str, &end);
      return *end == '\0';
    }
  if (!g_ascii_isdigit (*self->at) && *self->at != '-')
    {
      ns_side_json_skip (self);
      return FALSE;
    }
  while (self->at < self->end && *self->at != '\0' && strchr ("+-.eE0123456789", *self->at) != NULL)
    {
      if (length == MAX_NUMBER)
        return break_off (self);
      text[length++] = *self->at++;
    }
  text[length] = '\0';
  *number = g_ascii_strtod (text, &end);
  return *end == '\0' || break_off (self);
}

static gboolean
skip_string (NsSideJson *self)
{
  for (self->at++; self->at < self->end && *self->at != '"'; self->at++)
    {
      if ((guchar) *self->at < ' ')
        return break_off (self);
      if (*self->at == '\\' && ++self->at >= self->end)
        break;
    }
  if (self->at >= self->end)
    return break_off (self);
  self->at++;
  return TRUE;
}

/**
 * ns_side_json_skip: (skip)
 * @self: a reader before a value
 *
 * Skips the value.
 */
void
ns_side_json_skip (NsSideJson *self)
{
  char closing[NS_SIDE_JSON_MAX_DEPTH];
  guint depth = 0;

  do
    {
      char c = ns_side_json_peek (self);

      if (c == '{' || c == '[')
        {
          if (depth == NS_SIDE_JSON_MAX_DEPTH)
            break_off (self);
          else
            closing[depth++] = c == '{' ? '}' : ']';
          self->at++;
        }
      else if (depth > 0 && c == closing[depth - 1])
        {
          depth--;
          self->at++;
        }
      else if (c == '"')
        skip_string (self);
      else if (depth > 0 && (c == ',' || c == ':'))
        self->at++;
      else if (g_ascii_isalnum (c) || c == '-')
        while (self->at < self->end && (g_ascii_isalnum (*self->at) || *self->at == '-' ||
                                        *self->at == '+' || *self->at == '.'))
          self->at++;
      else
        break_off (self);
    }
  while (depth > 0 && !self->is_broken);
}

/**
 * ns_side_json_resume: (skip)
 * @self: a reader at malformed JSON
 *
 * Continues at the next line that begins with an object, for files with one object per line.
 *
 * Returns: whether there is such a line
 */
gboolean
ns_side_json_resume (NsSideJson *self)
{
  self->is_broken = FALSE;
  while (self->at < self->end)
    {
      const char *line = memchr (self->at, '\n', (gsize) (self->end - self->at));

      if (line == NULL)
        {
          self->at = self->end;
          return FALSE;
        }
      self->at = line + 1;
      if (ns_side_json_peek (self) == '{')
        return TRUE;
    }
  return FALSE;
}

/* Strict validation of JSON (RFC 8259), for messages whose parts are sent back.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json-check.h"

#include "base/ns-json-doc.h"

#include <string.h>

typedef struct
{
  const char *p;
  const char *end;
  char closers[NS_JSON_MAX_DEPTH];
  guint depth;
} Check;

static void
skip_space (Check *self)
{
  while (self->p < self->end &&
         (*self->p == ' ' || *self->p == '\t' || *self->p == '\r' || *self->p == '\n'))
    self->p++;
}

static gboolean
take (Check *self, char c)
{
  if (self->p == self->end || *self->p != c)
    return FALSE;
  self->p++;
  return TRUE;
}

static gboolean
take_escape (Check *self)
{
  guint i;

  if (self->p == self->end)
    return FALSE;
  if (*self->p++ != 'u')
    return self->p[-1] != '\0' && strchr ("\"\\/bfnrt", self->p[-1]) != NULL;
  for (i = 0; i < 4; i++)
    if (self->p == self->end || !g_ascii_isxdigit (*self->p++))
      return FALSE;
  return TRUE;
}

static gboolean
take_string (Check *self)
{
  if (!take (self, '"'))
    return FALSE;
  while (self->p < self->end)
    {
      char c = *self->p++;

      if (c == '"')
        return TRUE;
      if ((guchar) c < 0x20 || (c == '\\' && !take_escape (self)))
        return FALSE;
    }
  return FALSE;
}

static gboolean
take_digits (Check *self)
{
  const char *begin = self->p;

  while (self->p < self->end && g_ascii_isdigit (*self->p))
    self->p++;
  return self->p > begin;
}

static gboolean
take_number (Check *self)
{
  take (self, '-');
  if (!take (self, '0') && !take_digits (self))
    return FALSE;
  if (take (self, '.') && !take_digits (self))
    return FALSE;
  if (!take (self, 'e') && !take (self, 'E'))
    return TRUE;
  if (!take (self, '+'))
    take (self, '-');
  return take_digits (self);
}

static gboolean
take_word (Check *self)
{
  static const char *const words[] = { "true", "false", "null" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize n = strlen (words[i]);

      if ((gsize) (self->end - self->p) >= n && memcmp (self->p, words[i], n) == 0)
        {
          self->p += n;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
take_name (Check *self)
{
  skip_space (self);
  if (!take_string (self))
    return FALSE;
  skip_space (self);
  return take (self, ':');
}

/* Reads a scalar or an empty container (sets @is_whole), or the start of a container up to its
 * first value. */
static gboolean
take_value (Check *self, gboolean *is_whole)
{
  gboolean is_object;

  *is_whole = TRUE;
  skip_space (self);
  if (self->p == self->end)
    return FALSE;
  if (*self->p == '"')
    return take_string (self);
  if (*self->p == '-' || g_ascii_isdigit (*self->p))
    return take_number (self);
  if (*self->p != '{' && *self->p != '[')
    return take_word (self);
  if (self->depth == NS_JSON_MAX_DEPTH)
    return FALSE;
  is_object = *self->p++ == '{';
  skip_space (self);
  if (take (self, is_object ? '}' : ']'))
    return TRUE;
  self->closers[self->depth++] = is_object ? '}' : ']';
  *is_whole = FALSE;
  return !is_object || take_name (self);
}

/* Reads the separators and closing brackets after a value; @has_next: another value follows. */
static gboolean
take_behind (Check *self, gboolean *has_next)
{
  char closer;

  *has_next = FALSE;
  for (;;)
    {
      skip_space (self);
      if (self->depth == 0)
        return self->p == self->end;
      closer = self->closers[self->depth - 1];
      if (take (self, closer))
        {
          self->depth--;
          continue;
        }
      *has_next = TRUE;
      return take (self, ',') && (closer == ']' || take_name (self));
    }
}

/**
 * ns_json_check:
 * @text: an untrusted text
 * @size: its length in bytes
 *
 * Every text accepted here is parsed correctly by ns_json_doc_parse(), unless it has too many
 * tokens. Takes linear time; the maximum depth is %NS_JSON_MAX_DEPTH.
 *
 * Returns: whether it is one JSON value as defined by RFC 8259, in valid UTF-8
 */
gboolean
ns_json_check (const char *text, gsize size)
{
  Check self = { .p = text, .end = text + size };
  gboolean is_whole;
  gboolean has_next;

  if (!g_utf8_validate_len (text, size, NULL))
    return FALSE;
  do
    {
      has_next = TRUE;
      if (!take_value (&self, &is_whole) || (is_whole && !take_behind (&self, &has_next)))
        return FALSE;
    }
  while (has_next);
  return TRUE;
}

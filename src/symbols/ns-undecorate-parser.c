/* Demangling of C++ names: letters, numbers, identifiers and back-references.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-undecorate-private.h"

#include <string.h>

/**
 * ns_msvc_fail:
 * @self: a parser
 *
 * Marks the name as not understood.
 *
 * Returns: an empty string
 */
const char *
ns_msvc_fail (NsMsvcParser *self)
{
  self->has_failed = TRUE;
  return "";
}

/**
 * ns_msvc_join:
 * @self: a parser
 * @...: strings, then %NULL
 *
 * Returns: the concatenated strings, valid as long as the parser
 */
const char *
ns_msvc_join (NsMsvcParser *self, ...)
{
  va_list arguments;
  const char *part;
  gsize n_bytes = 0;
  char *joined;
  char *to;

  va_start (arguments, self);
  while ((part = va_arg (arguments, const char *)) != NULL)
    n_bytes += strlen (part);
  va_end (arguments);
  self->n_used += n_bytes + 1;
  if (self->has_failed || n_bytes > NS_UNDECORATE_MAX_NAME ||
      self->n_used > NS_UNDECORATE_MAX_MEMORY)
    return ns_msvc_fail (self);

  joined = ns_arena_alloc (self->arena, n_bytes + 1);
  to = joined;
  va_start (arguments, self);
  while ((part = va_arg (arguments, const char *)) != NULL)
    to = g_stpcpy (to, part);
  va_end (arguments);
  return joined;
}

/**
 * ns_msvc_take:
 * @self: a parser
 * @text: expected letters
 *
 * Skips @text if it comes next.
 *
 * Returns: whether it did
 */
gboolean
ns_msvc_take (NsMsvcParser *self, const char *text)
{
  gsize n_text = strlen (text);

  if ((gsize) (self->end - self->at) < n_text || memcmp (self->at, text, n_text) != 0)
    return FALSE;
  self->at += n_text;
  return TRUE;
}

/**
 * ns_msvc_peek:
 * @self: a parser
 *
 * Returns: the next letter, not consumed; 0 at the end
 */
char
ns_msvc_peek (const NsMsvcParser *self)
{
  return self->at < self->end ? *self->at : '\0';
}

/**
 * ns_msvc_next:
 * @self: a parser
 *
 * Returns: the next letter, consumed; 0 at the end, which marks the name as not understood
 */
char
ns_msvc_next (NsMsvcParser *self)
{
  if (self->at < self->end)
    return *self->at++;
  self->has_failed = TRUE;
  return '\0';
}

/**
 * ns_msvc_number:
 * @self: a parser
 *
 * Parses an encoded number.
 *
 * Returns: the number in decimal
 */
const char *
ns_msvc_number (NsMsvcParser *self)
{
  const char *sign = ns_msvc_take (self, "?") ? "-" : "";
  char c = ns_msvc_next (self);
  guint64 value = 0;
  char digits[24];

  if (g_ascii_isdigit (c))
    value = (guint64) (c - '0') + 1;
  else
    {
      for (guint i = 0; c >= 'A' && c <= 'P' && i < 16; i++)
        {
          value = value << 4 | (guint64) (c - 'A');
          c = ns_msvc_next (self);
        }
      if (c != '@')
        return ns_msvc_fail (self);
    }
  g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, value);
  return ns_msvc_join (self, value != 0 ? sign : "", digits, NULL);
}

/**
 * ns_msvc_qualifiers:
 * @self: a parser
 * @is_member: (out): whether they are of a member, whose class follows
 *
 * Parses const and volatile qualifiers.
 *
 * Returns: text to append to the type
 */
const char *
ns_msvc_qualifiers (NsMsvcParser *self, gboolean *is_member)
{
  static const char *const texts[] = { "", " const", " volatile", " const volatile" };
  char c = ns_msvc_next (self);

  *is_member = c >= 'Q' && c <= 'T';
  if (c >= 'A' && c <= 'D')
    return texts[c - 'A'];
  return *is_member ? texts[c - 'Q'] : ns_msvc_fail (self);
}

/**
 * ns_msvc_remember:
 * @self: a parser
 * @name: a name that can be back-referenced by a digit
 */
void
ns_msvc_remember (NsMsvcParser *self, const char *name)
{
  NsMsvcReferences *references = &self->references;

  for (guint i = 0; i < references->n_names; i++)
    if (strcmp (references->names[i], name) == 0)
      return;
  if (references->n_names < NS_MSVC_MAX_REFERENCES)
    references->names[references->n_names++] = name;
}

/**
 * ns_msvc_identifier:
 * @self: a parser
 * @is_remembered: whether it can be back-referenced
 *
 * Parses an identifier, which ends at `@`.
 *
 * Returns: the identifier
 */
const char *
ns_msvc_identifier (NsMsvcParser *self, gboolean is_remembered)
{
  const char *at = memchr (self->at, '@', (gsize) (self->end - self->at));
  const char *name;

  if (at == NULL || at == self->at)
    return ns_msvc_fail (self);
  self->n_used += (gsize) (at - self->at) + 1;
  if (self->n_used > NS_UNDECORATE_MAX_MEMORY)
    return ns_msvc_fail (self);
  name = ns_arena_strndup (self->arena, self->at, (gsize) (at - self->at));
  self->at = at + 1;
  if (is_remembered)
    ns_msvc_remember (self, name);
  return name;
}

/**
 * ns_msvc_reference:
 * @self: a parser
 *
 * Parses a back-reference, one digit.
 *
 * Returns: the referenced name
 */
const char *
ns_msvc_reference (NsMsvcParser *self)
{
  guint i = (guint) (ns_msvc_next (self) - '0');

  return i < self->references.n_names ? self->references.names[i] : ns_msvc_fail (self);
}

/**
 * ns_msvc_skip_numbers:
 * @self: a parser
 * @n_numbers: number of encoded numbers to skip
 */
void
ns_msvc_skip_numbers (NsMsvcParser *self, guint n_numbers)
{
  for (guint i = 0; i < n_numbers; i++)
    ns_msvc_number (self);
}

/**
 * ns_msvc_skip_widths:
 * @self: a parser
 *
 * Skips pointer size and alignment modifiers, which are not written.
 */
void
ns_msvc_skip_widths (NsMsvcParser *self)
{
  while (ns_msvc_peek (self) == 'E' || ns_msvc_peek (self) == 'I' || ns_msvc_peek (self) == 'F')
    ns_msvc_next (self);
}

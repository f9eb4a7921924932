/* Helper functions of the secret finders: names, quotes, and the ends of words, headers and lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/**
 * ns_secret_finder_add:
 * @self: a finder
 * @begin: start of a secret
 * @end: end of it, exclusive
 *
 * Adds a range. Ranges are added in order; a part that overlaps the last range is dropped.
 */
void
ns_secret_finder_add (NsSecretFinder *self, gsize begin, gsize end)
{
  NsSecretRange range = { begin, MIN (end, self->size) };
  GArray *ranges = self->ranges;

  if (ranges != NULL && ranges->len > 0)
    range.begin = MAX (begin, g_array_index (ranges, NsSecretRange, ranges->len - 1).end);
  if (range.end <= range.begin)
    return;
  if (ranges == NULL)
    self->ranges = g_array_new (FALSE, FALSE, sizeof (NsSecretRange));
  g_array_append_val (self->ranges, range);
}

gsize
ns_secret_finder_skip_blanks (const NsSecretFinder *self, gsize at)
{
  while (at < self->size && ns_secret_is_blank (self->text[at]))
    at++;
  return at;
}

gsize
ns_secret_finder_get_line_end (const NsSecretFinder *self, gsize at)
{
  while (at < self->size && self->text[at] != '\r' && self->text[at] != '\n' &&
         self->text[at] != '\0')
    at++;
  return at;
}

/**
 * ns_secret_finder_get_quote:
 * @self: a finder
 * @at: a position
 *
 * Returns: the length of the quote there, including the backslashes before a quote inside a quoted
 *   text; 0 if there is none
 */
gsize
ns_secret_finder_get_quote (const NsSecretFinder *self, gsize at)
{
  gsize n = 0;

  while (n < NS_SECRETS_MAX_BACKSLASHES && ns_secret_finder_get (self, at + n) == '\\')
    n++;
  return ns_secret_finder_get (self, at + n) == '"' ||
                 (n == 0 && ns_secret_finder_get (self, at) == '\'')
             ? n + 1
             : 0;
}

/**
 * ns_secret_finder_find_closing:
 * @self: a finder
 * @at: start of a quoted text
 * @n_quote: length of the quote before it
 * @limit: where to stop
 *
 * Returns: the position of the closing quote or of the end of the line; @limit if neither is before
 *   it
 */
gsize
ns_secret_finder_find_closing (const NsSecretFinder *self, gsize at, gsize n_quote, gsize limit)
{
  char quote = self->text[at - 1];

  while (at < limit && self->text[at] != '\n')
    {
      gsize n = 0;

      while (ns_secret_finder_get (self, at + n) == '\\')
        n++;
      /* Pairs of backslashes are text, at each nesting depth. */
      if (ns_secret_finder_get (self, at + n) == quote && n % (2 * n_quote) == n_quote - 1)
        return at + n + 1 - n_quote;
      at += n + 1;
    }
  return MIN (at, limit);
}

/**
 * ns_secret_finder_get_name_limit:
 * @self: a finder
 * @at: start of a name
 *
 * Returns: where to stop searching for its end
 */
gsize
ns_secret_finder_get_name_limit (const NsSecretFinder *self, gsize at)
{
  return MIN (self->size, at + NS_SECRET_NAMES_MAX_NAME + 1);
}

/**
 * ns_secret_finder_add_word:
 * @self: a finder
 * @at: start of a value
 * @enders: characters that end an unquoted value, besides the end of the line
 *
 * Adds a value, quoted or not.
 *
 * Returns: the end of the value, or @at if it is empty
 */
gsize
ns_secret_finder_add_word (NsSecretFinder *self, gsize at, const char *enders)
{
  gsize n_quote = ns_secret_finder_get_quote (self, at);
  gsize begin = at + n_quote;
  gsize end = begin;

  if (n_quote > 0)
    end = ns_secret_finder_find_closing (self, begin, n_quote, self->size);
  else
    while (end < self->size && self->text[end] != '\0' && self->text[end] != '\r' &&
           self->text[end] != '\n' && strchr (enders, self->text[end]) == NULL)
      end++;
  ns_secret_finder_add (self, begin, end);
  return end > begin ? end : at;
}

/* Returns whether there are two hexadecimal digits at @at. */
gboolean
ns_secret_finder_has_hex (const NsSecretFinder *self, gsize at)
{
  return g_ascii_isxdigit (ns_secret_finder_get (self, at)) &&
         g_ascii_isxdigit (ns_secret_finder_get (self, at + 1));
}

/* Skips the letter of an escape such as `\n`, and the digits of `%26`, `%2526` and `\u0026`, which
 * are not part of a name. */
static gsize
skip_escape (const NsSecretFinder *self, gsize begin, gsize end)
{
  char before = begin > 0 ? self->text[begin - 1] : '\0';

  if (begin >= end)
    return begin;
  if (before == '\\' && self->text[begin] == 'u' && end - begin > 5 &&
      ns_secret_finder_has_hex (self, begin + 1) && ns_secret_finder_has_hex (self, begin + 3))
    return begin + 5;
  if (before == '\\' && strchr ("nrt", self->text[begin]) != NULL)
    return begin + 1;
  if (before != '%')
    return begin;
  while (end - begin > 4 && ns_secret_finder_begins_with (self, begin, "25") &&
         ns_secret_finder_has_hex (self, begin + 2))
    begin += 2;
  return end - begin > 2 && ns_secret_finder_has_hex (self, begin) ? begin + 2 : begin;
}

/**
 * ns_secret_finder_find_name:
 * @self: a finder
 * @at: end of a name
 *
 * Returns: the start of the name, or @at if there is none; stops at the maximum length of a name
 */
gsize
ns_secret_finder_find_name (const NsSecretFinder *self, gsize at)
{
  gsize begin = at;

  while (begin > 0 && at - begin <= NS_SECRET_NAMES_MAX_NAME &&
         ns_secret_is_name_char (self->text[begin - 1]))
    begin--;
  return skip_escape (self, begin, at);
}

/**
 * ns_secret_finder_add_header:
 * @self: a finder
 * @at: start of the value of a header
 * @n_quote: length of the quotes around the header, or 0
 * @quote: the quote character
 *
 * Adds the value to the end of its line or of the quoted text; lines that begin with a space
 * continue it (RFC 9112, 5.2).
 *
 * Returns: the end of the value
 */
gsize
ns_secret_finder_add_header (NsSecretFinder *self, gsize at, gsize n_quote, char quote)
{
  gsize end;

  for (;;)
    {
      gsize begin = ns_secret_finder_skip_blanks (self, at);

      for (end = begin; end < self->size; end++)
        {
          char c = self->text[end];

          if (c == '\r' || c == '\n' || c == '\0')
            break;
          if (c == '\\' && (ns_secret_finder_begins_with (self, end, "\\r") ||
                            ns_secret_finder_begins_with (self, end, "\\n")))
            break;
          if (n_quote > 0 && c == quote && ns_secret_finder_get (self, end - 1) != '\\')
            break;
          if (n_quote > 1 && ns_secret_finder_get_quote (self, end) == n_quote)
            break;
        }
      ns_secret_finder_add (self, begin, end);
      at = end;
      if (ns_secret_finder_get (self, at) == '\r')
        at++;
      if (ns_secret_finder_get (self, at) != '\n' ||
          !ns_secret_is_blank (ns_secret_finder_get (self, at + 1)))
        return end;
      at++;
    }
}

/**
 * ns_secret_finder_skip_scheme:
 * @self: a finder
 * @at: start of the value of `WWW-Authenticate`
 *
 * Returns: the start of the token after `Negotiate` or a similar scheme, or 0 if there is none
 */
gsize
ns_secret_finder_skip_scheme (const NsSecretFinder *self, gsize at)
{
  static const char *const schemes[] = { "negotiate", "ntlm", "kerberos", "passport" };
  guint i;

  at = ns_secret_finder_skip_blanks (self, at);
  for (i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (ns_secret_finder_begins_with (self, at, schemes[i]) &&
        ns_secret_is_blank (ns_secret_finder_get (self, at + strlen (schemes[i]))))
      return at + strlen (schemes[i]) + 1;
  return 0;
}

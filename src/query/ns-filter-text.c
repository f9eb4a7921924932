/* Text matching for filters: substrings and wildcards.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-text.h"

#include <string.h>

/* Inline equivalent of g_ascii_tolower(). */
static inline char
to_lower (char c)
{
  return c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c;
}

static gboolean
is_ascii (const char *text)
{
  for (; *text != '\0'; text++)
    if ((guchar) *text >= 0x80)
      return FALSE;
  return TRUE;
}

static gboolean
begins_with (const char *text, const char *part)
{
  for (; *part != '\0' && to_lower (*text) == to_lower (*part); part++)
    text++;
  return *part == '\0';
}

/**
 * ns_filter_text_find: (skip)
 * @text: a text
 * @part: an ASCII text
 *
 * Returns: (nullable): the first occurrence of @part in @text, in any case
 */
const char *
ns_filter_text_find (const char *text, const char *part)
{
  char first = to_lower (*part);

  if (*part == '\0')
    return text;
  if (!g_ascii_isalpha (first))
    {
      while ((text = strchr (text, first)) != NULL && !begins_with (text, part))
        text++;
      return text;
    }
  for (; *text != '\0'; text++)
    if (to_lower (*text) == first && begins_with (text, part))
      return text;
  return NULL;
}

/**
 * ns_filter_text_contains: (skip)
 * @text: a text
 * @part: a text
 *
 * Returns: %TRUE if @text contains @part, in any case
 */
gboolean
ns_filter_text_contains (const char *text, const char *part)
{
  if (!is_ascii (part))
    {
      g_autofree char *folded_text = g_utf8_casefold (text, -1);
      g_autofree char *folded_part = g_utf8_casefold (part, -1);

      return strstr (folded_text, folded_part) != NULL;
    }
  return ns_filter_text_find (text, part) != NULL;
}

/**
 * ns_filter_text_is_like: (skip)
 * @text: a text
 * @pattern: a text with `*` for any characters and `?` for one
 *
 * Backtracks to the last star only, so the time is at most the product of the lengths.
 *
 * Returns: %TRUE if @pattern matches all of @text; the case of ASCII letters is ignored
 */
gboolean
ns_filter_text_is_like (const char *text, const char *pattern)
{
  const char *star = NULL;
  const char *resume = NULL;

  while (*text != '\0')
    {
      if (*pattern == '*')
        {
          star = ++pattern;
          resume = text;
        }
      else if (*pattern == '?')
        {
          pattern++;
          text = g_utf8_next_char (text);
        }
      else if (to_lower (*pattern) == to_lower (*text))
        {
          pattern++;
          text++;
        }
      else if (star != NULL)
        {
          pattern = star;
          text = resume = g_utf8_next_char (resume);
        }
      else
        return FALSE;
    }
  while (*pattern == '*')
    pattern++;
  return *pattern == '\0';
}

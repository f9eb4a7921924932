/* Appends elements of Tcl lists to a text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-tcl.h"

#include "base/ns-exact.h"

#include <string.h>

typedef enum
{
  QUOTE_NONE,
  QUOTE_BRACES,
  QUOTE_BACKSLASHES,
} Quote;

/* Reads one character of an exact text and its length in bytes. */
static gunichar
get_char (const char *p, gsize left, gsize *n_bytes)
{
  gunichar surrogate;

  *n_bytes = 1;
  if ((guchar) *p < 0x80)
    return (guchar) *p;
  surrogate = ns_exact_get_surrogate (p, left);
  *n_bytes = surrogate != 0 ? 3 : (gsize) (g_utf8_next_char (p) - p);
  return surrogate != 0 ? surrogate : g_utf8_get_char (p);
}

/* Returns whether the character affects lines or terminals, or is not allowed in UTF-8. */
static gboolean
is_unprintable (gunichar c)
{
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029 ||
         (c >= 0xd800 && c < 0xe000);
}

static Quote
choose_quote (const char *text, gsize size)
{
  gboolean is_special = size > 0 && *text == '"';
  gboolean fits_braces = TRUE;
  gsize n_bytes;
  gint depth = 0;
  gsize i;

  if (size == 0)
    return QUOTE_BRACES;
  for (i = 0; i < size; i += n_bytes)
    {
      gunichar c = get_char (text + i, size - i, &n_bytes);

      if (is_unprintable (c))
        return QUOTE_BACKSLASHES;
      if (c != ' ' && c != '\\' && c != '{' && c != '}')
        continue;
      is_special = TRUE;
      depth += (c == '{') - (c == '}');
      if (depth < 0 || (c == '\\' && (i + 1 == size || text[i + 1] == '{' || text[i + 1] == '}')))
        fits_braces = FALSE;
    }
  if (!is_special)
    return QUOTE_NONE;
  return fits_braces && depth == 0 ? QUOTE_BRACES : QUOTE_BACKSLASHES;
}

static void
append_escaped (GString *text, const char *plain, gsize size)
{
  gsize n_bytes;
  gsize i;

  for (i = 0; i < size; i += n_bytes)
    {
      gunichar c = get_char (plain + i, size - i, &n_bytes);

      if (c == '\n')
        g_string_append (text, "\\n");
      else if (c == '\r')
        g_string_append (text, "\\r");
      else if (c == '\t')
        g_string_append (text, "\\t");
      else if (is_unprintable (c))
        g_string_append_printf (text, "\\u%04x", c);
      else if (c == ' ' || c == '\\' || c == '{' || c == '}' || c == '"')
        g_string_append_printf (text, "\\%c", (char) c);
      else
        g_string_append_len (text, plain + i, (gssize) n_bytes);
    }
}

/**
 * ns_tcl_quote_tail:
 * @text: a text
 * @begin: offset of an exact text (see ns-exact.c), which extends to the end
 *
 * Quotes the tail as an element of a Tcl list: with braces if it is empty or contains spaces or
 * backslashes, with backslashes if braces are not possible. The result is valid UTF-8 without
 * control characters and line breaks.
 */
void
ns_tcl_quote_tail (GString *text, gsize begin)
{
  gsize size = text->len - begin;
  g_autofree char *copy = NULL;

  switch (choose_quote (text->str + begin, size))
    {
    case QUOTE_BRACES:
      g_string_insert_c (text, (gssize) begin, '{');
      g_string_append_c (text, '}');
      break;
    case QUOTE_BACKSLASHES:
      copy = g_memdup2 (text->str + begin, size);
      g_string_truncate (text, begin);
      append_escaped (text, copy, size);
      break;
    case QUOTE_NONE:
    default:
      break;
    }
}

/* Writing JSON text into a string.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json.h"

#include "base/ns-exact.h"

#include <string.h>

/* The lead byte of surrogates is that of some letters, too. */
static gboolean
is_plain (char c)
{
  return (guchar) c >= 0x20 && c != '"' && c != '\\' && c != 0x7f && (guchar) c != 0xed;
}

/* Returns: how many bytes were written */
static gsize
append_surrogate (GString *json, const char *text, gsize left)
{
  gunichar surrogate = ns_exact_get_surrogate (text, left);

  if (surrogate != 0)
    {
      g_string_append_printf (json, "\\u%04x", surrogate);
      return 3;
    }
  g_string_append_c (json, *text);
  return 1;
}

static void
append_escaped (GString *json, const char *text, gsize n_bytes)
{
  gsize i = 0;

  while (i < n_bytes)
    {
      gsize run = i;

      while (run < n_bytes && is_plain (text[run]))
        run++;
      g_string_append_len (json, text + i, (gssize) (run - i));
      if (run == n_bytes)
        return;
      switch (text[run])
        {
        case '"':
          g_string_append (json, "\\\"");
          break;
        case '\\':
          g_string_append (json, "\\\\");
          break;
        case '\n':
          g_string_append (json, "\\n");
          break;
        case '\r':
          g_string_append (json, "\\r");
          break;
        case '\t':
          g_string_append (json, "\\t");
          break;
        case '\xed':
          run += append_surrogate (json, text + run, n_bytes - run) - 1;
          break;
        default:
          g_string_append_printf (json, "\\u%04x", (guchar) text[run]);
          break;
        }
      i = run + 1;
    }
}

/**
 * ns_json_append_string:
 * @json: JSON text so far
 * @text: (nullable): valid UTF-8; %NULL is written as `null`
 *
 * Appends a string with its quotes.
 */
void
ns_json_append_string (GString *json, const char *text)
{
  if (text == NULL)
    {
      g_string_append (json, "null");
      return;
    }
  g_string_append_c (json, '"');
  append_escaped (json, text, strlen (text));
  g_string_append_c (json, '"');
}

/**
 * ns_json_quote_tail:
 * @json: JSON text whose end is the raw text of a value
 * @begin: where that raw text begins
 *
 * Makes the tail a string: quotes around it, what needs it escaped. So a value can be written
 * straight into the output and costs a copy only when it has something to escape.
 */
void
ns_json_quote_tail (GString *json, gsize begin)
{
  gsize i;

  for (i = begin; i < json->len; i++)
    if (!is_plain (json->str[i]))
      break;
  if (i < json->len)
    {
      gsize n_bytes = json->len - i;
      g_autofree char *copy = g_memdup2 (json->str + i, n_bytes);

      g_string_truncate (json, i);
      append_escaped (json, copy, n_bytes);
    }
  g_string_insert_c (json, (gssize) begin, '"');
  g_string_append_c (json, '"');
}

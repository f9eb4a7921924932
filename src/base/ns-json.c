/* Appends JSON strings to a text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json.h"

#include "base/ns-exact.h"

#include <string.h>

/* 0xed is the lead byte of surrogates, and also of some letters. */
static gboolean
is_plain (char c)
{
  return (guchar) c >= 0x20 && c != '"' && c != '\\' && c != 0x7f && (guchar) c != 0xed;
}

/* Appends an escaped surrogate, or one byte if there is none; returns the number of bytes read. */
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

#define ALL_BYTES(byte) (G_GUINT64_CONSTANT (0x0101010101010101) * (byte))

/* Returns whether eight bytes need no escape; may return FALSE for bytes that need none. */
static gboolean
are_plain (const char *text)
{
  guint64 word;
  guint64 quote;
  guint64 backslash;
  guint64 rubout;
  guint64 surrogate;
  guint64 found;

  memcpy (&word, text, sizeof word);
  quote = word ^ ALL_BYTES ('"');
  backslash = word ^ ALL_BYTES ('\\');
  rubout = word ^ ALL_BYTES (0x7f);
  surrogate = word ^ ALL_BYTES (0xed); /* lead byte of a surrogate */
  /* Subtracting 1 from a byte sets its highest bit if the byte was 0; likewise 0x20 for bytes below
   * 0x20. */
  found = (word - ALL_BYTES (0x20)) & ~word;
  found |= (quote - ALL_BYTES (1)) & ~quote;
  found |= (backslash - ALL_BYTES (1)) & ~backslash;
  found |= (rubout - ALL_BYTES (1)) & ~rubout;
  found |= (surrogate - ALL_BYTES (1)) & ~surrogate;
  return (found & ALL_BYTES (0x80)) == 0;
}

static void
append_escaped (GString *json, const char *text, gsize n_bytes)
{
  gsize i = 0;

  while (i < n_bytes)
    {
      gsize run = i;

      while (run + 8 <= n_bytes && are_plain (text + run))
        run += 8;
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
 * @json: JSON text that ends with the raw text of a value
 * @begin: offset of the raw text
 *
 * Converts the tail to a JSON string. This way a value is written straight into the output, and
 * copied only if it needs escapes.
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

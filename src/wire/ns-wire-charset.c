/* Bytes of a body as text: which characters they are.
 *
 * A mark at the beginning counts most, then what the sender said of the body, then what the body
 * says of itself, then what the bytes look like.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-charset.h"

#include <errno.h>
#include <string.h>

/* A name of characters is not longer. */
#define MAX_NAME 40
/* Where a page or a document says which characters it has. */
#define LOOK_BYTES 1024
#define STEP 4096
#define REPLACEMENT "\xef\xbf\xbd"

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.' || c == ':';
}

/* The word behind `charset=` or `encoding=`, with or without quotes; @text has a NUL. */
static char *
dup_word_behind (const char *text, const char *key)
{
  g_autofree char *low = g_ascii_strdown (text, -1);
  const char *found = strstr (low, key);
  gsize begin;
  gsize n = 0;

  if (found == NULL)
    return NULL;
  begin = (gsize) (found - low) + strlen (key);
  while (text[begin] == ' ' || text[begin] == '"' || text[begin] == '\'')
    begin++;
  while (is_name_char (text[begin + n]) && n < MAX_NAME)
    n++;
  return n > 0 ? g_strndup (text + begin, n) : NULL;
}

static const char *
find_mark (const guint8 *data, gsize size, gsize *n_mark)
{
  *n_mark = 2;
  if (size >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0)
    {
      *n_mark = 3;
      return "UTF-8";
    }
  if (size >= 2 && memcmp (data, "\xff\xfe", 2) == 0)
    return "UTF-16LE";
  if (size >= 2 && memcmp (data, "\xfe\xff", 2) == 0)
    return "UTF-16BE";
  *n_mark = 0;
  return NULL;
}

/* Text of Latin letters has a zero in every other byte. */
static const char *
guess_utf16 (const guint8 *data, gsize size)
{
  gsize n_zeros[2] = { 0, 0 };
  gsize n_units = MIN (size, LOOK_BYTES) / 2;
  gsize i;

  for (i = 0; i < 2 * n_units; i++)
    n_zeros[i % 2] += data[i] == 0;
  if (n_units >= 2 && n_zeros[1] * 2 > n_units && n_zeros[0] * 8 < n_units)
    return "UTF-16LE";
  if (n_units >= 2 && n_zeros[0] * 2 > n_units && n_zeros[1] * 8 < n_units)
    return "UTF-16BE";
  return NULL;
}

/* Valid but for a character that the end cuts. */
static gboolean
is_utf8 (const guint8 *data, gsize size)
{
  const char *end;

  if (g_utf8_validate_len ((const char *) data, size, &end))
    return TRUE;
  return size - (gsize) (end - (const char *) data) < 4 &&
         g_utf8_get_char_validated (end, (gssize) (size - (gsize) (end - (const char *) data))) ==
             (gunichar) -2;
}

/* Control characters that no text has. */
static gboolean
has_controls (const guint8 *data, gsize size)
{
  gsize i;

  for (i = 0; i < size; i++)
    if ((data[i] < 0x20 && (data[i] < '\t' || data[i] > '\r') && data[i] != 0x1b) ||
        data[i] == 0x7f)
      return TRUE;
  return FALSE;
}

static gboolean
is_text_type (const char *content_type)
{
  g_autofree char *low = content_type != NULL ? g_ascii_strdown (content_type, -1) : NULL;

  return low != NULL && (g_str_has_prefix (low, "text/") || strstr (low, "json") != NULL ||
                         strstr (low, "xml") != NULL || strstr (low, "javascript") != NULL ||
                         strstr (low, "x-www-form-urlencoded") != NULL);
}

static char *
guess (const guint8 *data, gsize size, const char *content_type)
{
  g_autofree char *start = g_strndup ((const char *) data, MIN (size, LOOK_BYTES));
  g_autofree char *named = NULL;
  const char *utf16 = guess_utf16 (data, size);

  if (utf16 != NULL)
    return g_strdup (utf16);
  if (strncmp (start, "<?xml", 5) == 0)
    named = dup_word_behind (start, "encoding=");
  else if (strchr (start, '<') != NULL)
    named = dup_word_behind (start, "charset=");
  /* Who reads that cannot have two bytes for each of its letters. */
  if (named != NULL)
    return g_ascii_strncasecmp (named, "utf-16", 6) == 0 ? g_strdup ("UTF-8")
                                                         : g_steal_pointer (&named);
  if (has_controls (data, size))
    return NULL;
  if (is_utf8 (data, size))
    return g_strdup ("UTF-8");
  /* Anything at all is valid then, so that only what calls itself text is believed. */
  return is_text_type (content_type) ? g_strdup ("windows-1252") : NULL;
}

/* One step of the conversion; what means nothing becomes a replacement. */
static gboolean
convert_step (GIConv converter, char **in, gsize *n_in, GString *text)
{
  char step[STEP];
  char *out = step;
  gsize n_out = sizeof step;
  gsize status = g_iconv (converter, in, n_in, &out, &n_out);
  int why = errno;

  g_string_append_len (text, step, (gssize) (sizeof step - n_out));
  if (status != (gsize) -1)
    return FALSE;
  if (why == E2BIG)
    return TRUE;
  g_string_append (text, REPLACEMENT);
  if (why != EILSEQ || *n_in == 0)
    return FALSE;
  (*in)++;
  (*n_in)--;
  return TRUE;
}

/* No text has a NUL, but hostile bytes do: it would end ours. */
static void
show_nuls (GString *text)
{
  gsize i;

  for (i = 0; i < text->len; i++)
    if (text->str[i] == '\0')
      text->str[i] = ' ';
}

static char *
convert (const guint8 *data, gsize size, const char *charset)
{
  GIConv converter = g_iconv_open ("UTF-8", charset);
  GString *text;
  char *in = (char *) data;

  if (converter == (GIConv) -1)
    return NULL;
  text = g_string_sized_new (size + size / 4);
  while (size > 0 && convert_step (converter, &in, &size, text))
    ;
  g_iconv_close (converter);
  show_nuls (text);
  /* Converters know characters that are none of ours. */
  if (!g_utf8_validate_len (text->str, text->len, NULL))
    {
      char *valid = g_utf8_make_valid (text->str, (gssize) text->len);

      g_string_free (text, TRUE);
      return valid;
    }
  return g_string_free (text, FALSE);
}

/**
 * ns_wire_charset_to_text:
 * @data: (array length=size) (nullable): a body without its codings
 * @size: how many bytes
 * @content_type: (nullable): what its sender said it is: `text/plain; charset=utf-16`
 * @charset: (out) (transfer full) (nullable): which characters they are
 *
 * Returns: (transfer full) (nullable): the text in UTF-8, blanks for NULs; %NULL when it is none
 */
char *
ns_wire_charset_to_text (const guint8 *data, gsize size, const char *content_type, char **charset)
{
  g_autofree char *said = content_type != NULL ? dup_word_behind (content_type, "charset=") : NULL;
  gsize n_mark;
  const char *mark = find_mark (data, size, &n_mark);
  char *text = NULL;

  *charset = NULL;
  if (size == 0)
    return NULL;
  if (mark != NULL)
    *charset = g_strdup (mark);
  else if (said != NULL)
    *charset = g_steal_pointer (&said);
  if (*charset != NULL)
    text = convert (data + n_mark, size - n_mark, *charset);
  if (text == NULL)
    {
      g_free (*charset);
      *charset = guess (data, size, content_type);
      text = *charset != NULL ? convert (data, size, *charset) : NULL;
    }
  if (text == NULL)
    g_clear_pointer (charset, g_free);
  return text;
}

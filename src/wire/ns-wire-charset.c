/* Converts the bytes of an HTTP body to UTF-8 text.
 *
 * The character set is taken from the byte order mark, else from the charset of Content-Type, else
 * from a declaration in the document, else guessed from the bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-charset.h"

#include <errno.h>
#include <string.h>

/* Longest name of a character set, in bytes. */
#define MAX_NAME 40
/* Bytes searched for a declaration (HTML `charset=`, XML `encoding=`), and for the guess. */
#define LOOK_BYTES 1024
#define STEP 4096
#define REPLACEMENT "\xef\xbf\xbd"

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.' || c == ':';
}

/* Returns the word after @key (`charset=` or `encoding=`), with or without quotes; @text ends in a
 * NUL. */
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

/* Detects UTF-16 without a byte order mark by its zeros: Latin text has one in every other byte. */
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

/* Returns whether the bytes are valid UTF-8, except for a last character cut by the end. */
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

/* Returns whether there are control characters that do not occur in text. */
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
  /* The declaration was readable as ASCII, so the document cannot be UTF-16, whatever it says. */
  if (named != NULL)
    return g_ascii_strncasecmp (named, "utf-16", 6) == 0 ? g_strdup ("UTF-8")
                                                         : g_steal_pointer (&named);
  if (has_controls (data, size))
    return NULL;
  if (is_utf8 (data, size))
    return g_strdup ("UTF-8");
  /* Every byte sequence is valid windows-1252, so it is assumed only for textual content types. */
  return is_text_type (content_type) ? g_strdup ("windows-1252") : NULL;
}

/* Runs one step of the conversion; invalid bytes become a replacement character. */
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

/* Replaces NULs of untrusted bytes by spaces; they would end the C string. */
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
  /* Converters may output code points that GLib does not accept as UTF-8. */
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
 * @data: (array length=size) (nullable): a body, content codings removed
 * @size: number of bytes
 * @content_type: (nullable): value of Content-Type, such as `text/plain; charset=utf-16`
 * @charset: (out) (transfer full) (nullable): name of the character set; %NULL: none found
 *
 * Returns: (transfer full) (nullable): the text in UTF-8 with spaces for NULs; %NULL if it is not
 *   text
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

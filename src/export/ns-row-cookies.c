/* Extracts the names of cookies from headers, without their values, before the headers are masked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-row-cookies.h"

#include <string.h>

#define MAX_NAME_BYTES 128
#define MAX_NAMES_BYTES 4096
/* Maximum number of bytes of headers examined. */
#define MAX_HEAD_BYTES (64 * 1024)

/* Returns whether a text is a cookie name: RFC 6265 requires a token, and other texts may be the
 * value of a cookie without a name. */
static gboolean
is_name (const char *text, gsize n_bytes)
{
  gsize i;

  for (i = 0; i < n_bytes; i++)
    if (!g_ascii_isalnum (text[i]) && strchr ("!#$%&'*+-.^_`|~", text[i]) == NULL)
      return FALSE;
  return n_bytes > 0 && n_bytes <= MAX_NAME_BYTES;
}

/* Adds the name in `NAME=…`. A text without a value may itself be a value that ends with Base64
 * padding. */
static void
add_name (GString *names, const char *part, gsize n_bytes)
{
  const char *equals;
  const char *end;

  while (n_bytes > 0 && g_ascii_isspace (*part))
    {
      part++;
      n_bytes--;
    }
  equals = memchr (part, '=', n_bytes);
  if (equals == NULL || !is_name (part, (gsize) (equals - part)) || names->len > MAX_NAMES_BYTES)
    return;
  for (end = equals; end < part + n_bytes && (*end == '=' || g_ascii_isspace (*end)); end++)
    ;
  if (end == part + n_bytes)
    return;
  g_string_append_len (names, part, equals - part);
  g_string_append_c (names, '\n');
}

/* Adds the cookies of a header line; in Set-Cookie only the first part is the cookie, the others
 * are attributes. */
static void
add_line (GString *names, const char *line, gsize n_bytes)
{
  const char *colon = memchr (line, ':', n_bytes);
  const char *end = line + n_bytes;
  gboolean is_set;
  gsize n_name;

  if (colon == NULL)
    return;
  n_name = (gsize) (colon - line);
  is_set = n_name == strlen ("set-cookie") && g_ascii_strncasecmp (line, "set-cookie", n_name) == 0;
  if (!is_set &&
      !(n_name == strlen ("cookie") && g_ascii_strncasecmp (line, "cookie", n_name) == 0))
    return;
  for (colon++; colon < end; colon++)
    {
      const char *next = memchr (colon, ';', (gsize) (end - colon));

      if (next == NULL)
        next = end;
      add_name (names, colon, (gsize) (next - colon));
      if (is_set)
        return;
      colon = next;
    }
}

/**
 * ns_row_cookies_dup_names: (skip)
 * @data: header lines, not necessarily text
 * @n_bytes: size of @data
 * @is_wide: whether they are UTF-16
 *
 * Returns: (transfer full) (nullable): the names of the cookies in them, each followed by a line
 *   feed; %NULL: none
 */
char *
ns_row_cookies_dup_names (const guint8 *data, gsize n_bytes, gboolean is_wide)
{
  g_autoptr (GString) head = g_string_new (NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  gsize step = is_wide ? 2 : 1;
  const char *line;
  gsize i;

  n_bytes = MIN (n_bytes, MAX_HEAD_BYTES);
  for (i = 0; i < n_bytes; i += step)
    if (is_wide && i + 1 < n_bytes && data[i + 1] != 0)
      g_string_append_c (head, '?');
    else
      g_string_append_c (head, data[i] != 0 ? (char) data[i] : '\n');
  for (line = head->str; *line != '\0'; line += strspn (line, "\r\n"))
    {
      gsize n_line = strcspn (line, "\r\n");

      add_line (names, line, n_line);
      line += n_line;
    }
  return names->len > 0 ? g_string_free (g_steal_pointer (&names), FALSE) : NULL;
}

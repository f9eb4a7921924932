/* Recognizes HTTP/1 messages by their first line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-http.h"

#include <string.h>

#define MAX_LINE 200

/**
 * ns_wire_http_is_message:
 * @data: (array length=size) (nullable): first bytes of a TCP payload
 * @size: number of bytes
 *
 * Returns: %TRUE if they begin like an HTTP/1 request or response
 */
gboolean
ns_wire_http_is_message (const guint8 *data, gsize size)
{
  static const char *const starts[] = { "HTTP/1.",   "GET ",     "POST ",     "HEAD ",    "PUT ",
                                        "DELETE ",   "OPTIONS ", "PATCH ",    "CONNECT ", "TRACE ",
                                        "PROPFIND ", "REPORT ",  "M-SEARCH ", "NOTIFY " };
  guint i;

  for (i = 0; data != NULL && i < G_N_ELEMENTS (starts); i++)
    {
      gsize n = strlen (starts[i]);

      if (size >= n && memcmp (data, starts[i], n) == 0)
        return TRUE;
    }
  return FALSE;
}

/**
 * ns_wire_http_append_first_line:
 * @data: (array length=size) (nullable): bytes of a message
 * @size: number of bytes
 * @text: string to append to
 *
 * Appends the first line, at most 200 bytes of it, as valid UTF-8.
 */
void
ns_wire_http_append_first_line (const guint8 *data, gsize size, GString *text)
{
  g_autofree char *valid = NULL;
  gsize n = 0;

  if (data == NULL)
    return;
  while (n < size && n < MAX_LINE && data[n] != '\r' && data[n] != '\n' && data[n] != 0)
    n++;
  valid = n > 0 ? g_utf8_make_valid ((const char *) data, (gssize) n) : g_strdup ("");
  g_string_append (text, valid);
}

/**
 * ns_wire_http_status_of_line:
 * @line: a status line such as `HTTP/1.1 200 OK`
 *
 * Returns: the three-digit status code; 0 if @line is not a status line
 */
guint
ns_wire_http_status_of_line (const char *line)
{
  const char *p;

  if (g_ascii_strncasecmp (line, "HTTP", 4) != 0)
    return 0;
  p = strchr (line, ' ');
  while (p != NULL && *p == ' ')
    p++;
  if (p == NULL || !g_ascii_isdigit (p[0]) || !g_ascii_isdigit (p[1]) || !g_ascii_isdigit (p[2]) ||
      g_ascii_isdigit (p[3]))
    return 0;
  return (guint) (p[0] - '0') * 100 + (guint) (p[1] - '0') * 10 + (guint) (p[2] - '0');
}

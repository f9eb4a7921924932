/* HTTP headers in the JSON parameters of a netlog event. Chromium logs them as an array of lines,
 * for HTTP/2 and HTTP/3 as well as for HTTP/1, whose request line is a separate member. Chromium
 * itself removes secrets, unless it is configured otherwise.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-netlog-headers.h"

#include "base/ns-json-doc.h"

#include <string.h>

#define STATUS ":status"

static void
append_line (const char *line, GString *text)
{
  gsize length = strlen (line);

  while (length > 0 && (line[length - 1] == '\r' || line[length - 1] == '\n'))
    length--;
  g_string_append_len (text, line, (gssize) length);
  g_string_append (text, "\r\n");
}

static gboolean
is_of_response (const char *line)
{
  return g_ascii_strncasecmp (line, "HTTP/", 5) == 0 ||
         g_ascii_strncasecmp (line, STATUS, strlen (STATUS)) == 0;
}

/**
 * ns_netlog_headers_dup:
 * @params: the parameters of an event
 * @n_bytes: their length; bytes after a NUL are ignored
 * @is_response: (out): whether they are response headers
 *
 * Returns: (transfer full) (nullable): the headers, one per line, in order and with repetitions;
 *   %NULL if there are none
 */
char *
ns_netlog_headers_dup (const char *params, gsize n_bytes, gboolean *is_response)
{
  g_autofree NsJsonDoc *doc = g_new (NsJsonDoc, 1);
  g_autoptr (GString) text = NULL;
  g_autofree char *first = NULL;
  guint headers;
  guint token;

  *is_response = FALSE;
  n_bytes = strnlen (params, n_bytes);
  if (!ns_json_doc_parse (doc, params, n_bytes))
    return NULL;
  headers = ns_json_doc_get (doc, 0, "headers");
  if (headers == NS_JSON_NONE || doc->tokens[headers].type != NS_JSON_ARRAY)
    return NULL;
  text = g_string_new (NULL);
  first = ns_json_doc_dup_string (doc, ns_json_doc_get (doc, 0, "line"));
  if (first != NULL)
    append_line (first, text);
  for (token = ns_json_doc_first (doc, headers); token != NS_JSON_NONE;
       token = ns_json_doc_after (doc, headers, token))
    {
      g_autofree char *line = NULL;

      if (doc->tokens[token].type == NS_JSON_STRING)
        line = ns_json_doc_dup_string (doc, token);
      if (line == NULL)
        continue;
      *is_response |= is_of_response (line);
      append_line (line, text);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

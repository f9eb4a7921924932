/* The server in a URL (RFC 3986, and the variants that occur in traces).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-url.h"

#include "base/ns-secrets.h"

#include <string.h>

/* Host and port of a URL, as pointers into it. */
typedef struct
{
  const char *scheme;
  gsize scheme_length;
  const char *user; /* user and password, as written, without @ */
  gsize user_length;
  const char *host;
  gsize host_length;
  const char *port; /* %NULL: none */
  gsize port_length;
} Parts;

/**
 * ns_url_is_blank:
 * @text: (nullable): a text of a trace
 *
 * Returns: whether it is absent, blank, or the literal `N/A`
 */
gboolean
ns_url_is_blank (const char *text)
{
  if (text == NULL)
    return TRUE;
  while (g_ascii_isspace (*text))
    text++;
  return *text == '\0' || strcmp (text, "N/A") == 0;
}

/* Skips the scheme. `name:` is one only before `//`: in traces, `host:port` has none. */
static const char *
skip_scheme (const char *url, Parts *parts)
{
  const char *p = url;

  if (g_ascii_isalpha (*p))
    while (g_ascii_isalnum (*p) || *p == '+' || *p == '-' || *p == '.')
      p++;
  if (p > url && strncmp (p, "://", 3) == 0)
    {
      parts->scheme = url;
      parts->scheme_length = (gsize) (p - url);
      return p + 3;
    }
  return strncmp (url, "//", 2) == 0 ? url + 2 : url;
}

static void
split (const char *url, Parts *parts)
{
  const char *begin;
  const char *end;
  const char *p;

  memset (parts, 0, sizeof *parts);
  while (g_ascii_isspace (*url))
    url++;
  begin = skip_scheme (url, parts);
  end = begin + strcspn (begin, "/?#\\ \t\r\n");
  for (p = end; p > begin; p--)
    if (p[-1] == '@')
      {
        parts->user = begin;
        parts->user_length = (gsize) (p - 1 - begin);
        begin = p;
        break;
      }

  parts->host = begin;
  if (begin < end && *begin == '[' && (p = memchr (begin, ']', (gsize) (end - begin))) != NULL)
    {
      parts->host = begin + 1;
      parts->host_length = (gsize) (p - begin - 1);
      if (p + 1 < end && p[1] == ':')
        parts->port = p + 2;
    }
  else
    {
      p = memchr (begin, ':', (gsize) (end - begin));
      /* Two colons without brackets: a bare IPv6 address, which has no port. */
      if (p != NULL && memchr (p + 1, ':', (gsize) (end - p - 1)) != NULL)
        p = NULL;
      parts->host_length = (gsize) ((p != NULL ? p : end) - begin);
      parts->port = p != NULL ? p + 1 : NULL;
    }
  parts->port_length = parts->port != NULL ? (gsize) (end - parts->port) : 0;
}

/**
 * ns_url_get_server:
 * @url: (nullable): a URL, `host/path`, `host:port` or a host
 *
 * Returns: (transfer full): the host in lower case, without user, port and brackets; empty if there
 *   is none
 */
char *
ns_url_get_server (const char *url)
{
  Parts parts;

  if (ns_url_is_blank (url))
    return g_strdup ("");
  split (url, &parts);
  return g_ascii_strdown (parts.host, (gssize) parts.host_length);
}

/**
 * ns_url_get_port:
 * @url: (nullable): a URL
 *
 * Returns: its port, else the default port of its scheme, else 0
 */
guint16
ns_url_get_port (const char *url)
{
  static const struct
  {
    const char *scheme;
    guint16 port;
  } defaults[] = { { "https", 443 }, { "http", 80 }, { "wss", 443 }, { "ws", 80 }, { "ftp", 21 } };
  Parts parts;
  guint port = 0;
  gsize i;

  if (ns_url_is_blank (url))
    return 0;
  split (url, &parts);
  for (i = 0; i < parts.port_length && g_ascii_isdigit (parts.port[i]) && port <= G_MAXUINT16; i++)
    port = port * 10 + (guint) (parts.port[i] - '0');
  if (port > 0 && port <= G_MAXUINT16)
    return (guint16) port;

  for (i = 0; i < G_N_ELEMENTS (defaults); i++)
    if (parts.scheme_length == strlen (defaults[i].scheme) &&
        g_ascii_strncasecmp (parts.scheme, defaults[i].scheme, parts.scheme_length) == 0)
      return defaults[i].port;
  return 0;
}

/**
 * ns_url_mask:
 * @trace: a trace
 * @url: one of its texts, a URL
 *
 * Masks possible secrets, unless they are shown: user and password before the @ of a URL, and query
 * arguments.
 *
 * Returns: the URL with dots in their place, or @url itself if there are none
 */
NsString
ns_url_mask (const NsTrace *trace, NsString url)
{
  const char *text = ns_trace_text (trace, url);
  g_autoptr (GString) masked = NULL;
  gboolean has_user = FALSE;
  Parts parts;

  if (url == NS_STRING_NONE || ns_secrets_are_shown (trace->secrets))
    return url;
  if (strstr (text, "//") != NULL && strchr (text, '@') != NULL)
    {
      split (text, &parts);
      has_user = parts.user_length > 0;
    }
  masked = g_string_new (text);
  if (has_user)
    {
      g_string_truncate (masked, (gsize) (parts.user - text));
      g_string_append (masked, NS_SECRETS_MASK);
      g_string_append (masked, parts.user + parts.user_length);
    }
  if (!ns_secrets_mask_tail (trace->secrets, masked, 0) && !has_user)
    return url;
  return ns_strings_add_len (trace->strings, masked->str, masked->len);
}

/**
 * ns_url_hash_bare:
 * @url: (nullable): a URL
 *
 * Returns: a hash of it without its fragment
 */
guint64
ns_url_hash_bare (const char *url)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (; url != NULL && *url != '\0' && *url != '#'; url++)
    hash = (hash ^ (guint8) *url) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

/**
 * ns_url_is_same_bare:
 * @a: (nullable): a URL
 * @b: (nullable): another
 *
 * Returns: whether they are equal without their fragments; %FALSE if empty
 */
gboolean
ns_url_is_same_bare (const char *a, const char *b)
{
  gsize n;

  if (a == NULL || b == NULL)
    return FALSE;
  n = strcspn (a, "#");
  return n > 0 && n == strcspn (b, "#") && memcmp (a, b, n) == 0;
}

/**
 * ns_url_same_server:
 * @a: (nullable): a URL
 * @b: (nullable): another
 *
 * Returns: whether both have the same server; %FALSE if either has none
 */
gboolean
ns_url_same_server (const char *a, const char *b)
{
  Parts left;
  Parts right;

  if (ns_url_is_blank (a) || ns_url_is_blank (b))
    return FALSE;
  split (a, &left);
  split (b, &right);
  return left.host_length > 0 && left.host_length == right.host_length &&
         g_ascii_strncasecmp (left.host, right.host, left.host_length) == 0;
}

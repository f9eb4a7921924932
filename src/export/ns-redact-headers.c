/* Decides which headers are kept in exports without names. Headers may contain anything: a value
 * is kept only if the header and every word of the value are known.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-redact-headers.h"

#include <string.h>

/* Separators of words in a value. */
#define SEPARATORS " \t,;=/*:+\"()"
/* Maximum length of a known word. */
#define MAX_WORD_BYTES 40

/* Headers whose values come from programs, not from people; sorted by strcmp(). */
static const char *const safe_names[] = {
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-ranges",
  "access-control-allow-credentials",
  "access-control-allow-methods",
  "access-control-max-age",
  "age",
  "allow",
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "content-range",
  "content-type",
  "cross-origin-embedder-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "date",
  "dnt",
  "expect",
  "expires",
  "keep-alive",
  "pragma",
  "priority",
  "proxy-connection",
  "range",
  "referrer-policy",
  "retry-after",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
  "sec-fetch-user",
  "strict-transport-security",
  "te",
  "transfer-encoding",
  "upgrade",
  "upgrade-insecure-requests",
  "vary",
  "x-content-type-options",
  "x-xss-protection",
};

/* Further well-known header names, whose values are not kept; sorted by strcmp(). */
static const char *const known_names[] = {
  "accept-language",
  "access-control-allow-headers",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "access-control-request-headers",
  "access-control-request-method",
  "alt-svc",
  "authorization",
  "content-disposition",
  "content-language",
  "content-location",
  "content-md5",
  "content-security-policy",
  "cookie",
  "etag",
  "forwarded",
  "from",
  "host",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "last-modified",
  "link",
  "location",
  "max-forwards",
  "nel",
  "origin",
  "p3p",
  "permissions-policy",
  "proxy-authenticate",
  "proxy-authorization",
  "referer",
  "report-to",
  "request-id",
  "server",
  "server-timing",
  "set-cookie",
  "soapaction",
  "timing-allow-origin",
  "trailer",
  "user-agent",
  "via",
  "warning",
  "www-authenticate",
  "x-cache",
  "x-correlation-id",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-frame-options",
  "x-powered-by",
  "x-request-id",
  "x-requested-with",
};

/* Known words of values: RFC 9110 to 9112, RFC 5861, RFC 6797, Fetch, and common media types. */
static const char words[] =
    " 100-continue accept accept-encoding accept-language accept-ranges apng application apr atom"
    " audio aug authorization avif base64 block bmp boundary br byteranges bytes charset chunked"
    " close compress connect content-type cookie cors credentialless cross-origin cross-site css"
    " dec deflate delete document ecmascript empty event-stream feb font form-data fri friday get"
    " gif gmt gzip h2 h2c head host html http i ico identity image immutable includesubdomains"
    " iso-8859-1 jan javascript jpeg jpg json jul jun keep-alive mar max max-age max-stale may"
    " message min-fresh mixed mode model mon monday mp4 mpeg multipart must-revalidate"
    " must-understand navigate no-cache no-cors no-referrer no-referrer-when-downgrade no-store"
    " no-transform none nosniff nov oct octet-stream off ogg on only-if-cached options origin otf"
    " patch pdf plain png post post-check pre-check preload private proxy-revalidate public put q"
    " require-corp rss s-maxage same-origin same-origin-allow-popups same-site sat saturday"
    " script sep soap stale-if-error stale-while-revalidate strict-origin"
    " strict-origin-when-cross-origin style sun sunday svg text thu thursday timeout trace"
    " trailers ttf tue tuesday u unsafe-none upgrade us-ascii user-agent utc utf-16 utf-8 video"
    " webm webp websocket wed wednesday windows-1252 woff woff2 worker x-compress x-gzip x-icon"
    " x-javascript x-www-form-urlencoded xhtml xml xml-dtd zip zstd ";

static int
compare_names (const void *name, const void *other)
{
  return g_ascii_strcasecmp (name, *(const char *const *) other);
}

static gboolean
is_one_of (const char *name, const char *const *names, gsize n_names)
{
  return bsearch (name, names, n_names, sizeof *names, compare_names) != NULL;
}

/* Returns whether the text consists of digits, with at most one point. */
static gboolean
is_number (const char *text, gsize size)
{
  gsize n = strspn (text, "0123456789");

  if (n > 0 && n < size && text[n] == '.')
    n += 1 + strspn (text + n + 1, "0123456789");
  return n >= size;
}

static gboolean
is_word (const char *text, gsize size)
{
  char word[MAX_WORD_BYTES + 3];
  gsize i;

  if (size > MAX_WORD_BYTES)
    return FALSE;
  word[0] = ' ';
  for (i = 0; i < size; i++)
    word[i + 1] = g_ascii_tolower (text[i]);
  word[size + 1] = ' ';
  word[size + 2] = '\0';
  return strstr (words, word) != NULL;
}

/**
 * ns_redact_headers_keep_name:
 * @name: name of a header
 *
 * Header names may also be personal: they often contain the name of a company.
 *
 * Returns: whether it is a common header name
 */
gboolean
ns_redact_headers_keep_name (const char *name)
{
  return is_one_of (name, safe_names, G_N_ELEMENTS (safe_names)) ||
         is_one_of (name, known_names, G_N_ELEMENTS (known_names));
}

/**
 * ns_redact_headers_keep_value:
 * @name: name of a header
 * @value: its value
 *
 * Returns: whether the value consists of protocol words and numbers only
 */
gboolean
ns_redact_headers_keep_value (const char *name, const char *value)
{
  gsize at;
  gsize size;

  if (!is_one_of (name, safe_names, G_N_ELEMENTS (safe_names)))
    return FALSE;
  for (at = strspn (value, SEPARATORS); value[at] != '\0'; at += strspn (value + at, SEPARATORS))
    {
      size = strcspn (value + at, SEPARATORS);
      if (!is_number (value + at, size) && !is_word (value + at, size))
        return FALSE;
      at += size;
    }
  return TRUE;
}

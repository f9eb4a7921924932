/* Finds names in a text: hosts, addresses, paths and users.
 *
 * Only the syntax is examined. Hosts and users are ordinary words, so each word is also reported;
 * the caller decides by the names of the trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-redact-scan.h"

#include "base/ns-ip.h"

#include <string.h>

/* Characters that end a URL in a sentence, trailing characters that belong to the sentence, and
 * characters that end a file path.
 */
#define URL_ENDERS " \t\r\n\"'<>"
#define SENTENCE_ENDERS ".,;:!)"
#define PATH_ENDERS "\"'<>|*?:,;\t\r\n"

/* Maximum length of an LDAP filter recognized in a sentence. */
#define MAX_FILTER 4096

static void
add (GArray *spans, NsRedactKind kind, gsize begin, gsize end)
{
  NsRedactSpan span = { kind, begin, end };

  if (begin < end)
    g_array_append_val (spans, span);
}

/**
 * ns_redact_is_word_char:
 * @c: a byte
 *
 * Returns: whether it may be part of a host or user name, including letters of any language
 */
gboolean
ns_redact_is_word_char (char c)
{
  return g_ascii_isalnum (c) || c == '.' || c == '-' || c == '_' || (guchar) c >= 0x80;
}

static gsize
find_word_end (const char *text, gsize at)
{
  while (ns_redact_is_word_char (text[at]))
    at++;
  return at;
}

static gboolean
is_address (const char *text, gsize begin, gsize end)
{
  char copy[NS_IP_TEXT_SIZE];
  NsIp ip;

  if (end - begin < 2 || end - begin >= sizeof copy)
    return FALSE;
  memcpy (copy, text + begin, end - begin);
  copy[end - begin] = '\0';
  return ns_ip_from_text (&ip, copy);
}

/* Parses an IPv6 address, without its zone; if there is none, returns the begin. */
static gsize
find_address_end (const char *text, gsize begin)
{
  gsize end = begin;

  while (end - begin < NS_IP_TEXT_SIZE && text[end] != '\0' &&
         (g_ascii_isxdigit (text[end]) || strchr (":.", text[end]) != NULL))
    end++;
  if (memchr (text + begin, ':', end - begin) == NULL || ns_redact_is_word_char (text[end]))
    return begin;
  if (strchr (".:", text[end - 1]) != NULL && !is_address (text, begin, end))
    end--;
  return is_address (text, begin, end) ? end : begin;
}

/* Returns the end of a URL's path and query in a sentence. */
static gsize
find_asked_end (const char *text, gsize begin)
{
  gsize end = begin + strcspn (text + begin, URL_ENDERS);

  while (end > begin && strchr (SENTENCE_ENDERS, text[end - 1]) != NULL)
    end--;
  return end;
}

/* Returns the end of a URL's host, before a port or the end. */
static gsize
find_host_end (const char *text, gsize begin, gsize end)
{
  gsize at = end;

  if (is_address (text, begin, end))
    return end;
  while (at > begin && g_ascii_isdigit (text[at - 1]))
    at--;
  return at > begin && text[at - 1] == ':' ? at - 1 : end;
}

/* Returns the length of an address in brackets without its zone ID; if there is none, the whole
 * length. */
static gsize
find_bracket_end (const char *text, gsize begin, gsize end)
{
  gsize at = begin + strcspn (text + begin, "]%");
  gsize zone = text[at] == '%' ? strspn (text + at + 1, "0123456789") + 1 : 0;

  return at < end && text[at + zone] == ']' && is_address (text, begin, at) ? at : end;
}

/* Reports the host of a URL, which may be an address, and then its path. */
static gsize
scan_url (const char *text, gsize at, gboolean is_sentence, GArray *spans)
{
  gsize host = strcspn (text + at, is_sentence ? URL_ENDERS "/?#\\" : "/?#\\");
  const char *sign = g_strrstr_len (text + at, (gssize) host, "@");
  gsize end = at + host;
  gsize name_end;

  if (is_sentence && (text[end] == '\0' || strchr (URL_ENDERS, text[end]) != NULL))
    while (end > at && strchr (SENTENCE_ENDERS, text[end - 1]) != NULL)
      end--;
  if (sign != NULL && sign < text + end)
    {
      add (spans, NS_REDACT_USER, at, (gsize) (sign - text));
      at = (gsize) (sign - text) + 1;
    }
  if (text[at] == '[')
    {
      at++;
      name_end = find_bracket_end (text, at, end);
    }
  else
    name_end = find_host_end (text, at, end);
  add (spans, is_address (text, at, name_end) ? NS_REDACT_ADDRESS : NS_REDACT_SERVER, at, name_end);
  at = is_sentence ? find_asked_end (text, end) : strlen (text);
  add (spans, NS_REDACT_PATH, end + (text[end] == '/' ? 1 : 0), at);
  return MAX (at, end);
}

static gboolean
is_drive (const char *text, gsize at)
{
  return g_ascii_isalpha (text[at]) && text[at + 1] == ':' &&
         (text[at + 2] == '\\' || (text[at + 2] == '/' && text[at + 3] != '/'));
}

/* Returns the end of a path; spaces are included if more of the path follows. */
static gsize
find_path_end (const char *text, gsize begin)
{
  gsize at = begin + (is_drive (text, begin) ? 2 : 0);
  const char *separators = at > begin ? "\\/" : "\\";
  gsize end;
  gsize last;

  if (strncmp (text + at, "\\\\?\\", 4) == 0 || strncmp (text + at, "\\??\\", 4) == 0)
    at += is_drive (text, at + 4) ? 6 : 4;
  end = at + strcspn (text + at, PATH_ENDERS);
  for (last = end; last > at && strchr (separators, text[last - 1]) == NULL;)
    last--;
  while (last < end && text[last] != ' ')
    last++;
  return last;
}

/**
 * ns_redact_find_folder_end:
 * @path: (array length=size): a file path
 * @size: length in bytes
 *
 * The name of a program or module is not personal, but its folder may be.
 *
 * Returns: length of the personal part
 */
gsize
ns_redact_find_folder_end (const char *path, gsize size)
{
  static const char *const images[] = { ".exe", ".dll", ".sys", ".pdb" };
  gsize end = size;
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (images); i++)
    if (size > strlen (images[i]) &&
        g_ascii_strncasecmp (path + size - strlen (images[i]), images[i], strlen (images[i])) == 0)
      {
        while (end > 0 && strchr ("\\/", path[end - 1]) == NULL)
          end--;
        return end > 0 ? end - 1 : end;
      }
  return end;
}

static gsize
scan_path (const char *text, gsize begin, GArray *spans)
{
  gsize end = find_path_end (text, begin);

  /* A single backslash is not a path. */
  if (end - begin > 2)
    add (spans,
         NS_REDACT_PATH,
         begin,
         begin + ns_redact_find_folder_end (text + begin, end - begin));
  return MAX (end, begin + 1);
}

/* Finds a path with `/`, with at least two folders, as `/` has many other uses. Returns its end;
 * @begin: none. */
static gsize
find_slashed_end (const char *text, gsize begin)
{
  gsize at = begin + (text[begin + 1] == '/' ? 2 : 1);

  if (begin > 0 && (text[begin - 1] == '/' || ns_redact_is_word_char (text[begin - 1])))
    return begin;
  if (!ns_redact_is_word_char (text[at]))
    return begin;
  return text[find_word_end (text, at)] == '/' ? find_asked_end (text, at) : begin;
}

/* Returns whether the word is a SID of a domain or cloud account; well-known SIDs are shorter. */
static gboolean
is_account (const char *word)
{
  return g_ascii_strncasecmp (word, "S-1-5-21-", 9) == 0 ||
         g_ascii_strncasecmp (word, "S-1-12-1-", 9) == 0;
}

/* Returns the end of an LDAP filter (RFC 4515) at @begin; @begin: none. */
static gsize
find_filter_end (const char *text, gsize begin)
{
  gsize at = begin + 1;
  guint depth = 1;

  if (strchr ("&|!", text[at]) == NULL || text[at] == '\0')
    {
      while (ns_redact_is_word_char (text[at]) || text[at] == ';' || text[at] == ':')
        at++;
      if (at == begin + 1 || strchr ("=~<>", text[at]) == NULL || text[at] == '\0')
        return begin;
    }
  else if (text[at + 1] != '(')
    return begin;
  for (; depth > 0 && text[at] != '\0' && at - begin < MAX_FILTER; at++)
    depth = depth + (text[at] == '(') - (text[at] == ')');
  return depth == 0 ? at : begin;
}

static gboolean
is_attribute_of_name (const char *text, gsize begin, gsize end)
{
  static const char *const types[] = { "dc", "cn", "ou", "o", "l", "st", "c", "uid" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (types); i++)
    if (strlen (types[i]) == end - begin &&
        g_ascii_strncasecmp (types[i], text + begin, end - begin) == 0)
      return TRUE;
  return FALSE;
}

/* Returns the end of a distinguished name (RFC 4514) at @begin; @begin: none. Its last value is
 * assumed to be one word. */
static gsize
find_distinguished_end (const char *text, gsize begin)
{
  gsize end = begin;
  gsize at = begin;

  for (;;)
    {
      gsize value = find_word_end (text, at);

      if (text[value] != '=' || !is_attribute_of_name (text, at, value))
        return end;
      at = value + 1 + strcspn (text + value + 1, ",\r\n\t\"");
      end = value + 1 + strcspn (text + value + 1, " ,\r\n\t\"");
      if (text[at] != ',')
        return end;
      at++;
    }
}

static gsize
scan_word (const char *text, gsize begin, GArray *spans)
{
  gsize end = find_word_end (text, begin);
  gsize last = end;

  if (text[end] == '=' && (last = find_distinguished_end (text, begin)) > begin)
    {
      add (spans, NS_REDACT_TEXT, begin, last);
      return last;
    }
  last = end;

  if (strncmp (text + end, "://", 3) == 0)
    return scan_url (text, end + 3, TRUE, spans);
  if (text[end] == '\\')
    return scan_path (text, begin, spans);
  if (text[end] == '@' && ns_redact_is_word_char (text[end + 1]))
    {
      last = find_word_end (text, end + 1);
      add (spans, NS_REDACT_USER, begin, last);
      return last;
    }
  while (begin < last && strchr (".-_", text[begin]) != NULL)
    begin++;
  while (last > begin && strchr (".-_", text[last - 1]) != NULL)
    last--;
  add (spans,
       is_address (text, begin, last) ? NS_REDACT_ADDRESS
       : is_account (text + begin)    ? NS_REDACT_USER
                                      : NS_REDACT_WORD,
       begin,
       last);
  return end;
}

/**
 * ns_redact_scan:
 * @text: a text
 * @spans: (element-type NsRedactSpan): cleared first; gets the result
 *
 * Finds parts of a text that may have to be replaced before it is published.
 */
void
ns_redact_scan (const char *text, GArray *spans)
{
  gsize at = 0;

  g_array_set_size (spans, 0);
  while (text[at] != '\0')
    {
      gsize end = find_address_end (text, at);

      if (end > at)
        {
          add (spans, NS_REDACT_ADDRESS, at, end);
          at = end;
        }
      else if (text[at] == '\\' || is_drive (text, at))
        at = scan_path (text, at, spans);
      else if (text[at] == '/' && (end = find_slashed_end (text, at)) > at)
        {
          add (spans, NS_REDACT_PATH, at, end);
          at = end;
        }
      else if (text[at] == '(' && (end = find_filter_end (text, at)) > at)
        {
          add (spans, NS_REDACT_TEXT, at, end);
          at = end;
        }
      else if (ns_redact_is_word_char (text[at]))
        at = scan_word (text, at, spans);
      else
        at++;
    }
}

/**
 * ns_redact_scan_url:
 * @text: a URL only
 * @spans: (element-type NsRedactSpan): cleared first; gets its parts
 *
 * Finds the parts of a URL. Path and query extend to its end, regardless of their characters.
 *
 * Returns: whether it has a host
 */
gboolean
ns_redact_scan_url (const char *text, GArray *spans)
{
  gsize scheme = strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");

  g_array_set_size (spans, 0);
  if (scheme == 0 || strncmp (text + scheme, "://", 3) != 0)
    return FALSE;
  scan_url (text, scheme + 3, FALSE, spans);
  return TRUE;
}

/**
 * ns_redact_find_asked:
 * @text: a text
 * @at: end of a host name in it
 * @end: (out): end of the path
 *
 * Finds the path after a host in a sentence without a scheme: `host/path`, possibly with a port.
 *
 * Returns: begin of the path; equal to @end if there is none
 */
gsize
ns_redact_find_asked (const char *text, gsize at, gsize *end)
{
  if (text[at] == ':' && g_ascii_isdigit (text[at + 1]))
    at += 1 + strspn (text + at + 1, "0123456789");
  *end = text[at] == '/' ? find_asked_end (text, at + 1) : at;
  return text[at] == '/' ? at + 1 : at;
}

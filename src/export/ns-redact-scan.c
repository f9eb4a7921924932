/* Finds what tells of people and places in a text: names of hosts, addresses, paths, users.
 *
 * Only the form is looked at. Hosts and users are words like others, so that each word is told,
 * too: who knows the names of the trace decides.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-redact-scan.h"

#include "base/ns-ip.h"

#include <string.h>

/* What ends a URL in a sentence, and a path of files. */
#define URL_ENDERS " \t\r\n\"'<>"
#define PATH_ENDERS "\"'<>|*?:,;\t\r\n"

static void
add (GArray *spans, NsRedactKind kind, gsize begin, gsize end)
{
  NsRedactSpan span = { kind, begin, end };

  if (begin < end)
    g_array_append_val (spans, span);
}

/* Names of hosts may have letters of any language. */
static gboolean
is_word_char (char c)
{
  return g_ascii_isalnum (c) || c == '.' || c == '-' || c == '_' || (guchar) c >= 0x80;
}

static gsize
find_word_end (const char *text, gsize at)
{
  while (is_word_char (text[at]))
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

/* An IPv6 address, without its zone; where there is none, where it would begin. */
static gsize
find_address_end (const char *text, gsize begin)
{
  gsize end = begin;

  while (end - begin < NS_IP_TEXT_SIZE && text[end] != '\0' &&
         (g_ascii_isxdigit (text[end]) || strchr (":.", text[end]) != NULL))
    end++;
  if (memchr (text + begin, ':', end - begin) == NULL || is_word_char (text[end]))
    return begin;
  if (strchr (".:", text[end - 1]) != NULL && !is_address (text, begin, end))
    end--;
  return is_address (text, begin, end) ? end : begin;
}

/* The host of a URL, which may be an address, and then what it was asked for. */
static gsize
scan_url (const char *text, gsize at, GArray *spans)
{
  gsize host = strcspn (text + at, URL_ENDERS "/?#\\");
  const char *sign = g_strrstr_len (text + at, (gssize) host, "@");
  gsize end = at + host;
  gsize name_end;

  if (sign != NULL)
    {
      add (spans, NS_REDACT_USER, at, (gsize) (sign - text));
      at = (gsize) (sign - text) + 1;
    }
  if (text[at] == '[')
    {
      name_end = ++at;
      while (name_end < end && text[name_end] != ']' && text[name_end] != '%')
        name_end++;
    }
  else
    for (name_end = at; name_end < end && text[name_end] != ':'; name_end++)
      ;
  add (spans, is_address (text, at, name_end) ? NS_REDACT_ADDRESS : NS_REDACT_SERVER, at, name_end);
  at = end + strcspn (text + end, URL_ENDERS);
  add (spans, NS_REDACT_PATH, end + (text[end] == '/' ? 1 : 0), at);
  return at;
}

static gboolean
is_drive (const char *text, gsize at)
{
  return g_ascii_isalpha (text[at]) && text[at + 1] == ':' &&
         (text[at + 2] == '\\' || (text[at + 2] == '/' && text[at + 3] != '/'));
}

/* Spaces belong to a path as long as more of it follows. */
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

/* Which program or module it was is told anyway: its folder is what tells of people. */
static gsize
find_folder_end (const char *text, gsize begin, gsize end)
{
  static const char *const images[] = { ".exe", ".dll", ".sys", ".pdb" };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (images); i++)
    if (end - begin > strlen (images[i]) &&
        g_ascii_strncasecmp (text + end - strlen (images[i]), images[i], strlen (images[i])) == 0)
      {
        while (end > begin && strchr ("\\/", text[end - 1]) == NULL)
          end--;
        return end > begin ? end - 1 : end;
      }
  return end;
}

static gsize
scan_path (const char *text, gsize begin, GArray *spans)
{
  gsize end = find_path_end (text, begin);

  /* A backslash alone is none. */
  if (end - begin > 2)
    add (spans, NS_REDACT_PATH, begin, find_folder_end (text, begin, end));
  return MAX (end, begin + 1);
}

static gsize
scan_word (const char *text, gsize begin, GArray *spans)
{
  gsize end = find_word_end (text, begin);
  gsize last = end;

  if (strncmp (text + end, "://", 3) == 0)
    return scan_url (text, end + 3, spans);
  if (text[end] == '\\')
    return scan_path (text, begin, spans);
  if (text[end] == '@' && is_word_char (text[end + 1]))
    {
      last = find_word_end (text, end + 1);
      add (spans, NS_REDACT_USER, begin, last);
      return last;
    }
  while (begin < last && strchr (".-_", text[begin]) != NULL)
    begin++;
  while (last > begin && strchr (".-_", text[last - 1]) != NULL)
    last--;
  add (spans, is_address (text, begin, last) ? NS_REDACT_ADDRESS : NS_REDACT_WORD, begin, last);
  return end;
}

/**
 * ns_redact_scan:
 * @text: a text
 * @spans: (element-type NsRedactSpan): emptied first; takes what is found
 *
 * Tells what may have to be replaced where the text leaves the house.
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
      else if (is_word_char (text[at]))
        at = scan_word (text, at, spans);
      else
        at++;
    }
}

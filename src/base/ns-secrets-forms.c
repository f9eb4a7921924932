/* The forms in which a secret travels beside its name: headers, members of JSON, arguments of
 * queries and forms, elements and attributes of XML.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.';
}

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

static char
get (const NsSecretFinder *self, gsize at)
{
  return at < self->size ? self->text[at] : '\0';
}

static gboolean
begins_with (const NsSecretFinder *self, gsize at, const char *word)
{
  gsize n = strlen (word);

  return at <= self->size && self->size - at >= n &&
         g_ascii_strncasecmp (self->text + at, word, n) == 0;
}

/**
 * ns_secret_finder_add:
 * @self: a finder
 * @begin: where a secret begins
 * @end: where it ends
 *
 * Notes a secret; what was noted before stays in front.
 */
void
ns_secret_finder_add (NsSecretFinder *self, gsize begin, gsize end)
{
  NsSecretRange range = { begin, MIN (end, self->size) };
  GArray *ranges = self->ranges;

  if (ranges != NULL && ranges->len > 0)
    range.begin = MAX (begin, g_array_index (ranges, NsSecretRange, ranges->len - 1).end);
  if (range.end <= range.begin)
    return;
  if (ranges == NULL)
    self->ranges = g_array_new (FALSE, FALSE, sizeof (NsSecretRange));
  g_array_append_val (self->ranges, range);
}

gsize
ns_secret_finder_skip_blanks (const NsSecretFinder *self, gsize at)
{
  while (at < self->size && is_blank (self->text[at]))
    at++;
  return at;
}

gsize
ns_secret_finder_get_line_end (const NsSecretFinder *self, gsize at)
{
  while (at < self->size && self->text[at] != '\r' && self->text[at] != '\n' &&
         self->text[at] != '\0')
    at++;
  return at;
}

/* The quote at @at, which may have backslashes before it where a text stands in another one; 0:
 * none. */
static gsize
get_quote (const NsSecretFinder *self, gsize at)
{
  gsize n = 0;

  while (n < 4 && get (self, at + n) == '\\')
    n++;
  return get (self, at + n) == '"' || (n == 0 && get (self, at) == '\'') ? n + 1 : 0;
}

/* Where the text behind such a quote ends, if not at @limit. */
static gsize
find_closing (const NsSecretFinder *self, gsize at, gsize n_quote, gsize limit)
{
  char quote = self->text[at - 1];

  while (at < limit && self->text[at] != '\n')
    {
      gsize n = 0;

      while (get (self, at + n) == '\\')
        n++;
      /* Backslashes in pairs are text, at each depth. */
      if (get (self, at + n) == quote && n % (2 * n_quote) == n_quote - 1)
        return at + n + 1 - n_quote;
      at += n + 1;
    }
  return MIN (at, limit);
}

static gsize
get_name_limit (const NsSecretFinder *self, gsize at)
{
  return MIN (self->size, at + NS_SECRET_NAMES_MAX_NAME + 1);
}

/**
 * ns_secret_finder_add_word:
 * @self: a finder
 * @at: where a value begins
 * @enders: what ends one without quotes, besides the end of the line
 *
 * Notes a value, in quotes or not.
 *
 * Returns: where it ends, @at if there is none
 */
gsize
ns_secret_finder_add_word (NsSecretFinder *self, gsize at, const char *enders)
{
  gsize n_quote = get_quote (self, at);
  gsize begin = at + n_quote;
  gsize end = begin;

  if (n_quote > 0)
    end = find_closing (self, begin, n_quote, self->size);
  else
    while (end < self->size && self->text[end] != '\0' && self->text[end] != '\r' &&
           self->text[end] != '\n' && strchr (enders, self->text[end]) == NULL)
      end++;
  ns_secret_finder_add (self, begin, end);
  return end > begin ? end : at;
}

/* The name that ends before @at; no name is longer than those that are secret. */
static gsize
find_name (const NsSecretFinder *self, gsize at)
{
  gsize begin = at;

  while (begin > 0 && at - begin <= NS_SECRET_NAMES_MAX_NAME &&
         is_name_char (self->text[begin - 1]))
    begin--;
  /* The n of `\n` is no letter of a name, nor the digits of `%26`. */
  if (begin > 0 && begin < at && self->text[begin - 1] == '\\' &&
      strchr ("nrt", self->text[begin]) != NULL)
    begin++;
  else if (begin > 0 && at - begin > 2 && self->text[begin - 1] == '%' &&
           g_ascii_isxdigit (self->text[begin]) && g_ascii_isxdigit (self->text[begin + 1]))
    begin += 2;
  return begin;
}

static gboolean
begins_line (const NsSecretFinder *self, gsize at)
{
  while (at > 0 && is_blank (self->text[at - 1]))
    at--;
  return at == 0 || self->text[at - 1] == '\n' || self->text[at - 1] == '\r' ||
         (at > 1 && self->text[at - 2] == '\\' && strchr ("nr", self->text[at - 1]) != NULL);
}

/* To the end of the line, or of the text in quotes in which the header stands; lines that begin
 * with a blank go on (RFC 9112, 5.2). */
static gsize
add_header_lines (NsSecretFinder *self, gsize at, gsize n_quote, char quote)
{
  gsize end;

  for (;;)
    {
      gsize begin = ns_secret_finder_skip_blanks (self, at);

      for (end = begin; end < self->size; end++)
        {
          char c = self->text[end];

          if (c == '\r' || c == '\n' || c == '\0')
            break;
          if (c == '\\' && (begins_with (self, end, "\\r") || begins_with (self, end, "\\n")))
            break;
          if (n_quote > 0 && c == quote && get (self, end - 1) != '\\')
            break;
          if (n_quote > 1 && get_quote (self, end) == n_quote)
            break;
        }
      ns_secret_finder_add (self, begin, end);
      at = end;
      if (get (self, at) == '\r')
        at++;
      if (get (self, at) != '\n' || !is_blank (get (self, at + 1)))
        return end;
      at++;
    }
}

/* `WWW-Authenticate: Negotiate …`: what follows the word is a token. */
static gsize
skip_scheme (const NsSecretFinder *self, gsize at)
{
  static const char *const schemes[] = { "negotiate", "ntlm", "kerberos", "passport" };
  guint i;

  at = ns_secret_finder_skip_blanks (self, at);
  for (i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (begins_with (self, at, schemes[i]) && is_blank (get (self, at + strlen (schemes[i]))))
      return at + strlen (schemes[i]) + 1;
  return 0;
}

static gsize
find_header (NsSecretFinder *self, gsize name, gsize at, guint places)
{
  gsize n_quote = name > 0 && strchr ("\"'", self->text[name - 1]) != NULL ? 1 : 0;
  char quote = n_quote > 0 ? self->text[name - 1] : '\0';
  gsize value = at + 1;

  if (n_quote > 0 && name > 1 && self->text[name - 2] == '\\')
    n_quote = 2;
  if ((places & NS_SECRET_CHALLENGE) != 0)
    {
      value = skip_scheme (self, value);
      if (value == 0)
        return 0;
    }
  else if ((places & NS_SECRET_SWITCH) != 0 && n_quote == 0 && !begins_line (self, name))
    {
      /* `/password:x`, `password: x` in a sentence. */
      gsize word = ns_secret_finder_skip_blanks (self, value);
      gsize end = ns_secret_finder_add_word (self, word, " \t,;\"'<>");

      return end > word ? end : 0;
    }
  return add_header_lines (self, value, n_quote, quote);
}

/* All of an array, or a number. */
static gsize
add_other_member (NsSecretFinder *self, gsize at)
{
  gsize end = at;

  if (get (self, at) == '[')
    {
      while (end < self->size && self->text[end] != ']' && self->text[end] != '\n')
        end++;
      ns_secret_finder_add (self, at + 1, end);
      return end;
    }
  while (end < self->size && (g_ascii_isdigit (self->text[end]) || self->text[end] == '-'))
    end++;
  ns_secret_finder_add (self, at, end);
  return end > at ? end : 0;
}

/* From `{"name":"Cookie",` or `<add key="Password" ` to the value beside it; 0: none is near. */
static gsize
find_value_beside (const NsSecretFinder *self, gsize at)
{
  gsize limit = MIN (self->size, at + NS_SECRETS_REACH);

  for (; at < limit; at++)
    {
      gsize value = at + 5;

      if (self->text[at] == '{' || self->text[at] == '}' || self->text[at] == '>' ||
          self->text[at] == '<')
        return 0;
      if (self->text[at] != 'v' && self->text[at] != 'V')
        continue;
      if (!begins_with (self, at, "value") || is_name_char (self->text[at - 1]))
        continue;
      value += get_quote (self, value);
      value = ns_secret_finder_skip_blanks (self, value);
      if (get (self, value) == ':' || get (self, value) == '=')
        return ns_secret_finder_skip_blanks (self, value + 1);
    }
  return 0;
}

/* Whether a member that says where a cookie belongs stands beside. */
static gboolean
has_domain_beside (const NsSecretFinder *self, gsize at)
{
  gsize begin = at > NS_SECRETS_REACH ? at - NS_SECRETS_REACH : 0;
  gsize limit = MIN (self->size, at + NS_SECRETS_REACH);
  gsize i;

  while (at > begin && self->text[at - 1] != '{' && self->text[at - 1] != '}')
    at--;
  for (i = at; i < limit && self->text[i] != '}' && self->text[i] != '{'; i++)
    if ((self->text[i] == 'd' || self->text[i] == 'h') && i > 0 && self->text[i - 1] == '"' &&
        (begins_with (self, i, "domain") || begins_with (self, i, "httponly")))
      return TRUE;
  return FALSE;
}

/* `"cookie":"…"`: @name_end is before the quote that ends the name. */
static gsize
find_member (NsSecretFinder *self, gsize name_end, gsize at)
{
  gsize name = find_name (self, name_end);
  gsize value = ns_secret_finder_skip_blanks (self, at + 1);
  gsize n_quote = get_quote (self, value);
  gsize n_name = name_end - name;
  guint places;

  if (name == 0 || strchr ("\"'", self->text[name - 1]) == NULL || n_name == 0)
    return 0;
  places = ns_secret_names_look (self->text + name, n_name);
  if ((places & (NS_SECRET_MEMBER | NS_SECRET_HEADER)) != 0)
    return n_quote > 0 ? ns_secret_finder_add_word (self, value, "")
                       : add_other_member (self, value);
  if ((places & NS_SECRET_CHALLENGE) != 0 && n_quote > 0)
    {
      value = skip_scheme (self, value + n_quote);
      return value != 0 ? add_header_lines (self, value, 1, '"') : 0;
    }
  if (n_quote == 0 || n_name > 5)
    return 0;
  if (begins_with (self, name, "value") && n_name == 5 && has_domain_beside (self, name - 1))
    return ns_secret_finder_add_word (self, value, "");
  if ((n_name == 4 && begins_with (self, name, "name")) ||
      (n_name == 3 && begins_with (self, name, "key")))
    {
      gsize word = value + n_quote;
      gsize end = find_closing (self, word, n_quote, get_name_limit (self, word));

      if (end - word > NS_SECRET_NAMES_MAX_NAME ||
          (ns_secret_names_look (self->text + word, end - word) &
           (NS_SECRET_HEADER | NS_SECRET_MEMBER)) == 0)
        return 0;
      value = find_value_beside (self, end);
      return value != 0 ? ns_secret_finder_add_word (self, value, ",}]") : 0;
    }
  return 0;
}

/* `://user:password@host`. */
static gsize
find_user (NsSecretFinder *self, gsize at)
{
  gsize begin = at + 3;
  gsize end = begin;
  gsize limit;

  while (end < self->size && self->text[end] != '\0' &&
         strchr ("/?#\\ \t\r\n\"'<>", self->text[end]) == NULL)
    end++;
  limit = end;
  while (end > begin && self->text[end - 1] != '@')
    end--;
  if (end <= begin + 1)
    return limit > begin ? begin : 0;
  ns_secret_finder_add (self, begin, end - 1);
  return end;
}

/**
 * ns_secrets_find_named:
 * @self: a finder
 * @at: a colon
 *
 * Finds the user of a URL, `Cookie: …` in a line, `"cookie: …"` and `"cookie":"…"` in JSON.
 *
 * Returns: where to go on, 0 when there is no secret
 */
gsize
ns_secrets_find_named (NsSecretFinder *self, gsize at)
{
  gsize before = at;
  gsize name;
  guint places;

  if (get (self, at + 1) == '/' && get (self, at + 2) == '/')
    return find_user (self, at);
  while (before > 0 && at - before < 8 && is_blank (self->text[before - 1]))
    before--;
  if (before > 0 && strchr ("\"'", self->text[before - 1]) != NULL)
    {
      before--;
      while (before > 0 && self->text[before - 1] == '\\')
        before--;
      return find_member (self, before, at);
    }
  if (before < at)
    return 0;
  name = find_name (self, at);
  places = ns_secret_names_look (self->text + name, at - name);
  if ((places & (NS_SECRET_HEADER | NS_SECRET_CHALLENGE)) == 0 &&
      ((places & NS_SECRET_SWITCH) == 0 || name == 0 || self->text[name - 1] != '/'))
    return 0;
  return find_header (self, name, at, places);
}

/* A form of several parts: `name="password"`, a blank line, the value, a line that parts. */
static gsize
add_part (NsSecretFinder *self, gsize at)
{
  gsize limit = MIN (self->size, at + NS_SECRETS_REACH);

  for (; at + 3 < limit; at++)
    if (memcmp (self->text + at, "\r\n\r\n", 4) == 0)
      {
        gsize begin = at + 4;
        gsize end = begin;

        while (end < self->size && !begins_with (self, end, "\r\n--"))
          end++;
        ns_secret_finder_add (self, begin, end);
        return end;
      }
  return 0;
}

/* `name="password"` and `key="Password" value="…"`. */
static gsize
find_attribute (NsSecretFinder *self, gsize name, gsize at)
{
  gsize n_name = at - name;
  gsize n_quote = get_quote (self, at + 1);
  gsize word = at + 1 + n_quote;
  gsize value;
  gsize end;

  if (n_quote == 0 || !((n_name == 4 && begins_with (self, name, "name")) ||
                        (n_name == 3 && begins_with (self, name, "key"))))
    return 0;
  end = find_closing (self, word, n_quote, get_name_limit (self, word));
  if (end - word > NS_SECRET_NAMES_MAX_NAME ||
      (ns_secret_names_look (self->text + word, end - word) & NS_SECRET_MEMBER) == 0)
    return 0;
  value = find_value_beside (self, end);
  return value != 0 ? ns_secret_finder_add_word (self, value, " \t/>") : add_part (self, end);
}

/* Whether an argument of a query or a form begins here. */
static gboolean
begins_argument (const NsSecretFinder *self, gsize name)
{
  char before = name > 0 ? self->text[name - 1] : '\0';

  if (name == 0 || strchr ("?&#\n", before) != NULL)
    return TRUE;
  return name >= 3 && (begins_with (self, name - 3, "%3F") || begins_with (self, name - 3, "%26") ||
                       begins_with (self, name - 3, "%23"));
}

/* Up to what ends an argument, also where all of the URL stands in another one. */
static gsize
add_argument (NsSecretFinder *self, gsize at, gboolean is_nested)
{
  static const char enders[] = "&#; \t\"'<>";
  gsize end = at;

  if (!is_nested)
    return ns_secret_finder_add_word (self, at, enders);
  while (end < self->size && self->text[end] > ' ' && strchr (enders, self->text[end]) == NULL &&
         !begins_with (self, end, "%26") && !begins_with (self, end, "%23"))
    end++;
  ns_secret_finder_add (self, at, end);
  return end > at ? end : at;
}

/**
 * ns_secrets_find_assigned:
 * @self: a finder
 * @at: an equals sign, or `%3D`
 *
 * Finds `?token=…`, `&token=…`, the first argument of a form, `Password=…;` among settings,
 * `(userPassword=…)` in a filter, attributes.
 *
 * Returns: where to go on, 0 when there is no secret
 */
gsize
ns_secrets_find_assigned (NsSecretFinder *self, gsize at)
{
  gboolean is_nested = self->text[at] == '%';
  gsize value = at + (is_nested ? 3 : 1);
  gsize before = at;
  gsize name;
  gsize end;
  guint places;

  if (is_nested && !begins_with (self, at, "%3D"))
    return 0;
  while (before > 0 && at - before < 8 && is_blank (self->text[before - 1]))
    before--;
  name = find_name (self, before);
  if (name == before)
    return 0;
  places = ns_secret_names_look (self->text + name, before - name);
  /* A word of several meanings must stand where an argument does. */
  if ((places & NS_SECRET_ARGUMENT) == 0 ||
      ((places & NS_SECRET_FIELD) == 0 && (before < at || !begins_argument (self, name))))
    return before == at && !is_nested ? find_attribute (self, name, at) : 0;
  if (before < at || (get (self, value) == ' ' && (places & NS_SECRET_SWITCH) != 0))
    value = ns_secret_finder_skip_blanks (self, value);
  if (name > 0 && self->text[name - 1] == '(')
    end = ns_secret_finder_add_word (self, value, ")");
  else
    end = add_argument (self, value, is_nested);
  return end > value ? end : 0;
}

/**
 * ns_secrets_find_element:
 * @self: a finder
 * @at: a smaller-than sign
 *
 * Finds `<wsse:Password Type="…">…</wsse:Password>`.
 *
 * Returns: where to go on, 0 when there is no secret
 */
gsize
ns_secrets_find_element (NsSecretFinder *self, gsize at)
{
  gsize name = at + 1;
  gsize end = name;
  gsize limit;

  while (end < self->size && end - at <= 2 * NS_SECRET_NAMES_MAX_NAME &&
         (is_name_char (self->text[end]) || self->text[end] == ':'))
    {
      if (self->text[end] == ':')
        name = end + 1;
      end++;
    }
  if (end == name || (ns_secret_names_look (self->text + name, end - name) & NS_SECRET_MEMBER) == 0)
    return 0;
  limit = MIN (self->size, end + NS_SECRETS_REACH);
  while (end < limit && self->text[end] != '>' && self->text[end] != '<')
    end++;
  if (get (self, end) != '>' || self->text[end - 1] == '/')
    return 0;
  for (name = ++end; end < self->size && self->text[end] != '<'; end++)
    ;
  ns_secret_finder_add (self, name, end);
  return end > name ? end : 0;
}

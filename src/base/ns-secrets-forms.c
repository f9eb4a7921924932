/* The forms in which a secret travels beside its name: headers, arguments of queries and forms,
 * attributes of XML; and what the other files of this kind find names and texts in quotes by.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/* Of texts in texts: four deep. */
#define MAX_BACKSLASHES 15

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
  while (at < self->size && ns_secret_is_blank (self->text[at]))
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

/**
 * ns_secret_finder_get_quote:
 * @self: a finder
 * @at: a place
 *
 * Returns: the length of the quote there, with the backslashes before it where the text stands in
 *   another one; 0 when there is none
 */
gsize
ns_secret_finder_get_quote (const NsSecretFinder *self, gsize at)
{
  gsize n = 0;

  while (n < MAX_BACKSLASHES && ns_secret_finder_get (self, at + n) == '\\')
    n++;
  return ns_secret_finder_get (self, at + n) == '"' ||
                 (n == 0 && ns_secret_finder_get (self, at) == '\'')
             ? n + 1
             : 0;
}

/**
 * ns_secret_finder_find_closing:
 * @self: a finder
 * @at: where a text in quotes begins
 * @n_quote: the length of the quote before it
 * @limit: how far to look
 *
 * Returns: where the closing quote begins, or the line ends; @limit if neither is before it
 */
gsize
ns_secret_finder_find_closing (const NsSecretFinder *self, gsize at, gsize n_quote, gsize limit)
{
  char quote = self->text[at - 1];

  while (at < limit && self->text[at] != '\n')
    {
      gsize n = 0;

      while (ns_secret_finder_get (self, at + n) == '\\')
        n++;
      /* Backslashes in pairs are text, at each depth. */
      if (ns_secret_finder_get (self, at + n) == quote && n % (2 * n_quote) == n_quote - 1)
        return at + n + 1 - n_quote;
      at += n + 1;
    }
  return MIN (at, limit);
}

/**
 * ns_secret_finder_get_name_limit:
 * @self: a finder
 * @at: where a name begins
 *
 * Returns: how far to look for its end
 */
gsize
ns_secret_finder_get_name_limit (const NsSecretFinder *self, gsize at)
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
  gsize n_quote = ns_secret_finder_get_quote (self, at);
  gsize begin = at + n_quote;
  gsize end = begin;

  if (n_quote > 0)
    end = ns_secret_finder_find_closing (self, begin, n_quote, self->size);
  else
    while (end < self->size && self->text[end] != '\0' && self->text[end] != '\r' &&
           self->text[end] != '\n' && strchr (enders, self->text[end]) == NULL)
      end++;
  ns_secret_finder_add (self, begin, end);
  return end > begin ? end : at;
}

/* Whether two hexadecimal digits stand there. */
static gboolean
has_hex (const NsSecretFinder *self, gsize at)
{
  return g_ascii_isxdigit (ns_secret_finder_get (self, at)) &&
         g_ascii_isxdigit (ns_secret_finder_get (self, at + 1));
}

/* The n of `\n` is no letter of a name, nor are the digits of `%26`, `%2526` and `\u0026`. */
static gsize
skip_escape (const NsSecretFinder *self, gsize begin, gsize end)
{
  char before = begin > 0 ? self->text[begin - 1] : '\0';

  if (begin >= end)
    return begin;
  if (before == '\\' && self->text[begin] == 'u' && end - begin > 5 && has_hex (self, begin + 1) &&
      has_hex (self, begin + 3))
    return begin + 5;
  if (before == '\\' && strchr ("nrt", self->text[begin]) != NULL)
    return begin + 1;
  if (before != '%')
    return begin;
  while (end - begin > 4 && ns_secret_finder_begins_with (self, begin, "25") &&
         has_hex (self, begin + 2))
    begin += 2;
  return end - begin > 2 && has_hex (self, begin) ? begin + 2 : begin;
}

/**
 * ns_secret_finder_find_name:
 * @self: a finder
 * @at: where a name ends
 *
 * Returns: where it begins, @at when there is none; no name is longer than those that are secret
 */
gsize
ns_secret_finder_find_name (const NsSecretFinder *self, gsize at)
{
  gsize begin = at;

  while (begin > 0 && at - begin <= NS_SECRET_NAMES_MAX_NAME &&
         ns_secret_is_name_char (self->text[begin - 1]))
    begin--;
  return skip_escape (self, begin, at);
}

/* One character of a name, `%77` and `\u0077` made plain; returns where the next one stands. */
static gsize
read_name_char (const NsSecretFinder *self, gsize at, char *c)
{
  gsize digits = at + 1;

  *c = self->text[at];
  if (*c == '\\' && ns_secret_finder_begins_with (self, at, "\\u00"))
    digits = at + 4;
  else if (*c != '%')
    return at + 1;
  if (!has_hex (self, digits))
    return at + 1;
  *c = (char) (g_ascii_xdigit_value (self->text[digits]) << 4 |
               g_ascii_xdigit_value (self->text[digits + 1]));
  return digits + 2;
}

/**
 * ns_secret_finder_look_at_escaped:
 * @self: a finder
 * @at: where a name ends that has escapes or brackets in it, as `pass%77ord`, `user[password]` and
 *   `pass\u0077ord` have
 *
 * Returns: the places in which a value of that name is secret
 */
guint
ns_secret_finder_look_at_escaped (const NsSecretFinder *self, gsize at)
{
  char name[NS_SECRET_NAMES_MAX_NAME + 1];
  gboolean is_escaped = FALSE;
  gsize begin = at;
  gsize n = 0;

  while (begin > 0 && at - begin < 6 * NS_SECRET_NAMES_MAX_NAME &&
         (ns_secret_is_name_char (self->text[begin - 1]) ||
          strchr ("%\\[]", self->text[begin - 1]) != NULL))
    {
      char c;

      begin--;
      is_escaped = is_escaped || !ns_secret_is_name_char (self->text[begin]);
      read_name_char (self, begin, &c);
      if (self->text[begin] == '%' && !ns_secret_is_name_char (c) && c != '[' && c != ']')
        break;
    }
  while (is_escaped && begin < at)
    {
      char c;

      begin = read_name_char (self, begin, &c);
      if (c == ']' && begin == at)
        break;
      if (!ns_secret_is_name_char (c))
        n = 0;
      else if (n < NS_SECRET_NAMES_MAX_NAME)
        name[n++] = c;
    }
  return is_escaped && n > 0 ? ns_secret_names_look (name, n) : NS_SECRET_NOWHERE;
}

static gboolean
begins_line (const NsSecretFinder *self, gsize at)
{
  while (at > 0 && ns_secret_is_blank (self->text[at - 1]))
    at--;
  return at == 0 || self->text[at - 1] == '\n' || self->text[at - 1] == '\r' ||
         (at > 1 && self->text[at - 2] == '\\' && strchr ("nr", self->text[at - 1]) != NULL);
}

/**
 * ns_secret_finder_add_header:
 * @self: a finder
 * @at: where the value of a header begins
 * @n_quote: the length of the quotes in which the header stands, or 0
 * @quote: the quote
 *
 * Notes the value to the end of its line, or of the text in quotes; lines that begin with a blank
 * go on (RFC 9112, 5.2).
 *
 * Returns: where it ends
 */
gsize
ns_secret_finder_add_header (NsSecretFinder *self, gsize at, gsize n_quote, char quote)
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
          if (c == '\\' && (ns_secret_finder_begins_with (self, end, "\\r") ||
                            ns_secret_finder_begins_with (self, end, "\\n")))
            break;
          if (n_quote > 0 && c == quote && ns_secret_finder_get (self, end - 1) != '\\')
            break;
          if (n_quote > 1 && ns_secret_finder_get_quote (self, end) == n_quote)
            break;
        }
      ns_secret_finder_add (self, begin, end);
      at = end;
      if (ns_secret_finder_get (self, at) == '\r')
        at++;
      if (ns_secret_finder_get (self, at) != '\n' ||
          !ns_secret_is_blank (ns_secret_finder_get (self, at + 1)))
        return end;
      at++;
    }
}

/**
 * ns_secret_finder_skip_scheme:
 * @self: a finder
 * @at: where the value of `WWW-Authenticate` begins
 *
 * Returns: where the token begins that follows `Negotiate` and the like, 0 when there is none
 */
gsize
ns_secret_finder_skip_scheme (const NsSecretFinder *self, gsize at)
{
  static const char *const schemes[] = { "negotiate", "ntlm", "kerberos", "passport" };
  guint i;

  at = ns_secret_finder_skip_blanks (self, at);
  for (i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (ns_secret_finder_begins_with (self, at, schemes[i]) &&
        ns_secret_is_blank (ns_secret_finder_get (self, at + strlen (schemes[i]))))
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
      value = ns_secret_finder_skip_scheme (self, value);
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
  return ns_secret_finder_add_header (self, value, n_quote, quote);
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

/* `jdbc:oracle:thin:user/password@host`; @at is the colon before the user. */
static gsize
find_oracle_user (NsSecretFinder *self, gsize at)
{
  gsize limit = MIN (self->size, at + NS_SECRETS_REACH);
  gsize begin;
  gsize end;

  if (at < 12 || g_ascii_strncasecmp (self->text + at - 12, ":oracle:", 8) != 0)
    return 0;
  for (begin = at + 1; begin < limit && strchr ("/@ \"'<>\n", self->text[begin]) == NULL; begin++)
    ;
  if (ns_secret_finder_get (self, begin++) != '/')
    return 0;
  for (end = begin; end < limit && strchr ("@ \"'<>\n", self->text[end]) == NULL; end++)
    ;
  if (ns_secret_finder_get (self, end) != '@' || end == begin)
    return 0;
  ns_secret_finder_add (self, begin, end);
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

  if (ns_secret_finder_get (self, at + 1) == '/' && ns_secret_finder_get (self, at + 2) == '/')
    return find_user (self, at);
  while (before > 0 && at - before < 8 && g_ascii_isspace (self->text[before - 1]))
    before--;
  if (before > 0 && strchr ("\"'", self->text[before - 1]) != NULL)
    {
      before--;
      while (before > 0 && self->text[before - 1] == '\\')
        before--;
      return ns_secrets_find_member (self, before, at);
    }
  if (before == at && at > 0 && g_ascii_tolower (self->text[at - 1]) == 'n')
    {
      gsize end = find_oracle_user (self, at);

      if (end > 0)
        return end;
    }
  name = ns_secret_finder_find_name (self, before);
  /* Who reads headers leniently takes blanks before the colon. */
  if (name == before ||
      (before < at && (!ns_secret_is_blank (self->text[before]) || !begins_line (self, name))))
    return 0;
  places = ns_secret_names_look (self->text + name, before - name);
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
    if (ns_secret_finder_begins_with (self, at, "\r\n\r\n") ||
        ns_secret_finder_begins_with (self, at, "\n\n"))
      {
        gsize begin = at + (self->text[at] == '\r' ? 4 : 2);
        gsize end = begin;

        while (end < self->size && !ns_secret_finder_begins_with (self, end, "\r\n--") &&
               !ns_secret_finder_begins_with (self, end, "\n--"))
          end++;
        ns_secret_finder_add (self, begin, end);
        return end;
      }
  return 0;
}

/* Whether the line in which @at stands is the head of a part of a form. */
static gboolean
is_in_form_data (const NsSecretFinder *self, gsize at)
{
  gsize limit = at > NS_SECRETS_REACH ? at - NS_SECRETS_REACH : 0;

  while (at > limit && self->text[at - 1] != '\n')
    if (ns_secret_finder_begins_with (self, --at, "form-data"))
      return TRUE;
  return FALSE;
}

/* `name="password"`, `type="password" value="…"` and `key="Password" value="…"`. */
static gsize
find_attribute (NsSecretFinder *self, gsize name, gsize at)
{
  gsize n_name = at - name;
  gsize n_quote = ns_secret_finder_get_quote (self, at + 1);
  gsize word = at + 1 + n_quote;
  gsize value;
  gsize end;

  guint places;

  if (!((n_name == 4 && ns_secret_finder_begins_with (self, name, "name")) ||
        (n_name == 4 && n_quote > 0 && ns_secret_finder_begins_with (self, name, "type")) ||
        (n_name == 3 && n_quote > 0 && ns_secret_finder_begins_with (self, name, "key"))))
    return 0;
  if (n_quote > 0)
    end = ns_secret_finder_find_closing (self,
                                         word,
                                         n_quote,
                                         ns_secret_finder_get_name_limit (self, word));
  else
    for (end = word; end < ns_secret_finder_get_name_limit (self, word) &&
                     ns_secret_is_name_char (self->text[end]);
         end++)
      ;
  if (end == word || end - word > NS_SECRET_NAMES_MAX_NAME)
    return 0;
  places = ns_secret_names_look (self->text + word, end - word);
  value = n_quote > 0 && (places & NS_SECRET_MEMBER) != 0
              ? ns_secret_finder_find_value_beside (self, end)
              : 0;
  if (value != 0)
    return ns_secret_finder_add_word (self, value, " \t/>");
  if ((places & (NS_SECRET_MEMBER | NS_SECRET_ARGUMENT)) == 0 || !is_in_form_data (self, name))
    return 0;
  return add_part (self, end);
}

/* Whether an argument of a query or a form begins here. */
static gboolean
begins_argument (const NsSecretFinder *self, gsize name)
{
  static const char *const escapes[] = { "3F", "26", "23" };
  guint i;

  if (name == 0 || strchr ("?&#;\n", self->text[name - 1]) != NULL)
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (escapes); i++)
    if (name > 2 && ns_secret_finder_begins_with (self, name - 2, escapes[i]) &&
        strchr ("%50", self->text[name - 3]) != NULL)
      return TRUE;
  return FALSE;
}

/* How an equals sign is written. */
typedef struct
{
  gsize n_bytes; /* 0: it is none */
  guint depth;   /* how often the URL was made part of another one */
  gboolean is_in_json;
} Equals;

static Equals
read_equals (const NsSecretFinder *self, gsize at)
{
  Equals equals = { 0 };

  if (self->text[at] == '=')
    {
      equals.n_bytes = 1;
    }
  else if (ns_secret_finder_begins_with (self, at, "\\u003d"))
    {
      equals.n_bytes = 6;
      equals.is_in_json = TRUE;
    }
  else
    {
      for (equals.depth = 1; ns_secret_finder_begins_with (self, at + 2 * equals.depth - 1, "25");
           equals.depth++)
        if (equals.depth > MAX_BACKSLASHES)
          return equals;
      if (ns_secret_finder_begins_with (self, at + 2 * equals.depth - 1, "3D"))
        equals.n_bytes = 1 + 2 * equals.depth;
    }
  return equals;
}

/* Whether the URL that was made part of another one @depth times parts its arguments there. */
static gboolean
ends_nested (const NsSecretFinder *self, gsize at, guint depth)
{
  gsize digits = at + 2 * depth - 1;

  for (at++; at < digits; at += 2)
    if (!ns_secret_finder_begins_with (self, at, "25"))
      return FALSE;
  return ns_secret_finder_begins_with (self, digits, "26") ||
         ns_secret_finder_begins_with (self, digits, "23");
}

/* Up to what ends an argument, also where all of the URL stands in another one. */
static gsize
add_argument (NsSecretFinder *self, gsize at, const Equals *equals)
{
  static const char enders[] = "&#; \t\"'<>";
  gsize end = at;

  if (equals->is_in_json)
    return ns_secret_finder_add_word (self, at, "\\&#; \t\"'<>");
  if (equals->depth == 0)
    return ns_secret_finder_add_word (self, at, enders);
  while (end < self->size && self->text[end] > ' ' && strchr (enders, self->text[end]) == NULL &&
         (self->text[end] != '%' || !ends_nested (self, end, equals->depth)))
    end++;
  ns_secret_finder_add (self, at, end);
  return end > at ? end : at;
}

/* `"X-Api-Key" = "…"` of PowerShell's tables, and with an arrow those of Ruby and PHP. */
static gsize
find_quoted_name (NsSecretFinder *self, gsize before, gsize value)
{
  gsize name = before > 1 ? ns_secret_finder_find_name (self, before - 1) : 0;

  if (ns_secret_finder_get (self, value) == '>')
    value++;
  value = ns_secret_finder_skip_blanks (self, value);
  if (name == 0 || name == before - 1 || self->text[name - 1] != self->text[before - 1] ||
      ns_secret_finder_get_quote (self, value) == 0 ||
      (ns_secret_names_look (self->text + name, before - 1 - name) &
       (NS_SECRET_MEMBER | NS_SECRET_HEADER)) == 0)
    return 0;
  return ns_secret_finder_add_word (self, value, "");
}

/**
 * ns_secrets_find_assigned:
 * @self: a finder
 * @at: an equals sign, `%3D`, or `\u003d`
 *
 * Finds `?token=…`, `&token=…`, the first argument of a form, `Password=…;` among settings,
 * `(userPassword=…)` in a filter, attributes.
 *
 * Returns: where to go on, 0 when there is no secret
 */
gsize
ns_secrets_find_assigned (NsSecretFinder *self, gsize at)
{
  Equals equals = read_equals (self, at);
  gboolean is_plain = equals.n_bytes == 1;
  gsize value = at + equals.n_bytes;
  gsize before = at;
  gboolean is_meant;
  gsize name;
  gsize end;
  guint places;

  if (equals.n_bytes == 0)
    return 0;
  while (before > 0 && at - before < 8 && ns_secret_is_blank (self->text[before - 1]))
    before--;
  if (is_plain && before > 0 && strchr ("\"'", self->text[before - 1]) != NULL)
    return find_quoted_name (self, before, value);
  name = ns_secret_finder_find_name (self, before);
  places = name < before ? ns_secret_names_look (self->text + name, before - name) : 0;
  /* A word of several meanings must stand where an argument does. */
  is_meant = (places & NS_SECRET_ARGUMENT) != 0 &&
             ((places & NS_SECRET_FIELD) != 0 || (before == at && begins_argument (self, name)));
  if (!is_meant && before == at && before > 0)
    {
      places = ns_secret_finder_look_at_escaped (self, before);
      is_meant = (places & NS_SECRET_ARGUMENT) != 0 &&
                 (places & (NS_SECRET_MEMBER | NS_SECRET_FIELD)) != 0;
    }
  if (!is_meant)
    return name < before && before == at && is_plain ? find_attribute (self, name, at) : 0;
  if (before < at ||
      (ns_secret_finder_get (self, value) == ' ' && (places & NS_SECRET_SWITCH) != 0))
    value = ns_secret_finder_skip_blanks (self, value);
  end = is_plain && (places & NS_SECRET_FIELD) != 0 &&
                (name == 0 || strchr ("(?&", self->text[name - 1]) == NULL) &&
                ns_secret_finder_get_quote (self, value) == 0
            ? ns_secret_finder_get_setting_end (self, name, value)
            : value;
  if (end > value)
    ns_secret_finder_add (self, value, end);
  else if (name > 0 && self->text[name - 1] == '(')
    end = ns_secret_finder_add_word (self, value, ")");
  else
    end = add_argument (self, value, &equals);
  return end > value ? end : 0;
}

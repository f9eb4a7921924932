/* Finds secrets by their names: in headers, arguments of queries and forms, and XML attributes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

static gboolean
begins_line (const NsSecretFinder *self, gsize at)
{
  while (at > 0 && ns_secret_is_blank (self->text[at - 1]))
    at--;
  return at == 0 || self->text[at - 1] == '\n' || self->text[at - 1] == '\r' ||
         (at > 1 && self->text[at - 2] == '\\' && strchr ("nr", self->text[at - 1]) != NULL);
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
      /* `/password:x`, or `password: x` in a sentence */
      gsize word = ns_secret_finder_skip_blanks (self, value);
      gsize end = ns_secret_finder_add_word (self, word, " \t,;\"'<>");

      return end > word ? end : 0;
    }
  return ns_secret_finder_add_header (self, value, n_quote, quote);
}

/* Masks the password in `://user:password@host`. */
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

/* Masks the password in `jdbc:oracle:thin:user/password@host`; @at is the colon before the user. */
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
 * @at: position of a colon
 *
 * Finds the user of a URL, `Cookie: …` in a line, `"cookie: …"` and `"cookie":"…"` in JSON.
 *
 * Returns: where to continue, or 0 without a secret
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
  /* Lenient header parsers accept spaces before the colon. */
  if (name == before ||
      (before < at && (!ns_secret_is_blank (self->text[before]) || !begins_line (self, name))))
    return 0;
  places = ns_secret_names_look (self->secrets, self->text + name, before - name);
  if ((places & (NS_SECRET_HEADER | NS_SECRET_CHALLENGE)) == 0 &&
      ((places & NS_SECRET_SWITCH) == 0 || name == 0 || self->text[name - 1] != '/'))
    return 0;
  return find_header (self, name, at, places);
}

/* Masks the value in a multipart form: `name="password"`, an empty line, the value, the
 * boundary. */
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

/* Returns whether @at is in a header line of a part of a multipart form. */
static gboolean
is_in_form_data (const NsSecretFinder *self, gsize at)
{
  gsize limit = at > NS_SECRETS_REACH ? at - NS_SECRETS_REACH : 0;

  while (at > limit && self->text[at - 1] != '\n')
    if (ns_secret_finder_begins_with (self, --at, "form-data"))
      return TRUE;
  return FALSE;
}

/* Finds `name="password"`, `type="password" value="…"` and `key="Password" value="…"`. */
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
  places = ns_secret_names_look (self->secrets, self->text + word, end - word);
  value = n_quote > 0 && (places & NS_SECRET_MEMBER) != 0
              ? ns_secret_finder_find_value_beside (self, end)
              : 0;
  if (value != 0)
    return ns_secret_finder_add_word (self, value, " \t/>");
  if ((places & (NS_SECRET_MEMBER | NS_SECRET_ARGUMENT)) == 0 || !is_in_form_data (self, name))
    return 0;
  return add_part (self, end);
}

/* Returns whether an argument of a query or a form begins at @name. */
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

/* An equals sign and its encoding. */
typedef struct
{
  gsize n_bytes; /* 0: not an equals sign */
  guint depth;   /* number of percent-encodings: the nesting depth of the URL */
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
        if (equals.depth > NS_SECRETS_MAX_BACKSLASHES)
          return equals;
      if (ns_secret_finder_begins_with (self, at + 2 * equals.depth - 1, "3D"))
        equals.n_bytes = 1 + 2 * equals.depth;
    }
  return equals;
}

/* Returns whether there is an argument separator in a URL that is encoded @depth times. */
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

/* Masks up to the end of an argument, also in a URL encoded within another one. */
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

/* Finds `"X-Api-Key" = "…"` in PowerShell hash tables, and `=>` in Ruby and PHP. */
static gsize
find_quoted_name (NsSecretFinder *self, gsize before, gsize value)
{
  gsize name = before > 1 ? ns_secret_finder_find_name (self, before - 1) : 0;

  if (ns_secret_finder_get (self, value) == '>')
    value++;
  value = ns_secret_finder_skip_blanks (self, value);
  if (name == 0 || name == before - 1 || self->text[name - 1] != self->text[before - 1] ||
      ns_secret_finder_get_quote (self, value) == 0 ||
      (ns_secret_names_look (self->secrets, self->text + name, before - 1 - name) &
       (NS_SECRET_MEMBER | NS_SECRET_HEADER)) == 0)
    return 0;
  return ns_secret_finder_add_word (self, value, "");
}

/**
 * ns_secrets_find_assigned:
 * @self: a finder
 * @at: position of an equals sign, `%3D` or `\u003d`
 *
 * Finds `?token=…`, `&token=…`, the first argument of a form, `Password=…;` in settings,
 * `(userPassword=…)` in an LDAP filter, and attributes.
 *
 * Returns: where to continue, or 0 without a secret
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
  places =
      name < before ? ns_secret_names_look (self->secrets, self->text + name, before - name) : 0;
  /* A common word is a name only at the start of an argument. */
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

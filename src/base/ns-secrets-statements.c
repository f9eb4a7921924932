/* Finds secrets in SQL statements, in source code and in connection strings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/* Returns whether @word ends at @at. */
static gboolean
ends_with (const NsSecretFinder *self, gsize at, const char *word)
{
  gsize n = strlen (word);

  return at >= n && g_ascii_strncasecmp (self->text + at - n, word, n) == 0 &&
         (at == n || !g_ascii_isalnum (self->text[at - n - 1]));
}

/* Masks a quoted text; in SQL an N may precede it. */
static gsize
add_quoted (NsSecretFinder *self, gsize at)
{
  gsize n_quote;

  if (ns_secret_finder_get (self, at) == 'N' && ns_secret_finder_get (self, at + 1) == '\'')
    at++;
  n_quote = ns_secret_finder_get_quote (self, at);
  return n_quote > 0 ? ns_secret_finder_add_word (self, at, "") : at;
}

/**
 * ns_secrets_find_statement:
 * @self: a finder
 * @at: position of a space
 *
 * Finds `IDENTIFIED BY '…'` (Oracle, MySQL) and `PASSWORD '…'` (PostgreSQL).
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_statement (NsSecretFinder *self, gsize at)
{
  static const char *const words[] = { "by", "password", "values" };
  gsize begin = ns_secret_finder_skip_blanks (self, at);
  gsize reach = MIN (at, NS_SECRETS_REACH / 4);
  gsize end;
  guint i;

  if (strchr ("'\"\\N", ns_secret_finder_get (self, begin)) == NULL || begin >= self->size)
    return 0;
  for (i = 0; i < G_N_ELEMENTS (words); i++)
    if (ends_with (self, at, words[i]))
      break;
  if (i == G_N_ELEMENTS (words))
    return 0;
  if (strcmp (words[i], "password") != 0)
    {
      static const char introduction[] = "identified ";
      gsize place = at - reach;

      while (place < at && !ns_secret_finder_begins_with (self, place, introduction))
        place++;
      if (place == at)
        return 0;
    }
  end = add_quoted (self, begin);
  return end > begin ? end : 0;
}

/**
 * ns_secrets_find_call:
 * @self: a finder
 * @at: position of an opening parenthesis
 *
 * Finds `PASSWORD('…')` and the password in `NetworkCredential('user','…')`.
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_call (NsSecretFinder *self, gsize at)
{
  gsize begin = ns_secret_finder_skip_blanks (self, at + 1);
  gsize n_quote = ns_secret_finder_get_quote (self, begin);
  gsize end;

  if (ends_with (self, at, "password"))
    {
      end = add_quoted (self, begin);
      return end > begin ? end : 0;
    }
  if (n_quote == 0 || at < 10 || g_ascii_strncasecmp (self->text + at - 10, "credential", 10) != 0)
    return 0;
  end = ns_secret_finder_find_closing (self,
                                       begin + n_quote,
                                       n_quote,
                                       MIN (self->size, begin + NS_SECRETS_REACH));
  begin = ns_secret_finder_skip_blanks (self, end + n_quote);
  if (ns_secret_finder_get (self, begin) != ',')
    return 0;
  begin = ns_secret_finder_skip_blanks (self, begin + 1);
  end = add_quoted (self, begin);
  return end > begin ? end : 0;
}

/* Returns whether another setting begins at @at. */
static gboolean
begins_setting (const NsSecretFinder *self, gsize at)
{
  gsize begin = at = ns_secret_finder_skip_blanks (self, at);

  while (at < self->size && at - begin < NS_SECRET_NAMES_MAX_NAME &&
         (ns_secret_is_name_char (self->text[at]) || self->text[at] == ' '))
    at++;
  return at > begin && ns_secret_finder_get (self, at) == '=';
}

/* Returns the length of an entity such as `&amp;`, or 0. */
static gsize
get_entity (const NsSecretFinder *self, gsize at)
{
  static const char *const entities[] = { "&amp;", "&lt;",  "&gt;",  "&quot;", "&apos;",
                                          "&#34;", "&#38;", "&#39;", "&#60;",  "&#62;" };
  guint i;

  for (i = 0; ns_secret_finder_get (self, at) == '&' && i < G_N_ELEMENTS (entities); i++)
    if (ns_secret_finder_begins_with (self, at, entities[i]))
      return strlen (entities[i]);
  return 0;
}

/* Returns the end of `{…}` or `&quot;…&quot;` at @at; @at if there is none. */
static gsize
get_enclosed_end (const NsSecretFinder *self, gsize at)
{
  static const char quote[] = "&quot;";
  gsize limit = MIN (self->size, at + NS_SECRETS_REACH);
  gboolean is_brace = ns_secret_finder_get (self, at) == '{';
  gsize end = at + (is_brace ? 1 : sizeof quote - 1);

  if (!is_brace && !ns_secret_finder_begins_with (self, at, quote))
    return at;
  for (; end < limit && self->text[end] != '\n' && self->text[end] != '\0'; end++)
    if (is_brace && self->text[end] == '}' && ns_secret_finder_get (self, end + 1) == '}')
      end++;
    else if (is_brace && self->text[end] == '}')
      return end + 1;
    else if (!is_brace && ns_secret_finder_begins_with (self, end, quote))
      return end + sizeof quote - 1;
  return at;
}

/**
 * ns_secret_finder_get_setting_end:
 * @self: a finder
 * @name: start of the name of a password
 * @at: start of its value
 *
 * Passwords in connection strings (`Server=…;Password=…;`) may contain the separators of URL
 * arguments; they end at a semicolon, unless they are enclosed.
 *
 * Returns: the end of the value, or @at if this is not a connection string
 */
gsize
ns_secret_finder_get_setting_end (const NsSecretFinder *self, gsize name, gsize at)
{
  gsize limit = MIN (self->size, at + NS_SECRETS_REACH);
  gsize end = get_enclosed_end (self, at);
  gsize word_end = 0;
  gboolean is_after;

  if (end > at)
    return end;
  while (name > 0 && ns_secret_is_blank (self->text[name - 1]))
    name--;
  is_after = name > 0 && self->text[name - 1] == ';';
  while (end < limit && (guint8) self->text[end] >= ' ' &&
         strchr (";\"'<>", self->text[end]) == NULL)
    {
      gsize entity = get_entity (self, end);

      /* A URL query. */
      if (self->text[end] == '&' && begins_setting (self, end + MAX (entity, 1)))
        return word_end > at ? word_end : at;
      if (word_end == 0 && self->text[end] == ' ')
        word_end = end;
      end += MAX (entity, 1);
    }
  end = MIN (end, limit);
  if (ns_secret_finder_get (self, end) == ';' && begins_setting (self, end + 1))
    return end;
  return is_after ? (word_end > at ? word_end : end) : at;
}

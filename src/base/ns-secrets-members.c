/* Finds secrets in members of JSON, also of JSON encoded in a URL argument.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/* Decodes one character of a name (`%77`, `\u0077`); returns the position of the next one. */
static gsize
read_name_char (const NsSecretFinder *self, gsize at, char *c)
{
  gsize digits = at + 1;

  *c = self->text[at];
  if (*c == '\\' && ns_secret_finder_begins_with (self, at, "\\u00"))
    digits = at + 4;
  else if (*c != '%')
    return at + 1;
  if (!ns_secret_finder_has_hex (self, digits))
    return at + 1;
  *c = (char) (g_ascii_xdigit_value (self->text[digits]) << 4 |
               g_ascii_xdigit_value (self->text[digits + 1]));
  return digits + 2;
}

/**
 * ns_secret_finder_look_at_escaped:
 * @self: a finder
 * @at: end of a name with escapes or brackets, such as `pass%77ord`, `user[password]` and
 *   `pass\u0077ord`
 *
 * Returns: the places in which a value with that name is secret
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
  return is_escaped && n > 0 ? ns_secret_names_look (self->secrets, name, n) : NS_SECRET_NOWHERE;
}

/* Masks a value that is an array, an object or a number. */
static gsize
add_other_member (NsSecretFinder *self, gsize at)
{
  gsize limit = MIN (self->size, at + NS_SECRETS_MAX_ELEMENT);
  gsize end = at;

  if (ns_secret_finder_get (self, at) == '[' || ns_secret_finder_get (self, at) == '{')
    {
      guint depth = 0;

      for (; end < limit; end++)
        if (self->text[end] == '[' || self->text[end] == '{')
          depth++;
        else if ((self->text[end] == ']' || self->text[end] == '}') && --depth == 0)
          break;
      ns_secret_finder_add (self, at + 1, end);
      return end;
    }
  while (end < self->size && (g_ascii_isdigit (self->text[end]) || self->text[end] == '-'))
    end++;
  ns_secret_finder_add (self, at, end);
  return end > at ? end : 0;
}

/**
 * ns_secret_finder_find_value_beside:
 * @self: a finder
 * @at: position after `{"name":"Cookie"` or `<add key="Password"`
 *
 * Returns: the start of the associated value, or 0 if there is none nearby
 */
gsize
ns_secret_finder_find_value_beside (const NsSecretFinder *self, gsize at)
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
      if (!ns_secret_finder_begins_with (self, at, "value") ||
          ns_secret_is_name_char (self->text[at - 1]))
        continue;
      value += ns_secret_finder_get_quote (self, value);
      value = ns_secret_finder_skip_blanks (self, value);
      if (ns_secret_finder_get (self, value) == ':' || ns_secret_finder_get (self, value) == '=')
        return ns_secret_finder_skip_blanks (self, value + 1);
    }
  return 0;
}

/* Masks the value in `{"value":"…","name":"Cookie"}`; @at is the start of the key `name`. */
static void
add_value_before (NsSecretFinder *self, gsize at)
{
  gsize limit = at > NS_SECRETS_REACH ? at - NS_SECRETS_REACH : 0;
  gsize begin = at;

  while (begin > limit && self->text[begin - 1] != '{' && self->text[begin - 1] != '}')
    begin--;
  for (; begin + 5 < at; begin++)
    {
      gsize value = begin + 5;

      if (!ns_secret_finder_begins_with (self, begin, "value") || begin == 0 ||
          strchr ("\"'", self->text[begin - 1]) == NULL)
        continue;
      value = ns_secret_finder_skip_space (self, value + ns_secret_finder_get_quote (self, value));
      if (ns_secret_finder_get (self, value) == ':')
        ns_secret_finder_add_word (self, ns_secret_finder_skip_space (self, value + 1), ",}]");
      return;
    }
}

/* Returns whether another member (`domain`, `httpOnly`) shows that the object is a cookie. */
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
        (ns_secret_finder_begins_with (self, i, "domain") ||
         ns_secret_finder_begins_with (self, i, "httponly")))
      return TRUE;
  return FALSE;
}

/* Returns whether the Base64 text decodes to bytes with a secret. */
static gboolean
has_secret_in_base64 (const NsSecretFinder *self, gsize begin, gsize end)
{
  g_autofree char *text = g_strndup (self->text + begin, end - begin);
  gsize n_bytes = 0;
  g_autofree guchar *bytes = g_base64_decode (text, &n_bytes);
  NsSecretFinder inner = { .secrets = self->secrets,
                           .text = (const char *) bytes,
                           .size = n_bytes,
                           .search = self->search,
                           .is_decoded = TRUE };
  g_autoptr (GArray) ranges = NULL;

  if (n_bytes > 0)
    self->search (&inner);
  ranges = inner.ranges;
  return ranges != NULL;
}

/* Masks `"bytes":"…"` in netlogs: data that a socket sent or received. */
static gsize
find_bytes (NsSecretFinder *self, gsize value, gsize n_quote)
{
  gsize begin = value + n_quote;
  gsize end = ns_secret_finder_find_closing (self, begin, n_quote, self->size);

  if (end == begin || self->is_decoded || !has_secret_in_base64 (self, begin, end))
    return 0;
  ns_secret_finder_add (self, begin, end);
  return end;
}

/**
 * ns_secrets_find_member:
 * @self: a finder
 * @name_end: end of a name, before its closing quote
 * @at: position of the colon after it
 *
 * Finds `"cookie":"…"`, and `"name":"Cookie"` with its value.
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_member (NsSecretFinder *self, gsize name_end, gsize at)
{
  gsize name = ns_secret_finder_find_name (self, name_end);
  gsize value = ns_secret_finder_skip_space (self, at + 1);
  gsize n_quote = ns_secret_finder_get_quote (self, value);
  gsize n_name = name_end - name;
  guint places;

  if (name == 0 || n_name == 0)
    return 0;
  if (strchr ("\"'", self->text[name - 1]) == NULL)
    places = ns_secret_finder_look_at_escaped (self, name_end);
  else
    places = ns_secret_names_look (self->secrets, self->text + name, n_name);
  if ((places & (NS_SECRET_MEMBER | NS_SECRET_HEADER)) != 0)
    return n_quote > 0 ? ns_secret_finder_add_word (self, value, "")
                       : add_other_member (self, value);
  if ((places & NS_SECRET_CHALLENGE) != 0 && n_quote > 0)
    {
      value = ns_secret_finder_skip_scheme (self, value + n_quote);
      return value != 0 ? ns_secret_finder_add_header (self, value, 1, '"') : 0;
    }
  if (n_quote == 0 || n_name > 5 || strchr ("\"'", self->text[name - 1]) == NULL)
    return 0;
  if (ns_secret_finder_begins_with (self, name, "bytes") && n_name == 5)
    return find_bytes (self, value, n_quote);
  if (ns_secret_finder_begins_with (self, name, "value") && n_name == 5 &&
      has_domain_beside (self, name - 1))
    return ns_secret_finder_add_word (self, value, "");
  if ((n_name == 4 && ns_secret_finder_begins_with (self, name, "name")) ||
      (n_name == 3 && ns_secret_finder_begins_with (self, name, "key")))
    {
      gsize word = value + n_quote;
      gsize end = ns_secret_finder_find_closing (self,
                                                 word,
                                                 n_quote,
                                                 ns_secret_finder_get_name_limit (self, word));

      if (end - word > NS_SECRET_NAMES_MAX_NAME ||
          (ns_secret_names_look (self->secrets, self->text + word, end - word) &
           (NS_SECRET_HEADER | NS_SECRET_MEMBER)) == 0)
        return 0;
      value = ns_secret_finder_find_value_beside (self, end);
      if (value != 0)
        return ns_secret_finder_add_word (self, value, ",}]");
      add_value_before (self, name);
    }
  return 0;
}

/**
 * ns_secrets_find_encoded_member:
 * @self: a finder
 * @at: position of `%3A`
 *
 * Finds `%22password%22%3A%22…%22`, a JSON member in a URL argument.
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_encoded_member (NsSecretFinder *self, gsize at)
{
  gsize value = at + 3;
  gsize name;
  gsize end;

  if (at < 4 || !ns_secret_finder_begins_with (self, at, "%3A") ||
      !ns_secret_finder_begins_with (self, at - 3, "%22"))
    return 0;
  name = ns_secret_finder_find_name (self, at - 3);
  if (name == at - 3 || (ns_secret_names_look (self->secrets, self->text + name, at - 3 - name) &
                         (NS_SECRET_MEMBER | NS_SECRET_HEADER)) == 0)
    return 0;
  while (ns_secret_finder_get (self, value) == '+' ||
         ns_secret_finder_begins_with (self, value, "%20"))
    value += self->text[value] == '+' ? 1 : 3;
  if (ns_secret_finder_begins_with (self, value, "%22"))
    value += 3;
  for (end = value; end < self->size && self->text[end] > ' ' && self->text[end] != '&'; end++)
    if (self->text[end] == '%' && ns_secret_finder_begins_with (self, end, "%22") &&
        !ns_secret_finder_begins_with (self, end - 3, "%5C"))
      break;
  ns_secret_finder_add (self, value, end);
  return end > value ? end : 0;
}

/**
 * ns_secrets_find_pair:
 * @self: a finder
 * @at: position of a comma
 *
 * Finds `"Authorization","…"`, a header as an array of two strings.
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_pair (NsSecretFinder *self, gsize at)
{
  gsize value = ns_secret_finder_skip_space (self, at + 1);
  gsize n_quote = ns_secret_finder_get_quote (self, value);
  gsize before = at;
  gsize name;
  gsize end;

  if (at < 3 || strchr ("\"'", self->text[at - 1]) == NULL || n_quote == 0)
    return 0;
  before--;
  while (before > 0 && self->text[before - 1] == '\\')
    before--;
  name = ns_secret_finder_find_name (self, before);
  if (name == 0 || name == before || strchr ("\"'", self->text[name - 1]) == NULL ||
      (ns_secret_names_look (self->secrets, self->text + name, before - name) & NS_SECRET_HEADER) ==
          0)
    return 0;
  value += n_quote;
  end = ns_secret_finder_find_closing (self, value, n_quote, self->size);
  /* Not a value, but the name of the next member. */
  if (ns_secret_finder_get (self, ns_secret_finder_skip_space (self, end + n_quote)) == ':')
    return 0;
  ns_secret_finder_add (self, value, end);
  return end > value ? end : 0;
}

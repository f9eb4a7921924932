/* What must not be seen of a trace unless the user says so: passwords, cookies, tokens.
 *
 * They are found by the forms in which they travel: the user of a URL, arguments of a query with a
 * name that says what they are, and headers that carry credentials, in lines or in JSON.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"

#include <string.h>

/* From here to there a text is secret. */
typedef struct
{
  gsize begin;
  gsize end;
} Range;

static gint is_shown;

/**
 * ns_secrets_are_shown:
 *
 * From any thread.
 *
 * Returns: %TRUE if the user wants to see them
 */
gboolean
ns_secrets_are_shown (void)
{
  return g_atomic_int_get (&is_shown);
}

/**
 * ns_secrets_show:
 * @shown: whether secrets are seen; they are not until somebody says so
 *
 * Holds for traces that are opened from now on: rows never hold what is hidden.
 */
void
ns_secrets_show (gboolean shown)
{
  g_atomic_int_set (&is_shown, shown);
}

static gboolean
is_one_of (const char *const *words, const char *text, gsize n_bytes)
{
  for (; *words != NULL; words++)
    if (strlen (*words) == n_bytes && g_ascii_strncasecmp (*words, text, n_bytes) == 0)
      return TRUE;
  return FALSE;
}

/**
 * ns_secrets_is_secret_name:
 * @name: (nullable): name of a field
 *
 * Returns: %TRUE if its value is secret whatever it says
 */
gboolean
ns_secrets_is_secret_name (const char *name)
{
  static const char *const names[] = { "password", "passwd",     "pwd", "authorization",
                                       "cookie",   "set-cookie", NULL };

  return name != NULL && is_one_of (names, name, strlen (name));
}

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.';
}

/* The name that ends before @at. */
static gsize
find_name (const char *text, gsize at)
{
  while (at > 0 && is_name_char (text[at - 1]))
    at--;
  return at;
}

static gsize
find_end (const char *text, gsize begin, gsize size, const char *enders)
{
  while (begin < size && text[begin] != '\0' && strchr (enders, text[begin]) == NULL)
    begin++;
  return begin;
}

/* `://user:password@host`: at the colon. */
static gboolean
find_user (const char *text, gsize at, gsize size, Range *range)
{
  gsize end;

  if (size - at < 3 || text[at + 1] != '/' || text[at + 2] != '/')
    return FALSE;
  range->begin = at + 3;
  end = find_end (text, range->begin, size, "/?#\\ \t\r\n\"'<>");
  while (end > range->begin && text[end - 1] != '@')
    end--;
  range->end = end > range->begin ? end - 1 : range->begin;
  return range->end > range->begin;
}

/* `Cookie: …` in a line, `"cookie: …"` and `"cookie":"…"` in JSON: at the colon. */
static gboolean
find_header (const char *text, gsize at, gsize size, Range *range)
{
  static const char *const headers[] = { "authorization",
                                         "proxy-authorization",
                                         "cookie",
                                         "set-cookie",
                                         NULL };
  gboolean is_member = at > 0 && text[at - 1] == '"';
  gsize name_end = is_member ? at - 1 : at;
  gsize name = find_name (text, name_end);
  gboolean is_quoted = name > 0 && text[name - 1] == '"';

  if (!is_one_of (headers, text + name, name_end - name) || (is_member && !is_quoted))
    return FALSE;
  for (at++; at < size && (text[at] == ' ' || text[at] == '\t'); at++)
    ;
  if (is_member)
    {
      if (at == size || text[at] != '"')
        return FALSE;
      at++;
    }
  range->begin = at;
  for (; at < size && text[at] != '\r' && text[at] != '\n'; at++)
    {
      if (is_quoted && text[at] == '"')
        break;
      if (is_quoted && text[at] == '\\' && at + 1 < size)
        at++;
    }
  range->end = MIN (at, size);
  return range->end > range->begin;
}

/* `?token=…`, `&token=…`, and the first argument of a form: at the equals sign. */
static gboolean
find_argument (const char *text, gsize at, gsize size, Range *range)
{
  static const char *const arguments[] = {
    "access_token",  "api_key",       "api-key",   "apikey",     "auth",
    "authorization", "client_secret", "code",      "id_token",   "jwt",
    "key",           "pass",          "passwd",    "password",   "pwd",
    "refresh_token", "secret",        "session",   "session_id", "sessionid",
    "sid",           "sig",           "signature", "token",      NULL
  };
  gsize name = find_name (text, at);

  if (name > 0 && text[name - 1] != '?' && text[name - 1] != '&')
    return FALSE;
  if (!is_one_of (arguments, text + name, at - name))
    return FALSE;
  range->begin = at + 1;
  range->end = find_end (text, range->begin, size, "&#; \t\r\n\"'<>");
  return range->end > range->begin;
}

static void
add_ranges (GArray *ranges, const char *text, gsize size)
{
  gsize at = 0;

  while (at < size)
    {
      Range range;
      gboolean found = FALSE;

      if (text[at] == ':')
        found = find_user (text, at, size, &range) || find_header (text, at, size, &range);
      else if (text[at] == '=')
        found = find_argument (text, at, size, &range);
      if (found)
        g_array_append_val (ranges, range);
      at = found ? range.end : at + 1;
    }
}

/**
 * ns_secrets_mask_tail:
 * @text: a text
 * @begin: where the part to look at begins, which goes on to the end
 *
 * Puts dots in the place of what is secret, unless secrets are shown.
 *
 * Returns: %TRUE if there was something
 */
gboolean
ns_secrets_mask_tail (GString *text, gsize begin)
{
  gsize size = text->len - begin;
  g_autoptr (GArray) ranges = NULL;
  g_autofree char *copy = NULL;
  gsize from = 0;
  guint i;

  if (size == 0 || (memchr (text->str + begin, ':', size) == NULL &&
                    memchr (text->str + begin, '=', size) == NULL))
    return FALSE;
  if (ns_secrets_are_shown ())
    return FALSE;
  ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  add_ranges (ranges, text->str + begin, size);
  if (ranges->len == 0)
    return FALSE;

  copy = g_memdup2 (text->str + begin, size);
  g_string_truncate (text, begin);
  for (i = 0; i < ranges->len; i++)
    {
      const Range *range = &g_array_index (ranges, Range, i);

      g_string_append_len (text, copy + from, (gssize) (range->begin - from));
      g_string_append (text, NS_SECRETS_MASK);
      from = range->end;
    }
  g_string_append_len (text, copy + from, (gssize) (size - from));
  return TRUE;
}

static gboolean
mask_narrow (guint8 *data, gsize size)
{
  g_autoptr (GArray) ranges = NULL;
  guint i;

  if (size == 0 || (memchr (data, ':', size) == NULL && memchr (data, '=', size) == NULL))
    return FALSE;
  ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  add_ranges (ranges, (const char *) data, size);
  for (i = 0; i < ranges->len; i++)
    {
      const Range *range = &g_array_index (ranges, Range, i);

      memset (data + range->begin, NS_SECRETS_BYTE, range->end - range->begin);
    }
  return ranges->len > 0;
}

/* What follows may be a secret in UTF-16. */
static gboolean
has_wide_sign (const guint8 *data, gsize size)
{
  gsize i;

  for (i = 0; i + 1 < size; i++)
    if (data[i + 1] == 0 && (data[i] == ':' || data[i] == '='))
      return TRUE;
  return FALSE;
}

/* The same in UTF-16, whose letters are in every other byte; what is no Latin letter is no name. */
static gboolean
mask_wide (guint8 *data, gsize size)
{
  gsize n_units = size / 2;
  g_autofree guint8 *narrow = g_malloc (n_units);
  gsize i;

  for (i = 0; i < n_units; i++)
    narrow[i] = data[2 * i + 1] == 0 ? data[2 * i] : 0x7f;
  if (!mask_narrow (narrow, n_units))
    return FALSE;
  for (i = 0; i < n_units; i++)
    if (narrow[i] == NS_SECRETS_BYTE)
      {
        data[2 * i] = NS_SECRETS_BYTE;
        data[2 * i + 1] = 0;
      }
  return TRUE;
}

/**
 * ns_secrets_mask_bytes:
 * @data: (array length=size) (nullable): bytes that may be text, of one or two bytes a character
 * @size: how many
 *
 * Puts asterisks in the place of what is secret, unless secrets are shown; nothing moves.
 *
 * Returns: %TRUE if there was something
 */
gboolean
ns_secrets_mask_bytes (guint8 *data, gsize size)
{
  gboolean found;

  if (size == 0 || ns_secrets_are_shown ())
    return FALSE;
  found = mask_narrow (data, size);
  if (has_wide_sign (data, size))
    {
      found |= mask_wide (data, size);
      found |= mask_wide (data + 1, size - 1);
    }
  return found;
}

/**
 * ns_secrets_dup_masked:
 * @data: (array length=size) (nullable): bytes that may be text
 * @size: how many
 *
 * Returns: (transfer full) (nullable): a copy with asterisks in the place of what is secret; %NULL
 *   when nothing is
 */
guint8 *
ns_secrets_dup_masked (const guint8 *data, gsize size)
{
  g_autofree guint8 *copy = NULL;

  if (size == 0 || ns_secrets_are_shown () ||
      (memchr (data, ':', size) == NULL && memchr (data, '=', size) == NULL))
    return NULL;
  copy = g_memdup2 (data, size);
  return ns_secrets_mask_bytes (copy, size) ? g_steal_pointer (&copy) : NULL;
}

/* Finds secrets by their form, without a name: credentials after an authentication scheme, JSON web
 * tokens, private keys.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/* Minimum length of a Base64 token; shorter texts are words. */
#define MIN_BLOB 16
/* Maximum length of the Base64 of a user and a password. */
#define MAX_BASIC 512

static gboolean
is_base64 (char c)
{
  return g_ascii_isalnum (c) || c == '+' || c == '/' || c == '=' || c == '-' || c == '_';
}

static gsize
get_base64_end (const NsSecretFinder *self, gsize at)
{
  while (at < self->size && is_base64 (self->text[at]))
    at++;
  return at;
}

static gboolean
ends_with (const NsSecretFinder *self, gsize at, const char *word)
{
  gsize n = strlen (word);

  return at >= n && g_ascii_strncasecmp (self->text + at - n, word, n) == 0 &&
         (at == n || !g_ascii_isalnum (self->text[at - n - 1]));
}

/* Returns whether the text is the Base64 of `user:password` (RFC 7617), and not a word. */
static gboolean
is_basic (const NsSecretFinder *self, gsize begin, gsize end)
{
  g_autofree char *text = NULL;
  g_autofree guchar *plain = NULL;
  gsize n_plain = 0;
  gsize i;

  if (end - begin < 4 || end - begin > MAX_BASIC)
    return FALSE;
  text = g_strndup (self->text + begin, end - begin);
  plain = g_base64_decode (text, &n_plain);
  for (i = 0; i < n_plain; i++)
    if (plain[i] < ' ')
      return FALSE;
  return memchr (plain, ':', n_plain) != NULL;
}

/**
 * ns_secrets_find_scheme:
 * @self: a finder
 * @at: position of a space
 *
 * Finds the credentials after `Bearer`, `Basic` and other schemes, and NTLM messages in Base64.
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_scheme (NsSecretFinder *self, gsize at)
{
  static const char *const blobs[] = { "negotiate", "ntlm", "kerberos" };
  gsize begin = at + 1;
  gsize end;
  guint i;

  if (ends_with (self, at, "bearer"))
    {
      end = ns_secret_finder_add_word (self, begin, " ,;\"'<>");
      return end > begin ? end : 0;
    }
  end = get_base64_end (self, begin);
  if (end - begin < 4)
    return 0;
  if (ends_with (self, at, "basic") && is_basic (self, begin, end))
    {
      ns_secret_finder_add (self, begin, end);
      return end;
    }
  if (end - begin < MIN_BLOB)
    return 0;
  for (i = 0; i < G_N_ELEMENTS (blobs); i++)
    if (ends_with (self, at, blobs[i]))
      break;
  /* NTLM signature ([MS-NLMP] 2.2.1), and a GSS-API token of more than 255 bytes */
  if (i == G_N_ELEMENTS (blobs) && memcmp (self->text + begin, "TlRMTVNTUAA", 11) != 0)
    return 0;
  ns_secret_finder_add (self, begin, end);
  return end;
}

/* Returns whether the text is the header of a token (RFC 7515, 4; RFC 7516, 4), which names its
 * algorithm. */
static gboolean
is_token_head (const NsSecretFinder *self, gsize begin, gsize end)
{
  g_autofree char *text = g_strndup (self->text + begin, end - begin);
  gsize n_plain = 0;
  g_autofree guchar *plain = NULL;

  plain = g_base64_decode (g_strdelimit (text, "-_", '+'), &n_plain);
  return g_strstr_len ((const char *) plain, (gssize) n_plain, "\"alg\"") != NULL;
}

static gboolean
is_token_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_';
}

/**
 * ns_secrets_find_jwt:
 * @self: a finder
 * @at: position of a dot
 *
 * Finds JSON web tokens anywhere: `header.payload.signature` in Base64 (RFC 7519), and encrypted
 * ones with five parts (RFC 7516).
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_jwt (NsSecretFinder *self, gsize at)
{
  gsize begin = at;
  gboolean is_signed = self->size - at >= 4 && memcmp (self->text + at + 1, "eyJ", 3) == 0;
  gsize end = at;
  guint n_dots = 0;

  while (begin > 0 && at - begin < NS_SECRETS_REACH && is_token_char (self->text[begin - 1]))
    begin--;
  if (at - begin < 4 || memcmp (self->text + begin, "eyJ", 3) != 0 ||
      (!is_signed && !is_token_head (self, begin, at)))
    return 0;
  while (end < self->size && (is_token_char (self->text[end]) || self->text[end] == '.'))
    n_dots += self->text[end++] == '.';
  if (!is_signed && n_dots < 2)
    return 0;
  ns_secret_finder_add (self, begin, end);
  return end;
}

/* Masks from @begin to the text @stop, or up to the maximum size of a key. */
static gsize
hide_key (NsSecretFinder *self, gsize begin, const char *stop)
{
  gsize n = MIN (self->size - begin, (gsize) NS_SECRETS_MAX_ELEMENT);
  const char *end = g_strstr_len (self->text + begin, (gssize) n, stop);
  gsize at = end != NULL ? (gsize) (end - self->text) : begin + n;

  ns_secret_finder_add (self, begin, at);
  return at;
}

/* Finds a PuTTY key by the hyphen at @at: “Private-Lines: 1”, the lines, “Private-MAC: …”. */
static gsize
find_putty_key (NsSecretFinder *self, gsize at)
{
  static const char word[] = "Private-Lines: ";
  const gsize n_before = 7;
  const char *line;

  if (at < n_before || self->size - at < sizeof word - 1 - n_before ||
      memcmp (self->text + at - n_before, word, sizeof word - 1) != 0)
    return 0;
  at += sizeof word - 1 - n_before;
  line = memchr (self->text + at, '\n', MIN (self->size - at, (gsize) 16));
  if (line == NULL || (gsize) (line + 1 - self->text) >= self->size)
    return 0;
  return hide_key (self, (gsize) (line + 1 - self->text), "Private-");
}

/**
 * ns_secrets_find_private_key:
 * @self: a finder
 * @at: position of a hyphen
 *
 * Finds the content of `-----BEGIN … PRIVATE KEY-----` (RFC 7468), and of the formats of OpenPGP
 * (RFC 4880, 6.2), SSH Communications (four hyphens and a space) and PuTTY.
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_private_key (NsSecretFinder *self, gsize at)
{
  static const struct
  {
    const char *label;
    const char *kind;
    const char *end;
  } forms[] = {
    { "-----BEGIN ", "PRIVATE KEY-----", "-----END" },
    { "-----BEGIN ", "PRIVATE KEY BLOCK-----", "-----END" },
    { "---- BEGIN ", "PRIVATE KEY ----", "---- END" },
  };
  const char *text = self->text + at;
  gsize n_left = self->size - at;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      gsize n_label = strlen (forms[i].label);
      const char *kind;
      gsize begin;

      if (n_left <= n_label || memcmp (text, forms[i].label, n_label) != 0)
        continue;
      kind = g_strstr_len (text, (gssize) MIN (n_left, 64), forms[i].kind);
      if (kind == NULL)
        continue;
      begin = (gsize) (kind - self->text) + strlen (forms[i].kind);
      return begin < self->size ? hide_key (self, begin, forms[i].end) : 0;
    }
  return find_putty_key (self, at);
}

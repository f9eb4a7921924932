/* Finds secrets by the word before them, in lines of text protocols and in command line switches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/* Maximum number of lines in which a client answers the challenges of a login. */
#define MAX_ANSWERS 4
/* Maximum number of rules of a Redis SETUSER command. */
#define MAX_RULES 64

/**
 * ns_secret_finder_is_word:
 * @self: a finder
 * @word: a word of its text
 * @text: the text to compare with
 *
 * Returns: whether both are equal, ignoring case
 */
gboolean
ns_secret_finder_is_word (const NsSecretFinder *self, const NsSecretWord *word, const char *text)
{
  gsize n = strlen (text);

  return word->end - word->begin == n &&
         g_ascii_strncasecmp (self->text + word->begin, text, n) == 0;
}

/**
 * ns_secret_finder_is_one_of:
 * @self: a finder
 * @word: a word of its text
 * @texts: (array zero-terminated=1): the texts to compare with
 *
 * Returns: whether it equals one of them, ignoring case
 */
gboolean
ns_secret_finder_is_one_of (const NsSecretFinder *self,
                            const NsSecretWord *word,
                            const char *const *texts)
{
  for (; *texts != NULL; texts++)
    if (ns_secret_finder_is_word (self, word, *texts))
      return TRUE;
  return FALSE;
}

/**
 * ns_secret_finder_is_value:
 * @self: a finder
 * @at: start of a word of a command
 *
 * Returns: whether it may be a value rather than a switch
 */
gboolean
ns_secret_finder_is_value (const NsSecretFinder *self, gsize at)
{
  return at < self->size && strchr ("-/|&<>;,)}", self->text[at]) == NULL && self->text[at] > ' ';
}

/* Returns the word at @at; text protocols separate words by a single space. */
static NsSecretWord
get_word (const NsSecretFinder *self, gsize at)
{
  NsSecretWord word = { at, at };

  while (word.end < self->size && self->text[word.end] > ' ')
    word.end++;
  return word;
}

/* Returns the start of the next line. */
static gsize
get_next_line (const NsSecretFinder *self, gsize at)
{
  if (at < self->size && self->text[at] == '\r')
    at++;
  return at < self->size && self->text[at] == '\n' ? at + 1 : self->size;
}

/* Returns whether the line is Base64, and not a command of the protocol. */
static gboolean
is_answer (const NsSecretFinder *self, gsize begin, gsize end)
{
  static const char *const commands[] = { "DATA", "QUIT", "RSET",     "NOOP", "STAT",
                                          "LIST", "CAPA", "STARTTLS", "PING", NULL };
  NsSecretWord word = { begin, end };
  gsize i;

  if (begin == end || ns_secret_finder_is_one_of (self, &word, commands))
    return FALSE;
  for (i = begin; i < end; i++)
    if (!g_ascii_isalnum (self->text[i]) && strchr ("+/=", self->text[i]) == NULL)
      return FALSE;
  return TRUE;
}

static gsize
add_answers (NsSecretFinder *self, gsize at)
{
  guint i;

  for (i = 0; i < MAX_ANSWERS; i++)
    {
      gsize begin = get_next_line (self, at);
      gsize end = ns_secret_finder_get_line_end (self, begin);

      if (!is_answer (self, begin, end))
        break;
      ns_secret_finder_add (self, begin, end);
      at = end;
    }
  return at;
}

/* Masks the rest of the line, and the next line if this one ends with the length of a literal
 * (IMAP, `{8}`). */
static gsize
add_rest (NsSecretFinder *self, gsize at)
{
  gsize end = ns_secret_finder_get_line_end (self, at);

  ns_secret_finder_add (self, at, end);
  while (end > at && self->text[end - 1] == '}')
    {
      at = get_next_line (self, end);
      end = ns_secret_finder_get_line_end (self, at);
      ns_secret_finder_add (self, at, end);
    }
  return end;
}

/* Masks the password in `LOGIN user password`; @at is the start of the user. */
static gsize
add_login (NsSecretFinder *self, gsize at)
{
  NsSecretWord user = get_word (self, at);

  if (user.end < self->size && self->text[user.end] == ' ')
    return add_rest (self, user.end + 1);
  /* The user is a literal. */
  if (user.end > user.begin && self->text[user.end - 1] == '}')
    return add_rest (self, at);
  return 0;
}

/* Masks Redis bulk strings (`$6\r\nsecret`): at most a user and a password. */
static gsize
add_counted (NsSecretFinder *self, gsize at)
{
  guint i;

  for (i = 0; i < 2; i++)
    {
      gsize count = get_next_line (self, at);
      gsize begin = get_next_line (self, ns_secret_finder_get_line_end (self, count));
      gsize n_bytes = 0;

      if (count >= self->size || self->text[count] != '$')
        break;
      while (g_ascii_isdigit (self->text[++count]) && n_bytes < self->size)
        n_bytes = n_bytes * 10 + (gsize) g_ascii_digit_value (self->text[count]);
      at = MIN (self->size, begin + n_bytes);
      ns_secret_finder_add (self, begin, at);
    }
  return at;
}

/* Masks `AUTH PLAIN …` with the answers in the next lines, or `AUTH secret` (Redis). */
static gsize
add_exchange (NsSecretFinder *self, gsize at)
{
  static const char *const without[] = { "TLS", "SSL", "TLS-C", "TLS-P", NULL };
  /* From the IANA registry “SASL Mechanisms”, and mechanisms of Microsoft's servers. */
  static const char *const ways[] = { "PLAIN",       "LOGIN",         "CRAM-MD5", "DIGEST-MD5",
                                      "NTLM",        "GSSAPI",        "XOAUTH2",  "GSS-SPNEGO",
                                      "OAUTHBEARER", "KERBEROS_V4",   "EXTERNAL", "ANONYMOUS",
                                      "SCRAM-SHA-1", "SCRAM-SHA-256", "XOAUTH",   "SPNEGO",
                                      "OTP",         "SKEY",          "MSN",      NULL };
  NsSecretWord way = get_word (self, at);
  gsize line_end = ns_secret_finder_get_line_end (self, at);

  if (way.end == way.begin || ns_secret_finder_is_one_of (self, &way, without))
    return 0;
  if (way.end == line_end && !ns_secret_finder_is_one_of (self, &way, ways))
    {
      ns_secret_finder_add (self, way.begin, way.end);
      return add_answers (self, way.end);
    }
  if (way.end < self->size && self->text[way.end] == ' ')
    return add_answers (self, add_rest (self, way.end + 1));
  return add_answers (self, way.end);
}

/* Masks `CONFIG SET requirepass …`, `HELLO 3 AUTH user …`, `ACL SETUSER user on >…` (Redis); @at is
 * the start of the third word. */
static gsize
add_setting (NsSecretFinder *self, const NsSecretWord *first, gsize at)
{
  static const char *const passwords[] = { "requirepass", "masterauth", NULL };
  NsSecretWord third = get_word (self, at);

  if (third.end >= self->size || self->text[third.end] != ' ')
    return 0;
  if (ns_secret_finder_is_word (self, first, "HELLO"))
    return ns_secret_finder_is_word (self, &third, "AUTH") ? add_login (self, third.end + 1) : 0;
  if (ns_secret_finder_is_word (self, first, "CONFIG") &&
      !ns_secret_finder_is_one_of (self, &third, passwords))
    return 0;
  return add_rest (self, third.end + 1);
}

/* Masks the rules of SETUSER in bulk strings: `>…` is a password, `#…` the hash of one. */
static gsize
add_counted_rules (NsSecretFinder *self, gsize at)
{
  guint i;

  for (i = 0; i < MAX_RULES; i++)
    {
      gsize count = get_next_line (self, at);
      gsize begin = get_next_line (self, ns_secret_finder_get_line_end (self, count));

      if (count >= self->size || self->text[count] != '$')
        break;
      at = ns_secret_finder_get_line_end (self, begin);
      if (begin < self->size && strchr (">#", self->text[begin]) != NULL)
        ns_secret_finder_add (self, begin + 1, at);
    }
  return at;
}

/**
 * ns_secrets_find_protocol_line:
 * @self: a finder
 * @at: start of a line
 *
 * Finds logins: `PASS …` and `ACCT …` (FTP, POP3, IRC), `APOP`, `OPER`, `AUTH …` (SMTP, POP3),
 * `AUTHINFO PASS …` (NNTP), `a1 LOGIN user …` and `a1 AUTHENTICATE …` (IMAP); `AUTH …` and commands
 * that set a password, as inline commands or bulk strings (Redis).
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_protocol_line (NsSecretFinder *self, gsize at)
{
  static const char *const whole[] = { "PASS", "ACCT", NULL };
  static const char *const counted[] = { "AUTH", "REQUIREPASS", "MASTERAUTH", NULL };
  NsSecretWord first = get_word (self, at);
  NsSecretWord second;

  if (first.end + 3 < self->size && memcmp (self->text + first.end, "\r\n$", 3) == 0 &&
      ns_secret_finder_is_one_of (self, &first, counted))
    return add_counted (self, first.end);
  if (first.end + 3 < self->size && memcmp (self->text + first.end, "\r\n$", 3) == 0 &&
      ns_secret_finder_is_word (self, &first, "SETUSER"))
    return add_counted_rules (self, first.end);
  if (first.end - first.begin > 16 || first.end + 1 >= self->size || first.end == first.begin ||
      self->text[first.end] != ' ')
    return 0;
  second = get_word (self, first.end + 1);
  if (second.end == second.begin)
    return 0;
  if (ns_secret_finder_is_one_of (self, &first, whole))
    return add_rest (self, second.begin);
  if (ns_secret_finder_is_word (self, &first, "AUTH") ||
      ns_secret_finder_is_word (self, &first, "AUTHENTICATE"))
    return add_exchange (self, second.begin);
  if (second.end + 1 >= self->size || self->text[second.end] != ' ')
    return 0;
  if (ns_secret_finder_is_word (self, &first, "APOP") ||
      ns_secret_finder_is_word (self, &first, "OPER") ||
      (ns_secret_finder_is_word (self, &first, "AUTHINFO") &&
       ns_secret_finder_is_word (self, &second, "PASS")))
    return add_rest (self, second.end + 1);
  if (ns_secret_finder_is_word (self, &first, "CONFIG") ||
      ns_secret_finder_is_word (self, &first, "HELLO") ||
      ns_secret_finder_is_word (self, &first, "ACL"))
    return add_setting (self, &first, second.end + 1);
  if (ns_secret_finder_is_word (self, &second, "LOGIN"))
    return add_login (self, second.end + 1);
  return ns_secret_finder_is_word (self, &second, "AUTHENTICATE")
             ? add_exchange (self, second.end + 1)
             : 0;
}

/**
 * ns_secret_finder_read_length:
 * @self: a finder
 * @at: (inout): position of a BER length; set to the position after it
 * @length: (out): the length
 *
 * Returns: %FALSE if there is none
 */
gboolean
ns_secret_finder_read_length (const NsSecretFinder *self, gsize *at, gsize *length)
{
  guint n;

  if (*at >= self->size)
    return FALSE;
  *length = (guint8) self->text[(*at)++];
  if (*length < 0x80)
    return TRUE;
  n = *length & 0x7f;
  if (n == 0 || n > 3 || self->size - *at < n)
    return FALSE;
  for (*length = 0; n > 0; n--)
    *length = *length << 8 | (guint8) self->text[(*at)++];
  return TRUE;
}

/**
 * ns_secrets_find_simple_bind:
 * @self: a finder
 * @at: position of the tag of an LDAP bind request
 *
 * Finds the password of a simple bind (RFC 4511, 4.2): version, name, then a string with tag 0.
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_simple_bind (NsSecretFinder *self, gsize at)
{
  gsize length;

  at++;
  if (!ns_secret_finder_read_length (self, &at, &length) || self->size - at < 4 ||
      self->text[at] != 2 || self->text[at + 1] != 1 || self->text[at + 3] != 4)
    return 0;
  at += 4;
  if (!ns_secret_finder_read_length (self, &at, &length) || length >= self->size - at)
    return 0;
  at += length;
  if ((guint8) self->text[at++] != 0x80 || !ns_secret_finder_read_length (self, &at, &length) ||
      length == 0)
    return 0;
  length = MIN (length, self->size - at);
  ns_secret_finder_add (self, at, at + length);
  return at + length;
}

/* Masks the plain text that ConvertTo-SecureString converts, unless it is a variable. */
static gsize
add_plain_text (NsSecretFinder *self, gsize at)
{
  static const char parameter[] = "-String ";
  gsize end;

  if (self->size - at >= sizeof parameter &&
      g_ascii_strncasecmp (self->text + at, parameter, sizeof parameter - 1) == 0)
    at += sizeof parameter - 1;
  if (!ns_secret_finder_is_value (self, at) || strchr ("$(", self->text[at]) != NULL)
    return 0;
  end = ns_secret_finder_add_word (self, at, " \t");
  return end > at ? end : 0;
}

/**
 * ns_secrets_find_switch:
 * @self: a finder
 * @at: position of a space
 *
 * Finds ` --password …` and `ConvertTo-SecureString …`.
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_switch (NsSecretFinder *self, gsize at)
{
  static const char cmdlet[] = "ConvertTo-SecureString";
  gsize begin = at + 1;
  gsize end;

  if (at >= sizeof cmdlet - 1 &&
      g_ascii_strncasecmp (self->text + at - (sizeof cmdlet - 1), cmdlet, sizeof cmdlet - 1) == 0)
    return add_plain_text (self, begin);
  while (begin < self->size && self->text[begin] == '-' && begin - at < 3)
    begin++;
  if (begin == at + 1 && begin < self->size && self->text[begin] == '/')
    begin++;
  if (begin == at + 1)
    return 0;
  for (end = begin; end < self->size && ns_secret_is_switch_char (self->text[end]); end++)
    if (end - begin > NS_SECRET_NAMES_MAX_NAME)
      return 0;
  if (end - begin < 2 || end >= self->size || self->text[end] != ' ' ||
      (ns_secret_names_look (self->secrets, self->text + begin, end - begin) & NS_SECRET_SWITCH) ==
          0)
    return 0;
  begin = ns_secret_finder_skip_blanks (self, end);
  if (!ns_secret_finder_is_value (self, begin))
    return 0;
  end = ns_secret_finder_add_word (self, begin, " \t");
  return end > begin ? end : 0;
}

/* Secrets that a word in front of them tells: lines of protocols, and words of command lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/* Lines that answer what a server asks for when somebody logs in. */
#define MAX_ANSWERS 4

typedef struct
{
  gsize begin;
  gsize end;
} Word;

static gboolean
is_word (const NsSecretFinder *self, const Word *word, const char *text)
{
  gsize n = strlen (text);

  return word->end - word->begin == n &&
         g_ascii_strncasecmp (self->text + word->begin, text, n) == 0;
}

static gboolean
is_one_of (const NsSecretFinder *self, const Word *word, const char *const *texts)
{
  for (; *texts != NULL; texts++)
    if (is_word (self, word, *texts))
      return TRUE;
  return FALSE;
}

/* One word of a line; protocols part them by one blank. */
static Word
get_word (const NsSecretFinder *self, gsize at)
{
  Word word = { at, at };

  while (word.end < self->size && self->text[word.end] > ' ')
    word.end++;
  return word;
}

/* Where the next line begins. */
static gsize
get_next_line (const NsSecretFinder *self, gsize at)
{
  if (at < self->size && self->text[at] == '\r')
    at++;
  return at < self->size && self->text[at] == '\n' ? at + 1 : self->size;
}

/* Base64, and no command of the protocol. */
static gboolean
is_answer (const NsSecretFinder *self, gsize begin, gsize end)
{
  static const char *const commands[] = { "DATA", "QUIT", "RSET",     "NOOP", "STAT",
                                          "LIST", "CAPA", "STARTTLS", "PING", NULL };
  Word word = { begin, end };
  gsize i;

  if (begin == end || is_one_of (self, &word, commands))
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

/* The rest of the line; what it announces at its end as a literal (`{8}`, IMAP) is in the next. */
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

/* `LOGIN user password`; @at is where the user begins. */
static gsize
add_login (NsSecretFinder *self, gsize at)
{
  Word user = get_word (self, at);

  if (user.end < self->size && self->text[user.end] == ' ')
    return add_rest (self, user.end + 1);
  /* The user is a literal. */
  if (user.end > user.begin && self->text[user.end - 1] == '}')
    return add_rest (self, at);
  return 0;
}

/* Values that Redis takes with their lengths, `$6\r\nsecret`, each in a line of its own: at most
 * a user and a password. */
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

/* `AUTH PLAIN …`, and what the next lines answer; or `AUTH secret` (Redis). */
static gsize
add_exchange (NsSecretFinder *self, gsize at)
{
  static const char *const without[] = { "TLS", "SSL", "TLS-C", "TLS-P", NULL };
  /* Of the registry “SASL Mechanisms” (IANA), and what Microsoft's servers offer. */
  static const char *const ways[] = { "PLAIN",       "LOGIN",         "CRAM-MD5", "DIGEST-MD5",
                                      "NTLM",        "GSSAPI",        "XOAUTH2",  "GSS-SPNEGO",
                                      "OAUTHBEARER", "KERBEROS_V4",   "EXTERNAL", "ANONYMOUS",
                                      "SCRAM-SHA-1", "SCRAM-SHA-256", "XOAUTH",   "SPNEGO",
                                      "OTP",         "SKEY",          "MSN",      NULL };
  Word way = get_word (self, at);
  gsize line_end = ns_secret_finder_get_line_end (self, at);

  if (way.end == way.begin || is_one_of (self, &way, without))
    return 0;
  if (way.end == line_end && !is_one_of (self, &way, ways))
    {
      ns_secret_finder_add (self, way.begin, way.end);
      return add_answers (self, way.end);
    }
  if (way.end < self->size && self->text[way.end] == ' ')
    return add_answers (self, add_rest (self, way.end + 1));
  return add_answers (self, way.end);
}

/**
 * ns_secrets_find_protocol_line:
 * @self: a finder
 * @at: where a line begins
 *
 * Finds what logs in: `PASS …` and `ACCT …` (FTP, POP3, IRC), `APOP`, `OPER`, `AUTH …` (SMTP,
 * POP3), `AUTHINFO PASS …` (NNTP), `a1 LOGIN user …` and `a1 AUTHENTICATE …` (IMAP), `AUTH …` and
 * what sets a password, with lengths or without (Redis).
 *
 * Returns: where to go on, 0 when there is no secret
 */
gsize
ns_secrets_find_protocol_line (NsSecretFinder *self, gsize at)
{
  static const char *const whole[] = { "PASS", "ACCT", NULL };
  static const char *const counted[] = { "AUTH", "REQUIREPASS", "MASTERAUTH", NULL };
  Word first = get_word (self, at);
  Word second;

  if (first.end + 3 < self->size && memcmp (self->text + first.end, "\r\n$", 3) == 0 &&
      is_one_of (self, &first, counted))
    return add_counted (self, first.end);
  if (first.end - first.begin > 16 || first.end + 1 >= self->size || first.end == first.begin ||
      self->text[first.end] != ' ')
    return 0;
  second = get_word (self, first.end + 1);
  if (second.end == second.begin)
    return 0;
  if (is_one_of (self, &first, whole))
    return add_rest (self, second.begin);
  if (is_word (self, &first, "AUTH"))
    return add_exchange (self, second.begin);
  if (second.end + 1 >= self->size || self->text[second.end] != ' ')
    return 0;
  if (is_word (self, &first, "APOP") || is_word (self, &first, "OPER") ||
      (is_word (self, &first, "AUTHINFO") && is_word (self, &second, "PASS")))
    return add_rest (self, second.end + 1);
  if (is_word (self, &second, "LOGIN"))
    return add_login (self, second.end + 1);
  return is_word (self, &second, "AUTHENTICATE") ? add_exchange (self, second.end + 1) : 0;
}

/* Reads a length of BER; FALSE if none is there. */
static gboolean
read_length (const NsSecretFinder *self, gsize *at, gsize *length)
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
 * @at: the tag of a bind request of LDAP
 *
 * Finds the password of a simple bind (RFC 4511, 4.2): version, name, then a text with tag 0.
 *
 * Returns: where to go on, 0 when there is no secret
 */
gsize
ns_secrets_find_simple_bind (NsSecretFinder *self, gsize at)
{
  gsize length;

  at++;
  if (!read_length (self, &at, &length) || self->size - at < 4 || self->text[at] != 2 ||
      self->text[at + 1] != 1 || self->text[at + 3] != 4)
    return 0;
  at += 4;
  if (!read_length (self, &at, &length) || length >= self->size - at)
    return 0;
  at += length;
  if ((guint8) self->text[at++] != 0x80 || !read_length (self, &at, &length) || length == 0)
    return 0;
  length = MIN (length, self->size - at);
  ns_secret_finder_add (self, at, at + length);
  return at + length;
}

static gboolean
is_switch_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_';
}

static gboolean
is_value (const NsSecretFinder *self, gsize at)
{
  return at < self->size && strchr ("-/|&<>;,)}", self->text[at]) == NULL && self->text[at] > ' ';
}

/* What a cmdlet of PowerShell makes a secret of, unless a variable says it. */
static gsize
add_plain_text (NsSecretFinder *self, gsize at)
{
  static const char parameter[] = "-String ";
  gsize end;

  if (self->size - at >= sizeof parameter &&
      g_ascii_strncasecmp (self->text + at, parameter, sizeof parameter - 1) == 0)
    at += sizeof parameter - 1;
  if (!is_value (self, at) || strchr ("$(", self->text[at]) != NULL)
    return 0;
  end = ns_secret_finder_add_word (self, at, " \t");
  return end > at ? end : 0;
}

/**
 * ns_secrets_find_switch:
 * @self: a finder
 * @at: a blank
 *
 * Finds ` --password …` and `ConvertTo-SecureString …`.
 *
 * Returns: where to go on, 0 when there is no secret
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
  for (end = begin; end < self->size && is_switch_char (self->text[end]); end++)
    if (end - begin > NS_SECRET_NAMES_MAX_NAME)
      return 0;
  if (end - begin < 2 || end >= self->size || self->text[end] != ' ' ||
      (ns_secret_names_look (self->text + begin, end - begin) & NS_SECRET_SWITCH) == 0)
    return 0;
  begin = ns_secret_finder_skip_blanks (self, end);
  if (!is_value (self, begin))
    return 0;
  end = ns_secret_finder_add_word (self, begin, " \t");
  return end > begin ? end : 0;
}

/* --- command lines --- */

/* The next word and where it begins; quotes hold blanks. */
static gboolean
next_word (const NsSecretFinder *self, gsize *at, Word *word)
{
  gboolean is_quoted = FALSE;

  *at = ns_secret_finder_skip_blanks (self, *at);
  word->begin = *at;
  for (; *at < self->size && self->text[*at] != '\0'; (*at)++)
    {
      if (self->text[*at] == '"')
        is_quoted = !is_quoted;
      else if (!is_quoted && g_ascii_isspace (self->text[*at]))
        break;
    }
  word->end = *at;
  while (*at < self->size && g_ascii_isspace (self->text[*at]))
    (*at)++;
  return word->end > word->begin;
}

/* The name of a program without path, quotes and ending. */
static Word
get_program (const NsSecretFinder *self, Word word)
{
  gsize i;

  while (word.end > word.begin && self->text[word.end - 1] == '"')
    word.end--;
  for (i = word.begin; i < word.end; i++)
    if (strchr ("\\/\"", self->text[i]) != NULL)
      word.begin = i + 1;
  if (word.end - word.begin > 4 && g_ascii_strncasecmp (self->text + word.end - 4, ".exe", 4) == 0)
    word.end -= 4;
  return word;
}

static void
add_unquoted (NsSecretFinder *self, gsize begin, gsize end)
{
  if (end > begin + 1 && self->text[begin] == '"' && self->text[end - 1] == '"')
    {
      begin++;
      end--;
    }
  ns_secret_finder_add (self, begin, end);
}

/* A port, or a number of something, and no password. */
static gboolean
is_small_number (const NsSecretFinder *self, const Word *word)
{
  gsize i;

  for (i = word->begin; i < word->end; i++)
    if (!g_ascii_isdigit (self->text[i]))
      return FALSE;
  return word->end - word->begin <= 5;
}

/* `-pSECRET`: where the program has no words that begin so, all; elsewhere what no word looks
 * like. */
static gboolean
is_glued_password (const NsSecretFinder *self, const Word *word, gboolean takes_glued)
{
  gboolean has_letter = FALSE;
  gboolean has_other = FALSE;
  gsize i;

  for (i = word->begin + 2; i < word->end; i++)
    if (g_ascii_isalpha (self->text[i]))
      has_letter = TRUE;
    else if (strchr ("=:-_\\/", self->text[i]) != NULL)
      return takes_glued;
    else
      has_other = TRUE;
  return takes_glued || (has_letter && has_other);
}

/* What follows the colon of `user:password`. */
static void
add_after_colon (NsSecretFinder *self, const Word *word)
{
  const char *begin = self->text + word->begin;
  const char *colon = memchr (begin, ':', word->end - word->begin);
  gsize at;

  if (colon == NULL)
    return;
  at = (gsize) (colon - self->text) + 1;
  /* A drive or a URL. */
  if (at < word->end && strchr ("\\/", self->text[at]) != NULL)
    return;
  while (word->end > at && self->text[word->end - 1] == '"')
    {
      ns_secret_finder_add (self, at, word->end - 1);
      return;
    }
  ns_secret_finder_add (self, at, word->end);
}

/* `net use \\server\share password`, `net user name password`. */
static void
find_in_net (NsSecretFinder *self, gsize at)
{
  static const char *const verbs[] = { "use", "user", NULL };
  Word word;
  guint n = 0;

  if (!next_word (self, &at, &word) || !is_one_of (self, &word, verbs))
    return;
  while (next_word (self, &at, &word))
    {
      /* A drive may stand before the share. */
      if (self->text[word.begin] == '/' ||
          (n == 0 && word.end - word.begin == 2 && self->text[word.begin + 1] == ':'))
        continue;
      if (++n == 2)
        {
          if (!is_word (self, &word, "*"))
            add_unquoted (self, word.begin, word.end);
          return;
        }
    }
}

typedef enum
{
  TAKES_NONE,
  TAKES_PASSWORD,
  TAKES_USER,
  TAKES_NAME, /* of a variable, whose value follows */
} Takes;

/* What a switch is followed by that only one program has. */
static const struct
{
  const char *program;
  const char *word;
} passwords_of[] = {
  { "redis-cli", "-a" }, { "ldapsearch", "-w" }, { "ldapmodify", "-w" }, { "ldapadd", "-w" },
  { "nuget", "-k" },     { "dotnet", "-k" },     { "openssl", "-k" },    { "curl", "-b" },
};

/* `/p:…`, unless it is a path, a port or a property (`/p:Configuration=Release`). */
static void
add_joined (NsSecretFinder *self, gsize begin, gsize end)
{
  Word value = { begin, end };
  gsize i;

  for (i = begin; i < end && is_switch_char (self->text[i]); i++)
    ;
  if ((i < end && i > begin && self->text[i] == '=') || is_small_number (self, &value) ||
      (end - begin > 2 && self->text[begin + 1] == ':' &&
       strchr ("\\/", self->text[begin + 2]) != NULL))
    return;
  add_unquoted (self, begin, end);
}

/* Which row of that table names this program, @current if none does. */
static guint
look_at_program (const NsSecretFinder *self, const Word *word, guint current)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (passwords_of); i++)
    if (is_word (self, word, passwords_of[i].program))
      return i;
  return current;
}

static Takes
look_at_switch (NsSecretFinder *self, const Word *word, gboolean takes_glued)
{
  static const char *const passwords[] = { "-p", "/p", "-pw", "/pw", "-P", NULL };
  static const char *const users[] = { "-u", "--user", "-U", "--proxy-user", NULL };
  gsize n = word->end - word->begin;

  if (is_one_of (self, word, passwords))
    return TAKES_PASSWORD;
  if (is_one_of (self, word, users))
    return TAKES_USER;
  if (n > 3 && strchr ("-/", self->text[word->begin]) != NULL &&
      g_ascii_tolower (self->text[word->begin + 1]) == 'p' &&
      strchr (":=", self->text[word->begin + 2]) != NULL)
    {
      add_joined (self, word->begin + 3, word->end);
      return TAKES_NONE;
    }
  if (n > 7 && g_ascii_strncasecmp (self->text + word->begin, "--user=", 7) == 0)
    {
      Word user = { word->begin + 7, word->end };

      add_after_colon (self, &user);
    }
  if (n > 2 && self->text[word->begin] == '-' &&
      g_ascii_tolower (self->text[word->begin + 1]) == 'p' &&
      is_glued_password (self, word, takes_glued))
    add_unquoted (self, word->begin + 2, word->end);
  /* Of archivers: the names of files are encrypted, too. */
  else if (n > 3 && takes_glued && g_ascii_strncasecmp (self->text + word->begin, "-hp", 3) == 0)
    add_unquoted (self, word->begin + 3, word->end);
  else if (n > 3 && self->text[word->begin] == '-' && self->text[word->begin + 1] == 'u')
    add_after_colon (self, word);
  return TAKES_NONE;
}

/**
 * ns_secrets_find_in_command:
 * @self: a finder of a command line
 *
 * Finds what only programs know: `-p …`, `-p…`, `/p:…`, `-u user:…`, `net use`, `setx TOKEN …`.
 */
void
ns_secrets_find_in_command (NsSecretFinder *self)
{
  static const char *const glued[] = { "mysql",   "mysqldump", "mysqladmin", "mysqlimport",
                                       "mariadb", "7z",        "7za",        "rar",
                                       "winrar",  "unrar",     "sqlcmd",     "osql",
                                       "bcp",     "sshpass",   NULL };
  static const char *const nets[] = { "net", "net1", NULL };
  Takes takes = TAKES_NONE;
  gboolean takes_glued = FALSE;
  guint program_of = G_N_ELEMENTS (passwords_of);
  Word word;
  gsize at = 0;

  while (next_word (self, &at, &word))
    {
      Word program = get_program (self, word);

      if (takes == TAKES_PASSWORD && is_value (self, word.begin) && !is_small_number (self, &word))
        add_unquoted (self, word.begin, word.end);
      else if (takes == TAKES_USER)
        add_after_colon (self, &word);
      if (is_one_of (self, &program, nets))
        {
          find_in_net (self, at);
          return;
        }
      takes_glued = takes_glued || is_one_of (self, &program, glued);
      program_of = look_at_program (self, &program, program_of);
      if (takes == TAKES_NAME &&
          (ns_secret_names_look (self->text + word.begin, word.end - word.begin) &
           NS_SECRET_SWITCH) != 0)
        takes = TAKES_PASSWORD;
      else if (is_word (self, &program, "setx"))
        takes = TAKES_NAME;
      else if (program_of < G_N_ELEMENTS (passwords_of) &&
               is_word (self, &word, passwords_of[program_of].word))
        takes = TAKES_PASSWORD;
      else
        takes = look_at_switch (self, &word, takes_glued);
    }
}

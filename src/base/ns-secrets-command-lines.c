/* Finds secrets in command lines by the syntax of particular programs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/* Reads the next word; a quoted word may contain spaces. */
static gboolean
next_word (const NsSecretFinder *self, gsize *at, NsSecretWord *word)
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

/* Returns the name of a program without path, quotes and extension. */
static NsSecretWord
get_program (const NsSecretFinder *self, NsSecretWord word)
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

/* Returns whether the word is a number of up to five digits: a port or a count, not a password. */
static gboolean
is_small_number (const NsSecretFinder *self, const NsSecretWord *word)
{
  gsize i;

  for (i = word->begin; i < word->end; i++)
    if (!g_ascii_isdigit (self->text[i]))
      return FALSE;
  return word->end - word->begin <= 5;
}

/* Recognizes `-pSECRET`. With @takes_glued, the program has no other switches that begin with `-p`,
 * so any value is a secret; otherwise only one with letters and other characters, which no switch
 * has. */
static gboolean
is_glued_password (const NsSecretFinder *self, const NsSecretWord *word, gboolean takes_glued)
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

/* Masks the password in `user:password`. */
static void
add_after_colon (NsSecretFinder *self, const NsSecretWord *word)
{
  const char *begin = self->text + word->begin;
  const char *colon = memchr (begin, ':', word->end - word->begin);
  gsize at;

  /* Samba uses a percent sign instead of the colon. */
  if (colon == NULL)
    colon = memchr (begin, '%', word->end - word->begin);
  if (colon == NULL)
    return;
  at = (gsize) (colon - self->text) + 1;
  /* A drive letter or a URL. */
  if (at < word->end && strchr ("\\/", self->text[at]) != NULL)
    return;
  while (word->end > at && self->text[word->end - 1] == '"')
    {
      ns_secret_finder_add (self, at, word->end - 1);
      return;
    }
  ns_secret_finder_add (self, at, word->end);
}

/* Masks the argument with that number; switches and a leading drive letter are not counted. */
static void
add_numbered (NsSecretFinder *self, gsize at, guint number)
{
  NsSecretWord word;
  guint n = 0;

  while (next_word (self, &at, &word))
    {
      /* A drive letter before the share. */
      if (self->text[word.begin] == '/' ||
          (n == 0 && word.end - word.begin == 2 && self->text[word.begin + 1] == ':'))
        continue;
      if (++n < number)
        continue;
      if (!ns_secret_finder_is_word (self, &word, "*"))
        add_unquoted (self, word.begin, word.end);
      return;
    }
}

/* `net use \\server\share password`, `net user name password`, `rasdial entry user password`. */
static gboolean
find_in_net (NsSecretFinder *self, const NsSecretWord *program, gsize at)
{
  static const char *const nets[] = { "net", "net1", NULL };
  static const char *const verbs[] = { "use", "user", NULL };
  NsSecretWord verb;

  if (ns_secret_finder_is_word (self, program, "rasdial"))
    {
      add_numbered (self, at, 3);
      return TRUE;
    }
  if (!ns_secret_finder_is_one_of (self, program, nets))
    return FALSE;
  if (next_word (self, &at, &verb) && ns_secret_finder_is_one_of (self, &verb, verbs))
    add_numbered (self, at, 2);
  return TRUE;
}

typedef enum
{
  TAKES_NONE,
  TAKES_PASSWORD,
  TAKES_USER,
  TAKES_NAME,   /* the name of a variable; its value follows */
  TAKES_SCRIPT, /* an encoded script, masked completely */
} Takes;

/* Switches of particular programs that are followed by a password. */
static const struct
{
  const char *program;
  const char *word;
} passwords_of[] = {
  { "redis-cli", "-a" }, { "ldapsearch", "-w" }, { "ldapmodify", "-w" },
  { "ldapadd", "-w" },   { "nuget", "-k" },      { "dotnet", "-k" },
  { "openssl", "-k" },   { "curl", "-b" },       { "ssh-keygen", "-N" },
};

/* Secrets that are positional arguments after a certain word. */
static const struct
{
  const char *program;
  const char *word;
  guint number; /* number of the argument after the word, without switches */
} places_of[] = {
  { "bitsadmin", "/setcredentials", 5 }, /* job, target, scheme, user, password */
  { "nuget", "setapikey", 1 },
};

/* Masks the value of `/p:…`, unless it is a path, a port or a property
 * (`/p:Configuration=Release`). */
static void
add_joined (NsSecretFinder *self, gsize begin, gsize end)
{
  NsSecretWord value = { begin, end };
  gsize i;

  for (i = begin; i < end && ns_secret_is_switch_char (self->text[i]); i++)
    ;
  if ((i < end && i > begin && self->text[i] == '=') || is_small_number (self, &value) ||
      (end - begin > 2 && self->text[begin + 1] == ':' &&
       strchr ("\\/", self->text[begin + 2]) != NULL))
    return;
  add_unquoted (self, begin, end);
}

/* Returns the index of the program in passwords_of, or @current if the word is not one. */
static guint
look_at_program (const NsSecretFinder *self, const NsSecretWord *word, guint current)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (passwords_of); i++)
    if (ns_secret_finder_is_word (self, word, passwords_of[i].program))
      return i;
  return current;
}

/* Recognizes `-EncodedCommand` and the prefixes of it that PowerShell accepts
 * (about_PowerShell_exe): a Base64 script that may contain secrets. Without @is_powershell, short
 * prefixes are other switches. */
static gboolean
is_encoded_script (const NsSecretFinder *self, const NsSecretWord *word, gboolean is_powershell)
{
  static const char *const others[] = { "ec", "ea", NULL };
  static const char *const scripts[] = { "encodedcommand", "encodedarguments" };
  NsSecretWord name = { word->begin + 1, word->end };
  gsize n = name.end - name.begin;
  guint i;

  if (word->end - word->begin < 2 || strchr ("-/", self->text[word->begin]) == NULL)
    return FALSE;
  if (is_powershell && ns_secret_finder_is_one_of (self, &name, others))
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (scripts); i++)
    if (n >= (is_powershell ? 1 : 5) && n <= strlen (scripts[i]) &&
        g_ascii_strncasecmp (self->text + name.begin, scripts[i], n) == 0)
      return TRUE;
  return FALSE;
}

/* Masks the password in `user/password@server` of Oracle's tools. */
static void
add_after_slash (NsSecretFinder *self, const NsSecretWord *word)
{
  const char *begin = self->text + word->begin;
  gsize n = word->end - word->begin;
  const char *slash = memchr (begin, '/', n);
  const char *end;

  if (slash == NULL || slash == begin)
    return;
  end = memchr (slash, '@', n - (gsize) (slash - begin));
  ns_secret_finder_add (self,
                        (gsize) (slash - self->text) + 1,
                        end != NULL ? (gsize) (end - self->text) : word->end);
}

/* Programs found in the command line whose arguments have a special syntax. */
typedef struct
{
  gboolean takes_glued; /* `-pSECRET` */
  gboolean is_powershell;
  gboolean is_oracle;
  gboolean is_reg;       /* `reg add KEY /v NAME /d DATA` */
  gboolean has_register; /* NAME is the name of a secret */
  gboolean is_netsh;     /* `key=…` */
  guint place;           /* index in places_of + 1; 0: none */
} Programs;

static void
look_at_programs (const NsSecretFinder *self, const NsSecretWord *word, Programs *programs)
{
  static const char *const glued[] = { "mysql",   "mysqldump", "mysqladmin", "mysqlimport",
                                       "mariadb", "7z",        "7za",        "rar",
                                       "winrar",  "unrar",     "sqlcmd",     "osql",
                                       "bcp",     "sshpass",   NULL };
  static const char *const shells[] = { "powershell", "powershell_ise", "pwsh", NULL };
  static const char *const oracle[] = { "sqlplus", "sqlldr", "exp",  "imp",
                                        "expdp",   "impdp",  "rman", NULL };
  guint i;

  programs->takes_glued |= ns_secret_finder_is_one_of (self, word, glued);
  programs->is_powershell |= ns_secret_finder_is_one_of (self, word, shells);
  programs->is_oracle |= ns_secret_finder_is_one_of (self, word, oracle);
  programs->is_reg |= ns_secret_finder_is_word (self, word, "reg");
  programs->is_netsh |= ns_secret_finder_is_word (self, word, "netsh");
  for (i = 0; i < G_N_ELEMENTS (places_of); i++)
    if (ns_secret_finder_is_word (self, word, places_of[i].program))
      programs->place = i + 1;
}

/* Returns whether a word, quoted or not, names a secret. */
static gboolean
names_secret (const NsSecretFinder *self, NsSecretWord word)
{
  if (word.end - word.begin > 2 && self->text[word.begin] == '"' && self->text[word.end - 1] == '"')
    {
      word.begin++;
      word.end--;
    }
  return (ns_secret_names_look (self->secrets, self->text + word.begin, word.end - word.begin) &
          NS_SECRET_SWITCH) != 0;
}

/* Masks secrets of programs that use no switch for them. @before: the previous word. */
static Takes
look_at_place (NsSecretFinder *self,
               const NsSecretWord *before,
               const NsSecretWord *word,
               gsize at,
               Programs *programs)
{
  if (programs->place != 0 &&
      ns_secret_finder_is_word (self, word, places_of[programs->place - 1].word))
    add_numbered (self, at, places_of[programs->place - 1].number);
  if (programs->is_netsh && word->end - word->begin > 4 &&
      g_ascii_strncasecmp (self->text + word->begin, "key=", 4) == 0)
    add_unquoted (self, word->begin + 4, word->end);
  if (!programs->is_reg)
    return TAKES_NONE;
  if (ns_secret_finder_is_word (self, before, "/v"))
    programs->has_register = names_secret (self, *word);
  return programs->has_register && ns_secret_finder_is_word (self, word, "/d") ? TAKES_PASSWORD
                                                                               : TAKES_NONE;
}

static Takes
look_at_switch (NsSecretFinder *self, const NsSecretWord *word, const Programs *programs)
{
  static const char *const passwords[] = { "-p", "/p", "-pw", "/pw", "-P", NULL };
  static const char *const users[] = { "-u", "--user", "-U", "--proxy-user", NULL };
  gsize n = word->end - word->begin;

  if (is_encoded_script (self, word, programs->is_powershell))
    return TAKES_SCRIPT;
  if (ns_secret_finder_is_one_of (self, word, passwords))
    return TAKES_PASSWORD;
  if (ns_secret_finder_is_one_of (self, word, users))
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
      NsSecretWord user = { word->begin + 7, word->end };

      add_after_colon (self, &user);
    }
  if (n > 2 && self->text[word->begin] == '-' &&
      g_ascii_tolower (self->text[word->begin + 1]) == 'p' &&
      is_glued_password (self, word, programs->takes_glued))
    add_unquoted (self, word->begin + 2, word->end);
  /* -hp of archivers, which also encrypts the file names */
  else if (n > 3 && programs->takes_glued &&
           g_ascii_strncasecmp (self->text + word->begin, "-hp", 3) == 0)
    add_unquoted (self, word->begin + 3, word->end);
  else if (n > 3 && self->text[word->begin] == '-' && self->text[word->begin + 1] == 'u')
    add_after_colon (self, word);
  return TAKES_NONE;
}

/**
 * ns_secrets_find_in_command:
 * @self: a finder for a command line
 *
 * Finds secrets by the syntax of the program: `-p …`, `-p…`, `/p:…`, `-u user:…`, `net use`, `setx
 * TOKEN …`, `reg add … /v Password /d …`, `-EncodedCommand …`, `sqlplus user/…@server`.
 */
void
ns_secrets_find_in_command (NsSecretFinder *self)
{
  static const char *const setters[] = { "setx", "set", NULL };
  Takes takes = TAKES_NONE;
  Programs programs = { 0 };
  guint program_of = G_N_ELEMENTS (passwords_of);
  NsSecretWord before = { 0, 0 };
  NsSecretWord word;
  gsize at = 0;

  for (; next_word (self, &at, &word); before = word)
    {
      NsSecretWord program = get_program (self, word);
      Takes place;

      if (takes == TAKES_PASSWORD && ns_secret_finder_is_value (self, word.begin) &&
          !is_small_number (self, &word))
        add_unquoted (self, word.begin, word.end);
      else if (takes == TAKES_SCRIPT)
        add_unquoted (self, word.begin, word.end);
      else if (takes == TAKES_USER)
        add_after_colon (self, &word);
      if (find_in_net (self, &program, at))
        return;
      if (programs.is_oracle && strchr ("-/\"", self->text[word.begin]) == NULL)
        add_after_slash (self, &word);
      look_at_programs (self, &program, &programs);
      program_of = look_at_program (self, &program, program_of);
      place = look_at_place (self, &before, &word, at, &programs);
      if (takes == TAKES_NAME &&
          (ns_secret_names_look (self->secrets, self->text + word.begin, word.end - word.begin) &
           NS_SECRET_SWITCH) != 0)
        takes = TAKES_PASSWORD;
      else if (ns_secret_finder_is_one_of (self, &program, setters))
        takes = TAKES_NAME;
      else if (program_of < G_N_ELEMENTS (passwords_of) &&
               ns_secret_finder_is_word (self, &word, passwords_of[program_of].word))
        takes = TAKES_PASSWORD;
      else if (place != TAKES_NONE)
        takes = place;
      else
        takes = look_at_switch (self, &word, &programs);
    }
}

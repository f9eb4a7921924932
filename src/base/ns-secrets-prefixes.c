/* Finds secrets by their prefix: vendor tokens with a recognizable prefix, and URLs whose path is
 * the secret, such as webhooks.
 *
 * One table of prefixes, to which the user can add (ns-secret-names.c). Each prefix is searched for
 * at one of its characters that is rare in texts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include "base/ns-secret-names.h"

#include <string.h>

/* Maximum length of a wildcard match. */
#define MAX_WILD 64

typedef enum
{
  TOKEN,   /* letters, digits, `-` and `_`, with dots between them */
  MIXED,   /* the same, with at least one digit */
  KEY_ID,  /* capital letters and digits, exactly the minimum length */
  SEGMENT, /* one segment of a path */
  REST,    /* the rest of a path, with all segments */
} Form;

typedef struct
{
  const char *text; /* `#`: digits; `^`: capital letters and digits */
  Form form;
  guint8 min; /* minimum length of the secret after the prefix */
} Beginning;

static const Beginning beginnings[] = {
  /* GitHub, GitLab, npm, Docker, PyPI, HashiCorp. */
  { "ghp_", TOKEN, 16 },
  { "gho_", TOKEN, 16 },
  { "ghu_", TOKEN, 16 },
  { "ghs_", TOKEN, 16 },
  { "ghr_", TOKEN, 16 },
  { "github_pat_", TOKEN, 16 },
  { "glpat-", TOKEN, 16 },
  { "npm_", MIXED, 20 },
  { "dckr_pat_", TOKEN, 16 },
  { "pypi-", MIXED, 20 },
  { "hvs.", TOKEN, 16 },
  /* Slack, SendGrid, Stripe, Shopify, DigitalOcean, OpenAI. */
  { "xoxb-", TOKEN, 16 },
  { "xoxp-", TOKEN, 16 },
  { "xoxa-", TOKEN, 16 },
  { "xoxr-", TOKEN, 16 },
  { "xoxs-", TOKEN, 16 },
  { "xoxd-", TOKEN, 16 },
  { "xoxe-", TOKEN, 16 },
  { "xoxe.", TOKEN, 16 },
  { "xapp-", TOKEN, 16 },
  { "SG.", MIXED, 20 },
  { "sk_live_", TOKEN, 16 },
  { "sk_test_", TOKEN, 16 },
  { "rk_live_", TOKEN, 16 },
  { "whsec_", TOKEN, 16 },
  { "shpat_", TOKEN, 16 },
  { "dop_v#_", TOKEN, 16 },
  { "sk-", MIXED, 20 },
  /* Amazon Web Services, Google. */
  { "AKIA", KEY_ID, 16 },
  { "ASIA", KEY_ID, 16 },
  { "AIza", TOKEN, 30 },
  { "ya29.", TOKEN, 16 },
  { "GOCSPX-", TOKEN, 16 },
  /* Webhook paths: Slack, Discord, Teams and Office, Telegram, IFTTT, Zapier, PagerDuty, Home
   * Assistant. */
  { "/services/T^/B^/", SEGMENT, 4 },
  { "/workflows/T^/A^/", REST, 4 },
  { "/triggers/T^/#/", REST, 4 },
  { "/api/webhooks/#/", SEGMENT, 4 },
  { "/api/v#/webhooks/#/", SEGMENT, 4 },
  { "/IncomingWebhook/", REST, 4 },
  { "/bot#:", SEGMENT, 16 },
  { "/with/key/", SEGMENT, 4 },
  { "/hooks/catch/#/", REST, 4 },
  { "/integration/", SEGMENT, 32 },
  { "/api/webhook/", SEGMENT, 8 },
};

#define MAX_ALL (G_N_ELEMENTS (beginnings) + NS_SECRET_NAMES_MAX_BEGINNINGS)

/* All prefixes, in lists by the character at which they are searched for. */
struct _NsSecretPrefixes
{
  Beginning all[MAX_ALL];
  guint n;
  guint8 first[256]; /* index + 1; 0: none */
  guint8 next[MAX_ALL];
  guint8 at[MAX_ALL]; /* position of that character in the prefix */
};

G_STATIC_ASSERT (MAX_ALL < 256);

/* Returns the position of the character to search for, before any wildcard: the last punctuation
 * character, or else a rare letter. */
static guint
choose_place (const char *text)
{
  static const char rare[] = "zqxjZQXJKVWYkvwy";
  guint n = (guint) strcspn (text, "#^");
  guint i;

  for (i = n; i > 0; i--)
    if (!g_ascii_isalnum (text[i - 1]))
      return i - 1;
  for (i = 0; i < n; i++)
    if (strchr (rare, text[i]) != NULL)
      return i;
  return n - 1;
}

static void
add (NsSecretPrefixes *self, const Beginning *beginning)
{
  guint at = choose_place (beginning->text);
  guint8 sign = (guint8) beginning->text[at];

  self->all[self->n] = *beginning;
  self->at[self->n] = (guint8) at;
  self->next[self->n] = self->first[sign];
  self->first[sign] = (guint8) ++self->n;
}

/* Returns the table of built-in prefixes. */
static const NsSecretPrefixes *
get_usual (void)
{
  static gsize is_made;
  static NsSecretPrefixes table;
  guint i;

  if (g_once_init_enter (&is_made))
    {
      for (i = 0; i < G_N_ELEMENTS (beginnings); i++)
        add (&table, &beginnings[i]);
      g_once_init_leave (&is_made, 1);
    }
  return &table;
}

static const NsSecretPrefixes *
get_table (const NsSecrets *secrets)
{
  return secrets != NULL && secrets->beginnings != NULL ? secrets->beginnings : get_usual ();
}

/**
 * ns_secrets_get_beginning_signs:
 * @secrets: (nullable): the masking settings
 *
 * Returns: (array fixed-size=256): for each byte, not 0 if a prefix may be searched for at it with
 *   ns_secrets_find_beginning()
 */
const guint8 *
ns_secrets_get_beginning_signs (const NsSecrets *secrets)
{
  return get_table (secrets)->first;
}

/**
 * ns_secrets_add_beginning:
 * @secrets: the masking settings
 * @text: (transfer full): a prefix of at least one character
 *
 * Adds a prefix; one with a slash is the start of a path, the rest of which is secret.
 *
 * Returns: %FALSE if the table is full
 */
gboolean
ns_secrets_add_beginning (NsSecrets *secrets, char *text)
{
  Beginning beginning = { text, strchr (text, '/') != NULL ? REST : TOKEN, 1 };

  if (secrets->beginnings == NULL)
    secrets->beginnings = g_memdup2 (get_usual (), sizeof (NsSecretPrefixes));
  if (secrets->beginnings->n == MAX_ALL)
    {
      g_free (text);
      return FALSE;
    }
  add (secrets->beginnings, &beginning);
  return TRUE;
}

/**
 * ns_secrets_prefixes_free:
 * @self: (transfer full) (nullable): a table of prefixes with those of the user
 */
void
ns_secrets_prefixes_free (NsSecretPrefixes *self)
{
  guint i;

  for (i = G_N_ELEMENTS (beginnings); self != NULL && i < self->n; i++)
    g_free ((char *) self->all[i].text);
  g_free (self);
}

/* Returns the number of bytes that encode @c at @at, also percent-encoded or in JSON; 0 if there is
 * another character. */
static gsize
get_width (const NsSecretFinder *self, gsize at, char c, gboolean is_path)
{
  const char *escapes[] = { c == '/' ? "%2F" : "%3A", c == '/' ? "%252F" : "%253A", "\\/" };
  char here = ns_secret_finder_get (self, at);
  guint i;

  if (here == c || (is_path && g_ascii_tolower (here) == g_ascii_tolower (c)))
    return 1;
  if (c != '/' && c != ':')
    return 0;
  for (i = 0; i < (c == '/' ? 3 : 2); i++)
    if (ns_secret_finder_begins_with (self, at, escapes[i]))
      return strlen (escapes[i]);
  return 0;
}

/* The same for the character before @at. */
static gsize
get_width_before (const NsSecretFinder *self, gsize at, char c, gboolean is_path)
{
  static const gsize widths[] = { 1, 3, 5 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (widths); i++)
    if (at >= widths[i] && get_width (self, at - widths[i], c, is_path) == widths[i])
      return widths[i] + (c == '/' && widths[i] == 1 && at > 1 && self->text[at - 2] == '\\');
  return 0;
}

static gboolean
is_wild (char c, char wild)
{
  return g_ascii_isdigit (c) || (wild == '^' && g_ascii_isupper (c));
}

/* Returns the position after a prefix whose character @place is at @at; 0 if it does not match. */
static gsize
match (const NsSecretFinder *self, gsize at, const Beginning *beginning, guint place)
{
  gboolean is_path = beginning->form == SEGMENT || beginning->form == REST;
  const char *text = beginning->text;
  gsize begin = at;
  gsize width;
  guint i;

  if (text[place] == '/' && begin > 0 && self->text[begin - 1] == '\\')
    begin--;
  for (i = place; i > 0; i--)
    {
      width = get_width_before (self, begin, text[i - 1], is_path);
      if (width == 0)
        return 0;
      begin -= width;
    }
  if (g_ascii_isalnum (*text) && begin > 0 && g_ascii_isalnum (self->text[begin - 1]))
    return 0;
  for (text += place; *text != '\0'; text++)
    if (*text == '#' || *text == '^')
      {
        begin = at;
        while (at < self->size && at - begin < MAX_WILD && is_wild (self->text[at], *text))
          at++;
        if (at == begin)
          return 0;
      }
    else
      {
        width = get_width (self, at, *text, is_path);
        if (width == 0)
          return 0;
        at += width;
      }
  return at;
}

static gsize
get_token_end (const NsSecretFinder *self, gsize at)
{
  for (; at < self->size; at++)
    if (!g_ascii_isalnum (self->text[at]) && self->text[at] != '-' && self->text[at] != '_' &&
        (self->text[at] != '.' || !g_ascii_isalnum (ns_secret_finder_get (self, at + 1))))
      break;
  return at;
}

static gsize
get_key_id_end (const NsSecretFinder *self, gsize at, gsize n)
{
  gsize end = at;

  while (end < self->size && end - at <= n && is_wild (self->text[end], '^'))
    end++;
  return end == at + n && !ns_secret_is_name_char (ns_secret_finder_get (self, end)) ? end : at;
}

/* Returns the end of a path segment, or with @is_rest of the whole path. */
static gsize
get_path_end (const NsSecretFinder *self, gsize at, gboolean is_rest)
{
  static const char *const escapes[] = { "%3F", "%23", "%26", "%253F", "%2523", "%2526" };
  guint i;

  while (at < self->size && self->text[at] > ' ' && self->text[at] != 0x7f &&
         strchr ("?#&;,\"'<>)]}`|", self->text[at]) == NULL)
    {
      gsize width = get_width (self, at, '/', TRUE);

      if (width > 0 && !is_rest)
        break;
      if (width == 0 && self->text[at] == '\\')
        break;
      for (i = 0; i < G_N_ELEMENTS (escapes); i++)
        if (self->text[at] == '%' && ns_secret_finder_begins_with (self, at, escapes[i]))
          return at;
      at += MAX (width, 1);
    }
  return at;
}

/* Returns whether there is a digit, which distinguishes a token from a word. */
static gboolean
has_digit_near (const NsSecretFinder *self, gsize at)
{
  gsize end = MIN (self->size, at + NS_SECRETS_REACH);

  for (; at < end && ns_secret_is_name_char (self->text[at]); at++)
    if (g_ascii_isdigit (self->text[at]))
      return TRUE;
  return FALSE;
}

static gsize
get_end (const NsSecretFinder *self, gsize at, const Beginning *beginning)
{
  switch (beginning->form)
    {
    case KEY_ID:
      return get_key_id_end (self, at, beginning->min);
    case SEGMENT:
    case REST:
      return get_path_end (self, at, beginning->form == REST);
    case MIXED:
      return has_digit_near (self, at) ? get_token_end (self, at) : at;
    case TOKEN:
    default:
      return get_token_end (self, at);
    }
}

/**
 * ns_secrets_find_beginning:
 * @self: a finder
 * @at: position of a byte of a prefix
 *
 * Finds `ghp_…`, `AKIA…`, `https://hooks.slack.com/services/T…/B…/…`, and the prefixes of the user.
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_beginning (NsSecretFinder *self, gsize at)
{
  const NsSecretPrefixes *all = get_table (self->secrets);
  guint8 sign = (guint8) self->text[at];
  guint i;

  /* An encoded slash, in a URL inside another URL. */
  if (sign == '%' && get_width (self, at, '/', TRUE) > 0)
    sign = '/';
  for (i = all->first[sign]; i != 0; i = all->next[i - 1])
    {
      const Beginning *beginning = &all->all[i - 1];
      gsize begin = match (self, at, beginning, all->at[i - 1]);
      gsize end = begin > 0 ? get_end (self, begin, beginning) : 0;

      if (end < begin + beginning->min || end == 0)
        continue;
      ns_secret_finder_add (self, begin, end);
      return end;
    }
  return 0;
}

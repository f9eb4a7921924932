/* Finds secrets by their prefix: vendor tokens with a recognizable prefix, and URLs whose path is
 * the secret, such as webhooks.
 *
 * The user can add to the prefixes (ns-secret-names.c). Each is searched for at one of its
 * characters that is rare in texts.
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
  guint8 at;        /* position of the character that it is searched for at; see choose_place() */
  guint8 min;       /* minimum length of the secret after the prefix */
  Form form;
} Beginning;

/* The built-in prefixes, in groups by the character that they are searched for at. */

/* GitHub, npm, Docker, Stripe, Shopify, DigitalOcean. */
static const Beginning at_underscore[] = {
  { "ghp_", 3, 16, TOKEN },     { "gho_", 3, 16, TOKEN },      { "ghu_", 3, 16, TOKEN },
  { "ghs_", 3, 16, TOKEN },     { "ghr_", 3, 16, TOKEN },      { "github_pat_", 10, 16, TOKEN },
  { "npm_", 3, 20, MIXED },     { "dckr_pat_", 8, 16, TOKEN }, { "sk_live_", 7, 16, TOKEN },
  { "sk_test_", 7, 16, TOKEN }, { "rk_live_", 7, 16, TOKEN },  { "whsec_", 5, 16, TOKEN },
  { "shpat_", 5, 16, TOKEN },   { "dop_v#_", 3, 16, TOKEN },
};

/* GitLab, PyPI, Slack, OpenAI, Google. */
static const Beginning at_dash[] = {
  { "glpat-", 5, 16, TOKEN }, { "pypi-", 4, 20, MIXED }, { "xoxb-", 4, 16, TOKEN },
  { "xoxp-", 4, 16, TOKEN },  { "xoxa-", 4, 16, TOKEN }, { "xoxr-", 4, 16, TOKEN },
  { "xoxs-", 4, 16, TOKEN },  { "xoxd-", 4, 16, TOKEN }, { "xoxe-", 4, 16, TOKEN },
  { "xapp-", 4, 16, TOKEN },  { "sk-", 2, 20, MIXED },   { "GOCSPX-", 6, 16, TOKEN },
};

/* HashiCorp, Slack, SendGrid, Google. */
static const Beginning at_dot[] = {
  { "hvs.", 3, 16, TOKEN },
  { "xoxe.", 4, 16, TOKEN },
  { "SG.", 2, 20, MIXED },
  { "ya29.", 4, 16, TOKEN },
};

/* Amazon Web Services, Google. */
static const Beginning at_K[] = {
  { "AKIA", 1, 16, KEY_ID },
};

static const Beginning at_A[] = {
  { "ASIA", 3, 16, KEY_ID },
};

static const Beginning at_z[] = {
  { "AIza", 2, 30, TOKEN },
};

/* Webhook paths: Slack, Discord, Teams and Office, Telegram, IFTTT, Zapier, PagerDuty, Home
 * Assistant. */
static const Beginning at_slash[] = {
  { "/services/T^/B^/", 9, 4, SEGMENT },
  { "/workflows/T^/A^/", 10, 4, REST },
  { "/triggers/T^/#/", 9, 4, REST },
  { "/api/webhooks/#/", 13, 4, SEGMENT },
  { "/api/v#/webhooks/#/", 4, 4, SEGMENT },
  { "/IncomingWebhook/", 16, 4, REST },
  { "/bot#:", 0, 16, SEGMENT },
  { "/with/key/", 9, 4, SEGMENT },
  { "/hooks/catch/#/", 12, 4, REST },
  { "/integration/", 12, 32, SEGMENT },
  { "/api/webhook/", 12, 8, SEGMENT },
};

typedef struct
{
  const Beginning *beginnings;
  guint n;
} Group;

#define GROUP(beginnings)                                                                          \
  {                                                                                                \
    beginnings, G_N_ELEMENTS (beginnings)                                                          \
  }

enum
{
  ON_NONE,
  ON_UNDERSCORE,
  ON_DASH,
  ON_DOT,
  ON_K,
  ON_A,
  ON_Z,
  ON_SLASH,
  N_GROUPS
};

/* clang-format off */
static const Group groups[N_GROUPS] = {
  [ON_UNDERSCORE] = GROUP (at_underscore),
  [ON_DASH] = GROUP (at_dash),
  [ON_DOT] = GROUP (at_dot),
  [ON_K] = GROUP (at_K),
  [ON_A] = GROUP (at_A),
  [ON_Z] = GROUP (at_z),
  [ON_SLASH] = GROUP (at_slash),
};
/* clang-format on */

#undef GROUP

/* The group of each character. */
static const guint8 built_in_signs[256] = {
  ['_'] = ON_UNDERSCORE, ['-'] = ON_DASH, ['.'] = ON_DOT,   ['K'] = ON_K,
  ['A'] = ON_A,          ['z'] = ON_Z,    ['/'] = ON_SLASH,
};

/* The prefixes of the user, in lists by the character that they are searched for at. */
struct _NsSecretPrefixes
{
  Beginning all[NS_SECRET_NAMES_MAX_BEGINNINGS];
  guint n;
  guint8 first[256]; /* index + 1; 0: none */
  guint8 next[NS_SECRET_NAMES_MAX_BEGINNINGS];
  guint8 signs[256]; /* of these and the built-in ones */
};

G_STATIC_ASSERT (NS_SECRET_NAMES_MAX_BEGINNINGS < 256);

/* Returns the position of the character that the prefix is searched for at, before any wildcard:
 * the last punctuation character, or else a rare letter. */
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
  return secrets != NULL && secrets->beginnings != NULL ? secrets->beginnings->signs
                                                        : built_in_signs;
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
  guint8 at = (guint8) choose_place (text);
  guint8 sign = (guint8) text[at];
  NsSecretPrefixes *self = secrets->beginnings;

  if (self == NULL)
    {
      self = secrets->beginnings = g_new0 (NsSecretPrefixes, 1);
      memcpy (self->signs, built_in_signs, sizeof self->signs);
    }
  if (self->n == NS_SECRET_NAMES_MAX_BEGINNINGS)
    {
      g_free (text);
      return FALSE;
    }
  self->all[self->n] = (Beginning){ text, at, 1, strchr (text, '/') != NULL ? REST : TOKEN };
  self->next[self->n] = self->first[sign];
  self->first[sign] = (guint8) ++self->n;
  self->signs[sign] = MAX (self->signs[sign], 1);
  return TRUE;
}

/**
 * ns_secrets_prefixes_free:
 * @self: (transfer full) (nullable): the prefixes of the user
 */
void
ns_secrets_prefixes_free (NsSecretPrefixes *self)
{
  guint i;

  for (i = 0; self != NULL && i < self->n; i++)
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

/* Returns the position after a prefix whose character to search for is at @at; 0 if it does not
 * match. */
static gsize
match (const NsSecretFinder *self, gsize at, const Beginning *beginning)
{
  gboolean is_path = beginning->form == SEGMENT || beginning->form == REST;
  const char *text = beginning->text;
  guint place = beginning->at;
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

/* Finds the secret after a prefix whose character to search for is at @at; returns its end, else
 * 0. */
static gsize
find_at (NsSecretFinder *self, gsize at, const Beginning *beginning)
{
  gsize begin = match (self, at, beginning);
  gsize end = begin > 0 ? get_end (self, begin, beginning) : 0;

  if (end < begin + beginning->min || end == 0)
    return 0;
  ns_secret_finder_add (self, begin, end);
  return end;
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
  const NsSecretPrefixes *own = self->secrets != NULL ? self->secrets->beginnings : NULL;
  guint8 sign = (guint8) self->text[at];
  const Group *group;
  gsize end = 0;
  guint i;

  /* An encoded slash, in a URL inside another URL. */
  if (sign == '%' && get_width (self, at, '/', TRUE) > 0)
    sign = '/';
  for (i = own != NULL ? own->first[sign] : 0; i != 0 && end == 0; i = own->next[i - 1])
    end = find_at (self, at, &own->all[i - 1]);
  group = &groups[built_in_signs[sign]];
  for (i = 0; i < group->n && end == 0; i++)
    end = find_at (self, at, &group->beginnings[i]);
  return end;
}

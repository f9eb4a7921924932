/* Internals of the secret search, shared by the ns-secrets-*.c files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-secret-names.h"
#include "base/ns-secrets.h"

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* Maximum distance searched around a name. */
#define NS_SECRETS_REACH 512
/* Maximum number of backslashes before a quote: texts nested four deep. */
#define NS_SECRETS_MAX_BACKSLASHES 15
/* Minimum size of an NTLM message with a secret. */
#define NS_SECRETS_MIN_NTLM 64
/* Maximum size of a secret element with its content. */
#define NS_SECRETS_MAX_ELEMENT 65536

/* A secret part of a text. */
typedef struct
{
  gsize begin;
  gsize end;
} NsSecretRange;

typedef struct _NsSecretFinder NsSecretFinder;
typedef struct _NsSecretPrefixes NsSecretPrefixes;

struct _NsSecrets
{
  gatomicrefcount ref_count;
  gboolean is_shown;
  GPtrArray *names;             /* names added by the user: see ns-secret-names */
  NsSecretPrefixes *beginnings; /* of the user; NULL if the user has none */
};

struct _NsSecretFinder
{
  const NsSecrets *secrets; /* NULL for the defaults */
  const char *text;
  gsize size;
  /* Searches a nested text for secrets of all kinds. */
  void (*search) (NsSecretFinder *self);
  GArray *ranges;      /* NsSecretRange, in order, without overlaps; NULL if there are none */
  gsize n_looked;      /* bytes searched for missing end tags */
  gboolean is_decoded; /* the text was decoded from Base64 */
  gboolean is_inner;   /* the text between a name and its secret is searched */
};

static inline gboolean
ns_secret_is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.';
}

static inline gboolean
ns_secret_is_blank (char c)
{
  return c == ' ' || c == '\t';
}

static inline char
ns_secret_finder_get (const NsSecretFinder *self, gsize at)
{
  return at < self->size ? self->text[at] : '\0';
}

static inline gboolean
ns_secret_finder_begins_with (const NsSecretFinder *self, gsize at, const char *word)
{
  gsize n = strlen (word);

  return at <= self->size && self->size - at >= n &&
         g_ascii_strncasecmp (self->text + at, word, n) == 0;
}

static inline gsize
ns_secret_finder_skip_space (const NsSecretFinder *self, gsize at)
{
  while (at < self->size && g_ascii_isspace (self->text[at]))
    at++;
  return at;
}

static inline gboolean
ns_secret_is_switch_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_';
}

/* A word of a protocol line or a command line. */
typedef struct
{
  gsize begin;
  gsize end;
} NsSecretWord;

gboolean
ns_secret_finder_is_word (const NsSecretFinder *self, const NsSecretWord *word, const char *text);
gboolean ns_secret_finder_is_one_of (const NsSecretFinder *self,
                                     const NsSecretWord *word,
                                     const char *const *texts);
gboolean ns_secret_finder_is_value (const NsSecretFinder *self, gsize at);
gboolean ns_secret_finder_read_length (const NsSecretFinder *self, gsize *at, gsize *length);
void ns_secret_finder_add (NsSecretFinder *self, gsize begin, gsize end);
gsize ns_secret_finder_add_word (NsSecretFinder *self, gsize at, const char *enders);
gsize ns_secret_finder_skip_blanks (const NsSecretFinder *self, gsize at);
gsize ns_secret_finder_get_line_end (const NsSecretFinder *self, gsize at);
gsize ns_secret_finder_get_quote (const NsSecretFinder *self, gsize at);
gboolean ns_secret_finder_has_hex (const NsSecretFinder *self, gsize at);
gsize
ns_secret_finder_find_closing (const NsSecretFinder *self, gsize at, gsize n_quote, gsize limit);
gsize ns_secret_finder_get_name_limit (const NsSecretFinder *self, gsize at);
gsize ns_secret_finder_find_name (const NsSecretFinder *self, gsize at);
guint ns_secret_finder_look_at_escaped (const NsSecretFinder *self, gsize at);
gsize ns_secret_finder_find_value_beside (const NsSecretFinder *self, gsize at);
gsize ns_secret_finder_get_setting_end (const NsSecretFinder *self, gsize name, gsize at);
gsize ns_secret_finder_skip_scheme (const NsSecretFinder *self, gsize at);
gsize ns_secret_finder_add_header (NsSecretFinder *self, gsize at, gsize n_quote, char quote);

/* Each function returns where to continue after a secret found at @at, or 0. */
gsize ns_secrets_find_named (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_assigned (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_member (NsSecretFinder *self, gsize name_end, gsize at);
gsize ns_secrets_find_encoded_member (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_pair (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_element (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_protocol_line (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_simple_bind (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_scheme (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_jwt (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_beginning (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_private_key (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_switch (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_statement (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_call (NsSecretFinder *self, gsize at);
void ns_secrets_find_in_command (NsSecretFinder *self);
const guint8 *ns_secrets_get_beginning_signs (const NsSecrets *secrets);
gboolean ns_secrets_add_beginning (NsSecrets *secrets, char *text);
void ns_secrets_prefixes_free (NsSecretPrefixes *self);
void ns_secrets_find_binary (NsSecretFinder *self);
void ns_secrets_find_ntlm (NsSecretFinder *self);
void ns_secrets_find_mysql (NsSecretFinder *self);
void ns_secrets_find_ldap (NsSecretFinder *self);
void ns_secrets_find_kerberos (NsSecretFinder *self);
void ns_secrets_find_brokers (NsSecretFinder *self);
void ns_secrets_find_http2 (NsSecretFinder *self);
void ns_secrets_find_websocket (NsSecretFinder *self);

G_END_DECLS

/* How secrets are found in texts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-secret-names.h"
#include "base/ns-secrets.h"

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* Nothing that is looked for around a name is farther away. */
#define NS_SECRETS_REACH 512
/* Of texts in texts: four deep. */
#define NS_SECRETS_MAX_BACKSLASHES 15
/* The shortest message of NTLM in which something is secret. */
#define NS_SECRETS_MIN_NTLM 64
/* What is secret with all that is in it is no longer. */
#define NS_SECRETS_MAX_ELEMENT 65536

/* From here to there a text is secret. */
typedef struct
{
  gsize begin;
  gsize end;
} NsSecretRange;

typedef struct _NsSecretFinder NsSecretFinder;
typedef struct _NsSecretBeginnings NsSecretBeginnings;

struct _NsSecrets
{
  gatomicrefcount ref_count;
  gboolean is_shown;
  GPtrArray *names;               /* of the user: see ns-secret-names */
  NsSecretBeginnings *beginnings; /* all, with those of the user; NULL: the user has none */
};

struct _NsSecretFinder
{
  const NsSecrets *secrets; /* NULL: what is usual */
  const char *text;
  gsize size;
  /* Looks for all that is secret in a text inside of this one. */
  void (*search) (NsSecretFinder *self);
  GArray *ranges;      /* NsSecretRange, in order, without overlaps; NULL: none yet */
  gsize n_looked;      /* bytes that were searched for the ends of elements without one */
  gboolean is_decoded; /* the text was Base64 in another one */
  gboolean is_inner;   /* what stands before a secret is searched */
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

/* A word of a line of a protocol or a command. */
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

/* What begins at a place, if something does: where to go on, or 0. */
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
void ns_secret_beginnings_free (NsSecretBeginnings *self);
void ns_secrets_find_binary (NsSecretFinder *self);
void ns_secrets_find_ntlm (NsSecretFinder *self);
void ns_secrets_find_mysql (NsSecretFinder *self);
void ns_secrets_find_ldap (NsSecretFinder *self);
void ns_secrets_find_kerberos (NsSecretFinder *self);
void ns_secrets_find_brokers (NsSecretFinder *self);
void ns_secrets_find_http2 (NsSecretFinder *self);
void ns_secrets_find_websocket (NsSecretFinder *self);

G_END_DECLS

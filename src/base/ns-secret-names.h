/* Names whose values are secret.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-secrets.h"

G_BEGIN_DECLS

/* Longer names are none. */
#define NS_SECRET_NAMES_MAX_NAME 64
/* Of the user. */
#define NS_SECRET_NAMES_MAX_BEGINNINGS 64

/* Where a value of that name is secret. */
typedef enum
{
  NS_SECRET_NOWHERE = 0,
  NS_SECRET_HEADER = 1 << 0,    /* in headers, and in members and fields that are named like them */
  NS_SECRET_CHALLENGE = 1 << 1, /* likewise, but the word in front of it */
  NS_SECRET_ARGUMENT = 1 << 2,  /* in queries, fragments and forms */
  NS_SECRET_MEMBER = 1 << 3,    /* in JSON, XML and settings */
  NS_SECRET_FIELD = 1 << 4,     /* in fields of events, whatever they hold */
  NS_SECRET_SWITCH = 1 << 5,    /* on command lines */
  NS_SECRET_EVERYWHERE =
      NS_SECRET_HEADER | NS_SECRET_ARGUMENT | NS_SECRET_MEMBER | NS_SECRET_FIELD | NS_SECRET_SWITCH,
} NsSecretPlace;

guint ns_secret_names_look (const NsSecrets *secrets, const char *name, gsize n_bytes);
gboolean ns_secret_names_add (NsSecrets *secrets,
                              const char *where,
                              const char *text,
                              gsize n_bytes,
                              GError **error);
gboolean ns_secret_names_add_file (NsSecrets *secrets, const char *path, GError **error);
gboolean ns_secret_names_add_default_file (NsSecrets *secrets, GError **error);

G_END_DECLS

/* Table of names whose values are secret.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-secrets.h"

G_BEGIN_DECLS

/* Maximum length of a name. */
#define NS_SECRET_NAMES_MAX_NAME 64
/* Maximum number of prefixes added by the user. */
#define NS_SECRET_NAMES_MAX_BEGINNINGS 64

/* Places in which a value with a certain name is secret. */
typedef enum
{
  NS_SECRET_NOWHERE = 0,
  NS_SECRET_HEADER = 1 << 0,    /* headers, and members and fields named like them */
  NS_SECRET_CHALLENGE = 1 << 1, /* the same, for challenges: the token after the scheme only */
  NS_SECRET_ARGUMENT = 1 << 2,  /* queries, fragments and forms */
  NS_SECRET_MEMBER = 1 << 3,    /* JSON, XML and settings */
  NS_SECRET_FIELD = 1 << 4,     /* event fields, whatever their value */
  NS_SECRET_SWITCH = 1 << 5,    /* command lines */
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

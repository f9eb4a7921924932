/* What must not be seen of a trace unless the user says so: passwords, cookies, tokens.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Stands in the place of a secret. */
#define NS_SECRETS_MASK "\xe2\x80\xa6"
/* Likewise, for each character, where nothing may move. */
#define NS_SECRETS_BYTE '*'

/* Whether secrets are shown, and what the user added to them. */
typedef struct _NsSecrets NsSecrets;

NsSecrets *ns_secrets_new (gboolean is_shown);
NsSecrets *ns_secrets_ref (NsSecrets *self);
void ns_secrets_unref (NsSecrets *self);
gboolean ns_secrets_are_shown (const NsSecrets *self);
gboolean ns_secrets_is_secret_name (const NsSecrets *self, const char *name);
gboolean ns_secrets_is_command_name (const char *name);
gboolean ns_secrets_mask_tail (const NsSecrets *self, GString *text, gsize begin);
gboolean ns_secrets_mask_command (const NsSecrets *self, GString *text, gsize begin);
void ns_secrets_mask_typed (const NsSecrets *self, guint8 *data, gsize size);
gboolean ns_secrets_mask_bytes (const NsSecrets *self, guint8 *data, gsize size);
gboolean ns_secrets_mask_command_bytes (const NsSecrets *self, guint8 *data, gsize size);
guint8 *ns_secrets_dup_masked (const NsSecrets *self, const guint8 *data, gsize size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSecrets, ns_secrets_unref)

G_END_DECLS

/* Masks secrets in texts and bytes of a trace, unless the user wants to see them: passwords,
 * cookies, tokens.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Replaces a secret in text. */
#define NS_SECRETS_MASK "\xe2\x80\xa6"
/* Replaces each character of a secret where the size must not change. */
#define NS_SECRETS_BYTE '*'

/* Masking settings: whether secrets are shown, and the names added by the user. */
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
guint8 *ns_secrets_dup_masked_text (const NsSecrets *self, const guint8 *data, gsize size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSecrets, ns_secrets_unref)

G_END_DECLS

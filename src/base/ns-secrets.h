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

gboolean ns_secrets_are_shown (void);
void ns_secrets_show (gboolean shown);
gboolean ns_secrets_is_secret_name (const char *name);
gboolean ns_secrets_is_command_name (const char *name);
gboolean ns_secrets_mask_tail (GString *text, gsize begin);
gboolean ns_secrets_mask_command (GString *text, gsize begin);
void ns_secrets_mask_typed (guint8 *data, gsize size);
gboolean ns_secrets_mask_bytes (guint8 *data, gsize size);
gboolean ns_secrets_mask_command_bytes (guint8 *data, gsize size);
guint8 *ns_secrets_dup_masked (const guint8 *data, gsize size);

G_END_DECLS

/* Finds short forms of names: hosts without domain, parts of user names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-redact-names.h"

G_BEGIN_DECLS

typedef struct _NsRedactShort NsRedactShort;

NsRedactShort *ns_redact_short_new (void);
void ns_redact_short_free (NsRedactShort *self);
void ns_redact_short_add_host (NsRedactShort *self, NsRedactName *name);
void ns_redact_short_add_user (NsRedactShort *self, NsRedactName *name);
NsRedactName *
ns_redact_short_find_host (const NsRedactShort *self, const char *text, gsize begin, gsize end);
NsRedactName *ns_redact_short_find_user (const NsRedactShort *self, const char *text, gsize *size);
gboolean ns_redact_short_is_plain (const char *word, gsize size);

G_END_DECLS

/* Masks the secret bytes of a payload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-secrets.h"
#include "schema/ns-schema.h"

G_BEGIN_DECLS

guint8 *
ns_payload_dup_masked (const NsSchema *schema, const NsRecord *record, const NsSecrets *secrets);

G_END_DECLS

/* Secrets that are split over several records of one stream.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-secrets.h"
#include "etl/ns-etl-record.h"
#include "schema/ns-schema.h"

G_BEGIN_DECLS

typedef struct _NsHidden NsHidden;

NsHidden *ns_hidden_new (NsSecrets *secrets);
void ns_hidden_free (NsHidden *self);
void ns_hidden_learn (NsHidden *self, NsSchemas *schemas, const NsRecord *record);
void ns_hidden_settle (NsHidden *self);
void ns_hidden_use_copy (NsRecord *record, const guint8 *copy);
guint8 *ns_hidden_dup_masked (const NsHidden *self, const NsRecord *record);
guint8 *ns_hidden_dup_plain_masked (const NsHidden *self, const NsRecord *record);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsHidden, ns_hidden_free)

G_END_DECLS

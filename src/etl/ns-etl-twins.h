/* What the inputs of a case recorded twice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file-private.h"

G_BEGIN_DECLS

NsEtlTwins *ns_etl_twins_new (NsEtlFile *file);
void ns_etl_twins_begin (NsEtlFile *file);
void ns_etl_twins_free (NsEtlTwins *self);
gboolean ns_etl_twins_take (NsEtlFile *file, const NsRecord *record, guint input);

G_END_DECLS

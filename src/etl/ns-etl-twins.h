/* Finds records that several inputs of a case contain.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file-private.h"

G_BEGIN_DECLS

NsEtlTwins *ns_etl_twins_new (NsEtlFile *file);
void ns_etl_twins_begin (NsEtlFile *file);
void ns_etl_twins_free (NsEtlTwins *self);
const NsRecord *ns_etl_twins_next (NsEtlFile *file, const NsRecord *next, NsEtlFile **part);
gboolean ns_etl_twins_hold (NsEtlFile *file, const NsRecord *record, NsEtlFile *part);
guint64 ns_etl_twins_count_held (const NsEtlFile *file, guint64 *n_over);
guint64 ns_etl_twins_get_window (const NsEtlFile *file);

G_END_DECLS

/* Memo of the results of a comparison for values that many rows share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"
#include "query/ns-verdicts.h"

G_BEGIN_DECLS

typedef struct _NsFilterMemo NsFilterMemo;

NsFilterMemo *ns_filter_memo_new (const NsTrace *trace, const NsField *field);
void ns_filter_memo_free (NsFilterMemo *self);
gboolean ns_filter_memo_has_column (const NsFilterMemo *self);
gboolean ns_filter_memo_get_value (const NsFilterMemo *self,
                                   const NsTrace *trace,
                                   guint row,
                                   NsFieldValue *value);
NsVerdicts *ns_filter_memo_find (const NsFilterMemo *self, const NsTrace *trace, guint row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFilterMemo, ns_filter_memo_free)

G_END_DECLS

/* Cache of the results of a comparison, for values that many rows have.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Results by number (for example of a text of a trace), so that each item is evaluated once; 0
 * is "not evaluated". Two threads may read and write at the same time, as they write the same
 * result for an item. */
typedef guint8 NsVerdicts;

enum
{
  NS_VERDICT_NO = 1,
  NS_VERDICT_YES = 2,
};

static inline NsVerdicts *
ns_verdicts_new (guint last_number)
{
  return g_new0 (NsVerdicts, (gsize) last_number + 1);
}

static inline guint8
ns_verdicts_get (const NsVerdicts *self, guint number)
{
  return __atomic_load_n (&self[number], __ATOMIC_RELAXED);
}

static inline void
ns_verdicts_set (NsVerdicts *self, guint number, guint8 verdict)
{
  __atomic_store_n (&self[number], verdict, __ATOMIC_RELAXED);
}

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

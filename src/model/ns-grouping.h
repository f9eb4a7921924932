/* How a table is to be gathered into groups: by which fields, in which order, which of them open.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-groups.h"

G_BEGIN_DECLS

/* Which groups are open when nobody has touched them. */
typedef enum
{
  NS_FOLDS_INNERMOST, /* all but the innermost ones: groups are seen, rows are not */
  NS_FOLDS_NONE,
  NS_FOLDS_ALL,
} NsFolds;

/**
 * NsGrouping:
 * @fields: (element-type NsField): the outermost first; empty: no groups
 * @order: what groups beside each other are compared by
 * @descending: whether the greatest comes first
 * @folds: which groups are open
 * @touched: (element-type utf8): paths of the groups that are the other way
 */
typedef struct
{
  GPtrArray *fields;
  NsGroupOrder order;
  gboolean descending;
  NsFolds folds;
  GHashTable *touched;
} NsGrouping;

NsGrouping *ns_grouping_new (void);
NsGrouping *ns_grouping_copy (const NsGrouping *self);
void ns_grouping_free (NsGrouping *self);
void ns_grouping_fold (const NsGrouping *self, const NsTrace *trace, NsGroups *groups);
void ns_grouping_touch (NsGrouping *self,
                        const NsTrace *trace,
                        const NsGroups *groups,
                        const NsGroup *group);

static inline const NsField *const *
ns_grouping_get_fields (const NsGrouping *self)
{
  return (const NsField *const *) self->fields->pdata;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsGrouping, ns_grouping_free)

G_END_DECLS

/* Grouping of a table: the fields, the order of the groups, and which of them are expanded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-groups.h"

G_BEGIN_DECLS

/* Default state of the groups. */
typedef enum
{
  NS_FOLDS_INNERMOST, /* all but the innermost groups are expanded: groups are visible, rows are
                       * not */
  NS_FOLDS_NONE,
  NS_FOLDS_ALL,
} NsFolds;

/**
 * NsGrouping:
 * @fields: (element-type NsField): outermost first; empty without grouping
 * @order: sort key of groups on the same level
 * @descending: whether the greatest comes first
 * @folds: default state of the groups
 * @touched: (element-type utf8): paths of the groups in the opposite state
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

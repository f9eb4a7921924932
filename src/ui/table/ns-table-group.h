/* Text of group rows and of the columns that only grouped tables have.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

/* What a column shows. All but the first two are visible in grouped tables only. */
typedef enum
{
  NS_COLUMN_FIELD,
  NS_COLUMN_END, /* the result, as an icon */
  NS_COLUMN_GROUP,
  NS_COLUMN_COUNT,
  NS_COLUMN_FAILED,
  NS_COLUMN_PHASES,
  NS_COLUMN_TOTAL,
  NS_COLUMN_MEDIAN,
  NS_COLUMN_P95,
  NS_COLUMN_LONGEST,
  NS_N_COLUMN_KINDS
} NsColumnKind;

const char *ns_table_group_get_title (NsColumnKind kind);
gboolean ns_table_group_get_order (NsColumnKind kind, const NsField *field, NsGroupOrder *order);
gboolean ns_table_group_is_total (NsSession *session, NsTableId table, const NsGroup *group);
char *ns_table_group_dup_name (NsSession *session, NsTableId table, const NsGroup *group);
char *ns_table_group_dup_sentence (NsSession *session, NsTableId table, const NsGroup *group);
void ns_table_group_append_cell (NsSession *session,
                                 NsTableId table,
                                 NsColumnKind kind,
                                 const NsField *field,
                                 const NsGroup *group,
                                 GString *text);
void ns_table_group_append_row (NsSession *session,
                                NsTableId table,
                                NsColumnKind kind,
                                guint32 row,
                                GString *text);

G_END_DECLS

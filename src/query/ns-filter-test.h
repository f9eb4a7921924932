/* A comparison of a filter: field, operator and value.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

typedef enum
{
  NS_FILTER_OP_HAS, /* `:` contains, or equals for other types than text */
  NS_FILTER_OP_EQ,
  NS_FILTER_OP_NE,
  NS_FILTER_OP_LT,
  NS_FILTER_OP_LE,
  NS_FILTER_OP_GT,
  NS_FILTER_OP_GE,
  NS_FILTER_OP_LIKE, /* `~` regular expression */
  NS_FILTER_OP_UNLIKE,
} NsFilterOp;

typedef struct _NsFilterTest NsFilterTest;

NsFilterTest *ns_filter_test_new (const NsField *field,
                                  const char *name,
                                  NsFilterOp op,
                                  const char *value,
                                  gboolean is_quoted,
                                  GError **error);
NsFilterTest *ns_filter_test_new_is_true (const NsField *field);
NsFilterTest *ns_filter_test_new_payload (const char *name,
                                          NsFilterOp op,
                                          const char *value,
                                          gboolean is_quoted,
                                          GError **error);
gboolean ns_filter_test_reads_field (const NsFilterTest *self, const NsField *field);
gboolean ns_filter_test_reads_tables (const NsFilterTest *self);
void ns_filter_test_free (NsFilterTest *self);
gboolean ns_filter_test_prepare (NsFilterTest *self, const NsTrace *trace);
void ns_filter_test_forget (NsFilterTest *self);
guint ns_filter_test_count_given_up (const NsFilterTest *self);
gboolean ns_filter_test_matches (const NsFilterTest *self, const NsTrace *trace, guint row);
guint
ns_filter_test_select (const NsFilterTest *self, const NsTrace *trace, guint32 *rows, guint n_rows);

G_END_DECLS

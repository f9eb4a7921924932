/* Structure of a comparison, for its constructor and its evaluation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-field-column.h"
#include "query/ns-filter-memo.h"
#include "query/ns-filter-path.h"
#include "query/ns-filter-payload.h"
#include "query/ns-filter-regex.h"
#include "query/ns-filter-stack.h"
#include "query/ns-filter-test.h"

G_BEGIN_DECLS

typedef enum
{
  NS_FILTER_MATCH_RANGE,    /* numbers from low to high */
  NS_FILTER_MATCH_NETWORK,  /* address prefix */
  NS_FILTER_MATCH_CONTAINS, /* text */
  NS_FILTER_MATCH_EQUALS,
  NS_FILTER_MATCH_PATTERN, /* wildcards * and ? */
  NS_FILTER_MATCH_REGEX,
  NS_FILTER_MATCH_NOTHING, /* only unknown or empty values */
} NsFilterMatch;

struct _NsFilterTest
{
  const NsField *field;
  NsFilterMatch match;
  gboolean is_negated;
  guint64 low;
  guint64 high;
  NsIp network;
  guint n_bits;
  char *text;
  NsFilterRegex *regex;
  const NsColumn *column; /* (nullable): packed column in the filtered trace, for numbers */
  guint64 low_code;       /* matching codes of @column, inclusive */
  guint64 high_code;
  NsFilterMemo *memo;       /* (nullable): results for the filtered trace */
  NsFilterStack *stack;     /* for the field `stack` */
  NsFilterPath *path;       /* for the field `stack_path` */
  NsFilterPayload *payload; /* in place of all of the above */
};

G_END_DECLS

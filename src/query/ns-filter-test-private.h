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
  NS_FILTER_MATCH_NETWORK,  /* the first bits of an address */
  NS_FILTER_MATCH_CONTAINS, /* text */
  NS_FILTER_MATCH_EQUALS,
  NS_FILTER_MATCH_PATTERN, /* with * and ? */
  NS_FILTER_MATCH_REGEX,
  NS_FILTER_MATCH_NOTHING, /* only what is unknown or empty */
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
  const NsColumn *column; /* (nullable): of the trace that is filtered, if numbers are compared */
  guint64 low_code;       /* codes of it that match */
  guint64 high_code;
  NsFilterMemo *memo;       /* (nullable): of the trace that is filtered */
  NsFilterStack *stack;     /* of the field that is no value but a path */
  NsFilterPath *path;       /* of the field that is what a path begins with */
  NsFilterPayload *payload; /* instead of all of the above */
};

G_END_DECLS

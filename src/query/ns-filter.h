/* The filter language: text to a tree, checked against the table of fields, and run over rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* A text that is longer is refused. Paths of calls are long. */
#define NS_FILTER_MAX_BYTES 65536

typedef struct _NsFilter NsFilter;

/* Where in the text a filter is wrong, in bytes; set on failure of ns_filter_new(). */
typedef struct
{
  gsize begin;
  gsize end;
} NsFilterSpan;

typedef enum
{
  NS_FILTER_TOKEN_FIELD,
  NS_FILTER_TOKEN_OPERATOR,
  NS_FILTER_TOKEN_VALUE,
  NS_FILTER_TOKEN_KEYWORD, /* and, or, not, in, contains, and - or ! before a condition */
  NS_FILTER_TOKEN_BRACKET, /* also the comma of a list */
  NS_FILTER_TOKEN_WORD,    /* that stands alone */
} NsFilterTokenKind;

/* What some bytes of a filter are. */
typedef struct
{
  NsFilterTokenKind kind;
  gsize begin;
  gsize end;
} NsFilterToken;

NsFilter *ns_filter_new (NsTableId table, const char *text, NsFilterSpan *where, GError **error);
void ns_filter_free (NsFilter *self);
/* The conditions of a filter that must all hold; (element-type utf8). */
GPtrArray *ns_filter_split (NsTableId table, const char *text, NsFilterSpan *where, GError **error);
/* The condition that rows with this value in this field pass: `server="a.example"`. */
char *ns_filter_from_value (const NsField *field, const NsFieldValue *value);
char *ns_filter_from_payload (const char *name, const char *value);
/* The words of a filter, as far as it makes sense; (element-type NsFilterToken). */
GArray *ns_filter_list_tokens (NsTableId table, const char *text);
gsize ns_filter_measure_settled (NsTableId table, const char *text);
gboolean ns_filter_matches (const NsFilter *self, const NsTrace *trace, guint row);
/* The name of a range of time that it asks for and @trace (nullable) does not have. */
const char *
ns_filter_find_unknown_range (const NsFilter *self, const NsTrace *trace, NsNamedRanges *ranges);
/* Whether rows pass or not by what they have in the field. */
gboolean ns_filter_reads_field (const NsFilter *self, const NsField *field);
/* Of a filter of events: whether records that stream by are not enough (see ns_event_hold()). */
gboolean ns_filter_reads_tables (const NsFilter *self);
/* A sentence about values that were not compared to the end; %NULL: all were. */
char *ns_filter_describe_given_up (const NsFilter *self);
/* All matching rows (0-based) of the table, in table order. %NULL when stopped. */
GArray *ns_filter_run (const NsFilter *self,
                       const NsTrace *trace,
                       NsTableId table,
                       NsProgressFunc progress,
                       gpointer progress_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFilter, ns_filter_free)

G_END_DECLS

/* The filter language: parses text to a tree, checks it against the table of fields, and evaluates
 * it over rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Maximum length of a filter; code paths are long. */
#define NS_FILTER_MAX_BYTES 65536

typedef struct _NsFilter NsFilter;

/* Position of an error in a filter, in bytes; set if ns_filter_new() fails. */
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
  NS_FILTER_TOKEN_BRACKET, /* including the comma of a list */
  NS_FILTER_TOKEN_WORD,    /* a single word */
} NsFilterTokenKind;

/* A token of a filter. */
typedef struct
{
  NsFilterTokenKind kind;
  gsize begin;
  gsize end;
} NsFilterToken;

NsFilter *ns_filter_new (NsTableId table, const char *text, NsFilterSpan *where, GError **error);
void ns_filter_free (NsFilter *self);
/* Returns the conditions of a filter that are joined by "and": (element-type utf8). */
GPtrArray *ns_filter_split (NsTableId table, const char *text, NsFilterSpan *where, GError **error);
/* Returns a condition that selects rows with this value: `server="a.example"`. */
char *ns_filter_from_value (const NsField *field, const NsFieldValue *value);
char *ns_filter_from_payload (const char *name, const char *value);
/* Returns the tokens of a filter, up to the first error: (element-type NsFilterToken). */
GArray *ns_filter_list_tokens (NsTableId table, const char *text);
gsize ns_filter_measure_settled (NsTableId table, const char *text);
gboolean ns_filter_matches (const NsFilter *self, const NsTrace *trace, guint row);
/* Returns the name of a time range in the filter that @trace (nullable) does not have. */
const char *
ns_filter_find_unknown_range (const NsFilter *self, const NsTrace *trace, NsNamedRanges *ranges);
/* Returns whether the result depends on the field. */
gboolean ns_filter_reads_field (const NsFilter *self, const NsField *field);
/* Returns whether a filter of events needs more than streamed records (see ns_event_hold()). */
gboolean ns_filter_reads_tables (const NsFilter *self);
/* Returns a sentence about values whose match was aborted; %NULL: none. */
char *ns_filter_describe_incomplete (const NsFilter *self);
/* Returns all matching rows (0-based) of the table, in table order; %NULL: stopped. */
GArray *ns_filter_run (const NsFilter *self,
                       const NsTrace *trace,
                       NsTableId table,
                       NsProgressFunc progress,
                       gpointer progress_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFilter, ns_filter_free)

G_END_DECLS

/* The filter language: text to a tree, checked against the table of fields, and run over rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

typedef struct _NsFilter NsFilter;

/**
 * NsFilterReadFunc:
 * @field: which field
 * @user_data: the caller's
 * @value: (out caller-allocates): all zero but for its type; to be filled
 *
 * Reads what a filter asks of something that is no row of a table.
 */
typedef void (*NsFilterReadFunc) (const NsField *field, gpointer user_data, NsFieldValue *value);

/* Where in the text a filter is wrong, in bytes; set on failure of ns_filter_new(). */
typedef struct
{
  gsize begin;
  gsize end;
} NsFilterSpan;

NsFilter *ns_filter_new (NsTableId table, const char *text, NsFilterSpan *where, GError **error);
/* For records as they stream by: @read gives the fields of ns_record_fields_get(). */
NsFilter *ns_filter_new_for_records (const char *text, NsFilterSpan *where, GError **error);
gboolean ns_filter_matches_record (const NsFilter *self, NsFilterReadFunc read, gpointer read_data);
void ns_filter_free (NsFilter *self);
/* The condition that rows with this value in this field pass: `server="a.example"`. */
char *ns_filter_from_value (const NsField *field, const NsFieldValue *value);
gboolean ns_filter_matches (const NsFilter *self, const NsTrace *trace, guint row);
/* All matching rows (0-based) of the table, in table order. %NULL when stopped. */
GArray *ns_filter_run (const NsFilter *self,
                       const NsTrace *trace,
                       NsTableId table,
                       NsProgressFunc progress,
                       gpointer progress_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFilter, ns_filter_free)

G_END_DECLS

/* Completion of a filter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-filter.h"

G_BEGIN_DECLS

/* Maximum number of offers. */
#define NS_FILTER_MAX_OFFERS 100

typedef enum
{
  NS_FILTER_WANTS_NOTHING, /* inside a regular expression, or at an unknown place */
  NS_FILTER_WANTS_FIELD,
  NS_FILTER_WANTS_OPERATOR,
  NS_FILTER_WANTS_VALUE,
  NS_FILTER_WANTS_RANGE, /* the name of a time range */
} NsFilterWants;

/* Kinds of text that may be typed at a position, and the text that is there already. */
typedef struct
{
  NsFilterWants wants;
  NsTableId table;
  const NsField *field; /* OPERATOR, VALUE */
  gsize begin;          /* bytes that an offer replaces */
  gsize end;
  char *part; /* the typed part of them, without quotes */
} NsFilterPlace;

/* A value of a field, and the number of rows that have it. */
typedef struct
{
  char *text;
  guint n_rows;
} NsFilterValue;

typedef struct
{
  char *text;   /* replacement text */
  char *detail; /* its meaning, for users; may be empty */
  guint n_rows; /* number of rows with the value; 0: not counted */
} NsFilterOffer;

void
ns_filter_place_init (NsFilterPlace *self, NsTableId table, const char *text, gsize n_bytes_before);
void ns_filter_place_clear (NsFilterPlace *self);
GPtrArray *
ns_filter_place_list_offers (const NsFilterPlace *self, const GPtrArray *values, gboolean *is_cut);

GPtrArray *ns_filter_list_values (const NsTrace *trace,
                                  const NsField *field,
                                  guint n_rows,
                                  gboolean *is_cut,
                                  NsProgressFunc progress,
                                  gpointer progress_data);
GPtrArray *ns_filter_list_ranges (const NsTrace *trace);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NsFilterPlace, ns_filter_place_clear)

G_END_DECLS

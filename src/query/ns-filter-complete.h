/* Completion of a filter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-filter.h"

G_BEGIN_DECLS

/* More are not offered at a time. */
#define NS_FILTER_MAX_OFFERS 100

typedef enum
{
  NS_FILTER_WANTS_NOTHING, /* inside of a regular expression, or where nothing is known */
  NS_FILTER_WANTS_FIELD,
  NS_FILTER_WANTS_OPERATOR,
  NS_FILTER_WANTS_VALUE,
  NS_FILTER_WANTS_RANGE, /* the name of a range of time */
} NsFilterWants;

/* Where somebody types: what is wanted there, and what stands there already. */
typedef struct
{
  NsFilterWants wants;
  NsTableId table;
  const NsField *field; /* OPERATOR, VALUE */
  gsize begin;          /* what an offer replaces, in bytes */
  gsize end;
  char *part; /* what has been typed of it, without quotes */
} NsFilterPlace;

/* A value of a field, and how many rows have it. */
typedef struct
{
  char *text;
  guint n_rows;
} NsFilterValue;

typedef struct
{
  char *text;   /* what replaces the bytes of the place */
  char *detail; /* what it means, for people; may be empty */
  guint n_rows; /* of a value; 0: not counted */
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

/* Columns of the differences between two traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-difference.h"

G_BEGIN_DECLS

/* Two traces, and an operation that differs. */
typedef struct
{
  const NsTrace *before;
  const NsTrace *after;
  const NsChange *change;
} NsDifference;

typedef struct _NsDifferenceColumn NsDifferenceColumn;

/* A cell: a text, else a number if known. If one of the two operations has no recorded end, the
 * difference is a lower or an upper bound. */
typedef struct
{
  char *text; /* (nullable) */
  gint64 number;
  gboolean is_number;
  gboolean is_lower_bound;
  gboolean is_upper_bound;
} NsDifferenceCell;

const NsDifferenceColumn *ns_difference_column_find (const char *id);
gboolean ns_difference_column_refuse (const char *id, GError **error);
GPtrArray *ns_difference_columns_parse (const char *text, GError **error);
const char *ns_difference_column_get_id (const NsDifferenceColumn *self);
const char *ns_difference_column_get_title (const NsDifferenceColumn *self);
gboolean ns_difference_column_is_time (const NsDifferenceColumn *self);
NsDifferenceCell
ns_difference_column_get (const NsDifferenceColumn *self, const NsDifference *diff);
int ns_difference_cell_compare (const NsDifferenceCell *self,
                                const NsDifferenceCell *other,
                                gboolean is_descending);
void ns_difference_cell_clear (NsDifferenceCell *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NsDifferenceCell, ns_difference_cell_clear)

G_END_DECLS

/* Stable sort of row numbers by several fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/**
 * NsOrderKey:
 * @field: the field
 * @descending: whether the largest value comes first
 * @instead_of: (nullable): count only rows that show @field in place of this field
 *
 * A sort key. Rows with an unknown value, or that do not count, come last.
 */
typedef struct
{
  const NsField *field;
  gboolean descending;
  const NsField *instead_of;
} NsOrderKey;

/* Parses `field,-field`; returns (element-type NsOrderKey). */
GArray *ns_order_parse (NsTableId table, const char *text, GError **error);
char *ns_order_to_text (const GArray *order);
/* Sorts @rows (guint32, 0-based) in place; returns %FALSE if stopped. */
gboolean ns_order_sort (const NsTrace *trace,
                        const NsOrderKey *keys,
                        guint n_keys,
                        GArray *rows,
                        NsProgressFunc progress,
                        gpointer progress_data);
/* Likewise; also sets @depths (nullable) to the number of leading keys in which each row equals
 * the previous one. */
gboolean ns_order_sort_apart (const NsTrace *trace,
                              const NsOrderKey *keys,
                              guint n_keys,
                              GArray *rows,
                              guint8 *depths,
                              NsProgressFunc progress,
                              gpointer progress_data);

G_END_DECLS

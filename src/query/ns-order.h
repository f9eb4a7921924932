/* Sorting row numbers by several fields, stably.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/**
 * NsOrderKey:
 * @field: whose values
 * @descending: the largest first
 * @instead_of: (nullable): only rows count that show @field in the place of this one
 *
 * What to sort by. Rows whose value is not known, or does not count, come last.
 */
typedef struct
{
  const NsField *field;
  gboolean descending;
  const NsField *instead_of;
} NsOrderKey;

/* Parses `field,-field`; (element-type NsOrderKey). */
GArray *ns_order_parse (NsTableId table, const char *text, GError **error);
char *ns_order_to_text (const GArray *order);
/* Sorts @rows (guint32, 0-based) in place. %FALSE when stopped. */
gboolean ns_order_sort (const NsTrace *trace,
                        const NsOrderKey *keys,
                        guint n_keys,
                        GArray *rows,
                        NsProgressFunc progress,
                        gpointer progress_data);
/* The same, and tells in @depths (nullable) in how many keys each row is as the one before it. */
gboolean ns_order_sort_apart (const NsTrace *trace,
                              const NsOrderKey *keys,
                              guint n_keys,
                              GArray *rows,
                              guint8 *depths,
                              NsProgressFunc progress,
                              gpointer progress_data);

G_END_DECLS

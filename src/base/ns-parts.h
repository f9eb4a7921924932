/* Splits work over many items into parts that two threads share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"

G_BEGIN_DECLS

/* Number of items in a part. */
#define NS_PARTS_ITEMS (1u << 14)
#define NS_PARTS_MAX_WORKERS 2

/* Processes the items from @begin to @end, exclusive. @worker is below %NS_PARTS_MAX_WORKERS and
 * different in each thread. */
typedef void (*NsPartsFunc) (guint begin, guint end, guint worker, gpointer user_data);

guint ns_parts_count (guint n_items);
gboolean ns_parts_is_worth_two (guint n_items);
gboolean ns_parts_run (guint n_items,
                       gboolean is_shared,
                       NsPartsFunc func,
                       gpointer user_data,
                       NsProgressFunc progress,
                       gpointer progress_data);

G_END_DECLS

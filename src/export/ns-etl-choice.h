/* Finds the records from which selected rows were made.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

guint8 *
ns_etl_choice_new (const NsTrace *trace, NsTableId table, const guint32 *rows, gsize n_rows);

G_END_DECLS

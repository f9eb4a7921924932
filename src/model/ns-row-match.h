/* The same row in a later reading of a trace that has grown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

guint32 ns_row_match_find (NsSession *from, NsTableId table, guint32 row, NsSession *to);

G_END_DECLS

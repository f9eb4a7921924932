/* Keeps the selection when another table comes to the front: selects the rows of the same
 * operations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

void ns_session_follow (NsSession *session, NsTableId table);

G_END_DECLS

/* The selection taken along from one table to another.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

void ns_session_follow (NsSession *session, NsTableId table);

G_END_DECLS

/* Breakdown of the time of a row, as far as known at the playback position.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"
#include "query/ns-blame.h"

G_BEGIN_DECLS

gboolean ns_row_phases_find (NsSession *session, guint32 activity, NsBlame *blame);

G_END_DECLS

/* Tooltip of a bar of the timeline.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

char *ns_row_tip_new (NsSession *session, guint32 row);

G_END_DECLS

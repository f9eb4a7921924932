/* Formats a view as a command line that prints its rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

char *ns_session_to_command (NsSession *self, NsTableId table, const GPtrArray *fields);

G_END_DECLS

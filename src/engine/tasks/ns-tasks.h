/* The run that a thread was executing at a given time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

NsRunId ns_tasks_find_link (NsBuilder *builder, guint32 tid, gint64 time_ns);
void ns_tasks_use_link (NsBuilder *builder, NsRunId link);

G_END_DECLS

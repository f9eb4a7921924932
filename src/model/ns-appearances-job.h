/* Where in the stack a packet was seen, read by a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/net/packets/ns-packet-appearances.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * NsAppearanceLine:
 * @place: name or number of the component, and of its edge
 * @fate: (nullable): what became of the packet there
 * @after_ns: how long after it was first seen
 * @is_drop: it was dropped
 * @is_row: the row of the packet shows this one
 */
typedef struct
{
  char *place;
  char *fate;
  gint64 after_ns;
  gboolean is_drop;
  gboolean is_row;
} NsAppearanceLine;

void ns_appearances_job_run_async (NsTrace *trace,
                                   NsRow packet,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
GArray *ns_appearances_job_run_finish (GAsyncResult *result, GError **error);

G_END_DECLS

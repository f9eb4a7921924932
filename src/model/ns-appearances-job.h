/* Reads, in a thread, the points of the network stack at which a packet was captured.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/net/packets/ns-packet-appearances.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * NsAppearanceLine:
 * @place: name or number of the component, with its edge
 * @fate: (nullable): what happened to the packet there
 * @after_ns: time since the first capture
 * @is_drop: the packet was dropped
 * @is_row: this is the capture shown in the row of the packet
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

/* Clocks for showing times: relative to the trace, of the traced machine, UTC, or of this machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef enum
{
  NS_WALL_TRACE,  /* seconds since the start of the trace */
  NS_WALL_TRACED, /* local time of the traced machine */
  NS_WALL_UTC,
  NS_WALL_HERE, /* local time of this machine */
  NS_N_WALLS,
} NsWall;

const char *ns_wall_get_name (NsWall self);
gboolean ns_wall_from_name (const char *name, NsWall *wall);
gint64 ns_wall_get_base_ns (NsWall self, const NsTrace *trace);
void ns_wall_append (NsWall self, const NsTrace *trace, gint64 time_ns, GString *text);
char *ns_wall_describe (NsWall self, const NsTrace *trace, gint64 time_ns);

G_END_DECLS

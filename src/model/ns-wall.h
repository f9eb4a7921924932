/* By which clock moments are told: the trace's own, the traced machine's, UTC, or ours.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef enum
{
  NS_WALL_TRACE,  /* seconds since the trace header */
  NS_WALL_TRACED, /* the traced machine's clock */
  NS_WALL_UTC,
  NS_WALL_HERE, /* the clock of the machine this runs on */
  NS_N_WALLS,
} NsWall;

const char *ns_wall_get_name (NsWall self);
gboolean ns_wall_from_name (const char *name, NsWall *wall);
gint64 ns_wall_get_base_ns (NsWall self, const NsTrace *trace);
void ns_wall_append (NsWall self, const NsTrace *trace, gint64 time_ns, GString *text);
char *ns_wall_describe (NsWall self, const NsTrace *trace, gint64 time_ns);

G_END_DECLS

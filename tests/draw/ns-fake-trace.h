/* A trace made of nothing but activities, for tests of what only draws them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

extern const char *fake_process_name; /* of process 1 */

NsTrace *fake_trace_new (gint64 end_ns);
NsActivityRow *fake_trace_add (NsTrace *self,
                               guint32 pid,
                               const char *server,
                               NsRow connection,
                               gint64 open_ns,
                               gint64 close_ns);
void fake_trace_free (NsTrace *self);

/* The phases of such a row, to write to. */
static inline gint64 *
fake_phases (NsActivityRow *row)
{
  return (gint64 *) row->phases;
}

G_END_DECLS

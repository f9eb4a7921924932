/* A trace with activities and processes only, for tests of the drawing code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ns-test-trace.h"

G_BEGIN_DECLS

NsTrace *fake_trace_new (gint64 end_ns);
void fake_trace_name_process (NsTrace *self, guint32 pid, const char *name);
/* Adds a row. Process 1 is named `one.exe`, all others `other.exe`, unless they were named
 * before. */
NsActivityRow *fake_trace_add (NsTrace *self,
                               guint32 pid,
                               const char *server,
                               NsRow connection,
                               gint64 open_ns,
                               gint64 close_ns);
void fake_trace_free (NsTrace *self);

/* Returns the phases of such a row for writing. */
static inline gint64 *
fake_phases (NsActivityRow *row)
{
  return test_phases (row);
}

G_END_DECLS

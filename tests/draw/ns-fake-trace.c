/* A trace with activities and processes only, for tests of the drawing code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-fake-trace.h"

#include "engine/trace/ns-trace-lookup.h"

NsTrace *
fake_trace_new (gint64 end_ns)
{
  return test_trace_new (end_ns);
}

/* Adds a process with this name. */
void
fake_trace_name_process (NsTrace *self, guint32 pid, const char *name)
{
  NsRow known = ns_trace_find_process (self, pid, 0);
  NsProcessRow *row;

  if (known == 0)
    {
      row = test_trace_add (self->processes);
      row->pid = pid;
      row->before_trace = TRUE;
      row->end_ns = self->end_ns;
      ns_trace_index_processes (self);
    }
  else
    row = &g_array_index (self->processes, NsProcessRow, known - 1);
  row->name = ns_strings_add (self->strings, name);
}

NsActivityRow *
fake_trace_add (NsTrace *self,
                guint32 pid,
                const char *server,
                NsRow connection,
                gint64 open_ns,
                gint64 close_ns)
{
  NsActivityRow *row;

  if (ns_trace_find_process (self, pid, 0) == 0)
    fake_trace_name_process (self, pid, pid == 1 ? "one.exe" : "other.exe");
  row = test_trace_add_activity (self, server, open_ns);
  row->pid = pid;
  row->tid = 0;
  row->tcp = connection;
  row->close_ns = close_ns;
  return row;
}

void
fake_trace_free (NsTrace *self)
{
  test_trace_free (self);
}

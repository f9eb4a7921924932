/* A trace made of nothing but activities, for tests of what only draws them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-fake-trace.h"

#include "engine/ns-namer.h"

const char *fake_process_name = "one.exe";

/* The engine's own, without processes, images and names of functions. */
NsRow
ns_trace_find_process (const NsTrace *self, guint32 pid, gint64 time_ns)
{
  return 0;
}

const char *
ns_trace_get_process_name (const NsTrace *self, guint32 pid, gint64 time_ns)
{
  return pid == 1 ? fake_process_name : "other.exe";
}

NsRow
ns_trace_find_image (const NsTrace *self, guint32 pid, guint64 address, gint64 time_ns)
{
  return 0;
}

gboolean
ns_trace_is_kernel_address (const NsTrace *self, guint64 address)
{
  return FALSE;
}

char *
ns_trace_frame_to_function (const NsTrace *self,
                            guint32 pid,
                            guint64 address,
                            gint64 time_ns,
                            gboolean is_return)
{
  return g_strdup ("function");
}

NsTrace *
fake_trace_new (gint64 end_ns)
{
  NsTrace *self = g_new0 (NsTrace, 1);

  self->strings = ns_strings_new ();
  self->arena = ns_arena_new (4096);
  self->ends = ns_ends_new ();
  self->activities = g_array_new (FALSE, TRUE, sizeof (NsActivityRow));
  self->tcp = g_array_new (FALSE, TRUE, sizeof (NsTcpRow));
  self->end_ns = end_ns;
  return self;
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
  guint phase;

  g_array_set_size (self->activities, self->activities->len + 1);
  row = &g_array_index (self->activities, NsActivityRow, self->activities->len - 1);
  row->remote = row->local = &ns_ends_none;
  row->protocol = NS_LAYER_TCP;
  row->pid = pid;
  row->server = ns_strings_add (self->strings, server);
  row->tcp = connection;
  row->open_ns = open_ns;
  row->close_ns = close_ns;
  row->first_byte_ns = NS_TIME_NONE;
  row->reused = -1;
  row->phases = ns_arena_alloc (self->arena, NS_N_PHASES * sizeof (gint64));
  for (phase = 0; phase < NS_N_PHASES; phase++)
    fake_phases (row)[phase] = NS_UNKNOWN;
  return row;
}

void
fake_trace_free (NsTrace *self)
{
  g_array_unref (self->activities);
  g_array_unref (self->tcp);
  ns_strings_free (self->strings);
  ns_arena_free (self->arena);
  ns_ends_free (self->ends);
  g_free (self);
}

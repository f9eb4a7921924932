/* Threads: records merged into one row for each lifetime.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/system/ns-kernel-private.h"
#include "engine/trace/ns-trace-lookup.h"

typedef struct
{
  NsTrace *trace;
  GArray *rows;
  NsMap *last; /* newest row of each tid, whether running or ended */
} Fold;

static gboolean
is_near (gint64 a, gint64 b)
{
  return ns_time_is_set (a) && ns_time_is_set (b) && ABS (a - b) <= NS_KERNEL_DUPLICATE_NS;
}

static void
fill (NsThreadRow *row, const NsThreadRow *from)
{
  if (row->start_address == 0)
    row->start_address = from->start_address;
  if (row->name == NS_STRING_NONE)
    row->name = from->name;
  if (row->creator_pid == NS_PID_UNKNOWN)
    row->creator_pid = from->creator_pid;
  if (row->creator_tid == NS_PID_UNKNOWN)
    row->creator_tid = from->creator_tid;
}

static NsThreadRow *
add (Fold *self, const NsThreadFact *fact, gint64 start_ns)
{
  NsThreadRow row = fact->row;

  row.start_ns = start_ns;
  row.end_ns = NS_TIME_OPEN;
  row.before_trace = start_ns == NS_TIME_NONE;
  g_array_append_val (self->rows, row);
  ns_map_set (self->last, row.tid, 0, self->rows->len);
  return &g_array_index (self->rows, NsThreadRow, self->rows->len - 1);
}

static void
fold_start (Fold *self, NsThreadRow *row, const NsThreadFact *fact)
{
  if (row != NULL && row->end_ns == NS_TIME_OPEN && row->pid == fact->row.pid)
    {
      /* The thread was created while the rundown was written: the start event has more details. */
      if (row->before_trace)
        {
          row->start_ns = fact->time_ns;
          row->before_trace = FALSE;
          fill (row, &fact->row);
          return;
        }
      /* The same start, recorded by two sessions. */
      if (is_near (row->start_ns, fact->time_ns) && row->start_address == fact->row.start_address &&
          row->creator_pid == fact->row.creator_pid && row->creator_tid == fact->row.creator_tid)
        return;
    }
  if (row != NULL && row->end_ns == NS_TIME_OPEN)
    row->end_ns = fact->time_ns;
  add (self, fact, fact->time_ns);
}

static void
fold (Fold *self, const NsThreadFact *fact)
{
  guint32 number = ns_map_get (self->last, fact->row.tid, 0);
  NsThreadRow *row = number != 0 ? NS_ROW_AT (self->rows, NsThreadRow, number) : NULL;
  gboolean is_same = row != NULL && row->pid == fact->row.pid;

  switch ((NsFactKind) fact->kind)
    {
    case NS_FACT_START:
      fold_start (self, row, fact);
      break;
    case NS_FACT_END:
      if (is_same && (row->end_ns == NS_TIME_OPEN || is_near (row->end_ns, fact->time_ns)))
        {
          if (row->end_ns == NS_TIME_OPEN)
            row->end_ns = fact->time_ns;
          fill (row, &fact->row);
        }
      else
        add (self, fact, NS_TIME_NONE)->end_ns = fact->time_ns;
      break;
    case NS_FACT_RUNDOWN:
    case NS_FACT_RUNDOWN_END:
      if (is_same)
        fill (row, &fact->row);
      else
        add (self, fact, NS_TIME_NONE);
      break;
    case NS_FACT_NAME:
      if (is_same && row->end_ns == NS_TIME_OPEN)
        row->name = fact->row.name;
      else
        add (self, fact, NS_TIME_NONE);
      break;
    case NS_FACT_DEFUNCT:
    case NS_FACT_ID:
    default:
      break;
    }
}

/* Ends threads at the latest with their process. */
static void
join_processes (NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->threads->len; i++)
    {
      NsThreadRow *row = &g_array_index (trace->threads, NsThreadRow, i);
      gint64 moment = row->start_ns != NS_TIME_NONE ? row->start_ns
                      : row->end_ns != NS_TIME_OPEN ? row->end_ns
                                                    : 0;
      const NsProcessRow *process;

      row->process = ns_trace_find_process (trace, row->pid, moment);
      if (row->process == 0)
        continue;
      process = NS_ROW_AT (trace->processes, NsProcessRow, row->process);
      if (row->end_ns == NS_TIME_OPEN && process->end_ns != NS_TIME_OPEN &&
          (row->start_ns == NS_TIME_NONE || process->end_ns >= row->start_ns))
        row->end_ns = process->end_ns;
    }
}

void
ns_kernel_fold_threads (NsBuilder *builder)
{
  Fold self = { .trace = builder->trace, .rows = builder->trace->threads };
  GArray *facts = builder->kernel->threads;
  guint i;

  self.last = ns_map_new ();
  g_array_sort (facts, ns_kernel_compare_facts);
  for (i = 0; i < facts->len; i++)
    {
      const NsThreadFact *fact = &g_array_index (facts, NsThreadFact, i);

      /* 0 is the tid of every processor's idle thread. */
      if (fact->row.tid != 0)
        fold (&self, fact);
    }
  ns_map_free (self.last);
  join_processes (builder->trace);
  ns_trace_index_threads (builder->trace);
}

/* Reads context switches, ready events and samples of threads.
 *
 * Layouts: CSwitch, ReadyThread, SampledProfile and SetInterval of the kernel's classic event
 * classes, as documented in Windows' MOF. A ReadyThread event contains the readied thread; the
 * readying thread is the one that runs on the processor that wrote the event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/system/ns-sched-read.h"
#include "engine/trace/ns-event-index.h"

#define OPCODE_INTERVAL_FIRST 72
#define OPCODE_INTERVAL_LAST 74
#define SOURCE_TIMER 0
#define DEFAULT_INTERVAL_NS 1000000
#define MAX_INTERVAL_100NS 10000000

/* KTHREAD_STATE: new state of the thread that was switched out. */
#define STATE_TERMINATED 4
#define STATE_WAITING 5

const NsGuid ns_sched_thread_guid = NS_GUID_THREAD;
const NsGuid ns_sched_perf_info_guid = NS_GUID_PERF_INFO;

/* State in which a thread was switched out. */
typedef struct
{
  guint32 tid;
  guint8 state;
  gint64 since_ns;
} Last;

typedef struct
{
  const NsTrace *trace;
  NsSched *sched;
  GArray *running; /* by processor: the running thread; 0: unknown */
  NsMap *last_by_tid;
  GArray *last; /* (element-type Last) */
  guint64 n_changes;
} Read;

static NsSchedThread *
get_thread (Read *self, guint32 tid)
{
  guint32 number = ns_map_get (self->sched->by_tid, tid, 0);

  return number != 0 ? g_ptr_array_index (self->sched->threads, number - 1) : NULL;
}

static void
set_last (Read *self, guint32 tid, NsSchedState state, gint64 time_ns)
{
  guint32 number = ns_map_get (self->last_by_tid, tid, 0);
  Last last = { tid, (guint8) state, time_ns };

  if (number != 0)
    {
      g_array_index (self->last, Last, number - 1) = last;
      return;
    }
  g_array_append_val (self->last, last);
  ns_map_set (self->last_by_tid, tid, 0, self->last->len);
}

/* Appends a state change. Thread 0 is the idle thread of each processor. */
static void
change (Read *self, guint32 tid, gint64 time_ns, NsSchedState state, guint8 reason, guint32 by)
{
  NsSchedChange row = { time_ns, by, (guint8) state, reason };
  NsSchedThread *thread;

  if (tid == 0 || tid == NS_PID_UNKNOWN)
    return;
  set_last (self, tid, state, time_ns);
  thread = get_thread (self, tid);
  if (thread == NULL || self->n_changes >= NS_SCHED_MAX_CHANGES)
    return;
  self->n_changes++;
  g_array_append_val (thread->changes, row);
}

static guint32 *
running_at (Read *self, guint cpu)
{
  if (cpu >= self->running->len)
    g_array_set_size (self->running, cpu + 1);
  return &g_array_index (self->running, guint32, cpu);
}

static void
read_switch (Read *self, const NsRecord *record)
{
  NsCursor cursor;
  guint32 in;
  guint32 out;
  guint8 reason;
  guint8 state;

  ns_cursor_init (&cursor, record->payload, record->payload_size);
  in = ns_cursor_u32 (&cursor);
  out = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 4);
  reason = ns_cursor_u8 (&cursor);
  ns_cursor_skip (&cursor, 1);
  state = ns_cursor_u8 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  *running_at (self, record->cpu) = in;
  if (out != in)
    change (self,
            out,
            record->time_ns,
            state == STATE_WAITING      ? NS_SCHED_WAITING
            : state == STATE_TERMINATED ? NS_SCHED_ENDED
                                        : NS_SCHED_READY,
            reason,
            NS_PID_UNKNOWN);
  change (self, in, record->time_ns, NS_SCHED_RUNNING, 0, NS_PID_UNKNOWN);
}

static void
read_ready (Read *self, const NsRecord *record)
{
  NsCursor cursor;
  guint32 tid;
  guint32 by = *running_at (self, record->cpu);

  ns_cursor_init (&cursor, record->payload, record->payload_size);
  tid = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  if (by == 0 || by == tid)
    by = record->tid != 0 ? record->tid : NS_PID_UNKNOWN;
  change (self, tid, record->time_ns, NS_SCHED_READY, 0, by);
}

static void
read_sample (Read *self, const NsRecord *record)
{
  NsSchedThread *thread;
  NsCursor cursor;
  guint32 tid;

  ns_cursor_init (&cursor, record->payload, record->payload_size);
  ns_cursor_skip (&cursor, record->pointer_size);
  tid = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  self->sched->n_samples++;
  thread = get_thread (self, tid);
  if (thread == NULL || self->n_changes >= NS_SCHED_MAX_CHANGES)
    return;
  self->n_changes++;
  g_array_append_val (thread->samples, record->time_ns);
}

/* Reads the sampling interval of the timer; other sources also sample. */
static void
read_interval (Read *self, const NsRecord *record)
{
  NsCursor cursor;
  guint32 source;
  guint32 interval;

  ns_cursor_init (&cursor, record->payload, record->payload_size);
  source = ns_cursor_u32 (&cursor);
  interval = ns_cursor_u32 (&cursor);
  if (ns_cursor_ok (&cursor) && source == SOURCE_TIMER && interval > 0 &&
      interval <= MAX_INTERVAL_100NS)
    self->sched->interval_ns = (gint64) interval * 100;
}

static gboolean
record_cb (const NsRecord *record, gpointer user_data)
{
  Read *self = user_data;

  if (ns_guid_equal (&record->guid, &ns_sched_thread_guid))
    {
      if (record->opcode == NS_SCHED_OPCODE_SWITCH)
        read_switch (self, record);
      else if (record->opcode == NS_SCHED_OPCODE_READY)
        read_ready (self, record);
    }
  else if (ns_guid_equal (&record->guid, &ns_sched_perf_info_guid))
    {
      if (record->opcode == NS_SCHED_OPCODE_SAMPLE)
        read_sample (self, record);
      else if (record->opcode >= OPCODE_INTERVAL_FIRST && record->opcode <= OPCODE_INTERVAL_LAST)
        read_interval (self, record);
    }
  return TRUE;
}

static gboolean
is_of_scheduler (const NsTrace *trace, guint provider)
{
  const NsGuid *guid = ns_etl_file_get_provider (trace->file, provider);

  return guid != NULL && (ns_guid_equal (guid, &ns_sched_thread_guid) ||
                          ns_guid_equal (guid, &ns_sched_perf_info_guid));
}

/* Reads records by the table of events, with a reader of its own so that other readers are not
 * affected. */
static void
read_indexed (Read *self)
{
  NsEtlReader *reader = ns_etl_reader_new (self->trace->file);
  guint n_providers = ns_etl_file_get_n_providers (self->trace->file);
  g_autofree gboolean *is_wanted = g_new0 (gboolean, n_providers + 1);
  guint i;

  for (i = 0; i < n_providers; i++)
    is_wanted[i] = is_of_scheduler (self->trace, i);
  for (i = 0; i < self->trace->events->len; i++)
    {
      const NsEventRow *row = ns_trace_get_event (self->trace, i);
      NsRecord record;

      if (row->provider < n_providers && is_wanted[row->provider] &&
          ns_etl_reader_read (reader, ns_trace_get_event_ref (self->trace, i), &record))
        record_cb (&record, self);
    }
  ns_etl_reader_free (reader);
}

/* Selects the threads to track: those that ran operations. */
static void
choose_threads (Read *self)
{
  guint i;

  for (i = 0; i < self->trace->activities->len; i++)
    {
      guint32 tid = g_array_index (self->trace->activities, NsActivityRow, i).tid;
      NsSchedThread *thread;

      if (tid == NS_PID_UNKNOWN || tid == 0 || get_thread (self, tid) != NULL)
        continue;
      thread = ns_sched_thread_new (tid);
      g_ptr_array_add (self->sched->threads, thread);
      ns_map_set (self->sched->by_tid, tid, 0, self->sched->threads->len);
    }
}

static int
compare_stuck (gconstpointer a, gconstpointer b)
{
  const NsSchedStuck *x = a;
  const NsSchedStuck *y = b;

  if (x->pid != y->pid)
    return x->pid < y->pid ? -1 : 1;
  if (x->since_ns != y->since_ns)
    return x->since_ns < y->since_ns ? -1 : 1;
  return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* Lists threads that wait at the end of the trace, in processes with at least two of them: a
 * single one cannot be in a deadlock. */
static void
find_stuck (Read *self)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (NsSchedStuck));
  guint first;
  guint i;

  for (i = 0; i < self->last->len; i++)
    {
      const Last *last = &g_array_index (self->last, Last, i);
      NsRow row = ns_trace_find_thread (self->trace, last->tid, last->since_ns);
      NsSchedStuck stuck = { last->tid, NS_PID_UNKNOWN, last->since_ns };

      if (last->state != NS_SCHED_WAITING)
        continue;
      if (row != 0)
        stuck.pid = NS_ROW_AT (self->trace->threads, NsThreadRow, row)->pid;
      g_array_append_val (all, stuck);
    }
  g_array_sort (all, compare_stuck);
  for (first = 0; first < all->len; first = i)
    {
      const NsSchedStuck *stuck = &g_array_index (all, NsSchedStuck, first);

      for (i = first + 1; i < all->len; i++)
        if (g_array_index (all, NsSchedStuck, i).pid != stuck->pid)
          break;
      if (i - first >= 2)
        g_array_append_vals (self->sched->stuck, stuck, i - first);
    }
}

/**
 * ns_sched_read: (skip)
 * @trace: a trace
 *
 * Returns: (transfer full): the scheduling of its threads
 */
NsSched *
ns_sched_read (const NsTrace *trace)
{
  NsSched *sched = g_new0 (NsSched, 1);
  Read self = { .trace = trace, .sched = sched };
  guint i;

  sched->by_tid = ns_map_new ();
  sched->threads = g_ptr_array_new_with_free_func ((GDestroyNotify) ns_sched_thread_free);
  sched->stuck = g_array_new (FALSE, FALSE, sizeof (NsSchedStuck));
  sched->interval_ns = DEFAULT_INTERVAL_NS;
  self.running = g_array_new (FALSE, TRUE, sizeof (guint32));
  self.last_by_tid = ns_map_new ();
  self.last = g_array_new (FALSE, FALSE, sizeof (Last));
  choose_threads (&self);
  if (trace->events->len > 0)
    read_indexed (&self);
  else
    /* Without a table of events there are no other threads that read the file. */
    ns_etl_file_walk (trace->file,
                      NS_ETL_WALK_TIME_ORDER,
                      NULL,
                      record_cb,
                      &self,
                      NULL,
                      NULL,
                      NULL);
  find_stuck (&self);
  for (i = 0; i < sched->threads->len; i++)
    ns_sched_thread_sum_up (g_ptr_array_index (sched->threads, i));
  g_array_unref (self.running);
  ns_map_free (self.last_by_tid);
  g_array_unref (self.last);
  return sched;
}

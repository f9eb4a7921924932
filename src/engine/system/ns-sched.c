/* Scheduling of threads: when they ran, waited or were ready, and which thread readied them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/system/ns-sched-read.h"
#include "engine/trace/ns-trace-cache.h"

/* The thread that must not block while data is read, and the function that is called instead. */
typedef struct
{
  NsSchedAskFunc func;
  gpointer user_data;
  NsTrace *trace; /* owner of this structure */
  GThread *thread;
} Asker;

static void
sched_free (gpointer data)
{
  NsSched *self = data;

  ns_map_free (self->by_tid);
  g_ptr_array_unref (self->threads);
  g_array_unref (self->stuck);
  g_free (self);
}

static gboolean
has_kind (const NsTrace *trace, const NsGuid *guid, guint opcode)
{
  guint i;

  for (i = 0; i < trace->kinds->len; i++)
    {
      const NsKindRow *kind = &g_array_index (trace->kinds, NsKindRow, i);

      if (kind->id == opcode && kind->n_events > 0 && kind->provider < trace->providers->len &&
          ns_guid_equal (&g_array_index (trace->providers, NsProviderRow, kind->provider).guid,
                         guid))
        return TRUE;
    }
  return FALSE;
}

/**
 * ns_sched_find_kinds: (skip)
 * @trace: a trace whose kinds of events are complete
 *
 * Notes which scheduling records were recorded.
 */
void
ns_sched_find_kinds (NsTrace *trace)
{
  trace->has_switches = has_kind (trace, &ns_sched_thread_guid, NS_SCHED_OPCODE_SWITCH);
  trace->has_samples = has_kind (trace, &ns_sched_perf_info_guid, NS_SCHED_OPCODE_SAMPLE);
}

/**
 * ns_sched_has_states:
 * @trace: a trace
 *
 * Returns: whether context switches were recorded
 */
gboolean
ns_sched_has_states (const NsTrace *trace)
{
  return trace->has_switches;
}

/**
 * ns_sched_has_samples:
 * @trace: a trace
 *
 * Returns: whether CPU samples were recorded
 */
gboolean
ns_sched_has_samples (const NsTrace *trace)
{
  return trace->has_samples;
}

/**
 * ns_sched_set_asker:
 * @trace: a trace
 * @func: called when the calling thread asks for scheduling data that is not read yet
 * @user_data: for @func; must stay valid as long as @trace
 *
 * From now on the calling thread never blocks on reading scheduling data of this trace: it gets
 * nothing, and may ask again later. The first call counts, later ones are ignored.
 */
void
ns_sched_set_asker (NsTrace *trace, NsSchedAskFunc func, gpointer user_data)
{
  Asker *asker;

  if (!ns_trace_cache_begin (trace->cache, NS_CACHE_SCHED_ASKER, NULL, NULL))
    return;
  asker = g_new0 (Asker, 1);
  asker->func = func;
  asker->user_data = user_data;
  asker->trace = trace;
  asker->thread = g_thread_self ();
  ns_trace_cache_end (trace->cache, NS_CACHE_SCHED_ASKER, asker, g_free);
}

/**
 * ns_sched_prepare:
 * @trace: a trace
 *
 * Reads the switches and samples, unless that was done. Blocks until they are read.
 */
void
ns_sched_prepare (const NsTrace *trace)
{
  if (ns_trace_cache_begin (trace->cache, NS_CACHE_SCHED, NULL, NULL))
    ns_trace_cache_end (trace->cache, NS_CACHE_SCHED, ns_sched_read (trace), sched_free);
}

static const NsSched *
get (const NsTrace *trace)
{
  const NsSched *sched = ns_trace_cache_get (trace->cache, NS_CACHE_SCHED);

  const Asker *asker;

  if (sched != NULL || (!ns_sched_has_states (trace) && !ns_sched_has_samples (trace)))
    return sched;
  asker = ns_trace_cache_get (trace->cache, NS_CACHE_SCHED_ASKER);
  if (asker != NULL && asker->thread == g_thread_self ())
    {
      /* Return nothing even if @func has finished: the caller is notified when the data is
       * there. */
      asker->func (asker->trace, asker->user_data);
      return NULL;
    }
  ns_sched_prepare (trace);
  return ns_trace_cache_get (trace->cache, NS_CACHE_SCHED);
}

/* Returns the index of the last change at or before a time, plus 1; 0: there is none. */
static guint
find_change (const GArray *changes, gint64 time_ns)
{
  guint low = 0;
  guint high = changes->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (changes, NsSchedChange, middle).time_ns <= time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static guint
count_samples (const GArray *samples, gint64 before_ns)
{
  guint low = 0;
  guint high = samples->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (samples, gint64, middle) < before_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
walk_changes (const GArray *changes,
              const NsTimeSpan *span,
              NsSchedStretchFunc func,
              gpointer user_data)
{
  guint i = find_change (changes, span->begin_ns);
  gint64 begin_ns = span->begin_ns;

  for (; begin_ns < span->end_ns; i++)
    {
      const NsSchedChange *now = i > 0 ? &g_array_index (changes, NsSchedChange, i - 1) : NULL;
      const NsSchedChange *next =
          i < changes->len ? &g_array_index (changes, NsSchedChange, i) : NULL;
      NsSchedStretch stretch = { .state =
                                     now != NULL ? (NsSchedState) now->state : NS_SCHED_UNKNOWN,
                                 .reason = now != NULL ? now->reason : 0,
                                 .by = NS_PID_UNKNOWN };

      stretch.span.begin_ns = begin_ns;
      stretch.span.end_ns = next != NULL ? MIN (next->time_ns, span->end_ns) : span->end_ns;
      if (stretch.state == NS_SCHED_WAITING && next != NULL && next->state == NS_SCHED_READY)
        stretch.by = next->by;
      begin_ns = stretch.span.end_ns;
      if (stretch.span.end_ns > stretch.span.begin_ns)
        func (&stretch, user_data);
      if (next == NULL)
        break;
    }
}

/* Returns the thread of a master table row, and the time span of the row. */
static const NsSchedThread *
find_thread (const NsSched *self, const NsTrace *trace, guint row, NsTimeSpan *span)
{
  const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, row);
  guint32 number = ns_map_get (self->by_tid, activity->tid, 0);

  span->begin_ns = activity->open_ns;
  span->end_ns = activity->close_ns == NS_TIME_OPEN ? trace->end_ns : activity->close_ns;
  if (number == 0 || !ns_time_is_set (span->begin_ns) || span->end_ns <= span->begin_ns)
    return NULL;
  return g_ptr_array_index (self->threads, number - 1);
}

/**
 * ns_sched_walk:
 * @trace: a trace
 * @row: row of the master table, 0-based
 * @func: called for each stretch within the row's time span, in order
 * @user_data: for @func
 *
 * Lists the states of an operation's thread during the operation.
 */
void
ns_sched_walk (const NsTrace *trace, guint row, NsSchedStretchFunc func, gpointer user_data)
{
  const NsSched *self = get (trace);
  const NsSchedThread *thread;
  NsTimeSpan span;

  if (self == NULL || row >= trace->activities->len)
    return;
  thread = find_thread (self, trace, row, &span);
  if (thread != NULL && thread->changes->len > 0)
    walk_changes (thread->changes, &span, func, user_data);
}

static void
add_stretch_cb (const NsSchedStretch *stretch, gpointer user_data)
{
  NsSchedSums *sums = user_data;
  gint64 length_ns = stretch->span.end_ns - stretch->span.begin_ns;

  sums->has_states = sums->has_states || stretch->state != NS_SCHED_UNKNOWN;
  if (stretch->state == NS_SCHED_RUNNING)
    sums->running_ns += length_ns;
  else if (stretch->state == NS_SCHED_READY)
    sums->ready_ns += length_ns;
  else if (stretch->state == NS_SCHED_WAITING)
    {
      sums->waiting_ns += length_ns;
      if (length_ns > sums->longest.span.end_ns - sums->longest.span.begin_ns)
        sums->longest = *stretch;
    }
}

/**
 * ns_sched_sum:
 * @trace: a trace
 * @row: row of the master table, 0-based
 * @sums: (out caller-allocates): states of its thread during the row's time span
 *
 * Returns: %FALSE if nothing is known (yet)
 */
gboolean
ns_sched_sum (const NsTrace *trace, guint row, NsSchedSums *sums)
{
  const NsSched *self = get (trace);
  const NsSchedThread *thread;
  NsTimeSpan span;

  *sums = (NsSchedSums){ .longest.by = NS_PID_UNKNOWN };
  if (self == NULL || row >= trace->activities->len)
    return FALSE;
  thread = find_thread (self, trace, row, &span);
  if (thread == NULL)
    return FALSE;
  if (thread->changes->len > 0)
    walk_changes (thread->changes, &span, add_stretch_cb, sums);
  if (self->n_samples > 0)
    {
      double n = (double) count_samples (thread->samples, span.end_ns) -
                 count_samples (thread->samples, span.begin_ns);
      double percent =
          n * (double) self->interval_ns * 100 / (double) (span.end_ns - span.begin_ns);

      sums->has_samples = TRUE;
      sums->cpu_percent = (guint) MIN (percent + 0.5, 100);
    }
  return sums->has_states || sums->has_samples;
}

/**
 * ns_sched_find_thread:
 * @trace: a trace
 * @tid: a thread
 * @interval_ns: (out): sampling interval of a processor; 0: no samples
 *
 * Returns: (transfer none) (nullable): the thread, valid as long as @trace; %NULL if nothing is
 *   known (yet), or if it had no operation
 */
const NsSchedThread *
ns_sched_find_thread (const NsTrace *trace, guint32 tid, gint64 *interval_ns)
{
  const NsSched *self = get (trace);
  guint32 number = self != NULL ? ns_map_get (self->by_tid, tid, 0) : 0;

  *interval_ns = self != NULL && self->n_samples > 0 ? self->interval_ns : 0;
  return number != 0 ? g_ptr_array_index (self->threads, number - 1) : NULL;
}

/**
 * ns_sched_get_stuck:
 * @trace: a trace
 *
 * Lists threads that waited from some time until the end of the trace, in processes with two or
 * more of them: they may be deadlocked, or merely idle.
 *
 * Returns: (transfer none) (nullable) (element-type NsSchedStuck): the threads, of each process the
 *   longest wait first; %NULL: not known (yet)
 */
const GArray *
ns_sched_get_stuck (const NsTrace *trace)
{
  const NsSched *self = get (trace);

  return self != NULL ? self->stuck : NULL;
}

/**
 * ns_sched_state_to_text:
 * @state: a state
 *
 * Returns: (transfer none): its name, not translated
 */
const char *
ns_sched_state_to_text (NsSchedState state)
{
  static const char *const names[] = { "unknown", "running", "ready", "waiting", "ended" };

  return names[(guint) state < G_N_ELEMENTS (names) ? state : 0];
}

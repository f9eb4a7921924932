/* Time of one thread in each state up to a given time, by partial sums instead of a walk over all
 * switches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/system/ns-sched-read.h"

/* Maximum number of samples of one thread with equal times: one per processor. */
#define MAX_AT_ONCE 64

/* Returns the number of entries of @array at or before a time; each entry begins with its time. */
static guint
count_until (const GArray *array, gint64 time_ns)
{
  gsize size = g_array_get_element_size ((GArray *) array);
  guint low = 0;
  guint high = array->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const gint64 *here = (const gint64 *) (gconstpointer) (array->data + middle * size);

      if (*here <= time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
add_until (NsSchedTotals *totals, const NsSchedChange *change, gint64 time_ns)
{
  totals->state_ns[MIN (change->state, NS_SCHED_ENDED)] += MAX (time_ns - change->time_ns, 0);
}

/**
 * ns_sched_thread_new: (skip)
 * @tid: thread ID
 *
 * Returns: (transfer full): a thread without samples and switches
 */
NsSchedThread *
ns_sched_thread_new (guint32 tid)
{
  NsSchedThread *self = g_new0 (NsSchedThread, 1);

  self->tid = tid;
  self->changes = g_array_new (FALSE, FALSE, sizeof (NsSchedChange));
  self->samples = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->sums = g_array_new (FALSE, FALSE, sizeof (NsSchedTotals));
  return self;
}

/**
 * ns_sched_thread_sum_up: (skip)
 * @self: a thread with all its changes
 *
 * Computes the partial sums that ns_sched_thread_get_totals() starts from.
 */
void
ns_sched_thread_sum_up (NsSchedThread *self)
{
  NsSchedTotals totals = { 0 };
  guint i;

  g_array_set_size (self->sums, 0);
  for (i = 0; i < self->changes->len; i++)
    {
      const NsSchedChange *change = &g_array_index (self->changes, NsSchedChange, i);

      if (i % NS_SCHED_CHANGES_PER_SUM == 0)
        g_array_append_val (self->sums, totals);
      if (i + 1 < self->changes->len)
        add_until (&totals, change, change[1].time_ns);
    }
}

/**
 * ns_sched_thread_has_states:
 * @self: a thread
 *
 * Returns: whether context switches of the thread were recorded
 */
gboolean
ns_sched_thread_has_states (const NsSchedThread *self)
{
  return self->changes->len > 0;
}

/**
 * ns_sched_thread_get_totals:
 * @self: a thread
 * @interval_ns: the sampling interval; a sample counts for the interval before it
 * @time_ns: a time
 * @totals: (out caller-allocates): time in each state up to @time_ns
 */
void
ns_sched_thread_get_totals (const NsSchedThread *self,
                            gint64 interval_ns,
                            gint64 time_ns,
                            NsSchedTotals *totals)
{
  guint n_changes = count_until (self->changes, time_ns);
  guint n_samples = count_until (self->samples, time_ns);
  guint i;

  *totals = (NsSchedTotals){ 0 };
  if (n_changes > 0)
    {
      guint sum = (n_changes - 1) / NS_SCHED_CHANGES_PER_SUM;

      *totals = g_array_index (self->sums, NsSchedTotals, sum);
      for (i = sum * NS_SCHED_CHANGES_PER_SUM; i < n_changes; i++)
        {
          const NsSchedChange *change = &g_array_index (self->changes, NsSchedChange, i);

          add_until (totals, change, i + 1 < n_changes ? change[1].time_ns : time_ns);
        }
    }
  totals->sampled_ns = n_samples * interval_ns;
  for (i = n_samples; i < self->samples->len && i < n_samples + MAX_AT_ONCE; i++)
    {
      gint64 begin_ns = g_array_index (self->samples, gint64, i) - interval_ns;

      if (begin_ns >= time_ns)
        break;
      totals->sampled_ns += time_ns - begin_ns;
    }
}

/**
 * ns_sched_thread_free: (skip)
 * @self: (transfer full): a thread
 */
void
ns_sched_thread_free (NsSchedThread *self)
{
  g_array_unref (self->changes);
  g_array_unref (self->samples);
  g_array_unref (self->sums);
  g_free (self);
}

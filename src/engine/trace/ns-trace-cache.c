/* Cache of values that are computed from an opened trace on demand.
 *
 * No lock is held while a value is made, so that making one value may need another. Threads that
 * request the same value wait. Each trace has a cache.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-trace-cache.h"

/* Interval at which a waiting thread that can be cancelled calls its progress function. */
#define WAIT_US (50 * 1000)

typedef struct
{
  gpointer thing; /* atomic; NULL: not made */
  GDestroyNotify destroy;
  gboolean is_being_made;
} Slot;

struct _NsTraceCache
{
  GMutex lock; /* guards @slots, except for reading a value */
  GCond ended; /* signalled when a value was made or given up */
  Slot slots[NS_CACHE_N];
};

/**
 * ns_trace_cache_new: (skip)
 *
 * Returns: (transfer full): an empty cache
 */
NsTraceCache *
ns_trace_cache_new (void)
{
  NsTraceCache *self = g_new0 (NsTraceCache, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->ended);
  return self;
}

/**
 * ns_trace_cache_free: (skip)
 * @self: (transfer full) (nullable): a cache that no thread uses any more
 */
void
ns_trace_cache_free (NsTraceCache *self)
{
  guint i;

  if (self == NULL)
    return;
  for (i = 0; i < NS_CACHE_N; i++)
    if (self->slots[i].thing != NULL && self->slots[i].destroy != NULL)
      self->slots[i].destroy (self->slots[i].thing);
  g_cond_clear (&self->ended);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/**
 * ns_trace_cache_get: (skip)
 * @self: the cache of a trace
 * @slot: the slot of a value
 *
 * May be called from any thread; does not block.
 *
 * Returns: (transfer none) (nullable): the value; %NULL: it was not made yet
 */
gpointer
ns_trace_cache_get (NsTraceCache *self, NsCacheSlot slot)
{
  return g_atomic_pointer_get (&self->slots[slot].thing);
}

/* Waits for another thread, with the lock held except while waiting; FALSE: cancelled. */
static gboolean
wait_for_other (NsTraceCache *self, NsProgressFunc progress, gpointer progress_data)
{
  gboolean goes_on;

  if (progress == NULL)
    {
      g_cond_wait (&self->ended, &self->lock);
      return TRUE;
    }
  g_cond_wait_until (&self->ended, &self->lock, g_get_monotonic_time () + WAIT_US);
  g_mutex_unlock (&self->lock);
  goes_on = progress (0, progress_data);
  g_mutex_lock (&self->lock);
  return goes_on;
}

/**
 * ns_trace_cache_begin: (skip)
 * @self: the cache of a trace
 * @slot: the slot of a value
 * @progress: (nullable): called regularly while another thread makes the value; cancels the wait if
 *   it returns %FALSE
 * @progress_data: for @progress
 *
 * Returns: %TRUE: the caller must make the value and call ns_trace_cache_end(); %FALSE: it is made,
 *   or the wait was cancelled
 */
gboolean
ns_trace_cache_begin (NsTraceCache *self,
                      NsCacheSlot slot,
                      NsProgressFunc progress,
                      gpointer progress_data)
{
  Slot *wanted = &self->slots[slot];
  gboolean is_wanted = TRUE;

  g_mutex_lock (&self->lock);
  while (is_wanted && wanted->is_being_made)
    is_wanted = wait_for_other (self, progress, progress_data);
  is_wanted = is_wanted && wanted->thing == NULL;
  if (is_wanted)
    wanted->is_being_made = TRUE;
  g_mutex_unlock (&self->lock);
  return is_wanted;
}

/**
 * ns_trace_cache_end: (skip)
 * @self: the cache of a trace
 * @slot: a slot for which ns_trace_cache_begin() returned %TRUE
 * @thing: (transfer full) (nullable): the value, immutable from now on; %NULL: it was given up, and
 *   the next caller makes it
 * @destroy: (nullable): frees it with the trace
 */
void
ns_trace_cache_end (NsTraceCache *self, NsCacheSlot slot, gpointer thing, GDestroyNotify destroy)
{
  Slot *made = &self->slots[slot];

  g_mutex_lock (&self->lock);
  made->destroy = destroy;
  made->is_being_made = FALSE;
  g_atomic_pointer_set (&made->thing, thing);
  g_cond_broadcast (&self->ended);
  g_mutex_unlock (&self->lock);
}

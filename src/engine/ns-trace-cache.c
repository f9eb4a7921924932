/* Cache of values that are computed from an opened trace on demand.
 *
 * The lock is held for moments: who makes something does so without it, so that one thing may need
 * another, and others who want the same wait. Other traces are not concerned.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-trace-cache.h"

/* Who waits and may be stopped asks so often whether to go on. */
#define WAIT_US (50 * 1000)

typedef struct
{
  gpointer thing; /* atomic; NULL: it was not made */
  GDestroyNotify destroy;
  gboolean is_being_made;
} Slot;

struct _NsTraceCache
{
  GMutex lock; /* guards @slots but for reading a thing */
  GCond ended; /* something was made, or was given up */
  Slot slots[NS_CACHE_N];
};

/**
 * ns_trace_cache_new: (skip)
 *
 * Returns: (transfer full): an empty one
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
 * @self: (transfer full) (nullable): a cache that nobody asks any more
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
 * @slot: what is wanted
 *
 * From any thread, without waiting.
 *
 * Returns: (transfer none) (nullable): it; %NULL: it was not made yet
 */
gpointer
ns_trace_cache_get (NsTraceCache *self, NsCacheSlot slot)
{
  return g_atomic_pointer_get (&self->slots[slot].thing);
}

/* With the lock, which it gives away meanwhile; FALSE when stopped. */
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
 * @slot: what is wanted
 * @progress: (nullable): called now and then while another thread makes it; %FALSE stops
 * @progress_data: for @progress
 *
 * Returns: %TRUE: the caller makes it, and calls ns_trace_cache_end() then; %FALSE: it is there, or
 *   waiting for it was stopped
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
 * @slot: what ns_trace_cache_begin() let the caller make
 * @thing: (transfer full) (nullable): it, which nobody changes from now on; %NULL: it was given up,
 *   and the next who asks makes it
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

/* Work in another thread, with a fallback to the calling thread.
 *
 * When the system has no memory or thread IDs left, no thread can be created; the calling thread
 * then does the work, later and with the same result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-meanwhile.h"

#include <sys/resource.h>

/**
 * ns_meanwhile_begin:
 * @self: (out caller-allocates): the work
 * @name: a short name of the thread
 * @func: (scope call): does the work, called once; its return value is ignored
 * @data: for @func
 *
 * Starts the work in another thread, or defers it to ns_meanwhile_end(), which must be called.
 */
void
ns_meanwhile_begin (NsMeanwhile *self, const char *name, GThreadFunc func, gpointer data)
{
  self->func = func;
  self->data = data;
  self->thread = g_thread_try_new (name, func, data, NULL);
}

/**
 * ns_meanwhile_end:
 * @self: started work, or all zero for none
 *
 * Waits until the work is done. Does nothing when called again.
 */
void
ns_meanwhile_end (NsMeanwhile *self)
{
  if (self->thread != NULL)
    g_thread_join (self->thread);
  else if (self->func != NULL)
    self->func (self->data);
  *self = (NsMeanwhile){ 0 };
}

static gpointer
run_at_low_priority (gpointer data)
{
  const NsMeanwhile *work = data;

#ifdef __linux__
  /* On Linux the nice value belongs to the thread and is inherited by threads it creates. */
  setpriority (PRIO_PROCESS, 0, getpriority (PRIO_PROCESS, 0) + NS_MEANWHILE_BEHIND);
#endif
  return work->func (work->data);
}

/**
 * ns_meanwhile_do_behind:
 * @name: a short name of the thread
 * @func: (scope call): does the work, called once; its return value is ignored
 * @data: for @func
 *
 * Runs @func in a thread with a lower priority than the user interface, which the threads it
 * creates inherit, and waits for it. Runs it in the calling thread if no thread can be created.
 */
void
ns_meanwhile_do_behind (const char *name, GThreadFunc func, gpointer data)
{
  NsMeanwhile work = { func, data, NULL };
  GThread *thread = g_thread_try_new (name, run_at_low_priority, &work, NULL);

  if (thread != NULL)
    g_thread_join (thread);
  else
    func (data);
}

/**
 * ns_meanwhile_leave:
 * @name: a short name of the thread
 * @func: does the work, called once
 * @data: for @func, which frees it
 *
 * Starts work that nothing waits for. If no thread can be created, it is done when this returns.
 */
void
ns_meanwhile_leave (const char *name, GThreadFunc func, gpointer data)
{
  GThread *thread = g_thread_try_new (name, func, data, NULL);

  if (thread != NULL)
    g_thread_unref (thread);
  else
    func (data);
}

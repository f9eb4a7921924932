/* Work that another thread does meanwhile, where one can be had.
 *
 * A system that is out of memory or of numbers for threads has none to give; what was to be done
 * is then done by the thread that wanted it done, later and with the same result.
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
 * @func: (scope call): does the work, and is called once; what it returns is let go
 * @data: for @func
 *
 * Has the work done by another thread from now on, or by this one in ns_meanwhile_end(), which is
 * to be called.
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
 * @self: work that was begun, or all zero for none
 *
 * Waits until it is done. Does nothing when called again.
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
give_way (gpointer data)
{
  const NsMeanwhile *work = data;

#ifdef __linux__
  /* There it is the thread's own, and what threads begin with that it begins. */
  setpriority (PRIO_PROCESS, 0, getpriority (PRIO_PROCESS, 0) + NS_MEANWHILE_BEHIND);
#endif
  return work->func (work->data);
}

/**
 * ns_meanwhile_do_behind:
 * @name: a short name of the thread
 * @func: (scope call): does the work, and is called once; what it returns is let go
 * @data: for @func
 *
 * Has work done by a thread that gives way to those who draw and answer, as do threads that it
 * begins, and waits until it is done. Where no thread can be had, the calling one does it.
 */
void
ns_meanwhile_do_behind (const char *name, GThreadFunc func, gpointer data)
{
  NsMeanwhile work = { func, data, NULL };
  GThread *thread = g_thread_try_new (name, give_way, &work, NULL);

  if (thread != NULL)
    g_thread_join (thread);
  else
    func (data);
}

/**
 * ns_meanwhile_leave:
 * @name: a short name of the thread
 * @func: does the work, and is called once
 * @data: for @func, which frees it
 *
 * Has work done that nobody waits for; it is done when this returns where no thread can be had.
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

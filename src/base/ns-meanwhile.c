/* Work that another thread does meanwhile, where one can be had.
 *
 * A system that is out of memory or of numbers for threads has none to give; what was to be done
 * is then done by the thread that wanted it done, later and with the same result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-meanwhile.h"

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

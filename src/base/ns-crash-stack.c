/* A stack of its own for who is told of a crash.
 *
 * Without memory for the words that say so, g_error() calls itself until the thread's stack is
 * full; a handler of the signal that follows cannot run there.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-crash-stack.h"

#include <signal.h>

/* For the state of the largest processors, and what a handler needs. */
#define N_BYTES (32u << 10)

/**
 * ns_crash_stack_use:
 *
 * Lets handlers of signals that ask for it (`SA_ONSTACK`) run on memory kept for this thread. Cheap
 * to call again; does nothing where a sanitizer has its own.
 */
void
ns_crash_stack_use (void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  static __thread guint8 room[N_BYTES] __attribute__ ((aligned (16)));
  static __thread gboolean is_used;
  const stack_t stack = { .ss_sp = room, .ss_size = sizeof room };

  if (!is_used)
    is_used = sigaltstack (&stack, NULL) == 0;
#endif
}

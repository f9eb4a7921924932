/* Alternate signal stack for crash handlers.
 *
 * When memory for an error message runs out, g_error() recurses until the thread's stack is full;
 * the handler of the resulting SIGSEGV then needs another stack.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-crash-stack.h"

#include <signal.h>

/* Enough for the register state of the largest processors and for a handler. */
#define N_BYTES (32u << 10)

/**
 * ns_crash_stack_use:
 *
 * Sets up an alternate stack for this thread, which signal handlers with `SA_ONSTACK` run on. Cheap
 * to call repeatedly; does nothing under sanitizers, which have their own.
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

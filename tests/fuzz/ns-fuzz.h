/* The entry point called by a fuzzer or by the replay of its corpus.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <stdlib.h>

G_BEGIN_DECLS

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Reports a failed check and aborts. A fuzzer keeps the input after an abort, but does not
 * recognize the trap of g_error(). */
G_NORETURN static inline void
ns_fuzz_fail (const char *claim)
{
  g_printerr ("ERROR: %s\n", claim);
  abort ();
}

G_END_DECLS

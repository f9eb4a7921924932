/* The entry point that a fuzzer, or the replay of its corpus, calls.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <stdlib.h>

G_BEGIN_DECLS

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* A claim that does not hold. Not g_error(): a fuzzer keeps the input of an abort, and knows
 * nothing of the trap that GLib ends with. */
G_NORETURN static inline void
ns_fuzz_fail (const char *claim)
{
  g_printerr ("ERROR: %s\n", claim);
  abort ();
}

G_END_DECLS

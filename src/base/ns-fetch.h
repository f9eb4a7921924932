/* Prefetching of memory into the processor cache.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NS_FETCH_LINE 64

/* Prefetches @n_bytes. Any address is allowed, mapped or not: a prefetch never faults. */
static inline void
ns_fetch (gconstpointer at, gsize n_bytes)
{
  const char *bytes = at;
  gsize i;

  for (i = 0; i < n_bytes; i += NS_FETCH_LINE)
    __builtin_prefetch (bytes + i);
}

G_END_DECLS

/* The errors a trace, a schema or a query can end in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-error.h"

/* Threads that end in an error at a time ask for it at a time, which G_DEFINE_QUARK leaves to luck.
 */
GQuark
ns_trace_error_quark (void)
{
  static gsize quark;

  if (g_once_init_enter (&quark))
    g_once_init_leave (&quark, g_quark_from_static_string ("ns-trace-error-quark"));
  return (GQuark) quark;
}

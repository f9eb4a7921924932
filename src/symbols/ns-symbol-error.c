/* Why symbols cannot be had from a file or a place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-symbol-error.h"

/* Threads that end in an error at a time ask for it at a time, which G_DEFINE_QUARK leaves to luck.
 */
GQuark
ns_symbol_error_quark (void)
{
  static gsize quark;

  if (g_once_init_enter (&quark))
    g_once_init_leave (&quark, g_quark_from_static_string ("ns-symbol-error-quark"));
  return (GQuark) quark;
}

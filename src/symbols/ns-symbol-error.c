/* Error codes of the symbol reader.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-symbol-error.h"

/* Several threads may fail at once, and G_DEFINE_QUARK does not initialize its variable
 * thread-safely. */
GQuark
ns_symbol_error_quark (void)
{
  static gsize quark;

  if (g_once_init_enter (&quark))
    g_once_init_leave (&quark, g_quark_from_static_string ("ns-symbol-error-quark"));
  return (GQuark) quark;
}

/* Creates simple signals: run last, without accumulator or default handler.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-signal.h"

/**
 * ns_signal_new:
 * @type: the type that emits the signal
 * @name: its name
 * @returned: return type of the handlers, such as %G_TYPE_NONE
 * @n_params: number of parameter types
 * @...: types of the parameters
 *
 * Returns: the ID of the signal
 */
guint
ns_signal_new (GType type, const char *name, GType returned, guint n_params, ...)
{
  guint signal;
  va_list types;

  va_start (types, n_params);
  signal = g_signal_new_valist (name,
                                type,
                                G_SIGNAL_RUN_LAST,
                                NULL,
                                NULL,
                                NULL,
                                NULL,
                                returned,
                                n_params,
                                types);
  va_end (types);
  return signal;
}

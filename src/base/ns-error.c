/* Error domain for traces, schemas and queries.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-error.h"

/* Thread-safe: several threads may fail at the same time, and G_DEFINE_QUARK has no lock. */
GQuark
ns_trace_error_quark (void)
{
  static gsize quark;

  if (g_once_init_enter (&quark))
    g_once_init_leave (&quark, g_quark_from_static_string ("ns-trace-error-quark"));
  return (GQuark) quark;
}

/**
 * ns_trace_refuse_query:
 * @error: return location
 * @format: what is wrong with the query, as in printf()
 * @...: for @format
 *
 * Sets %NS_TRACE_ERROR_QUERY.
 *
 * Returns: %FALSE, for the caller to return
 */
gboolean
ns_trace_refuse_query (GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY, message);
  return FALSE;
}

/* The errors a trace, a schema or a query can end in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NS_TRACE_ERROR (ns_trace_error_quark ())

/**
 * NsTraceError:
 * @NS_TRACE_ERROR_OPEN: the file cannot be opened or read (permission, directory, gone)
 * @NS_TRACE_ERROR_NOT_A_TRACE: the bytes are not an event trace log
 * @NS_TRACE_ERROR_TOO_OLD: a trace of Windows 2003 or before, whose layout is not known
 * @NS_TRACE_ERROR_TRUNCATED: a part that must be there ends past the file
 * @NS_TRACE_ERROR_ARCHIVE: a container that cannot be read, or holds no trace
 * @NS_TRACE_ERROR_MEMBER: a container holds several traces and none was named
 * @NS_TRACE_ERROR_LIMIT: a size taken from the file is over a cap of ours
 * @NS_TRACE_ERROR_CANCELLED: the caller said stop
 * @NS_TRACE_ERROR_WRITE: an output could not be written
 * @NS_TRACE_ERROR_QUERY: a field, filter or sort order that does not make sense
 */
typedef enum
{
  NS_TRACE_ERROR_OPEN,
  NS_TRACE_ERROR_NOT_A_TRACE,
  NS_TRACE_ERROR_TOO_OLD,
  NS_TRACE_ERROR_TRUNCATED,
  NS_TRACE_ERROR_ARCHIVE,
  NS_TRACE_ERROR_MEMBER,
  NS_TRACE_ERROR_LIMIT,
  NS_TRACE_ERROR_CANCELLED,
  NS_TRACE_ERROR_WRITE,
  NS_TRACE_ERROR_QUERY,
} NsTraceError;

GQuark ns_trace_error_quark (void);
gboolean ns_trace_refuse_query (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/**
 * NsProgressFunc:
 * @fraction: 0 to 1
 * @user_data: the caller's
 *
 * Told at most ten times a second while something long goes on.
 *
 * Returns: %FALSE to stop
 */
typedef gboolean (*NsProgressFunc) (double fraction, gpointer user_data);

G_END_DECLS

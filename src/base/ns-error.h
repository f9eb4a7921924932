/* Error domain for traces, schemas and queries.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NS_TRACE_ERROR (ns_trace_error_quark ())

/**
 * NsTraceError:
 * @NS_TRACE_ERROR_OPEN: the file cannot be opened or read (no permission, a directory, missing)
 * @NS_TRACE_ERROR_NOT_A_TRACE: the bytes are not an event trace log
 * @NS_TRACE_ERROR_TOO_OLD: a trace of Windows 2003 or earlier, whose layout is not known
 * @NS_TRACE_ERROR_TRUNCATED: a required part extends past the end of the file
 * @NS_TRACE_ERROR_ARCHIVE: a container that cannot be read or contains no trace
 * @NS_TRACE_ERROR_MEMBER: a container has several traces and none was selected
 * @NS_TRACE_ERROR_LIMIT: a size in the file exceeds a limit of the program
 * @NS_TRACE_ERROR_CANCELLED: cancelled by the caller
 * @NS_TRACE_ERROR_WRITE: an output could not be written
 * @NS_TRACE_ERROR_QUERY: an invalid field, filter or sort order
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
 * Reports the progress of a long operation, at most ten times a second.
 *
 * Returns: %FALSE to cancel
 */
typedef gboolean (*NsProgressFunc) (double fraction, gpointer user_data);

G_END_DECLS

/* Stored view of a trace, from this computer or embedded in the trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-embedded-labels.h"
#include "model/ns-session-view.h"

/**
 * ns_session_count_embedded:
 * @self: a session
 * @has_view: (out): whether a view or notes are embedded in the trace
 *
 * Returns: the number of addresses with embedded labels
 */
guint
ns_session_count_embedded (NsSession *self, gboolean *has_view)
{
  const NsTrace *trace = ns_session_get_trace (self);

  *has_view =
      trace->file != NULL && ns_etl_file_get_companion (trace->file, NS_ETL_COMPANION_VIEW) != NULL;
  return ns_embedded_labels_get_size (trace->embedded_labels);
}

/**
 * ns_session_view_find:
 * @trace: a trace
 * @key: its key
 * @is_embedded: (out): whether the view is embedded in the trace
 *
 * A view stored on this computer takes precedence over an embedded one.
 *
 * Returns: (transfer full) (nullable): an `a{sv}` with untrusted values
 */
GVariant *
ns_session_view_find (const NsTrace *trace, const char *key, gboolean *is_embedded)
{
  GVariant *view = ns_view_file_read (key);

  *is_embedded = FALSE;
  if (view != NULL)
    return view;
  view = ns_view_file_get_embedded (trace);
  *is_embedded = view != NULL;
  return view;
}

/**
 * ns_session_read_view:
 * @self: a session
 * @key: the key of its trace
 * @is_embedded: (out): whether the view is embedded in the trace
 *
 * Calls ns_session_view_find() for the trace of the session.
 *
 * Returns: (transfer full) (nullable): an `a{sv}` with untrusted values
 */
GVariant *
ns_session_read_view (NsSession *self, const char *key, gboolean *is_embedded)
{
  return ns_session_view_find (ns_session_get_trace (self), key, is_embedded);
}

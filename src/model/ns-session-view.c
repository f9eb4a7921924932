/* How a session was looked at the last time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-embedded-labels.h"
#include "model/ns-session-view.h"

/**
 * ns_session_count_carried:
 * @self: a session
 * @has_view: (out): whether a view or notes came along with its trace
 *
 * Returns: of how many addresses names came along
 */
guint
ns_session_count_carried (NsSession *self, gboolean *has_view)
{
  const NsTrace *trace = ns_session_get_trace (self);

  *has_view =
      trace->file != NULL && ns_etl_file_get_companion (trace->file, NS_ETL_COMPANION_VIEW) != NULL;
  return ns_embedded_labels_get_size (trace->carried);
}

/**
 * ns_session_view_find:
 * @trace: a trace
 * @key: what it is known by
 * @is_carried: (out): whether it came along with the trace
 *
 * What the user of this computer did last goes before what came along with the trace.
 *
 * Returns: (transfer full) (nullable): an `a{sv}`, whose values may be anything
 */
GVariant *
ns_session_view_find (const NsTrace *trace, const char *key, gboolean *is_carried)
{
  GVariant *view = ns_view_file_read (key);

  *is_carried = FALSE;
  if (view != NULL)
    return view;
  view = ns_view_file_get_carried (trace);
  *is_carried = view != NULL;
  return view;
}

/**
 * ns_session_read_view:
 * @self: a session
 * @key: what its trace is known by
 * @is_carried: (out): whether it came along with the trace
 *
 * As ns_session_view_find().
 *
 * Returns: (transfer full) (nullable): an `a{sv}`, whose values may be anything
 */
GVariant *
ns_session_read_view (NsSession *self, const char *key, gboolean *is_carried)
{
  return ns_session_view_find (ns_session_get_trace (self), key, is_carried);
}

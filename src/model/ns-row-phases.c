/* Breakdown of the time of a row, as far as known at the playback position.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-phases.h"

#include "model/ns-session-moment.h"

/**
 * ns_row_phases_find:
 * @session: a session
 * @activity: an activity
 * @blame: (out caller-allocates): the breakdown of its time
 *
 * Returns: %FALSE if the trace does not contain it, or the row has not ended at the playback
 *   position
 */
gboolean
ns_row_phases_find (NsSession *session, guint32 activity, NsBlame *blame)
{
  return ns_session_has_ended (session, NS_TABLE_ACTIVITIES, activity) &&
         ns_blame_find (blame, ns_session_get_trace (session), activity);
}

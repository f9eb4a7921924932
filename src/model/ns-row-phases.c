/* Where the time of a row went, as far as a playback has come.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-phases.h"

#include "model/ns-session-moment.h"

/**
 * ns_row_phases_find:
 * @session: a session
 * @activity: an activity of its
 * @blame: (out caller-allocates): where its time went
 *
 * Returns: %FALSE when the trace does not tell, or the row has not ended at the moment of a
 * playback
 */
gboolean
ns_row_phases_find (NsSession *session, guint32 activity, NsBlame *blame)
{
  return ns_session_has_ended (session, NS_TABLE_ACTIVITIES, activity) &&
         ns_blame_find (blame, ns_session_get_trace (session), activity);
}

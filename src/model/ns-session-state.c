/* View state of a session that can be restored: zoom, time span, table in front, conditions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-state.h"

#include "model/ns-session-conditions.h"

/**
 * ns_session_dup_state:
 * @self: a session
 *
 * Returns: (transfer floating): the state, for ns_session_restore_state()
 */
GVariant *
ns_session_dup_state (NsSession *self)
{
  NsTimeSpan visible = ns_session_get_visible (self);
  NsTimeSpan span = ns_session_get_span (self);

  return g_variant_new ("(xxxxs@" NS_CONDITIONS_FORMAT ")",
                        visible.begin_ns,
                        visible.end_ns,
                        span.begin_ns,
                        span.end_ns,
                        ns_table_get_name (ns_session_get_front (self)),
                        ns_session_dup_conditions (self));
}

/**
 * ns_session_restore_state:
 * @self: a session
 * @state: a state of the same trace, or of an earlier load of it
 *
 * Restores @state.
 */
void
ns_session_restore_state (NsSession *self, GVariant *state)
{
  g_autoptr (GVariant) conditions = NULL;
  NsTimeSpan visible;
  NsTimeSpan span;
  const char *name;
  NsTableId front;

  g_variant_get (state,
                 "(xxxx&s@" NS_CONDITIONS_FORMAT ")",
                 &visible.begin_ns,
                 &visible.end_ns,
                 &span.begin_ns,
                 &span.end_ns,
                 &name,
                 &conditions);
  ns_session_put_conditions (self, conditions);
  if (ns_table_from_name (name, &front))
    ns_session_show_table (self, front);
  ns_session_set_visible (self, visible);
  ns_session_set_span (self, span);
  ns_session_conditions_changed (self, ns_session_get_front (self), NS_CONDITIONS_PUT);
}

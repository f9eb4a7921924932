/* Playback bar: moves the playback position through the trace of a session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * NsCountState:
 * @NS_COUNT_STATE_KNOWN: the row count of a table is that of the playback position
 * @NS_COUNT_STATE_PENDING: the filter is running; the count of the previous tick is shown meanwhile
 * @NS_COUNT_STATE_UNKNOWN: the row count of the playback position is not known
 *
 * How current the row count of a table is.
 */
typedef enum
{
  NS_COUNT_STATE_KNOWN,
  NS_COUNT_STATE_PENDING,
  NS_COUNT_STATE_UNKNOWN,
} NsCountState;

#define NS_TYPE_PLAYBACK_BAR (ns_playback_bar_get_type ())
G_DECLARE_FINAL_TYPE (NsPlaybackBar, ns_playback_bar, NS, PLAYBACK_BAR, GtkBox)

GActionMap *ns_playback_bar_get_actions (NsPlaybackBar *self);
void ns_playback_bar_set_session (NsPlaybackBar *self, NsSession *session);
gboolean ns_playback_bar_is_active (NsPlaybackBar *self);
NsCountState ns_playback_bar_get_count_state (NsPlaybackBar *self, NsTableId table);
void ns_playback_bar_begin_reload (NsPlaybackBar *self);
void ns_playback_bar_resume (NsPlaybackBar *self);

G_END_DECLS

/* The bar that plays a trace back: what goes through the moment of a session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * NsPlayed:
 * @NS_PLAYED_KNOWN: it is known how many rows of a table had begun by the moment
 * @NS_PLAYED_SOON: what was known a tenth of a second ago is shown meanwhile
 * @NS_PLAYED_UNKNOWN: it is not known
 */
typedef enum
{
  NS_PLAYED_KNOWN,
  NS_PLAYED_SOON,
  NS_PLAYED_UNKNOWN,
} NsPlayed;

#define NS_TYPE_PLAYBACK_BAR (ns_playback_bar_get_type ())
G_DECLARE_FINAL_TYPE (NsPlaybackBar, ns_playback_bar, NS, PLAYBACK_BAR, GtkBox)

GActionMap *ns_playback_bar_get_actions (NsPlaybackBar *self);
void ns_playback_bar_set_session (NsPlaybackBar *self, NsSession *session);
gboolean ns_playback_bar_is_active (NsPlaybackBar *self);
NsPlayed ns_playback_bar_get_played (NsPlaybackBar *self, NsTableId table);
void ns_playback_bar_hold (NsPlaybackBar *self);
void ns_playback_bar_resume (NsPlaybackBar *self);

G_END_DECLS

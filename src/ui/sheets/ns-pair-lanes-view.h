/* Lanes of two machines on one clock, below the timeline.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-pair-lanes.h"
#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_PAIR_LANES_VIEW (ns_pair_lanes_view_get_type ())
G_DECLARE_FINAL_TYPE (NsPairLanesView, ns_pair_lanes_view, NS, PAIR_LANES_VIEW, GtkWidget)

GtkWidget *ns_pair_lanes_view_new (void);
void ns_pair_lanes_view_set_session (NsPairLanesView *self, NsSession *session);
void ns_pair_lanes_view_set_lanes (NsPairLanesView *self, NsPairLanes *lanes);
void ns_pair_lanes_view_choose (NsPairLanesView *self, guint row);

G_END_DECLS

/* Timeline widget: the overview, ruler and lanes of a session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-timeline-render.h"
#include "model/ns-session-ranges.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Commands of the timeline for keys, menus and actions. */
typedef enum
{
  NS_TIMELINE_ZOOM_IN,
  NS_TIMELINE_ZOOM_OUT,
  NS_TIMELINE_WHOLE,
  NS_TIMELINE_FOCUS, /* centres the selected bar; a second time zooms to it */
  NS_TIMELINE_EARLIER,
  NS_TIMELINE_LATER,
  NS_TIMELINE_LANE_UP,
  NS_TIMELINE_LANE_DOWN,
  NS_TIMELINE_BAR_NEXT,
  NS_TIMELINE_BAR_BEFORE,
  NS_TIMELINE_SAME_NEXT, /* the next bar of the same connection in the lane */
  NS_TIMELINE_SAME_BEFORE,
  NS_TIMELINE_ROW_TO_SPAN,
  NS_TIMELINE_SPAN_TO_ZOOM,
  NS_TIMELINE_ZOOM_LANE,
  NS_TIMELINE_FOLD,
  NS_TIMELINE_PIN,
  NS_TIMELINE_HIDE,
  NS_TIMELINE_SHOW_HIDDEN,
  NS_TIMELINE_PAGE_EARLIER,
  NS_TIMELINE_PAGE_LATER,
  NS_TIMELINE_MARKS_TO_SPAN, /* selects the span between two bookmarks */
  NS_TIMELINE_BOOKMARK,      /* adds a bookmark or removes it */
  NS_TIMELINE_NAME_BOOKMARK, /* asks for a label */
  NS_TIMELINE_NEXT_BOOKMARK,
} NsTimelineCommand;

#define NS_TYPE_TIMELINE (ns_timeline_get_type ())
G_DECLARE_FINAL_TYPE (NsTimeline, ns_timeline, NS, TIMELINE, GtkWidget)

void ns_timeline_set_session (NsTimeline *self, NsSession *session);
void ns_timeline_set_reading (NsTimeline *self, gboolean is_reading);
void ns_timeline_set_following (NsTimeline *self, gboolean is_following);
GtkAdjustment *ns_timeline_get_adjustment (NsTimeline *self);
void ns_timeline_do (NsTimeline *self, NsTimelineCommand command);
char *ns_timeline_dup_lane_filter (NsTimeline *self);
guint ns_timeline_get_n_hidden (NsTimeline *self);
guint ns_timeline_get_n_bookmarks (NsTimeline *self);
/* Returns: (transfer full) (element-type NsNamedRange): labelled bookmarks with a duration;
 * valid until a bookmark changes */
GArray *ns_timeline_list_ranges (NsTimeline *self);
gboolean ns_timeline_name_bookmark (NsTimeline *self, const char *text);
gboolean ns_timeline_set_grouping (NsTimeline *self, const char *name);
const char *ns_timeline_get_grouping (NsTimeline *self);
void ns_timeline_save_marks (NsTimeline *self, GVariantDict *dict);
void ns_timeline_restore_marks (NsTimeline *self, GVariant *view);
void ns_timeline_set_found (NsTimeline *self, const GArray *times, const GArray *rows);
void ns_timeline_set_shows_states (NsTimeline *self, gboolean shows_states);
gboolean ns_timeline_get_shows_states (NsTimeline *self);
gboolean ns_timeline_may_have_states (NsTimeline *self);
gboolean ns_timeline_has_cpu (NsTimeline *self);
void ns_timeline_set_shows_cpu (NsTimeline *self, gboolean shows_cpu);
gboolean ns_timeline_get_shows_cpu (NsTimeline *self);
gboolean ns_timeline_is_sorted (NsTimeline *self);
void ns_timeline_set_keeps_filtered (NsTimeline *self, gboolean keeps_filtered);
gboolean ns_timeline_get_keeps_filtered (NsTimeline *self);
void ns_timeline_set_packs (NsTimeline *self, gboolean packs);
gboolean ns_timeline_get_packs (NsTimeline *self);
gboolean ns_timeline_fill_picture (NsTimeline *self, NsTimelinePicture *picture);
gboolean ns_timeline_save_picture (NsTimeline *self, const char *path, GError **error);
char *ns_timeline_dup_svg (NsTimeline *self);
void ns_timeline_set_moment (NsTimeline *self, gint64 time_ns);
void ns_timeline_reveal (NsTimeline *self, guint32 row);
void ns_timeline_hold_time (NsTimeline *self, gboolean is_held);

G_END_DECLS

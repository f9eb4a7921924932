/* The timeline with the playback bar, the line of the selected finding and the button for hidden
 * lanes below it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/timeline/ns-timeline-pane.h"

#include "model/ns-session-moment.h"
#include "model/ns-signal.h"
#include "ui/ns-action-map.h"
#include "ui/ns-help.h"
#include "ui/timeline/ns-timeline-actions.h"

#include <glib/gi18n.h>

struct _NsTimelinePane
{
  GtkBox parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  NsTimelineActions *timeline_actions;

  GtkWidget *box; /* contains the timeline and its scrollbar */
  NsTimeline *timeline;
  GtkWidget *scrollbar;
  NsPlaybackBar *playback_bar;
  NsFindingLine *finding_line;
  GtkWidget *hidden_lanes;
};

enum
{
  SIGNAL_MESSAGE,
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTimelinePane, ns_timeline_pane, GTK_TYPE_BOX)

static void
message_cb (NsTimelinePane *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

static void
moment_changed_cb (NsTimelinePane *self)
{
  ns_timeline_set_moment (self->timeline, ns_session_get_moment (self->session));
}

static void
marks_changed_cb (NsTimelinePane *self)
{
  guint n_hidden = ns_timeline_get_n_hidden (self->timeline);
  g_autofree char *text =
      g_strdup_printf (ngettext ("%u lane hidden · Show", "%u lanes hidden · Show", n_hidden),
                       n_hidden);

  gtk_button_set_label (GTK_BUTTON (self->hidden_lanes), text);
  gtk_widget_set_visible (self->hidden_lanes, n_hidden > 0);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/**
 * ns_timeline_pane_get_actions:
 * @self: a pane
 *
 * Returns: (transfer none): the actions of the timeline, the playback and the selected finding
 */
GActionMap *
ns_timeline_pane_get_actions (NsTimelinePane *self)
{
  g_return_val_if_fail (NS_IS_TIMELINE_PANE (self), NULL);

  return G_ACTION_MAP (self->actions);
}

static void
leave_session (NsTimelinePane *self)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
}

/**
 * ns_timeline_pane_leave:
 * @self: a pane
 * @is_reload: whether another reading of the trace follows at once; the actions then stay enabled
 *
 * Releases the session and ends the playback.
 */
void
ns_timeline_pane_leave (NsTimelinePane *self, gboolean is_reload)
{
  g_return_if_fail (NS_IS_TIMELINE_PANE (self));

  ns_playback_bar_set_session (self->playback_bar, NULL);
  leave_session (self);
  ns_timeline_set_session (self->timeline, NULL);
  ns_finding_line_set_session (self->finding_line, NULL);
  if (!is_reload)
    ns_timeline_actions_set_session (self->timeline_actions, NULL);
}

/**
 * ns_timeline_pane_set_session:
 * @self: a pane
 * @session: (nullable): the new session
 *
 * Sets the session and ends the playback of the previous one.
 */
void
ns_timeline_pane_set_session (NsTimelinePane *self, NsSession *session)
{
  g_return_if_fail (NS_IS_TIMELINE_PANE (self));

  ns_playback_bar_set_session (self->playback_bar, session);
  leave_session (self);
  if (session != NULL)
    {
      self->session = g_object_ref (session);
      g_signal_connect_swapped (session, "moment-changed", G_CALLBACK (moment_changed_cb), self);
    }
  ns_timeline_set_session (self->timeline, session);
  ns_finding_line_set_session (self->finding_line, session);
  ns_timeline_actions_set_session (self->timeline_actions, session);
}

/**
 * ns_timeline_pane_update:
 * @self: a pane
 * @is_there: whether the timeline shows a trace
 *
 * Updates the enabled property and the state of its actions.
 */
void
ns_timeline_pane_update (NsTimelinePane *self, gboolean is_there)
{
  g_return_if_fail (NS_IS_TIMELINE_PANE (self));

  ns_timeline_actions_update (self->timeline_actions, is_there);
}

/**
 * ns_timeline_pane_add_lanes:
 * @self: a pane
 * @lanes: a widget with further lanes
 *
 * Adds @lanes below the timeline, with the same width as its lanes.
 */
void
ns_timeline_pane_add_lanes (NsTimelinePane *self, GtkWidget *lanes)
{
  int bar;

  g_return_if_fail (NS_IS_TIMELINE_PANE (self));

  gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &bar, NULL, NULL);
  gtk_widget_set_margin_end (lanes, bar);
  gtk_box_insert_child_after (GTK_BOX (self), lanes, self->box);
}

/**
 * ns_timeline_pane_get_timeline:
 * @self: a pane
 *
 * Returns: (transfer none): its timeline
 */
NsTimeline *
ns_timeline_pane_get_timeline (NsTimelinePane *self)
{
  g_return_val_if_fail (NS_IS_TIMELINE_PANE (self), NULL);

  return self->timeline;
}

/**
 * ns_timeline_pane_get_playback_bar:
 * @self: a pane
 *
 * Returns: (transfer none): its playback bar
 */
NsPlaybackBar *
ns_timeline_pane_get_playback_bar (NsTimelinePane *self)
{
  g_return_val_if_fail (NS_IS_TIMELINE_PANE (self), NULL);

  return self->playback_bar;
}

/**
 * ns_timeline_pane_get_finding_line:
 * @self: a pane
 *
 * Returns: (transfer none): the line of the selected finding
 */
NsFindingLine *
ns_timeline_pane_get_finding_line (NsTimelinePane *self)
{
  g_return_val_if_fail (NS_IS_TIMELINE_PANE (self), NULL);

  return self->finding_line;
}

static void
ns_timeline_pane_dispose (GObject *object)
{
  NsTimelinePane *self = NS_TIMELINE_PANE (object);

  leave_session (self);
  g_clear_object (&self->timeline_actions);
  G_OBJECT_CLASS (ns_timeline_pane_parent_class)->dispose (object);
}

static void
ns_timeline_pane_finalize (GObject *object)
{
  g_object_unref (NS_TIMELINE_PANE (object)->actions);
  G_OBJECT_CLASS (ns_timeline_pane_parent_class)->finalize (object);
}

static void
ns_timeline_pane_class_init (NsTimelinePaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_timeline_pane_dispose;
  object_class->finalize = ns_timeline_pane_finalize;
  /**
   * NsTimelinePane::message:
   * @self: the pane
   * @text: text for the status bar
   */
  signals[SIGNAL_MESSAGE] =
      ns_signal_new (NS_TYPE_TIMELINE_PANE, "message", G_TYPE_NONE, 1, G_TYPE_STRING);
  /**
   * NsTimelinePane::changed:
   * @self: the pane
   *
   * Emitted when lanes are hidden or pinned, or bookmarks change, so that the actions need an
   * update.
   */
  signals[SIGNAL_CHANGED] = ns_signal_new (NS_TYPE_TIMELINE_PANE, "changed", G_TYPE_NONE, 0);
  g_type_ensure (NS_TYPE_FINDING_LINE);
  g_type_ensure (NS_TYPE_PLAYBACK_BAR);
  g_type_ensure (NS_TYPE_TIMELINE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-timeline-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, NsTimelinePane, box);
  gtk_widget_class_bind_template_child (widget_class, NsTimelinePane, timeline);
  gtk_widget_class_bind_template_child (widget_class, NsTimelinePane, scrollbar);
  gtk_widget_class_bind_template_child (widget_class, NsTimelinePane, playback_bar);
  gtk_widget_class_bind_template_child (widget_class, NsTimelinePane, finding_line);
  gtk_widget_class_bind_template_child (widget_class, NsTimelinePane, hidden_lanes);
}

static void
connect_to (NsTimelinePane *self, gpointer part, const char *signal, GCallback callback)
{
  g_signal_connect_object (part, signal, callback, self, G_CONNECT_SWAPPED);
}

static void
ns_timeline_pane_init (NsTimelinePane *self)
{
  GActionMap *map;

  self->actions = g_simple_action_group_new ();
  map = G_ACTION_MAP (self->actions);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_scrollbar_set_adjustment (GTK_SCROLLBAR (self->scrollbar),
                                ns_timeline_get_adjustment (self->timeline));
  ns_help_set_page (GTK_WIDGET (self->timeline), "timeline");
  self->timeline_actions = ns_timeline_actions_new (self->timeline);
  connect_to (self, self->timeline_actions, "message", G_CALLBACK (message_cb));
  connect_to (self, self->playback_bar, "message", G_CALLBACK (message_cb));
  connect_to (self, self->finding_line, "message", G_CALLBACK (message_cb));
  connect_to (self, self->timeline, "marks-changed", G_CALLBACK (marks_changed_cb));
  ns_action_map_take (map, ns_timeline_actions_get_actions (self->timeline_actions));
  ns_action_map_take (map, ns_playback_bar_get_actions (self->playback_bar));
  ns_action_map_take (map, ns_finding_line_get_actions (self->finding_line));
}

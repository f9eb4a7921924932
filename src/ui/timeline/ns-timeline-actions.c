/* Actions of the timeline: zooming, stepping through the bars, and filtering by a lane or a time
 * span.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/timeline/ns-timeline-actions.h"

#include "model/ns-session-conditions.h"
#include "model/ns-session-ranges.h"

#include <glib/gi18n.h>

struct _NsTimelineActions
{
  GObject parent_instance;

  NsTimeline *timeline; /* not owned; outlives this object */
  NsSession *session;   /* (nullable) */
  GSimpleActionGroup *actions;
};

enum
{
  SIGNAL_MESSAGE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTimelineActions, ns_timeline_actions, G_TYPE_OBJECT)

static void
say (NsTimelineActions *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

static const struct
{
  const char *name;
  NsTimelineCommand command;
} commands[] = {
  { "zoom-in", NS_TIMELINE_ZOOM_IN },
  { "zoom-out", NS_TIMELINE_ZOOM_OUT },
  { "zoom-whole", NS_TIMELINE_WHOLE },
  { "zoom-row", NS_TIMELINE_FOCUS },
  { "zoom-selected-span", NS_TIMELINE_SPAN_TO_ZOOM },
  { "row-to-span", NS_TIMELINE_ROW_TO_SPAN },
  { "next-bar", NS_TIMELINE_BAR_NEXT },
  { "previous-bar", NS_TIMELINE_BAR_BEFORE },
  { "zoom-lane", NS_TIMELINE_ZOOM_LANE },
  { "fold-lane", NS_TIMELINE_FOLD },
  { "pin-lane", NS_TIMELINE_PIN },
  { "hide-lane", NS_TIMELINE_HIDE },
  { "show-lanes", NS_TIMELINE_SHOW_HIDDEN },
  { "bookmark", NS_TIMELINE_BOOKMARK },
  { "next-bookmark", NS_TIMELINE_NEXT_BOOKMARK },
  { "name-bookmark", NS_TIMELINE_NAME_BOOKMARK },
  { "marks-to-span", NS_TIMELINE_MARKS_TO_SPAN },
  { "page-earlier", NS_TIMELINE_PAGE_EARLIER },
  { "page-later", NS_TIMELINE_PAGE_LATER },
};

static void
command_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *name = g_action_get_name (G_ACTION (action));
  guint i;

  for (i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, name))
      ns_timeline_do (NS_TIMELINE_ACTIONS (data)->timeline, commands[i].command);
}

static void
zoom_span_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTimeSpan span;

  g_variant_get (parameter, "(xx)", &span.begin_ns, &span.end_ns);
  if (span.begin_ns < span.end_ns)
    ns_session_set_visible (NS_TIMELINE_ACTIONS (data)->session, span);
}

static void
select_span_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTimeSpan span;

  g_variant_get (parameter, "(xx)", &span.begin_ns, &span.end_ns);
  ns_session_set_span (NS_TIMELINE_ACTIONS (data)->session, span);
}

/* Pans so that the bar of the selected row is in the middle; does not zoom. */
static void
centre_row_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTimelineActions *self = data;
  guint32 row = ns_session_get_activity (self->session);
  NsTimeSpan whole = ns_session_get_whole (self->session);
  NsTimeSpan visible = ns_session_get_visible (self->session);
  gint64 length = visible.end_ns - visible.begin_ns;
  NsTimeSpan span;

  if (row == G_MAXUINT32 ||
      !ns_session_get_row_span (self->session, NS_TABLE_ACTIVITIES, row, &span))
    return;
  visible.begin_ns = (span.begin_ns + span.end_ns) / 2 - length / 2;
  visible.begin_ns = CLAMP (visible.begin_ns, whole.begin_ns, MAX (whole.end_ns - length, 0));
  visible.end_ns = visible.begin_ns + length;
  ns_session_set_visible (self->session, visible);
  ns_timeline_reveal (self->timeline, row);
}

/* Sets the label of the bookmark without a popover, for tests and scripts. */
static void
name_bookmark_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_timeline_name_bookmark (NS_TIMELINE_ACTIONS (data)->timeline,
                             g_variant_get_string (parameter, NULL));
}

static void
lanes_by_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsTimelineActions *self = data;

  if (ns_timeline_set_grouping (self->timeline, g_variant_get_string (state, NULL)))
    g_simple_action_set_state (action, state);
}

static void
keep_filtered_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsTimelineActions *self = data;

  ns_timeline_set_keeps_filtered (self->timeline, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void
pack_lanes_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsTimelineActions *self = data;

  ns_timeline_set_packs (self->timeline, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void
state_lanes_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsTimelineActions *self = data;

  ns_timeline_set_shows_states (self->timeline, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void
cpu_strip_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsTimelineActions *self = data;

  ns_timeline_set_shows_cpu (self->timeline, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

/* Adds a condition to the filter of the operations, which are the rows of the timeline. */
static void
add_condition (NsTimelineActions *self, NsValueFilter how, const char *condition)
{
  g_autoptr (GError) error = NULL;

  ns_session_show_table (self->session, NS_TABLE_ACTIVITIES);
  if (!ns_session_filter_value (self->session, how, "open_ns", condition, &error))
    say (self, error->message);
}

static void
only_lane_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTimelineActions *self = data;
  g_autofree char *condition = ns_timeline_dup_lane_filter (self->timeline);

  if (condition != NULL)
    add_condition (self, NS_FILTER_ONLY_VALUE, condition);
}

static void
without_lane_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTimelineActions *self = data;
  g_autofree char *condition = ns_timeline_dup_lane_filter (self->timeline);

  if (condition != NULL)
    add_condition (self, NS_FILTER_WITHOUT_VALUE, condition);
}

/* Adds a condition for rows that begin within the selected span. */
static void
only_span_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTimelineActions *self = data;
  NsTimeSpan span = ns_session_get_span (self->session);
  g_autofree char *begin = NULL;
  g_autofree char *end = NULL;
  g_autofree char *condition = NULL;

  if (span.begin_ns >= span.end_ns)
    return;
  begin = ns_time_seconds_to_text (span.begin_ns, 9);
  end = ns_time_seconds_to_text (span.end_ns, 9);
  condition = g_strdup_printf ("open_ns=%ss..%ss", begin, end);
  add_condition (self, NS_FILTER_ONLY_VALUE, condition);
}

static const GActionEntry entries[] = {
  { "zoom-span", zoom_span_cb, "(xx)", NULL, NULL, { 0 } },
  { "select-span", select_span_cb, "(xx)", NULL, NULL, { 0 } },
  { "centre-row", centre_row_cb, NULL, NULL, NULL, { 0 } },
  { "only-lane", only_lane_cb, NULL, NULL, NULL, { 0 } },
  { "without-lane", without_lane_cb, NULL, NULL, NULL, { 0 } },
  { "only-span", only_span_cb, NULL, NULL, NULL, { 0 } },
  { "name-bookmark-to", name_bookmark_to_cb, "s", NULL, NULL, { 0 } },
  { "lanes-by", NULL, "s", "'process'", lanes_by_cb, { 0 } },
  { "pack-lanes", NULL, NULL, "true", pack_lanes_cb, { 0 } },
  { "state-lanes", NULL, NULL, "false", state_lanes_cb, { 0 } },
  { "cpu-strip", NULL, NULL, "true", cpu_strip_cb, { 0 } },
  { "keep-filtered", NULL, NULL, "false", keep_filtered_cb, { 0 } },
};

static GSimpleAction *
get_action (NsTimelineActions *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name));
}

/* Makes labelled bookmarks with a duration available to filters as named ranges. */
static void
take_ranges (NsTimelineActions *self)
{
  g_autoptr (GArray) ranges = NULL;

  if (self->session == NULL)
    return;
  ranges = ns_timeline_list_ranges (self->timeline);
  ns_session_set_ranges (self->session,
                         (const NsNamedRange *) (gpointer) ranges->data,
                         ranges->len);
}

/* Reports that state lanes were requested, but the trace has no state changes. */
static void
report_without_states (NsTimelineActions *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "state-lanes");
  g_autoptr (GVariant) state = g_action_get_state (action);

  if (self->session != NULL && g_variant_get_boolean (state) &&
      !ns_timeline_get_shows_states (self->timeline) &&
      !ns_timeline_may_have_states (self->timeline))
    say (self, _ ("No event of this trace reports a state change."));
}

static void
marks_changed_cb (NsTimelineActions *self)
{
  take_ranges (self);
  report_without_states (self);
}

static void
set_state (NsTimelineActions *self, const char *name, gboolean is_on)
{
  g_simple_action_set_state (get_action (self, name), g_variant_new_boolean (is_on));
}

/**
 * ns_timeline_actions_update:
 * @self: the actions
 * @is_there: whether the timeline shows a trace
 *
 * Updates the enabled property and the state of all actions.
 */
void
ns_timeline_actions_update (NsTimelineActions *self, gboolean is_there)
{
  NsTimeline *timeline;
  g_auto (GStrv) names = NULL;
  guint i;

  g_return_if_fail (NS_IS_TIMELINE_ACTIONS (self));

  timeline = self->timeline;
  names = g_action_group_list_actions (G_ACTION_GROUP (self->actions));
  for (i = 0; names[i] != NULL; i++)
    g_simple_action_set_enabled (get_action (self, names[i]), is_there);
  g_simple_action_set_state (get_action (self, "lanes-by"),
                             g_variant_new_string (ns_timeline_get_grouping (timeline)));
  set_state (self, "pack-lanes", ns_timeline_get_packs (timeline));
  set_state (self, "state-lanes", ns_timeline_get_shows_states (timeline));
  set_state (self, "cpu-strip", ns_timeline_get_shows_cpu (timeline));
  set_state (self, "keep-filtered", ns_timeline_get_keeps_filtered (timeline));
  g_simple_action_set_enabled (get_action (self, "state-lanes"),
                               is_there && ns_timeline_may_have_states (timeline));
  g_simple_action_set_enabled (get_action (self, "cpu-strip"),
                               is_there && ns_timeline_has_cpu (timeline));
  g_simple_action_set_enabled (get_action (self, "show-lanes"),
                               is_there && ns_timeline_get_n_hidden (timeline) > 0);
  g_simple_action_set_enabled (get_action (self, "next-bookmark"),
                               is_there && ns_timeline_get_n_bookmarks (timeline) > 0);
}

/**
 * ns_timeline_actions_get_actions:
 * @self: the actions
 *
 * Returns: (transfer none): the action map: an action for most commands of #NsTimelineCommand,
 *   `zoom-span`, `select-span`, `centre-row`, the filters `only-lane`, `without-lane` and
 *   `only-span`, and the options of the lanes
 */
GActionMap *
ns_timeline_actions_get_actions (NsTimelineActions *self)
{
  g_return_val_if_fail (NS_IS_TIMELINE_ACTIONS (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_timeline_actions_set_session:
 * @self: the actions
 * @session: (nullable): the new session of the timeline
 */
void
ns_timeline_actions_set_session (NsTimelineActions *self, NsSession *session)
{
  g_return_if_fail (NS_IS_TIMELINE_ACTIONS (self));

  g_set_object (&self->session, session);
  ns_timeline_actions_update (self, session != NULL);
}

static void
ns_timeline_actions_dispose (GObject *object)
{
  g_clear_object (&NS_TIMELINE_ACTIONS (object)->session);
  G_OBJECT_CLASS (ns_timeline_actions_parent_class)->dispose (object);
}

static void
ns_timeline_actions_finalize (GObject *object)
{
  g_object_unref (NS_TIMELINE_ACTIONS (object)->actions);
  G_OBJECT_CLASS (ns_timeline_actions_parent_class)->finalize (object);
}

static void
ns_timeline_actions_class_init (NsTimelineActionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_timeline_actions_dispose;
  object_class->finalize = ns_timeline_actions_finalize;
  /**
   * NsTimelineActions::message:
   * @self: the actions
   * @text: text for the status bar
   */
  signals[SIGNAL_MESSAGE] = g_signal_new ("message",
                                          NS_TYPE_TIMELINE_ACTIONS,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          1,
                                          G_TYPE_STRING);
}

static void
ns_timeline_actions_init (NsTimelineActions *self)
{
  guint i;

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  for (i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr (GSimpleAction) action = g_simple_action_new (commands[i].name, NULL);

      g_signal_connect (action, "activate", G_CALLBACK (command_cb), self);
      g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
    }
}

/**
 * ns_timeline_actions_new:
 * @timeline: the timeline, which must outlive the actions
 *
 * Returns: (transfer full): the actions of @timeline
 */
NsTimelineActions *
ns_timeline_actions_new (NsTimeline *timeline)
{
  NsTimelineActions *self = g_object_new (NS_TYPE_TIMELINE_ACTIONS, NULL);

  self->timeline = timeline;
  g_signal_connect_object (timeline,
                           "marks-changed",
                           G_CALLBACK (marks_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  ns_timeline_actions_update (self, FALSE);
  return self;
}

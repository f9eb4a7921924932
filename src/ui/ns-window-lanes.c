/* What can be done with a lane or a bar of the timeline: filter by it, or by the selected span.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"

/* Adds a chip to the filter of the activities, which are what the timeline shows. */
static void
add_chip (NsWindow *self, NsValueFilter how, const char *condition)
{
  ns_window_show_table (self, NS_TABLE_ACTIVITIES);
  ns_filter_bar_add_value (self->filter_bar, how, "open_ns", condition);
}

static void
only_lane_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autofree char *condition = ns_timeline_dup_lane_filter (NS_TIMELINE (self->timeline));

  if (condition != NULL)
    add_chip (self, NS_FILTER_ONLY_VALUE, condition);
}

static void
without_lane_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autofree char *condition = ns_timeline_dup_lane_filter (NS_TIMELINE (self->timeline));

  if (condition != NULL)
    add_chip (self, NS_FILTER_WITHOUT_VALUE, condition);
}

/* Rows that began within the selected span. */
static void
only_span_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTimeSpan span = ns_session_get_span (self->session);
  g_autofree char *begin = NULL;
  g_autofree char *end = NULL;
  g_autofree char *condition = NULL;

  if (span.begin_ns >= span.end_ns)
    return;
  begin = ns_time_seconds_to_text (span.begin_ns, 9);
  end = ns_time_seconds_to_text (span.end_ns, 9);
  condition = g_strdup_printf ("open_ns=%ss..%ss", begin, end);
  add_chip (self, NS_FILTER_ONLY_VALUE, condition);
}

static const GActionEntry entries[] = {
  { "only-lane", only_lane_cb, NULL, NULL, NULL, { 0 } },
  { "without-lane", without_lane_cb, NULL, NULL, NULL, { 0 } },
  { "only-span", only_span_cb, NULL, NULL, NULL, { 0 } },
};

/* Adds the actions of lanes and bars to a new window. */
void
ns_window_add_lanes (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

/* Switches them by what there is. */
void
ns_window_enable_lanes (NsWindow *self, gboolean has_trace)
{
  NsTimeSpan span = { 0, 0 };
  guint i;

  if (has_trace)
    span = ns_session_get_span (self->session);
  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      gboolean is_enabled = has_trace;

      if (entries[i].activate == only_span_cb)
        is_enabled = has_trace && span.begin_ns < span.end_ns;
      g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self),
                                                                                entries[i].name)),
                                   is_enabled);
    }
}

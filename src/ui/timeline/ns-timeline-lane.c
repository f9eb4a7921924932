/* Filter, context menu and zoom of the focused lane.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/timeline/ns-timeline-private.h"

#include "ui/ns-accessible.h"

#include <string.h>

/* Maximum number of connections that a filter of a lane lists. */
#define MAX_NAMED 256
#define MENU_RESOURCE "/org/netstitch/Netstitch/lanes-menu.ui"

static const NsLane *
get_focused (NsTimeline *self)
{
  if (self->session == NULL || self->lanes == NULL || self->focus_lane >= self->lanes->shown->len)
    return NULL;
  return ns_timeline_lanes_get (self->lanes,
                                g_array_index (self->lanes->shown, guint32, self->focus_lane));
}

static void
append_condition (NsTimeline *self, const char *id, guint row, GString *text)
{
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, id);
  NsFieldValue value = { 0 };
  g_autofree char *condition = NULL;

  if (field == NULL)
    return;
  ns_field_get (ns_session_get_trace (self->session), field, row, &value);
  condition = ns_filter_from_value (field, &value);
  ns_field_value_clear (&value);
  g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", condition);
}

/* Returns the field of the connection number of a row. */
static const char *
find_end_id (const NsActivityRow *activity)
{
  guint32 number;

  switch (ns_lane_connection_number (activity, &number))
    {
    case NS_CONNECTION_KIND_CONNECTION:
      return "tcp";
    case NS_CONNECTION_KIND_SOCKET:
      return "winsock";
    case NS_CONNECTION_KIND_FLOW:
      return "kernel_network";
    case NS_CONNECTION_KIND_NONE:
    default:
      return activity->connection == 0 && activity->socket != 0 ? "socket" : "connection";
    }
}

/* Returns whether the connections that share a lane all have numbers in the same table. */
static gboolean
can_name_connections (NsTimeline *self, const NsLane *lane)
{
  const GArray *activities = ns_session_get_trace (self->session)->activities;
  NsConnectionKind end = NS_CONNECTION_KIND_NONE;
  guint i;

  for (i = 0; i < lane->n_lives; i++)
    {
      const NsConnectionSpan *life =
          &g_array_index (self->lanes->connection_spans, NsConnectionSpan, lane->first_span + i);
      guint32 number;
      NsConnectionKind one =
          ns_lane_connection_number (&g_array_index (activities, NsActivityRow, life->row),
                                     &number);

      if (one == NS_CONNECTION_KIND_NONE || (i > 0 && one != end))
        return FALSE;
      end = one;
    }
  return lane->n_lives <= MAX_NAMED;
}

/* Appends a condition for the connections that share a lane: `tcp in (7, 16, 24)`. */
static void
append_connections (NsTimeline *self, const NsLane *lane, GString *text)
{
  const GArray *activities = ns_session_get_trace (self->session)->activities;
  guint i;

  for (i = 0; i < lane->n_lives; i++)
    {
      const NsConnectionSpan *life =
          &g_array_index (self->lanes->connection_spans, NsConnectionSpan, lane->first_span + i);
      guint32 number;

      ns_lane_connection_number (&g_array_index (activities, NsActivityRow, life->row), &number);
      if (i == 0)
        g_string_append_printf (text,
                                "%s%s in (",
                                text->len > 0 ? " " : "",
                                find_end_id (
                                    &g_array_index (activities, NsActivityRow, life->row)));
      g_string_append_printf (text, "%s%u", i > 0 ? ", " : "", number);
    }
  g_string_append_c (text, ')');
}

/* Appends a condition that distinguishes the rows of a lane from those of its siblings. */
static void
append_lane (NsTimeline *self, const NsLane *lane, guint row, GString *text)
{
  const NsActivityRow *activity =
      &g_array_index (ns_session_get_trace (self->session)->activities, NsActivityRow, row);

  switch (lane->kind)
    {
    case NS_LANE_PROCESS:
      append_condition (self, "pid", row, text);
      break;
    case NS_LANE_SERVER:
      append_condition (self, activity->server > NS_STRING_EMPTY ? "server" : "ip", row, text);
      if (activity->remote->port != 0)
        append_condition (self, "port", row, text);
      break;
    case NS_LANE_CONNECTION:
      if (lane->n_lives > 1)
        append_connections (self, lane, text);
      else
        append_condition (self, find_end_id (activity), row, text);
      break;
    case NS_LANE_GROUP:
      if (self->grouping == NS_LANES_BY_PROTOCOL)
        append_condition (self, "protocol", row, text);
      else if (self->grouping == NS_LANES_BY_ACTIVITY)
        append_condition (self, "activity_guid", row, text);
      else
        {
          append_condition (self, "pid", row, text);
          append_condition (self, "tid", row, text);
        }
      break;
    case NS_LANE_MORE:
    case NS_LANE_STATE:
    case NS_LANE_LOG:
    default:
      break;
    }
}

/* Appends the conditions of the lane and its ancestors, the outermost first. The number of a
 * connection needs no further condition. */
static void
append_path (NsTimeline *self, const NsLane *lane, guint row, GString *text)
{
  const NsActivityRow *activity =
      &g_array_index (ns_session_get_trace (self->session)->activities, NsActivityRow, row);
  const NsLane *path[4];
  guint n_path = 0;

  for (; n_path < G_N_ELEMENTS (path); n_path++)
    {
      path[n_path] = lane;
      if (lane->parent == NS_LANE_NONE ||
          (lane->kind == NS_LANE_CONNECTION && (activity->tcp != 0 || activity->winsock != 0)))
        {
          n_path++;
          break;
        }
      lane = ns_timeline_lanes_get (self->lanes, lane->parent);
    }
  while (n_path-- > 0)
    append_lane (self, path[n_path], row, text);
}

/**
 * ns_timeline_dup_lane_filter:
 * @self: a timeline
 *
 * Returns: (transfer full) (nullable): a filter that matches exactly the rows of the focused lane;
 *   %NULL if no lane is focused, it has no rows, or no filter can express it
 */
char *
ns_timeline_dup_lane_filter (NsTimeline *self)
{
  const NsLane *lane = get_focused (self);
  g_autoptr (GString) text = g_string_new (NULL);
  guint row;

  if (lane == NULL || lane->n_rows == 0 || lane->kind == NS_LANE_MORE ||
      (lane->kind == NS_LANE_CONNECTION && lane->n_lives > 1 && !can_name_connections (self, lane)))
    return NULL;
  row = self->lanes->rows[lane->first];
  append_path (self, lane, row, text);
  return g_strdup_printf (strchr (text->str, ' ') != NULL ? "(%s)" : "%s", text->str);
}

/* Zooms so that all rows of the focused lane are visible. */
void
ns_timeline_zoom_lane (NsTimeline *self)
{
  const NsLane *lane = get_focused (self);
  NsTimeSpan span;
  guint i;

  if (lane == NULL || lane->n_rows == 0)
    return;
  span.begin_ns = self->lanes->open_ns[lane->first];
  span.end_ns = span.begin_ns;
  for (i = lane->first; i < lane->first + lane->n_rows; i++)
    span.end_ns = MAX (span.end_ns, self->lanes->close_ns[i]);
  span.begin_ns -= (span.end_ns - span.begin_ns) / 20;
  span.end_ns += (span.end_ns - span.begin_ns) / 20 + 1000;
  ns_timeline_layout_show (&self->layout, span);
  ns_timeline_apply_layout (self);
}

static void
closed_cb (GtkPopover *menu)
{
  ns_accessible_menu_drop (GTK_WIDGET (menu));
}

/* Shows the context menu of the focused lane. */
void
ns_timeline_popup_lane (NsTimeline *self, double x, double y)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (MENU_RESOURCE);
  GMenuModel *model = G_MENU_MODEL (gtk_builder_get_object (builder, "lane_menu"));
  GtkWidget *menu = ns_accessible_menu_new (model);
  GdkRectangle place = { (int) x, (int) y, 1, 1 };

  gtk_widget_set_parent (menu, GTK_WIDGET (self));
  gtk_popover_set_has_arrow (GTK_POPOVER (menu), FALSE);
  gtk_popover_set_pointing_to (GTK_POPOVER (menu), &place);
  g_signal_connect (menu, "closed", G_CALLBACK (closed_cb), NULL);
  gtk_popover_popup (GTK_POPOVER (menu));
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
}

/* Back and forward through what the window showed: zoom, selected span, filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-filter.h"

/* Zoom, selected span, table in front, and the filters that are not empty. */
#define STATE_FORMAT "(xxxxs@a{s" NS_FILTER_CHIPS_STATE "})"

/* The filters that are not empty, with what is off in them. */
static GVariant *
make_filters (NsWindow *self)
{
  GVariantBuilder filters;
  guint table;

  g_variant_builder_init (&filters, G_VARIANT_TYPE ("a{s" NS_FILTER_CHIPS_STATE "}"));
  for (table = 0; table < NS_N_TABLES; table++)
    {
      NsFilterChips *chips = ns_session_get_chips (self->session, table);

      if (ns_filter_chips_get_n_chips (chips) > 0 || *ns_filter_chips_get_draft (chips) != '\0')
        g_variant_builder_add (&filters,
                               "{s@" NS_FILTER_CHIPS_STATE "}",
                               ns_table_get_name ((NsTableId) table),
                               ns_filter_chips_to_state (chips));
    }
  return g_variant_builder_end (&filters);
}

/* What the window shows: spans, table in front, filters. */
GVariant *
ns_window_dup_state (NsWindow *self)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);
  NsTimeSpan span = ns_session_get_span (self->session);

  return g_variant_new (STATE_FORMAT,
                        visible.begin_ns,
                        visible.end_ns,
                        span.begin_ns,
                        span.end_ns,
                        ns_table_get_name (self->table),
                        make_filters (self));
}

/* Puts one table's filter as it was. */
static void
restore_filter (NsWindow *self, NsTableId table, GVariant *filters)
{
  g_autoptr (GVariant) state = g_variant_lookup_value (filters,
                                                       ns_table_get_name (table),
                                                       G_VARIANT_TYPE (NS_FILTER_CHIPS_STATE));
  g_autoptr (GVariant) now =
      g_variant_ref_sink (ns_filter_chips_to_state (ns_session_get_chips (self->session, table)));
  g_autofree char *text = NULL;

  if (state == NULL)
    state = g_variant_ref_sink (g_variant_new_parsed ("(@a(sbs) [], '')"));
  if (g_variant_equal (state, now))
    return;
  ns_filter_chips_set_state (ns_session_get_chips (self->session, table), state);
  text = ns_filter_chips_to_filter (ns_session_get_chips (self->session, table));
  ns_session_set_filter (self->session, table, text, NULL, NULL);
}

/* Keeps the conditions of all filters with the view, those that are off as well. */
void
ns_window_save_chips (NsWindow *self, GVariantDict *view)
{
  g_variant_dict_insert_value (view, "chips", make_filters (self));
}

/* Puts them as they were; what makes no sense any more is left out. */
void
ns_window_restore_chips (NsWindow *self, GVariant *view)
{
  g_autoptr (GVariant) filters =
      g_variant_lookup_value (view, "chips", G_VARIANT_TYPE ("a{s" NS_FILTER_CHIPS_STATE "}"));
  GVariantIter iter;
  const char *name;
  GVariant *state;
  NsTableId table;

  if (filters == NULL)
    return;
  g_variant_iter_init (&iter, filters);
  while (g_variant_iter_next (&iter, "{&s@" NS_FILTER_CHIPS_STATE "}", &name, &state))
    {
      g_autoptr (NsFilterChips) chips = NULL;
      g_autofree char *text = NULL;

      if (ns_table_from_name (name, &table))
        {
          chips = ns_filter_chips_new (table);
          ns_filter_chips_set_state (chips, state);
          text = ns_filter_chips_to_filter (chips);
          if (ns_session_set_filter (self->session, table, text, NULL, NULL))
            ns_filter_chips_set_state (ns_session_get_chips (self->session, table), state);
        }
      g_variant_unref (state);
    }
}

/* Shows what the command line asked for, once there is a trace to show it of. */
void
ns_window_take_asked_view (NsWindow *self)
{
  g_autoptr (GVariant) view = g_steal_pointer (&self->asked_view);
  const char *text = NULL;
  NsTableId table;

  if (view == NULL)
    return;
  if (g_variant_lookup (view, "table", "&s", &text) && ns_table_from_name (text, &table))
    ns_window_show_table (self, table);
  if (g_variant_lookup (view, "filter", "&s", &text))
    ns_window_set_filter_text (self, text);
  if (g_variant_lookup (view, "sort", "&s", &text))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.sort", "s", text);
  if (g_variant_lookup (view, "go", "&s", &text))
    ns_window_go_to_text (self, text);
}

/**
 * ns_window_ask_view:
 * @self: a window that shows or opens a trace
 * @view: (type GVariant): texts by name: `table`, `filter`, `sort`, `go`; none need be there
 *
 * Looks at the trace so, instead of as it was looked at the last time.
 */
void
ns_window_ask_view (NsWindow *self, GVariant *view)
{
  g_clear_pointer (&self->asked_view, g_variant_unref);
  self->asked_view = g_variant_ref_sink (view);
  if (self->session != NULL && !ns_opening_is_busy (self->opening))
    ns_window_take_asked_view (self);
}

/* Shows what was shown. */
void
ns_window_restore_state (NsWindow *self, GVariant *state)
{
  g_autoptr (GVariant) filters = NULL;
  NsTimeSpan visible;
  NsTimeSpan span;
  const char *name;
  NsTableId shown;
  guint table;

  g_variant_get (state,
                 "(xxxx&s@a{s" NS_FILTER_CHIPS_STATE "})",
                 &visible.begin_ns,
                 &visible.end_ns,
                 &span.begin_ns,
                 &span.end_ns,
                 &name,
                 &filters);
  self->is_going = TRUE;
  for (table = 0; table < NS_N_TABLES; table++)
    restore_filter (self, (NsTableId) table, filters);
  if (ns_table_from_name (name, &shown))
    ns_window_show_table (self, shown);
  ns_session_set_visible (self->session, visible);
  ns_session_set_span (self->session, span);
  self->seen = visible;
  ns_window_show_chips (self);
  self->is_going = FALSE;
}

static void
go (NsWindow *self, int by)
{
  g_autoptr (GVariant) state = NULL;

  if (self->history == NULL || !ns_history_can_go (self->history, by))
    return;
  state = g_variant_ref (ns_history_go (self->history, by));
  ns_window_restore_state (self, state);
  ns_window_update_actions (self);
}

static void
back_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  go (data, -1);
}

static void
forward_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  go (data, 1);
}

static const GActionEntry entries[] = {
  { "back", back_cb, NULL, NULL, NULL, { 0 } },
  { "forward", forward_cb, NULL, NULL, NULL, { 0 } },
};

/* Remembers what the window shows now as a step. */
void
ns_window_record (NsWindow *self, NsHistoryKind kind)
{
  if (self->history == NULL || self->is_going || ns_playback_bar_is_turning (self->playback_bar))
    return;
  ns_history_record (self->history, kind, g_get_monotonic_time (), ns_window_dup_state (self));
  ns_window_update_actions (self);
}

/* What the window shows now is said otherwise, but it is the same. */
void
ns_window_amend (NsWindow *self)
{
  if (self->history != NULL && !self->is_going)
    ns_history_amend (self->history, ns_window_dup_state (self));
}

/* The zoom or the selected span changed. */
void
ns_window_record_spans (NsWindow *self)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);
  gboolean is_zoom = visible.begin_ns != self->seen.begin_ns || visible.end_ns != self->seen.end_ns;

  self->seen = visible;
  ns_window_record (self, is_zoom ? NS_HISTORY_ZOOM : NS_HISTORY_SPAN);
  if (is_zoom)
    ns_window_update_crumbs (self);
}

/* Begins anew with what the window shows, or with nothing. */
void
ns_window_reset_history (NsWindow *self)
{
  g_clear_pointer (&self->history, ns_history_free);
  if (self->session == NULL)
    return;
  self->seen = ns_session_get_visible (self->session);
  self->history = ns_history_new (ns_window_dup_state (self));
}

/* Switches the actions by where there is to go. */
void
ns_window_enable_history (NsWindow *self, gboolean has_trace)
{
  GAction *back = g_action_map_lookup_action (G_ACTION_MAP (self), "back");
  GAction *forward = g_action_map_lookup_action (G_ACTION_MAP (self), "forward");
  gboolean can = has_trace && self->history != NULL;

  g_simple_action_set_enabled (G_SIMPLE_ACTION (back),
                               can && ns_history_can_go (self->history, -1));
  g_simple_action_set_enabled (G_SIMPLE_ACTION (forward),
                               can && ns_history_can_go (self->history, 1));
}

/* Adds the actions to a new window. */
void
ns_window_add_history (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

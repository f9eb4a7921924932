/* Back and forward through what the window showed: zoom, selected span, filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-filter.h"

/* Zoom, selected span, table in front, and the filters that are not empty. */
#define STATE_FORMAT "(xxxxsa{s(a(sb)s)})"

/* What the window shows: spans, table in front, filters. */
GVariant *
ns_window_dup_state (NsWindow *self)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);
  NsTimeSpan span = ns_session_get_span (self->session);
  GVariantBuilder filters;
  guint table;

  g_variant_builder_init (&filters, G_VARIANT_TYPE ("a{s(a(sb)s)}"));
  for (table = 0; table < NS_N_TABLES; table++)
    {
      NsFilterChips *chips = self->chips[table];

      if (ns_filter_chips_get_n_chips (chips) > 0 || *ns_filter_chips_get_draft (chips) != '\0')
        g_variant_builder_add (&filters,
                               "{s@(a(sb)s)}",
                               ns_table_get_name ((NsTableId) table),
                               ns_filter_chips_to_state (chips));
    }
  return g_variant_new (STATE_FORMAT,
                        visible.begin_ns,
                        visible.end_ns,
                        span.begin_ns,
                        span.end_ns,
                        ns_table_get_name (self->table),
                        &filters);
}

/* Puts one table's filter as it was. */
static void
restore_filter (NsWindow *self, NsTableId table, GVariant *filters)
{
  g_autoptr (GVariant) state =
      g_variant_lookup_value (filters, ns_table_get_name (table), G_VARIANT_TYPE ("(a(sb)s)"));
  g_autoptr (GVariant) now = g_variant_ref_sink (ns_filter_chips_to_state (self->chips[table]));
  g_autofree char *text = NULL;

  if (state == NULL)
    state = g_variant_ref_sink (g_variant_new_parsed ("(@a(sb) [], '')"));
  if (g_variant_equal (state, now))
    return;
  ns_filter_chips_set_state (self->chips[table], state);
  text = ns_filter_chips_to_filter (self->chips[table]);
  ns_session_set_filter (self->session, table, text, NULL, NULL);
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
                 "(xxxx&s@a{s(a(sb)s)})",
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
  if (self->history == NULL || self->is_going)
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

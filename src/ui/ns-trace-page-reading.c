/* Loading and reloading on the trace page: restores the remembered view of a trace, and keeps the
 * selection and the focus across a reload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-trace-page-private.h"

/**
 * ns_trace_page_restore_view:
 * @self: a page with a session
 *
 * Restores the view that the trace had when it was closed.
 */
void
ns_trace_page_restore_view (NsTracePage *self)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  ns_view_memory_restore (self->memory);
  g_signal_emit_by_name (self, "changed");
}

/**
 * ns_trace_page_show_view:
 * @self: a page with a session
 *
 * Moves the focus to the timeline, or else to the tables, and applies the view that was requested
 * with ns_go_to_set_view().
 */
void
ns_trace_page_show_view (NsTracePage *self)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  if (!gtk_widget_grab_focus (GTK_WIDGET (ns_timeline_pane_get_timeline (self->timeline_pane))))
    gtk_widget_child_focus (GTK_WIDGET (ns_tables_pane_get_tabs (self->tables_pane)),
                            GTK_DIR_TAB_FORWARD);
  ns_go_to_show_view (self->go_to);
}

/**
 * ns_trace_page_keep:
 * @self: a page with a session
 *
 * Prepares for a reload of the trace. The trace stays open, so its view is not saved, and a
 * playback continues.
 *
 * Returns: (transfer full): the selection and the focus, for ns_trace_page_put_back()
 */
NsKeptView *
ns_trace_page_keep (NsTracePage *self)
{
  NsKeptView *kept;

  g_return_val_if_fail (NS_IS_TRACE_PAGE (self), NULL);

  kept = ns_kept_view_new (self->session,
                           ns_timeline_pane_get_timeline (self->timeline_pane),
                           ns_tables_pane_get_tabs (self->tables_pane));
  ns_view_memory_release (self->memory);
  ns_playback_bar_begin_reload (ns_timeline_pane_get_playback_bar (self->timeline_pane));
  ns_filter_bar_hold (self->filter_bar);
  ns_find_bar_hold (ns_tables_pane_get_find_bar (self->tables_pane));
  return kept;
}

/**
 * ns_trace_page_put_back:
 * @self: a page with the session of the reloaded trace
 * @kept: (transfer full): the result of ns_trace_page_keep()
 *
 * Restores the selection and the focus after a reload.
 */
void
ns_trace_page_put_back (NsTracePage *self, NsKeptView *kept)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  ns_kept_view_put_back (kept, self->session);
  ns_filter_bar_resume (self->filter_bar);
  ns_playback_bar_resume (ns_timeline_pane_get_playback_bar (self->timeline_pane));
  ns_find_bar_resume (ns_tables_pane_get_find_bar (self->tables_pane));
  ns_kept_view_free (kept);
}

/**
 * ns_trace_page_prepare_loading:
 * @self: a page
 *
 * Updates the page when another trace starts to load.
 */
void
ns_trace_page_prepare_loading (NsTracePage *self)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  ns_crumb_bar_set_reading (self->crumb_bar, FALSE);
  ns_flame_actions_show (self->call_tree, FALSE);
}

/**
 * ns_trace_page_set_reading:
 * @self: a page
 * @is_reading: whether the rest of the trace is being read
 * @is_more: whether the trace has more rows than are shown
 *
 * Shows on the timeline and in the crumb bar that loading has not finished.
 */
void
ns_trace_page_set_reading (NsTracePage *self, gboolean is_reading, gboolean is_more)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  ns_timeline_set_reading (ns_timeline_pane_get_timeline (self->timeline_pane), is_reading);
  ns_crumb_bar_set_reading (self->crumb_bar, is_more);
}

/**
 * ns_trace_page_set_following:
 * @self: a page
 * @is_following: whether the trace is followed while it grows
 *
 * Updates the timeline when following starts or stops.
 */
void
ns_trace_page_set_following (NsTracePage *self, gboolean is_following)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  ns_timeline_set_following (ns_timeline_pane_get_timeline (self->timeline_pane), is_following);
}

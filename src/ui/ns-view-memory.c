/* Saves the view of a trace and restores it when the trace is opened again: zoom, time range,
 * filters, sort orders, tab, selection and bookmarks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-view-memory.h"

#include "model/ns-log-clocks.h"
#include "model/ns-session-conditions.h"
#include "model/ns-session-state.h"
#include "model/ns-session-view.h"
#include "model/ns-signal.h"

#include <glib/gi18n.h>

/* Maximum number of selected rows saved. */
#define MAX_KEPT_ROWS 10000

struct _NsViewMemory
{
  GObject parent_instance;

  NsTimeline *timeline; /* not owned, like the tabs; both outlive this object */
  NsTraceTabs *tabs;
  NsSession *session; /* (nullable) */
  char *key;          /* identifies the trace by its content; NULL: its view is not saved */
};

enum
{
  SIGNAL_MESSAGE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsViewMemory, ns_view_memory, G_TYPE_OBJECT)

/**
 * ns_view_memory_release:
 * @self: a memory
 *
 * Releases the session without saving its view.
 */
void
ns_view_memory_release (NsViewMemory *self)
{
  g_return_if_fail (NS_IS_VIEW_MEMORY (self));

  g_clear_pointer (&self->key, g_free);
  g_clear_object (&self->session);
}

/**
 * ns_view_memory_begin:
 * @self: a memory
 * @session: the session that the timeline and the tabs show
 * @is_part: whether it has only the first part of a trace, whose view is not saved
 *
 * Sets the session whose view is saved and restored.
 */
void
ns_view_memory_begin (NsViewMemory *self, NsSession *session, gboolean is_part)
{
  g_return_if_fail (NS_IS_VIEW_MEMORY (self));

  ns_view_memory_release (self);
  self->session = g_object_ref (session);
  if (!is_part)
    self->key = ns_view_file_identify (ns_session_get_trace (session));
}

static void
save_tables (NsViewMemory *self, GVariantDict *dict)
{
  GVariantBuilder filters;
  GVariantBuilder orders;
  GVariantBuilder groups;
  guint table;

  g_variant_builder_init (&groups, G_VARIANT_TYPE ("a{ss}"));
  g_variant_builder_init (&filters, G_VARIANT_TYPE ("a{ss}"));
  g_variant_builder_init (&orders, G_VARIANT_TYPE ("a{ss}"));
  for (table = 0; table < NS_N_TABLES; table++)
    {
      const char *name = ns_table_get_name ((NsTableId) table);
      const char *filter = ns_session_get_filter (self->session, (NsTableId) table);
      const GArray *order = ns_session_get_order (self->session, (NsTableId) table);
      const NsGrouping *grouping = ns_session_get_grouping (self->session, (NsTableId) table);
      g_autofree char *order_text = ns_order_to_text (order);
      g_autofree char *groups_text = ns_fields_to_text (grouping->fields);

      if (*groups_text != '\0')
        g_variant_builder_add (&groups, "{ss}", name, groups_text);
      if (*filter != '\0')
        g_variant_builder_add (&filters, "{ss}", name, filter);
      if (*order_text != '\0')
        g_variant_builder_add (&orders, "{ss}", name, order_text);
    }
  g_variant_dict_insert_value (dict, "filters", g_variant_builder_end (&filters));
  g_variant_dict_insert_value (dict, "orders", g_variant_builder_end (&orders));
  g_variant_dict_insert_value (dict, "groups", g_variant_builder_end (&groups));
}

/**
 * ns_view_memory_make:
 * @self: a memory with a session
 *
 * Returns: (transfer floating): the current view of the trace
 */
GVariant *
ns_view_memory_make (NsViewMemory *self)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);
  NsTimeSpan span = ns_session_get_span (self->session);
  const GArray *selected = ns_session_get_selected (self->session);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "visible", "(xx)", visible.begin_ns, visible.end_ns);
  g_variant_dict_insert (&dict, "span", "(xx)", span.begin_ns, span.end_ns);
  g_variant_dict_insert (&dict,
                         "clock",
                         "s",
                         ns_wall_get_name (ns_session_get_wall (self->session)));
  g_variant_dict_insert (&dict,
                         "table",
                         "s",
                         ns_table_get_name (ns_session_get_front (self->session)));
  g_variant_dict_insert (&dict,
                         "selected-table",
                         "s",
                         ns_table_get_name (ns_session_get_selected_table (self->session)));
  g_variant_dict_insert_value (&dict,
                               "selected",
                               g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32,
                                                          selected->data,
                                                          MIN (selected->len, MAX_KEPT_ROWS),
                                                          sizeof (guint32)));
  save_tables (self, &dict);
  g_variant_dict_insert_value (&dict, "chips", ns_session_dup_conditions (self->session));
  ns_timeline_save_marks (self->timeline, &dict);
  ns_log_clocks_save (ns_session_get_trace (self->session), &dict);
  return g_variant_dict_end (&dict);
}

/**
 * ns_view_memory_save:
 * @self: a memory
 *
 * Saves the current view. Does nothing for the first part of a trace.
 */
void
ns_view_memory_save (NsViewMemory *self)
{
  g_autoptr (GVariant) view = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (NS_IS_VIEW_MEMORY (self));

  if (self->session == NULL || self->key == NULL)
    return;
  view = g_variant_ref_sink (ns_view_memory_make (self));
  /* Not shown to the user: on a full disk only the saved view is lost. */
  if (!ns_view_file_write (self->key, view, &error))
    g_info ("the view was not kept: %s", error->message);
}

static void
restore_tables (NsViewMemory *self, GVariant *view)
{
  g_autoptr (GVariant) filters = g_variant_lookup_value (view, "filters", G_VARIANT_TYPE ("a{ss}"));
  g_autoptr (GVariant) orders = g_variant_lookup_value (view, "orders", G_VARIANT_TYPE ("a{ss}"));
  g_autoptr (GVariant) groups = g_variant_lookup_value (view, "groups", G_VARIANT_TYPE ("a{ss}"));
  GVariantIter iter;
  const char *name;
  const char *text;
  NsTableId table;

  if (groups != NULL)
    {
      g_variant_iter_init (&iter, groups);
      while (g_variant_iter_next (&iter, "{&s&s}", &name, &text))
        if (ns_table_from_name (name, &table))
          ns_session_group_by (self->session, table, text);
    }
  if (orders != NULL)
    {
      g_variant_iter_init (&iter, orders);
      while (g_variant_iter_next (&iter, "{&s&s}", &name, &text))
        if (ns_table_from_name (name, &table))
          {
            g_autoptr (GArray) order = ns_order_parse (table, text, NULL);

            if (order != NULL)
              ns_session_set_order (self->session, table, order);
          }
    }
  if (filters == NULL)
    return;
  g_variant_iter_init (&iter, filters);
  while (g_variant_iter_next (&iter, "{&s&s}", &name, &text))
    if (ns_table_from_name (name, &table))
      ns_session_set_filter (self->session, table, text, NULL, NULL);
}

static void
restore_selection (NsViewMemory *self, GVariant *view)
{
  g_autoptr (GVariant) selected = g_variant_lookup_value (view, "selected", G_VARIANT_TYPE ("au"));
  const char *name = NULL;
  const guint32 *rows;
  NsTableId table;
  gsize n_rows;
  guint n_all;
  gsize i;

  if (selected == NULL || !g_variant_lookup (view, "selected-table", "&s", &name) ||
      !ns_table_from_name (name, &table))
    return;
  n_all = ns_table_get_n_rows (ns_session_get_trace (self->session), table);
  rows = g_variant_get_fixed_array (selected, &n_rows, sizeof (guint32));
  for (i = 0; i < n_rows; i++)
    if (rows[i] >= n_all)
      return;
  /* The visible time range is restored as well, so the selection must not scroll it. */
  ns_timeline_hold_time (self->timeline, TRUE);
  ns_session_select (self->session, table, rows, (guint) MIN (n_rows, MAX_KEPT_ROWS));
  ns_timeline_hold_time (self->timeline, FALSE);
}

/* Reads a time range, clipped to the trace, which may be a shorter part of the saved one. */
static gboolean
read_span (GVariant *view, const char *name, NsTimeSpan whole, NsTimeSpan *span)
{
  if (!g_variant_lookup (view, name, "(xx)", &span->begin_ns, &span->end_ns))
    return FALSE;
  span->begin_ns = MAX (span->begin_ns, whole.begin_ns);
  span->end_ns = MIN (span->end_ns, whole.end_ns);
  return span->begin_ns < span->end_ns;
}

/**
 * ns_view_memory_restore:
 * @self: a memory with a session
 *
 * Restores the view that the trace had when it was closed.
 */
void
ns_view_memory_restore (NsViewMemory *self)
{
  NsTimeSpan whole = ns_session_get_whole (self->session);
  g_autoptr (GVariant) conditions = NULL;
  g_autoptr (GVariant) view = NULL;
  gboolean is_carried = FALSE;
  const char *name = NULL;
  NsTableId table;
  NsTimeSpan span;
  NsWall wall;

  if (self->key != NULL)
    view = ns_session_read_view (self->session, self->key, &is_carried);
  if (view == NULL)
    return;
  /* Before the filters, which may refer to bookmarked ranges. */
  ns_timeline_restore_marks (self->timeline, view);
  restore_tables (self, view);
  conditions = g_variant_lookup_value (view, "chips", G_VARIANT_TYPE (NS_CONDITIONS_FORMAT));
  if (conditions != NULL)
    ns_session_restore_conditions (self->session, conditions);
  /* The table may be empty now, if its rows came from another file of the trace. */
  if (g_variant_lookup (view, "table", "&s", &name) && ns_table_from_name (name, &table) &&
      ns_trace_tabs_may_have_rows (self->tabs, table))
    ns_trace_tabs_show_table (self->tabs, table);
  ns_session_take_filters (self->session);
  restore_selection (self, view);
  if (g_variant_lookup (view, "clock", "&s", &name) && ns_wall_from_name (name, &wall))
    ns_session_set_wall (self->session, wall);
  if (read_span (view, "visible", whole, &span))
    ns_session_set_visible (self->session, span);
  if (read_span (view, "span", whole, &span))
    ns_session_set_span (self->session, span);
  if (is_carried)
    g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, _ ("Shown with the embedded view"));
}

/**
 * ns_view_memory_reset:
 * @self: a memory with a session
 *
 * Resets the view to that of a trace opened for the first time: all rows, the whole time range, no
 * selection and no bookmarks. Deletes the saved view.
 */
void
ns_view_memory_reset (NsViewMemory *self)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (NsOrderKey));
  guint table;

  g_return_if_fail (NS_IS_VIEW_MEMORY (self));

  for (table = 0; table < NS_N_TABLES; table++)
    {
      ns_session_set_filter (self->session, (NsTableId) table, "", NULL, NULL);
      ns_session_set_order (self->session, (NsTableId) table, none);
      ns_session_set_grouping (self->session, (NsTableId) table, NULL, 0);
    }
  ns_session_take_filters (self->session);
  ns_session_select (self->session, ns_session_get_front (self->session), NULL, 0);
  ns_session_set_span (self->session, (NsTimeSpan){ 0, 0 });
  ns_session_set_visible (self->session, ns_session_get_whole (self->session));
  ns_timeline_restore_marks (self->timeline, NULL);
  ns_session_set_wall (self->session, NS_WALL_TRACE);
  ns_view_file_forget (self->key);
}

static void
ns_view_memory_dispose (GObject *object)
{
  ns_view_memory_release (NS_VIEW_MEMORY (object));
  G_OBJECT_CLASS (ns_view_memory_parent_class)->dispose (object);
}

static void
ns_view_memory_class_init (NsViewMemoryClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_view_memory_dispose;
  /**
   * NsViewMemory::message:
   * @self: the memory
   * @text: the message to show to the user
   */
  signals[SIGNAL_MESSAGE] =
      ns_signal_new (NS_TYPE_VIEW_MEMORY, "message", G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ns_view_memory_init (NsViewMemory *self)
{
}

/**
 * ns_view_memory_new:
 * @timeline: the timeline; must outlive the memory
 * @tabs: the tabs of the tables; must outlive the memory
 *
 * Returns: (transfer full): a memory without a session
 */
NsViewMemory *
ns_view_memory_new (NsTimeline *timeline, NsTraceTabs *tabs)
{
  NsViewMemory *self = g_object_new (NS_TYPE_VIEW_MEMORY, NULL);

  self->timeline = timeline;
  self->tabs = tabs;
  return self;
}

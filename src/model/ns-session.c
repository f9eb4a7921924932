/* One open trace and how it is looked at: spans, filters, orders and the selection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-finding.h"
#include "model/ns-query-job.h"
#include "model/ns-session-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

enum
{
  SIGNAL_ROWS_CHANGED,
  SIGNAL_SELECTION_CHANGED,
  SIGNAL_SPANS_CHANGED,
  SIGNAL_CLOCK_CHANGED,
  SIGNAL_NAMES_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsSession, ns_session, G_TYPE_OBJECT)

/* A job that has been started keeps its session, and knows what it was for. */
typedef struct
{
  NsSession *session;
  NsTableId table;
  GCancellable *cancellable;
  guint n_folds; /* when it was started */
} Waiting;

static void
job_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Waiting *waiting = user_data;
  NsSessionView *view = &waiting->session->views[waiting->table];
  g_autoptr (NsQueryRows) answer = ns_query_job_run_finish (result, NULL);

  /* The answer to a question that was asked again differently is dropped. */
  if (answer != NULL && view->job == waiting->cancellable)
    {
      g_clear_object (&view->job);
      view->has_rows = TRUE;
      /* Groups that were opened meanwhile are. */
      if (answer->groups != NULL && view->n_folds != waiting->n_folds)
        ns_grouping_fold (view->grouping, waiting->session->trace, answer->groups);
      if (answer->groups != NULL)
        ns_row_list_set_groups (view->rows, g_steal_pointer (&answer->groups));
      else
        ns_row_list_set_rows (view->rows, answer->rows);
      g_signal_emit (waiting->session, signals[SIGNAL_ROWS_CHANGED], 0, (guint) waiting->table);
      ns_session_prune (waiting->session, waiting->table);
    }
  g_object_unref (waiting->cancellable);
  g_object_unref (waiting->session);
  g_free (waiting);
}

static void
run_job (NsSession *self, NsTableId table, NsFilter *filter)
{
  NsSessionView *view = &self->views[table];
  Waiting *waiting = g_new0 (Waiting, 1);

  g_cancellable_cancel (view->job);
  g_clear_object (&view->job);
  view->job = g_cancellable_new ();
  waiting->session = g_object_ref (self);
  waiting->table = table;
  waiting->cancellable = g_object_ref (view->job);
  waiting->n_folds = view->n_folds;
  ns_query_job_run_async (self->trace,
                          table,
                          filter,
                          view->order,
                          view->grouping,
                          view->job,
                          job_done_cb,
                          waiting);
  g_signal_emit (self, signals[SIGNAL_ROWS_CHANGED], 0, (guint) table);
}

/* Before anybody has looked at a table, none of its rows are listed. */
static void
show_all_rows (NsSession *self, NsTableId table)
{
  guint n_rows = ns_table_get_n_rows (self->trace, table);
  g_autoptr (GArray) rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n_rows);
  guint32 row;

  g_array_set_size (rows, n_rows);
  for (row = 0; row < n_rows; row++)
    g_array_index (rows, guint32, row) = row;
  self->views[table].has_rows = TRUE;
  ns_row_list_set_rows (self->views[table].rows, rows);
}

static void
ns_session_finalize (GObject *object)
{
  NsSession *self = NS_SESSION (object);
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      NsSessionView *view = &self->views[table];

      g_cancellable_cancel (view->job);
      g_clear_object (&view->job);
      g_clear_object (&view->rows);
      g_free (view->filter);
      g_array_unref (view->order);
      ns_grouping_free (view->grouping);
    }
  g_array_unref (self->selected);
  g_array_unref (self->wanted);
  g_free (self->marked);
  g_clear_pointer (&self->hidden, g_ptr_array_unref);
  g_clear_object (&self->file);
  g_clear_pointer (&self->damage, ns_damage_free);
  g_clear_pointer (&self->trace, ns_trace_unref);
  G_OBJECT_CLASS (ns_session_parent_class)->finalize (object);
}

static void
ns_session_class_init (NsSessionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_session_finalize;

  /**
   * NsSession::rows-changed:
   * @self: the session
   * @table: whose rows, filter or order changed, or began to
   */
  signals[SIGNAL_ROWS_CHANGED] = g_signal_new ("rows-changed",
                                               NS_TYPE_SESSION,
                                               G_SIGNAL_RUN_LAST,
                                               0,
                                               NULL,
                                               NULL,
                                               NULL,
                                               G_TYPE_NONE,
                                               1,
                                               G_TYPE_UINT);
  signals[SIGNAL_SELECTION_CHANGED] = g_signal_new ("selection-changed",
                                                    NS_TYPE_SESSION,
                                                    G_SIGNAL_RUN_LAST,
                                                    0,
                                                    NULL,
                                                    NULL,
                                                    NULL,
                                                    G_TYPE_NONE,
                                                    0);
  signals[SIGNAL_CLOCK_CHANGED] = g_signal_new ("clock-changed",
                                                NS_TYPE_SESSION,
                                                G_SIGNAL_RUN_LAST,
                                                0,
                                                NULL,
                                                NULL,
                                                NULL,
                                                G_TYPE_NONE,
                                                0);
  /**
   * NsSession::names-changed:
   * @self: the session
   *
   * The user called something by another name.
   */
  signals[SIGNAL_NAMES_CHANGED] = g_signal_new ("names-changed",
                                                NS_TYPE_SESSION,
                                                G_SIGNAL_RUN_LAST,
                                                0,
                                                NULL,
                                                NULL,
                                                NULL,
                                                G_TYPE_NONE,
                                                0);
  signals[SIGNAL_SPANS_CHANGED] = g_signal_new ("spans-changed",
                                                NS_TYPE_SESSION,
                                                G_SIGNAL_RUN_LAST,
                                                0,
                                                NULL,
                                                NULL,
                                                NULL,
                                                G_TYPE_NONE,
                                                0);
  /* NsSession::hidden-frames-changed: other frames are to be left out of stacks and trees. */
  ns_session_add_hidden_signal (NS_TYPE_SESSION);
  /* NsSession::moment-changed: a playback is at another moment. */
  ns_session_add_moment_signal (NS_TYPE_SESSION);
}

static void
ns_session_init (NsSession *self)
{
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      self->views[table].rows = ns_row_list_new ();
      self->views[table].filter = g_strdup ("");
      self->views[table].order = g_array_new (FALSE, FALSE, sizeof (NsOrderKey));
      self->views[table].grouping = ns_grouping_new ();
    }
  self->wanted = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->selected = g_array_new (FALSE, FALSE, sizeof (guint32));
}

/* From the first moment anything is known to the last, what is missing at the end included. */
static NsTimeSpan
find_whole (const NsTrace *trace, const NsDamage *damage)
{
  return (NsTimeSpan){ 0, MAX (MAX (damage->end_ns, trace->rows_end_ns), 1) };
}

/**
 * ns_session_new:
 * @trace: (transfer full): an opened trace
 * @file: (nullable): where it came from
 *
 * Returns: (transfer full): a session that shows all of it
 */
NsSession *
ns_session_new (NsTrace *trace, GFile *file)
{
  NsSession *self = g_object_new (NS_TYPE_SESSION, NULL);

  self->trace = trace;
  g_set_object (&self->file, file);
  self->damage = ns_damage_look (trace);
  self->whole = find_whole (trace, self->damage);
  ns_session_find_frontier (self);
  self->visible = ns_session_get_first_view (self);
  self->marked = g_new0 (guint8, MAX (trace->activities->len, 1));
  return self;
}

/**
 * ns_session_look_for_findings:
 * @self: a session
 *
 * Begins to look for what went wrong, in a thread; the table of findings is busy meanwhile.
 */
void
ns_session_look_for_findings (NsSession *self)
{
  g_return_if_fail (NS_IS_SESSION (self));

  if (ns_findings_are_known (self->trace) || self->views[NS_TABLE_FINDINGS].job != NULL)
    return;
  self->views[NS_TABLE_FINDINGS].set++;
  run_job (self, NS_TABLE_FINDINGS, NULL);
}

/**
 * ns_session_get_trace:
 * @self: a session
 *
 * Returns: (transfer none): its trace, which never changes
 */
NsTrace *
ns_session_get_trace (NsSession *self)
{
  g_return_val_if_fail (NS_IS_SESSION (self), NULL);

  return self->trace;
}

/**
 * ns_session_get_damage:
 * @self: a session
 *
 * Returns: (transfer none): what of its trace could be read
 */
const NsDamage *
ns_session_get_damage (NsSession *self)
{
  g_return_val_if_fail (NS_IS_SESSION (self), NULL);

  return self->damage;
}

/**
 * ns_session_get_file:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): where the trace came from
 */
GFile *
ns_session_get_file (NsSession *self)
{
  g_return_val_if_fail (NS_IS_SESSION (self), NULL);

  return self->file;
}

/**
 * ns_session_get_whole:
 * @self: a session
 *
 * Returns: all the time there is to see
 */
NsTimeSpan
ns_session_get_whole (NsSession *self)
{
  return self->whole;
}

/**
 * ns_session_get_rows:
 * @self: a session
 * @table: a table
 *
 * Returns: (transfer none): the rows of it that are shown
 */
NsRowList *
ns_session_get_rows (NsSession *self, NsTableId table)
{
  g_return_val_if_fail (NS_IS_SESSION (self), NULL);
  g_return_val_if_fail (table < NS_N_TABLES, NULL);

  /* What is looked for is not waited for. */
  if (!self->views[table].has_rows &&
      (table != NS_TABLE_FINDINGS || self->views[table].job == NULL))
    show_all_rows (self, table);
  return self->views[table].rows;
}

/**
 * ns_session_count_rows:
 * @self: a session
 * @table: a table
 *
 * Returns: how many rows of it are shown, groups closed or not; no list is made for it
 */
guint
ns_session_count_rows (NsSession *self, NsTableId table)
{
  g_return_val_if_fail (NS_IS_SESSION (self), 0);
  g_return_val_if_fail (table < NS_N_TABLES, 0);

  if (!self->views[table].has_rows && table == NS_TABLE_FINDINGS && self->views[table].job != NULL)
    return 0;
  if (!self->views[table].has_rows)
    return ns_table_get_n_rows (self->trace, table);
  return ns_row_list_get_rows (self->views[table].rows)->len;
}

/**
 * ns_session_is_busy:
 * @self: a session
 * @table: a table
 *
 * Returns: whether its rows are being computed
 */
gboolean
ns_session_is_busy (NsSession *self, NsTableId table)
{
  return self->views[table].job != NULL;
}

/**
 * ns_session_get_filter:
 * @self: a session
 * @table: a table
 *
 * Returns: the last filter that made sense, maybe empty
 */
const char *
ns_session_get_filter (NsSession *self, NsTableId table)
{
  return self->views[table].filter;
}

/* A range that nobody has marked is a mistake, and named. */
static gboolean
check_ranges (const NsFilter *filter,
              const NsTrace *trace,
              const char *text,
              NsFilterSpan *where,
              GError **error)
{
  const char *unknown = ns_filter_find_unknown_range (filter, trace);
  const char *at = unknown != NULL ? strstr (text, unknown) : NULL;

  if (unknown == NULL)
    return TRUE;
  if (where != NULL)
    {
      where->begin = at != NULL ? (gsize) (at - text) : 0;
      where->end = where->begin + (at != NULL ? strlen (unknown) : strlen (text));
    }
  g_set_error_literal (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_QUERY,
                       _ ("no range has this name: select a span and give it words with Shift+M"));
  return FALSE;
}

/* A filter for @text; NULL without @error when it keeps everything. */
static gboolean
parse_filter (NsTableId table,
              const char *text,
              NsFilter **filter,
              NsFilterSpan *where,
              GError **error)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  *filter = NULL;
  if (*stripped == '\0')
    return TRUE;
  *filter = ns_filter_new (table, text, where, error);
  return *filter != NULL;
}

/* Asks for the rows of a table anew. */
void
ns_session_query (NsSession *self, NsTableId table)
{
  NsFilter *filter = NULL;

  if (parse_filter (table, self->views[table].filter, &filter, NULL, NULL))
    run_job (self, table, filter);
}

/* Tells that what is seen of a table has changed. */
void
ns_session_emit_rows_changed (NsSession *self, NsTableId table)
{
  g_signal_emit (self, signals[SIGNAL_ROWS_CHANGED], 0, (guint) table);
}

/**
 * ns_session_set_filter:
 * @self: a session
 * @table: a table
 * @text: the filter; empty shows all
 * @where: (out) (optional): the wrong part of @text on failure, in bytes
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Filters a table. When @text makes no sense the rows stay as they are.
 *
 * Returns: whether @text makes sense
 */
gboolean
ns_session_set_filter (NsSession *self,
                       NsTableId table,
                       const char *text,
                       NsFilterSpan *where,
                       GError **error)
{
  NsSessionView *view;
  NsFilter *filter;

  g_return_val_if_fail (NS_IS_SESSION (self), FALSE);

  view = &self->views[table];
  if (!parse_filter (table, text, &filter, where, error))
    return FALSE;
  if (filter != NULL && !check_ranges (filter, self->trace, text, where, error))
    {
      ns_filter_free (filter);
      return FALSE;
    }
  if (g_strcmp0 (view->filter, text) == 0 && view->job == NULL)
    {
      g_clear_pointer (&filter, ns_filter_free);
      return TRUE;
    }
  g_free (view->filter);
  view->filter = g_strdup (text);
  view->set++;
  run_job (self, table, filter);
  return TRUE;
}

/**
 * ns_session_names_changed:
 * @self: a session
 *
 * Functions have got names: filters that look into stacks are asked again. Rows that stay are not
 * touched.
 */
void
ns_session_names_changed (NsSession *self)
{
  guint table;

  g_return_if_fail (NS_IS_SESSION (self));

  for (table = 0; table < NS_N_TABLES; table++)
    {
      NsFilter *filter = NULL;

      /* To ask a filter without need only costs a moment. */
      if (strstr (self->views[table].filter, "stack") != NULL &&
          parse_filter ((NsTableId) table, self->views[table].filter, &filter, NULL, NULL))
        {
          self->views[table].set++;
          run_job (self, (NsTableId) table, filter);
        }
    }
}

/**
 * ns_session_get_order:
 * @self: a session
 * @table: a table
 *
 * Returns: (element-type NsOrderKey): its sort keys, the strongest first
 */
const GArray *
ns_session_get_order (NsSession *self, NsTableId table)
{
  return self->views[table].order;
}

/**
 * ns_session_set_order:
 * @self: a session
 * @table: a table
 * @order: (element-type NsOrderKey): sort keys, the strongest first; empty for the table's own
 */
void
ns_session_set_order (NsSession *self, NsTableId table, const GArray *order)
{
  NsSessionView *view = &self->views[table];

  g_return_if_fail (NS_IS_SESSION (self));

  if (order != view->order)
    {
      g_array_set_size (view->order, 0);
      g_array_append_vals (view->order, order->data, order->len);
    }
  ns_session_query (self, table);
}

/**
 * ns_session_toggle_order:
 * @self: a session
 * @table: a table
 * @field: the field whose title was pressed
 * @add_key: whether the keys before stay, stronger than this one
 *
 * Sorts by @field, upwards first, then downwards, then no more.
 */
void
ns_session_toggle_order (NsSession *self, NsTableId table, const NsField *field, gboolean add_key)
{
  GArray *order = self->views[table].order;
  NsOrderKey key = { field, FALSE };
  guint at;

  for (at = 0; at < order->len; at++)
    if (g_array_index (order, NsOrderKey, at).field == field)
      break;
  if (at < order->len)
    key = g_array_index (order, NsOrderKey, at);

  if (!add_key)
    {
      gboolean was_there = at < order->len;

      g_array_set_size (order, 0);
      if (!was_there)
        g_array_append_val (order, key);
      else if (!key.descending)
        {
          key.descending = TRUE;
          g_array_append_val (order, key);
        }
    }
  else if (at == order->len)
    g_array_append_val (order, key);
  else if (!key.descending)
    g_array_index (order, NsOrderKey, at).descending = TRUE;
  else
    g_array_remove_index (order, at);
  ns_session_set_order (self, table, order);
}

/* The field of a table that tells the activity of a row; NULL for the activities themselves. */
static const NsField *
find_activity_field (NsTableId table)
{
  return table != NS_TABLE_ACTIVITIES ? ns_table_find_field (table, "activity") : NULL;
}

/* The activity a row of any table belongs to; @field is that of the table. */
static guint32
activity_of (NsSession *self, NsTableId table, const NsField *field, guint32 row)
{
  NsFieldValue value = { 0 };
  guint32 activity = G_MAXUINT32;

  if (table == NS_TABLE_ACTIVITIES)
    return row;
  if (field == NULL || field->type != NS_TYPE_ROW)
    return G_MAXUINT32;
  ns_field_get (self->trace, field, row, &value);
  if (!value.is_null && value.v.u >= 1 && value.v.u <= self->trace->activities->len)
    activity = (guint32) value.v.u - 1;
  ns_field_value_clear (&value);
  return activity;
}

/* Marks what a row is about. */
static void
mark (NsSession *self, NsTableId table, const NsField *field, guint32 row)
{
  guint32 activity = activity_of (self, table, field, row);
  const GArray *of_finding = NULL;
  guint i;

  if (activity < self->trace->activities->len)
    self->marked[activity] = 1;
  if (table == NS_TABLE_FINDINGS && row < ns_findings_get (self->trace)->len)
    of_finding = g_array_index (ns_findings_get (self->trace), NsFindingRow, row).activities;
  for (i = 0; of_finding != NULL && i < of_finding->len; i++)
    if (g_array_index (of_finding, NsRow, i) <= self->trace->activities->len)
      self->marked[g_array_index (of_finding, NsRow, i) - 1] = 1;
}

/* Selects rows, and leaves what a filter has hidden of the selection as it is. */
void
ns_session_apply_selection (NsSession *self, NsTableId table, const guint32 *rows, guint n_rows)
{
  const NsField *field = find_activity_field (table);
  guint i;

  if (table == self->selected_table && n_rows == self->selected->len &&
      (n_rows == 0 || memcmp (rows, self->selected->data, sizeof (guint32) * n_rows) == 0))
    return;
  memset (self->marked, 0, self->trace->activities->len);
  self->selected_table = table;
  g_array_set_size (self->selected, 0);
  if (n_rows > 0)
    g_array_append_vals (self->selected, rows, n_rows);
  for (i = 0; i < n_rows; i++)
    mark (self, table, field, g_array_index (self->selected, guint32, i));
  g_signal_emit (self, signals[SIGNAL_SELECTION_CHANGED], 0);
}

/**
 * ns_session_select:
 * @self: a session
 * @table: the table of the rows
 * @rows: (array length=n_rows): rows, 0-based
 * @n_rows: how many
 *
 * Selects rows; the bars of the activities they belong to are marked with them.
 */
void
ns_session_select (NsSession *self, NsTableId table, const guint32 *rows, guint n_rows)
{
  g_return_if_fail (NS_IS_SESSION (self));

  g_array_set_size (self->wanted, 0);
  ns_session_apply_selection (self, table, rows, n_rows);
}

/**
 * ns_session_get_selected_table:
 * @self: a session
 *
 * Returns: the table of the selected rows
 */
NsTableId
ns_session_get_selected_table (NsSession *self)
{
  return self->selected_table;
}

/**
 * ns_session_get_selected:
 * @self: a session
 *
 * Returns: (element-type guint32): the selected rows, 0-based
 */
const GArray *
ns_session_get_selected (NsSession *self)
{
  return self->selected;
}

/**
 * ns_session_get_marked:
 * @self: a session
 *
 * Returns: one byte for each activity, 1 where it is selected
 */
const guint8 *
ns_session_get_marked (NsSession *self)
{
  return self->marked;
}

/**
 * ns_session_get_activity:
 * @self: a session
 *
 * Returns: the activity of the first selected row, or %G_MAXUINT32
 */
guint32
ns_session_get_activity (NsSession *self)
{
  if (self->selected->len == 0)
    return G_MAXUINT32;
  return activity_of (self,
                      self->selected_table,
                      find_activity_field (self->selected_table),
                      g_array_index (self->selected, guint32, 0));
}

/**
 * ns_session_get_visible:
 * @self: a session
 *
 * Returns: what the timeline shows: the zoom
 */
NsTimeSpan
ns_session_get_visible (NsSession *self)
{
  return self->visible;
}

/**
 * ns_session_set_visible:
 * @self: a session
 * @span: what to show; nothing is counted differently by it
 */
void
ns_session_set_visible (NsSession *self, NsTimeSpan span)
{
  if (span.begin_ns == self->visible.begin_ns && span.end_ns == self->visible.end_ns)
    return;
  self->visible = span;
  g_signal_emit (self, signals[SIGNAL_SPANS_CHANGED], 0);
}

/**
 * ns_session_get_wall:
 * @self: a session
 *
 * Returns: by which clock its moments are told
 */
NsWall
ns_session_get_wall (NsSession *self)
{
  return self->wall;
}

/**
 * ns_session_set_wall:
 * @self: a session
 * @wall: by which clock moments are told
 */
void
ns_session_set_wall (NsSession *self, NsWall wall)
{
  g_return_if_fail (wall < NS_N_WALLS);

  if (self->wall == wall)
    return;
  self->wall = wall;
  g_signal_emit (self, signals[SIGNAL_CLOCK_CHANGED], 0);
}

/**
 * ns_session_get_span:
 * @self: a session
 *
 * Returns: the selected span; one that ends where it begins is none
 */
NsTimeSpan
ns_session_get_span (NsSession *self)
{
  return self->span;
}

/**
 * ns_session_set_span:
 * @self: a session
 * @span: the span to select; one that ends where it begins clears it
 */
void
ns_session_set_span (NsSession *self, NsTimeSpan span)
{
  if (span.begin_ns == self->span.begin_ns && span.end_ns == self->span.end_ns)
    return;
  self->span = span;
  g_signal_emit (self, signals[SIGNAL_SPANS_CHANGED], 0);
}

/* Rows that a session shows: filters, and the queries that apply them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-finding.h"
#include "model/ns-query-job.h"
#include "model/ns-session-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A running query, with a reference to its session. */
typedef struct
{
  NsSession *session;
  NsTableId table;
  GCancellable *cancellable;
  guint n_folds; /* at the start of the query */
} Waiting;

/**
 * ns_session_reveal:
 * @self: a session
 * @table: a table
 * @row: a selected row of it
 *
 * Expands the groups that contain @row, and keeps them expanded in later queries. While a query is
 * running this is done at its end, if @row is still selected.
 */
void
ns_session_reveal (NsSession *self, NsTableId table, guint32 row)
{
  NsSessionView *view;
  g_autoptr (GPtrArray) closed = NULL;
  guint i;

  g_return_if_fail (NS_IS_SESSION (self));
  g_return_if_fail (table < NS_N_TABLES);

  view = &self->views[table];
  view->wants_reveal = ns_session_is_busy (self, table);
  if (view->wants_reveal)
    return;
  closed = ns_row_list_list_closed (view->rows, row);
  for (i = 0; i < closed->len; i++)
    ns_grouping_touch (view->grouping,
                       self->trace,
                       ns_row_list_get_groups (view->rows),
                       g_ptr_array_index (closed, i));
  if (closed->len == 0)
    return;
  view->n_folds++;
  ns_row_list_reveal (view->rows, row);
  ns_session_emit_rows_changed (self, table);
}

/* Reveals the row that was selected while the table was busy. */
static void
reveal_again (NsSession *self, NsTableId table)
{
  if (self->views[table].wants_reveal && self->selected_table == table && self->selected->len == 1)
    ns_session_reveal (self, table, g_array_index (self->selected, guint32, 0));
  self->views[table].wants_reveal = FALSE;
}

static void
job_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Waiting *waiting = user_data;
  NsSessionView *view = &waiting->session->views[waiting->table];
  g_autoptr (NsQueryRows) answer = ns_query_job_run_finish (result, NULL);

  /* The result of a replaced query is dropped. */
  if (answer != NULL && view->job == waiting->cancellable)
    {
      g_clear_object (&view->job);
      view->has_rows = TRUE;
      g_free (view->incomplete_reason);
      view->incomplete_reason = g_steal_pointer (&answer->incomplete_reason);
      /* Apply what the user expanded or collapsed during the query. */
      if (answer->groups != NULL && view->n_folds != waiting->n_folds)
        ns_grouping_fold (view->grouping, waiting->session->trace, answer->groups);
      if (answer->groups != NULL)
        ns_row_list_set_groups (view->rows, g_steal_pointer (&answer->groups));
      else
        ns_row_list_set_rows (view->rows, answer->rows);
      reveal_again (waiting->session, waiting->table);
      ns_session_emit_rows_changed (waiting->session, waiting->table);
      ns_session_prune (waiting->session, waiting->table);
    }
  g_object_unref (waiting->cancellable);
  g_object_unref (waiting->session);
  g_free (waiting);
}

/* Returns whether to list rules without findings: only if the filter contains a verdict. */
static gboolean
wants_verdicts (NsSession *self, NsTableId table)
{
  return table == NS_TABLE_FINDINGS && strstr (self->views[table].filter, "verdict") != NULL;
}

/**
 * ns_session_count_all:
 * @self: a session
 * @table: a table
 *
 * Returns: the number of rows without a filter; for findings, which must be known, without the
 *   rules that found nothing
 */
guint
ns_session_count_all (NsSession *self, NsTableId table)
{
  NsSeverity worst;

  g_return_val_if_fail (NS_IS_SESSION (self), 0);
  g_return_val_if_fail (table < NS_N_TABLES, 0);

  if (table != NS_TABLE_FINDINGS || wants_verdicts (self, table))
    return ns_table_get_n_rows (self->trace, table);
  return ns_findings_are_known (self->trace) ? ns_findings_count (self->trace, &worst) : 0;
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
                          wants_verdicts (self, table),
                          view->job,
                          job_done_cb,
                          waiting);
  ns_session_emit_rows_changed (self, table);
}

/* Fills the list of a table when it is first shown. */
static void
show_all_rows (NsSession *self, NsTableId table)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_rows;
  guint32 row;

  if (table == NS_TABLE_FINDINGS)
    ns_findings_get (self->trace);
  n_rows = ns_session_count_all (self, table);
  g_array_set_size (rows, n_rows);
  for (row = 0; row < n_rows; row++)
    g_array_index (rows, guint32, row) = row;
  self->views[table].has_rows = TRUE;
  ns_row_list_set_rows (self->views[table].rows, rows);
}

/**
 * ns_session_look_for_findings:
 * @self: a session
 *
 * Starts to compute the findings in a thread; the table of findings is busy until then.
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
 * ns_session_get_rows:
 * @self: a session
 * @table: a table
 *
 * Returns: (transfer none): its shown rows
 */
NsRowList *
ns_session_get_rows (NsSession *self, NsTableId table)
{
  g_return_val_if_fail (NS_IS_SESSION (self), NULL);
  g_return_val_if_fail (table < NS_N_TABLES, NULL);

  /* Do not wait for running findings. */
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
 * Returns: the number of shown rows, including those in collapsed groups; does not fill the list
 */
guint
ns_session_count_rows (NsSession *self, NsTableId table)
{
  g_return_val_if_fail (NS_IS_SESSION (self), 0);
  g_return_val_if_fail (table < NS_N_TABLES, 0);

  if (!self->views[table].has_rows && table == NS_TABLE_FINDINGS && self->views[table].job != NULL)
    return 0;
  if (!self->views[table].has_rows)
    return ns_session_count_all (self, table);
  return ns_row_list_get_rows (self->views[table].rows)->len;
}

/**
 * ns_session_find_first_table:
 * @self: a session
 *
 * Returns: the table to show first: the activities, or else the first table of a network layer with
 *   rows, or packets, or events
 */
NsTableId
ns_session_find_first_table (NsSession *self)
{
  static const NsTableId tables[] = { NS_TABLE_ACTIVITIES, NS_TABLE_PACKETS, NS_TABLE_SMB,
                                      NS_TABLE_RPC,        NS_TABLE_QUIC,    NS_TABLE_BITS,
                                      NS_TABLE_WFP,        NS_TABLE_DNS,     NS_TABLE_CAPI2 };
  guint i;

  g_return_val_if_fail (NS_IS_SESSION (self), NS_TABLE_ACTIVITIES);

  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    if (ns_session_count_all (self, tables[i]) > 0)
      return tables[i];
  return NS_TABLE_EVENTS;
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
 * ns_session_get_set:
 * @self: a session
 * @table: a table
 *
 * Identifies the set of shown rows: results that depend on the rows, but not on their order, stay
 * valid while this number is the same.
 *
 * Returns: a number that changes with each filter
 */
guint
ns_session_get_set (NsSession *self, NsTableId table)
{
  g_return_val_if_fail (NS_IS_SESSION (self), 0);
  g_return_val_if_fail (table < NS_N_TABLES, 0);

  return self->views[table].set;
}

/**
 * ns_session_get_filter:
 * @self: a session
 * @table: a table
 *
 * Returns: the last valid filter, may be empty
 */
const char *
ns_session_get_filter (NsSession *self, NsTableId table)
{
  return self->views[table].filter;
}

/**
 * ns_session_get_incomplete_reason:
 * @self: a session
 * @table: a table
 *
 * Returns: (transfer none) (nullable): a sentence about values that the filter did not compare
 *   completely, because it would have taken too long; %NULL while a query is running
 */
const char *
ns_session_get_incomplete_reason (NsSession *self, NsTableId table)
{
  return ns_session_is_busy (self, table) ? NULL : self->views[table].incomplete_reason;
}

/* Fails if the filter names a time range that does not exist. */
static gboolean
check_ranges (const NsFilter *filter,
              const NsTrace *trace,
              const char *text,
              NsFilterSpan *where,
              GError **error)
{
  const char *unknown = ns_filter_find_unknown_range (filter, trace, NULL);
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
                       _ ("no range has this name: select a span and label it with Shift+M"));
  return FALSE;
}

/* Parses a filter; sets @filter to %NULL for an empty text. */
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

/* Starts a query for the rows of a table. */
void
ns_session_query (NsSession *self, NsTableId table)
{
  NsFilter *filter = NULL;

  if (parse_filter (table, self->views[table].filter, &filter, NULL, NULL))
    run_job (self, table, filter);
}

/**
 * ns_session_set_filter:
 * @self: a session
 * @table: a table
 * @text: the filter; empty shows all rows
 * @where: (out) (optional): location of an error in @text, in bytes
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Filters a table. The rows are not changed if @text is invalid.
 *
 * Returns: whether @text is valid
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
 * Runs the filters and conditions on call stacks again after symbols were resolved. Rows that are
 * still shown are not affected.
 */
void
ns_session_names_changed (NsSession *self)
{
  guint table;

  g_return_if_fail (NS_IS_SESSION (self));

  for (table = 0; table < NS_N_TABLES; table++)
    {
      NsFilter *filter = NULL;

      /* An unnecessary query costs little. */
      if (strstr (self->views[table].filter, "stack") != NULL &&
          parse_filter ((NsTableId) table, self->views[table].filter, &filter, NULL, NULL))
        {
          self->views[table].set++;
          run_job (self, (NsTableId) table, filter);
        }
      ns_filter_chips_names_changed (self->views[table].chips);
    }
}

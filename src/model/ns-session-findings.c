/* What went wrong in the trace of a session, and the rows that show it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-findings.h"
#include "model/ns-session-private.h"
#include "model/ns-trace-job.h"
#include "query/ns-finding-events.h"

/**
 * ns_session_read_thresholds:
 * @view: what the user wants of traces
 * @error: which line of the user's file is wrong
 *
 * Has findings of traces that are opened from now on judged by the user's file of thresholds.
 *
 * Returns: whether there is no such file, or all of it was good
 */
gboolean
ns_session_read_thresholds (NsViewContext *view, GError **error)
{
  NsThresholds *thresholds = ns_thresholds_new ();
  gboolean is_read = ns_thresholds_add_default_file (thresholds, error);

  ns_view_context_set_thresholds (view, thresholds);
  return is_read;
}

/**
 * ns_session_count_findings:
 * @session: a session
 * @n_found: (out): how much was found
 * @is_bad: (out): whether something of it is more than worth knowing
 *
 * Returns: %FALSE while it is being looked for
 */
gboolean
ns_session_count_findings (NsSession *session, guint *n_found, gboolean *is_bad)
{
  NsTrace *trace = ns_session_get_trace (session);
  NsSeverity worst;

  if (!ns_findings_are_known (trace))
    return FALSE;
  *n_found = ns_findings_count (trace, &worst);
  *is_bad = worst > NS_SEVERITY_INFO;
  return TRUE;
}

/**
 * ns_session_dup_finding_filter:
 * @session: a session
 * @finding: row of a finding, 0-based
 * @table: (out): the table of its rows: the activities, unless it stands on rows of another one
 * only
 *
 * Returns: (transfer full) (nullable): a filter of @table that leaves the rows of the finding;
 * %NULL when it has none
 */
char *
ns_session_dup_finding_filter (NsSession *session, guint32 finding, NsTableId *table)
{
  const GArray *findings = ns_findings_get (ns_session_get_trace (session));
  g_autoptr (GString) ids = g_string_new (NULL);
  const NsFindingRow *row;
  guint n_named = 0;
  guint i;

  if (finding >= findings->len)
    return NULL;
  row = &g_array_index (findings, NsFindingRow, finding);
  *table = NS_TABLE_ACTIVITIES;
  if (row->activities->len > 0)
    return g_strdup_printf ("finding:%s", row->rule);
  if (row->refs->len > 0)
    *table = g_array_index (row->refs, NsFindingRef, 0).table;
  for (i = 0; i < row->refs->len && *table != NS_TABLE_ACTIVITIES; i++)
    {
      const NsFindingRef *ref = &g_array_index (row->refs, NsFindingRef, i);

      if (ref->table == *table && n_named++ < NS_SESSION_MAX_NAMED)
        g_string_append_printf (ids, "%s%u", ids->len > 0 ? "," : "", ref->row);
    }
  return n_named == 0 ? NULL : g_strdup_printf ("id in (%s)", ids->str);
}

/**
 * ns_session_finding_has_rows:
 * @session: a session
 * @finding: row of a finding, 0-based
 *
 * Returns: whether it stands on rows of the trace, rather than on what the trace lacks
 */
gboolean
ns_session_finding_has_rows (NsSession *session, guint32 finding)
{
  const GArray *findings = ns_findings_get (ns_session_get_trace (session));

  return finding < findings->len && g_array_index (findings, NsFindingRow, finding).refs->len > 0;
}

static gpointer
find_evidence (NsTrace *trace, gpointer data, NsProgressFunc progress, gpointer progress_data)
{
  return ns_finding_events_find (trace, progress, progress_data) ? ns_trace_ref (trace) : NULL;
}

static const NsTraceJob evidence_job = { find_evidence, g_free, (GDestroyNotify) ns_trace_unref };

static void
evidence_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsTrace) trace = ns_trace_job_run_finish (&evidence_job, result, NULL);

  /* A session that has ended stopped the search. */
  if (trace != NULL)
    ns_session_query (user_data, NS_TABLE_FINDINGS);
}

static void
stop (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  g_object_unref (cancellable);
}

/**
 * ns_session_look_for_evidence:
 * @session: a session
 *
 * Begins to look for the records that the findings stand on, in a thread; the column that tells of
 * them is empty until they are found.
 */
void
ns_session_look_for_evidence (NsSession *session)
{
  NsTrace *trace = ns_session_get_trace (session);
  GCancellable *cancellable;

  if (ns_finding_events_are_known (trace) ||
      g_object_get_data (G_OBJECT (session), "ns-evidence") != NULL)
    return;
  cancellable = g_cancellable_new ();
  g_object_set_data_full (G_OBJECT (session), "ns-evidence", cancellable, stop);
  ns_trace_job_run_async (&evidence_job, trace, NULL, cancellable, evidence_found_cb, session);
}

/**
 * ns_session_get_selected_finding:
 * @session: a session
 *
 * Returns: the finding that is selected while the findings are looked at; %G_MAXUINT32: none is
 */
guint32
ns_session_get_selected_finding (NsSession *session)
{
  const GArray *selected;

  g_return_val_if_fail (NS_IS_SESSION (session), G_MAXUINT32);

  if (ns_session_get_front (session) != NS_TABLE_FINDINGS ||
      ns_session_get_selected_table (session) != NS_TABLE_FINDINGS)
    return G_MAXUINT32;
  selected = ns_session_get_selected (session);
  return selected->len > 0 ? g_array_index (selected, guint32, 0) : G_MAXUINT32;
}

/**
 * ns_session_count_marked:
 * @session: a session
 *
 * Returns: how many operations the selected rows are about, each counted once
 */
guint
ns_session_count_marked (NsSession *session)
{
  const guint8 *marked;
  guint n_rows;
  guint n_marked = 0;
  guint i;

  g_return_val_if_fail (NS_IS_SESSION (session), 0);

  marked = ns_session_get_marked (session);
  n_rows = ns_session_get_trace (session)->activities->len;
  for (i = 0; marked != NULL && i < n_rows; i++)
    n_marked += marked[i] != 0;
  return n_marked;
}

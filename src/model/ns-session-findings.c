/* Findings of a session and the rows they refer to.
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
 * @view: settings for reading traces
 * @error: the invalid line of the user's file
 *
 * Applies the user's thresholds to the findings of traces that are opened from now on.
 *
 * Returns: whether the file does not exist or is completely valid
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
 * @n_found: (out): number of findings
 * @is_bad: (out): whether any is more severe than informational
 *
 * Returns: %FALSE while the findings are computed
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
 * @table: (out): the table of the filter: the activities, unless the finding refers only to rows of
 *   another table
 *
 * Returns: (transfer full) (nullable): a filter for the rows of the finding; %NULL if it has none
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
 * Returns: whether it refers to rows of the trace, rather than to missing data
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

  /* NULL if the session has ended, which cancels the search */
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
 * Starts to search for the events that support the findings, in a thread; the evidence column is
 * empty until they are found.
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
 * Returns: the selected finding while the findings are in front; %G_MAXUINT32 if there is none
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
 * Returns: the number of distinct operations that the selected rows refer to
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

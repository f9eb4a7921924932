/* What went wrong in the trace of a session, and the rows that show it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-finding.h"
#include "model/ns-session-findings.h"

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
  for (i = 0; i < row->activities->len && n_named < NS_SESSION_MAX_NAMED; i++, n_named++)
    g_string_append_printf (ids,
                            "%s%u",
                            n_named > 0 ? "," : "",
                            g_array_index (row->activities, NsRow, i));
  if (n_named == 0 && row->refs->len > 0)
    *table = g_array_index (row->refs, NsFindingRef, 0).table;
  for (i = 0; i < row->refs->len && *table != NS_TABLE_ACTIVITIES; i++)
    {
      const NsFindingRef *ref = &g_array_index (row->refs, NsFindingRef, i);

      if (ref->table == *table && n_named++ < NS_SESSION_MAX_NAMED)
        g_string_append_printf (ids, "%s%u", ids->len > 0 ? "," : "", ref->row);
    }
  return n_named == 0 ? NULL : g_strdup_printf ("id in (%s)", ids->str);
}

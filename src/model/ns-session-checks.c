/* Counts the rules that found something, found nothing, or could not be judged, and why.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "model/ns-session-findings.h"
#include "model/ns-session-private.h"

#include <string.h>

#define COMPANY "Microsoft-Windows-"

/* Returns the findings; %NULL while they are computed. */
static const GArray *
get_findings (NsSession *session)
{
  NsTrace *trace = ns_session_get_trace (session);

  return ns_findings_are_known (trace) ? ns_findings_get (trace) : NULL;
}

/* Returns the first row of each rule; (transfer full) (element-type guint). */
static GArray *
list_first (const GArray *findings)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (ns_hash_text, g_str_equal);
  GArray *first = g_array_new (FALSE, FALSE, sizeof (guint));
  guint i;

  for (i = 0; i < findings->len; i++)
    if (g_hash_table_add (seen, (gpointer) g_array_index (findings, NsFindingRow, i).rule))
      g_array_append_val (first, i);
  return first;
}

/**
 * ns_session_get_finding:
 * @session: a session
 * @row: a row of the table of findings, 0-based
 *
 * Returns: (transfer none) (nullable): the finding; %NULL while they are computed
 */
const NsFindingRow *
ns_session_get_finding (NsSession *session, guint32 row)
{
  const GArray *findings = get_findings (session);

  return findings != NULL && row < findings->len ? &g_array_index (findings, NsFindingRow, row)
                                                 : NULL;
}

/**
 * ns_session_sum_findings:
 * @session: a session
 * @sums: (out): the totals
 *
 * Returns: %FALSE while the findings are computed
 */
gboolean
ns_session_sum_findings (NsSession *session, NsFindingSums *sums)
{
  const GArray *findings = get_findings (session);
  g_autoptr (GArray) first = NULL;
  guint i;

  memset (sums, 0, sizeof *sums);
  if (findings == NULL)
    return FALSE;
  sums->n_findings = ns_findings_count (ns_session_get_trace (session), &sums->worst);
  for (i = 0; i < sums->n_findings; i++)
    sums->n_of[g_array_index (findings, NsFindingRow, i).severity]++;
  first = list_first (findings);
  sums->n_checks = first->len;
  for (i = 0; i < first->len; i++)
    switch (g_array_index (findings, NsFindingRow, g_array_index (first, guint, i)).verdict)
      {
      case NS_VERDICT_FOUND:
        sums->n_found++;
        break;
      case NS_VERDICT_UNJUDGED:
        sums->n_unjudged++;
        break;
      case NS_VERDICT_NOT_FOUND:
      default:
        sums->n_fine++;
        break;
      }
  return TRUE;
}

/**
 * ns_session_list_checks:
 * @session: a session
 * @verdict: a verdict
 *
 * Returns: (transfer container) (element-type NsFindingRow): one row for each rule with that
 *   verdict, in the order of their numbers
 */
GPtrArray *
ns_session_list_checks (NsSession *session, NsVerdict verdict)
{
  const GArray *findings = get_findings (session);
  g_autoptr (GArray) first = findings != NULL ? list_first (findings) : NULL;
  GPtrArray *list = g_ptr_array_new ();
  guint i;

  for (i = 0; first != NULL && i < first->len; i++)
    {
      NsFindingRow *row = &g_array_index (findings, NsFindingRow, g_array_index (first, guint, i));

      if (row->verdict == verdict)
        g_ptr_array_add (list, row);
    }
  return list;
}

/**
 * ns_session_dup_judged:
 * @session: a session
 * @finding: a finding or verdict of a rule
 *
 * Returns: (transfer full) (nullable): description of the threshold of the rule; %NULL if it has
 *   none
 */
char *
ns_session_dup_judged (NsSession *session, const NsFindingRow *finding)
{
  return ns_thresholds_describe (ns_session_get_trace (session)->thresholds, finding->rule);
}

/* Returns “TCPIP” for “Microsoft-Windows-TCPIP 1186 (…)”. */
static char *
dup_provider (const char *need)
{
  const char *name = g_str_has_prefix (need, COMPANY) ? need + strlen (COMPANY) : need;

  return g_strndup (name, strcspn (name, " "));
}

/**
 * ns_session_dup_missing_layers:
 * @session: a session
 *
 * Returns: (transfer full): the layers to record for the rules that could not be judged,
 *   comma-separated; may be empty
 */
char *
ns_session_dup_missing_layers (NsSession *session)
{
  return ns_finding_dup_missing_layers (ns_session_get_trace (session), "D45");
}

/**
 * ns_session_dup_missing:
 * @session: a session
 *
 * Returns: (transfer full): the providers that the rules that could not be judged need most, each
 *   with the number of rules, in descending order
 */
char *
ns_session_dup_missing (NsSession *session)
{
  g_autoptr (GPtrArray) checks = ns_session_list_checks (session, NS_VERDICT_UNJUDGED);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) counts = g_array_new (FALSE, TRUE, sizeof (guint));
  GString *text = g_string_new (NULL);
  guint most;
  guint i;

  for (i = 0; i < checks->len; i++)
    {
      const NsFindingRow *row = g_ptr_array_index (checks, i);
      g_autofree char *name =
          row->needs->len > 0 ? dup_provider (g_ptr_array_index (row->needs, 0)) : NULL;
      guint at;

      if (name == NULL)
        continue;
      if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, &at))
        {
          at = names->len;
          g_ptr_array_add (names, g_steal_pointer (&name));
          g_array_set_size (counts, names->len);
        }
      g_array_index (counts, guint, at)++;
    }
  for (most = checks->len; most > 0; most--)
    for (i = 0; i < names->len; i++)
      if (g_array_index (counts, guint, i) == most)
        g_string_append_printf (text,
                                "%s%s (%u)",
                                text->len > 0 ? ", " : "",
                                (const char *) g_ptr_array_index (names, i),
                                most);
  return g_string_free (text, FALSE);
}

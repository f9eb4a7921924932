/* Recommended next steps for a finding, and the rows that support it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-findings.h"
#include "query/ns-filter.h"

#include <glib/gi18n.h>

static void
step_free (gpointer data)
{
  NsFindingStep *step = data;

  g_free (step->text);
  g_free (step->filter);
  g_free (step->layers);
  g_free (step);
}

static NsFindingStep *
add_step (GPtrArray *steps, NsFindingStepKind kind, const char *text, const char *filter)
{
  NsFindingStep *step = g_new0 (NsFindingStep, 1);

  step->kind = kind;
  step->text = g_strdup (text);
  step->filter = g_strdup (filter);
  g_ptr_array_add (steps, step);
  return step;
}

/* Returns the server of all rows; %NS_STRING_NONE if there are several or none. */
static NsString
find_server (const NsTrace *trace, const NsFindingRow *finding)
{
  NsString server = NS_STRING_NONE;
  guint i;

  for (i = 0; i < finding->activities->len; i++)
    {
      NsRow row = g_array_index (finding->activities, NsRow, i);
      const NsActivityRow *one;

      if (row < 1 || row > trace->activities->len)
        continue;
      one = NS_ROW_AT (trace->activities, NsActivityRow, row);
      if (one->server == NS_STRING_NONE || (server != NS_STRING_NONE && server != one->server))
        return NS_STRING_NONE;
      server = one->server;
    }
  return server;
}

/* Adds a step that shows the other rows of the same server. */
static void
add_others (GPtrArray *steps, const NsTrace *trace, const NsFindingRow *finding)
{
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "server");
  NsString server = find_server (trace, finding);
  g_autofree char *filter = NULL;
  g_autofree char *text = NULL;
  g_autofree char *only = NULL;
  NsFieldValue value = { .is_null = TRUE };
  guint n_all = 0;
  guint i;

  if (server == NS_STRING_NONE)
    return;
  for (i = 0; i < trace->activities->len; i++)
    n_all += g_array_index (trace->activities, NsActivityRow, i).server == server;
  if (n_all <= finding->activities->len)
    return;
  n_all -= finding->activities->len;
  ns_field_get (trace, field, g_array_index (finding->activities, NsRow, 0) - 1, &value);
  only = ns_filter_from_value (field, &value);
  filter = g_strdup_printf ("%s -finding:%s", only, finding->rule);
  text = g_strdup_printf (ngettext ("Compare with the %u other row of %s",
                                    "Compare with the %u other rows of %s",
                                    n_all),
                          n_all,
                          ns_trace_text (trace, server));
  add_step (steps, NS_FINDING_STEP_FILTER, text, filter);
  ns_field_value_clear (&value);
}

/**
 * ns_session_list_steps:
 * @session: a session
 * @finding: one of its findings
 *
 * Returns: (transfer full) (element-type NsFindingStep): the recommended steps, in order
 */
GPtrArray *
ns_session_list_steps (NsSession *session, const NsFindingRow *finding)
{
  const NsTrace *trace = ns_session_get_trace (session);
  GPtrArray *steps = g_ptr_array_new_with_free_func (step_free);

  if (finding->advice != NULL && finding->needs->len > 0)
    add_step (steps, NS_FINDING_STEP_RECIPE, finding->advice, NULL)->layers =
        ns_finding_dup_missing_layers (trace, finding->rule);
  else if (finding->advice != NULL)
    add_step (steps, NS_FINDING_STEP_TEXT, finding->advice, NULL);
  add_others (steps, trace, finding);
  if (finding->refs->len > 0)
    {
      add_step (steps,
                NS_FINDING_STEP_EVENTS,
                _ ("Read the events that support this finding"),
                NULL);
      add_step (steps,
                NS_FINDING_STEP_COPY,
                _ ("Copy it with its evidence for the operator of the other side"),
                NULL);
    }
  return steps;
}

/**
 * ns_session_list_evidence:
 * @session: a session
 * @finding: one of its findings
 *
 * Returns: (transfer full) (element-type NsFindingShare): the rows that support it, by descending
 *   cost, then those without a known cost. The costs add up to that of the finding.
 */
GArray *
ns_session_list_evidence (NsSession *session, const NsFindingRow *finding)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (NsFindingShare));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint i;

  if (finding->shares != NULL && finding->shares->len > 0)
    g_array_append_vals (list, finding->shares->data, finding->shares->len);
  for (i = 0; i < list->len; i++)
    if (g_array_index (list, NsFindingShare, i).ref.table == NS_TABLE_ACTIVITIES)
      g_hash_table_add (seen, GUINT_TO_POINTER (g_array_index (list, NsFindingShare, i).ref.row));
  for (i = 0; i < finding->activities->len; i++)
    {
      NsRow row = g_array_index (finding->activities, NsRow, i);
      NsFindingShare share = { { NS_TABLE_ACTIVITIES, row }, 0 };

      if (!g_hash_table_contains (seen, GUINT_TO_POINTER (row)))
        g_array_append_val (list, share);
    }
  return list;
}

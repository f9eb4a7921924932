/* Index from operations to the rules that reported them, made once for all operations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <string.h>

/* Returns whether the row exists in the master table of this trace. */
static gboolean
is_row (const NsTrace *trace, NsRow activity)
{
  return activity >= 1 && activity <= trace->activities->len;
}

static guint8
number_of (const char *rule)
{
  guint i;

  for (i = 0; i < NS_N_FINDING_RULES; i++)
    if (strcmp (ns_finding_rules[i].id, rule) == 0)
      return (guint8) (i + 1);
  return 0;
}

/* Stores a rule's number unless it is there; unused places are 0. There are as many places as
 * findings that name the row. */
static void
put (guint8 *places, guint n_places, guint8 number)
{
  guint i;

  for (i = 0; i < n_places && i < NS_N_FINDING_RULES; i++)
    {
      if (places[i] == number)
        return;
      if (places[i] != 0)
        continue;
      places[i] = number;
      return;
    }
}

/**
 * ns_findings_index: (skip)
 * @trace: a trace
 * @kept: the findings of @trace
 *
 * Prepares what ns_findings_get_rules() reads; linear in the operations and in the rows that
 * findings name.
 */
void
ns_findings_index (const NsTrace *trace, NsFindingsKept *kept)
{
  const GArray *findings = kept->rows;
  guint n_rows = trace->activities->len;
  guint32 *places = g_new0 (guint32, (gsize) n_rows + 2);
  GByteArray *rules = g_byte_array_new ();
  guint n_found = 0;
  guint i;
  guint j;

  for (; n_found < findings->len; n_found++)
    {
      const NsFindingRow *row = &g_array_index (findings, NsFindingRow, n_found);

      if (row->verdict != NS_VERDICT_FOUND)
        break;
      for (j = 0; j < row->activities->len; j++)
        if (is_row (trace, g_array_index (row->activities, NsRow, j)))
          places[g_array_index (row->activities, NsRow, j) + 1]++;
    }
  for (i = 1; i < n_rows + 2; i++)
    places[i] += places[i - 1];
  g_byte_array_set_size (rules, places[n_rows + 1]);
  if (rules->len > 0)
    memset (rules->data, 0, rules->len);
  for (i = 0; i < n_found; i++)
    {
      const NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);
      guint8 number = number_of (row->rule);

      for (j = 0; j < row->activities->len; j++)
        {
          NsRow activity = g_array_index (row->activities, NsRow, j);

          if (is_row (trace, activity))
            put (rules->data + places[activity], places[activity + 1] - places[activity], number);
        }
    }
  kept->rules = rules;
  kept->places = places;
}

/* Fuzz target: a whole trace file, opened with all its tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-builder.h"
#include "engine/open/ns-parts.h"
#include "engine/trace/ns-event-index.h"
#include "findings/ns-finding.h"
#include "fuzz/ns-fuzz.h"
#include "query/ns-finding-events.h"

/* Row numbers stored in rows must be inside their tables. */
static void
check_rows (const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      if (row->parent > trace->activities->len || row->tcp > trace->tcp->len ||
          row->winsock > trace->winsock->len || row->webio > trace->webio->len ||
          row->wininet > trace->wininet->len || row->dns > trace->dns->len)
        ns_fuzz_fail ("a row points at one that is not there");
    }
  for (i = 1; i < trace->events->len; i++)
    if (ns_trace_get_event_time (trace, i - 1) > ns_trace_get_event_time (trace, i))
      ns_fuzz_fail ("events are not in order of time");
}

/* The transfers of a row can be looked up and are in time order. */
static void
check_moves (const NsTrace *trace)
{
  guint32 row;
  guint n_moves;
  guint i;

  for (row = 1; row <= trace->winsock->len; row++)
    {
      const NsMove *moves =
          ns_moves_find (trace->moves, NS_TABLE_WINSOCK, row, G_MININT64, G_MAXINT64, &n_moves);

      for (i = 0; i < n_moves; i++)
        if (moves[i].row != row || (i > 0 && moves[i].time_ns < moves[i - 1].time_ns))
          ns_fuzz_fail ("a move is not where it belongs");
    }
}

/* Findings refer to existing events, each at most once. */
static void
check_findings (const NsTrace *trace)
{
  const GArray *findings = ns_findings_get (trace);
  guint i;

  ns_finding_events_find (trace, NULL, NULL);
  for (i = 0; i < findings->len; i++)
    {
      const GArray *evidence = g_array_index (findings, NsFindingRow, i).evidence;
      guint k;

      for (k = 0; k < evidence->len; k++)
        if (g_array_index (evidence, guint32, k) >= trace->events->len ||
            (k > 0 &&
             g_array_index (evidence, guint32, k) <= g_array_index (evidence, guint32, k - 1)))
          ns_fuzz_fail ("a finding stands on a record that is not there");
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  NsTraceOptions options = { .want_events = TRUE, .want_moves = TRUE };
  NsEtlFile *file = ns_etl_file_open_bytes (bytes, "fuzz", NULL);
  g_autoptr (NsTrace) trace = NULL;

  if (file == NULL)
    return 0;
  trace = ns_trace_build (file, ns_schemas_new (NULL), &options, NULL, NULL, NULL);
  if (trace == NULL)
    return 0;
  if (trace->n_records != trace->events->len ||
      trace->n_records != ns_etl_file_get_report (trace->file)->n_records)
    ns_fuzz_fail ("a record was lost");
  check_rows (trace);
  check_moves (trace);
  check_findings (trace);
  return 0;
}

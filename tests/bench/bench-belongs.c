/* Measures the search for the rows that an event belongs to, in a trace of a million rows.
 *
 * bench-belongs ROWS: generates a trace of ROWS rows, or takes that of NETSTITCH_BIG. Looks up
 * records spread over the trace and prints how many have rows, and the first, the median and the
 * longest lookup in milliseconds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-event-rows.h"
#include "big-trace.h"
#include "engine/trace/ns-event-index.h"

#include <stdlib.h>

#define N_LOOKS 201

static int
compare (gconstpointer a, gconstpointer b)
{
  const double *one = a;
  const double *other = b;

  return (*one > *other) - (*one < *other);
}

static void
measure (const NsTrace *trace)
{
  double took_ms[N_LOOKS];
  double first_ms;
  guint n_found = 0;
  guint i;

  for (i = 0; i < N_LOOKS; i++)
    {
      guint32 event = (guint32) ((guint64) trace->events->len * i / N_LOOKS);
      gint64 begin_us = g_get_monotonic_time ();
      g_autoptr (NsEventRows) found = ns_event_rows_find (trace, event, NULL, NULL);

      took_ms[i] = (double) (g_get_monotonic_time () - begin_us) / 1e3;
      n_found += found != NULL && found->links->len > 0;
    }
  first_ms = took_ms[0];
  qsort (took_ms, N_LOOKS, sizeof took_ms[0], compare);
  g_print ("%u of %u records belong to rows; first %.2f ms, median %.2f ms, longest %.2f ms\n",
           n_found,
           N_LOOKS,
           first_ms,
           took_ms[N_LOOKS / 2],
           took_ms[N_LOOKS - 1]);
}

static void
run (const char *path, G_GNUC_UNUSED guint n_rows)
{
  const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace = ns_trace_open (path, &options, NULL, NULL, &error);

  g_assert_no_error (error);
  g_print ("%u rows, %u records\n", trace->activities->len, trace->events->len);
  measure (trace);
}

int
main (int argc, char *argv[])
{
  return big_trace_bench (argc, argv, run);
}

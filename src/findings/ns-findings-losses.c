/* Rule about lost events (D44), and the times for which losses lower the confidence in other
 * findings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/ns-missing.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LOSS_BAD_PERCENT(self) ns_findings_limit (self, NS_THRESHOLD_D44_PROBLEM)

/* Extends the time span of losses; both ends NS_TIME_NONE: not known. */
static void
add_when (NsTimeSpan *when, gint64 begin_ns, gint64 end_ns)
{
  when->begin_ns = ns_time_is_set (when->begin_ns) ? MIN (when->begin_ns, begin_ns) : begin_ns;
  when->end_ns = MAX (when->end_ns, end_ns);
}

static void
find_when (const NsTrace *trace, const NsEtlReport *report, NsTimeSpan *when)
{
  guint i;

  for (i = 0; i < report->losses->len; i++)
    {
      const NsEtlLoss *loss = &g_array_index (report->losses, NsEtlLoss, i);

      add_when (when,
                ns_etl_file_raw_to_ns (trace->file, loss->begin_raw),
                ns_etl_file_raw_to_ns (trace->file, loss->end_raw));
    }
  if (report->n_missing > 0)
    add_when (when,
              ns_etl_file_raw_to_ns (trace->file, report->missing_begin_raw),
              ns_etl_file_raw_to_ns (trace->file, report->missing_end_raw));
}

static char *
dup_when (const NsTimeSpan *when)
{
  g_autofree char *begin = NULL;
  g_autofree char *end = NULL;

  if (!ns_time_is_set (when->begin_ns))
    return g_strdup (_ ("time not recorded"));
  begin = ns_findings_dup_span (when->begin_ns);
  end = ns_findings_dup_span (when->end_ns);
  if (strcmp (begin, end) == 0)
    /* Translators: a time, as a time since the trace began. */
    return g_strdup_printf (_ ("at %s"), begin);
  /* Translators: two times, as times since the trace began. */
  return g_strdup_printf (_ ("between %s and %s"), begin, end);
}

void
ns_find_losses (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  NsFindingGroup *group = ns_findings_group (self, NS_PID_UNKNOWN, "", NULL);
  NsTimeSpan when = { NS_TIME_NONE, NS_TIME_NONE };
  g_autofree char *where = NULL;
  NsMissing missing;
  guint64 n_buffers;
  gboolean is_bad;
  guint i;

  find_when (trace, report, &when);
  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);

      if (sign->source != NS_SIGN_LOST)
        continue;
      ns_findings_mark (group, sign->event);
      add_when (&when, sign->time_ns, sign->time_ns);
    }
  ns_missing_count (trace, &missing);
  n_buffers = ns_missing_get_buffers (&missing);
  group->count = (guint) MIN (missing.n_events + n_buffers + missing.n_damaged, G_MAXINT32);
  if (group->count == 0)
    return;
  is_bad = missing.n_events * 100 > trace->n_records * LOSS_BAD_PERCENT (self) ||
           n_buffers * 100 > report->n_buffers * LOSS_BAD_PERCENT (self);
  where = dup_when (&when);
  ns_findings_report (
      self,
      group,
      is_bad ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      _ ("The trace is incomplete: events lost: %u, buffers lost: %u, buffers damaged: %u; %s."),
      (guint) MIN (missing.n_events, G_MAXUINT),
      (guint) MIN (n_buffers, G_MAXUINT),
      (guint) MIN (missing.n_damaged, G_MAXUINT),
      where);
}

static void
add_loss (GArray *spans, gint64 begin_ns, gint64 end_ns)
{
  NsTimeSpan span = { MIN (begin_ns, end_ns), MAX (begin_ns, end_ns) };

  g_array_append_val (spans, span);
}

static gint
compare_spans (gconstpointer a, gconstpointer b)
{
  const NsTimeSpan *left = a;
  const NsTimeSpan *right = b;

  return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

/* Merges overlapping spans; the result is sorted by time. */
static void
join_spans (GArray *spans)
{
  guint n_kept = 0;
  guint i;

  g_array_sort (spans, compare_spans);
  for (i = 0; i < spans->len; i++)
    {
      NsTimeSpan span = g_array_index (spans, NsTimeSpan, i);
      NsTimeSpan *last = n_kept > 0 ? &g_array_index (spans, NsTimeSpan, n_kept - 1) : NULL;

      if (last != NULL && span.begin_ns <= last->end_ns)
        last->end_ns = MAX (last->end_ns, span.end_ns);
      else
        g_array_index (spans, NsTimeSpan, n_kept++) = span;
    }
  g_array_set_size (spans, n_kept);
}

/**
 * ns_findings_list_losses: (skip)
 * @trace: a trace
 *
 * Returns: (transfer full) (element-type NsTimeSpan): the times at which events were lost, sorted;
 *   the whole trace if the time is unknown; empty if none were lost
 */
GArray *
ns_findings_list_losses (const NsTrace *trace)
{
  const NsEtlHeader *header = ns_etl_file_get_header (trace->file);
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (NsTimeSpan));
  const NsTimeSpan all = { G_MININT64, G_MAXINT64 };
  guint i;

  for (i = 0; i < report->losses->len; i++)
    {
      const NsEtlLoss *loss = &g_array_index (report->losses, NsEtlLoss, i);

      add_loss (spans,
                ns_etl_file_raw_to_ns (trace->file, loss->begin_raw),
                ns_etl_file_raw_to_ns (trace->file, loss->end_raw));
    }
  if (report->n_missing > 0)
    add_loss (spans,
              ns_etl_file_raw_to_ns (trace->file, report->missing_begin_raw),
              ns_etl_file_raw_to_ns (trace->file, report->missing_end_raw));
  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);

      if (sign->source == NS_SIGN_LOST)
        add_loss (spans, sign->time_ns, sign->time_ns);
    }
  if (report->losses->len >= NS_ETL_MAX_LOSSES ||
      (spans->len == 0 && (header->events_lost > 0 || header->buffers_lost > 0 ||
                           report->n_flag_events_lost > 0 || report->n_flag_buffer_lost > 0)))
    g_array_append_val (spans, all);
  join_spans (spans);
  return spans;
}

/* Finds lost events that the trace reports.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/system/ns-providers.h"
#include "engine/trace/ns-event-index.h"
#include "model/ns-losses.h"

/* Provider of RT_LostEvent, RT_LostBuffer and RT_LostFile, which report losses of a session
 * (Microsoft, "RT_LostEvent class"). */
static const NsGuid lost_event = NS_GUID_LOST_EVENT;

static guint
find_provider (const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->providers->len; i++)
    {
      const NsProviderRow *row = &g_array_index (trace->providers, NsProviderRow, i);

      if (row->n_events > 0 && ns_guid_equal (&row->guid, &lost_event))
        return i;
    }
  return G_MAXUINT;
}

/**
 * ns_losses_find:
 * @trace: a trace that was opened with its events
 *
 * Returns: (transfer full) (element-type gint64): the times of loss reports in ns, ascending; each
 *   report refers to events lost before it
 */
GArray *
ns_losses_find (const NsTrace *trace)
{
  GArray *moments = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint provider = find_provider (trace);
  guint i;

  if (provider == G_MAXUINT)
    return moments;
  for (i = 0; i < trace->events->len && moments->len < NS_LOSSES_MAX; i++)
    {
      gint64 time_ns = ns_trace_get_event_time (trace, i);

      if (ns_trace_get_event (trace, i)->provider == provider)
        g_array_append_val (moments, time_ns);
    }
  return moments;
}

static void
processor_free (gpointer data)
{
  NsLossProcessor *self = data;

  g_array_unref (self->losses);
  g_free (self);
}

/* Converts times to a span inside the trace; damaged files may contain any value. */
static NsTimeSpan
to_span (const NsTrace *trace, guint64 begin_raw, guint64 end_raw)
{
  gint64 end_ns = MAX (trace->end_ns, 0);
  NsTimeSpan span;

  span.begin_ns = CLAMP (ns_etl_file_raw_to_ns (trace->file, begin_raw), 0, end_ns);
  span.end_ns = CLAMP (ns_etl_file_raw_to_ns (trace->file, end_raw), span.begin_ns, end_ns);
  return span;
}

static NsLossProcessor *
processor_new (const NsTrace *trace, guint cpu, const NsEtlProcessor *seen)
{
  NsLossProcessor *self = g_new0 (NsLossProcessor, 1);

  self->cpu = cpu;
  self->n_losses = seen->n_losses;
  self->losses = g_array_new (FALSE, FALSE, sizeof (NsTimeSpan));
  if (seen->n_records > 0)
    self->seen = to_span (trace, seen->first_raw, seen->last_raw);
  return self;
}

/**
 * ns_losses_list_processors:
 * @trace: a trace
 * @n_more: (out): number of omitted processors, above %NS_LOSSES_MAX_PROCESSORS
 *
 * Returns: (transfer full) (element-type NsLossProcessor): the processors with events or losses, by
 *   number
 */
GPtrArray *
ns_losses_list_processors (const NsTrace *trace, guint *n_more)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (processor_free);
  g_autofree NsLossProcessor **by_cpu = NULL;
  const NsEtlReport *report;
  guint i;

  *n_more = 0;
  if (trace->file == NULL)
    return list;
  report = ns_etl_file_get_report (trace->file);
  by_cpu = g_new0 (NsLossProcessor *, MAX (report->processors->len, 1));
  for (i = 0; i < report->processors->len; i++)
    {
      const NsEtlProcessor *seen = &g_array_index (report->processors, NsEtlProcessor, i);

      if (seen->n_records == 0 && seen->n_losses == 0)
        continue;
      if (list->len >= NS_LOSSES_MAX_PROCESSORS)
        {
          (*n_more)++;
          continue;
        }
      by_cpu[i] = processor_new (trace, i, seen);
      g_ptr_array_add (list, by_cpu[i]);
    }
  for (i = 0; i < report->losses->len; i++)
    {
      const NsEtlLoss *loss = &g_array_index (report->losses, NsEtlLoss, i);
      NsTimeSpan span = to_span (trace, loss->begin_raw, loss->end_raw);

      if (by_cpu[loss->cpu] != NULL)
        g_array_append_val (by_cpu[loss->cpu]->losses, span);
    }
  return list;
}

/**
 * ns_losses_count_undecodable:
 * @trace: a trace
 *
 * Returns: the number of its records without a schema
 */
guint64
ns_losses_count_undecodable (const NsTrace *trace)
{
  return ns_providers_count_undecodable (trace);
}

/* Determines the readable part of a damaged trace and the time spans with missing events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-event-index.h"
#include "model/ns-damage.h"

#include <string.h>

/* EVENT_TRACE_FILE_MODE_CIRCULAR: the file contains only the last buffers that were written. */
#define MODE_CIRCULAR 0x2u
#define NONE G_MININT64

/* A position where reading failed, and the events around it on the same processor. */
typedef struct
{
  guint32 buffer;
  guint32 offset; /* offset in the buffer */
  guint16 cpu;
  guint32 next_buffer;
  gint64 before_ns; /* last event before it, or NONE */
  gint64 after_ns;  /* first event after it, or NONE */
} Place;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *one = a;
  const Place *other = b;

  if (one->cpu != other->cpu)
    return one->cpu < other->cpu ? -1 : 1;
  if (one->buffer != other->buffer)
    return one->buffer < other->buffer ? -1 : 1;
  return (one->offset > other->offset) - (one->offset < other->offset);
}

static GArray *
list_places (const NsTrace *trace, const GPtrArray *damage)
{
  GArray *places = g_array_sized_new (FALSE, TRUE, sizeof (Place), damage->len);
  guint i;

  for (i = 0; i < damage->len; i++)
    {
      const NsEtlDamage *at = g_ptr_array_index (damage, i);
      Place place = { .before_ns = NONE, .after_ns = NONE };

      if (at->is_beside || !ns_etl_file_find_place (trace->file,
                                                    at->offset,
                                                    &place.buffer,
                                                    &place.offset,
                                                    &place.cpu))
        continue;
      g_array_append_val (places, place);
    }
  g_array_sort (places, compare_places);
  return places;
}

/* Returns the number of damaged positions before an event on its processor. */
static guint
count_before (const GArray *places, const Place *event)
{
  guint low = 0;
  guint high = places->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (compare_places (&g_array_index (places, Place, middle), event) <= 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Finds the events next to each damaged position. */
static void
look_around (const NsTrace *trace, GArray *places)
{
  guint i;

  for (i = 0; i < trace->events->len; i++)
    {
      NsRecordRef ref = ns_trace_get_event_ref (trace, i);
      gint64 time_ns = ns_trace_get_event_time (trace, i);
      Place at = { .buffer = ref.buffer,
                   .offset = ref.offset,
                   .cpu = ns_etl_file_get_buffer_cpu (trace->file, ref.buffer) };
      guint n_before = count_before (places, &at);
      Place *last = n_before > 0 ? &g_array_index (places, Place, n_before - 1) : NULL;
      Place *next = n_before < places->len ? &g_array_index (places, Place, n_before) : NULL;

      if (last != NULL && last->cpu == at.cpu &&
          (last->after_ns == NONE || time_ns < last->after_ns))
        {
          last->after_ns = time_ns;
          last->next_buffer = ref.buffer;
        }
      if (next != NULL && next->cpu == at.cpu)
        next->before_ns = MAX (next->before_ns, time_ns);
    }
}

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const NsTimeSpan *one = a;
  const NsTimeSpan *other = b;

  return (one->begin_ns > other->begin_ns) - (one->begin_ns < other->begin_ns);
}

/* Sorts spans and merges adjacent ones. */
static void
join_spans (GArray *spans)
{
  guint n = 0;
  guint i;

  g_array_sort (spans, compare_spans);
  for (i = 0; i < spans->len; i++)
    {
      NsTimeSpan span = g_array_index (spans, NsTimeSpan, i);
      NsTimeSpan *last = n > 0 ? &g_array_index (spans, NsTimeSpan, n - 1) : NULL;

      if (last != NULL && span.begin_ns <= last->end_ns)
        last->end_ns = MAX (last->end_ns, span.end_ns);
      else
        g_array_index (spans, NsTimeSpan, n++) = span;
    }
  g_array_set_size (spans, n);
}

static void
find_gaps (NsDamage *self, const NsTrace *trace, const GPtrArray *damage)
{
  g_autoptr (GArray) places = list_places (trace, damage);
  guint i;

  look_around (trace, places);
  for (i = 0; i < places->len; i++)
    {
      const Place *place = &g_array_index (places, Place, i);
      NsTimeSpan gap = { MAX (place->before_ns, 0), place->after_ns };

      /* Damage inside a single record does not affect the records around it. */
      if (place->after_ns != NONE && place->next_buffer == place->buffer)
        continue;
      if (place->after_ns == NONE)
        gap.end_ns = self->end_ns;
      if (gap.end_ns > gap.begin_ns)
        g_array_append_val (self->gaps, gap);
    }
  if (self->is_cut && self->end_ns > self->read_end_ns)
    {
      NsTimeSpan rest = { self->read_end_ns, self->end_ns };

      g_array_append_val (self->gaps, rest);
    }
  join_spans (self->gaps);
}

static gint64
find_session_end (const NsTrace *trace)
{
  guint64 end = ns_etl_file_get_header (trace->file)->end_filetime;
  guint64 begin = ns_etl_file_ns_to_filetime (trace->file, 0);

  if (end <= begin || end - begin > NS_TIME_MAX / 100)
    return trace->end_ns;
  return MAX ((gint64) (end - begin) * 100, trace->end_ns);
}

static void
count_rows (NsDamage *self, const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    self->n_torn += g_array_index (trace->activities, NsActivityRow, i).close_ns == NS_TIME_OPEN;
  for (i = 0; i < trace->providers->len; i++)
    {
      const NsProviderRow *row = &g_array_index (trace->providers, NsProviderRow, i);

      if (row->n_events == 0)
        continue;
      self->n_providers++;
      self->n_described += row->schema != NULL && strcmp (row->schema, "none") != 0;
    }
  self->lacks_images = trace->n_stacks_attached > 0 && trace->images->len == 0;
}

/**
 * ns_damage_look:
 * @trace: an opened trace
 *
 * Determines what could be read and what is missing. For a trace that was opened without its
 * events, only the last gap is known.
 *
 * Returns: (transfer full): the result
 */
NsDamage *
ns_damage_look (const NsTrace *trace)
{
  NsDamage *self = g_new0 (NsDamage, 1);
  const NsEtlReport *report = trace->file != NULL ? ns_etl_file_get_report (trace->file) : NULL;
  const NsEtlHeader *header = trace->file != NULL ? ns_etl_file_get_header (trace->file) : NULL;
  guint64 n_there;

  self->gaps = g_array_new (FALSE, FALSE, sizeof (NsTimeSpan));
  self->read_end_ns = trace->end_ns;
  self->end_ns = trace->end_ns;
  /* A partially loaded file lacks its rest for another reason. */
  if (report == NULL || trace->is_incomplete)
    return self;
  n_there = report->n_buffers + report->n_empty;
  self->n_places = report->damage->len;
  self->n_read = report->n_buffers;
  self->n_expected = (header->mode & MODE_CIRCULAR) == 0 ? header->buffers_written : 0;
  self->is_cut = n_there < self->n_expected || ns_etl_file_is_cut (trace->file);
  self->is_damaged = self->is_cut || self->n_places > 0;
  self->is_whole = !self->is_cut && self->n_places <= ns_etl_file_get_n_beside (trace->file);
  if (!self->is_damaged)
    return self;
  if (self->n_places > 0)
    self->first = g_ptr_array_index (report->damage, 0);
  if (self->is_cut)
    self->end_ns = find_session_end (trace);
  if (n_there < self->n_expected && report->n_buffers > 0)
    self->n_events_missing = (self->n_expected - n_there) * (report->n_records / report->n_buffers);
  count_rows (self, trace);
  find_gaps (self, trace, report->damage);
  return self;
}

/**
 * ns_damage_free:
 * @self: (transfer full): a result
 */
void
ns_damage_free (NsDamage *self)
{
  g_array_unref (self->gaps);
  g_free (self);
}

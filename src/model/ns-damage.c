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

/* A position where reading failed, and the events around it. */
typedef struct
{
  guint32 buffer;
  guint32 offset; /* offset in the buffer */
  guint16 cpu;
  gboolean is_anywhere; /* events of any processor count as around it */
  guint32 last_buffer;
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
      place.is_anywhere = !ns_etl_file_has_buffer_header (trace->file, place.buffer);
      g_array_append_val (places, place);
    }
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

/* Adds an event after a damaged position; only those of the nearest buffer count. */
static void
add_after (Place *place, guint32 buffer, gint64 time_ns)
{
  if (place->after_ns == NONE || buffer < place->next_buffer)
    place->after_ns = time_ns;
  else if (buffer == place->next_buffer)
    place->after_ns = MIN (place->after_ns, time_ns);
  else
    return;
  place->next_buffer = buffer;
}

/* Adds an event before a damaged position; only those of the nearest buffer count. */
static void
add_before (Place *place, guint32 buffer, gint64 time_ns)
{
  if (place->before_ns == NONE || buffer > place->last_buffer)
    place->before_ns = time_ns;
  else if (buffer == place->last_buffer)
    place->before_ns = MAX (place->before_ns, time_ns);
  else
    return;
  place->last_buffer = buffer;
}

/* Gives positions without an event between them the same events around them. */
static void
share_events (GArray *places)
{
  guint i;

  for (i = 1; i < places->len; i++)
    {
      const Place *last = &g_array_index (places, Place, i - 1);
      Place *place = &g_array_index (places, Place, i);

      if (place->cpu != last->cpu || place->before_ns != NONE)
        continue;
      place->before_ns = last->before_ns;
      place->last_buffer = last->last_buffer;
    }
  for (i = places->len; i > 1; i--)
    {
      const Place *next = &g_array_index (places, Place, i - 1);
      Place *place = &g_array_index (places, Place, i - 2);

      if (place->cpu != next->cpu || place->after_ns != NONE)
        continue;
      place->after_ns = next->after_ns;
      place->next_buffer = next->next_buffer;
    }
}

/* Finds the events next to each damaged position, on the same processor or on any. */
static void
look_around (const NsTrace *trace, GArray *places, gboolean is_anywhere)
{
  guint i;

  g_array_sort (places, compare_places);
  for (i = 0; places->len > 0 && i < trace->events->len; i++)
    {
      NsRecordRef ref = ns_trace_get_event_ref (trace, i);
      gint64 time_ns = ns_trace_get_event_time (trace, i);
      Place at = { .buffer = ref.buffer, .offset = ref.offset };
      guint n_before;
      Place *last;
      Place *next;

      if (!is_anywhere)
        at.cpu = ns_etl_file_get_buffer_cpu (trace->file, ref.buffer);
      n_before = count_before (places, &at);
      last = n_before > 0 ? &g_array_index (places, Place, n_before - 1) : NULL;
      next = n_before < places->len ? &g_array_index (places, Place, n_before) : NULL;
      if (last != NULL && last->cpu == at.cpu)
        add_after (last, ref.buffer, time_ns);
      if (next != NULL && next->cpu == at.cpu)
        add_before (next, ref.buffer, time_ns);
    }
  share_events (places);
}

/* Finds the events around each damaged position. Those of other processors are used if the buffer
 * header is destroyed, or if nothing else of its processor could be read. */
static void
find_events (const NsTrace *trace, GArray *places)
{
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (Place));
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (Place));
  guint i;

  for (i = 0; i < places->len; i++)
    {
      const Place *place = &g_array_index (places, Place, i);

      g_array_append_val (place->is_anywhere ? others : known, *place);
    }
  look_around (trace, known, FALSE);
  g_array_set_size (places, 0);
  for (i = 0; i < known->len; i++)
    {
      Place *place = &g_array_index (known, Place, i);

      place->is_anywhere = place->before_ns == NONE && place->after_ns == NONE;
      g_array_append_val (place->is_anywhere ? others : places, *place);
    }
  for (i = 0; i < others->len; i++)
    g_array_index (others, Place, i).cpu = 0;
  look_around (trace, others, TRUE);
  g_array_append_vals (places, others->data, others->len);
}

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const NsTimeSpan *one = a;
  const NsTimeSpan *other = b;

  return (one->begin_ns > other->begin_ns) - (one->begin_ns < other->begin_ns);
}

/* Adds a gap, unless it is empty. */
static void
add_gap (NsDamage *self, gint64 begin_ns, gint64 end_ns)
{
  NsTimeSpan gap = { MAX (begin_ns, 0), MIN (end_ns, self->end_ns) };

  if (gap.end_ns > gap.begin_ns)
    g_array_append_val (self->gaps, gap);
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

  find_events (trace, places);
  for (i = 0; i < places->len; i++)
    {
      const Place *place = &g_array_index (places, Place, i);
      gint64 begin_ns = MAX (place->before_ns, 0);
      gint64 end_ns = place->after_ns != NONE ? place->after_ns : self->end_ns;

      /* Damage inside a single record does not affect the records around it. */
      if (place->after_ns != NONE && place->next_buffer == place->buffer)
        continue;
      /* Buffers of two processors can overlap in time. */
      if (place->is_anywhere)
        add_gap (self, MIN (begin_ns, end_ns), MAX (begin_ns, end_ns));
      else
        add_gap (self, begin_ns, end_ns);
    }
  if (self->is_cut)
    add_gap (self, self->read_end_ns, self->end_ns);
}

/* Adds the gaps in the sequence numbers of the buffers. */
static void
find_missing_buffers (NsDamage *self, const NsTrace *trace)
{
  const GArray *missing = ns_etl_file_get_report (trace->file)->missing;
  guint i;

  for (i = 0; i < missing->len; i++)
    {
      const NsEtlSequenceGap *gap = &g_array_index (missing, NsEtlSequenceGap, i);
      gint64 begin_ns = ns_etl_file_raw_to_ns (trace->file, gap->begin_raw);
      gint64 end_ns = ns_etl_file_raw_to_ns (trace->file, gap->end_raw);

      add_gap (self, MIN (begin_ns, end_ns), MAX (begin_ns, end_ns));
    }
}

/* Computes how much of the file could be read. Buffers of a compressed file, or of the files of a
 * case, differ in size. */
static guint
get_percent_read (const NsDamage *self, const NsTrace *trace)
{
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  guint64 buffer_size = ns_etl_file_get_header (trace->file)->buffer_size;
  guint64 size = ns_etl_file_get_size (trace->file);
  double all = (double) size;
  guint64 n_dropped = report->n_bytes_dropped;
  gboolean has_one_size = report->n_compressed == 0 && ns_etl_file_get_n_inputs (trace->file) == 1;

  if (self->is_cut && self->n_expected > 0 && self->n_expected >= self->n_read && !has_one_size)
    return (guint) CLAMP (100 * (double) self->n_read / (double) self->n_expected, 0, 99);
  if (self->is_cut && has_one_size && buffer_size > 0)
    {
      guint64 n_past_end = (buffer_size - size % buffer_size) % buffer_size;

      /* The part of the last buffer beyond the end of the file is not in @size. */
      n_dropped -= MIN (n_dropped, n_past_end);
      all = MAX (all, (double) self->n_expected * (double) buffer_size);
    }
  return all > 0 ? (guint) CLAMP (100 * ((double) size - (double) n_dropped) / all, 0, 99) : 0;
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
  self->percent_read = 100;
  ns_missing_count (trace, &self->missing);
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
    {
      find_missing_buffers (self, trace);
      join_spans (self->gaps);
      return self;
    }
  self->percent_read = get_percent_read (self, trace);
  if (self->n_places > 0)
    self->first = g_ptr_array_index (report->damage, 0);
  if (self->is_cut)
    self->end_ns = find_session_end (trace);
  if (n_there < self->n_expected && report->n_buffers > 0)
    self->n_events_missing = (self->n_expected - n_there) * (report->n_records / report->n_buffers);
  count_rows (self, trace);
  find_gaps (self, trace, report->damage);
  find_missing_buffers (self, trace);
  join_spans (self->gaps);
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

/* Walks a trace in file order, and accounts for every byte of it in the report.
 *
 * The first pass also stores what the merge in time order needs to know of each buffer: its
 * earliest time and whether its records are sorted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file-private.h"
#include "etl/ns-etl-sequence.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* Number of buffers that are requested in advance; several at once, because waking a thread takes
 * as long as processing some hundred records. */
#define LEAST_AHEAD 8
#define MOST_AHEAD 24

/* Times of one processor's records so far. */
typedef struct
{
  guint64 min_raw;
  guint64 max_raw;
  gboolean is_begun;
} Stream;

typedef struct
{
  NsEtlWalk *walk;
  NsEtlFile *file;
  GArray *streams;        /* (element-type Stream): by processor */
  guint ahead;            /* index after the last requested buffer */
  gboolean is_accounting; /* the first pass, which fills the report */
} FileWalk;

/* Times of one buffer's records. */
typedef struct
{
  guint64 min_raw;
  guint64 max_raw;
  guint64 last_raw;
  guint64 stream_max;
  guint64 back_from_raw; /* the largest step back; both 0: none */
  guint64 back_to_raw;
  guint n_records;
  guint n_below_stream; /* number of records earlier than a previous one of this processor */
  guint n_below_buffer; /* number of records earlier than a previous one in this buffer */
} Times;

/**
 * ns_etl_walk_set_no_memory:
 * @file: a trace with too many buffers for the available memory
 * @error: return location
 *
 * Sets the error.
 */
void
ns_etl_walk_set_no_memory (const NsEtlFile *file, GError **error)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_LIMIT,
               ngettext ("%s has %u buffer, which exceeds the available memory; close other "
                         "programs, or record with larger buffers",
                         "%s has %u buffers, which exceeds the available memory; close other "
                         "programs, or record with larger buffers",
                         file->layout.n_buffers),
               file->path,
               file->layout.n_buffers);
}

/**
 * ns_etl_walk_first_raw:
 * @file: a file
 * @buffer: one of its buffers
 * @fallback: result if no record in it has a time
 *
 * Returns: the first time in a buffer, which also applies to preceding records without a time
 */
guint64
ns_etl_walk_first_raw (const NsEtlFile *file, const NsEtlBuffer *buffer, guint64 fallback)
{
  gsize pos = NS_ETL_BUFFER_HEADER_SIZE;
  NsEtlStepKind kind;
  NsEtlStep step;

  while ((kind = ns_etl_parse_step (buffer->data, buffer->end, pos, &step)) <= NS_ETL_STEP_UNKNOWN)
    {
      if (kind == NS_ETL_STEP_RECORD && step.has_time)
        return step.raw;
      pos = ns_etl_step_next (&step);
    }
  return fallback;
}

static inline void
add_time (Times *times, guint64 raw)
{
  if (raw < times->stream_max)
    {
      times->n_below_stream++;
      if (times->stream_max - raw > times->back_from_raw - times->back_to_raw)
        {
          times->back_from_raw = times->stream_max;
          times->back_to_raw = raw;
        }
    }
  else
    times->stream_max = raw;
  if (raw < times->max_raw)
    {
      times->n_below_buffer++;
      times->min_raw = MIN (times->min_raw, raw);
    }
  else
    times->max_raw = raw;
  times->last_raw = raw;
}

/* Stores the time for records without one, so that a reader gets the same time while the buffer is
 * being walked. */
static void
store_fallback (NsEtlFile *file, const NsEtlBuffer *buffer, guint64 raw)
{
  NsEtlEntry *entry = &file->entries[buffer->index];

  entry->n_records = 1;
  entry->min_raw = raw;
}

/* Stores the largest step back in time. Implausible times do not count, nor do files of a single
 * stream, whose buffers overlap. */
static void
store_step_back (FileWalk *self, const Times *times)
{
  NsEtlReport *report = &self->file->report;
  guint64 from_raw = times->back_from_raw;

  if ((self->file->header.mode & NS_ETL_MODE_NO_PER_PROCESSOR) != 0 ||
      from_raw - times->back_to_raw <= report->back_from_raw - report->back_to_raw ||
      !ns_etl_file_is_inside (self->file, from_raw) ||
      !ns_etl_file_is_inside (self->file, times->back_to_raw))
    return;
  report->back_from_raw = from_raw;
  report->back_to_raw = times->back_to_raw;
}

static void
note_buffer (FileWalk *self, const NsEtlBuffer *buffer, const Times *times)
{
  NsEtlEntry *entry = &self->file->entries[buffer->index];
  NsEtlReport *report = &self->file->report;
  Stream *stream = &g_array_index (self->streams, Stream, buffer->cpu);

  entry->cpu = buffer->cpu;
  entry->has_header = TRUE;
  entry->n_records = times->n_records;
  entry->min_raw = times->min_raw;
  entry->max_raw = times->max_raw;
  entry->is_sorted = times->n_below_buffer == 0;
  entry->sequence = buffer->sequence;
  entry->is_numbered = buffer->type != NS_ETL_BUFFER_HEADER && buffer->damage == NULL;
  ns_etl_report_add_buffer (report,
                            buffer->cpu,
                            (buffer->flags & (NS_ETL_FLAG_EVENTS_LOST | NS_ETL_FLAG_BUFFER_LOST)) !=
                                0,
                            times->n_records,
                            times->min_raw,
                            times->max_raw);
  if (times->n_records == 0)
    return;

  /* Where a circular file wraps around, time steps back once, which is correct. */
  if (stream->is_begun && (self->file->header.mode & NS_ETL_MODE_CIRCULAR) != 0 &&
      times->max_raw < stream->min_raw)
    {
      report->n_out_of_order += times->n_below_buffer;
      stream->max_raw = times->max_raw;
      stream->min_raw = times->min_raw;
      return;
    }
  report->n_out_of_order += times->n_below_stream;
  store_step_back (self, times);
  stream->max_raw = times->stream_max;
  stream->min_raw = stream->is_begun ? MIN (stream->min_raw, times->min_raw) : times->min_raw;
  stream->is_begun = TRUE;
}

static void
note_bad_items (FileWalk *self, const NsEtlBuffer *buffer, const NsEtlStep *step)
{
  NsEtlReport *report = &self->file->report;
  gboolean is_packed = (buffer->flags & NS_ETL_FLAG_COMPRESSED) != 0;

  if (self->file->is_parsed)
    return;
  report->n_bad_items++;
  ns_etl_report_add (report,
                     buffer->offset + (is_packed ? 0 : step->pos),
                     step->kind == NS_RECORD_MESSAGE
                         ? N_ ("fields of a message that run past it")
                         : N_ ("extended items that run past their record"));
}

static gboolean
hand_out (FileWalk *self, const NsEtlBuffer *buffer, const NsEtlStep *step, guint64 raw)
{
  NsEtlFile *file = self->file;
  NsRecord record;

  record.raw = raw;
  record.ref.buffer = file->first_buffer + buffer->index;
  record.ref.offset = (guint32) step->pos;
  record.cpu = buffer->cpu;
  if (G_UNLIKELY (!ns_etl_parse_record (&file->parser, buffer->data, step, &record)))
    note_bad_items (self, buffer, step);
  file->report.n_records++;
  return self->walk->func (&record, self->walk->user_data);
}

/* Reports how the records of a buffer ended. */
static void
account_end (FileWalk *self, const NsEtlBuffer *buffer, NsEtlStepKind kind, gsize pos)
{
  NsEtlReport *report = &self->file->report;
  gboolean is_packed = (buffer->flags & NS_ETL_FLAG_COMPRESSED) != 0;
  gsize left = pos < buffer->end ? buffer->end - pos : 0;

  if (buffer->damage != NULL || (kind == NS_ETL_STEP_BAD || left > 0))
    report->n_damaged++;
  if (buffer->damage != NULL)
    {
      ns_etl_report_add (report, buffer->offset, buffer->damage);
      report->n_bytes_dropped += buffer->n_dropped;
    }
  if (left == 0)
    return;

  report->n_bytes_dropped += left;
  if (kind == NS_ETL_STEP_BAD || buffer->damage == NULL)
    ns_etl_report_add (
        report,
        buffer->offset + (is_packed ? 0 : pos),
        kind == NS_ETL_STEP_BAD
            ? N_ ("there is no valid record here: the rest of the buffer is left out")
            : N_ ("the records of a buffer end before its fill mark"));
}

static gboolean
walk_buffer (FileWalk *self, const NsEtlBuffer *buffer)
{
  gsize pos = NS_ETL_BUFFER_HEADER_SIZE;
  gsize end = buffer->end;
  gboolean has_func = self->walk->func != NULL;
  gboolean is_packed = (buffer->flags & NS_ETL_FLAG_COMPRESSED) != 0;
  gboolean is_head_only = self->file->entries[buffer->index].is_head_only;
  Times times = { .min_raw = G_MAXUINT64 };
  NsEtlStepKind kind;
  NsEtlStep step;
  Stream *stream;

  if (buffer->cpu >= self->streams->len)
    g_array_set_size (self->streams, buffer->cpu + 1u);
  stream = &g_array_index (self->streams, Stream, buffer->cpu);
  times.stream_max = stream->is_begun ? stream->max_raw : 0;

  while ((kind = ns_etl_parse_step (buffer->data, end, pos, &step)) <= NS_ETL_STEP_UNKNOWN)
    {
      pos = ns_etl_step_next (&step);
      if (G_UNLIKELY (kind == NS_ETL_STEP_UNKNOWN))
        {
          self->file->report.n_unknown_kind += self->is_accounting;
          continue;
        }
      if (G_UNLIKELY (times.n_records == 0))
        {
          guint64 fallback = stream->is_begun ? stream->max_raw : self->file->header.base_raw;

          if (!self->is_accounting) /* the result of the first pass */
            fallback = self->file->entries[buffer->index].min_raw;
          times.last_raw =
              step.has_time ? step.raw : ns_etl_walk_first_raw (self->file, buffer, fallback);
          times.min_raw = times.last_raw;
          times.max_raw = times.last_raw;
          if (self->is_accounting)
            store_fallback (self->file, buffer, times.last_raw);
        }
      times.n_records++;
      if (G_LIKELY (step.has_time))
        {
          add_time (&times, step.raw);
          if (self->is_accounting)
            ns_etl_bounds_learn (&self->file->bounds,
                                 step.raw,
                                 buffer->offset + (is_packed ? 0 : step.pos));
        }
      if (has_func && !hand_out (self, buffer, &step, times.last_raw))
        return FALSE;
      if (G_UNLIKELY (is_head_only))
        return TRUE;
    }

  if (self->is_accounting)
    {
      note_buffer (self, buffer, &times);
      account_end (self, buffer, kind, pos);
    }
  return TRUE;
}

/* Counts a buffer; TRUE: it can have records. */
static gboolean
account_begin (FileWalk *self, const NsEtlBuffer *buffer)
{
  NsEtlReport *report = &self->file->report;

  if (!self->is_accounting)
    return buffer->state == NS_ETL_BUFFER_READY;

  if (buffer->state == NS_ETL_BUFFER_EMPTY)
    {
      report->n_empty++;
      return FALSE;
    }
  report->n_buffers++;
  if (buffer->state == NS_ETL_BUFFER_LOST)
    {
      report->n_damaged++;
      report->n_bytes_dropped += buffer->n_dropped;
      ns_etl_report_add (report, buffer->offset, buffer->damage);
      return FALSE;
    }
  report->n_compressed += (buffer->flags & NS_ETL_FLAG_COMPRESSED) != 0;
  report->n_flag_events_lost += (buffer->flags & NS_ETL_FLAG_EVENTS_LOST) != 0;
  report->n_flag_buffer_lost += (buffer->flags & NS_ETL_FLAG_BUFFER_LOST) != 0;
  return TRUE;
}

static void
account_file (NsEtlFile *file)
{
  NsEtlReport *report = &file->report;
  const NsEtlLayout *layout = &file->layout;

  if (!file->has_clock)
    ns_etl_report_add (report,
                       NS_ETL_BUFFER_HEADER_SIZE,
                       N_ ("the trace does not specify its clock frequency: 10 MHz is assumed"));
  if (ns_etl_bounds_are_believed (&file->bounds))
    {
      g_autofree char *what =
          g_strdup_printf (_ ("records whose time lies far outside the session, from here on: "
                              "%" PRIu64),
                           file->bounds.n_strays);

      report->n_strays = file->bounds.n_strays;
      ns_etl_report_add (report, file->bounds.first_stray, what);
    }
  if (ns_etl_source_get_damage (file->source) != NULL)
    ns_etl_report_add (report, layout->file_size, ns_etl_source_get_damage (file->source));
  if (layout->stop != NULL)
    {
      guint64 left = layout->file_size - layout->end;

      report->n_bytes_dropped += left;
      report->n_damaged += left >= NS_ETL_BUFFER_HEADER_SIZE;
      ns_etl_report_add (report, layout->end, layout->stop);
    }
}

/* Walks one buffer. */
static NsEtlWalkResult
walk_at (FileWalk *self, guint i, GError **error)
{
  guint n_buffers = self->file->layout.n_buffers;
  NsEtlBuffer *buffer;
  gboolean goes_on = TRUE;

  self->ahead = MAX (self->ahead, i);
  if (self->ahead < i + LEAST_AHEAD)
    for (; self->ahead < n_buffers && self->ahead < i + MOST_AHEAD; self->ahead++)
      ns_etl_walk_request (self->walk, self->file, self->ahead);
  buffer = ns_etl_walk_take (self->walk, self->file, i, error);
  if (buffer == NULL)
    return NS_ETL_WALK_FAILED;
  if (account_begin (self, buffer) && !self->file->entries[i].is_twin)
    goes_on = walk_buffer (self, buffer);
  ns_etl_walk_give_back (self->walk, buffer);
  return goes_on ? NS_ETL_WALK_DONE : NS_ETL_WALK_STOPPED;
}

/* Begins the walk over one file, or one input of a case. */
static gboolean
begin_part (FileWalk *self, NsEtlWalk *walk, NsEtlFile *file, GError **error)
{
  *self = (FileWalk){ .walk = walk, .file = file, .is_accounting = !file->is_stepped };
  /* The number of buffers comes from the file: it can be arbitrarily large. */
  if (file->entries == NULL)
    file->entries = g_try_new0 (NsEtlEntry, MAX (file->layout.n_buffers, 1));
  if (file->entries == NULL)
    {
      ns_etl_walk_set_no_memory (file, error);
      return FALSE;
    }
  if (self->is_accounting)
    {
      ns_etl_report_reset (&file->report);
      file->is_parsed = FALSE;
      ns_etl_bounds_init (&file->bounds, &file->own_clock, &file->header);
    }
  else if (!file->is_parsed)
    {
      file->report.n_bad_items = 0;
      g_ptr_array_set_size (file->report.damage, (int) file->n_step_damage);
    }
  file->report.n_records = 0;
  self->streams = g_array_new (FALSE, TRUE, sizeof (Stream));
  return TRUE;
}

/* Ends the walk over one file. */
static void
end_part (FileWalk *self)
{
  NsEtlFile *file = self->file;

  if (self->is_accounting)
    {
      account_file (file);
      ns_etl_sequence_check (file);
      file->n_step_damage = file->report.damage->len;
    }
  file->is_stepped = TRUE;
  file->is_parsed = file->is_parsed || self->walk->func != NULL;
}

static void
clear_part (FileWalk *self)
{
  g_clear_pointer (&self->streams, g_array_unref);
}

static NsEtlWalkResult
walk_part (NsEtlWalk *self, NsEtlFile *file, GError **error)
{
  NsEtlWalkResult result = NS_ETL_WALK_DONE;
  guint n_buffers = file->layout.n_buffers;
  FileWalk walk;
  guint i;

  if (!begin_part (&walk, self, file, error))
    return NS_ETL_WALK_FAILED;
  for (i = 0; i < n_buffers && result == NS_ETL_WALK_DONE; i++)
    {
      result = walk_at (&walk, i, error);
      if (result == NS_ETL_WALK_DONE &&
          !ns_etl_walk_report_progress (self, (i + 1.0) / n_buffers, error))
        result = NS_ETL_WALK_FAILED;
    }
  if (result == NS_ETL_WALK_DONE)
    end_part (&walk);
  clear_part (&walk);
  return result;
}

/* Walks the inputs one after another. */
static NsEtlWalkResult
walk_parts (NsEtlWalk *self, GError **error)
{
  NsEtlWalkResult result = NS_ETL_WALK_DONE;
  guint n_parts = ns_etl_file_count_parts (self->file);
  double begin = self->begin;
  double part = (self->end - self->begin) / n_parts;
  guint i;

  for (i = 0; i < n_parts && result == NS_ETL_WALK_DONE; i++)
    {
      self->begin = begin + i * part;
      self->end = self->begin + part;
      result = walk_part (self, ns_etl_file_get_part (self->file, i), error);
    }
  self->begin = begin;
  self->end = begin + n_parts * part;
  return result;
}

/* A buffer of a case. @sequence: the highest number so far in its file. */
typedef struct
{
  guint64 sequence;
  NsEtlFile *file;
  guint index;
} WrittenBuffer;

static int
compare_written (gconstpointer a, gconstpointer b)
{
  const WrittenBuffer *turn_a = a;
  const WrittenBuffer *turn_b = b;

  if (turn_a->file->session != turn_b->file->session)
    return turn_a->file->session < turn_b->file->session ? -1 : 1;
  if (turn_a->sequence != turn_b->sequence)
    return turn_a->sequence < turn_b->sequence ? -1 : 1;
  if (turn_a->file != turn_b->file)
    return turn_a->file->number < turn_b->file->number ? -1 : 1;
  return turn_a->index < turn_b->index ? -1 : turn_a->index > turn_b->index;
}

/* Returns all buffers in the order in which their sessions wrote them; (transfer full) (nullable):
 * out of memory. */
static WrittenBuffer *
list_written_order (NsEtlFile *self, guint *n_turns)
{
  WrittenBuffer *turns = g_try_new (WrittenBuffer, MAX (self->layout.n_buffers, 1));
  guint n = 0;
  guint i;
  guint k;

  for (i = 0; turns != NULL && i < self->inputs->len; i++)
    {
      NsEtlFile *part = ns_etl_file_get_part (self, i);
      guint64 sequence = 0;

      for (k = 0; k < part->layout.n_buffers; k++)
        {
          if (part->entries[k].is_numbered && part->entries[k].n_records > 0)
            sequence = MAX (sequence, part->entries[k].sequence);
          turns[n++] = (WrittenBuffer){ sequence, part, k };
        }
    }
  if (turns != NULL)
    qsort (turns, n, sizeof *turns, compare_written);
  *n_turns = n;
  return turns;
}

/* Walks the buffers in the order that a single file per session would have. */
static NsEtlWalkResult
walk_in_written_order (NsEtlWalk *self, GError **error)
{
  NsEtlFile *file = self->file;
  guint n_turns = 0;
  g_autofree WrittenBuffer *turns = list_written_order (file, &n_turns);
  g_autofree FileWalk *walks = g_new0 (FileWalk, file->inputs->len);
  NsEtlWalkResult result = turns != NULL ? NS_ETL_WALK_DONE : NS_ETL_WALK_FAILED;
  guint i;

  if (turns == NULL)
    ns_etl_walk_set_no_memory (file, error);
  for (i = 0; i < file->inputs->len && result == NS_ETL_WALK_DONE; i++)
    if (!begin_part (&walks[i], self, ns_etl_file_get_part (file, i), error))
      result = NS_ETL_WALK_FAILED;
  for (i = 0; i < n_turns && result == NS_ETL_WALK_DONE; i++)
    {
      result = walk_at (&walks[turns[i].file->number], turns[i].index, error);
      if (result == NS_ETL_WALK_DONE &&
          !ns_etl_walk_report_progress (self, (i + 1.0) / n_turns, error))
        result = NS_ETL_WALK_FAILED;
    }
  for (i = 0; i < file->inputs->len; i++)
    {
      if (result == NS_ETL_WALK_DONE)
        end_part (&walks[i]);
      clear_part (&walks[i]);
    }
  return result;
}

/**
 * ns_etl_walk_in_file_order:
 * @self: a walk
 * @error: return location
 *
 * Walks buffer by buffer. The first walk over a case takes one input after another, later ones the
 * order in which the sessions wrote the buffers.
 *
 * Returns: how it ended
 */
NsEtlWalkResult
ns_etl_walk_in_file_order (NsEtlWalk *self, GError **error)
{
  NsEtlFile *file = self->file;
  NsEtlWalkResult result;

  /* Results that depend on the order of buffers must be the same for one file and for several. */
  if (file->inputs != NULL && file->is_stepped && self->func != NULL)
    result = walk_in_written_order (self, error);
  else
    result = walk_parts (self, error);
  if (file->inputs != NULL && result == NS_ETL_WALK_DONE)
    ns_etl_join_end_step (file);
  return result;
}

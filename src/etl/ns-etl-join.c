/* Joins several files into one trace, a case.
 *
 * Each input remains a file with its own header, buffers and report. The inputs share provider
 * numbers, one clock, and buffer numbers, which continue from input to input. Callers see one file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file-private.h"
#include "etl/ns-etl-header.h"
#include "etl/ns-etl-sequence.h"
#include "etl/ns-etl-twins.h"

#include <glib/gi18n-lib.h>

/* Maximum difference of boot times that sessions of the same boot report. */
#define BOOT_TICKS (2 * NS_TICKS_PER_SECOND)
/* Resolution of the system clock if the trace lacks it: 15.6 ms. */
#define DEFAULT_RESOLUTION 156250
/* Maximum number of inputs. */
#define MAX_INPUTS 1024
#define MAX_BUFFERS (G_MAXUINT32 / 2)

static gboolean
differ_when_shown (guint64 a, guint64 b)
{
  return a != 0 && b != 0 && a != b;
}

/* Returns whether the traces name different computers. */
gboolean
ns_etl_file_has_other_name (NsEtlFile *self, NsEtlFile *other)
{
  const char *name = ns_etl_file_get_machine (self);
  const char *other_name = ns_etl_file_get_machine (other);

  return name != NULL && other_name != NULL && g_ascii_strcasecmp (name, other_name) != 0;
}

/**
 * ns_etl_file_is_same_boot:
 * @self: a trace
 * @other: another trace
 * @why: (out) (transfer full): the reason, one translated line without a full stop
 *
 * Returns: whether both were recorded during the same boot of the same computer, as far as they
 *   record it
 */
gboolean
ns_etl_file_is_same_boot (NsEtlFile *self, NsEtlFile *other, char **why)
{
  const NsEtlHeader *a = &self->header;
  const NsEtlHeader *b = &other->header;
  guint64 apart =
      MAX (a->boot_filetime, b->boot_filetime) - MIN (a->boot_filetime, b->boot_filetime);

  if (self->is_capture || other->is_capture)
    {
      *why = g_strdup (_ ("a packet capture, aligned by the time of day"));
      return TRUE;
    }
  if (ns_etl_file_has_other_name (self, other))
    *why = g_strdup_printf (_ ("another computer: %s, not %s"),
                            ns_etl_file_get_machine (other),
                            ns_etl_file_get_machine (self));
  else if (differ_when_shown (a->os_build, b->os_build))
    *why = g_strdup_printf (_ ("another build of Windows: %u, not %u"), b->os_build, a->os_build);
  else if (differ_when_shown (a->n_processors, b->n_processors))
    *why = g_strdup_printf (_ ("another number of processors: %u, not %u"),
                            b->n_processors,
                            a->n_processors);
  else if (self->parser.clock.kind == NS_CLOCK_QPC && other->parser.clock.kind == NS_CLOCK_QPC &&
           differ_when_shown (a->frequency, b->frequency))
    *why = g_strdup (_ ("a clock of another frequency"));
  else if (a->boot_filetime != 0 && b->boot_filetime != 0 && apart > BOOT_TICKS)
    *why = g_strdup (_ ("another boot of the computer"));
  else
    {
      *why = g_strdup (a->boot_filetime != 0 && b->boot_filetime != 0
                           ? _ ("the same boot of the computer")
                           : _ ("the same build, processors and clock"));
      return TRUE;
    }
  return FALSE;
}

/* Returns whether both files have the same kind of clock, so that their raw times are
 * comparable. */
static gboolean
has_same_clock (const NsEtlFile *self, const NsEtlFile *other)
{
  const NsEtlClock *a = &self->read_clock;
  const NsEtlClock *b = &other->read_clock;

  return a->kind == b->kind && a->frequency == b->frequency &&
         self->is_capture == other->is_capture;
}

/* Returns whether raw times of both files are on one scale. */
static gboolean
has_same_scale (const NsEtlFile *self, const NsEtlFile *other)
{
  return has_same_clock (self, other) && self->offset_ns == other->offset_ns;
}

/* Returns the input that began first; times count from there. */
static NsEtlFile *
find_first (const GPtrArray *files)
{
  NsEtlFile *first = g_ptr_array_index (files, 0);
  guint i;

  for (i = 1; i < files->len; i++)
    {
      NsEtlFile *file = g_ptr_array_index (files, i);
      gboolean is_earlier = has_same_scale (file, first)
                                ? file->own_clock.base < first->own_clock.base
                                : file->own_clock.start_filetime < first->own_clock.start_filetime;

      if (is_earlier)
        first = file;
    }
  return first;
}

/* Adds a session counter of input @number to the header of the case. Each file of a session holds
 * the counter of the whole session so far, so only the increase counts. */
static void
add_session_count (NsEtlFile *self, guint number, gsize member)
{
  const NsEtlFile *file = g_ptr_array_index (self->inputs, number);
  guint32 count = G_STRUCT_MEMBER (guint32, &file->header, member);
  guint32 *sum = &G_STRUCT_MEMBER (guint32, &self->header, member);
  guint32 recorded = 0;
  guint i;

  for (i = 0; i < number; i++)
    {
      const NsEtlFile *other = g_ptr_array_index (self->inputs, i);

      if (ns_etl_join_is_same_session (file, other))
        recorded = MAX (recorded, G_STRUCT_MEMBER (guint32, &other->header, member));
    }
  if (count > recorded)
    *sum += MIN (count - recorded, G_MAXUINT32 - *sum);
}

/* Copies the properties of the computer from the first input that is not a capture. Returns %FALSE
 * if all are captures. */
static gboolean
take_system (NsEtlHeader *header, const GPtrArray *inputs)
{
  guint i;

  for (i = 0; i < inputs->len; i++)
    {
      const NsEtlFile *file = g_ptr_array_index (inputs, i);

      if (file->is_capture)
        continue;
      header->os_build = file->header.os_build;
      header->boot_filetime = file->header.boot_filetime;
      header->pointer_size = file->header.pointer_size;
      header->zone = file->header.zone;
      return TRUE;
    }
  return FALSE;
}

/* Adds an offset to a wall-clock time; 0 stays 0. */
static guint64
add_to_filetime (guint64 filetime, gint64 offset_ns)
{
  gint64 ticks = offset_ns / 100;

  if (filetime == 0 || (ticks < 0 && filetime <= (guint64) -ticks))
    return filetime == 0 ? 0 : 1;
  return filetime + (guint64) ticks;
}

static void
join_header (NsEtlFile *self, const NsEtlFile *first)
{
  NsEtlHeader *header = &self->header;
  gboolean is_closed = TRUE;
  guint i;

  *header = first->header;
  header->session = g_strdup (first->header.session);
  header->log_file = g_strdup (first->header.log_file);
  header->timezone_standard = g_strdup (first->header.timezone_standard);
  header->timezone_daylight = g_strdup (first->header.timezone_daylight);
  header->events_lost = 0;
  header->buffers_lost = 0;
  header->buffers_written = 0;
  header->start_filetime = first->own_clock.start_filetime;
  for (i = 0; i < self->inputs->len; i++)
    {
      const NsEtlFile *file = g_ptr_array_index (self->inputs, i);
      const NsEtlHeader *one = &file->header;

      is_closed = is_closed && one->end_filetime != 0;
      header->end_filetime =
          MAX (header->end_filetime, add_to_filetime (one->end_filetime, file->offset_ns));
      header->start_filetime =
          MIN (header->start_filetime, add_to_filetime (one->start_filetime, file->offset_ns));
      header->n_processors = MAX (header->n_processors, one->n_processors);
      header->buffer_size = MAX (header->buffer_size, one->buffer_size);
      add_session_count (self, i, offsetof (NsEtlHeader, events_lost));
      add_session_count (self, i, offsetof (NsEtlHeader, buffers_lost));
      add_session_count (self, i, offsetof (NsEtlHeader, buffers_written));
    }
  if (!is_closed)
    header->end_filetime = 0;
  self->is_capture = first->is_capture && !take_system (header, self->inputs);
}

/* Makes the companions of an input those of the case. */
static void
adopt_companions (NsEtlFile *self, const NsEtlFile *file)
{
  guint i;

  for (i = 0; i < NS_ETL_N_COMPANIONS; i++)
    if (self->companions[i] == NULL && file->companions[i] != NULL)
      {
        self->companions[i] = g_bytes_ref (file->companions[i]);
        self->is_companion_cut[i] = file->is_companion_cut[i];
      }
  self->archive_rest = MAX (self->archive_rest, file->archive_rest);
}

/* Returns the first input of the same session, which may be @number itself. */
static guint
find_session (const NsEtlFile *self, guint number)
{
  const NsEtlFile *file = g_ptr_array_index (self->inputs, number);
  guint i;

  for (i = 0; i < number; i++)
    if (ns_etl_join_is_same_session (g_ptr_array_index (self->inputs, i), file))
      break;
  return i;
}

/* Numbers an input, its buffers and its bytes within the case, and takes its companions. Fails if
 * the case has too many buffers. */
static gboolean
adopt (NsEtlFile *self, NsEtlFile *file, guint number, GError **error)
{
  NsEtlLayout *layout = &self->layout;

  if (file->layout.n_buffers > MAX_BUFFERS - layout->n_buffers)
    {
      g_set_error (
          error,
          NS_TRACE_ERROR,
          NS_TRACE_ERROR_LIMIT,
          _ ("the files together have more buffers than are supported; open fewer files at once"));
      return FALSE;
    }
  file->number = number;
  file->read_clock = file->own_clock;
  file->read_base = file->header.base_raw;
  file->session = find_session (self, number);
  file->first_buffer = layout->n_buffers;
  file->first_byte = layout->file_size;
  adopt_companions (self, file);
  layout->n_buffers += file->layout.n_buffers;
  layout->file_size += file->layout.file_size;
  layout->end = layout->file_size;
  layout->buffer_size = MAX (layout->buffer_size, file->layout.buffer_size);
  layout->max_filled = MAX (layout->max_filled, file->layout.max_filled);
  layout->is_compressed = layout->is_compressed || file->layout.is_compressed;

  ns_etl_providers_free (file->providers);
  file->providers = self->providers;
  file->parser.providers = self->providers;
  self->has_clock = self->has_clock && file->has_clock;
  return TRUE;
}

/* Makes an input use the clock of the case. If their scales differ, times are converted when
 * buffers are read. */
static void
take_clock (NsEtlFile *self, NsEtlFile *file, const NsEtlFile *first)
{
  if (has_same_scale (file, first))
    file->uncertainty_ns = 0;
  else
    {
      guint32 resolution = MAX (file->header.timer_resolution, first->header.timer_resolution);

      ns_etl_scale_init (&file->scale, &file->own_clock, &self->parser.clock);
      file->layout.scale = &file->scale;
      file->header.base_raw = ns_etl_scale_convert (&file->scale, file->header.base_raw);
      file->own_clock.base = ns_etl_scale_convert (&file->scale, file->own_clock.base);
      file->own_clock.frequency = self->parser.clock.frequency;
      file->uncertainty_ns = (gint64) (resolution != 0 ? resolution : DEFAULT_RESOLUTION) * 100;
    }
  file->parser.clock = self->parser.clock;
}

/* Converts all inputs to the clock of the one that began first. */
static void
join_clocks (NsEtlFile *self)
{
  const NsEtlFile *first;
  guint i;

  for (i = 0; i < self->inputs->len; i++)
    {
      NsEtlFile *file = g_ptr_array_index (self->inputs, i);

      file->own_clock = file->read_clock;
      file->own_clock.start_filetime =
          add_to_filetime (file->read_clock.start_filetime, file->offset_ns);
      file->header.base_raw = file->read_base;
      file->layout.scale = NULL;
    }
  first = find_first (self->inputs);
  self->parser = first->parser;
  self->parser.providers = self->providers;
  self->parser.clock = first->own_clock;
  self->own_clock = first->own_clock;
  g_free (self->path);
  self->path = g_strdup (first->path);
  ns_etl_header_clear (&self->header);
  join_header (self, first);
  self->parser.pointer_size = self->header.pointer_size;
  for (i = 0; i < self->inputs->len; i++)
    take_clock (self, g_ptr_array_index (self->inputs, i), first);
}

/**
 * ns_etl_file_join:
 * @files: (transfer none) (element-type NsEtlFile): traces of one computer that were not walked
 *   yet; the function removes each from the array and takes ownership of it, even on failure
 * @error: return location
 *
 * Joins several files into one trace, in one order of time.
 *
 * Returns: (transfer full) (nullable): the case, or a single file itself; %NULL with @error set if
 *   it failed
 */
NsEtlFile *
ns_etl_file_join (GPtrArray *files, GError **error)
{
  g_autoptr (NsEtlFile) self = NULL;
  guint i;

  if (files->len == 1)
    return g_ptr_array_steal_index (files, 0);
  if (files->len > MAX_INPUTS)
    {
      g_set_error (
          error,
          NS_TRACE_ERROR,
          NS_TRACE_ERROR_LIMIT,
          ngettext ("%u file is more than the %u that are read as one; open fewer at once",
                    "%u files are more than the %u that are read as one; open fewer at once",
                    files->len),
          files->len,
          MAX_INPUTS);
      return NULL;
    }

  self = g_new0 (NsEtlFile, 1);
  ns_etl_report_init (&self->report);
  self->inputs = g_ptr_array_new ();
  while (files->len > 0)
    g_ptr_array_add (self->inputs, g_ptr_array_steal_index (files, 0));
  self->providers = ns_etl_providers_new ();
  self->has_clock = TRUE;
  for (i = 0; i < self->inputs->len; i++)
    if (!adopt (self, g_ptr_array_index (self->inputs, i), i, error))
      return NULL;
  join_clocks (self);
  return g_steal_pointer (&self);
}

/* Returns the input whose clock counts as that of the computer: the one that began first. Captures
 * are excluded, because another computer may have recorded them. */
static const NsEtlFile *
find_main (const NsEtlFile *self)
{
  const NsEtlFile *best = NULL;
  guint i;

  for (i = 0; i < self->inputs->len; i++)
    {
      const NsEtlFile *file = g_ptr_array_index (self->inputs, i);

      if (!file->is_capture &&
          (best == NULL || file->read_clock.start_filetime < best->read_clock.start_filetime))
        best = file;
    }
  return best;
}

static gboolean
can_shift (const NsEtlFile *self, const NsEtlFile *file)
{
  return file->is_capture || !has_same_clock (file, find_main (self));
}

/**
 * ns_etl_file_can_shift:
 * @self: a trace
 * @input: number of one of its files
 * @why: (out) (optional) (transfer full): why not, one line without a full stop
 *
 * Raw times of the same clock are exact relative to each other. Other files are placed by their
 * wall clocks, which may be wrong.
 *
 * Returns: whether the clock of the file can be corrected relative to the others
 */
gboolean
ns_etl_file_can_shift (const NsEtlFile *self, guint input, char **why)
{
  guint i;

  if (self->inputs == NULL)
    {
      if (why != NULL)
        *why = g_strdup (_ ("no other trace is open that its times could be aligned with"));
      return FALSE;
    }
  if (can_shift (self, g_ptr_array_index (self->inputs, input)))
    return TRUE;
  for (i = 0; why != NULL && i < self->inputs->len; i++)
    if (can_shift (self, g_ptr_array_index (self->inputs, i)))
      {
        const NsEtlFile *file = g_ptr_array_index (self->inputs, i);
        const char *path = file->member != NULL ? file->member : ns_etl_file_get_path (file);
        g_autofree char *name = g_path_get_basename (path);

        *why = g_strdup_printf (
            _ ("the clocks of other files are aligned with its clock; correct that of %s"),
            name);
        return FALSE;
      }
  if (why != NULL)
    *why = g_strdup (
        _ ("its raw times and those of the other files come from the same clock and are exact"));
  return FALSE;
}

/**
 * ns_etl_file_shift:
 * @self: a case that was not walked yet
 * @input: number of one of its files, for which ns_etl_file_can_shift() holds
 * @offset_ns: offset to add to its times
 *
 * Corrects the clock of one file relative to the others.
 */
void
ns_etl_file_shift (NsEtlFile *self, guint input, gint64 offset_ns)
{
  NsEtlFile *file;

  g_return_if_fail (ns_etl_file_can_shift (self, input, NULL));

  file = g_ptr_array_index (self->inputs, input);
  if (file->offset_ns == offset_ns)
    return;
  file->offset_ns = offset_ns;
  join_clocks (self);
}

/**
 * ns_etl_file_get_offset:
 * @self: an input of a case
 *
 * Returns: the offset added to its times, in nanoseconds
 */
gint64
ns_etl_file_get_offset (const NsEtlFile *self)
{
  return self->offset_ns;
}

static void
add_processors (NsEtlReport *to, const NsEtlReport *from)
{
  guint i;

  if (from->processors->len > to->processors->len)
    g_array_set_size (to->processors, from->processors->len);
  for (i = 0; i < from->processors->len; i++)
    {
      const NsEtlProcessor *one = &g_array_index (from->processors, NsEtlProcessor, i);
      NsEtlProcessor *sum = &g_array_index (to->processors, NsEtlProcessor, i);

      sum->n_losses += one->n_losses;
      if (one->n_records == 0)
        continue;
      sum->first_raw = sum->n_records == 0 ? one->first_raw : MIN (sum->first_raw, one->first_raw);
      sum->last_raw = MAX (sum->last_raw, one->last_raw);
      sum->n_records += one->n_records;
    }
}

static void
add_report (NsEtlFile *self, const NsEtlFile *file)
{
  NsEtlReport *to = &self->report;
  const NsEtlReport *from = &file->report;
  guint i;

  to->n_records += from->n_records;
  to->n_buffers += from->n_buffers;
  to->n_compressed += from->n_compressed;
  to->n_damaged += from->n_damaged;
  to->n_empty += from->n_empty;
  to->n_out_of_order += from->n_out_of_order;
  to->n_unknown_kind += from->n_unknown_kind;
  to->n_bad_items += from->n_bad_items;
  to->n_strays += from->n_strays;
  to->n_bytes_dropped += from->n_bytes_dropped;
  to->n_flag_events_lost += from->n_flag_events_lost;
  to->n_flag_buffer_lost += from->n_flag_buffer_lost;
  to->is_numbered = to->is_numbered && from->is_numbered;
  if (from->n_missing > 0)
    {
      to->missing_begin_raw = to->n_missing == 0
                                  ? from->missing_begin_raw
                                  : MIN (to->missing_begin_raw, from->missing_begin_raw);
      to->missing_end_raw = MAX (to->missing_end_raw, from->missing_end_raw);
      to->n_missing += from->n_missing;
    }
  if (from->back_from_raw - from->back_to_raw > to->back_from_raw - to->back_to_raw)
    {
      to->back_from_raw = from->back_from_raw;
      to->back_to_raw = from->back_to_raw;
    }
  add_processors (to, from);
  for (i = 0; i < from->losses->len && to->losses->len < NS_ETL_MAX_LOSSES; i++)
    g_array_append_val (to->losses, g_array_index (from->losses, NsEtlLoss, i));
  for (i = 0; i < from->missing->len && to->missing->len < NS_ETL_MAX_LOSSES; i++)
    g_array_append_val (to->missing, g_array_index (from->missing, NsEtlSequenceGap, i));
  for (i = 0; i < from->damage->len; i++)
    {
      const NsEtlDamage *damage = g_ptr_array_index (from->damage, i);

      ns_etl_report_add (to, file->first_byte + damage->offset, damage->what);
    }
}

/**
 * ns_etl_join_add_up:
 * @self: a case
 *
 * Sums the reports of the inputs up to the report of the case.
 */
void
ns_etl_join_add_up (NsEtlFile *self)
{
  guint i;

  ns_etl_report_reset (&self->report);
  self->report.is_numbered = TRUE;
  self->is_parsed = TRUE;
  for (i = 0; i < self->inputs->len; i++)
    {
      const NsEtlFile *file = g_ptr_array_index (self->inputs, i);

      add_report (self, file);
      self->is_parsed = self->is_parsed && file->is_parsed;
    }
}

/**
 * ns_etl_join_end_step:
 * @self: a case, after the first pass over all its inputs
 *
 * Finds duplicates between the inputs, the first time, and sums up their reports.
 */
void
ns_etl_join_end_step (NsEtlFile *self)
{
  if (!self->is_stepped)
    self->twins = ns_etl_twins_new (self);
  self->is_stepped = TRUE;
  ns_etl_sequence_check_case (self);
  ns_etl_join_add_up (self);
}

/**
 * ns_etl_file_get_n_inputs:
 * @self: a trace
 *
 * Returns: the number of files it is read from
 */
guint
ns_etl_file_get_n_inputs (const NsEtlFile *self)
{
  return ns_etl_file_count_parts (self);
}

/**
 * ns_etl_file_get_input:
 * @self: a trace
 * @input: number of one of its files
 *
 * Returns: (transfer none): that file
 */
const NsEtlFile *
ns_etl_file_get_input (const NsEtlFile *self, guint input)
{
  return self->inputs != NULL ? g_ptr_array_index (self->inputs, input) : self;
}

/**
 * ns_etl_file_get_n_duplicates:
 * @self: a trace, or one of its inputs
 *
 * Returns: the number of records that are skipped because another input has them, too
 */
guint64
ns_etl_file_get_n_duplicates (const NsEtlFile *self)
{
  guint64 n = self->n_duplicates;
  guint i;

  for (i = 0; self->inputs != NULL && i < self->inputs->len; i++)
    n += ((const NsEtlFile *) g_ptr_array_index (self->inputs, i))->n_duplicates;
  return n;
}

/**
 * ns_etl_file_get_session_of:
 * @self: a trace
 * @input: number of one of its files
 *
 * Returns: number of the first file of the same session
 */
guint
ns_etl_file_get_session_of (const NsEtlFile *self, guint input)
{
  return ns_etl_file_get_input (self, input)->session;
}

/**
 * ns_etl_file_share_clock:
 * @self: a trace
 * @a: number of one of its files
 * @b: number of another one
 *
 * Returns: whether raw times of both are on one scale, possibly after conversion to that of the
 *   case, so that equal times mean the same moment
 */
gboolean
ns_etl_file_share_clock (const NsEtlFile *self, guint a, guint b)
{
  const NsEtlFile *first = ns_etl_file_get_input (self, a);
  const NsEtlFile *second = ns_etl_file_get_input (self, b);
  const NsEtlScale *x = first->layout.scale;
  const NsEtlScale *y = second->layout.scale;

  if (x == NULL || y == NULL)
    return x == y;
  return first->read_clock.kind == second->read_clock.kind &&
         x->from_frequency == y->from_frequency && x->to_frequency == y->to_frequency &&
         x->from - x->to == y->from - y->to;
}

/**
 * ns_etl_file_get_clock_uncertainty:
 * @self: an input of a case
 *
 * Returns: maximum error of its times relative to the case, in nanoseconds; 0: exact
 */
gint64
ns_etl_file_get_clock_uncertainty (const NsEtlFile *self)
{
  return self->uncertainty_ns;
}

/**
 * ns_etl_file_align:
 * @self: a trace that was not walked yet
 * @alignment: the mapping to the clock of another machine
 *
 * Makes all its times those of the other clock.
 */
void
ns_etl_file_align (NsEtlFile *self, const NsEtlAlignment *alignment)
{
  guint i;

  ns_etl_clock_align (&self->parser.clock, alignment);
  for (i = 0; self->inputs != NULL && i < self->inputs->len; i++)
    ((NsEtlFile *) g_ptr_array_index (self->inputs, i))->parser.clock = self->parser.clock;
}

/**
 * ns_etl_file_set_title:
 * @self: a trace
 * @title: name of the machine that recorded it, if several machines are shown
 */
void
ns_etl_file_set_title (NsEtlFile *self, const char *title)
{
  g_free (self->title);
  self->title = g_strdup (title);
}

/**
 * ns_etl_file_get_title:
 * @self: a trace
 *
 * Returns: (transfer none) (nullable): name of the machine that recorded it, if several machines
 *   are shown
 */
const char *
ns_etl_file_get_title (const NsEtlFile *self)
{
  return self->title;
}

/* Builds a trace: walks the records twice, and passes each to the parts that listen to its
 * provider.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-pages.h"
#include "engine/build/ns-builder.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/trace/ns-event-index.h"
#include "engine/trace/ns-view-context.h"

/* Minimum time without records that counts as a gap: a running machine always has records. */
#define NS_SILENCE_NS NS_PER_SECOND
/* Minimum length of a long gap; long gaps are stored even if short ones fill the list
 * (MAX_SILENCES). */
#define NS_LONG_SILENCE_NS (5 * NS_PER_SECOND)
#define MAX_SILENCES 10000

/* Functions that listen to one provider; the index is the dense provider number. */
typedef struct
{
  gboolean is_known;
  GPtrArray *learn;     /* NsEventFunc */
  GPtrArray *apart;     /* NsEventFunc */
  GPtrArray *correlate; /* NsEventFunc */
  GPtrArray *beside;    /* NsEventFunc */
  NsAheadFunc ahead;    /* that of the first part with one */
  NsReadFunc read;      /* that of the first part with one */
  GPtrArray *stack;     /* NsHasStackFunc */
} Listeners;

typedef struct
{
  NsBuilder builder;
  const NsPart *const *parts; /* in call order: a part follows those that it depends on */
  guint n_parts;
  GPtrArray *apart_of_all; /* NsEventFunc */
  GPtrArray *prepare;      /* NsPrepareFunc */
  GPtrArray *each;         /* NsEventFunc */
  GArray *listeners;       /* element-type Listeners */
  GArray *apart;           /* listeners of the reading thread */
  gint64 last_ns;
  gint64 next_second_ns;
  NsProgressFunc progress;
  gpointer progress_data;
  double progress_from;
} Build;

static void
listeners_clear (gpointer data)
{
  Listeners *self = data;

  g_clear_pointer (&self->learn, g_ptr_array_unref);
  g_clear_pointer (&self->apart, g_ptr_array_unref);
  g_clear_pointer (&self->correlate, g_ptr_array_unref);
  g_clear_pointer (&self->beside, g_ptr_array_unref);
  g_clear_pointer (&self->stack, g_ptr_array_unref);
}

static GArray *
listeners_new (void)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (Listeners));

  g_array_set_clear_func (all, listeners_clear);
  return all;
}

/* Type-erased callback of a part. */
typedef void (*AnyFunc) (void);

static void
listen (GPtrArray **list, AnyFunc func)
{
  if (func == NULL)
    return;
  if (*list == NULL)
    *list = g_ptr_array_new ();
  g_ptr_array_add (*list, (gpointer) func);
}

/* Collects the listeners of a provider at its first record. */
static void
learn_provider (const Build *self, GArray *all, const NsRecord *record)
{
  Listeners *listeners;
  guint i;
  guint j;

  if (record->provider >= all->len)
    g_array_set_size (all, record->provider + 1);
  listeners = &g_array_index (all, Listeners, record->provider);
  listeners->is_known = TRUE;
  for (i = 0; i < self->n_parts; i++)
    for (j = 0; j < self->parts[i]->n_ops; j++)
      if (ns_guid_equal (&record->guid, &self->parts[i]->ops[j].guid))
        {
          const NsProviderOps *op = &self->parts[i]->ops[j];

          listen (&listeners->learn, (AnyFunc) (op->learn));
          listen (&listeners->apart, (AnyFunc) (op->apart));
          listen (&listeners->correlate, (AnyFunc) (op->correlate));
          listen (&listeners->stack, (AnyFunc) (op->has_stack));
          listen (&listeners->beside, (AnyFunc) (op->beside));
          if (listeners->ahead == NULL)
            listeners->ahead = op->ahead;
          if (listeners->read == NULL)
            listeners->read = op->read;
        }
}

static inline const Listeners *
listeners_of (const Build *self, GArray *all, const NsRecord *record)
{
  if (G_UNLIKELY (record->provider >= all->len ||
                  !g_array_index (all, Listeners, record->provider).is_known))
    learn_provider (self, all, record);
  return &g_array_index (all, Listeners, record->provider);
}

static inline void
report (Build *self, const GPtrArray *list, const NsRecord *record)
{
  guint i;

  if (list == NULL)
    return;
  for (i = 0; i < list->len; i++)
    ((NsEventFunc) list->pdata[i]) (&self->builder, record);
}

static gboolean
learn_record (const NsRecord *record, gpointer user_data)
{
  Build *self = user_data;

  report (self, listeners_of (self, self->listeners, record)->learn, record);
  return TRUE;
}

/* Calls the first-walk functions that share no state with others, in the reading thread. Most
 * records need no other function, and passing them to another thread would take longer than
 * reading them. */
static gboolean
learn_apart (const NsRecord *record, NsRecordTap *tap, gpointer user_data)
{
  Build *self = user_data;
  const Listeners *listeners = listeners_of (self, self->apart, record);

  report (self, self->apart_of_all, record);
  report (self, listeners->apart, record);
  return listeners->learn != NULL;
}

static gboolean
has_stack (const Listeners *listeners, const NsRecord *record)
{
  guint i;

  for (i = 0; listeners->stack != NULL && i < listeners->stack->len; i++)
    if (((NsHasStackFunc) listeners->stack->pdata[i]) (record))
      return TRUE;
  return FALSE;
}

/* Prepares a record in the reading thread: correlation takes longest, so that all independent
 * work is done here. Until the walk ends, no other thread reads the table of events and these
 * counts, or adds a stack. */
static gboolean
prepare_record (const NsRecord *record, NsRecordTap *tap, gpointer user_data)
{
  Build *self = user_data;
  const Listeners *listeners = listeners_of (self, self->apart, record);
  guint32 event = G_MAXUINT32;
  gboolean is_asked = FALSE;
  guint i;

  if (listeners->read != NULL)
    tap->n_bytes = listeners->read (record, tap->room);
  if (listeners->beside != NULL &&
      G_LIKELY (!ns_etl_file_is_stray (self->builder.trace->file, record->raw)))
    report (self, listeners->beside, record);
  if (self->builder.options.want_events)
    {
      NsTrace *trace = self->builder.trace;

      ns_trace_add_event (trace,
                          record->ref,
                          record->time_ns,
                          (guint16) record->provider,
                          record->id);
      event = trace->events->len - 1;
    }
  else
    is_asked = (record->flags & NS_RECORD_MANIFEST) != 0 && record->n_extended > 0 &&
               has_stack (listeners, record);
  for (i = 0; self->prepare != NULL && i < self->prepare->len; i++)
    tap->note |=
        ((NsPrepareFunc) self->prepare->pdata[i]) (&self->builder, record, event, is_asked);
  return TRUE;
}

/* Records a gap. Records are in time order; the time before the first one is not a gap. */
static void
note_silence (NsTrace *trace, gint64 time_ns)
{
  NsTimeSpan silence = { trace->end_ns, time_ns };
  guint max = time_ns - trace->end_ns < NS_LONG_SILENCE_NS ? MAX_SILENCES : 2 * MAX_SILENCES;

  if (trace->end_ns > 0 && trace->silences->len < max)
    g_array_append_val (trace->silences, silence);
}

/* Handles the first record of each second. */
static void
note_second (Build *self, gint64 time_ns)
{
  NsTrace *trace = self->builder.trace;

  if (time_ns - trace->end_ns >= NS_SILENCE_NS)
    note_silence (trace, time_ns);
  trace->n_loud_seconds++;
  self->next_second_ns = (time_ns / NS_PER_SECOND + 1) * NS_PER_SECOND;
}

/* Records which providers' events are used for correlation. */
static void
note_input (NsTrace *trace, const Listeners *listeners, const NsRecord *record)
{
  if (listeners->correlate != NULL || record->opcode != 0)
    ns_row_inputs_note (trace->row_inputs, record);
}

static gboolean
correlate_record (const NsRecord *record, gpointer user_data)
{
  Build *self = user_data;
  NsTrace *trace = self->builder.trace;
  const Listeners *listeners;

  ns_schemas_learn (trace->schemas, record);
  trace->n_records++;
  /* A record with a damaged time is counted, but does not extend the trace. */
  if (G_LIKELY (!ns_etl_file_is_stray (trace->file, record->raw)))
    {
      if (G_UNLIKELY (record->time_ns >= self->next_second_ns))
        note_second (self, record->time_ns);
      trace->end_ns = MAX (trace->end_ns, record->time_ns);
      listeners = listeners_of (self, self->listeners, record);
      if (G_UNLIKELY (trace->row_inputs != NULL))
        note_input (trace, listeners, record);
      report (self, listeners->correlate, record);
      report (self, self->each, record);
    }
  return TRUE;
}

static void
expect_record (const NsRecord *record, gboolean is_near, gpointer user_data)
{
  Build *self = user_data;
  NsAheadFunc ahead = listeners_of (self, self->listeners, record)->ahead;

  if (ahead != NULL)
    ahead (&self->builder, record, is_near);
}

/* Ranks records with equal raw times on different processors: pools, then threads, then manifest
 * events (stitching 3.2). */
static guint
rank_of_record (const NsRecord *record)
{
  static const NsGuid thread_pool = NS_GUID_THREAD_POOL;

  if ((record->flags & NS_RECORD_MANIFEST) != 0)
    return 3;
  if ((record->flags & NS_RECORD_GROUP) != 0)
    return record->group == 0x1c ? 1 : 2;
  return ns_guid_equal (&record->guid, &thread_pool) ? 1 : 2;
}

static gboolean
report_progress (double fraction, gpointer user_data)
{
  Build *self = user_data;

  return self->progress == NULL ||
         self->progress (self->progress_from + fraction / 2, self->progress_data);
}

static gboolean
run_walks (Build *self, GError **error)
{
  NsEtlFile *file = self->builder.trace->file;
  gboolean ok;
  guint i;

  ns_etl_file_set_tap (file, learn_apart, self);
  ok = ns_etl_file_walk (file,
                         NS_ETL_WALK_FILE_ORDER | NS_ETL_WALK_READ_AHEAD,
                         NULL,
                         learn_record,
                         self,
                         report_progress,
                         self,
                         error);
  ns_etl_file_set_tap (file, NULL, NULL);
  if (!ok)
    return FALSE;
  for (i = 0; i < self->n_parts; i++)
    if (self->parts[i]->learned != NULL)
      self->parts[i]->learned (&self->builder);

  self->progress_from = 0.5;
  ns_etl_file_set_tap (file, prepare_record, self);
  ns_etl_file_set_ahead (file, expect_record, self);
  ok = ns_etl_file_walk (file,
                         NS_ETL_WALK_TIME_ORDER | NS_ETL_WALK_READ_AHEAD,
                         rank_of_record,
                         correlate_record,
                         self,
                         report_progress,
                         self,
                         error);
  ns_etl_file_set_tap (file, NULL, NULL);
  ns_etl_file_set_ahead (file, NULL, NULL);
  return ok;
}

/* Computes the end of the last row: views need it at once, and should not read a million rows
 * for it. */
static void
find_end_of_rows (NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      gint64 close_ns = g_array_index (trace->activities, NsActivityRow, i).close_ns;

      if (ns_time_is_set (close_ns))
        trace->rows_end_ns = MAX (trace->rows_end_ns, close_ns);
    }
}

/**
 * ns_part_make_tables: (skip)
 * @self: a part
 * @trace: a trace without the tables of the part
 *
 * Creates the tables that the part writes, without rows.
 */
void
ns_part_make_tables (const NsPart *self, NsTrace *trace)
{
  guint i;

  for (i = 0; i < self->n_tables; i++)
    G_STRUCT_MEMBER (GArray *, trace, self->tables[i].offset) =
        ns_trace_make_table (trace, self->tables[i].row_bytes, self->tables[i].clear);
}

/* Creates the tables and the state of the parts, before any record. */
static void
start_parts (Build *self)
{
  guint i;

  for (i = 0; i < self->n_parts; i++)
    {
      const NsPart *part = self->parts[i];

      ns_part_make_tables (part, self->builder.trace);
      if (part->start != NULL)
        part->start (&self->builder);
      listen (&self->apart_of_all, (AnyFunc) part->apart);
      listen (&self->prepare, (AnyFunc) part->prepare);
      listen (&self->each, (AnyFunc) part->each);
    }
}

/* Writes the tables from the correlated records. */
static void
write_tables (Build *self)
{
  NsBuilder *builder = &self->builder;
  guint64 n_bytes = ns_etl_file_get_size (builder->trace->file);
  guint i;

  for (i = 0; i < self->n_parts; i++)
    if (self->parts[i]->number != NULL)
      self->parts[i]->number (builder);
  ns_pages_give_back (n_bytes);
  for (i = 0; i < self->n_parts; i++)
    if (self->parts[i]->write != NULL)
      self->parts[i]->write (builder);
  for (i = 0; i < self->n_parts; i++)
    if (self->parts[i]->gather != NULL)
      self->parts[i]->gather (builder);
  ns_pages_give_back (n_bytes);
  for (i = 0; i < self->n_parts; i++)
    if (self->parts[i]->tie != NULL)
      self->parts[i]->tie (builder);
  find_end_of_rows (builder->trace);
  ns_moves_settle (builder->trace->moves);
  /* Faster clocks have several ticks per nanosecond, which is the resolution of rows. */
  if (ns_etl_file_get_frequency (builder->trace->file) <= G_USEC_PER_SEC * 1000)
    ns_trace_sort_events (builder->trace);
  for (i = 0; i < self->n_parts; i++)
    if (self->parts[i]->list != NULL)
      self->parts[i]->list (builder);
}

/**
 * ns_builder_build:
 * @file: (transfer full): an open trace file
 * @schemas: (transfer full): schemas of payloads; learns those in the trace
 * @parts: (array length=n_parts): the parts, in call order
 * @n_parts: number of parts
 * @options: build options
 * @progress: (nullable): called with the progress; stops the build if it returns %FALSE
 * @progress_data: for @progress
 * @error: %NS_TRACE_ERROR
 *
 * Reads the whole trace and correlates it.
 *
 * Returns: (transfer full) (nullable): the trace, %NULL when it cannot be read or was cancelled
 */
NsTrace *
ns_builder_build (NsEtlFile *file,
                  NsSchemas *schemas,
                  const NsPart *const *parts,
                  guint n_parts,
                  const NsTraceOptions *options,
                  NsProgressFunc progress,
                  gpointer progress_data,
                  GError **error)
{
  Build self = { .parts = parts,
                 .n_parts = n_parts,
                 .progress = progress,
                 .progress_data = progress_data };
  NsTrace *trace = ns_trace_new (file, schemas);
  guint64 n_bytes = ns_etl_file_get_size (file);
  gboolean ok;
  guint i;

  self.builder.trace = trace;
  trace->view =
      options->view != NULL ? ns_view_context_ref (options->view) : ns_view_context_new ();
  trace->secrets = ns_view_context_dup_secrets (trace->view);
  trace->thresholds = ns_view_context_dup_thresholds (trace->view);
  self.builder.options = *options;
  trace->moves = options->want_moves ? ns_moves_new (NS_MOVES_MAX) : NULL;
  self.listeners = listeners_new ();
  self.apart = listeners_new ();
  start_parts (&self);

  ok = run_walks (&self, error);
  if (ok)
    write_tables (&self);
  for (i = n_parts; i > 0; i--)
    if (parts[i - 1]->stop != NULL)
      parts[i - 1]->stop (&self.builder);
  ns_pages_give_back (n_bytes);
  g_array_unref (self.listeners);
  g_array_unref (self.apart);
  g_clear_pointer (&self.apart_of_all, g_ptr_array_unref);
  g_clear_pointer (&self.prepare, g_ptr_array_unref);
  g_clear_pointer (&self.each, g_ptr_array_unref);
  if (!ok)
    g_clear_pointer (&trace, ns_trace_unref);
  return trace;
}

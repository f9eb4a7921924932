/* Reads records of the table of events from the file, with one reader for each thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/ns-hidden.h"
#include "engine/open/ns-event-read.h"
#include "engine/trace/ns-event-index.h"

/* Last record that a thread read. */
typedef struct
{
  gpointer identity; /* of its trace; referenced, as another one may be at the trace's address */
  NsEtlReader *reader;
  guint row;
  gboolean is_read;
  NsRecord record;
  guint8 *masked; /* copy of the record's bytes if some of them are masked */
  gboolean is_plain;
  const NsSchema *schema;
} Last;

static void
last_free (gpointer data)
{
  Last *self = data;

  ns_etl_reader_free (self->reader);
  g_clear_pointer (&self->identity, g_atomic_rc_box_release);
  g_free (self->masked);
  g_free (self);
}

static GPrivate last_of_thread = G_PRIVATE_INIT (last_free);

static Last *
get_last (void)
{
  Last *self = g_private_get (&last_of_thread);

  if (self == NULL)
    {
      self = g_new0 (Last, 1);
      g_private_set (&last_of_thread, self);
    }
  return self;
}

/**
 * ns_event_hold:
 * @trace: a trace
 * @row: number of a record, 0-based
 * @record: the record, valid until ns_event_release()
 * @schema: its layout
 *
 * Makes ns_event_read() return this record for @row, so that streamed records can be displayed like
 * rows of the table. For single-threaded use only.
 */
void
ns_event_hold (NsTrace *trace, guint row, const NsRecord *record, const NsSchema *schema)
{
  trace->held.record = record;
  trace->held.schema = schema;
  trace->held.row = row;
}

/**
 * ns_event_release:
 * @trace: a trace
 *
 * Ends the substitution set by ns_event_hold().
 */
void
ns_event_release (NsTrace *trace)
{
  trace->held.record = NULL;
}

/**
 * ns_event_get_held:
 * @trace: a trace
 * @row: number of a record, 0-based
 * @event: (out): the record
 *
 * Returns: %TRUE if ns_event_hold() set a record for @row
 */
gboolean
ns_event_get_held (const NsTrace *trace, guint row, NsEvent *event)
{
  if (trace->held.record == NULL || trace->held.row != row)
    return FALSE;
  event->record = trace->held.record;
  event->schema = trace->held.schema;
  event->secrets = trace->secrets;
  return TRUE;
}

/* Masks bytes of the record that other records of its stream show to be secret. */
static void
mask_record (Last *self, const NsTrace *trace, gboolean is_plain)
{
  g_clear_pointer (&self->masked, g_free);
  self->is_plain = is_plain;
  self->masked = is_plain ? ns_hidden_dup_plain_masked (trace->hidden, &self->record)
                          : ns_hidden_dup_masked (trace->hidden, &self->record);
  if (self->masked != NULL)
    ns_hidden_use_copy (&self->record, self->masked);
}

static gboolean
read_row (Last *self, const NsTrace *trace, guint row, gboolean is_plain)
{
  if (self->identity != trace->identity)
    {
      g_clear_pointer (&self->identity, g_atomic_rc_box_release);
      self->identity = g_atomic_rc_box_acquire (trace->identity);
      ns_etl_reader_free (self->reader);
      self->reader = ns_etl_reader_new (trace->file);
      self->is_read = FALSE;
    }
  if (self->is_read && self->row == row && self->is_plain == is_plain)
    return TRUE;

  self->row = row;
  self->is_read =
      ns_etl_reader_read (self->reader, ns_trace_get_event_ref (trace, row), &self->record);
  if (!self->is_read)
    return FALSE;
  mask_record (self, trace, is_plain);
  self->schema = ns_schemas_find_shared (trace->schemas, &self->record);
  return TRUE;
}

static gboolean
read_event (const NsTrace *trace, guint row, gboolean is_plain, NsEvent *event)
{
  Last *self;

  if (ns_event_get_held (trace, row, event))
    return TRUE;
  if (trace->identity == NULL || row >= trace->events->len)
    return FALSE;
  self = get_last ();
  if (!read_row (self, trace, row, is_plain))
    return FALSE;
  event->record = &self->record;
  event->schema = self->schema;
  event->secrets = trace->secrets;
  return TRUE;
}

/**
 * ns_event_read:
 * @trace: a trace
 * @row: row of the table of events, 0-based
 * @event: (out): the record; valid until this thread reads another
 *
 * Reads one record. May be called from any thread that holds a reference to @trace; rows near each
 * other in the file are read fast.
 *
 * Returns: %FALSE if the file does not have it (any more)
 */
gboolean
ns_event_read (const NsTrace *trace, guint row, NsEvent *event)
{
  return read_event (trace, row, FALSE, event);
}

/**
 * ns_event_read_plain:
 * @trace: a trace
 * @row: row of the table of events, 0-based
 * @event: (out): the record; valid until this thread reads another
 *
 * Like ns_event_read(), but leaves compressed bodies unmasked, for callers that decompress and mask
 * them.
 *
 * Returns: %FALSE if the file does not have it (any more)
 */
gboolean
ns_event_read_plain (const NsTrace *trace, guint row, NsEvent *event)
{
  return read_event (trace, row, TRUE, event);
}

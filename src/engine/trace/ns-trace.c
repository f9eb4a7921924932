/* An opened trace: tables, texts, stacks and the report. It is immutable once built.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-embedded-labels.h"
#include "engine/trace/ns-event-index.h"
#include "engine/trace/ns-methods.h"
#include "engine/trace/ns-trace-align.h"
#include "engine/trace/ns-trace-cache.h"
#include "engine/trace/ns-trace-lookup.h"
#include "engine/trace/ns-trace-make.h"
#include "engine/trace/ns-view-context.h"
#include "side/ns-side.h"

#include <glib/gi18n-lib.h>

const NsTcpExtra ns_tcp_extra_none = { .total_sent = NS_UNKNOWN,
                                       .total_received = NS_UNKNOWN,
                                       .rtt_us = NS_UNKNOWN };

const NsTcpFlow ns_tcp_flow_none = { .zero_from_ns = NS_TIME_NONE,
                                     .black_hole_from_ns = NS_TIME_NONE,
                                     .black_hole_to_ns = NS_TIME_NONE };

static void
free_log (gpointer data)
{
  ns_side_log_free (data);
}

/* Data that is freed with the trace. */
typedef struct
{
  gpointer data;
  GDestroyNotify destroy;
} Owned;

/**
 * ns_trace_own: (skip)
 * @self: the trace that is being built
 * @data: (transfer full): data that the trace refers to
 * @destroy: function that frees it
 *
 * Makes the trace free @data, before the data that was passed earlier.
 */
void
ns_trace_own (NsTrace *self, gpointer data, GDestroyNotify destroy)
{
  Owned owned = { data, destroy };

  if (self->owned == NULL)
    self->owned = g_array_new (FALSE, FALSE, sizeof (Owned));
  g_array_append_val (self->owned, owned);
}

/* Frees the data that was passed to ns_trace_own(), the last first. */
static void
free_owned (NsTrace *self)
{
  guint i;

  for (i = self->owned->len; i > 0; i--)
    {
      Owned *owned = &g_array_index (self->owned, Owned, i - 1);

      owned->destroy (owned->data);
    }
  g_clear_pointer (&self->owned, g_array_unref);
}

/**
 * ns_trace_make_table: (skip)
 * @self: the trace that is being built
 * @row_bytes: size of a row
 * @clear: (nullable): frees the data that a row owns
 *
 * Returns: (transfer none): an empty table, which is freed with the trace
 */
GArray *
ns_trace_make_table (NsTrace *self, gsize row_bytes, GDestroyNotify clear)
{
  GArray *table = g_array_new (FALSE, TRUE, (guint) row_bytes);

  if (clear != NULL)
    g_array_set_clear_func (table, clear);
  ns_trace_own (self, table, (GDestroyNotify) g_array_unref);
  return table;
}

/**
 * ns_trace_new: (skip)
 * @file: (transfer full): its file
 * @schemas: (transfer full): schemas of its payloads
 *
 * Creates a trace without the tables that its parts make; called by the builder.
 *
 * Returns: (transfer full): the trace
 */
NsTrace *
ns_trace_new (NsEtlFile *file, NsSchemas *schemas)
{
  NsTrace *self = g_new0 (NsTrace, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->identity = g_atomic_rc_box_new0 (char);
  self->file = file;
  self->capture = file != NULL ? ns_capture_kit_new (file) : NULL;
  /* The capture kit's final count of lost events, if the files of sessions have none. */
  if (self->capture != NULL)
    ns_etl_file_raise_events_lost (file, ns_capture_kit_get_events_lost (self->capture));
  self->schemas = schemas;
  self->strings = ns_strings_new ();
  self->arena = ns_arena_new (64 * 1024);
  self->ends = ns_endpoint_pool_new ();
  self->columns = ns_columns_new ();
  self->cache = ns_trace_cache_new ();
  self->ranges = ns_named_ranges_new ();
  self->stacks = ns_stacks_new ();
  self->silences = ns_trace_make_table (self, sizeof (NsTimeSpan), NULL);
  self->logs = g_ptr_array_new_with_free_func (free_log);
  self->row_inputs = ns_row_inputs_new (file);
  self->events = ns_trace_make_table (self, sizeof (NsEventRow), NULL);
  ns_event_index_init (self);
  self->packet_bytes = g_byte_array_new ();
  return self;
}

/**
 * ns_trace_keep_guid: (skip)
 * @self: the trace that is being built
 * @guid: an activity ID, or zero
 *
 * Returns: (transfer none) (nullable): a copy for rows to point to; %NULL for zero
 */
const NsGuid *
ns_trace_keep_guid (NsTrace *self, const NsGuid *guid)
{
  return ns_guid_is_zero (guid) ? NULL : ns_arena_dup (self->arena, guid, sizeof *guid);
}

/**
 * ns_trace_keep_phases: (skip)
 * @self: the trace that is being built
 * @phases: duration of each phase, or %NS_UNKNOWN
 *
 * Returns: (transfer none) (nullable): a copy for rows to point to; %NULL if none is known
 */
const gint64 *
ns_trace_keep_phases (NsTrace *self, const gint64 phases[NS_N_PHASES])
{
  guint i;

  for (i = 0; i < NS_N_PHASES; i++)
    if (phases[i] != NS_UNKNOWN)
      return ns_arena_dup (self->arena, phases, NS_N_PHASES * sizeof *phases);
  return NULL;
}

/**
 * ns_trace_keep_row_phases: (skip)
 * @self: the trace that is being built
 * @row: (inout): gets the known phases
 * @phases: duration of each phase, or %NS_UNKNOWN
 */
void
ns_trace_keep_row_phases (NsTrace *self, NsActivityRow *row, const gint64 phases[NS_N_PHASES])
{
  gint64 known[NS_N_PHASES];
  guint n = 0;
  guint i;

  row->phases = NULL;
  row->left_out = 0;
  for (i = 0; i < NS_N_PHASES; i++)
    if (phases[i] != NS_UNKNOWN)
      known[n++] = phases[i];
    else
      row->left_out |= (guint16) (1u << i);
  if (n > 0)
    row->phases = ns_arena_dup (self->arena, known, n * sizeof *known);
}

/**
 * ns_trace_ref:
 * @self: a trace
 *
 * Returns: (transfer full): @self
 */
NsTrace *
ns_trace_ref (NsTrace *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
trace_free (NsTrace *self)
{
  free_owned (self);
  g_array_unref (self->event_blocks);
  g_ptr_array_unref (self->logs);
  ns_row_inputs_free (self->row_inputs);
  ns_trace_cache_free (self->cache);
  ns_view_context_unref (self->view);
  ns_secrets_unref (self->secrets);
  ns_thresholds_unref (self->thresholds);
  ns_named_ranges_free (self->ranges);
  g_byte_array_unref (self->packet_bytes);
  ns_embedded_labels_free (self->embedded_labels);
  ns_capture_kit_free (self->capture);
  ns_columns_free (self->columns);
  ns_moves_free (self->moves);
  ns_trace_index_free (self->index);
  ns_stacks_free (self->stacks);
  ns_strings_free (self->strings);
  ns_arena_free (self->arena);
  ns_endpoint_pool_free (self->ends);
  ns_schemas_free (self->schemas);
  ns_etl_file_free (self->file);
  g_atomic_rc_box_release (self->identity);
  g_free (self);
}

/**
 * ns_trace_unref:
 * @self: (transfer full) (nullable): a trace
 */
void
ns_trace_unref (NsTrace *self)
{
  if (self != NULL && g_atomic_ref_count_dec (&self->ref_count))
    trace_free (self);
}

/**
 * ns_trace_is_last:
 * @self: a trace
 *
 * Returns: whether the caller holds the only reference
 */
gboolean
ns_trace_is_last (NsTrace *self)
{
  return g_atomic_ref_count_compare (&self->ref_count, 1);
}

/**
 * ns_trace_find_event:
 * @self: a trace
 * @table: a table
 * @row: a row of it, 0-based
 * @event: (out): its row in the table of events, 0-based
 *
 * Returns: whether rows of @table are records, and this one exists
 */
gboolean
ns_trace_find_event (const NsTrace *self, NsTableId table, guint32 row, guint32 *event)
{
  *event = row;
  if (table == NS_TABLE_EVENTS)
    return row < self->events->len;
  if (table != NS_TABLE_CHROMIUM_EVENTS || row >= self->chromium_events->len)
    return FALSE;
  *event = g_array_index (self->chromium_events, guint32, row);
  return TRUE;
}

/**
 * ns_trace_dup_input_path:
 * @file: a trace
 * @input: number of one of its files
 *
 * Returns: (transfer full): the path of that file; for a member of an archive with several the path
 *   of the member
 */
char *
ns_trace_dup_input_path (const NsEtlFile *file, guint input)
{
  const NsEtlFile *one = ns_etl_file_get_input (file, input);
  const char *member = ns_etl_file_get_member (one);

  return member != NULL ? g_build_filename (ns_etl_file_get_path (one), member, NULL)
                        : g_strdup (ns_etl_file_get_path (one));
}

/**
 * ns_trace_shift_inputs:
 * @file: a trace that was not walked yet
 * @offsets: (nullable): see #NsTraceOptions
 * @is_one_of_several: offsets may apply to the trace as a whole
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Corrects the clocks of its files.
 *
 * Returns: %FALSE if an offset is for a file with an exact clock, or for the only file
 */
gboolean
ns_trace_shift_inputs (NsEtlFile *file,
                       const char *offsets,
                       gboolean is_one_of_several,
                       GError **error)
{
  guint i;

  for (i = 0; offsets != NULL && i < ns_etl_file_get_n_inputs (file); i++)
    {
      g_autofree char *path = ns_trace_dup_input_path (file, i);
      g_autofree char *why = NULL;
      gint64 offset_ns;

      if (!ns_side_find_offset (offsets, path, &offset_ns))
        continue;
      if (ns_etl_file_can_shift (file, i, &why))
        ns_etl_file_shift (file, i, offset_ns);
      else if (offset_ns != 0 && !is_one_of_several && !ns_etl_file_has_other_machines (file))
        {
          g_set_error (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_QUERY,
                       _ ("the clock of %s is not corrected: %s"),
                       path,
                       why);
          return FALSE;
        }
    }
  return TRUE;
}

/**
 * ns_trace_find_offset:
 * @self: a trace
 * @offsets: (nullable): see #NsTraceOptions
 * @offset_ns: (out): offset to be added to its times
 *
 * Returns: whether they contain one for a file that is not corrected relative to the others
 */
gboolean
ns_trace_find_offset (const NsTrace *self, const char *offsets, gint64 *offset_ns)
{
  gboolean is_given = FALSE;
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (self->file); i++)
    {
      g_autofree char *path = ns_trace_dup_input_path (self->file, i);

      /* The clocks of the other files were corrected relative to this one. */
      if (!ns_etl_file_can_shift (self->file, i, NULL))
        is_given |= ns_side_find_offset (offsets, path, offset_ns);
    }
  return is_given;
}

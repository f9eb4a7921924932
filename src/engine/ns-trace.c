/* An opened trace: tables, texts, stacks and the report. It never changes once it is built.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/bits/ns-bits.h"
#include "engine/capi2/ns-capi2.h"
#include "engine/flows/ns-flow.h"
#include "engine/ns-builder.h"
#include "engine/ns-embedded-labels.h"
#include "engine/ns-event-index.h"
#include "engine/ns-hidden.h"
#include "engine/ns-kernel-ends.h"
#include "engine/ns-log.h"
#include "engine/ns-methods.h"
#include "engine/ns-packet-components.h"
#include "engine/ns-signs.h"
#include "engine/ns-trace-align.h"
#include "engine/ns-trace-cache.h"
#include "engine/ns-trace-lookup.h"
#include "engine/ns-view-context.h"
#include "engine/quic/ns-quic.h"
#include "engine/rpc/ns-rpc.h"
#include "engine/smb/ns-smb.h"
#include "engine/tls/ns-tls.h"
#include "engine/wfp/ns-wfp.h"
#include "side/ns-side.h"

#include <glib/gi18n-lib.h>

const NsTcpExtra ns_tcp_extra_none = { .total_sent = NS_UNKNOWN,
                                       .total_received = NS_UNKNOWN,
                                       .rtt_us = NS_UNKNOWN };

const NsTcpFlow ns_tcp_flow_none = { .zero_from_ns = NS_TIME_NONE,
                                     .black_hole_from_ns = NS_TIME_NONE,
                                     .black_hole_to_ns = NS_TIME_NONE };

static void
free_dns (gpointer data)
{
  NsDnsRow *row = data;

  g_clear_pointer (&row->addresses, g_array_unref);
  g_clear_pointer (&row->aliases, g_array_unref);
  g_clear_pointer (&row->servers, g_array_unref);
}

static void
free_log (gpointer data)
{
  ns_side_log_free (data);
}

static void
free_dotnet (gpointer data)
{
  g_clear_pointer (&((NsDotnetRow *) data)->redirects, g_array_unref);
}

static void
free_ldap (gpointer data)
{
  g_clear_pointer (&((NsLdapRow *) data)->attributes, g_array_unref);
}

static void
free_quic (gpointer data)
{
  NsQuicRow *row = data;

  g_clear_pointer (&row->source_cids, g_array_unref);
  g_clear_pointer (&row->destination_cids, g_array_unref);
}

static GArray *
table_new (gsize row_bytes, GDestroyNotify clear)
{
  GArray *table = g_array_new (FALSE, TRUE, (guint) row_bytes);

  if (clear != NULL)
    g_array_set_clear_func (table, clear);
  return table;
}

/**
 * ns_trace_new: (skip)
 * @file: (transfer full): the file it comes from
 * @schemas: (transfer full): what its payloads mean
 *
 * For the builder: a trace with empty tables.
 *
 * Returns: (transfer full): the trace
 */
NsTrace *
ns_trace_new (NsEtlFile *file, NsSchemas *schemas)
{
  static gint last_serial;
  NsTrace *self = g_new0 (NsTrace, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->serial = (guint64) g_atomic_int_add (&last_serial, 1) + 1;
  self->file = file;
  self->capture = file != NULL ? ns_capture_kit_new (file) : NULL;
  /* What the recorder said at the end, when some sessions' files say nothing. */
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
  self->processes = table_new (sizeof (NsProcessRow), NULL);
  self->threads = table_new (sizeof (NsThreadRow), NULL);
  self->images = table_new (sizeof (NsImageRow), NULL);
  self->methods = table_new (sizeof (NsMethodRow), NULL);
  self->dns = table_new (sizeof (NsDnsRow), free_dns);
  self->tcp = table_new (sizeof (NsTcpRow), NULL);
  self->tcp_anomalies = table_new (sizeof (NsTcpAnomaly), NULL);
  self->signs = table_new (sizeof (NsSign), NULL);
  self->enables = table_new (sizeof (NsEnableRow), NULL);
  self->silences = table_new (sizeof (NsTimeSpan), NULL);
  self->winsock = table_new (sizeof (NsWinsockRow), NULL);
  self->webio = table_new (sizeof (NsWebioRow), NULL);
  self->wininet = table_new (sizeof (NsWininetRow), NULL);
  self->ldap = table_new (sizeof (NsLdapRow), free_ldap);
  self->urlmon = table_new (sizeof (NsUrlmonRow), NULL);
  self->chromium = table_new (sizeof (NsChromiumRow), NULL);
  self->dotnet = table_new (sizeof (NsDotnetRow), free_dotnet);
  self->http_server = table_new (sizeof (NsHttpServerRow), NULL);
  self->bits = table_new (sizeof (NsBitsRow), ns_bits_row_clear);
  self->wfp = table_new (sizeof (NsWfpRow), NULL);
  self->capi2 = table_new (sizeof (NsCapi2Row), NULL);
  self->quic = table_new (sizeof (NsQuicRow), free_quic);
  self->smb = table_new (sizeof (NsSmbRow), NULL);
  self->rpc = table_new (sizeof (NsRpcRow), NULL);
  self->kernel_network = table_new (sizeof (NsKernelNetworkRow), NULL);
  self->kernel_ends = ns_kernel_ends_new ();
  self->tasks = table_new (sizeof (NsTaskRow), NULL);
  self->calls = table_new (sizeof (NsCallRow), NULL);
  self->packets = table_new (sizeof (NsPacketRow), NULL);
  self->flows = table_new (sizeof (NsFlowRow), NULL);
  self->spans = table_new (sizeof (NsSpanRow), NULL);
  self->log = table_new (sizeof (NsLogRow), NULL);
  self->logs = g_ptr_array_new_with_free_func (free_log);
  self->row_inputs = ns_row_inputs_new (file);
  self->providers = table_new (sizeof (NsProviderRow), NULL);
  self->kinds = table_new (sizeof (NsKindRow), NULL);
  self->activities = table_new (sizeof (NsActivityRow), NULL);
  ns_event_index_init (self);
  self->chromium_events = table_new (sizeof (guint32), NULL);
  self->packet_bytes = g_byte_array_new ();
  self->packet_places = table_new (sizeof (NsPacketPlace), NULL);
  self->packet_components = ns_packet_components_new ();
  return self;
}

/**
 * ns_trace_keep_guid: (skip)
 * @self: the trace that is being built
 * @guid: an activity id, or zero
 *
 * Returns: (transfer none) (nullable): what a row may point to; %NULL for zero
 */
const NsGuid *
ns_trace_keep_guid (NsTrace *self, const NsGuid *guid)
{
  return ns_guid_is_zero (guid) ? NULL : ns_arena_dup (self->arena, guid, sizeof *guid);
}

/**
 * ns_trace_keep_phases: (skip)
 * @self: the trace that is being built
 * @phases: how long each took, or %NS_UNKNOWN
 *
 * Returns: (transfer none) (nullable): what a row may point to; %NULL when none of them is known
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
 * @row: (inout): takes those that are known
 * @phases: how long each took, or %NS_UNKNOWN
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
  GArray **tables[] = {
    &self->processes,
    &self->threads,
    &self->images,
    &self->dns,
    &self->tcp,
    &self->tcp_anomalies,
    &self->signs,
    &self->enables,
    &self->silences,
    &self->winsock,
    &self->webio,
    &self->wininet,
    &self->ldap,
    &self->urlmon,
    &self->chromium,
    &self->dotnet,
    &self->http_server,
    &self->bits,
    &self->wfp,
    &self->capi2,
    &self->quic,
    &self->smb,
    &self->rpc,
    &self->kernel_network,
    &self->tasks,
    &self->calls,
    &self->packets,
    &self->packet_places,
    &self->flows,
    &self->spans,
    &self->log,
    &self->providers,
    &self->kinds,
    &self->activities,
    &self->events,
    &self->methods,
    &self->chromium_events,
  };
  guint i;

  g_clear_pointer (&self->tls, ns_tls_store_free);
  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    g_array_unref (*tables[i]);
  g_array_unref (self->event_blocks);
  g_ptr_array_unref (self->logs);
  ns_row_inputs_free (self->row_inputs);
  ns_trace_cache_free (self->cache);
  ns_view_context_unref (self->view);
  ns_secrets_unref (self->secrets);
  ns_thresholds_unref (self->thresholds);
  ns_named_ranges_free (self->ranges);
  g_byte_array_unref (self->packet_bytes);
  ns_packet_components_free (self->packet_components);
  ns_embedded_labels_free (self->carried);
  ns_capture_kit_free (self->capture);
  ns_columns_free (self->columns);
  ns_moves_free (self->moves);
  ns_kernel_ends_free (self->kernel_ends);
  ns_hidden_free (self->hidden);
  ns_trace_index_free (self->index);
  ns_runs_free (self->runs);
  ns_stacks_free (self->stacks);
  ns_strings_free (self->strings);
  ns_arena_free (self->arena);
  ns_endpoint_pool_free (self->ends);
  ns_schemas_free (self->schemas);
  ns_etl_file_free (self->file);
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
 * Returns: whether the caller, who has a reference, is the only one
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
 * @event: (out): that row in the table of events, 0-based
 *
 * Returns: whether rows of @table are records, and this one is there
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
 * Returns: (transfer full): the path of that file, in an archive with several that of its member
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
 * @file: a trace that was not walked over yet
 * @offsets: (nullable): as #NsTraceOptions has them
 * @is_one_of_several: they may tell of the trace as a whole
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Corrects the clocks of its files.
 *
 * Returns: %FALSE: what is to be corrected is exact, or there is nothing beside it
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
 * @offsets: (nullable): as #NsTraceOptions has them
 * @offset_ns: (out): what is to be added to its times
 *
 * Returns: whether they tell of one of its files that is not corrected against the others
 */
gboolean
ns_trace_find_offset (const NsTrace *self, const char *offsets, gint64 *offset_ns)
{
  gboolean is_told = FALSE;
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (self->file); i++)
    {
      g_autofree char *path = ns_trace_dup_input_path (self->file, i);

      /* Others were corrected against this one. */
      if (!ns_etl_file_can_shift (self->file, i, NULL))
        is_told |= ns_side_find_offset (offsets, path, offset_ns);
    }
  return is_told;
}

/* Builds a trace: walks over the records twice and hands each to the parts that listen to its
 * provider.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-pages.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/ns-app-spans.h"
#include "engine/ns-builder.h"
#include "engine/ns-chain-link.h"
#include "engine/ns-event-index.h"
#include "engine/ns-providers.h"
#include "engine/ns-queue-phase.h"
#include "engine/ns-stack-match.h"
#include "engine/ns-view-context.h"

/* In the order of their calls: a part stands after those it asks. */
static const NsPart *const parts[] = {
  &ns_kernel_part,     &ns_methods_part,    &ns_stack_match_part, &ns_providers_part,
  &ns_tasks_part,      &ns_host_names_part, &ns_winsock_part,     &ns_tcpip_part,
  &ns_webio_part,      &ns_wininet_part,    &ns_chromium_part,    &ns_ldap_part,
  &ns_urlmon_part,     &ns_dotnet_part,     &ns_http_server_part, &ns_kernel_network_part,
  &ns_packets_part,    &ns_bits_part,       &ns_wfp_part,         &ns_capi2_part,
  &ns_quic_part,       &ns_smb_part,        &ns_rpc_part,         &ns_tls_part,
  &ns_hidden_part,     &ns_calls_part,      &ns_app_spans_part,   &ns_signs_part,
  &ns_activities_part,
};

/* The functions that listen to one provider, by its dense number. */
/* A running machine is never without records for so long. */
#define NS_SILENCE_NS NS_PER_SECOND
/* Short silences are many: they do not replace those that are longer than this. */
#define NS_LONG_SILENCE_NS (5 * NS_PER_SECOND)
#define MAX_SILENCES 10000

typedef struct
{
  gboolean is_known;
  GPtrArray *scan;   /* NsEventFunc */
  GPtrArray *apart;  /* NsEventFunc */
  GPtrArray *event;  /* NsEventFunc */
  NsAheadFunc ahead; /* of the first part that has one */
  NsReadFunc read;   /* likewise */
  GPtrArray *stack;  /* NsHasStackFunc */
} Listeners;

typedef struct
{
  NsBuilder builder;
  GArray *listeners; /* element-type Listeners */
  GArray *apart;     /* the same, for the thread that reads in the first walk */
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

  g_clear_pointer (&self->scan, g_ptr_array_unref);
  g_clear_pointer (&self->apart, g_ptr_array_unref);
  g_clear_pointer (&self->event, g_ptr_array_unref);
  g_clear_pointer (&self->stack, g_ptr_array_unref);
}

static GArray *
listeners_new (void)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (Listeners));

  g_array_set_clear_func (all, listeners_clear);
  return all;
}

/* One of the functions of a part. */
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
learn_provider (GArray *all, const NsRecord *record)
{
  Listeners *listeners;
  guint i;
  guint j;

  if (record->provider >= all->len)
    g_array_set_size (all, record->provider + 1);
  listeners = &g_array_index (all, Listeners, record->provider);
  listeners->is_known = TRUE;
  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    for (j = 0; j < parts[i]->n_ops; j++)
      if (ns_guid_equal (&record->guid, &parts[i]->ops[j].guid))
        {
          const NsProviderOps *op = &parts[i]->ops[j];

          listen (&listeners->scan, (AnyFunc) (op->scan));
          listen (&listeners->apart, (AnyFunc) (op->apart));
          listen (&listeners->event, (AnyFunc) (op->event));
          listen (&listeners->stack, (AnyFunc) (op->has_stack));
          if (listeners->ahead == NULL)
            listeners->ahead = op->ahead;
          if (listeners->read == NULL)
            listeners->read = op->read;
        }
}

static inline const Listeners *
listeners_of (GArray *all, const NsRecord *record)
{
  if (G_UNLIKELY (record->provider >= all->len ||
                  !g_array_index (all, Listeners, record->provider).is_known))
    learn_provider (all, record);
  return &g_array_index (all, Listeners, record->provider);
}

static inline void
tell (Build *self, const GPtrArray *list, const NsRecord *record)
{
  guint i;

  if (list == NULL)
    return;
  for (i = 0; i < list->len; i++)
    ((NsEventFunc) list->pdata[i]) (&self->builder, record);
}

static gboolean
scan_record (const NsRecord *record, gpointer user_data)
{
  Build *self = user_data;

  tell (self, listeners_of (self->listeners, record)->scan, record);
  return TRUE;
}

/* Learns from records in the reading thread. Most records are then not passed on, which would take
 * longer than reading them.
 */
static gboolean
scan_apart (const NsRecord *record, NsRecordTap *tap, gpointer user_data)
{
  Build *self = user_data;
  const Listeners *listeners = listeners_of (self->apart, record);

  ns_stack_match_scan (&self->builder, record);
  tell (self, listeners->apart, record);
  return listeners->scan != NULL;
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

/* Correlating takes longest, so everything independent of it is done in the reading thread. Before
 * the walk ends, no other code reads the table of events and these counts, or adds a stack.
 */
static gboolean
prepare_record (const NsRecord *record, NsRecordTap *tap, gpointer user_data)
{
  Build *self = user_data;
  const Listeners *listeners = listeners_of (self->apart, record);

  if (listeners->read != NULL)
    tap->n_bytes = listeners->read (record, tap->room);
  if (self->builder.options.want_events)
    {
      NsTrace *trace = self->builder.trace;

      ns_trace_add_event (trace,
                          record->ref,
                          record->time_ns,
                          (guint16) record->provider,
                          record->id);
      tap->note = ns_providers_count (&self->builder, record, trace->events->len - 1) |
                  NS_STACK_MATCH_LOOKED;
      return TRUE;
    }
  ns_providers_count (&self->builder, record, G_MAXUINT32);
  if ((record->flags & NS_RECORD_MANIFEST) != 0 && record->n_extended > 0 &&
      has_stack (listeners, record))
    tap->note = ns_stack_match_find_inline (&self->builder, record) | NS_STACK_MATCH_LOOKED;
  return TRUE;
}

/* Records are in time order; time before the first one is no silence. */
static void
note_silence (NsTrace *trace, gint64 time_ns)
{
  NsTimeSpan silence = { trace->end_ns, time_ns };
  guint max = time_ns - trace->end_ns < NS_LONG_SILENCE_NS ? MAX_SILENCES : 2 * MAX_SILENCES;

  if (trace->end_ns > 0 && trace->silences->len < max)
    g_array_append_val (trace->silences, silence);
}

/* The first record of a second. */
static void
note_second (Build *self, gint64 time_ns)
{
  NsTrace *trace = self->builder.trace;

  if (time_ns - trace->end_ns >= NS_SILENCE_NS)
    note_silence (trace, time_ns);
  trace->n_loud_seconds++;
  self->next_second_ns = (time_ns / NS_PER_SECOND + 1) * NS_PER_SECOND;
}

/* Rows come from records that somebody listens to, and spans from those of steps. */
static void
note_input (NsTrace *trace, const Listeners *listeners, const NsRecord *record)
{
  if (listeners->event != NULL || record->opcode != 0)
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
      listeners = listeners_of (self->listeners, record);
      if (G_UNLIKELY (trace->row_inputs != NULL))
        note_input (trace, listeners, record);
      tell (self, listeners->event, record);
      ns_app_spans_event (&self->builder, record);
    }
  return TRUE;
}

static void
expect_record (const NsRecord *record, gboolean is_near, gpointer user_data)
{
  Build *self = user_data;
  NsAheadFunc ahead = listeners_of (self->listeners, record)->ahead;

  if (ahead != NULL)
    ahead (&self->builder, record, is_near);
}

/* Equal raw time on different processors: pools, then threads, then manifest events
 * (stitching 3.2). */
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

/* Records of browsers have a table of their own. */
static void
list_chromium_events (NsTrace *trace)
{
  g_autofree gboolean *is_browser = g_new0 (gboolean, trace->providers->len + 1);
  gboolean is_any = FALSE;
  guint32 i;

  for (i = 0; i < trace->providers->len; i++)
    {
      is_browser[i] =
          ns_chromium_is_channel (&g_array_index (trace->providers, NsProviderRow, i).guid);
      is_any = is_any || is_browser[i];
    }
  for (i = 0; is_any && i < trace->events->len; i++)
    {
      guint provider = ns_trace_get_event (trace, i)->provider;

      if (provider < trace->providers->len && is_browser[provider])
        g_array_append_val (trace->chromium_events, i);
    }
}

static gboolean
told_progress (double fraction, gpointer user_data)
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

  ns_etl_file_set_tap (file, scan_apart, self);
  ok = ns_etl_file_walk (file,
                         NS_ETL_WALK_FILE_ORDER | NS_ETL_WALK_READ_AHEAD,
                         NULL,
                         scan_record,
                         self,
                         told_progress,
                         self,
                         error);
  ns_etl_file_set_tap (file, NULL, NULL);
  if (!ok)
    return FALSE;
  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i]->scanned != NULL)
      parts[i]->scanned (&self->builder);

  self->progress_from = 0.5;
  ns_etl_file_set_tap (file, prepare_record, self);
  ns_etl_file_set_ahead (file, expect_record, self);
  ok = ns_etl_file_walk (file,
                         NS_ETL_WALK_TIME_ORDER | NS_ETL_WALK_READ_AHEAD,
                         rank_of_record,
                         correlate_record,
                         self,
                         told_progress,
                         self,
                         error);
  ns_etl_file_set_tap (file, NULL, NULL);
  ns_etl_file_set_ahead (file, NULL, NULL);
  return ok;
}

/* Computed now, as whoever shows the trace needs it at once and should not read a million rows. */
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
 * ns_builder_build:
 * @file: (transfer full): an open trace file
 * @schemas: (transfer full): schemas to decode with and to add to
 * @options: how to build
 * @progress: (nullable): called with the progress; %FALSE stops
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
                  const NsTraceOptions *options,
                  NsProgressFunc progress,
                  gpointer progress_data,
                  GError **error)
{
  Build self = { .progress = progress, .progress_data = progress_data };
  NsTrace *trace = ns_trace_new (file, schemas);
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

  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i]->start != NULL)
      parts[i]->start (&self.builder);

  ok = run_walks (&self, error);
  if (ok)
    {
      for (i = 0; i < G_N_ELEMENTS (parts); i++)
        if (parts[i]->finish != NULL)
          parts[i]->finish (&self.builder);
      ns_pages_give_back ();
      for (i = 0; i < G_N_ELEMENTS (parts); i++)
        if (parts[i]->gather != NULL)
          parts[i]->gather (&self.builder);
      ns_pages_give_back ();
      ns_chain_link_activities (&self.builder);
      ns_queue_phase_set_all (&self.builder);
      for (i = 0; i < G_N_ELEMENTS (parts); i++)
        if (parts[i]->settle != NULL)
          parts[i]->settle (&self.builder);
      find_end_of_rows (trace);
      ns_moves_settle (trace->moves);
    }

  if (ok)
    {
      /* Faster clocks have several ticks in a nanosecond, which rows do not distinguish. */
      if (ns_etl_file_get_frequency (trace->file) <= G_USEC_PER_SEC * 1000)
        ns_trace_sort_events (trace);
      list_chromium_events (trace);
    }
  for (i = G_N_ELEMENTS (parts); i > 0; i--)
    if (parts[i - 1]->stop != NULL)
      parts[i - 1]->stop (&self.builder);
  ns_pages_give_back ();
  g_array_unref (self.listeners);
  g_array_unref (self.apart);
  if (!ok)
    g_clear_pointer (&trace, ns_trace_unref);
  return trace;
}

/* An opened trace: tables, texts, stacks and the report. It is immutable once built.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-arena.h"
#include "engine/trace/ns-capture-kit.h"
#include "engine/trace/ns-columns.h"
#include "engine/trace/ns-endpoint-pool.h"
#include "engine/trace/ns-moves.h"
#include "engine/trace/ns-named-ranges.h"
#include "engine/trace/ns-row-inputs.h"
#include "engine/trace/ns-stacks.h"
#include "engine/trace/ns-tables.h"
#include "engine/trace/ns-thresholds.h"
#include "etl/ns-etl-file.h"
#include "schema/ns-schema.h"

G_BEGIN_DECLS

typedef struct _NsTrace NsTrace;
typedef struct _NsRuns NsRuns;
typedef struct _NsTraceIndex NsTraceIndex;   /* ns-trace-lookup */
typedef struct _NsTraceCache NsTraceCache;   /* ns-trace-cache */
typedef struct _NsViewContext NsViewContext; /* ns-view-context */
typedef struct _NsSecrets NsSecrets;         /* base/ns-secrets */
typedef struct _NsEmbeddedLabels NsEmbeddedLabels;
typedef struct _NsHidden NsHidden;
typedef struct _NsPacketComponents NsPacketComponents;
typedef struct _NsKernelEnds NsKernelEnds;
typedef struct _NsTlsStore NsTlsStore;

/**
 * NsTraceAskLogsFunc:
 * @trace: the trace, read except for its logs
 * @offsets: (inout) (nullable): see #NsTraceOptions
 * @time_columns: (inout) (nullable): likewise
 * @user_data: @ask_logs_data of #NsTraceOptions
 *
 * Chooses how logs are read with a trace, depending on the trace.
 */
typedef void (*NsTraceAskLogsFunc) (const NsTrace *trace,
                                    char **offsets,
                                    char **time_columns,
                                    gpointer user_data);

/**
 * NsTraceOptions:
 * @member: (nullable): member of a container to open
 * @beside: (nullable) (array zero-terminated=1): further files, read with it as one trace
 * @members: (nullable): for the trace and each of @beside the member of a container, or %NULL;
 *   takes precedence over @member
 * @logs_elsewhere: (nullable) (array zero-terminated=1): containers whose logs are read with
 *   another trace
 * @is_recursive: for folders, whether to include subfolders
 * @view: (nullable): settings of the user; %NULL: the defaults
 * @manifests: (nullable): file or folder with extra manifests
 * @offsets: (nullable): seconds to be added to the times of logs, see #NsSideOptions, and of traces
 *   with another clock than the others
 * @time_columns: (nullable): columns of tables that hold times, likewise
 * @ask_logs: (nullable): called for @offsets and @time_columns once the trace is read, if there are
 *   logs
 * @ask_logs_data: for @ask_logs
 * @is_one_of_several: the trace is one of several machines, so offsets may apply to it as a whole
 * @wfp_names: (nullable): file with names of Windows Filtering Platform filters
 * @compat_reference: follow the rules of the reference tool where they differ, for comparisons
 * @want_events: index every record, for the table of events
 * @want_moves: record the times of transfers
 * @skip_calls: leave the table of calls empty
 * @least_stack_bytes: memory that stacks may take however small the trace is; 0: the default
 * @max_bytes: read only whole buffers within this many bytes of the file; 0: all of it
 *
 * Options for opening a trace.
 */
typedef struct
{
  const char *member;
  const char *const *beside;
  const char *const *members;
  const char *const *logs_elsewhere;
  gboolean is_recursive;
  NsViewContext *view;
  const char *manifests;
  const char *offsets;
  const char *time_columns;
  NsTraceAskLogsFunc ask_logs;
  gpointer ask_logs_data;
  gboolean is_one_of_several;
  const char *wfp_names;
  gboolean compat_reference;
  gboolean want_events;
  gboolean want_moves;
  gboolean skip_calls;
  guint64 least_stack_bytes;
  guint64 max_bytes;
} NsTraceOptions;

#define TABLE_MEMBER(id, member, type) GArray *member;
/* Read-only except for the builder; row n of a table is element n - 1 of its array. */
struct _NsTrace
{
  gatomicrefcount ref_count; /* worker threads hold references too */
  gpointer identity;         /* rc box; its address is no other trace's while it is referenced;
                              * NULL: not opened from a file */
  GArray *owned;             /* data that is freed with it */
  NsEtlFile *file;
  NsSchemas *schemas;
  NsStrings *strings;
  NsArena *arena;       /* owns data that rows point to */
  NsEndpointPool *ends; /* owns endpoints that rows point to */
  NsStacks *stacks;
  NsRuns *runs;
  NsTraceIndex *index;
  union
  {
    struct
    {
      NS_TABLE_ROWS (TABLE_MEMBER)
    };
    GArray *tables[NS_TABLE_FINDINGS]; /* the same, by #NsTableId */
  };
  GArray *methods;         /* NsMethodRow, by process and address: see ns-methods */
  GArray *tcp_anomalies;   /* NsTcpAnomaly */
  NsTlsStore *tls;         /* TLS handshakes; NULL: none is known */
  GPtrArray *logs;         /* NsSideLog: sources of @log, by number */
  NsRowInputs *row_inputs; /* for a case; NULL: one file */
  GArray *kinds;           /* NsKindRow */
  GArray *kind_versions;   /* NsKindVersionRow */
  GArray *event_blocks;    /* base times and places of the rows of @events */
  NsMoves *moves;          /* times of transfers; NULL unless requested */
  GArray *signs;           /* NsSign, in time order: see ns-signs */
  GArray *enables;         /* NsEnableRow */
  GArray *silences;        /* NsTimeSpan: times without records of any processor */
  GByteArray *packet_bytes;
  GArray *packet_places;                 /* NsPacketPlace */
  NsPacketComponents *packet_components; /* components of PktMon */
  guint64 n_records;
  guint64 n_stacks_attached;
  guint64 n_loud_seconds;            /* number of seconds with records */
  guint event_buffer_bits;           /* shift of the buffer number in the place of an event row */
  gint64 end_ns;                     /* time of the last record */
  gint64 rows_end_ns;                /* latest known end of an activity; 0: there is none */
  NsColumns *columns;                /* packed columns for filtering and sorting; NULL: none */
  NsTraceCache *cache;               /* values computed on demand */
  NsViewContext *view;               /* settings of its user */
  NsSecrets *secrets;                /* settings at opening; NULL: the defaults */
  NsNamedRanges *ranges;             /* its own ranges, which views may change; NULL: none */
  NsThresholds *thresholds;          /* its own thresholds of findings, likewise */
  NsHidden *hidden;                  /* masks that depend on several records; NULL: none */
  NsKernelEnds *kernel_ends;         /* addresses of this machine */
  NsEmbeddedLabels *embedded_labels; /* embedded function names; NULL: none */
  NsCaptureKit *capture;             /* files of the capture kit; NULL: not recorded by it */
  gboolean has_switches;             /* context switches were recorded */
  gboolean has_samples;              /* CPU samples were recorded */
  gboolean is_incomplete;            /* only a part of the file was read, as requested */
  /* The current record when records are streamed (one thread), see ns_event_hold(). */
  struct
  {
    const NsRecord *record; /* NULL: none */
    const NsSchema *schema;
    guint row;
  } held;
};
#undef TABLE_MEMBER

NsTrace *ns_trace_open (const char *path,
                        const NsTraceOptions *options,
                        NsProgressFunc progress,
                        gpointer progress_data,
                        GError **error);
NsTrace *ns_trace_ref (NsTrace *self);
void ns_trace_unref (NsTrace *self);
gboolean ns_trace_is_last (NsTrace *self);

static inline const char *
ns_trace_text (const NsTrace *self, NsString id)
{
  return ns_strings_get (self->strings, id);
}

/**
 * ns_trace_get_n_rows: (skip)
 * @self: a trace
 * @table: a table other than that of findings
 *
 * Returns: the number of its rows
 */
static inline guint
ns_trace_get_n_rows (const NsTrace *self, NsTableId table)
{
  return self->tables[table]->len;
}

/**
 * ns_trace_get_row: (skip)
 * @self: a trace
 * @table: a table other than that of findings
 * @row: a row of @table, from 1
 *
 * Returns: (transfer none) (nullable): the row's structure, of the type in ns-catalog-lists.h;
 *   %NULL if @row is 0 or beyond the last row
 */
static inline gconstpointer
ns_trace_get_row (const NsTrace *self, NsTableId table, NsRow row)
{
  GArray *rows = self->tables[table];

  if (row == 0 || row > rows->len)
    return NULL;
  return rows->data + (gsize) (row - 1) * g_array_get_element_size (rows);
}

/* Logs that were read with the trace, from 0; see NsSideLog. */
static inline guint
ns_trace_get_n_logs (const NsTrace *self)
{
  return self->logs->len;
}

static inline gconstpointer
ns_trace_get_log (const NsTrace *self, guint number)
{
  return g_ptr_array_index (self->logs, number);
}

/* Look-ups by ID and time in O(log n); 0: none. */
NsRow ns_trace_find_process (const NsTrace *self, guint32 pid, gint64 time_ns);
NsRow ns_trace_find_thread (const NsTrace *self, guint32 tid, gint64 time_ns);
gboolean ns_trace_is_main_thread (const NsTrace *self, NsRow thread);
NsRow ns_trace_find_image (const NsTrace *self, guint32 pid, guint64 address, gint64 time_ns);
const char *ns_trace_get_process_name (const NsTrace *self, guint32 pid, gint64 time_ns);
gboolean ns_trace_find_event (const NsTrace *self, NsTableId table, guint32 row, guint32 *event);
gboolean ns_trace_is_kernel_address (const NsTrace *self, guint64 address);

/* Returns the text of a frame without symbols. (The stack of event @n of the event table is in
 * its row.) */
char *ns_trace_frame_to_text (const NsTrace *self, guint32 pid, guint64 address, gint64 time_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsTrace, ns_trace_unref)

G_END_DECLS

/* An opened trace: tables, texts, stacks and the report. It never changes once it is built.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-arena.h"
#include "engine/ns-capture-kit.h"
#include "engine/ns-columns.h"
#include "engine/ns-endpoint-pool.h"
#include "engine/ns-moves.h"
#include "engine/ns-named-ranges.h"
#include "engine/ns-row-inputs.h"
#include "engine/ns-stacks.h"
#include "engine/ns-tables.h"
#include "engine/ns-thresholds.h"
#include "etl/ns-etl-file.h"
#include "schema/ns-schema.h"

G_BEGIN_DECLS

typedef struct _NsTrace NsTrace;
typedef struct _NsRuns NsRuns;
typedef struct _NsTraceIndex NsTraceIndex;   /* ns-trace-lookup */
typedef struct _NsTraceCache NsTraceCache;   /* ns-trace-cache */
typedef struct _NsViewContext NsViewContext; /* ns-view-context */
typedef struct _NsSecrets NsSecrets;         /* base/ns-secrets */
typedef struct _NsCarriedNames NsEmbeddedLabels;
typedef struct _NsHidden NsHidden;
typedef struct _NsPacketComponents NsPacketComponents;
typedef struct _NsKernelEnds NsKernelEnds;
typedef struct _NsTlsStore NsTlsStore;

/**
 * NsTraceAskLogsFunc:
 * @trace: all but the logs beside it is read
 * @offsets: (inout) (nullable): as #NsTraceOptions has them
 * @time_columns: (inout) (nullable): likewise
 * @user_data: of #NsTraceOptions
 *
 * Tells how logs are to be read with a trace, by what the trace is.
 */
typedef void (*NsTraceAskLogsFunc) (const NsTrace *trace,
                                    char **offsets,
                                    char **time_columns,
                                    gpointer user_data);

/**
 * NsTraceOptions:
 * @member: (nullable): which member of a container
 * @beside: (nullable) (array zero-terminated=1): further files, read with it as one trace
 * @members: (nullable): of the trace and of each of @beside: which member of a container, or %NULL;
 *   goes before @member
 * @logs_elsewhere: (nullable) (array zero-terminated=1): containers whose logs are read with
 * another trace
 * @is_recursive: of folders, also what stands in folders below them
 * @view: (nullable): what its reader wants; %NULL: what is usual
 * @manifests: (nullable): file or folder with extra manifests
 * @offsets: (nullable): seconds to be added to the times of logs, as #NsSideOptions has them, and
 *   of traces whose clocks are not that of the others
 * @time_columns: (nullable): which columns of tables hold times, likewise
 * @ask_logs: (nullable): asked for both once the trace is read, if there are logs
 * @ask_logs_data: for @ask_logs
 * @is_one_of_several: offsets may tell of the trace as a whole, which is one machine of several
 * @wfp_names: (nullable): file with names of filters of the Windows Filtering Platform
 * @compat_reference: follow the reference tool where our rules are better, for comparisons
 * @want_events: index every record, for the table of events
 * @want_moves: note when which row moved how many bytes
 * @skip_calls: leave the table of calls empty
 * @max_bytes: read whole buffers of so much of the file only; 0: all of it
 *
 * How a trace is to be opened.
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
  guint64 max_bytes;
} NsTraceOptions;

/* Everything is read-only for all but the builder; rows are element 0 … of each array. */
struct _NsTrace
{
  gatomicrefcount ref_count; /* workers hold references too */
  guint64 serial; /* no two traces of a process have the same; 0: not opened from a file */
  GArray *owned;  /* what is freed with it */
  NsEtlFile *file;
  NsSchemas *schemas;
  NsStrings *strings;
  NsArena *arena;       /* what rows point to */
  NsEndpointPool *ends; /* likewise */
  NsStacks *stacks;
  NsRuns *runs;
  NsTraceIndex *index;
  GArray *processes;       /* NsProcessRow */
  GArray *threads;         /* NsThreadRow */
  GArray *images;          /* NsImageRow */
  GArray *methods;         /* NsMethodRow, by process and address: see ns-methods */
  GArray *dns;             /* NsDnsRow */
  GArray *tcp;             /* NsTcpRow */
  GArray *tcp_anomalies;   /* NsTcpAnomaly */
  GArray *winsock;         /* NsWinsockRow */
  GArray *webio;           /* NsWebioRow */
  GArray *wininet;         /* NsWininetRow */
  GArray *ldap;            /* NsLdapRow */
  GArray *urlmon;          /* NsUrlmonRow */
  GArray *chromium;        /* NsChromiumRow */
  GArray *dotnet;          /* NsDotnetRow, by their begin */
  GArray *http_server;     /* NsHttpServerRow */
  GArray *bits;            /* NsBitsRow */
  GArray *wfp;             /* NsWfpRow */
  GArray *capi2;           /* NsCapi2Row */
  GArray *quic;            /* NsQuicRow */
  NsTlsStore *tls;         /* what handshakes agreed on; NULL: none is known */
  GArray *smb;             /* NsSmbRow */
  GArray *rpc;             /* NsRpcRow */
  GArray *kernel_network;  /* NsKernelNetworkRow */
  GArray *tasks;           /* NsTaskRow */
  GArray *calls;           /* NsCallRow */
  GArray *packets;         /* NsPacketRow */
  GArray *flows;           /* NsFlowRow, by their first packet */
  GArray *spans;           /* NsSpanRow, by their begin */
  GArray *log;             /* NsLogRow, by time */
  GPtrArray *logs;         /* NsSideLog: where @log comes from, in the order of their numbers */
  NsRowInputs *row_inputs; /* of a case; NULL: one file */
  GArray *providers;       /* NsProviderRow, by dense provider number */
  GArray *kinds;           /* NsKindRow */
  GArray *activities;      /* NsActivityRow */
  GArray *events;          /* NsEventRow, in time order; empty unless wanted: see ns-event-index */
  GArray *event_blocks;    /* what rows of events count from */
  GArray *chromium_events; /* guint32: which of the events browsers wrote */
  NsMoves *moves;          /* when bytes were moved; NULL unless wanted */
  GArray *signs;           /* NsSign, in time order: see ns-signs */
  GArray *enables;         /* NsEnableRow */
  GArray *silences;        /* NsTimeSpan: no processor wrote anything for so long */
  GByteArray *packet_bytes;
  GArray *packet_places;                 /* NsPacketPlace */
  NsPacketComponents *packet_components; /* of PktMon */
  guint64 n_records;
  guint64 n_stacks_attached;
  guint64 n_undecodable;
  guint64 n_out_of_order;
  guint64 n_loud_seconds;   /* in which anything was written */
  guint event_buffer_bits;  /* of a buffer number in the place of a row of events: below them */
  gint64 end_ns;            /* time of the last record */
  gint64 rows_end_ns;       /* latest known end of an activity; 0: there is none */
  NsColumns *columns;       /* of its tables, for those who filter and sort; NULL: none */
  NsTraceCache *cache;      /* what is made when somebody asks */
  NsViewContext *view;      /* what its reader wants */
  NsSecrets *secrets;       /* of that, as it was at opening: what is secret; NULL: what is usual */
  NsNamedRanges *ranges;    /* its own; whoever shows it may change them. NULL: none */
  NsThresholds *thresholds; /* likewise: what findings judge by */
  NsHidden *hidden;         /* what records may not show for what others say; NULL: nothing */
  NsKernelEnds *kernel_ends; /* whose addresses are the machine's own */
  NsEmbeddedLabels *carried; /* names that came along; NULL: none */
  NsCaptureKit *capture;     /* what the capture kit wrote; NULL: another recorded it */
  gboolean is_incomplete;    /* the file has more than was asked for */
  /* Of records that stream by, for one thread: the one that stands for a row, see ns_event_hold().
   */
  struct
  {
    const NsRecord *record; /* NULL: none */
    const NsSchema *schema;
    guint row;
  } held;
};

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

/* Identity at a moment, in O(log n). 0: none. */
NsRow ns_trace_find_process (const NsTrace *self, guint32 pid, gint64 time_ns);
NsRow ns_trace_find_thread (const NsTrace *self, guint32 tid, gint64 time_ns);
gboolean ns_trace_is_main_thread (const NsTrace *self, NsRow thread);
NsRow ns_trace_find_image (const NsTrace *self, guint32 pid, guint64 address, gint64 time_ns);
const char *ns_trace_get_process_name (const NsTrace *self, guint32 pid, gint64 time_ns);
gboolean ns_trace_find_event (const NsTrace *self, NsTableId table, guint32 row, guint32 *event);
gboolean ns_trace_is_kernel_address (const NsTrace *self, guint64 address);

/* The stack of event @n of the event table is in its row; text of a frame without symbols. */
char *ns_trace_frame_to_text (const NsTrace *self, guint32 pid, guint64 address, gint64 time_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsTrace, ns_trace_unref)

G_END_DECLS

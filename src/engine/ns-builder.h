/* State of the build, freed when the trace is open.
 *
 * Two walks: the first, in file order, learns what the whole trace must tell beforehand (processes,
 * threads, images, stacks, thread procedures of pools); the second, in time order, correlates.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

typedef struct _NsBuilder NsBuilder;

/* The state of each part; each is made, fed and freed by the file of its name. */
typedef struct _NsKernel NsKernel;         /* ns-kernel: processes, threads, images */
typedef struct _NsStackMatch NsStackMatch; /* ns-stack-match: which stack belongs to which event */
typedef struct _NsProviders NsProviders;   /* ns-providers: who wrote how much */
typedef struct _NsTasks NsTasks;           /* ns-tasks: thread pools, links */
typedef struct _NsMethods NsMethods;       /* ns-methods-read: code without images */
typedef struct _NsNames NsHostNames;       /* ns-host-names: who resolved what, when */
typedef struct _NsTcpip NsTcpip;
typedef struct _NsWinsock NsWinsock;
typedef struct _NsWebio NsWebio;
typedef struct _NsWininet NsWininet;
typedef struct _NsLdap NsLdap;
typedef struct _NsUrlmon NsUrlmon;
typedef struct _NsChromium NsChromium;
typedef struct _NsDotnet NsDotnet;
typedef struct _NsHttpServer NsHttpServer;
typedef struct _NsKernelNetwork NsKernelNetwork;
typedef struct _NsPackets NsPackets;
typedef struct _NsCalls NsCalls;
typedef struct _NsBits NsBits;
typedef struct _NsWfp NsWfp;
typedef struct _NsCapi2 NsCapi2;
typedef struct _NsQuic NsQuic;
typedef struct _NsTls NsTls;
typedef struct _NsSmb NsSmb;
typedef struct _NsRpc NsRpc;
typedef struct _NsSigns NsSigns;       /* ns-signs: what tells of failures */
typedef struct _NsAppSpans NsAppSpans; /* ns-app-spans: what applications tell of themselves */

struct _NsBuilder
{
  NsTrace *trace;
  NsTraceOptions options;
  NsKernel *kernel;
  NsStackMatch *stack_match;
  NsProviders *providers;
  NsTasks *tasks;
  NsMethods *methods;
  NsHostNames *names;
  NsTcpip *tcpip;
  NsWinsock *winsock;
  NsWebio *webio;
  NsWininet *wininet;
  NsLdap *ldap;
  NsUrlmon *urlmon;
  NsChromium *chromium;
  NsDotnet *dotnet;
  NsHttpServer *http_server;
  NsKernelNetwork *kernel_network;
  NsPackets *packets;
  NsCalls *calls;
  NsAppSpans *app_spans;
  NsBits *bits;
  NsWfp *wfp;
  NsCapi2 *capi2;
  NsQuic *quic;
  NsTls *tls;
  NsSmb *smb;
  NsRpc *rpc;
  NsSigns *signs;
};

typedef void (*NsEventFunc) (NsBuilder *builder, const NsRecord *record);

/* A record that comes soon, shown twice: the part has the memory fetch first the places where it
 * will look for what the record is of, then, nearer, what is found there. It changes nothing. */
typedef void (*NsAheadFunc) (const NsBuilder *builder, const NsRecord *record, gboolean is_near);

/* Reads a record's payload into @room, which has %NS_RECORD_TAP_BYTES; returns how many it used, 0
 * for a record that is of no use. It looks at nothing else: another thread calls it. */
typedef gsize (*NsReadFunc) (const NsRecord *record, gpointer room);

/* Whether the stack of the record may be asked for. */
typedef gboolean (*NsHasStackFunc) (const NsRecord *record);

/**
 * NsProviderOps:
 * @guid: the provider, event class or kernel group
 * @scan: (nullable): called in the first walk, in file order, for each of its records
 * @event: (nullable): called in the second walk, in time order
 * @ahead: (nullable): called, maybe, some time before @event
 * @apart: (nullable): called in the first walk, too, some time before @scan and maybe on another
 *   thread: for what shares nothing with any @scan
 * @read: (nullable): called before @event and maybe on another thread: @event finds what it has
 * read in the record, or nothing
 * @has_stack: (nullable): whose stacks ns_stack_match_find() is asked for in @event; of other
 *   records it knows none
 *
 * One row of the dispatch table; several rows may name the same GUID and are called in table order.
 */
typedef struct
{
  NsGuid guid;
  NsEventFunc scan;
  NsEventFunc event;
  NsAheadFunc ahead;
  NsEventFunc apart;
  NsReadFunc read;
  NsHasStackFunc has_stack;
} NsProviderOps;

/**
 * NsPart:
 * @start: makes the part's state in the builder
 * @scanned: (nullable): called between the two walks
 * @finish: (nullable): called after the second walk: writes the rows of the trace
 * @gather: (nullable): called after every finish: adds rows of the master table
 * @settle: (nullable): called after every gather: what needs the master table to be complete
 * @stop: frees the part's state
 * @ops: (array length=n_ops): the providers it listens to
 * @n_ops: how many
 *
 * A part of the engine. ns-builder.c holds the list of all of them, in the order of their calls.
 */
typedef struct
{
  const char *name;
  void (*start) (NsBuilder *builder);
  void (*scanned) (NsBuilder *builder);
  void (*finish) (NsBuilder *builder);
  void (*gather) (NsBuilder *builder);
  void (*settle) (NsBuilder *builder);
  void (*stop) (NsBuilder *builder);
  const NsProviderOps *ops;
  guint n_ops;
} NsPart;

extern const NsPart ns_kernel_part;
extern const NsPart ns_stack_match_part;
extern const NsPart ns_providers_part;
extern const NsPart ns_tasks_part;
extern const NsPart ns_methods_part;
extern const NsPart ns_host_names_part;
extern const NsPart ns_tcpip_part;
extern const NsPart ns_winsock_part;
extern const NsPart ns_signs_part;
extern const NsPart ns_webio_part;
extern const NsPart ns_wininet_part;
extern const NsPart ns_ldap_part;
extern const NsPart ns_urlmon_part;
extern const NsPart ns_chromium_part;
extern const NsPart ns_dotnet_part;
extern const NsPart ns_http_server_part;
extern const NsPart ns_kernel_network_part;
extern const NsPart ns_bits_part;
extern const NsPart ns_wfp_part;
extern const NsPart ns_capi2_part;
extern const NsPart ns_quic_part;
extern const NsPart ns_tls_part;
extern const NsPart ns_smb_part;
extern const NsPart ns_rpc_part;
extern const NsPart ns_packets_part;
extern const NsPart ns_hidden_part;
extern const NsPart ns_calls_part;
extern const NsPart ns_app_spans_part;
extern const NsPart ns_activities_part;

/* ns-stack-match: the stack of a record, in the second walk; 0 when it has none. */
NsStackId ns_stack_match_find (NsBuilder *builder, const NsRecord *record);
gboolean ns_stack_match_any (const NsRecord *record);

/* ns-tasks: what the thread is executing at this moment (stitching 3.5); 0 is "no link". */
NsRunId ns_tasks_find_link (NsBuilder *builder, guint32 tid, gint64 time_ns);
/* Marks a run, and all behind it, as leading to a network row. */
void ns_tasks_use_link (NsBuilder *builder, NsRunId link);

/* For the builder only. */
NsTrace *ns_trace_new (NsEtlFile *file, NsSchemas *schemas);
const NsGuid *ns_trace_keep_guid (NsTrace *self, const NsGuid *guid);
const gint64 *ns_trace_keep_phases (NsTrace *self, const gint64 phases[NS_N_PHASES]);
void ns_trace_keep_row_phases (NsTrace *self, NsActivityRow *row, const gint64 phases[NS_N_PHASES]);
gboolean ns_chromium_is_channel (const NsGuid *guid);
void ns_runs_free (NsRuns *self);

NsTrace *ns_builder_build (NsEtlFile *file,
                           NsSchemas *schemas,
                           const NsTraceOptions *options,
                           NsProgressFunc progress,
                           gpointer progress_data,
                           GError **error);

G_END_DECLS

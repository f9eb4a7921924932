/* State of the build, freed when the trace is complete.
 *
 * There are two walks. The first, in file order, collects what must be known about the whole trace
 * (processes, threads, images, stacks, thread procedures of pools); the second, in time order,
 * correlates.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-part.h"
#include "engine/ns-trace-make.h"

G_BEGIN_DECLS

/* The state of each part; each is made, fed and freed by the file of its name. */
typedef struct _NsKernel NsKernel;         /* ns-kernel: processes, threads, images */
typedef struct _NsStackMatch NsStackMatch; /* ns-stack-match: which stack belongs to which event */
typedef struct _NsProviders NsProviders;   /* ns-providers: records and bytes per provider */
typedef struct _NsTasks NsTasks;           /* ns-tasks: thread pools, links */
typedef struct _NsMethods NsMethods;       /* ns-methods-read: code without images */
typedef struct _NsNames NsHostNames;       /* ns-host-names: host names resolved, with process
                                            * and time */
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
typedef struct _NsSigns NsSigns;       /* ns-signs: events that indicate failures */
typedef struct _NsAppSpans NsAppSpans; /* ns-app-spans: spans reported by applications */

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

NsTrace *ns_builder_build (NsEtlFile *file,
                           NsSchemas *schemas,
                           const NsPart *const *parts,
                           guint n_parts,
                           const NsTraceOptions *options,
                           NsProgressFunc progress,
                           gpointer progress_data,
                           GError **error);

G_END_DECLS

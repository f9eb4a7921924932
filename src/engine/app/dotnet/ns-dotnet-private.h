/* Shared by the files of .NET requests: records of requests, spans and connections.
 *
 * Record numbers are 1-based, 0 is none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/app/dotnet/ns-dotnet-path.h"
#include "engine/app/dotnet/ns-dotnet.h"
#include "engine/tasks/ns-dotnet-event.h"
#include "engine/trace/ns-interval-index.h"

G_BEGIN_DECLS

/* Maximum number of spans, addresses or sockets examined per search. */
#define NS_DOTNET_MAX_STEPS 256

typedef enum
{
  NS_DOTNET_SPAN_NAMES,
  NS_DOTNET_SPAN_CONNECT,
  NS_DOTNET_SPAN_HANDSHAKE,
  NS_DOTNET_N_SPANS,
} NsDotnetSpanKind;

/* A name look-up, a connect or a handshake. */
typedef struct
{
  guint8 kind; /* an NsDotnetSpanKind */
  NsBool failed;
  NsBool is_server;
  gint64 begin_ns;
  gint64 end_ns; /* NS_TIME_OPEN: not recorded */
  gint64 fail_ns;
  gint64 next_socket_ns; /* for a connect: the thread's next event of System.Net.Sockets */
  guint32 process;
  guint32 pid;
  guint32 tid;
  guint32 id;
  guint32 owner;      /* request */
  guint32 connection; /* resulting connection */
  guint32 before;     /* of a handshake: its connect; of a connect: its look-up */
  guint32 after;      /* of a connect: its handshake */
  guint32 next;       /* next span of its owner */
  guint32 older;      /* previous open span with its kind and ID */
  guint32 older_here; /* previous span of its kind on its thread */
  gint32 error;
  gint32 protocol;
  guint32 tls;      /* number of its #NsTlsSpan, 0: none yet */
  NsString text;    /* host */
  NsString message; /* error message */
  NsEndpoint remote;
  NsRow winsock;
  NsRow tcp;
  NsRow dns;
} NsDotnetSpan;

typedef struct
{
  guint32 process;
  guint32 pid;
  guint32 tid;
  guint64 id;
  NsBool has_id;
  guint8 major;
  guint8 minor;
  guint8 confidence;
  guint16 evidence;
  gint64 open_ns;  /* NS_TIME_NONE: not recorded */
  gint64 close_ns; /* NS_TIME_OPEN: not recorded */
  NsString host;
  NsEndpoint remote;
  guint32 owner; /* request */
  guint32 path;  /* ID of its event */
  guint32 connect;
  gint32 protocol;   /* TLS version, 0: unknown */
  guint32 handshake; /* span, 0: none recorded */
  guint32 first_user;
  gint64 first_use_ns;
  gint64 last_use_ns; /* end of the last use by a request */
  NsRow winsock;
  NsRow tcp;
  NsRow dns;
} NsDotnetConnection;

typedef struct
{
  NsPhase phase;
  gint64 begin_ns;
  gint64 end_ns;
  guint32 next;
} NsDotnetStretch;

typedef struct
{
  guint32 process;
  guint32 id;   /* identifying activity ID; 0: none */
  guint32 node; /* likewise, as a node of the path tree */
  NsBool is_open;
  NsBool is_framework;
  NsBool has_key;
  NsBool in_hop;
  NsBool has_get; /* .NET Framework: GetResponse has begun */
  NsBool has_stream;
  guint8 last_kind; /* kind of its last event */
  gint64 hop_ns[6]; /* times of the current hop, see ns-dotnet-requests.c */
  guint32 first_stretch;
  guint32 first_span;
  guint32 last_span;
  guint32 connection;  /* current connection */
  guint32 established; /* newest connection that it opened */
  gint64 on_connection_ns;
  gint64 headers_ns; /* last RequestHeadersStart */
  NsBool reused;
  NsBool has_reused;
  NsBool overlaps; /* another request used its connection at the same time */
  GArray *redirects;
  NsDotnetRow row;
} NsDotnetRequest;

typedef struct
{
  guint32 pid;
  NsRow row;
  guint32 n_open;
  guint64 sum_open; /* sum of the numbers of open requests */
  guint32 n_spans[NS_DOTNET_N_SPANS];
  guint64 sum_spans[NS_DOTNET_N_SPANS];
  guint32 last_loose; /* newest span without an owner */
} NsDotnetProcess;

typedef struct
{
  gint64 http_ns;
  guint32 http_owner;
  guint32 span[NS_DOTNET_N_SPANS];  /* newest span begun here */
  guint32 ended[NS_DOTNET_N_SPANS]; /* newest span ended here */
  guint32 connect;                  /* connect that waits for the thread's next socket event */
} NsDotnetThread;

/* An element of a path, as a node of the path tree. */
typedef struct
{
  guint32 parent;
  guint32 request;
  guint32 n_open; /* open requests that began with this ID */
  NsBool is_dead; /* more than one open request began with it, so it identifies none */
  guint32 connect;
  guint32 names;
} NsDotnetNode;

typedef struct
{
  NsDotnetPath path;
  guint32 node;
} NsDotnetId;

typedef struct _NsDotnetJoin NsDotnetJoin;

struct _NsDotnet
{
  GArray *events; /* NsDotnetEvent, in time order */
  gboolean has_requests;
  gboolean owns_moves;

  GArray *requests;    /* NsDotnetRequest */
  GArray *spans;       /* NsDotnetSpan */
  GArray *connections; /* NsDotnetConnection */
  GArray *stretches;   /* NsDotnetStretch */
  GArray *processes;   /* NsDotnetProcess */
  GArray *threads;     /* NsDotnetThread */
  GArray *nodes;       /* NsDotnetNode */
  GArray *ids;         /* NsDotnetId */
  GArray *loose;       /* guint32: spans without an owner, by their begin */
  NsMap *process_of;
  NsMap *thread_of;
  NsMap *guid_of;
  NsMap *id_of;
  NsMap *node_of;
  NsMap *open_spans;
  NsMap *connection_of;
  NsMap *framework_of;
  NsMap *span_of_socket;
  NsDotnetJoin *join;
};

#define NS_DOTNET_GET(array, Type, n) (&g_array_index ((array), Type, (n) -1))

static inline NsDotnetRequest *
ns_dotnet_request (const NsDotnet *self, guint32 n)
{
  return NS_DOTNET_GET (self->requests, NsDotnetRequest, n);
}

static inline NsDotnetSpan *
ns_dotnet_span (const NsDotnet *self, guint32 n)
{
  return NS_DOTNET_GET (self->spans, NsDotnetSpan, n);
}

static inline NsDotnetConnection *
ns_dotnet_connection (const NsDotnet *self, guint32 n)
{
  return NS_DOTNET_GET (self->connections, NsDotnetConnection, n);
}

static inline NsDotnetId *
ns_dotnet_id (const NsDotnet *self, guint32 n)
{
  return NS_DOTNET_GET (self->ids, NsDotnetId, n);
}

/* ns-dotnet-owners.c: finds the owner of an event. */
guint32 ns_dotnet_get_process (NsDotnet *self, NsBuilder *builder, const NsDotnetEvent *event);
NsDotnetThread *ns_dotnet_get_thread (NsDotnet *self, guint32 process, guint32 tid);
guint32 ns_dotnet_get_id (NsDotnet *self, guint32 process, const NsDotnetEvent *event);
NsDotnetNode *ns_dotnet_node (const NsDotnet *self, guint32 n);
guint32 ns_dotnet_parent (const NsDotnet *self, guint32 id);
guint32 ns_dotnet_find_owner (NsDotnet *self,
                              guint32 process,
                              guint32 id,
                              const NsDotnetEvent *event,
                              guint16 *evidence);
void ns_dotnet_note_evidence (NsDotnetRequest *request, guint16 evidence);

/* ns-dotnet-spans.c */
void ns_dotnet_add_span_event (NsDotnet *self,
                               NsBuilder *builder,
                               guint32 process,
                               const NsDotnetEvent *event);

/* ns-dotnet-requests.c */
void ns_dotnet_add_request_event (NsDotnet *self,
                                  NsBuilder *builder,
                                  guint32 process,
                                  const NsDotnetEvent *event);
void ns_dotnet_end_requests (NsDotnet *self, gint64 end_ns);

/* ns-dotnet-framework.c */
void ns_dotnet_add_framework_event (NsDotnet *self,
                                    NsBuilder *builder,
                                    guint32 process,
                                    const NsDotnetEvent *event);

/* ns-dotnet-join.c: joins sockets, connections and look-ups. */
NsDotnetJoin *ns_dotnet_join_new (NsDotnet *self, NsBuilder *builder);
void ns_dotnet_join_free (NsDotnetJoin *self);
void ns_dotnet_join_connections (NsDotnetJoin *self);
void ns_dotnet_join_attempt (NsDotnetJoin *self, NsDotnetSpan *span);
void ns_dotnet_join_framework (NsDotnetJoin *self, NsDotnetRequest *request);
NsRow ns_dotnet_join_names (NsDotnetJoin *self, const NsDotnetSpan *span, GArray *found);

/* ns-dotnet-rows.c */
void ns_dotnet_write_rows (NsDotnet *self, NsBuilder *builder);
gint64 ns_dotnet_span_end (const NsDotnet *self, const NsDotnetSpan *span, gint64 limit_ns);

G_END_DECLS

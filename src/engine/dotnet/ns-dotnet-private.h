/* Shared by the files of .NET requests: records of requests, spans and connections.
 *
 * Numbers of them are 1-based, 0 is none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/dotnet/ns-dotnet-event.h"
#include "engine/dotnet/ns-dotnet-path.h"
#include "engine/dotnet/ns-dotnet.h"
#include "engine/ns-interval-index.h"

G_BEGIN_DECLS

/* Spans, addresses and sockets that are looked at in one search. */
#define NS_DOTNET_MAX_STEPS 256

typedef enum
{
  NS_DOTNET_SPAN_NAMES,
  NS_DOTNET_SPAN_CONNECT,
  NS_DOTNET_SPAN_HANDSHAKE,
  NS_DOTNET_N_SPANS,
} NsDotnetSpanKind;

/* A look-up, a connect or a handshake. */
typedef struct
{
  guint8 kind; /* an NsDotnetSpanKind */
  NsBool failed;
  NsBool is_server;
  gint64 begin_ns;
  gint64 end_ns; /* NS_TIME_OPEN: not seen */
  gint64 fail_ns;
  gint64 next_socket_ns; /* of a connect: the thread's next event of System.Net.Sockets */
  guint32 process;
  guint32 pid;
  guint32 tid;
  guint32 id;
  guint32 owner;      /* request */
  guint32 connection; /* that came of it */
  guint32 before;     /* of a handshake: connect; of a connect: look-up */
  guint32 after;      /* of a connect: handshake */
  guint32 next;       /* of its owner */
  guint32 older;      /* of its kind and id, still open */
  guint32 older_here; /* of its kind on its thread */
  gint32 error;
  gint32 protocol;
  guint32 tls;      /* number of its #NsTlsSpan, 0: none yet */
  NsString text;    /* host */
  NsString message; /* why it failed */
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
  gint64 open_ns;  /* NS_TIME_NONE: not seen */
  gint64 close_ns; /* NS_TIME_OPEN: not seen */
  NsString host;
  NsEndpoint remote;
  guint32 owner; /* request */
  guint32 path;  /* id of its event */
  guint32 connect;
  gint32 protocol;   /* of TLS, 0: none seen */
  guint32 handshake; /* span, 0: none seen */
  guint32 first_user;
  gint64 first_use_ns;
  gint64 last_use_ns; /* up to where requests used it */
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
  guint32 id;   /* that it is known by; 0: none */
  guint32 node; /* likewise, in the tree of paths */
  NsBool is_open;
  NsBool is_framework;
  NsBool has_key;
  NsBool in_hop;
  NsBool has_get; /* of the Framework: GetResponse has begun */
  NsBool has_stream;
  guint8 last_kind; /* of its last event */
  gint64 hop_ns[6]; /* of the hop: see ns-dotnet-requests.c */
  guint32 first_stretch;
  guint32 first_span;
  guint32 last_span;
  guint32 connection;  /* that it is on */
  guint32 established; /* the latest that it began */
  gint64 on_connection_ns;
  gint64 headers_ns; /* its last RequestHeadersStart */
  NsBool reused;
  NsBool has_reused;
  NsBool overlaps; /* another one used its connection meanwhile */
  GArray *redirects;
  NsDotnetRow row;
} NsDotnetRequest;

typedef struct
{
  guint32 pid;
  NsRow row;
  guint32 n_open;
  guint64 sum_open; /* of the numbers of requests that are open */
  guint32 n_spans[NS_DOTNET_N_SPANS];
  guint64 sum_spans[NS_DOTNET_N_SPANS];
  guint32 last_loose; /* span without an owner */
} NsDotnetProcess;

typedef struct
{
  gint64 http_ns;
  guint32 http_owner;
  guint32 span[NS_DOTNET_N_SPANS];  /* latest that began here */
  guint32 ended[NS_DOTNET_N_SPANS]; /* latest that ended here */
  guint32 connect;                  /* whose next socket event is awaited */
} NsDotnetThread;

/* A number of a path, below those before it. */
typedef struct
{
  guint32 parent;
  guint32 request;
  guint32 n_open; /* requests that began with this very id and are open */
  NsBool is_dead; /* more than one: it tells nothing */
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

/* ns-dotnet-owners.c: whose an event is. */
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

/* ns-dotnet-join.c: the sockets, connections and look-ups below. */
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

/* State of the Chromium part: requests, sessions, streams and sockets of a network service.
 *
 * The network service logs all events of one request on one thread, so an ID is unique only per
 * process and thread. An event identifies its own source by a 64-bit ID and another one by a plain
 * number ("dependency"); the two are mapped to objects separately.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-json-doc.h"
#include "base/ns-map.h"
#include "engine/app/chromium/ns-url-hints.h"
#include "engine/build/ns-builder.h"
#include "engine/trace/ns-phases.h"

G_BEGIN_DECLS

typedef enum
{
  NS_CHROMIUM_UNKNOWN,
  NS_CHROMIUM_CACHE,
  NS_CHROMIUM_TCP,
  NS_CHROMIUM_HTTP1,
  NS_CHROMIUM_HTTP2,
  NS_CHROMIUM_QUIC,
} NsChromiumKind;

/* Stream number of HTTP/1 streams. */
#define NS_CHROMIUM_STREAM_HTTP1 (-1)
#define NS_CHROMIUM_STREAM_CACHE (-2)
#define NS_CHROMIUM_STREAM_UNKNOWN (-3)

typedef struct
{
  const char *channel;
  guint32 pid;
  guint32 tid;
  NsString url;
  NsString domain;
  NsString canon;
  NsString method;
  NsString priority;
  NsString origin;
  guint16 port;
  NsIp ip;
  gint32 net_error;
  guint64 up;
  guint64 down;
  guint64 job_quic;
  guint64 job_tcp;
  NsChromiumKind kind;
  NsChromiumKind tcp_kind;
  guint32 session_quic; /* numbers of sessions, 0: none */
  guint32 session_tcp;
  guint32 session_other;
  guint32 stream;
  guint32 sock;
  gint64 begin_ns;
  gint64 start_ns;
  gint64 end_ns;
  NsTimeSpan stall;  /* waited for a free connection */
  gint64 sent_ns;    /* NS_TIME_NONE: unknown */
  gint64 headers_ns; /* begin of the response; NS_TIME_NONE: unknown */
  NsGuid activity_id;
  NsStackId stack;
  NsRunId link;
  guint64 netlog; /* netlog source ID */
  guint64 group;  /* hash of the pool group, for preconnects */
  gboolean is_preconnect;
  gboolean is_used_preconnect;
  gboolean is_websocket;
  gboolean is_redirected;
  guint32 before; /* number of the request that redirected to this one; 0: none */
  gboolean is_cancelled;
} NsChromiumReq;

typedef struct
{
  NsChromiumKind kind;
  NsEndpoint local;
  NsEndpoint remote;
  gint64 create_ns;
  gint64 connect_ns;
  gint64 connected_ns; /* NS_TIME_NONE: unknown */
  gint64 close_ns;
  NsTimeSpan tls;
  guint32 handshake; /* number of its NsTlsSpan, 0: none */
  guint32 winsock;   /* number of the NsWsRec, 0: none */
  gint32 net_error;
  gboolean is_cancelled;
  gboolean has_tls;
} NsChromiumSock;

typedef struct
{
  NsChromiumKind kind;
  guint32 pid;
  guint32 tid;
  guint64 id;
  NsString domain;
  guint16 port;
  guint32 sock;
  guint32 resolver;
  gint32 error;
  gint64 time_ns;
  guint32 streams;  /* newest of its streams; the others follow by @next */
  guint32 sock_new; /* migration target */
  guint n_migrations;
  gboolean is_recovered; /* its begin was not recorded */
  gboolean is_closed;
} NsChromiumSession;

typedef struct
{
  guint32 session;
  gint64 number;
  guint64 sent;
  guint64 received;
  NsString method;
  NsString url;
  NsString status;
  guint32 http_status;
  guint32 req;
  gint32 error;
  gint64 first_ns;
  gint64 last_ns;
  guint32 next;       /* next stream of the same session */
  guint32 before;     /* number of a copy of it from before its session migrated */
  gint64 migrated_ns; /* time of that migration */
  gboolean is_before; /* is such a copy */
  gboolean is_abandoned;
  gboolean is_ignored;
} NsChromiumStream;

typedef struct
{
  NsString host;
  NsString canon;
  NsIp ip;
} NsChromiumResolver;

typedef enum
{
  NS_CHROMIUM_REQ,
  NS_CHROMIUM_SOCK,
  NS_CHROMIUM_SESSION,
  NS_CHROMIUM_RESOLVER,
  NS_CHROMIUM_N_OBJECTS,
} NsChromiumObject;

/* Objects of the previous event on the same thread; adjacent events belong together. */
typedef struct
{
  guint32 objects[NS_CHROMIUM_N_OBJECTS];
  guint64 id;
  NsString url;
  gboolean is_websocket;
} NsChromiumRecent;

struct _NsChromium
{
  GArray *reqs;      /* element-type NsChromiumReq */
  GArray *socks;     /* element-type NsChromiumSock */
  GArray *sessions;  /* element-type NsChromiumSession */
  GArray *streams;   /* element-type NsChromiumStream */
  GArray *resolvers; /* element-type NsChromiumResolver */
  GArray *recents;   /* element-type NsChromiumRecent */
  NsMap *by_id[NS_CHROMIUM_N_OBJECTS];
  NsMap *by_dep[NS_CHROMIUM_N_OBJECTS];
  NsMap *recent_of; /* thread → number of its entry in @recents */
  NsMap *stream_of; /* (session, number) → number of the stream */
  NsMap *dns_deps;  /* (thread, dependency) → 1: a socket of the resolver */
  NsMap *groups;    /* (thread, hash of a group) → req */
  NsUrlHints *hints;
  gboolean has_netlog;
  NsJsonDoc json;
  GString *phase;
  GString *params;
};

/* One decoded event. */
typedef struct
{
  NsBuilder *builder;
  NsChromium *state;
  const NsRecord *record;
  const char *channel;
  guint64 thread; /* pid and tid combined */
  guint64 id;
  gint64 dep;       /* -1: none */
  guint dep_object; /* token of source_dependency */
  gboolean is_begin;
  gboolean is_end;
  const char *source; /* source type, "" if there is none */
  NsChromiumRecent *recent;
} NsChromiumEvent;

typedef void (*NsChromiumHandler) (NsChromiumEvent *event);

/* ns-chromium-objects: look-up and creation. Pointers are valid until the next object is created.
 */
NsChromiumReq *ns_chromium_req (NsChromium *self, guint32 number);
NsChromiumSock *ns_chromium_sock (NsChromium *self, guint32 number);
NsChromiumSession *ns_chromium_session (NsChromium *self, guint32 number);
NsChromiumStream *ns_chromium_stream (NsChromium *self, guint32 number);
NsChromiumResolver *ns_chromium_resolver (NsChromium *self, guint32 number);
guint32 ns_chromium_find (NsChromiumEvent *event, NsChromiumObject object, gboolean by_dep);
guint32 ns_chromium_find_both (NsChromiumEvent *event, NsChromiumObject object);
void ns_chromium_name_id (NsChromiumEvent *event, NsChromiumObject object, guint32 number);
void ns_chromium_name_dep (NsChromiumEvent *event, NsChromiumObject object, guint32 number);
guint32 ns_chromium_add_req (NsChromiumEvent *event);
guint32 ns_chromium_add_sock (NsChromiumEvent *event, NsChromiumKind kind);
guint32 ns_chromium_add_session (NsChromiumEvent *event, NsChromiumKind kind);
guint32 ns_chromium_add_resolver (NsChromiumEvent *event);
guint32 ns_chromium_get_session (NsChromiumEvent *event, NsChromiumKind kind);
guint32 ns_chromium_get_stream (NsChromiumEvent *event, guint32 session, gint64 number);
void ns_chromium_attach (NsChromiumEvent *event, guint32 stream, guint32 req);

/* Parameters of the event. */
guint ns_chromium_param (NsChromiumEvent *event, const char *key);
gint64 ns_chromium_int (NsChromiumEvent *event, const char *key, gint64 otherwise);
NsString ns_chromium_text (NsChromiumEvent *event, const char *key);
char *ns_chromium_dup (NsChromiumEvent *event, const char *key);

void ns_chromium_note_headers (NsChromiumEvent *event, guint32 number, const char *status);

/* Handlers by event name. */
NsChromiumHandler ns_chromium_find_request_handler (const char *name);
NsChromiumHandler ns_chromium_find_session_handler (const char *name);
NsChromiumHandler ns_chromium_find_socket_handler (const char *name);

/* ns-chromium-migration: QUIC connection migration. */
#define NS_CHROMIUM_MAX_MIGRATIONS 64 /* per session; each copies its streams */
void ns_chromium_prepare_migration (NsChromiumEvent *event);
void ns_chromium_migrate (NsChromiumEvent *event);

/* ns-chromium-rows: writes the rows. */
void ns_chromium_write_rows (NsBuilder *builder);
void ns_chromium_describe (NsBuilder *builder,
                           const NsChromiumRow *row,
                           NsPhases *phases,
                           gint64 *first_byte_ns);

gboolean ns_chromium_is_channel (const NsGuid *guid);

G_END_DECLS

/* Shared by the files of the WinINet part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-arena.h"
#include "base/ns-map.h"
#include "engine/app/wininet/ns-wininet.h"

G_BEGIN_DECLS

/* Maximum number of records of a chain searched. */
#define NS_WININET_MAX_LOOK_BACK 256

typedef struct _NsWininetRequest NsWininetRequest;

/* A time span; both ends are #NS_TIME_NONE until recorded. */
typedef struct
{
  gint64 begin_ns;
  gint64 end_ns;
} NsWininetSpan;

struct _NsWininetRequest
{
  NsRow row;
  guint64 handle;
  guint64 context;
  guint64 request;
  guint64 act8;
  guint32 pid;
  guint32 tid_send;
  guint32 tid_connect;
  guint32 stack_tid;
  gint64 open_ns;
  gint64 answer_ns;
  gint64 close_ns;
  NsString method;
  NsString url;
  NsString server;
  NsString status;
  NsString dns_name; /* host name resolved for it */
  guint32 http_status;
  guint32 server_port;
  guint32 error;
  const NsEndpoint *remote; /* in the trace's endpoint pool; never %NULL */
  guint64 sent;
  guint64 received;
  guint16 local_port;
  gint8 reused;
  guint8 confidence; /* an NsConfidence */
  guint finished : 1;
  guint redirected : 1;
  guint pre_net_hit : 1;
  guint offline_hit : 1;
  guint post_net_hit : 1;
  guint http2 : 1;
  guint inferred : 1;
  NsRow tcp;
  guint32 afd;         /* index of the #NsWsRec that it claimed, 0: none */
  gint64 connected_ns; /* begin of the current connection's connect */
  NsWininetRequest *redirect_from;
  NsWininetAttempt *first_attempt;
  NsWininetAttempt *last_attempt;
  NsStackId stack;
  NsGuid activity_id;
  NsRunId link;
  gint64 sent_ns; /* time of SendRequest */
  NsWininetSpan proxy;
  NsWininetSpan dns;
  NsWininetSpan connect;
  gint64 served_ns; /* when work on the request began, after connect.begin_ns */
  NsWininetSpan tls;
  guint32 handshake; /* number of its #NsTlsSpan, 0: none */
  NsWininetSpan send;
  NsWininetSpan receive;
  NsWininetRequest *older_handle;
};

struct _NsWininet
{
  NsArena *arena;
  GPtrArray *requests; /* NsWininetRequest, numbers are 1-based */
  NsMap *by_activity;
  NsMap *by_handle;
  NsMap *by_pointer;
  NsMap *by_socket; /* request that opened a kept-alive connection */
  NsMap *by_port;   /* request that opened a kept-alive connection, by local port */
};

NsWininetRequest *
ns_wininet_add (NsWininet *self, const NsRecord *record, guint64 handle, NsString method);
NsWininetRequest *ns_wininet_find (const NsWininet *self, const NsRecord *record);
NsWininetRequest *ns_wininet_find_handle (const NsWininet *self,
                                          const NsRecord *record,
                                          guint64 handle,
                                          guint64 context);
/* Finds a request by activity ID, else by the handle or request object in the event. */
NsWininetRequest *
ns_wininet_find_any (const NsWininet *self, const NsRecord *record, guint64 handle_or_pointer);
void ns_wininet_set_pointer (NsWininet *self, NsWininetRequest *request, guint64 pointer);

/* Events of name resolution, connections and transfers. */
void ns_wininet_network_event (NsBuilder *builder, const NsRecord *record);

/* Links the request with its connection, once; @remote: (nullable): the peer in the event. */
void ns_wininet_finish (NsBuilder *builder, NsWininetRequest *request, const NsEndpoint *remote);
/* Keeps the former connection of a request that continues over another one. */
void ns_wininet_reconnect (NsBuilder *builder, NsWininetRequest *request, gint64 time_ns);
void ns_wininet_write_rows (NsBuilder *builder);
void ns_wininet_look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near);

NsString ns_wininet_take_text (NsBuilder *builder, NsCursor *cursor, gsize n_bytes);

/* Records that work on the request began (look-up, connect, or reuse of a connection): until
 * then it was queued. */
static inline void
ns_wininet_serve (NsWininetRequest *request, gint64 time_ns)
{
  if (request->served_ns == NS_TIME_NONE && request->connect.begin_ns != NS_TIME_NONE &&
      request->connect.end_ns == NS_TIME_NONE)
    request->served_ns = time_ns;
}

static inline void
ns_wininet_begin (NsWininetSpan *span, gint64 time_ns)
{
  if (span->begin_ns == NS_TIME_NONE)
    span->begin_ns = time_ns;
}

G_END_DECLS

/* Shared by the files of the WebIO part: its records and their look-up.
 *
 * A session has requests; a request has connections over time; a connection uses one socket, which
 * connections of several requests may share (a pooled connection). Pointers and handles are reused
 * after their end, so a key maps to a chain of records, newest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-arena.h"
#include "base/ns-map.h"
#include "engine/app/webio/ns-webio.h"
#include "engine/net/tcpip/ns-tcpip.h"
#include "engine/net/winsock/ns-winsock.h"
#include "engine/trace/ns-phases.h"

G_BEGIN_DECLS

/* Maximum number of records of a chain searched. */
#define NS_WEBIO_MAX_LOOK_BACK 256

/* Maximum time from event 213 or 215 to the TCP event that it causes on the same thread. */
#define NS_WEBIO_MAX_ADJACENT_NS (2 * NS_PER_SECOND / 1000)

typedef struct _NsWebioSession NsWebioSession;
typedef struct _NsWebioRequest NsWebioRequest;
typedef struct _NsWebioLink NsWebioLink;
typedef struct _NsWebioSocket NsWebioSocket;

/* A time span; both ends are #NS_TIME_NONE until recorded. */
typedef struct
{
  gint64 begin_ns;
  gint64 end_ns;
} NsWebioSpan;

struct _NsWebioSession
{
  guint64 ptr;
  guint64 handle;
  guint32 pid;
  guint32 tid;
  gint64 open_ns;
  gint64 close_ns;
  NsStackId stack;
  NsRunId link;
  NsString last_url; /* newest request to the session's server */
  gboolean has_request;
  NsWebioSession *older;
};

struct _NsWebioRequest
{
  NsRow row;
  guint32 pid;
  guint64 ptr;
  guint64 handle;
  guint64 session;
  guint64 session_handle;
  guint32 tid;
  guint32 http_code; /* status code by event 125, used if no header was recorded */
  gint64 open_ns;
  gint64 close_ns;
  NsString method;
  NsString url;
  NsString server;
  guint32 error;
  NsGuid activity_id;
  NsStackId stack;
  NsRunId link;
  NsString dns_name;  /* host name looked up */
  guint inferred : 1; /* created by a later event than the request's creation */
  gint64 first_ns;    /* first event of a connection, until which the request waited */
  gint64 failed_ns;   /* when its failure was reported to the caller, unless it was sent again */
  NsWebioSpan dns;
  NsWebioSpan proxy;
  NsTimeSpan gap; /* longest time without a transfer; empty: none */
  NsWebioLink *first;
  NsWebioLink *last;
  NsWebioRequest *older_ptr;
  NsWebioRequest *older_handle;
};

/* One connection of one request. */
struct _NsWebioLink
{
  guint64 id;
  NsWebioRequest *request;
  NsWebioSocket *socket; /* %NULL: announced by event 104 only */
  guint64 sent;
  guint64 received;
  guint32 error;
  NsString header;
  guint32 tid_tx;
  guint32 tid_rx;
  guint64 context_tx; /* context of the current send or receive; 0: none */
  guint64 context_rx;
  gint64 tx_ns; /* begin of the current send or receive */
  gint64 rx_ns;
  guint64 tx_from_tcp;
  NsWebioSpan send;
  gint64 first_byte_ns;
  gint64 last_byte_ns;
  gint64 quiet_ns; /* end of the last transfer, if none is active */
  guint32 index;
  guint header_is_http : 1;
  guint duplicate : 1; /* the socket was opened by an older request */
  guint tentative : 1; /* named by event 104 only so far */
  guint gone : 1;      /* event 104 named a wrong connection */
  guint sends : 1;     /* a transfer is active */
  guint receives : 1;
  NsWebioLink *older;  /* previous connection with the same ID */
  NsWebioLink *next;   /* next connection of the same request */
  NsWebioLink *before; /* previous connection of the same request */
};

struct _NsWebioSocket
{
  guint32 index;
  guint32 pid;
  guint64 handle;
  guint32 tid; /* thread that began the connect */
  guint32 afd; /* index of the #NsWsRec that the thread had just created, 0: none */
  gint64 start_ns;
  gint64 stop_ns;
  gint64 close_ns;
  const NsEndpoint *remote; /* in the trace's endpoint pool; never %NULL */
  NsRow tcp;
  guint confidence : 2; /* an NsConfidence */
  guint opened : 1;     /* its connect was recorded */
  guint is_http3 : 1;
  NsWebioSpan tls;
  guint32 handshake;         /* number of its #NsTlsSpan, 0: none */
  NsWebioSocket *older;      /* previous socket of the same thread */
  NsWebioSocket *older_free; /* likewise, without those known to be linked or closed */
};

struct _NsWebio
{
  NsArena *arena;
  GPtrArray *sessions; /* NsWebioSession, numbers are 1-based */
  GPtrArray *requests; /* NsWebioRequest */
  GPtrArray *links;    /* NsWebioLink */
  GPtrArray *sockets;  /* NsWebioSocket */
  NsMap *session_by_ptr;
  NsMap *request_by_ptr;
  NsMap *request_by_handle;
  NsMap *link_by_id;
  NsMap *socket_by_thread; /* (pid, tid) → newest socket connected there */
  NsMap *tx_by_thread;     /* (pid, tid) → newest connection that sends there */
  NsMap *rx_by_thread;
  GArray *socket_by_tcp;        /* guint32: number of the socket, 0: none; by row of TCP - 1 */
  const NsWebioLink *described; /* last connection described */
  guint n_described;            /* index of it within its request */
  gboolean has_send_counts;
};

/* Returns the socket of a TCP connection, 0: none; @tcp is not 0. */
static inline guint32
ns_webio_socket_of_tcp (const NsWebio *self, NsRow tcp)
{
  return tcp <= self->socket_by_tcp->len ? g_array_index (self->socket_by_tcp, guint32, tcp - 1)
                                         : 0;
}

/* Returns the request handle in the activity ID: the event ran on behalf of this request. */
static inline guint64
ns_webio_handle_of (const NsRecord *record)
{
  return ns_guid_low (&record->activity);
}

NsWebioSession *ns_webio_add_session (NsWebio *self, guint32 pid, guint64 ptr, gint64 time_ns);
NsWebioSession *
ns_webio_find_session (const NsWebio *self, guint32 pid, guint64 ptr, gint64 time_ns);

NsWebioRequest *
ns_webio_add_request (NsWebio *self, guint32 pid, guint64 ptr, guint64 handle, gint64 time_ns);
NsWebioRequest *
ns_webio_find_request (const NsWebio *self, guint32 pid, guint64 ptr, gint64 time_ns);
NsWebioRequest *ns_webio_find_open_handle (const NsWebio *self, guint32 pid, guint64 handle);
NsWebioRequest *
ns_webio_restore_request (NsBuilder *builder, const NsRecord *record, guint64 near_ptr);

NsWebioLink *ns_webio_add_link (NsWebio *self, NsWebioRequest *request, guint64 id);
NsWebioLink *ns_webio_newest_link (const NsWebio *self, guint32 pid, guint64 id);
NsWebioSocket *
ns_webio_add_socket (NsWebio *self, const NsRecord *record, guint64 handle, gboolean opened);
void ns_webio_tie (NsBuilder *builder, NsWebioSocket *socket, NsRow tcp, NsConfidence confidence);

/* Returns the event's connection of a request that is still open. */
NsWebioLink *ns_webio_find_link (NsWebio *self, const NsRecord *record, guint64 id);
/* Likewise, added if needed; its socket may still be %NULL. */
NsWebioLink *ns_webio_need_link (NsBuilder *builder, const NsRecord *record, guint64 id);
/* Gives a connection the pooled socket that an older request opened, or a socket from before the
 * trace. */
void ns_webio_attach (NsWebio *self, const NsRecord *record, NsWebioLink *link, guint64 handle);

/* Socket events: 200 to 204, 213 to 216, 700 to 704. */
void ns_webio_socket_event (NsBuilder *builder, const NsRecord *record);

/* Records that the connection sends, or receives, on this thread. */
void ns_webio_remember_thread (NsWebio *self, NsWebioLink *link, guint32 tid, gboolean sends);

void ns_webio_write_rows (NsBuilder *builder);
void ns_webio_look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near);

static inline gboolean
ns_webio_is_open (const NsWebioRequest *request)
{
  return request->close_ns == NS_TIME_OPEN;
}

static inline gboolean
ns_webio_link_is_live (const NsWebioLink *link)
{
  return link->socket != NULL && link->socket->close_ns == NS_TIME_OPEN;
}

extern const NsTcpOwner ns_webio_tcp_owner;

G_END_DECLS

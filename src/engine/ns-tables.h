/* Row types of the tables.
 *
 * Conventions: row numbers are 1-based and 0 is "none"; a text is an #NsString of the trace; times
 * are ns since the trace header, %NS_TIME_NONE when unknown, %NS_TIME_OPEN for a close that never
 * came; a pid or tid that is not known is %NS_PID_UNKNOWN; an absent address has family 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"
#include "base/ns-ip.h"
#include "base/ns-strings.h"
#include "base/ns-time.h"
#include "engine/ns-kinds.h"
#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 pid;
  guint32 parent_pid;
  NsString name; /* image file name */
  NsString path; /* from its first image, DOS form when the volume is known */
  NsString command_line;
  NsString package;
  NsString app_id;
  NsString user_sid;
  guint32 session_id; /* G_MAXUINT32: none */
  guint32 exit_status;
  NsBool has_exit_status;
  guint8 pointer_size; /* 0: unknown */
  NsBool before_trace;
  NsBool from_list; /* the trace does not tell of it: the list of the capture kit does */
  gint64 start_ns;
  gint64 end_ns;
  guint64 unique_key;
  guint64 n_events;
} NsProcessRow;

typedef struct
{
  guint32 tid;
  guint32 pid;
  NsRow process;
  NsString name;
  guint64 start_address; /* Win32StartAddr; 0: unknown */
  guint32 creator_pid;
  guint32 creator_tid;
  NsBool before_trace;
  gint64 start_ns;
  gint64 end_ns;
  guint64 n_events;
} NsThreadRow;

typedef struct
{
  guint32 pid; /* 0 for kernel images */
  NsRow process;
  guint64 base;
  guint64 size;
  NsString name; /* last part of the path */
  NsString path; /* DOS form when the volume is known */
  guint32 timestamp;
  guint32 checksum;
  NsBool before_trace;
  NsBool is_kernel;
  gint64 load_ns;
  gint64 unload_ns;
  NsString pdb; /* from ImageID / RSDS records */
  NsGuid guid;
  guint32 age;
  NsBool has_guid;
} NsImageRow;

/* A name server, as the events of one question tell of it; times are %NS_TIME_NONE when they tell
 * nothing of the kind. */
typedef struct
{
  NsString address;
  NsString adapter;    /* whose list it stands in, or %NS_STRING_NONE */
  gint64 asked_ns;     /* first */
  gint64 answered_ns;  /* first */
  gint64 timed_out_ns; /* when Windows gave up waiting */
  guint32 status;      /* of the answer */
} NsDnsServer;

typedef struct
{
  NsString query;
  guint32 type; /* 1 A, 28 AAAA …; 0: unknown */
  guint32 status;
  NsString server;   /* the resolver that answered or was asked */
  GArray *addresses; /* (element-type NsIp) (nullable) */
  GArray *aliases;   /* (element-type NsString) (nullable) */
  GArray *servers; /* (element-type NsDnsServer) (nullable): in the order of their being told of */
  /* "network", "cache", "hosts", "winsock", "webio", "wininet", "tcpip", "packet" */
  const char *source;
  guint32 pid;
  guint32 tid;
  gint64 open_ns;
  gint64 close_ns;
  const NsGuid *activity_id; /* what Windows called it; NULL: nothing */
  NsRow activity;
  NsRow flow;        /* conversation in packets; of none: what follows is not known */
  guint32 n_retries; /* queries that were sent again before the answer */
  NsString rcode;    /* of an answer */
  NsBool is_cut;     /* the answer is longer than it can be */
  NsBool is_over_tcp;
  NsBool has_status;
} NsDnsRow;

/* Why a row is said to be of its process; what surely knows comes first. */
typedef enum
{
  NS_PID_FROM_NOTHING,
  NS_PID_FROM_PAYLOAD,    /* a field of an event names it */
  NS_PID_FROM_SOCKET,     /* other events of the socket's process object name it */
  NS_PID_FROM_CONNECTION, /* the connection below belongs to it */
  NS_PID_FROM_CLAIM,      /* the layer above belongs to it */
  NS_PID_FROM_HEADER,     /* the event was written while it ran */
} NsPidSource;

/* What most connections have nothing of. */
typedef struct
{
  guint64 retransmitted_bytes;
  gint64 total_sent; /* ConnectionSummary of a connection from before the trace, else NS_UNKNOWN */
  gint64 total_received;
  guint32 retransmits;     /* segments */
  guint32 syn_retransmits; /* of @retransmits: before the connection was there */
  guint64 n_segments;      /* of a summary, the connection's whole life: with data, out, */
  guint64 total_again;     /* and bytes that were sent again */
  guint32 n_sends;         /* that events tell of, each of a segment or more */
  guint32 handshake_us;    /* from the SYN to the connection; 0: not seen */
  gint32 rtt_us;           /* NS_UNKNOWN: not traced */
  gint64
      idle_ns; /* silence before bytes that nothing came after; 0: it was shorter than a minute */
  gint64 resumed_ns; /* when those bytes went out */
} NsTcpExtra;

/* Of those that have none of it. */
extern const NsTcpExtra ns_tcp_extra_none;

typedef struct
{
  guint64 tcb;               /* Tcb pointer, or UDP Endpoint pointer */
  const char *state;         /* "Connect_Request" … (correlation 2.1, 4.4) */
  const NsGuid *activity_id; /* what Windows called it; NULL: nothing */
  const NsEndpoint *remote;  /* never %NULL */
  const NsEndpoint *local;
  guint64 posted;
  guint64 sent; /* without retransmissions */
  guint64 received;
  const NsTcpExtra *extra; /* never %NULL */
  gint64 open_ns;
  gint64 shutdown_ns; /* NS_TIME_NONE: none */
  gint64 close_ns;
  gint64 first_data_ns;
  gint64 last_data_ns;
  guint32 pid;
  guint32 tid;
  guint32 status; /* last NTSTATUS that was not 0 */
  NsString server;
  NsString server_alt;
  NsRow activity;
  NsRow dns;        /* where @server comes from */
  NsLayerSet owner; /* who claimed it */
  NsBool is_udp;
  NsBool inferred; /* no opening event was seen */
  NsBool before_trace;
  NsBool accepted;
  guint8 pid_source;    /* an NsPidSource */
  NsBool name_inferred; /* @server was learned by another process, or later */
} NsTcpRow;

/* What windows and the size of segments did to one connection. */
typedef struct
{
  gint64 zero_window_ns; /* how long the peer took nothing, in all */
  gint64 zero_from_ns;
  gint64 zero_since_ns; /* 0: its window is open */
  gint64 receiver_ns;   /* as the summary of the connection has it: limited by the peer's window, */
  gint64 network_ns;    /* by that of congestion control, */
  gint64 sender_ns;     /* and by the program that sends */
  gint64 black_hole_from_ns;
  gint64 black_hole_to_ns;
  gint64 burst_ns;      /* since when bytes are added up, and how many there are, */
  guint32 burst_bytes;  /* where no event tells what is acknowledged */
  guint32 n_flights;    /* sends of a long transfer, */
  guint32 n_full[2];    /* and with how many of them the window was full: of the peer, of the */
  guint32 window_bytes; /* network; the largest of those */
  guint32 n_zero_windows;
  guint32 n_black_holes;
  guint32 segment_bytes;     /* that seem to vanish on the way */
  NsBool has_smaller_helped; /* smaller ones arrived */
  NsBool has_search_failed;  /* no size arrived */
} NsTcpFlow;

/* Of connections that they did nothing to. */
extern const NsTcpFlow ns_tcp_flow_none;

/* What held the data of one connection back; only connections of which events tell of such a thing
 * have one. */
typedef struct
{
  NsRow tcp;
  guint32 n_held; /* small sends that waited as long as a delayed acknowledgment takes */
  gint64 held_ns; /* all of them together */
  gint64 held_from_ns;
  gint64 handshake_ns;   /* from the SYN to the connection; 0: not seen */
  const NsTcpFlow *flow; /* never %NULL */
} NsTcpAnomaly;

typedef struct
{
  guint64 endpoint;
  guint64 process_object;
  const NsGuid *activity_id; /* what Windows called it; NULL: nothing */
  const NsEndpoint *remote;  /* never %NULL */
  const NsEndpoint *local;
  guint64 sent;
  guint64 received;
  gint64 open_ns;
  gint64 connect_ns;
  gint64 close_ns;
  gint64 first_data_ns;
  gint64 last_data_ns;
  guint32 pid;
  guint32 tid_open;
  guint32 tid_connect;
  guint32 tid_close;
  guint32 protocol; /* IPPROTO number */
  guint32 status;   /* last NTSTATUS that was not 0 */
  NsRow tcp;
  NsRow dns;
  NsString server;
  NsString server_alt;
  NsStackId stack;
  NsRunId link;
  NsRow activity;
  NsLayerSet layers;
  guint16 family;
  guint16 socket_type; /* 1 STREAM, 2 DGRAM … */
  NsBool accepted;
  NsBool listening;
  NsBool connect_ex;     /* connected with ConnectEx */
  NsBool next_peer;      /* of a socket that had told another peer something before */
  guint8 pid_source;     /* an NsPidSource */
  guint8 tcp_confidence; /* an NsConfidence */
  NsBool name_inferred;  /* @server was learned by another process, or later */
} NsWinsockRow;

/* One connection of a WebIO request. */
typedef struct
{
  guint64 connection;
  guint64 socket;
  const NsEndpoint *remote; /* never %NULL */
  guint64 sent;
  guint64 received;
  gint64 start_ns; /* socket connect start */
  gint64 stop_ns;
  gint64 close_ns;
  guint32 error;
  NsString header; /* first line of the answer */
  NsRow tcp;
  NsBool reused;
  guint8 confidence; /* an NsConfidence */
} NsWebioConn;

typedef struct
{
  guint64 request;
  guint64 handle;
  guint64 session;
  guint64 session_handle;
  guint64 sent; /* sums over conns */
  guint64 received;
  gint64 open_ns;
  gint64 close_ns;
  const NsWebioConn *conns;  /* in the order of their use; they stand as long as the trace */
  const NsGuid *activity_id; /* what Windows called it; NULL: nothing */
  NsString method;
  NsString url;
  NsString server;
  NsTimeSpan gap;      /* the longest time between transfers with none under way; empty: none */
  guint32 http_status; /* 0: none seen */
  guint32 error;
  guint32 pid;
  guint32 tid;
  guint32 n_conns;
  NsStackId stack;
  NsRunId link;
  NsRow activity;
  NsBool inferred;
} NsWebioRow;

typedef struct
{
  guint64 request;
  guint64 connect; /* HINTERNET of the request handle */
  guint64 context;
  NsString method;
  NsString url;
  NsString server;
  NsString server_alt;
  guint32 server_port;
  NsString status;          /* status line, "Redirected", "PreNet Cache Hit" … */
  const NsEndpoint *remote; /* never %NULL */
  guint64 sent;
  guint64 received;
  guint32 http_status;
  guint32 error;
  guint32 pid;
  guint32 tid;
  gint64 open_ns;
  gint64 close_ns;  /* handle closed */
  gint64 answer_ns; /* response complete (t_close1); NS_TIME_OPEN: never */
  NsRow tcp;
  NsRow redirect_from; /* of this table */
  NsStackId stack;
  NsRunId link;
  const NsGuid *activity_id; /* what Windows called it; NULL: nothing */
  NsRow activity;
  guint16 local_port;
  NsBool from_cache;
  NsBool http2;
  gint8 reused;          /* 1 kept-alive connection, 0 new, -1 unknown */
  guint8 tcp_confidence; /* an NsConfidence */
  NsBool inferred;
} NsWininetRow;

typedef struct
{
  NsString base;
  guint32 scope; /* 0 base, 1 one level, 2 subtree */
  NsString filter;
  GArray *attributes; /* (element-type NsString) (nullable) */
  NsString server;
  NsEndpoint remote;
  NsString status;
  guint32 pid;
  guint32 tid;
  gint64 open_ns;
  gint64 close_ns;
  NsRow winsock;
  NsRow tcp;
  NsConfidence confidence;
  NsStackId stack;
  NsRunId link;
  NsRow activity;
  NsGuid activity_id; /* what Windows called it; zero: nothing */
} NsLdapRow;

typedef struct
{
  NsString url;
  guint64 bytes;
  guint32 last_message;
  guint32 abort_reason; /* HRESULT; 0: none */
  guint32 pid;
  guint32 tid;
  gint64 open_ns;
  gint64 close_ns;
  NsRow wininet;
  NsConfidence confidence;
  NsStackId stack;
  NsRunId link;
  NsRow activity;
  NsGuid activity_id; /* what Windows called it; zero: nothing */
} NsUrlmonRow;

typedef struct
{
  const char *channel; /* "Chrome", "Edge", "Edge Beta" … */
  guint64 request;
  guint64 netlog; /* what the events of the request are of */
  guint64 session;
  guint64 connection;
  guint32 socket; /* local port */
  NsString method;
  NsString url;
  NsString server;
  NsString server_alt;
  NsString ip_text; /* when it is not an address */
  NsEndpoint remote;
  NsEndpoint local;
  const char *transport; /* "HTTP1", "HTTP2", "QUIC", "CACHE", "WebSocket" or NULL */
  NsString status;
  guint32 http_status;
  gint32 error; /* net error (negative) or QUIC error (positive); 0: none */
  NsString priority;
  NsString origin;
  guint64 sent;
  guint64 received;
  guint32 pid;
  guint32 tid;
  gint64 open_ns;
  gint64 start_ns; /* URL_REQUEST_START_JOB; NS_TIME_NONE: none */
  gint64 close_ns;
  NsRow winsock;
  NsRow tcp;
  NsConfidence confidence;
  NsStackId stack;
  NsRunId link;
  NsBool reused;
  NsBool redirected;   /* it went on as another request */
  NsRow redirect_from; /* of this table */
  NsRow redirect_to;   /* likewise */
  NsRow activity;
  NsGuid activity_id; /* what Windows called it; zero: nothing */
} NsChromiumRow;

/* What the rows of .NET requests stand on: bits. */
typedef enum
{
  NS_DOTNET_BY_PATH = 1 << 0,      /* the activity id is that of the request, or below it */
  NS_DOTNET_BY_ONLY_OPEN = 1 << 1, /* no other request was open */
  NS_DOTNET_BY_THREAD = 1 << 2,    /* just after an event of the request on its thread */
  NS_DOTNET_BY_CONNECT = 1 << 3,   /* the connect that the thread made */
  NS_DOTNET_BY_REMOTE = 1 << 4,    /* the same process and remote address */
  NS_DOTNET_BY_HOST = 1 << 5,      /* the only connection to an address of the host */
  NS_DOTNET_BY_HOST_TIME = 1 << 6, /* likewise, made or open meanwhile */
} NsDotnetEvidence;

/* A request of HttpClient, or of WebRequest in .NET Framework. */
typedef struct
{
  NsString scheme;
  NsString host;
  NsString url;
  NsString path; /* activity id as a path; NS_STRING_NONE: it is none */
  NsString error;
  NsString exception; /* with its stack */
  NsString cause;     /* message of what failed below */
  GArray *redirects;  /* (element-type NsString) (nullable) */
  const char *failed_phase;
  const char *http_version; /* "1.0", "1.1", "2", "3" or NULL */
  const char *tls_version;
  const NsGuid *activity_id;
  const NsEndpoint *remote; /* never %NULL */
  const gint64 *phases;     /* (nullable) */
  guint64 request;          /* of .NET Framework: the number of its object */
  guint64 connection;
  gint64 sent; /* NS_UNKNOWN: not told apart from others' */
  gint64 received;
  gint64 queued_ns;
  gint64 content_length; /* NS_UNKNOWN */
  gint64 open_ns;
  gint64 close_ns;
  gint64 first_byte_ns;
  guint32 port;
  gint32 version_policy; /* NS_UNKNOWN: not told */
  guint32 http_status;
  gint32 error_code; /* SocketError of .NET; 0: none */
  guint32 hops;
  guint32 pid;
  guint32 tid;
  NsRow tcp;
  NsRow winsock;
  NsRow dns;
  NsStackId stack;
  NsRunId link;
  NsRow activity;
  guint16 evidence; /* bits of #NsDotnetEvidence */
  gint8 reused;     /* 1 kept-alive connection, 0 new, -1 unknown */
  gint8 confidence; /* the weakest of what it stands on, an NsConfidence; -1: nothing */
  NsBool has_connection;
  NsBool failed;
  NsBool is_framework;
  NsBool opened_before_trace;
} NsDotnetRow;

typedef struct
{
  guint32 pid;
  NsBool is_udp;
  NsEndpoint remote;
  NsEndpoint local;
  guint64 sent;
  guint64 received;
  guint64 retransmits;
  guint64 retransmitted_bytes;
  guint64 copied;
  guint32 n_connects;
  guint32 n_accepts;
  guint32 n_disconnects;
  guint32 n_reconnects;
  NsBool inferred; /* no connect or accept was seen */
  gint64 open_ns;  /* first event */
  gint64 close_ns; /* disconnect, or the last datagram; NS_TIME_OPEN: none seen */
  gint64 last_ns;  /* last event */
  NsStackId stack; /* of its first event that has one */
  NsRow tcp;       /* the TcpRec it enriches, when the TCPIP provider is there */
  NsRow activity;
} NsKernelNetworkRow;

typedef struct
{
  guint64 request; /* HTTP.sys request id */
  NsString method;
  NsString url;
  NsString server;
  guint32 http_status;
  guint32 error;
  NsEndpoint remote;
  NsEndpoint local;
  guint64 connection;
  guint64 sent;
  guint64 received;
  guint32 pid;
  guint32 tid;
  gint64 open_ns;
  gint64 parsed_ns;
  gint64 delivered_ns;
  gint64 first_send_ns;
  gint64 close_ns;
  NsRow tcp;
  NsStackId stack;
  NsRow activity;
  NsGuid activity_id; /* what Windows called it; zero: nothing */
} NsHttpServerRow;

typedef enum
{
  NS_TASK_NONE,
  NS_TASK_DISPATCH_QUEUE, /* ODispatchQ */
  NS_TASK_OFFICE_POOL,    /* OTaskPool */
  NS_TASK_IDLE,           /* MsoIdlePool */
  NS_TASK_POOL,           /* WThreadPool */
  NS_TASK_TIMER,          /* WTimer */
  NS_TASK_WINHTTP,        /* WinHTTP */
  NS_TASK_THREAD,         /* Thread */
  NS_TASK_DOTNET_TASK,    /* DotNetTask */
  NS_TASK_DOTNET_POOL,    /* DotNetPool */
} NsTaskKind;

/* A task, with its first run and what all of them took. */
typedef struct
{
  gint64 create_ns;
  gint64 start_ns; /* NS_TIME_NONE: never ran */
  gint64 stop_ns;
  gint64 destroy_ns;
  gint64 running_ns; /* of all runs that ended */
  guint64 context;
  guint64 callback; /* function that was queued; 0: not told */
  guint32 pid;
  guint32 tid_create;
  guint32 tid_run;
  gint32 period_ms; /* NS_UNKNOWN: not a timer */
  NsString subtype;
  NsString status;
  NsString label;
  NsRow parent; /* task that queued it */
  NsRunId run;
  NsStackId stack;
  guint32 n_runs;
  guint8 kind; /* an NsTaskKind */
  NsBool used; /* some network row leads to it */
} NsTaskRow;

/* What is out of order about a call, in the life of its socket. */
typedef enum
{
  NS_CALL_IN_ORDER,
  NS_CALL_BIND_FAILED,
  NS_CALL_LISTENS_UNBOUND,
  NS_CALL_AFTER_CLOSE,
  NS_CALL_CLOSED_UNUSED,
  NS_CALL_NEVER_CLOSED, /* of the call that made it */
} NsCallLife;

typedef struct
{
  const char *call; /* "socket", "connect" … */
  NsString params;
  guint64 endpoint;
  NsEndpoint remote;
  gint64 length; /* NS_UNKNOWN: has none */
  gint64 asked;  /* bytes of the buffer it was called with; NS_UNKNOWN: its begin is missing */
  gint64 ret;    /* G_MININT64: not known; -1 is SOCKET_ERROR */
  guint32 status;
  NsCodeFamily status_family;
  NsBool has_status;
  NsBool before_trace; /* only the exit was seen */
  NsBool pending;      /* only the enter was seen */
  NsBool is_over;      /* pending, but what came after it shows that it had ended */
  guint8 life;         /* an NsCallLife */
  guint32 pid;
  guint32 tid; /* caller */
  guint32 tid_done;
  gint64 open_ns;
  gint64 close_ns;
  NsRow winsock;
  NsRow dns;
  NsRow activity;
} NsCallRow;

/* Where packets were captured, and why they were dropped: many packets share one of these. */
typedef struct
{
  guint32 interface;
  NsString interface_name;
  NsString drop_reason;
  guint32 drop_number; /* of PktMon's reasons */
  guint32 pid;         /* inside a VPN: who captured it; else NS_PID_UNKNOWN */
  guint16 vlan;        /* innermost, 0: none */
  NsBool is_pktmon;    /* @interface is one of its components */
  NsBool in_tunnel;    /* captured inside a VPN, by NdisWan */
} NsPacketPlace;

/* What the bytes of a packet begin with, see ns_packet_row_get_link_type(). */
typedef enum
{
  NS_PACKET_ETHERNET,
  NS_PACKET_RAW_IP,
  NS_PACKET_IEEE_802_11,
  NS_PACKET_SMB2,
} NsPacketLink;

/* More records of one packet are not counted. */
#define NS_PACKET_MAX_APPEARANCES ((1u << 13) - 1)

/* Traces have millions of these, of 32 bytes each: ends and protocol are read from the bytes when
 * somebody asks, process and activity are those of the conversation, see ns-packet-row. */
typedef struct
{
  gint64 time_ns;
  guint32 length; /* on the wire, as far as known */
  guint32 captured;
  guint32 data;  /* offset of its bytes in the trace's packet bytes */
  guint32 place; /* an NsPacketPlace of the trace, 0-based */
  NsRow flow;
  guint32 analysis : 14;    /* a bit for each NsFlowMark */
  guint32 appearances : 13; /* how many records tell of it */
  guint32 link : 2;         /* an NsPacketLink */
  gint32 direction : 2;     /* 1 in, -1 out, 0 unknown */
  guint32 dropped : 1;
} NsPacketRow;

/* What an application told of itself: something with a begin and an end. */
typedef struct
{
  guint32 pid;
  guint32 tid; /* on which it began */
  NsString provider;
  NsString name;
  NsString detail; /* what came of it; NS_STRING_NONE: not told */
  guint32 depth;   /* spans around it on its thread when it began */
  NsRow parent;    /* the innermost of those, or 0 */
  gint64 open_ns;
  gint64 close_ns; /* NS_TIME_OPEN: no end was seen */
  NsGuid activity_id;
} NsSpanRow;

/* What few operations have. */
typedef struct
{
  NsString blocked_by;   /* filter of the Windows Filtering Platform; or `filter 12` */
  NsString blocked_name; /* its name, if that is known */
  guint64 blocked_filter;
  guint32 drops;     /* packets that were dropped */
  NsBool is_blocked; /* the filter is why it failed */
} NsActivityMore;

/* One network operation: the master table. */
typedef struct
{
  NsRow parent;        /* activity it is a child of */
  NsLayerSet protocol; /* the prominent layer, one bit */
  NsLayerSet layers;   /* all that took part */
  guint32 pid;
  guint32 tid;
  NsString server;
  NsString server_alt;
  NsString url;
  NsString method;
  NsString status;     /* status line or status text without code translation */
  guint32 http_status; /* 0: none */
  guint32 error;
  guint32 socket;           /* local port, or the lower half of a handle */
  guint32 stack_tid;        /* thread of @stack */
  const NsEndpoint *remote; /* never %NULL */
  const NsEndpoint *local;
  guint64 sent;
  guint64 received;
  gint64 posted; /* NS_UNKNOWN: not traced */
  gint64 open_ns;
  gint64 close_ns;      /* NS_TIME_OPEN: still open */
  gint64 first_byte_ns; /* NS_TIME_NONE: not known */
  guint64 request;
  guint64 connection;
  const gint64 *phases;       /* for ns_activity_row_get_phase(); nullable */
  const NsGuid *activity_id;  /* what Windows called it; NULL: nothing */
  const NsActivityMore *more; /* NULL: nothing */
  NsString service;
  NsString address_kind;
  NsRow source_row; /* of source_table */
  NsRow dns;        /* rows of the lower layers it stands on, 0: none */
  NsRow tcp;
  NsRow winsock;
  NsRow webio;
  NsRow wininet;
  NsRow ldap;
  NsRow urlmon;
  NsRow kernel_network;
  NsRow flow; /* conversation in packets */
  NsStackId stack;
  NsRunId link;
  guint16 left_out;    /* a bit for each phase that is not among @phases: it is unknown */
  guint8 error_family; /* an NsCodeFamily; NS_CODE_NONE: no error */
  guint8 source_table; /* an NsTableId: where the row comes from */
  NsBool failed;
  NsBool cancelled;
  NsBool redirected;
  NsBool from_cache;
  NsBool opened_before_trace;
  NsBool inferred;
  gint8 reused; /* 1 pooled connection, 0 new, -1 unknown */
  NsBool loopback;
  NsBool accepted;
  NsBool name_inferred;
  gint8 confidence;     /* the weakest of its links, an NsConfidence; -1: stands alone */
  NsBool bytes_unknown; /* other requests moved bytes over the connection meanwhile */
} NsActivityRow;

/* The row of a table that makes activities of its own only: what it comes from, or 0. */
static inline NsRow
ns_activity_row_get_source (const NsActivityRow *row, NsTableId table)
{
  return row->source_table == table ? row->source_row : 0;
}

/* Most rows have no phases, the others few of them, and no room for more. */
static inline gint64
ns_activity_row_get_phase (const NsActivityRow *row, guint phase)
{
  guint before = row->left_out & ((1u << phase) - 1);
  guint n = phase;

  if (row->phases == NULL || (row->left_out >> phase & 1) != 0)
    return NS_UNKNOWN;
  for (; before != 0; before &= before - 1)
    n--;
  return row->phases[n];
}

/* Whether a count of no bytes means that none were moved: HTTP.sys counts only what its cache
 * answers, and the bytes of a transfer of BITS are those of its requests, those of an operation on
 * a share or of a remote call those of its connection. */
static inline gboolean
ns_activity_row_tells_bytes (const NsActivityRow *row)
{
  return row->source_table != NS_TABLE_HTTP_SERVER && row->source_table != NS_TABLE_BITS &&
         row->source_table != NS_TABLE_WFP && row->source_table != NS_TABLE_SMB &&
         row->source_table != NS_TABLE_RPC && !row->bytes_unknown;
}

/* One provider of the trace, with what it wrote. */
typedef struct
{
  NsGuid guid;
  NsString name;
  const char *kind;   /* "manifest", "classic", "tracelogging", "wpp", "kernel" */
  const char *schema; /* "embedded", "tracelogging", "user", "builtin", "none" */
  guint64 n_events;
  guint64 n_bytes;
  guint64 n_stacks;
  gint64 first_ns;
  gint64 last_ns;
} NsProviderRow;

/* The events of one provider with the same id, or opcode where there is no id. */
typedef struct
{
  guint32 provider; /* dense provider number */
  guint16 id;
  NsRecordRef first;
  guint64 n_events;
  guint64 n_stacks;
  guint64 keyword; /* of its first record */
  guint8 level;    /* likewise */
  NsBool is_manifest;
} NsKindRow;

G_END_DECLS

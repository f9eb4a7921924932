/* Row types of the tables.
 *
 * Row numbers are 1-based, 0 is "none"; a text is an #NsString of the trace; times are ns since
 * the trace header, %NS_TIME_NONE if unknown, %NS_TIME_OPEN for a close that was not recorded; an
 * unknown pid or tid is %NS_PID_UNKNOWN; an absent address has family 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"
#include "base/ns-ip.h"
#include "base/ns-strings.h"
#include "base/ns-time.h"
#include "engine/catalog/ns-kinds.h"
#include "engine/trace/ns-row-kinds.h"
#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 pid;
  guint32 parent_pid;
  NsString name; /* image file name */
  NsString path; /* from its first image, DOS form if the volume is known */
  NsString command_line;
  NsString package;
  NsString app_id;
  NsString user_sid;
  guint32 session_id; /* G_MAXUINT32: none */
  guint32 exit_status;
  NsBool has_exit_status;
  guint8 pointer_size; /* 0: unknown */
  NsBool before_trace;
  NsBool from_list; /* known only from the process list of the capture kit */
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
  NsString path; /* DOS form if the volume is known */
  guint32 timestamp;
  guint32 checksum;
  NsBool before_trace;
  NsBool is_kernel;
  gint64 load_ns;
  gint64 unload_ns;
  NsString pdb; /* from ImageID or RSDS records */
  NsGuid guid;
  guint32 age;
  NsBool has_guid;
} NsImageRow;

/* A DNS server in the events of one query; times are %NS_TIME_NONE if no event records them. */
typedef struct
{
  NsString address;
  NsString adapter;    /* adapter that it is configured for, or %NS_STRING_NONE */
  gint64 asked_ns;     /* first query */
  gint64 answered_ns;  /* first response */
  gint64 timed_out_ns; /* timeout */
  guint32 status;      /* status of the response */
} NsDnsServer;

typedef struct
{
  NsString query;
  guint32 type; /* 1 A, 28 AAAA …; 0: unknown */
  guint32 status;
  NsString server;   /* DNS server that responded or was asked */
  GArray *addresses; /* (element-type NsIp) (nullable) */
  GArray *aliases;   /* (element-type NsString) (nullable) */
  GArray *servers;   /* (element-type NsDnsServer) (nullable): in order of first mention */
  guint32 pid;
  guint32 tid;
  gint64 open_ns;
  gint64 close_ns;
  const NsGuid *activity_id; /* activity ID of its events; NULL: none */
  NsRow activity;
  NsRow flow;        /* conversation of its packets; without one the members below are unknown */
  guint32 n_retries; /* retransmitted queries before the response */
  NsString rcode;    /* RCODE of the response */
  NsBool is_cut;     /* the response was truncated (TC) */
  NsBool is_over_tcp;
  NsBool has_status;
  guint8 source; /* an NsDnsSource */
} NsDnsRow;

/* How the process of a row was determined, most reliable first. */
typedef enum
{
  NS_PID_FROM_NOTHING,
  NS_PID_FROM_PAYLOAD,    /* field of an event */
  NS_PID_FROM_SOCKET,     /* other events of the socket's process object */
  NS_PID_FROM_CONNECTION, /* process of the lower layer's connection */
  NS_PID_FROM_CLAIM,      /* process of the layer above that claimed the row */
  NS_PID_FROM_HEADER,     /* process that ran when the event was written */
} NsPidSource;

/* Values that few connections have. */
typedef struct
{
  guint64 retransmitted_bytes;
  gint64 total_sent; /* ConnectionSummary of a connection from before the trace, else NS_UNKNOWN */
  gint64 total_received;
  guint32 retransmits;     /* number of segments */
  guint32 syn_retransmits; /* part of @retransmits before the handshake was complete */
  guint64 n_segments;      /* data segments sent, from a summary */
  guint64 total_again;     /* bytes retransmitted, from a summary */
  guint32 n_sends;         /* send events, each of a segment or more */
  guint32 handshake_us;    /* duration of the handshake; 0: not recorded */
  gint32 rtt_us;           /* NS_UNKNOWN: not recorded */
  gint64 idle_ns; /* time without data before bytes that got no response; 0: less than a minute */
  gint64 resumed_ns; /* when those bytes were sent */
} NsTcpExtra;

/* Shared by all connections without such values. */
extern const NsTcpExtra ns_tcp_extra_none;

typedef struct
{
  guint64 tcb;               /* TCB address, or UDP endpoint address */
  const NsGuid *activity_id; /* activity ID of its events; NULL: none */
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
  guint32 status; /* last NTSTATUS other than 0 */
  NsString server;
  NsString server_alt;
  NsRow activity;
  NsRow dns;        /* look-up that @server comes from */
  NsLayerSet owner; /* layer that claimed it */
  NsBool is_udp;
  NsBool inferred; /* its opening event was not recorded */
  NsBool before_trace;
  NsBool accepted;
  guint8 pid_source;    /* an NsPidSource */
  guint8 state;         /* an NsTcpState: the last observed one (correlation 2.1, 4.4) */
  NsBool name_inferred; /* @server was resolved by another process, or later */
} NsTcpRow;

/* Effects of windows and segment sizes on one connection. */
typedef struct
{
  gint64 zero_window_ns; /* total time with a zero window of the peer */
  gint64 zero_from_ns;
  gint64 zero_since_ns; /* begin of the current zero window; 0: the window is open */
  gint64 receiver_ns;   /* time limited by the peer's window, from the connection's summary */
  gint64 network_ns;    /* time limited by the congestion window */
  gint64 sender_ns;     /* time limited by the sending program */
  gint64 black_hole_from_ns;
  gint64 black_hole_to_ns;
  gint64 burst_ns;      /* begin and */
  guint32 burst_bytes;  /* bytes of the current burst, used if no event records acknowledgments */
  guint32 n_flights;    /* sends of a long transfer */
  guint32 n_full[2];    /* sends that filled the peer's window, and the congestion window */
  guint32 window_bytes; /* size of the largest full window */
  guint32 n_zero_windows;
  guint32 n_black_holes;
  guint32 segment_bytes;     /* size of segments that are probably lost on the path */
  NsBool has_smaller_helped; /* smaller segments arrived */
  NsBool has_search_failed;  /* no segment size arrived */
} NsTcpFlow;

/* Shared by all connections without such effects. */
extern const NsTcpFlow ns_tcp_flow_none;

/* Delays of data on one connection; exists only if events of the connection report any. */
typedef struct
{
  NsRow tcp;
  guint32 n_held; /* small sends delayed by as long as a delayed acknowledgment */
  gint64 held_ns; /* total delay */
  gint64 held_from_ns;
  gint64 handshake_ns;   /* duration of the handshake; 0: not recorded */
  const NsTcpFlow *flow; /* never %NULL */
} NsTcpAnomaly;

typedef struct
{
  guint64 endpoint;
  guint64 process_object;
  const NsGuid *activity_id; /* activity ID of its events; NULL: none */
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
  guint32 status;   /* last NTSTATUS other than 0 */
  NsRow tcp;
  NsRow dns;
  NsString server;
  NsString server_alt;
  NsStackId stack;
  NsStackId send_stack; /* of the first send that has one; 0: none */
  NsRunId link;
  NsRow activity;
  NsLayerSet layers;
  guint16 family;
  guint16 socket_type; /* 1 STREAM, 2 DGRAM … */
  NsBool accepted;
  NsBool listening;
  NsBool connect_ex;     /* connected with ConnectEx() */
  NsBool next_peer;      /* a further peer of a datagram socket */
  guint8 pid_source;     /* an NsPidSource */
  guint8 tcp_confidence; /* an NsConfidence */
  NsBool name_inferred;  /* @server was resolved by another process, or later */
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
  NsString header; /* status line */
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
  const NsWebioConn *conns;  /* in order of use; valid as long as the trace */
  const NsGuid *activity_id; /* activity ID of its events; NULL: none */
  NsString method;
  NsString url;
  NsString server;
  NsTimeSpan gap;      /* longest time without a transfer between two transfers; empty: none */
  guint32 http_status; /* 0: none recorded */
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
  gint64 close_ns;  /* close of the handle */
  gint64 answer_ns; /* end of the response (t_close1); NS_TIME_OPEN: none */
  NsRow tcp;
  NsRow redirect_from; /* row of this table that redirected to this one */
  NsStackId stack;
  NsRunId link;
  const NsGuid *activity_id; /* activity ID of its events; NULL: none */
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
  NsGuid activity_id; /* activity ID of its events; zero: none */
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
  NsGuid activity_id; /* activity ID of its events; zero: none */
} NsUrlmonRow;

typedef struct
{
  const char *channel; /* "Chrome", "Edge", "Edge Beta" … */
  guint64 request;
  guint64 netlog; /* netlog source ID of the request */
  guint64 session;
  guint64 connection;
  guint32 socket; /* local port */
  NsString method;
  NsString url;
  NsString server;
  NsString server_alt;
  NsString ip_text; /* text if it is not an IP address */
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
  NsBool redirected;   /* redirected to another request */
  NsRow redirect_from; /* row of this table that redirected to this one */
  NsRow redirect_to;   /* row of this table that this one was redirected to */
  NsRow activity;
  NsGuid activity_id; /* activity ID of its events; zero: none */
} NsChromiumRow;

/* Evidence for the links of .NET requests, as bits. */
typedef enum
{
  NS_DOTNET_BY_PATH = 1 << 0,      /* the activity ID is that of the request, or a child of it */
  NS_DOTNET_BY_ONLY_OPEN = 1 << 1, /* no other request was open */
  NS_DOTNET_BY_THREAD = 1 << 2,    /* directly after an event of the request on its thread */
  NS_DOTNET_BY_CONNECT = 1 << 3,   /* the connect by the thread */
  NS_DOTNET_BY_REMOTE = 1 << 4,    /* same process and remote address */
  NS_DOTNET_BY_HOST = 1 << 5,      /* the only connection to an address of the host */
  NS_DOTNET_BY_HOST_TIME = 1 << 6, /* likewise, opened or open during the request */
} NsDotnetEvidence;

/* A request of HttpClient, or of WebRequest in .NET Framework. */
typedef struct
{
  NsString scheme;
  NsString host;
  NsString url;
  NsString path; /* activity ID as a path; NS_STRING_NONE: not a path */
  NsString error;
  NsString exception; /* exception with its stack trace */
  NsString cause;     /* message of the inner exception */
  GArray *redirects;  /* (element-type NsString) (nullable) */
  const char *failed_phase;
  const char *http_version; /* "1.0", "1.1", "2", "3" or NULL */
  const char *tls_version;
  const NsGuid *activity_id;
  const NsEndpoint *remote; /* never %NULL */
  const gint64 *phases;     /* (nullable) */
  guint64 request;          /* .NET Framework: number of the request object */
  guint64 connection;
  gint64 sent; /* NS_UNKNOWN: shared with other requests */
  gint64 received;
  gint64 queued_ns;
  gint64 content_length; /* NS_UNKNOWN: not recorded */
  gint64 open_ns;
  gint64 close_ns;
  gint64 first_byte_ns;
  guint32 port;
  gint32 version_policy; /* NS_UNKNOWN: not recorded */
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
  gint8 confidence; /* lowest confidence of its links, an NsConfidence; -1: no link */
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
  NsBool inferred; /* no connect or accept was recorded */
  gint64 open_ns;  /* first event */
  gint64 close_ns; /* disconnect, or the last datagram; NS_TIME_OPEN: not recorded */
  gint64 last_ns;  /* last event */
  NsStackId stack; /* stack of the first event that has one */
  NsRow tcp;       /* row of TCP with the same endpoints, if the TCPIP provider was recorded */
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
  NsGuid activity_id; /* activity ID of its events; zero: none */
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

/* A task, with its first run and the totals of all runs. */
typedef struct
{
  gint64 create_ns;
  gint64 start_ns; /* NS_TIME_NONE: never ran */
  gint64 stop_ns;
  gint64 destroy_ns;
  gint64 running_ns; /* total of all ended runs */
  guint64 context;
  guint64 callback; /* queued function; 0: unknown */
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
  NsBool used; /* a row of a network operation links to it */
} NsTaskRow;

/* Violation of the order of calls on a socket. */
typedef enum
{
  NS_CALL_IN_ORDER,
  NS_CALL_BIND_FAILED,
  NS_CALL_LISTENS_UNBOUND,
  NS_CALL_AFTER_CLOSE,
  NS_CALL_CLOSED_UNUSED,
  NS_CALL_NEVER_CLOSED, /* set for the call that created it */
} NsCallViolation;

typedef struct
{
  NsString params;
  guint64 endpoint;
  NsEndpoint remote;
  gint64 length; /* NS_UNKNOWN: has none */
  gint64 asked;  /* size of the caller's buffer; NS_UNKNOWN: the enter event is missing */
  gint64 ret;    /* G_MININT64: unknown; -1 is SOCKET_ERROR */
  guint32 status;
  NsCodeFamily status_family;
  NsBool has_status;
  NsBool before_trace; /* only the exit event was recorded */
  NsBool pending;      /* only the enter event was recorded */
  NsBool is_over;      /* pending, but later calls show that it ended */
  guint8 violation;    /* an NsCallViolation */
  guint8 kind;         /* an NsCallKind */
  guint32 pid;
  guint32 tid; /* caller */
  guint32 tid_done;
  gint64 open_ns;
  gint64 close_ns;
  NsRow winsock;
  NsRow dns;
  NsRow activity;
} NsCallRow;

/* Place where packets were captured, and reason why they were dropped; shared by many packets. */
typedef struct
{
  guint32 interface;
  NsString interface_name;
  NsString drop_reason;
  guint32 drop_number; /* PktMon's number of the drop reason */
  guint32 pid;         /* inside a VPN: capturing process; else NS_PID_UNKNOWN */
  guint16 vlan;        /* innermost, 0: none */
  NsBool is_pktmon;    /* @interface is a PktMon component */
  NsBool in_tunnel;    /* captured inside a VPN, by NdisWan */
} NsPacketPlace;

/* Link type of a packet's bytes, see ns_packet_row_get_link_type(). */
typedef enum
{
  NS_PACKET_ETHERNET,
  NS_PACKET_RAW_IP,
  NS_PACKET_IEEE_802_11,
  NS_PACKET_SMB2,
} NsPacketLink;

/* Maximum number of records counted per packet. */
#define NS_PACKET_MAX_APPEARANCES ((1u << 13) - 1)

/* A captured packet. Traces have millions of them, so each takes 32 bytes: endpoints and
 * protocol are parsed from the bytes on demand, process and activity are those of the
 * conversation, see ns-packet-row. */
typedef struct
{
  gint64 time_ns;
  guint32 length; /* on the wire, as far as known */
  guint32 captured;
  guint32 data;  /* offset of its bytes in the trace's packet bytes */
  guint32 place; /* an NsPacketPlace of the trace, 0-based */
  NsRow flow;
  guint32 analysis : 14;    /* a bit for each NsFlowMark */
  guint32 appearances : 13; /* number of its records */
  guint32 link : 2;         /* an NsPacketLink */
  gint32 direction : 2;     /* 1 in, -1 out, 0 unknown */
  guint32 dropped : 1;
} NsPacketRow;

/* A span that an application reported. */
typedef struct
{
  guint32 pid;
  guint32 tid; /* thread on which it began */
  NsString provider;
  NsString name;
  NsString detail; /* result; NS_STRING_NONE: none */
  guint32 depth;   /* number of enclosing spans on its thread at its begin */
  NsRow parent;    /* innermost enclosing span, or 0 */
  gint64 open_ns;
  gint64 close_ns; /* NS_TIME_OPEN: no end was recorded */
  NsGuid activity_id;
} NsSpanRow;

/* Values that few operations have. */
typedef struct
{
  NsString blocked_by;   /* filter of the Windows Filtering Platform, or `filter 12` */
  NsString blocked_name; /* its name, if known */
  guint64 blocked_filter;
  guint32 drops;     /* number of dropped packets */
  NsBool is_blocked; /* the filter caused the failure */
} NsActivityMore;

/* A network operation: a row of the master table. */
typedef struct
{
  NsRow parent;        /* activity it is a child of */
  NsLayerSet protocol; /* the main layer, one bit */
  NsLayerSet layers;   /* all layers involved */
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
  gint64 posted; /* NS_UNKNOWN: not recorded */
  gint64 open_ns;
  gint64 close_ns;      /* NS_TIME_OPEN: still open */
  gint64 first_byte_ns; /* NS_TIME_NONE: unknown */
  guint64 request;
  guint64 connection;
  const gint64 *phases;       /* nullable; read with ns_activity_row_get_phase() */
  const NsGuid *activity_id;  /* activity ID of its events; NULL: none */
  const NsActivityMore *more; /* NULL: none */
  NsString service;
  NsString address_kind;
  NsRow source_row; /* row of the source table */
  NsRow dns;        /* rows of its lower layers, 0: none */
  NsRow tcp;
  NsRow winsock;
  NsRow webio;
  NsRow wininet;
  NsRow ldap;
  NsRow urlmon;
  NsRow kernel_network;
  NsRow flow; /* conversation of its packets */
  NsStackId stack;
  NsRunId link;
  guint16 left_out;    /* a bit for each phase missing in @phases, which is unknown */
  guint8 error_family; /* an NsCodeFamily; NS_CODE_NONE: no error */
  guint8 source_table; /* an NsTableId: the source table */
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
  gint8 confidence;     /* lowest confidence of its links, an NsConfidence; -1: no linked layers */
  NsBool bytes_unknown; /* other requests used the connection at the same time */
} NsActivityRow;

/* Returns the row of @table that the activity was made from, or 0; for tables whose rows are
 * never lower layers. */
static inline NsRow
ns_activity_row_get_source (const NsActivityRow *row, NsTableId table)
{
  return row->source_table == table ? row->source_row : 0;
}

/* Returns a phase. Most rows have none; the others store only the known ones. */
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

/* Returns whether a byte count of 0 means that nothing was transferred. HTTP.sys counts only
 * responses from its cache; the bytes of BITS transfers, SMB operations and remote calls are
 * counted in their requests or connections. */
static inline gboolean
ns_activity_row_has_bytes (const NsActivityRow *row)
{
  return row->source_table != NS_TABLE_HTTP_SERVER && row->source_table != NS_TABLE_BITS &&
         row->source_table != NS_TABLE_WFP && row->source_table != NS_TABLE_SMB &&
         row->source_table != NS_TABLE_RPC && !row->bytes_unknown;
}

/* A provider of the trace, with its counts. */
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

/* Events of one provider with the same ID, or opcode if they have no ID. */
typedef struct
{
  guint32 provider; /* dense provider number */
  guint16 id;
  NsRecordRef first;
  guint64 n_events;
  guint64 n_stacks;
  guint64 keyword; /* keywords of its first record */
  guint8 level;    /* level of its first record */
  NsBool is_manifest;
  guint16 version; /* of its first record, see ns_providers_count_undecodable() */
} NsKindRow;

/* Events of one kind with another version than the first of the kind. */
typedef struct
{
  guint32 kind; /* row of the kind */
  guint16 version;
  NsRecordRef first;
  guint64 n_events;
} NsKindVersionRow;

G_END_DECLS

/* State of the SMB part while a trace is read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/app/smb/ns-smb.h"
#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

enum
{
  SMB_PACKET_PIECE = 2000,
  SMB_SUSPEND = 30103,
  SMB_RESUME = 30104,
  SMB_CREDIT_WAIT = 30105,
  SMB_CREDIT_GOT = 30106,
  SMB_WINDOW_BLOCKED = 30108,
  SMB_CONNECT = 30203,
  SMB_CONNECTED = 30204,
  SMB_RECONNECT = 30403,
  SMB_SEND = 30406,
  SMB_RECEIVE = 30407,
  SMB_RECEIVE_INTERIM = 30408,
  SMB_RECEIVE_FINAL = 30409,
  SMB_CACHE_FIRST = 30501,
  SMB_CACHE_LAST = 30508,
  SMB_SELECTED_INTERFACE = 30704,
  SMB_CONNECT_FAILED = 30803,
  SMB_DISCONNECTED = 30804,
  SMB_SESSION_LOST = 30805,
  SMB_SESSION_THERE = 30806,
  SMB_SHARE_LOST = 30807,
  SMB_SHARE_THERE = 30808,
  SMB_EXPIRED = 30809,
  SMB_CONNECT_FAILED_TOO = 30822,
  SMB_CONNECTION_CHOSEN = 30830,
  SMB_CONNECTION_THERE_TOO = 30831,
  SMB_CONNECTION_THERE = 30832,
  SMB_LOGON_FAILED = 31001,
  SMB_TREE_REFUSED = 31010,
  SMB_BEGIN = 32004,
  SMB_READ = 32008,
  SMB_WRITE = 32009,
  SMB_CREATE = 32010,
  SMB_CLOSE = 32011,
  SMB_QUERY_DIRECTORY = 32012,
  SMB_FSCTL = 32013,
  SMB_PACKET = 40000,
};

#define NS_SMB_STATUS_PENDING 0x103
/* Maximum number of older entries searched, newest first. */
#define NS_SMB_MAX_OLDER 64
/* A command without a number. */
#define NS_SMB_NO_NUMBER G_MAXUINT16
#define NS_SMB_SESSION_SETUP 1
#define NS_SMB_TREE_CONNECT 3

/* A connection of the client: one per connect of a VcEndpoint. */
typedef struct
{
  NsEndpoint remote;
  NsEndpoint local; /* for a failed connect, from the failure event */
  gint64 named_ns;  /* time of that event */
  gint64 open_ns;   /* NS_TIME_NONE: from before the trace */
  gint64 done_ns;   /* NS_TIME_OPEN: the end of the connect was not recorded */
  gint64 until_ns;  /* time of the thread's next connect; NS_TIME_OPEN: none */
  guint32 tid;
  NsRow row; /* row of its connect; 0: none */
  NsRow tcp;
  NsRow quic;
  const char *evidence;
  gint8 confidence; /* -1: no link */
  guint8 transport;
  NsBool is_named;
  NsString name; /* name of its address */
} NsSmbVc;

/* Build state of a row. */
typedef struct
{
  guint32 vc;        /* index, from 1; 0: none */
  NsRow older;       /* previous command with the same session and message ID */
  guint64 rx;        /* for an operation: its context */
  gint64 end_ns;     /* for an operation: time of its summary, else the latest possible end;
                      * NS_TIME_OPEN: unknown */
  gint64 resumed_ns; /* for an operation: last event 30104; NS_TIME_NONE: not recorded */
  NsString path;     /* for an operation: path in the event */
  guint16 number;    /* for a command: its number */
  NsBool is_answered;
  NsBool is_expired;
  NsBool is_lost;    /* its session or share was lost */
  NsBool is_summed;  /* for an operation: @end_ns is the time of its summary */
  NsBool is_waiting; /* for an operation: one of its commands has no response */
  gint64 wire_ns;    /* for an operation: end of the wire time counted so far */
} NsSmbExtra;

/* A server name in an event, with its key. */
typedef struct
{
  gint64 time_ns;
  guint64 session; /* 0: none */
  NsEndpoint remote;
  NsEndpoint local;
  NsString server;
  NsString share;
  guint32 tree; /* 0: none */
} NsSmbName;

/* A suspended exchange. */
typedef struct
{
  gint64 time_ns;
  guint32 tid;
  NsRow op;
} NsSmbSuspend;

/* An ended wait for credits, or for the window. */
typedef struct
{
  gint64 open_ns;
  gint64 close_ns;
  guint32 tid;
  NsRow op; /* 0: operation of the thread */
  NsBool is_blocked;
} NsSmbWait;

/* Destination of a message. */
typedef struct
{
  NsEndpoint peer;
  gint64 time_ns;
} NsSmbPacketEnd;

/* A create request. */
typedef struct
{
  gint64 time_ns;
  NsEndpoint remote;
  guint64 message_id;
  NsString file;
} NsSmbOpened;

/* Fragments of a packet so far. */
typedef struct
{
  GByteArray *bytes;
  gint64 time_ns;
  gboolean is_open;
} NsSmbPieces;

struct _NsSmb
{
  GArray *extras;   /* NsSmbExtra, one for each row */
  GArray *vcs;      /* NsSmbVc */
  GArray *names;    /* NsSmbName */
  GArray *suspends; /* NsSmbSuspend */
  GArray *waits;    /* NsSmbWait; an open one has no end */
  NsMap *vc_of;     /* VcEndpoint → index of @vcs, from 1 */
  NsMap *vc_of_tid; /* thread → its last connect */
  NsMap *commands;  /* connection and message ID → pending row */
  NsMap *asyncs;    /* connection and async ID → row */
  NsMap *expiring;  /* session and message ID → newest row */
  NsMap *op_of_rx;
  NsMap *op_of_exchange;
  NsMap *wait_of;   /* buffer context → index of @waits, from 1 */
  GArray *opened;   /* NsSmbOpened */
  GArray *pieces;   /* NsSmbPieces */
  NsMap *pieces_of; /* thread → index of @pieces, from 1 */
  NsMap *known_rx;  /* contexts whose begin or end was recorded */
  gboolean has_starts;
};

static inline NsSmbRow *
ns_smb_row (NsBuilder *builder, NsRow row)
{
  return NS_ROW_AT (builder->trace->smb, NsSmbRow, row);
}

static inline NsSmbExtra *
ns_smb_extra (NsBuilder *builder, NsRow row)
{
  return &g_array_index (builder->smb->extras, NsSmbExtra, row - 1);
}

static inline NsSmbVc *
ns_smb_vc (NsBuilder *builder, guint32 vc)
{
  return &g_array_index (builder->smb->vcs, NsSmbVc, vc - 1);
}

/* ns-smb-command: names of commands. */
guint16 ns_smb_command_find (const char *text, gsize n_bytes);
const char *ns_smb_command_of_irp (guint major, guint minor);
const char *ns_smb_reason_to_text (guint32 reason);

/* ns-smb-link: links, after all records were read. */
void ns_smb_link_connections (NsBuilder *builder);
void ns_smb_link_operations (NsBuilder *builder);
void ns_smb_link_names (NsBuilder *builder);
void ns_smb_link_packets (NsBuilder *builder);

/* ns-smb: rows, and fields of payloads. */
NsSmbRow *ns_smb_add_row (NsBuilder *builder, const NsRecord *record, NsSmbKind kind);
NsRow ns_smb_last_row (NsBuilder *builder);
void ns_smb_set_before_trace (NsSmbRow *row);
NsString ns_smb_take_text (NsBuilder *builder, NsCursor *cursor);
NsString ns_smb_take_ansi (NsBuilder *builder, NsCursor *cursor);
guint64 ns_smb_take_context (NsCursor *cursor, const NsRecord *record);
guint64 ns_smb_take_pointer (NsCursor *cursor, const NsRecord *record);

/* ns-smb-connect: connects, sessions, shares and names. */
guint32 ns_smb_get_vc (NsBuilder *builder, guint64 endpoint);
void ns_smb_set_transport (NsSmbRow *row, NsSmbVc *vc, guint32 type);
void ns_smb_event_begin_connect (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_end_connect (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_take_session (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_take_refusal (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_take_name (NsBuilder *builder, const NsRecord *record);

/* ns-smb-message: commands and responses. */
void ns_smb_event_send_command (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_take_answer (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_expire_command (NsBuilder *builder, const NsRecord *record);

/* ns-smb-operation: operations and their waits. */
void ns_smb_event_begin_operation (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_end_operation (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_suspend (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_resume (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_begin_wait (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_end_wait (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_block_window (NsBuilder *builder, const NsRecord *record);
void ns_smb_event_name_file (NsBuilder *builder, const NsRecord *record);

/* ns-smb-packet: raw messages. */
void ns_smb_event_take_packet (NsBuilder *builder, const NsRecord *record);

G_END_DECLS

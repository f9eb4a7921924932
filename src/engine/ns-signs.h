/* Records that prove a failure or its cause.
 *
 * Rows add up what many records say; rules about what went wrong ask for the one record that says
 * it, and whose row may have no end or never have been made.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-tables.h"

G_BEGIN_DECLS

/* Who wrote it. */
typedef enum
{
  NS_SIGN_TCPIP,
  NS_SIGN_AFD,
  NS_SIGN_WEBIO,
  NS_SIGN_WININET,
  NS_SIGN_WINHTTP,
  NS_SIGN_DNS,
  NS_SIGN_WFP,
  NS_SIGN_LDAP,
  NS_SIGN_LOST,  /* records of a session that lost others */
  NS_SIGN_POWER, /* Kernel-Power */
  NS_N_SIGN_SOURCES,
} NsSignSource;

/**
 * NsSign:
 * @key: of the connection, socket, request or task; 0: none
 * @value: status, error number or reason; for an answer of HTTP its status
 * @count: packets or bytes; for an answer of HTTP the length of its body; %NS_UNKNOWN: not told
 * @local: (nullable): end of this machine
 * @remote: (nullable): end of the peer
 * @name: a name, URL or scheme, or %NS_STRING_NONE
 * @words: @value in words, or %NS_STRING_NONE
 * @event: row of the table of events, 0-based
 * @n_bytes: length of the head of an answer of HTTP
 * @tcp: the connection, or 0
 * @flags: of an answer of HTTP, an NsAnswerFlags; of a connection NS_SIGN_UNANSWERED
 *
 * What one record says.
 */
typedef struct
{
  gint64 time_ns;
  guint64 key;
  gint64 value;
  gint64 count;
  const NsEndpoint *local;
  const NsEndpoint *remote;
  NsString name;
  NsString words;
  guint32 event;
  guint32 pid;
  guint32 tid;
  guint32 n_bytes;
  NsRow tcp;
  guint16 id;
  guint8 source; /* an NsSignSource */
  guint8 flags;
} NsSign;

/* Of a connection: the last data had gone out. */
#define NS_SIGN_UNANSWERED (1 << 7)

/* What the head of an answer says of its body. */
typedef enum
{
  NS_ANSWER_CHUNKED = 1 << 0,
  NS_ANSWER_CLOSES = 1 << 1, /* the end of the connection is its end */
  NS_ANSWER_ASKS_WHO = 1 << 2,
} NsAnswerFlags;

/* What the session of the trace asked a provider for. */
typedef struct
{
  NsGuid guid;
  guint64 any; /* keywords of which one is enough; 0: all events */
  guint64 all;
  guint8 level; /* 0: all */
} NsEnableRow;

/* So many are kept of a trace; more of the same tell nothing new. */
#define NS_SIGNS_MAX 250000

G_END_DECLS

/* Records that prove a failure or its cause.
 *
 * Rows summarize many records. Rules about failures need the one record that proves a failure; its
 * row may lack an end, or may not exist.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-tables.h"

G_BEGIN_DECLS

/* Source of the record. */
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
 * @key: key of the connection, socket, request or task; 0: none
 * @value: status, error number or reason; for an HTTP response its status
 * @count: packets or bytes; for an HTTP response the length of its body; %NS_UNKNOWN: unknown
 * @local: (nullable): local endpoint
 * @remote: (nullable): remote endpoint
 * @name: a name, URL or scheme, or %NS_STRING_NONE
 * @words: @value as text, or %NS_STRING_NONE
 * @event: row of the table of events, 0-based
 * @n_bytes: length of the header of an HTTP response
 * @tcp: the connection, or 0
 * @flags: for an HTTP response, an NsAnswerFlags; for a connection, NS_SIGN_UNANSWERED
 *
 * Data of one record.
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

/* For a connection: data was sent last, without a response. */
#define NS_SIGN_UNANSWERED (1 << 7)

/* Framing of the body according to the header of an HTTP response. */
typedef enum
{
  NS_ANSWER_CHUNKED = 1 << 0,
  NS_ANSWER_CLOSES = 1 << 1, /* ends with the connection */
  NS_ANSWER_ASKS_WHO = 1 << 2,
} NsAnswerFlags;

/* Level and keywords that the trace's session enabled for a provider. */
typedef struct
{
  NsGuid guid;
  guint64 any; /* keywords; an event needs any of them; 0: all events */
  guint64 all;
  guint8 level; /* 0: all levels */
} NsEnableRow;

/* Maximum number kept per trace; more of them add no information. */
#define NS_SIGNS_MAX 250000

G_END_DECLS

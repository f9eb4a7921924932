/* Enumerations for rows: layers, status families, phases, tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/catalog/ns-catalog-lists.h"

#include <glib.h>

G_BEGIN_DECLS

typedef guint32 NsRow;     /* 1-based row number of some table */
typedef guint32 NsStackId; /* 1-based, of the stack store */
typedef guint32 NsRunId;   /* 1-based: one execution of a task, the target of a link */

/* Pointer to row @row, from 1, of @rows, a GArray of @Type; unchecked, for rows that exist. */
#define NS_ROW_AT(rows, Type, row) (&g_array_index (rows, Type, (row) -1))

/* Value of phases and counters that are not recorded. */
#define NS_UNKNOWN (-1)
/* Method of connections that existed before the trace; not shown to users. */
#define NS_METHOD_RUNDOWN "Rundown"

/* Boolean in a row: rows are many, and a gboolean takes four bytes. */
typedef guint8 NsBool;

/* Bits of #NsLayers in a fixed size. */
typedef guint32 NsLayerSet;

/* Layers that claimed a record; the highest bit is the main layer (correlation 0.3). */
typedef enum
{
  NS_LAYER_RUNDOWN = 1,
  NS_LAYER_TCP = 2,
  NS_LAYER_UDP = 4,
  NS_LAYER_WINSOCK = 8,
  NS_LAYER_WININET = 16,
  NS_LAYER_WINHTTP = 32,
  NS_LAYER_CHROMIUM = 64,
  NS_LAYER_DOTNET = 128,
  /* Annotations, which never claim a record. */
  NS_LAYER_LDAP = 256,
  NS_LAYER_URLMON = 512,
  NS_LAYER_HTTP_SERVER = 1024,
  NS_LAYER_QUIC = 2048,
  NS_LAYER_DNS = 4096,
  /* Only seen in packets. */
  NS_LAYER_IP = 8192,
  NS_LAYER_ICMP = 16384,
  NS_LAYER_TLS = 32768,
  NS_LAYER_HTTP = 65536,
  /* Requests made by services. */
  NS_LAYER_BITS = 131072,
  /* Packets and connections blocked by Windows. */
  NS_LAYER_WFP = 262144,
  /* Remote files and procedure calls, many of them over one connection. */
  NS_LAYER_SMB = 524288,
  NS_LAYER_RPC = 1048576,
} NsLayers;

/* Family of status numbers (correlation 7). */
typedef enum
{
  NS_CODE_NONE,
  NS_CODE_NTSTATUS,
  NS_CODE_WIN32, /* Win32, WSA, DNS, WinHTTP/WinINet: distinguished by range */
  NS_CODE_HRESULT,
  NS_CODE_CHROMIUM,
  NS_CODE_QUIC,
  NS_CODE_HTTP,
  NS_CODE_LDAP,
  NS_CODE_DNS,
  NS_CODE_TLS,            /* alerts */
  NS_CODE_QUIC_TRANSPORT, /* error codes of RFC 9000 */
  NS_CODE_HTTP3,          /* error codes of RFC 9114 */
} NsCodeFamily;

/* Confidence of a link. */
typedef enum
{
  NS_CONFIDENCE_NAME = 0,     /* by name or address only */
  NS_CONFIDENCE_INFERRED = 1, /* same thread, near in time */
  NS_CONFIDENCE_LIKELY = 2,   /* same addresses and time */
  NS_CONFIDENCE_CERTAIN = 3,  /* same key */
} NsConfidence;

/* Phases of a request, in ns; NS_UNKNOWN if not recorded, never 0. */
typedef enum
{
  NS_PHASE_POOL,  /* waits for thread-pool threads within the request, see ns-pool-wait */
  NS_PHASE_QUEUE, /* queued in the library, before it began to work on the request */
  NS_PHASE_PROXY,
  NS_PHASE_DNS,
  NS_PHASE_CONNECT,
  NS_PHASE_TLS,
  NS_PHASE_SEND,
  NS_PHASE_WAIT,
  NS_PHASE_RECEIVE,
  NS_PHASE_OTHER,
  NS_N_PHASES,
} NsPhase;

#define NS_TABLE_VALUE(id, member, type) NS_TABLE_##id,
/* Tables: those of engine/catalog/ns-catalog-lists.h, and the findings, which are made later. */
typedef enum
{
  NS_TABLE_ROWS (NS_TABLE_VALUE) NS_TABLE_FINDINGS,
  NS_N_TABLES,
} NsTableId;
#undef NS_TABLE_VALUE

G_END_DECLS

/* The SMB client: file operations, the commands that they were sent as, connections, sessions and
 * shares.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-layer-row.h"

G_BEGIN_DECLS

typedef enum
{
  NS_SMB_OPERATION,
  NS_SMB_COMMAND,
  NS_SMB_CONNECT,
  NS_SMB_SESSION,
  NS_SMB_TREE,
  NS_SMB_EVENT,
} NsSmbKind;

/* Map ConnectionTypeMap of the manifest. */
typedef enum
{
  NS_SMB_NETBT,
  NS_SMB_TCP,
  NS_SMB_RDMA,
  NS_SMB_VMBUS,
  NS_SMB_QUIC,
  NS_SMB_N_TRANSPORTS,
} NsSmbTransport;

/* A row of the table of SMB, see `providers.md` 1. A value of 0 is unknown, unless noted
 * otherwise. */
typedef struct
{
  NsLayerRow layer; /* the status is an NTSTATUS */
  guint64 message_id;
  guint64 async_id;
  guint64 session;
  guint64 connection; /* VcEndpoint */
  NsEndpoint remote;
  gint64 sent;           /* NS_UNKNOWN: not recorded */
  gint64 received;       /* NS_UNKNOWN: not recorded */
  gint64 sent_ns;        /* NS_TIME_NONE: not recorded; for an operation, its first command */
  gint64 response_ns;    /* NS_TIME_NONE: not recorded; for an operation, its last response */
  gint64 credit_wait_ns; /* NS_UNKNOWN: not recorded, like the next ones */
  gint64 before_wire_ns;
  gint64 wire_ns;
  gint64 after_wire_ns;
  const char *reason; /* NULL: not recorded */
  NsString command;
  NsString server;
  NsString share;
  NsString file;
  NsRow parent; /* row of the operation */
  NsRow tcp;
  NsRow quic;
  guint32 tree;
  guint32 n_commands; /* number of commands of an operation */
  guint32 n_retries;
  gint32 credit_charge;     /* NS_UNKNOWN: not recorded */
  gint32 credits_requested; /* NS_UNKNOWN: not recorded */
  gint32 credits_granted;   /* NS_UNKNOWN: not recorded */
  guint8 kind;              /* an NsSmbKind */
  guint8 transport;         /* an NsSmbTransport; NS_SMB_N_TRANSPORTS: unknown */
  NsBool has_message_id;
  NsBool is_interim;
  gint8 is_signed;    /* -1: unknown */
  gint8 is_encrypted; /* -1: unknown */
} NsSmbRow;

gboolean ns_smb_row_fails (const NsSmbRow *row, const char *command);

G_END_DECLS

/* Reads payloads of Microsoft-Windows-Winsock-AFD; all layouts are converted to one structure.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-ip.h"
#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

enum
{
  NS_AFD_CREATE = 1000,
  NS_AFD_CLOSE = 1001,
  NS_AFD_SEND = 1003,
  NS_AFD_RECEIVE = 1004,
  NS_AFD_SEND_TO = 1005,
  NS_AFD_RECEIVE_FROM = 1006,
  NS_AFD_SEND_TO_ADDRESS = 1007,
  NS_AFD_RECEIVE_FROM_ADDRESS = 1009,
  NS_AFD_SEND_MESSAGE = 1011,
  NS_AFD_RECEIVE_MESSAGE = 1012,
  NS_AFD_SEND_MESSAGE_ADDRESS = 1013,
  NS_AFD_RECEIVE_MESSAGE_ADDRESS = 1015,
  NS_AFD_CONNECT = 1017,
  NS_AFD_CONNECT_ADDRESS = 1018,
  NS_AFD_CONNECT_EX = 1020,
  NS_AFD_CONNECT_EX_ADDRESS = 1021,
  NS_AFD_ACCEPT = 1023,
  NS_AFD_ACCEPT_ADDRESS = 1024,
  NS_AFD_ACCEPT_EX = 1026,
  NS_AFD_ACCEPT_EX_ADDRESS = 1027,
  NS_AFD_BIND_ADDRESS = 1030,
  NS_AFD_ABORT = 1032,
  NS_AFD_DATAGRAM_DROP = 1033,
  NS_AFD_LISTEN = 1037,
};

/* Fields of one event; those that its layout lacks, or that are truncated, are 0. */
typedef struct
{
  gboolean is_exit;
  guint32 location;
  guint64 process;
  guint64 endpoint;
  guint64 buffer;
  guint32 n_bytes;
  guint32 status;
  gboolean has_address;
  NsEndpoint address;
  guint64 accept_endpoint;
  guint32 family;
  guint32 socket_type;
  guint32 protocol;
  guint32 pid;
  guint32 reason;
} NsAfdEvent;

gboolean ns_afd_event_read (const NsRecord *record, NsAfdEvent *event);

G_END_DECLS

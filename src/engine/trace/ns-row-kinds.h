/* Kinds that rows store as numbers, with their texts in tables and exports.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* TCP states in order of how much is known about the end: the largest value applies when a record
 * closes. */
typedef enum
{
  NS_TCP_NULL,
  NS_TCP_CONNECT_REQUEST,
  NS_TCP_CONNECT_COMPLETE,
  NS_TCP_INFERRED,
  NS_TCP_RUNDOWN,
  NS_TCP_SHUTDOWN,
  NS_TCP_CONNECT_FAIL,
  NS_TCP_CLOSE,
  NS_TCP_ABANDON,
} NsTcpState;

/* WinSock functions. */
typedef enum
{
  NS_CALL_UNKNOWN,
  NS_CALL_SOCKET,
  NS_CALL_CLOSE,
  NS_CALL_CONNECT,
  NS_CALL_ACCEPT,
  NS_CALL_BIND,
  NS_CALL_LISTEN,
  NS_CALL_ABORT,
  NS_CALL_SHUTDOWN,
  NS_CALL_SETSOCKOPT,
  NS_CALL_SEND,
  NS_CALL_RECV,
  NS_CALL_SENDTO,
  NS_CALL_RECVFROM,
  NS_CALL_SENDMSG,
  NS_CALL_RECVMSG,
  NS_CALL_GETADDRINFO,
  NS_CALL_GETADDRINFO_EX,
} NsCallKind;

/* Sources of the result of a name resolution. */
typedef enum
{
  NS_DNS_FROM_NOTHING,
  NS_DNS_FROM_NETWORK,
  NS_DNS_FROM_CACHE,
  NS_DNS_FROM_HOSTS,
  NS_DNS_FROM_WINSOCK,
  NS_DNS_FROM_WEBIO,
  NS_DNS_FROM_WININET,
  NS_DNS_FROM_TCPIP,
  NS_DNS_FROM_PACKET,
} NsDnsSource;

const char *ns_tcp_state_to_text (NsTcpState state);
const char *ns_call_kind_to_text (NsCallKind kind);
const char *ns_dns_source_to_text (NsDnsSource source);

G_END_DECLS

/* Texts of the kinds that rows store as numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-row-kinds.h"

/**
 * ns_tcp_state_to_text:
 * @state: a state
 *
 * Returns: (transfer none): its name, as the tables show it
 */
const char *
ns_tcp_state_to_text (NsTcpState state)
{
  static const char *const names[] = {
    "",        "Connect_Request", "Connect_Complete", "Inferred",
    "Rundown", "Shutdown",        "Connect_Fail",     "Close",
    "Abandon",
  };

  return names[state];
}

/**
 * ns_call_kind_to_text:
 * @kind: a function
 *
 * Returns: (transfer none) (nullable): its name; %NULL for %NS_CALL_UNKNOWN
 */
const char *
ns_call_kind_to_text (NsCallKind kind)
{
  static const char *const names[] = {
    [NS_CALL_UNKNOWN] = NULL,
    [NS_CALL_SOCKET] = "socket",
    [NS_CALL_CLOSE] = "close",
    [NS_CALL_CONNECT] = "connect",
    [NS_CALL_ACCEPT] = "accept",
    [NS_CALL_BIND] = "bind",
    [NS_CALL_LISTEN] = "listen",
    [NS_CALL_ABORT] = "abort",
    [NS_CALL_SHUTDOWN] = "shutdown",
    [NS_CALL_SETSOCKOPT] = "setsockopt",
    [NS_CALL_SEND] = "send",
    [NS_CALL_RECV] = "recv",
    [NS_CALL_SENDTO] = "sendto",
    [NS_CALL_RECVFROM] = "recvfrom",
    [NS_CALL_SENDMSG] = "sendmsg",
    [NS_CALL_RECVMSG] = "recvmsg",
    [NS_CALL_GETADDRINFO] = "getaddrinfo",
    [NS_CALL_GETADDRINFO_EX] = "GetAddrInfoEx",
  };

  return kind < G_N_ELEMENTS (names) ? names[kind] : NULL;
}

/**
 * ns_dns_source_to_text:
 * @source: source of a result
 *
 * Returns: (transfer none) (nullable): its name; %NULL for %NS_DNS_FROM_NOTHING
 */
const char *
ns_dns_source_to_text (NsDnsSource source)
{
  static const char *const names[] = {
    [NS_DNS_FROM_NOTHING] = NULL,      [NS_DNS_FROM_NETWORK] = "network",
    [NS_DNS_FROM_CACHE] = "cache",     [NS_DNS_FROM_HOSTS] = "hosts",
    [NS_DNS_FROM_WINSOCK] = "winsock", [NS_DNS_FROM_WEBIO] = "webio",
    [NS_DNS_FROM_WININET] = "wininet", [NS_DNS_FROM_TCPIP] = "tcpip",
    [NS_DNS_FROM_PACKET] = "packet",
  };

  return source < G_N_ELEMENTS (names) ? names[source] : NULL;
}

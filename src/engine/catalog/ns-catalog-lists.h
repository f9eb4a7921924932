/* The lists of tables and of parts, which the enumeration, NsTrace and the builder are made of.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* clang-format off */

/* Tables of a trace: the name here (NS_TABLE_…), the member of NsTrace, which is also that of the
 * fields (ns_fields_…), and the type of a row. The part that writes a table declares it, too
 * (NS_PART_TABLE), so that the trace need not know the types. */
#define NS_TABLE_ROWS(TABLE)                                                                      \
  TABLE (ACTIVITIES, activities, NsActivityRow)                                                   \
  TABLE (DNS, dns, NsDnsRow)                                                                      \
  TABLE (TCP, tcp, NsTcpRow)                                                                      \
  TABLE (WINSOCK, winsock, NsWinsockRow)                                                          \
  TABLE (WEBIO, webio, NsWebioRow)                                                                \
  TABLE (WININET, wininet, NsWininetRow)                                                          \
  TABLE (LDAP, ldap, NsLdapRow)                                                                   \
  TABLE (URLMON, urlmon, NsUrlmonRow)                                                             \
  TABLE (CHROMIUM, chromium, NsChromiumRow)                                                       \
  TABLE (CHROMIUM_EVENTS, chromium_events, guint32) /* which of the events browsers wrote */      \
  TABLE (DOTNET, dotnet, NsDotnetRow) /* by their begin */                                        \
  TABLE (HTTP_SERVER, http_server, NsHttpServerRow)                                               \
  TABLE (BITS, bits, NsBitsRow)                                                                   \
  TABLE (WFP, wfp, NsWfpRow)                                                                      \
  TABLE (CAPI2, capi2, NsCapi2Row)                                                                \
  TABLE (QUIC, quic, NsQuicRow)                                                                   \
  TABLE (SMB, smb, NsSmbRow)                                                                      \
  TABLE (RPC, rpc, NsRpcRow)                                                                      \
  TABLE (KERNEL_NETWORK, kernel_network, NsKernelNetworkRow)                                      \
  TABLE (TASKS, tasks, NsTaskRow)                                                                 \
  TABLE (CALLS, calls, NsCallRow)                                                                 \
  TABLE (PACKETS, packets, NsPacketRow)                                                           \
  TABLE (PROCESSES, processes, NsProcessRow)                                                      \
  TABLE (THREADS, threads, NsThreadRow)                                                           \
  TABLE (IMAGES, images, NsImageRow)                                                              \
  TABLE (PROVIDERS, providers, NsProviderRow) /* by dense provider number */                      \
  TABLE (EVENTS, events, NsEventRow) /* in time order; empty unless wanted: see ns-event-index */ \
  TABLE (SPANS, spans, NsSpanRow) /* by their begin */                                            \
  TABLE (FLOWS, flows, NsFlowRow) /* by their first packet */                                     \
  TABLE (LOG, log, NsLogRow) /* by time */

/* Parts of the builder (ns_…_part): the name and the type of the state, which is the member of that
 * name in NsBuilder; in the order of their calls: a part stands after those it asks. */
#define NS_PART_ROWS(PART, STATELESS)                                       \
  PART (kernel, NsKernel) /* processes, threads, images */                  \
  PART (methods, NsMethods) /* code without images */                       \
  PART (stack_match, NsStackMatch) /* which stack belongs to which event */ \
  PART (providers, NsProviders) /* who wrote how much */                    \
  PART (tasks, NsTasks) /* thread pools, links */                           \
  PART (host_names, NsHostNames) /* who resolved what, when */              \
  PART (winsock, NsWinsock)                                                 \
  PART (tcpip, NsTcpip)                                                     \
  PART (webio, NsWebio)                                                     \
  PART (wininet, NsWininet)                                                 \
  PART (chromium, NsChromium)                                               \
  PART (ldap, NsLdap)                                                       \
  PART (urlmon, NsUrlmon)                                                   \
  PART (dotnet, NsDotnet)                                                   \
  PART (http_server, NsHttpServer)                                          \
  PART (kernel_network, NsKernelNetwork)                                    \
  PART (packets, NsPackets)                                                 \
  PART (bits, NsBits)                                                       \
  PART (wfp, NsWfp)                                                         \
  PART (capi2, NsCapi2)                                                     \
  PART (quic, NsQuic)                                                       \
  PART (smb, NsSmb)                                                         \
  PART (rpc, NsRpc)                                                         \
  PART (tls, NsTls)                                                         \
  STATELESS (hidden)                                                        \
  PART (calls, NsCalls)                                                     \
  PART (app_spans, NsAppSpans) /* what applications tell of themselves */   \
  PART (signs, NsSigns) /* what tells of failures */                        \
  STATELESS (activities)                                                    \
  STATELESS (log) /* of files beside the trace */
/* clang-format on */

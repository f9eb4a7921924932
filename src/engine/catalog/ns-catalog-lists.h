/* Lists of tables and parts, from which the enumeration of tables, NsTrace and the builder are
 * generated.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* clang-format off */

/* Tables of a trace: name (NS_TABLE_…), member of NsTrace and of the fields (ns_fields_…), and
 * row type. The part that writes a table also declares it (NS_PART_TABLE), so that the trace
 * need not know the types. */
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
  TABLE (CHROMIUM_EVENTS, chromium_events, guint32) /* rows of the events that browsers wrote */      \
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
  TABLE (EVENTS, events, NsEventRow) /* in time order; empty unless requested, see ns-event-index */ \
  TABLE (SPANS, spans, NsSpanRow) /* by their begin */                                            \
  TABLE (FLOWS, flows, NsFlowRow) /* by their first packet */                                     \
  TABLE (LOG, log, NsLogRow) /* by time */

/* Parts of the builder (ns_…_part): name, which is also the member of NsBuilder with the state,
 * and type of the state; in call order: a part follows those that it depends on. */
#define NS_PART_ROWS(PART, STATELESS)                                       \
  PART (kernel, NsKernel) /* processes, threads, images */                  \
  PART (methods, NsMethods) /* code without images */                       \
  PART (stack_match, NsStackMatch) /* links stacks with events */ \
  PART (providers, NsProviders) /* event counts per provider */                    \
  PART (tasks, NsTasks) /* thread pools, links */                           \
  PART (host_names, NsHostNames) /* name look-ups and their results */              \
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
  PART (app_spans, NsAppSpans) /* spans that applications report */   \
  PART (signs, NsSigns) /* records that prove failures */                        \
  STATELESS (activities)                                                    \
  STATELESS (log) /* logs beside the trace */
/* clang-format on */

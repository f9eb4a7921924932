/* The list of rules: number, title, required events, advice, and the function that looks for it.
 *
 * Required events are letters of providers with event IDs, see ns_findings_is_recorded();
 * alternatives are separated by "|".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* clang-format off */
#define NS_FINDING_RULES(RULE) \
  RULE ("D01", N_("Slow name resolution"), N_("Check the DNS resolver, and whether the response could be cached longer."), "D3008|N1001|P", ns_find_slow_names) \
  RULE ("D02", N_("A name server did not answer"), N_("Remove that server from the settings of the adapter, or find out why it does not respond."), "D3010+D3011|D1015|P", ns_find_silent_server) \
  RULE ("D03", N_("No DNS server answered"), N_("Check that the DNS servers of this network can be reached, also through the VPN."), "D3008|D1013|D1014|P", ns_find_silent_name_servers) \
  RULE ("D04", N_("Names tried with suffixes"), N_("Use the full name with a trailing dot, or shorten the list of DNS suffixes."), "D3008", ns_find_suffixes) \
  RULE ("D05", N_("Name servers of the wrong adapter"), N_("Resolve such names on the right adapter: check the rules of the VPN and the order of the adapters."), "D3009+D3010+D3011", ns_find_wrong_adapter) \
  RULE ("D06", N_("One address family answers late"), N_("Check why the DNS server answers one of the two record types late; callers wait for both."), "D3008", ns_find_late_answers) \
  RULE ("D07", N_("Same name resolved again and again"), N_("Check whether the response may be cached, and whether the DNS cache is enabled."), "D3008", ns_find_names_asked_again) \
  RULE ("D08", N_("Destination repeatedly unreachable"), N_("Check the route, the gateway and whether the host is on."), "A1018|A1021|T1034|W202|P", ns_find_unreachable) \
  RULE ("D09", N_("Connect timed out"), N_("The host is off, or a firewall drops the packets silently: try the port from another computer."), "A1018|A1021|T1034|W202|T1002|T1045|P", ns_find_connect_timeouts) \
  RULE ("D10", N_("Connect needed more than one SYN"), N_("Check for packet loss, or a full listen backlog on the server: both look the same."), "T1186|T1477|P", ns_find_lost_syns) \
  RULE ("D11", N_("Connection refused"), N_("Check that the service is running and listens on that port."), "A1018|A1021|T1034|W202|T1183|P", ns_find_refusals) \
  RULE ("D12", N_("Reset by peer during a request"), N_("Check the logs of the server and of proxies or load balancers in front of it."), "A1003|A1004|T1184|T1044|T1039|W216|W214|W135|P", ns_find_resets) \
  RULE ("D13", N_("Response cut off"), N_("Check which side closed first: see the logs of the server, or the program itself."), "W101+A1004|W101+W216|I203+A1004|I1008+A1004|X+A1004|C|P", ns_find_early_ends) \
  RULE ("D14", N_("Connection lost without a reply"), N_("Check the cable, the VPN, sleep, and firewalls that dropped the connection state."), "T1044|T1046|A1004", ns_find_dead_connections) \
  RULE ("D15", N_("Blocked on this machine"), N_("A local firewall or filter driver blocked it: check its rules for this program."), "A1018|A1021|T1020|F1001", ns_find_denials) \
  RULE ("D16", N_("No route to the network"), N_("Check the adapter and its addresses at that time."), "A1018|A1021|T1021|T1130+W202", ns_find_no_route) \
  RULE ("D17", N_("High retransmission rate"), N_("Check for packet loss: Wi-Fi, a saturated link, a duplex mismatch."), "T1187|T1351|T1077|T1477|T1352|P", ns_find_retransmissions) \
  RULE ("D18", N_("Zero window: the receiver is not reading"), N_("Look at the program on the other side: it reads too slowly."), "T1102|T1200|P", ns_find_zero_windows) \
  RULE ("D19", N_("Sending limited by a window"), N_("A larger receive window or a shorter round-trip time increases the throughput."), "T1477|T1352|T1332", ns_find_window_limits) \
  RULE ("D20", N_("Large packets lost"), N_("Allow ICMP “too big” messages, or reduce the MTU of the tunnel."), "T1084|T1332+T1187|P", ns_find_black_holes) \
  RULE ("D21", N_("Packets dropped by Windows"), N_("Look at what dropped them: firewall, filter driver or adapter."), "T1214|A1033|K", ns_find_drops) \
  RULE ("D22", N_("Many small sends"), N_("Combine the data in one buffer."), "A1003", ns_find_small_sends) \
  RULE ("D23", N_("Small sends wait for acknowledgments"), N_("Send each request in one call, or enable TCP_NODELAY."), "T1159+T1332", ns_find_delayed_acks) \
  RULE ("D24", N_("Slow TLS handshake"), N_("Look for a slow server, or for certificates that are checked over the network."), "W700|I701|C|P", ns_find_slow_tls) \
  RULE ("D25", N_("Certificates checked over the network"), N_("Check that the revocation server can be reached, or enable OCSP stapling on the web server."), "W712+D3008|W712+T1002|W700+Y11", ns_find_slow_certificates) \
  RULE ("D26", N_("TLS failed"), N_("Look at the certificate of the server, at its name and dates, and at the versions both sides allow."), "W703|W713|W135|I703|I704|C|P", ns_find_tls_errors) \
  RULE ("D27", N_("Proxy detection"), N_("Disable automatic proxy detection, or make sure that it is answered quickly."), "W102|I801|I816|I834|H801|H816|H834", ns_find_proxy_searches) \
  RULE ("D28", N_("Requests repeated to authenticate"), N_("Keep connections open, and let the client authenticate beforehand."), "W101|I203|I1008|C|X", ns_find_authentication) \
  RULE ("D29", N_("Inactivity during a request"), N_("Check what the program did in this time: it did not wait for the network."), "A1003+A1004|W213+W216", ns_find_gaps) \
  RULE ("D30", N_("Errors of the web server"), N_("Look at the server's log for these requests."), "W101|I203|I1008|C|X|P", ns_find_http_errors) \
  RULE ("D31", N_("Redirect chain"), N_("Request the final address directly."), "W101|I1049|C", ns_find_redirects) \
  RULE ("D32", N_("Connections not reused"), N_("Use a single client object, and read responses completely."), "W200|W104|I206|C", ns_find_new_connections) \
  RULE ("D33", N_("Sockets not closed, or used out of order"), N_("Close each socket after its last use, also on error paths, and not earlier."), "A1000+A1001", ns_find_socket_lives) \
  RULE ("D34", N_("Requests waited for a connection"), N_("Allow more connections to the server, or send fewer requests at a time."), "W104|I1045|C", ns_find_pool_waits) \
  RULE ("D35", N_("Bad first address"), N_("Repair the address that never answered, or take it out of DNS."), "A1018|A1021|T1002|T1033|W200", ns_find_bad_first_address) \
  RULE ("D36", N_("Loopback refused slowly"), N_("Use the address that the service listens on: 127.0.0.1 or ::1."), "A1018|A1021|T1034|W202|T1183", ns_find_slow_loopback) \
  RULE ("D37", N_("Work waited for a pool thread"), N_("Check what kept the threads of the pool busy; do not block in them."), "Q32+Q34|H59996+H59998|W59996+W59998", ns_find_thread_pool_waits) \
  RULE ("D38", N_("UI blocked by the network"), N_("Resolve names and request data on a thread other than the UI thread."), "N1000*|A1018*|A1021*|A1004*", ns_find_blocked_windows) \
  RULE ("D39", N_("Polling or retrying"), N_("Ask less often, or wait longer after each failure."), "W17|I200|I1007|C|X", ns_find_repetition) \
  RULE ("D40", N_("Idle connection dropped"), N_("Use keep-alive at a shorter interval than that."), "T1187|T1184|A1004", ns_find_forgotten_connections) \
  RULE ("D41", N_("Local ports ran out"), N_("Reuse connections instead of opening new ones."), "A1030|A1021|T1050|T1006", ns_find_port_exhaustion) \
  RULE ("D42", N_("Slow LDAP search"), N_("Search with an indexed attribute, and below a narrower base."), "L30", ns_find_slow_ldap) \
  RULE ("D43", N_("Slow server"), N_("The network was faster than that: look at the server."), "W101|W213+W216|I1031+I1037|A1003+A1004|C|P", ns_find_slow_servers) \
  RULE ("D44", N_("Events lost"), N_("Record with more or larger buffers; findings of this trace may be wrong."), NULL, ns_find_losses) \
  RULE ("D45", N_("Not recorded"), N_("Record again with these providers to answer this."), NULL, ns_find_missing_providers) \
  RULE ("D46", N_("The machine was inactive"), N_("Check whether it slept: failures right after it have this cause."), NULL, ns_find_silences) \
  RULE ("D47", N_("Neighbor does not answer"), N_("Check that the machine is on and in the same network, and that the address and mask of this machine are correct."), "P", ns_find_silent_neighbors) \
  RULE ("D48", N_("Failed operations, calls and transfers"), N_("Look up the error code: permissions, name of the share, a service that is not running, an address that no longer exists."), "M30407|M30409|M30104|R7|B60|B61", ns_find_failed_operations)
/* clang-format on */

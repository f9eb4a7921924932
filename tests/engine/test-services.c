/* Tests service names and kinds of addresses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-services.h"

static const char *
kind (const char *text)
{
  NsIp ip;

  g_assert_true (ns_ip_from_text (&ip, text));
  return ns_service_address_kind (&ip);
}

static void
test_every_service_is_found_by_its_port (void)
{
  g_assert_cmpstr (ns_service_name (20), ==, "FTP");
  g_assert_cmpstr (ns_service_name (443), ==, "HTTPS");
  g_assert_cmpstr (ns_service_name (636), ==, "LDAPs");
  g_assert_cmpstr (ns_service_name (5353), ==, "mDNS");
  g_assert_cmpstr (ns_service_name (8888), ==, "HTTP/LocalHost");
  g_assert_cmpstr (ns_service_name (9389), ==, "ADWS");
  g_assert_null (ns_service_name (0));
  g_assert_null (ns_service_name (50000));
}

static void
test_private_ranges_end_where_they_should (void)
{
  g_assert_cmpstr (kind ("10.255.0.1"), ==, "Private Network (A)");
  g_assert_cmpstr (kind ("172.31.255.255"), ==, "Private Network (B)");
  g_assert_null (kind ("172.32.0.0"));
  g_assert_cmpstr (kind ("192.168.1.1"), ==, "Private Network (C)");
  g_assert_null (kind ("192.169.1.1"));
  g_assert_cmpstr (kind ("239.1.2.3"), ==, "Multicast");
  g_assert_cmpstr (kind ("255.255.255.255"), ==, "Broadcast");
  g_assert_cmpstr (kind ("100.127.0.1"), ==, "Carrier NAT");
  g_assert_null (kind ("100.128.0.1"));
  g_assert_cmpstr (kind ("febf::1"), ==, "Link Local");
  g_assert_cmpstr (kind ("fec0::1"), ==, "Site Local");
  g_assert_cmpstr (kind ("fd00::1"), ==, "Unique Local");
  g_assert_cmpstr (kind ("::1"), ==, "Loopback");
  g_assert_cmpstr (kind ("::ffff:127.0.0.1"), ==, "Loopback");
}

static void
test_well_known_resolvers_are_named (void)
{
  g_assert_cmpstr (kind ("1.1.1.1"), ==, "Cloudflare DNS");
  g_assert_cmpstr (kind ("8.8.4.4"), ==, "Google DNS");
  g_assert_cmpstr (kind ("2001:4860:4860::8844"), ==, "Google DNS");
  g_assert_cmpstr (kind ("2606:4700:4700::1111"), ==, "Cloudflare DNS");
  g_assert_cmpstr (kind ("2620:fe::9"), ==, "Quad9 DNS");
  g_assert_cmpstr (kind ("2620:0:ccd::2"), ==, "OpenDNS");
  g_assert_null (kind ("1.1.1.2"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/services/every-service-is-found-by-its-port",
                   test_every_service_is_found_by_its_port);
  g_test_add_func ("/services/private-ranges-end-where-they-should",
                   test_private_ranges_end_where_they_should);
  g_test_add_func ("/services/well-known-resolvers-are-named", test_well_known_resolvers_are_named);
  return g_test_run ();
}

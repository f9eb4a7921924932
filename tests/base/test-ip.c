/* Tests addresses and endpoints.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-ip.h"

static void
assert_endpoint (const char *text, const char *expected)
{
  NsEndpoint endpoint;
  char back[NS_IP_TEXT_SIZE];

  if (expected == NULL)
    {
      g_assert_false (ns_endpoint_from_text (&endpoint, text));
      return;
    }
  g_assert_true (ns_endpoint_from_text (&endpoint, text));
  g_assert_cmpstr (ns_endpoint_to_text (&endpoint, back), ==, expected);
}

static void
test_endpoints_are_read_in_every_form (void)
{
  assert_endpoint ("1.2.3.4", "1.2.3.4");
  assert_endpoint ("1.2.3.4:80", "1.2.3.4:80");
  assert_endpoint ("2001:db8::1", "2001:db8::1");
  assert_endpoint ("[2001:DB8::1]:443", "[2001:db8::1]:443");
  assert_endpoint ("fe80::1%12", "fe80::1");
  assert_endpoint ("[fe80::1%12]:5353", "[fe80::1]:5353");
  assert_endpoint ("::ffff:1.2.3.4", "::ffff:1.2.3.4");
  assert_endpoint ("1.2.3.4:99999", NULL);
  assert_endpoint ("example.com", NULL);
  assert_endpoint ("[::1", NULL);
  assert_endpoint ("", NULL);
}

static void
test_mapped_addresses_equal_plain_ones (void)
{
  NsIp mapped;
  NsIp plain;

  g_assert_true (ns_ip_from_text (&mapped, "::ffff:10.0.0.1"));
  g_assert_true (ns_ip_from_text (&plain, "10.0.0.1"));
  g_assert_true (ns_ip_equal (&mapped, &plain));
  g_assert_cmphex (ns_ip_hash (&mapped), ==, ns_ip_hash (&plain));
}

static void
test_only_v4_zero_is_empty (void)
{
  NsIp ip = { 0 };

  g_assert_true (ns_ip_is_empty (&ip));
  g_assert_true (ns_ip_from_text (&ip, "0.0.0.0"));
  g_assert_true (ns_ip_is_empty (&ip));
  g_assert_true (ns_ip_from_text (&ip, "::"));
  g_assert_false (ns_ip_is_empty (&ip));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/ip/endpoints-are-read-in-every-form", test_endpoints_are_read_in_every_form);
  g_test_add_func ("/ip/mapped-addresses-equal-plain-ones", test_mapped_addresses_equal_plain_ones);
  g_test_add_func ("/ip/only-v4-zero-is-empty", test_only_v4_zero_is_empty);
  return g_test_run ();
}

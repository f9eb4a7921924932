/* Tests SOCKADDR blobs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-sockaddr.h"

static void
assert_text (const guint8 *data, gsize size, const char *expected)
{
  char text[NS_IP_TEXT_SIZE];
  NsEndpoint endpoint;

  ns_sockaddr_read (data, size, &endpoint);
  g_assert_cmpstr (ns_endpoint_to_text (&endpoint, text), ==, expected);
}

static void
test_ipv4 (void)
{
  static const guint8 data[16] = { 2, 0, 1, 0xbb, 1, 2, 3, 4 };

  assert_text (data, 16, "1.2.3.4:443");
  assert_text (data, 8, "1.2.3.4:443");
}

static void
test_ipv6_keeps_its_zone (void)
{
  guint8 data[28] = { 23, 0, 0, 53, 0, 0, 0, 0, 0xfe, 0x80 };
  NsEndpoint endpoint;

  data[23] = 1;
  data[24] = 12;
  g_assert_true (ns_sockaddr_read (data, 28, &endpoint));
  g_assert_cmpuint (endpoint.scope, ==, 12);
  assert_text (data, 24, "[fe80::1]:53");
}

static void
test_hyperv_reads_like_its_guid (void)
{
  guint8 data[20] = { 34, 0, 0, 0, 0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99 };
  guint i;

  for (i = 0; i < 6; i++)
    data[14 + i] = (guint8) (0xaa + 0x11 * i);
  assert_text (data, 20, "[11:2233:4455:6677:8899:aabb:ccdd:eeff]:34");
  assert_text (data, 16, "[::3322:1100:5544:7766:8899:aabb]:34");
}

static void
test_vsock_is_context_and_port (void)
{
  static const guint8 data[12] = { 40, 0, 0, 0, 0x00, 0x04, 0, 0, 3, 0, 0, 0 };

  assert_text (data, 12, "[0:3::400]:40");
}

static void
test_empty_truncated_and_strange (void)
{
  static const guint8 data[4] = { 2, 0, 1, 0xbb };
  static const guint8 strange[4] = { 99, 0, 0, 0 };
  NsEndpoint endpoint;

  g_assert_false (ns_sockaddr_read (NULL, 0, &endpoint));
  g_assert_false (ns_sockaddr_read (data, 4, &endpoint));
  g_assert_false (ns_sockaddr_read (data, 1, &endpoint));
  g_assert_true (ns_endpoint_is_empty (&endpoint));
  assert_text (strange, 4, "42.42.42.42:99");
}

static void
test_length_past_the_end (void)
{
  static const guint8 data[] = { 16, 0, 0, 0, 2, 0, 1, 0xbb };
  NsEndpoint endpoint;
  NsCursor cursor;

  ns_cursor_init (&cursor, data, sizeof data);
  g_assert_false (ns_sockaddr_take_counted (&cursor, &endpoint));
  g_assert_false (ns_cursor_ok (&cursor));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sockaddr/ipv4", test_ipv4);
  g_test_add_func ("/sockaddr/ipv6-keeps-its-zone", test_ipv6_keeps_its_zone);
  g_test_add_func ("/sockaddr/hyperv", test_hyperv_reads_like_its_guid);
  g_test_add_func ("/sockaddr/vsock", test_vsock_is_context_and_port);
  g_test_add_func ("/sockaddr/empty-truncated-and-strange", test_empty_truncated_and_strange);
  g_test_add_func ("/sockaddr/length-past-the-end", test_length_past_the_end);
  return g_test_run ();
}

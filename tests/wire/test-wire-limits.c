/* Tests the limits on endless structures in packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-dns.h"
#include "wire/ns-wire-frame.h"
#include "wire/ns-wire-http.h"
#include "wire/ns-wire-tls.h"

#include <string.h>

#define MAX_POINTERS 16
#define MAX_VLAN_TAGS 4
#define MAX_IPV6_EXTENSIONS 16
#define MAX_LINE 200
#define MAX_EXTENSIONS 64

static void
put (GByteArray *bytes, guint value, guint n_bytes)
{
  while (n_bytes-- > 0)
    {
      guint8 byte = (guint8) (value >> (8 * n_bytes));

      g_byte_array_append (bytes, &byte, 1);
    }
}

static void
put_zeros (GByteArray *bytes, guint n_bytes)
{
  while (n_bytes-- > 0)
    put (bytes, 0, 1);
}

static gboolean
reads_name (const GByteArray *bytes, gsize at)
{
  char name[NS_DNS_MAX_NAME];
  NsCursor cursor;

  ns_cursor_init (&cursor, bytes->data, bytes->len);
  ns_cursor_seek (&cursor, at);
  return ns_wire_dns_read_name (&cursor, name);
}

static void
test_names_are_bounded (void)
{
  guint n_labels;
  guint n_pointers;

  for (n_labels = NS_DNS_MAX_NAME / 2; n_labels <= NS_DNS_MAX_NAME / 2 + 1; n_labels++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      guint i;

      for (i = 0; i < n_labels; i++)
        put (bytes, 0x0100 | 'a', 2);
      put (bytes, 0, 1);
      g_assert_cmpint (reads_name (bytes, 0), ==, n_labels == NS_DNS_MAX_NAME / 2);
    }
  for (n_pointers = MAX_POINTERS; n_pointers <= MAX_POINTERS + 1; n_pointers++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      guint i;

      /* Each pointer refers to the previous one, the first one to an empty name. */
      put (bytes, 0, 2);
      for (i = 0; i < n_pointers; i++)
        put (bytes, 0xc000 | i * 2, 2);
      g_assert_cmpint (reads_name (bytes, n_pointers * 2), ==, n_pointers == MAX_POINTERS);
    }
}

static void
test_dns_records_are_bounded (void)
{
  guint n;

  for (n = NS_DNS_MAX_RECORDS; n <= NS_DNS_MAX_RECORDS + 1; n++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      NsWireDns dns;

      put (bytes, 0, 4);
      put (bytes, n, 2);
      put (bytes, 0xffff, 2);
      put_zeros (bytes, 4 + 5 * n);
      g_assert_cmpint (ns_wire_dns_parse (&dns, bytes->data, bytes->len),
                       ==,
                       n == NS_DNS_MAX_RECORDS);
      if (n == NS_DNS_MAX_RECORDS)
        g_assert_cmpuint (dns.n_answers, ==, NS_DNS_MAX_RECORDS);
    }
}

static void
test_headers_in_front_are_bounded (void)
{
  guint n;

  for (n = MAX_VLAN_TAGS; n <= MAX_VLAN_TAGS + 1; n++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      NsWireFrame frame;
      guint i;

      put_zeros (bytes, 12);
      for (i = 0; i < n; i++)
        put (bytes, 0x81000001, 4);
      put (bytes, 0x0800, 2);
      put (bytes, 0x4500, 2);
      put (bytes, 28, 2);
      put (bytes, 0, 4);
      put (bytes, 0x4011, 2);
      put (bytes, 0, 2);
      put (bytes, 0x0a000001, 4);
      put (bytes, 0x0a000002, 4);
      put (bytes, 0x12340035, 4);
      put (bytes, 0x00080000, 4);
      ns_wire_frame_parse (&frame, bytes->data, bytes->len, NS_LINK_ETHERNET);
      g_assert_cmpint (frame.has_ip, ==, n == MAX_VLAN_TAGS);
    }
}

static void
test_extension_headers_are_bounded (void)
{
  guint n;

  for (n = MAX_IPV6_EXTENSIONS; n <= MAX_IPV6_EXTENSIONS + 1; n++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      NsWireFrame frame;
      guint i;

      put_zeros (bytes, 12);
      put (bytes, 0x86dd, 2);
      put (bytes, 0x60000000, 4);
      put (bytes, n * 8 + 8, 2);
      put (bytes, 60, 1);
      put (bytes, 64, 1);
      put_zeros (bytes, 32);
      for (i = 0; i < n; i++)
        {
          put (bytes, i + 1 < n ? 60 : 17, 1);
          put_zeros (bytes, 7);
        }
      put (bytes, 0x12340035, 4);
      put (bytes, 0x00080000, 4);
      ns_wire_frame_parse (&frame, bytes->data, bytes->len, NS_LINK_ETHERNET);
      g_assert_cmpuint (frame.protocol, ==, n == MAX_IPV6_EXTENSIONS ? 17 : 60);
    }
}

static void
test_lines_are_bounded (void)
{
  g_autofree char *line = g_strnfill (MAX_LINE + 1, 'a');
  g_autoptr (GString) text = g_string_new (NULL);

  ns_wire_http_append_first_line ((const guint8 *) line, MAX_LINE, text);
  g_assert_cmpuint (text->len, ==, MAX_LINE);
  g_string_truncate (text, 0);
  ns_wire_http_append_first_line ((const guint8 *) line, MAX_LINE + 1, text);
  g_assert_cmpuint (text->len, ==, MAX_LINE);
}

/* Makes a Client Hello with @n_before empty extensions before server_name. */
static char *
greet (guint n_before, guint n_name)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  NsWireHello hello;
  guint i;

  put (bytes, 0x160301, 3);
  put (bytes, 0x2000, 2);
  put (bytes, 0x01001f00, 4);
  put (bytes, 0x0303, 2);
  put_zeros (bytes, 32 + 1 + 2 + 1 + 2);
  for (i = 0; i < n_before; i++)
    put (bytes, 0xfafa0000, 4);
  put (bytes, 0, 2);
  put (bytes, n_name + 5, 2);
  put (bytes, n_name + 3, 2);
  put (bytes, 0, 1);
  put (bytes, n_name, 2);
  for (i = 0; i < n_name; i++)
    put (bytes, 'a', 1);
  g_assert_true (ns_wire_tls_parse_hello (&hello, bytes->data, bytes->len));
  return g_strdup (hello.server_name);
}

static void
test_greetings_are_bounded (void)
{
  g_autofree char *last = greet (MAX_EXTENSIONS - 1, 3);
  g_autofree char *behind = greet (MAX_EXTENSIONS, 3);
  g_autofree char *longest = greet (0, NS_TLS_MAX_NAME - 1);
  g_autofree char *cut = greet (0, NS_TLS_MAX_NAME + 100);

  g_assert_cmpstr (last, ==, "aaa");
  g_assert_cmpstr (behind, ==, "");
  g_assert_cmpuint (strlen (longest), ==, NS_TLS_MAX_NAME - 1);
  g_assert_cmpuint (strlen (cut), ==, NS_TLS_MAX_NAME - 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire-limits/names-are-bounded", test_names_are_bounded);
  g_test_add_func ("/wire-limits/dns-records-are-bounded", test_dns_records_are_bounded);
  g_test_add_func ("/wire-limits/headers-in-front-are-bounded", test_headers_in_front_are_bounded);
  g_test_add_func ("/wire-limits/extension-headers-are-bounded",
                   test_extension_headers_are_bounded);
  g_test_add_func ("/wire-limits/lines-are-bounded", test_lines_are_bounded);
  g_test_add_func ("/wire-limits/greetings-are-bounded", test_greetings_are_bounded);
  return g_test_run ();
}

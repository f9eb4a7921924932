/* Tests the activity paths encoded in .NET activity IDs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/dotnet/ns-dotnet-path.h"
#include "engine/tasks/ns-dotnet-event.h"

#include <string.h>

#define PID 1234

/* Makes an activity ID of the twelve @bytes, with the checksum for @pid. */
static NsGuid
id_of (const guint8 bytes[12], guint32 pid)
{
  NsGuid id = { { 0 } };
  guint32 sum = 0x599D99ADu;
  guint i;

  memcpy (id.bytes, bytes, 12);
  for (i = 0; i < 12; i += 4)
    sum += (guint32) bytes[i] | (guint32) bytes[i + 1] << 8 | (guint32) bytes[i + 2] << 16 |
           (guint32) bytes[i + 3] << 24;
  sum ^= pid;
  for (i = 0; i < 4; i++)
    id.bytes[12 + i] = (guint8) (sum >> (8 * i));
  return id;
}

static void
assert_path (const guint8 bytes[12], const char *expected)
{
  NsGuid id = id_of (bytes, PID);
  NsDotnetPath path;
  g_autofree char *text = NULL;

  ns_dotnet_path_decode (&path, &id, PID);
  text = ns_dotnet_path_to_text (&path, PID);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpint (path.kind, ==, expected != NULL ? NS_DOTNET_ID_PATH : NS_DOTNET_ID_OPAQUE);
}

static void
test_small_numbers_are_nibbles (void)
{
  assert_path ((const guint8[12]){ 0x11 }, "/#1234/1/1/");
  assert_path ((const guint8[12]){ 0x11, 0xa9 }, "/#1234/1/1/10/9/");
  assert_path ((const guint8[12]){ 0x1a, 0x20 }, "/#1234/1/10/2/");
}

/* An escape code in the low nibble is followed by whole bytes. */
static void
test_long_numbers_behind_a_low_nibble (void)
{
  assert_path ((const guint8[12]){ 0x1c, 200, 0x30 }, "/#1234/1/200/3/");
  assert_path ((const guint8[12]){ 0x1d, 0x34, 0x12, 0x30 }, "/#1234/1/4660/3/");
  assert_path ((const guint8[12]){ 0x1e, 0x56, 0x34, 0x12, 0x30 }, "/#1234/1/1193046/3/");
  assert_path ((const guint8[12]){ 0x1f, 0x78, 0x56, 0x34, 0x12, 0x30 }, "/#1234/1/305419896/3/");
}

/* After an escape code in the high nibble the low nibble is part of the number. The writer stores
 * two bytes for a number that has more than eight bits. */
static void
test_long_numbers_behind_a_high_nibble (void)
{
  assert_path ((const guint8[12]){ 0x11, 0xc0, 200, 0x30 }, "/#1234/1/1/200/3/");
  assert_path ((const guint8[12]){ 0x11, 0xc1, 0x2c, 0x00, 0x30 }, "/#1234/1/1/300/3/");
  assert_path ((const guint8[12]){ 0x11, 0xc1, 0x2c, 0x30 }, "/#1234/1/1/300/3/");
  assert_path ((const guint8[12]){ 0x11, 0xd0, 0x00, 0x10, 0x30 }, "/#1234/1/1/4096/3/");
}

static void
test_overflow_is_told_apart (void)
{
  assert_path ((const guint8[12]){ 0x11, 0xbc, 17 }, "/#1234/1/1/$17/");
  assert_path ((const guint8[12]){ 0x1b, 0xc0, 17 }, "/#1234/1/$17/");
}

static void
test_what_makes_no_sense_is_opaque (void)
{
  /* An overflow code without a number, a number beyond the end, and no number at all. */
  assert_path ((const guint8[12]){ 0x11, 0xb3 }, NULL);
  assert_path ((const guint8[12]){ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0x11, 0xc0 }, NULL);
  assert_path (
      (const guint8[12]){ 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1b },
      NULL);
  assert_path ((const guint8[12]){ 0 }, NULL);
}

static void
test_check_words (void)
{
  const guint8 bytes[12] = { 0x11 };
  NsGuid of_another = id_of (bytes, PID + 1);
  NsGuid old = id_of (bytes, 0);
  NsGuid task = { { 6, 0, 0, 0, 1, 0, 0, 0, 0xd2, 4, 0, 0, 0xff, 0xdc, 0xd7, 0xb5 } };
  NsGuid zero = { { 0 } };
  NsDotnetPath path;

  g_assert_cmpint (ns_dotnet_path_decode (&path, &of_another, PID), ==, NS_DOTNET_ID_OPAQUE);
  g_assert_cmpint (ns_dotnet_path_decode (&path, &old, PID), ==, NS_DOTNET_ID_PATH);
  g_assert_cmpint (ns_dotnet_path_decode (&path, &task, PID), ==, NS_DOTNET_ID_TASK);
  g_assert_cmpint (ns_dotnet_path_decode (&path, &zero, PID), ==, NS_DOTNET_ID_NONE);
}

static void
test_below_compares_numbers (void)
{
  NsGuid short_id = id_of ((const guint8[12]){ 0x11 }, PID);
  NsGuid child_id = id_of ((const guint8[12]){ 0x11, 0x20 }, PID);
  NsGuid other_id = id_of ((const guint8[12]){ 0x11, 0x30 }, PID);
  NsGuid twelve_id = id_of ((const guint8[12]){ 0x1c, 12 }, PID);
  NsDotnetPath path;
  NsDotnetPath child;
  NsDotnetPath other;
  NsDotnetPath twelve;

  ns_dotnet_path_decode (&path, &short_id, PID);
  ns_dotnet_path_decode (&child, &child_id, PID);
  ns_dotnet_path_decode (&other, &other_id, PID);
  ns_dotnet_path_decode (&twelve, &twelve_id, PID);
  g_assert_true (ns_dotnet_path_is_below (&child, &path));
  g_assert_false (ns_dotnet_path_is_below (&path, &path));
  g_assert_false (ns_dotnet_path_is_below (&path, &child));
  /* The text of 1/12 starts with that of 1/1, but 1/12 is not a child of 1/1. */
  g_assert_false (ns_dotnet_path_is_below (&twelve, &path));
  g_assert_true (ns_dotnet_path_has_same_parent (&child, &other));
  g_assert_false (ns_dotnet_path_has_same_parent (&child, &path));
}

static void
assert_address (const char *text, const char *expected)
{
  char buffer[NS_IP_TEXT_SIZE];
  NsEndpoint end;

  g_assert_true (ns_dotnet_read_address (text, &end));
  g_assert_cmpstr (ns_endpoint_to_text (&end, buffer), ==, expected);
}

static void
test_addresses (void)
{
  NsEndpoint end;

  assert_address ("InterNetwork:16:{1,187,203,0,113,10,0,0,0,0,0,0,0,0}", "203.0.113.10:443");
  assert_address ("InterNetworkV6:28:{0,80,0,0,0,0,32,1,13,184,0,0,0,0,0,0,0,0,0,0,0,7,0,0,0,0}",
                  "[2001:db8::7]:80");
  /* Dual-mode sockets print an IPv4 address as an IPv4-mapped IPv6 address. */
  assert_address (
      "InterNetworkV6:28:{0,80,0,0,0,0,0,0,0,0,0,0,0,0,0,0,255,255,203,0,113,10,0,0,0,0}",
      "203.0.113.10:80");
  g_assert_false (ns_dotnet_read_address (NULL, &end));
  g_assert_false (ns_dotnet_read_address ("InterNetwork", &end));
  g_assert_false (ns_dotnet_read_address ("InterNetwork:16:{1,187,203}", &end));
  g_assert_false (ns_dotnet_read_address ("InterNetwork:16:{1,999,203,0,113,10}", &end));
  g_assert_false (ns_dotnet_read_address ("Unix:16:{1,187,203,0,113,10}", &end));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dotnet-path/small-numbers-are-nibbles", test_small_numbers_are_nibbles);
  g_test_add_func ("/dotnet-path/long-numbers-behind-a-low-nibble",
                   test_long_numbers_behind_a_low_nibble);
  g_test_add_func ("/dotnet-path/long-numbers-behind-a-high-nibble",
                   test_long_numbers_behind_a_high_nibble);
  g_test_add_func ("/dotnet-path/overflow-is-told-apart", test_overflow_is_told_apart);
  g_test_add_func ("/dotnet-path/what-makes-no-sense-is-opaque",
                   test_what_makes_no_sense_is_opaque);
  g_test_add_func ("/dotnet-path/check-words", test_check_words);
  g_test_add_func ("/dotnet-path/below-compares-numbers", test_below_compares_numbers);
  g_test_add_func ("/dotnet-path/addresses", test_addresses);
  return g_test_run ();
}

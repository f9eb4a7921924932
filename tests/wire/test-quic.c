/* Tests the unencrypted headers of QUIC.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-quic.h"

/* An Initial packet of version 1: connection IDs of 8 and 3 bytes, then bytes that are not read. */
static const guint8 initial[] = { 0xc3, 0,    0,    0, 1, 8, 0x83, 0x94, 0xc8, 0xf0, 0x3e,
                                  0x51, 0x57, 0x08, 3, 1, 2, 0xff, 0,    0x44, 0x9e };
/* The server supports version 2 and draft 29. */
static const guint8 negotiation[] = { 0x80, 0,    0,    0,    0,    1, 0xaa, 1, 0xbb,
                                      0x6b, 0x33, 0x43, 0xcf, 0xff, 0, 0,    29 };

static void
test_an_initial_tells_version_and_ids (void)
{
  char text[NS_WIRE_QUIC_TEXT_SIZE];
  NsWireQuic quic;

  g_assert_true (ns_wire_quic_parse (&quic, initial, sizeof initial));
  g_assert_cmpstr (ns_wire_quic_version_text (quic.version, text), ==, "1");
  g_assert_cmpstr (quic.dcid, ==, "8394c8f03e515708");
  g_assert_cmpstr (quic.scid, ==, "0102ff");
}

static void
test_versions_have_texts (void)
{
  char text[NS_WIRE_QUIC_TEXT_SIZE];
  guint8 data[sizeof initial];
  NsWireQuic quic;

  memcpy (data, initial, sizeof data);
  memcpy (data + 1, "\x6b\x33\x43\xcf", 4);
  g_assert_true (ns_wire_quic_parse (&quic, data, sizeof data));
  g_assert_cmpstr (ns_wire_quic_version_text (quic.version, text), ==, "2");
  memcpy (data + 1, "\xff\0\0\x1d", 4);
  g_assert_true (ns_wire_quic_parse (&quic, data, sizeof data));
  g_assert_cmpstr (ns_wire_quic_version_text (quic.version, text), ==, "draft-29");
  g_assert_cmpstr (ns_wire_quic_version_text (0x1a2a3a4a, text), ==, "0x1a2a3a4a");
}

static void
test_a_negotiation_lists_versions (void)
{
  char text[NS_WIRE_QUIC_TEXT_SIZE];
  const guint8 zeros[32] = { 0x80 };
  NsWireQuic quic;

  g_assert_true (ns_wire_quic_parse (&quic, negotiation, sizeof negotiation));
  g_assert_cmpstr (ns_wire_quic_version_text (quic.version, text), ==, "negotiation");
  g_assert_cmpstr (quic.dcid, ==, "aa");
  g_assert_cmpstr (quic.scid, ==, "bb");
  g_assert_false (ns_wire_quic_parse (&quic, negotiation, sizeof negotiation - 1));
  g_assert_false (ns_wire_quic_parse (&quic, negotiation, sizeof negotiation - 8));
  g_assert_false (ns_wire_quic_parse (&quic, zeros, sizeof zeros));
}

static void
test_other_datagrams_are_none (void)
{
  guint8 data[sizeof initial];
  NsWireQuic quic;

  g_assert_false (ns_wire_quic_parse (&quic, NULL, 0));
  /* Short header. */
  memcpy (data, initial, sizeof data);
  data[0] = 0x43;
  g_assert_false (ns_wire_quic_parse (&quic, data, sizeof data));
  /* Without the fixed bit. */
  data[0] = 0x83;
  g_assert_false (ns_wire_quic_parse (&quic, data, sizeof data));
  /* An unknown version. */
  memcpy (data, initial, sizeof data);
  data[4] = 9;
  g_assert_false (ns_wire_quic_parse (&quic, data, sizeof data));
  /* Connection IDs longer than allowed. */
  memcpy (data, initial, sizeof data);
  data[5] = NS_WIRE_QUIC_MAX_ID + 1;
  g_assert_false (ns_wire_quic_parse (&quic, data, sizeof data));
}

static void
test_cut_headers_are_none (void)
{
  gsize size;

  for (size = 0; size < sizeof initial; size++)
    {
      g_autofree guint8 *copy = g_memdup2 (initial, MAX (size, 1));
      NsWireQuic quic;

      /* The connection IDs end after 18 bytes. */
      g_assert_cmpint (ns_wire_quic_parse (&quic, copy, size), ==, size >= 18);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/quic/an-initial-tells-version-and-ids", test_an_initial_tells_version_and_ids);
  g_test_add_func ("/quic/versions-have-texts", test_versions_have_texts);
  g_test_add_func ("/quic/a-negotiation-lists-versions", test_a_negotiation_lists_versions);
  g_test_add_func ("/quic/other-datagrams-are-none", test_other_datagrams_are_none);
  g_test_add_func ("/quic/cut-headers-are-none", test_cut_headers_are_none);
  return g_test_run ();
}

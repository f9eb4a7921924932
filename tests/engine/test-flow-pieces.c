/* Tests fragmented and truncated packets.
 *
 * The expected values are those of TShark 4.0.17 on the same frames.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "story.h"

#define WHOLE G_GUINT64_CONSTANT (0xc0000000)
#define SEND G_GUINT64_CONSTANT (0x100000000)
#define RECEIVE G_GUINT64_CONSTANT (0x200000000)
#define ETHERNET "0001020304050607080908090800"
/* Maximum segment size 1460, window scale 8 with padding. */
#define OPTIONS "020405b403030800"

static void
report_frame (Story *story, double ms, gboolean is_in, const char *hex)
{
  story->keyword = WHOLE | (is_in ? RECEIVE : SEND);
  story_write (story, ms, STORY_NDIS, 1001, "ddX", 7, 7, hex);
  story->keyword = 0;
}

static const NsFlowRow *
flow_at (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->flows->len, >, n);
  return &g_array_index (trace->flows, NsFlowRow, n);
}

static guint
marks_of (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->packets->len, >, n);
  return g_array_index (trace->packets, NsPacketRow, n).analysis;
}

#define ENDS "0a0000050a000009"
#define BACK "0a0000090a000005"

/* The last fragment arrives first; each fragment is a packet, and the datagram size counts once. */
static void
test_pieces_are_one_datagram (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsFlowWay *way;

  report_frame (story,
                10,
                FALSE,
                ETHERNET "4500001c1234000240110000"
                         "0a0000050a000009"
                         "2e2e2e2e2e2e2e2e");
  report_frame (story,
                10.1,
                FALSE,
                ETHERNET "450000241234200040110000"
                         "0a0000050a000009"
                         "9c409c4100180000"
                         "2e2e2e2e2e2e2e2e");
  trace = story_open (story, 500);
  way = &flow_at (trace, 0)->ways[0];

  g_assert_cmpuint (trace->flows->len, ==, 1);
  g_assert_cmpuint (way->n_packets, ==, 2);
  g_assert_cmpuint (way->payload_bytes, ==, 16);
  g_assert_cmpuint (flow_at (trace, 0)->n_truncated, ==, 0);
}

/* Data after the last fragment does not fill the gap before it. */
static void
test_a_packet_with_a_gap_is_not_whole (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_frame (story, 10, FALSE, ETHERNET "4500001c1234200040110000" ENDS "9c409c4100180000");
  report_frame (story, 10.1, FALSE, ETHERNET "4500001c1234000240110000" ENDS "2e2e2e2e2e2e2e2e");
  report_frame (story, 10.2, FALSE, ETHERNET "4500001c1234200340110000" ENDS "3f3f3f3f3f3f3f3f");
  trace = story_open (story, 500);

  g_assert_cmpuint (trace->flows->len, ==, 1);
  g_assert_cmpuint (flow_at (trace, 0)->ways[0].n_packets, ==, 3);
  g_assert_cmpuint (flow_at (trace, 0)->n_truncated, ==, 1);
}

/* A fragmented segment arrives before its predecessor; its data waits for the predecessor. */
static void
test_a_segment_in_pieces_waits_for_its_turn (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_frame (story,
                10,
                FALSE,
                ETHERNET "4500002800014000400600000a0000050a000009c0010050000000640000"
                         "00005002200000000000");
  report_frame (story,
                11,
                FALSE,
                ETHERNET "4500003400022000400600000a0000050a000009c0010050000000690000"
                         "000050182000000000002f6c61746520485454502f31");
  report_frame (story,
                12,
                FALSE,
                ETHERNET "4500003100020004400600000a0000050a0000092e310d0a486f73743a20"
                         "7777772e6578616d706c652e6f72670d0a0d0a");
  report_frame (story,
                13,
                FALSE,
                ETHERNET "4500002c00034000400600000a0000050a000009c0010050000000650000"
                         "0000501820000000000047455420");
  trace = story_open (story, 500);

  g_assert_cmpuint (trace->flows->len, ==, 1);
  g_assert_cmpuint (flow_at (trace, 0)->ways[0].n_packets, ==, 4);
  g_assert_cmpuint (flow_at (trace, 0)->ways[0].payload_bytes, ==, 45);
  story_assert_text (trace, story_activity (trace, 0)->url, "http://www.example.org/late");
}

/* If the network duplicates a fragment, the datagram size still counts once and no data is
 * missing. */
static void
test_a_piece_that_comes_again_counts_once (void)
{
  static const char *const pieces[] = {
    ETHERNET "450000241234200040110000" ENDS "9c409c4100180000"
             "2e2e2e2e2e2e2e2e",
    ETHERNET "4500001c1234000240110000" ENDS "2e2e2e2e2e2e2e2e",
    ETHERNET "450000241234200040110000" ENDS "9c409c4100180000"
             "2e2e2e2e2e2e2e2e",
    ETHERNET "4500001c1234000240110000" ENDS "2e2e2e2e2e2e2e2f",
  };
  guint n;

  for (n = 3; n <= 4; n++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;
      guint i;

      for (i = 0; i < n; i++)
        report_frame (story, 10 + 2 * i, FALSE, pieces[i]);
      trace = story_open (story, 500);

      g_assert_cmpuint (trace->flows->len, ==, 1);
      g_assert_cmpuint (flow_at (trace, 0)->ways[0].n_packets, ==, n);
      /* A complete duplicate counts as another datagram, as in TShark. */
      g_assert_cmpuint (flow_at (trace, 0)->ways[0].payload_bytes, ==, n == 3 ? 16 : 32);
      g_assert_cmpuint (flow_at (trace, 0)->n_truncated, ==, 0);
    }
}

/* Each datagram starts before the previous one is complete, for any number of datagrams. */
static void
test_many_datagrams_in_pieces_are_all_whole (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const guint n = 5000;
  guint i;

  for (i = 0; i <= n; i++)
    {
      g_autofree char *first = g_strdup_printf (ETHERNET "45000024%04x200040110000" ENDS
                                                         "9c409c41001800002e2e2e2e2e2e2e2e",
                                                i);
      g_autofree char *last =
          g_strdup_printf (ETHERNET "4500001c%04x000240110000" ENDS "2e2e2e2e2e2e2e2e", i - 1);

      if (i < n)
        report_frame (story, 10 + i, FALSE, first);
      if (i > 0)
        report_frame (story, 10.1 + i, FALSE, last);
    }
  trace = story_open (story, 6000);

  g_assert_cmpuint (trace->flows->len, ==, 1);
  g_assert_cmpuint (flow_at (trace, 0)->ways[0].n_packets, ==, 2 * n);
  g_assert_cmpuint (flow_at (trace, 0)->ways[0].payload_bytes, ==, 16 * n);
  g_assert_cmpuint (flow_at (trace, 0)->n_truncated, ==, 0);
}

/* A segment with a truncated header is not analyzed; later segments are compared with it. */
static void
test_a_cut_header_tells_nothing_of_itself (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  /* The window scale option of the client is truncated. */
  report_frame (story,
                10,
                FALSE,
                ETHERNET "450000301234000040060000" ENDS "c351232800000064"
                         "000000007002faf000000000020405b4");
  report_frame (story,
                12,
                TRUE,
                ETHERNET "450000301234000040060000" BACK "2328c35100000384"
                         "000000657012faf000000000" OPTIONS);
  report_frame (story,
                13,
                FALSE,
                ETHERNET "450000311234000040060000" ENDS "c351232800000065"
                         "00000385501000000000");
  report_frame (story,
                14,
                FALSE,
                ETHERNET "450000311234000040060000" ENDS "c351232800000065"
                         "0000038550100000000000002e2e2e2e2e2e2e2e2e");
  trace = story_open (story, 500);

  g_assert_cmpuint (marks_of (trace, 0) | marks_of (trace, 1) | marks_of (trace, 2), ==, 0);
  g_assert_cmpuint (marks_of (trace, 3),
                    ==,
                    1u << NS_FLOW_RETRANSMISSION | 1u << NS_FLOW_ZERO_WINDOW);
  g_assert_cmpuint (flow_at (trace, 0)->ways[0].payload_bytes, ==, 9);
  g_assert_cmpint (flow_at (trace, 0)->offers[0].mss, ==, 1460);
  g_assert_cmpint (flow_at (trace, 0)->offers[0].window_scale, ==, NS_UNKNOWN);
  g_assert_cmpint (flow_at (trace, 0)->offers[1].window_scale, ==, 8);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow-pieces/pieces-are-one-datagram", test_pieces_are_one_datagram);
  g_test_add_func ("/flow-pieces/a-packet-with-a-gap-is-not-whole",
                   test_a_packet_with_a_gap_is_not_whole);
  g_test_add_func ("/flow-pieces/a-segment-in-pieces-waits",
                   test_a_segment_in_pieces_waits_for_its_turn);
  g_test_add_func ("/flow-pieces/a-piece-that-comes-again-counts-once",
                   test_a_piece_that_comes_again_counts_once);
  g_test_add_func ("/flow-pieces/many-datagrams-in-pieces-are-all-whole",
                   test_many_datagrams_in_pieces_are_all_whole);
  g_test_add_func ("/flow-pieces/a-cut-header-tells-nothing-of-itself",
                   test_a_cut_header_tells_nothing_of_itself);
  return g_test_run ();
}

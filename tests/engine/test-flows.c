/* Tests conversations in captured packets.
 *
 * The expected TCP analysis is that of TShark 4.0.17 on a capture of the same segments (tshark -T
 * fields -e tcp.analysis.…).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "engine/net/packets/ns-packet-info.h"
#include "engine/net/packets/ns-packet-row.h"
#include "story.h"

#include <string.h>

#define WHOLE G_GUINT64_CONSTANT (0xc0000000)
#define SEND G_GUINT64_CONSTANT (0x100000000)
#define RECEIVE G_GUINT64_CONSTANT (0x200000000)
#define TCB P (0xffffaa0000001000)

/* Maximum segment size 1460, window scale 8 with padding. */
#define OPTIONS "020405b403030800"

static void
report_frame (Story *story, double ms, gboolean is_in, const char *hex)
{
  story->keyword = WHOLE | (is_in ? RECEIVE : SEND);
  story_write (story, ms, STORY_NDIS, 1001, "ddX", 7, 7, hex);
  story->keyword = 0;
}

static guint
flags_of (const char *letters)
{
  static const char names[] = "FSRPA";
  guint flags = 0;
  guint i;

  for (i = 0; i < 5; i++)
    flags |= strchr (letters, names[i]) != NULL ? 1u << i : 0;
  return flags;
}

/* Writes segments between 10.0.0.5:50001 and 1.2.3.4:9000, one per line: milliseconds, `>` sent or
 * `<` received, flags (N: a SYN without options), sequence number, acknowledgment, window, data
 * bytes. */
static void
report_segments (Story *story, const char *lines)
{
  static const char *const ends[] = { "0a00000501020304c3512328", "010203040a0000052328c351" };
  g_auto (GStrv) each = g_strsplit (lines, "\n", -1);
  guint i;

  for (i = 0; each[i] != NULL && each[i][0] != '\0'; i++)
    {
      g_autoptr (GString) hex = g_string_new ("0001020304050607080908090800");
      g_auto (GStrv) words = g_strsplit (each[i], " ", 7);
      guint flags = flags_of (words[2]);
      gboolean is_in = words[1][0] == '<';
      guint n_options = (flags & 2) != 0 && strchr (words[2], 'N') == NULL ? 8 : 0;
      guint size = (guint) atoi (words[6]);
      guint j;

      g_string_append_printf (hex,
                              "4500%04x1234000040060000%s",
                              40 + n_options + size,
                              ends[is_in]);
      g_string_append_printf (hex,
                              "%08x%08x%02x%02x%04x00000000%s",
                              (guint) g_ascii_strtoull (words[3], NULL, 10),
                              (guint) g_ascii_strtoull (words[4], NULL, 10),
                              (20 + n_options) * 4,
                              flags,
                              (guint) atoi (words[5]),
                              n_options > 0 ? OPTIONS : "");
      for (j = 0; j < size; j++)
        g_string_append (hex, "2e");
      report_frame (story, g_ascii_strtod (words[0], NULL), is_in, hex->str);
    }
}

static const NsFlowRow *
flow_at (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->flows->len, >, n);
  return &g_array_index (trace->flows, NsFlowRow, n);
}

/* Asserts the analysis of the packets, one line per packet. */
static void
assert_analysis (const NsTrace *trace, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;
  guint j;

  for (i = 0; i < trace->packets->len; i++)
    {
      guint marks = g_array_index (trace->packets, NsPacketRow, i).analysis;

      for (j = 0; j < NS_FLOW_N_MARKS; j++)
        if ((marks >> j & 1) != 0)
          g_string_append_printf (text, "%u %s\n", i + 1, ns_flow_mark_to_text (j));
    }
  g_assert_cmpstr (text->str, ==, expected);
}

#define HANDSHAKE                                                                                  \
  "10 > S 1000 0 64240 0\n"                                                                        \
  "30 < SA 5000 1001 65535 0\n"                                                                    \
  "30.02 > A 1001 5001 1024 0\n"

static NsTrace *
open_segments (const char *lines, double end_ms)
{
  g_autoptr (Story) story = story_new ();

  report_segments (story, lines);
  return story_open (story, end_ms);
}

static void
test_a_connection_has_a_life (void)
{
  g_autoptr (NsTrace) trace = open_segments (HANDSHAKE "40 > PA 1001 5001 1024 300\n"
                                                       "60 < PA 5001 1301 1024 1460\n"
                                                       "60.1 > A 1301 6461 1024 0\n"
                                                       "70 > FA 1301 6461 1024 0\n"
                                                       "90 < FA 6461 1302 1024 0\n"
                                                       "90.02 > A 1302 6462 1024 0\n",
                                             500);
  const NsFlowRow *flow = flow_at (trace, 0);
  const NsActivityRow *row = story_activity (trace, 0);

  g_assert_cmpuint (trace->flows->len, ==, 1);
  assert_analysis (trace, "");
  g_assert_cmpint (flow->start, ==, NS_FLOW_START_SYN);
  g_assert_cmpint (flow->end, ==, NS_FLOW_END_FIN);
  g_assert_cmpint (flow->local, ==, NS_FLOW_LOCAL_CLIENT);
  g_assert_cmpint (flow->close_ns - flow->open_ns, ==, 80020 * 1000);
  g_assert_cmpint (flow->syn_rtt_ns, ==, 20 * 1000 * 1000);
  g_assert_cmpint (flow->handshake_ns, ==, 20020 * 1000);
  g_assert_cmpint (flow->offers[0].mss, ==, 1460);
  g_assert_cmpint (flow->offers[1].window_scale, ==, 8);
  g_assert_cmpuint (flow->ways[0].payload_bytes, ==, 300);
  g_assert_cmpuint (flow->ways[1].payload_bytes, ==, 1460);
  g_assert_cmpuint (ns_flow_get_more (flow)->ways[0].missing_bytes, ==, 0);
  g_assert_null (flow->more);

  g_assert_cmpuint (trace->activities->len, ==, 1);
  story_assert_remote (row, "1.2.3.4:9000");
  g_assert_cmpuint (row->pid, ==, NS_PID_UNKNOWN);
  g_assert_cmpuint (row->sent, ==, 300);
  g_assert_cmpuint (row->received, ==, 1460);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_CONNECT), ==, 20 * 1000 * 1000);
  g_assert_false (row->failed);
  story_assert_invariants (trace);
}

static void
test_analysis_is_that_of_wireshark (void)
{
  /* Results of TShark 4.0.17 for the segments that follow a handshake. */
  /* clang-format off */
  static const struct
  {
    const char *segments;
    const char *marks;
  } cases[] = {
    /* three duplicate ACKs request the missing segment */
    { "40 < PA 5001 1001 1024 1000\n" "41 < PA 7001 1001 1024 1000\n" "41.1 > A 1001 6001 1024 0\n" "42 < PA 8001 1001 1024 1000\n" "42.1 > A 1001 6001 1024 0\n" "43 < PA 9001 1001 1024 1000\n" "43.1 > A 1001 6001 1024 0\n" "50 < PA 6001 1001 1024 1000\n",
      "5 lost_segment\n8 duplicate_ack\n10 duplicate_ack\n11 retransmission\n11 fast_retransmission\n" },
    /* an out-of-order segment */
    { "40 < PA 6001 1001 1024 1000\n" "41 < PA 5001 1001 1024 1000\n",
      "4 lost_segment\n5 out_of_order\n" },
    /* a retransmission after a timeout, and a spurious retransmission */
    { "40 > PA 1001 5001 1024 500\n" "340 > PA 1001 5001 1024 500\n" "360 < A 5001 1501 1024 0\n" "700 > PA 1001 5001 1024 500\n" "701 < A 5001 1501 1024 0\n",
      "5 retransmission\n7 retransmission\n7 spurious_retransmission\n8 duplicate_ack\n" },
    /* a zero-window probe */
    { "40 > PA 1001 5001 1024 500\n" "41 < A 5001 1501 0 0\n" "500 > A 1501 5001 1024 1\n" "501 < A 5001 1501 0 0\n" "900 < A 5001 1501 1024 0\n" "901 > PA 1501 5001 1024 100\n",
      "5 zero_window\n6 zero_window_probe\n7 zero_window\n7 zero_window_probe_ack\n8 window_update\n" },
    /* the byte of the zero-window probe is accepted */
    { "40 > PA 1001 5001 1024 500\n" "41 < A 5001 1501 0 0\n" "500 > A 1501 5001 1024 1\n" "501 < A 5001 1502 1024 0\n" "502 > PA 1502 5001 1024 100\n",
      "5 zero_window\n6 zero_window_probe\n7 ack_lost_segment\n8 lost_segment\n" },
    /* keep-alives */
    { "40 > PA 1001 5001 1024 500\n" "60 < A 5001 1501 1024 0\n" "5000 > A 1500 5001 1024 0\n" "5020 < A 5001 1501 1024 0\n" "9000 > A 1500 5001 1024 1\n" "9020 < A 5001 1501 1024 0\n",
      "6 keep_alive\n7 keep_alive_ack\n8 keep_alive\n9 keep_alive_ack\n" },
    /* a full window */
    { "40 < A 5001 1001 4 0\n" "41 > PA 1001 5001 1024 1024\n" "42 < A 5001 2025 8 0\n",
      "4 window_update\n5 window_full\n" },
    /* an acknowledgment of a segment that was not captured */
    { "40 < A 5001 3001 1024 0\n" "41 > PA 3001 5001 1024 10\n",
      "4 ack_lost_segment\n5 lost_segment\n" },
    /* a retransmitted FIN */
    { "40 > FA 1001 5001 1024 0\n" "340 > FA 1001 5001 1024 0\n",
      "5 retransmission\n" },
    /* a window update */
    { "40 > PA 1001 5001 1024 500\n" "60 < A 5001 1501 1000 0\n" "61 < A 5001 1501 1024 0\n",
      "6 window_update\n" },
  };
  /* clang-format on */
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *lines = g_strconcat (HANDSHAKE, cases[i].segments, NULL);
      g_autoptr (NsTrace) trace = open_segments (lines, 30000);

      assert_analysis (trace, cases[i].marks);
    }
}

/* Windows are not scaled unless both sides offer it; a retransmitted SYN may omit the option that
 * was offered before (flagged by TShark 4.0.17). */
static void
test_windows_are_scaled_as_agreed (void)
{
  g_autoptr (NsTrace) alone = open_segments ("10 > SN 1000 0 64240 0\n"
                                             "50 < A 5001 1001 500 0\n"
                                             "60 > PA 1001 5001 1024 500\n",
                                             100);
  g_autoptr (NsTrace) again = open_segments ("10 > S 1000 0 64240 0\n"
                                             "30 < SA 5000 1001 65535 0\n"
                                             "31 < SAN 5000 1001 65535 0\n"
                                             "31.02 > A 1001 5001 1024 0\n"
                                             "40 < A 5001 1001 500 0\n"
                                             "50 > PA 1001 5001 1024 500\n",
                                             100);

  assert_analysis (alone, "3 window_full\n");
  assert_analysis (again, "3 retransmission\n5 window_update\n");
}

/* _ws.col.Info of these segments as printed by TShark 4.0.17. */
static void
test_info_counts_from_the_beginning (void)
{
  static const char *const infos[] = {
    "50001 \342\206\222 9000 [SYN] Seq=0 Win=64240 Len=0 MSS=1460 WS=256",
    "9000 \342\206\222 50001 [SYN, ACK] Seq=0 Ack=1 Win=65535 Len=0 MSS=1460 WS=256",
    "50001 \342\206\222 9000 [ACK] Seq=1 Ack=1 Win=262144 Len=0",
    "50001 \342\206\222 9000 [PSH, ACK] Seq=1 Ack=1 Win=262144 Len=300",
    "9000 \342\206\222 50001 [ACK] Seq=1 Ack=301 Win=2560 Len=0",
  };
  g_autoptr (NsTrace) trace = open_segments (HANDSHAKE "40 > PA 1001 5001 1024 300\n"
                                                       "60 < A 5001 1301 10 0\n",
                                             500);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (infos); i++)
    {
      g_autofree char *info =
          ns_packet_info_dup (trace, &g_array_index (trace->packets, NsPacketRow, i));

      g_assert_cmpstr (info, ==, infos[i]);
    }
}

static void
test_bytes_count_once (void)
{
  /* The first 1000 bytes are retransmitted with 500 more; after that 1000 bytes are missing. */
  g_autoptr (NsTrace) trace = open_segments (HANDSHAKE "40 > PA 1001 5001 1024 1000\n"
                                                       "300 > PA 1001 5001 1024 1500\n"
                                                       "310 > PA 3501 5001 1024 200\n",
                                             500);
  const NsFlowWay *way = &flow_at (trace, 0)->ways[0];

  g_assert_cmpuint (way->payload_bytes, ==, 1700);
  g_assert_cmpuint (ns_flow_get_more (flow_at (trace, 0))->ways[0].again_bytes, ==, 1000);
  g_assert_cmpuint (ns_flow_get_more (flow_at (trace, 0))->ways[0].missing_bytes, ==, 1000);
}

/* The byte of a zero-window probe is data: accepted, accepted when retransmitted, or
 * unacknowledged. */
static void
test_the_byte_of_a_probe_is_data (void)
{
  static const struct
  {
    const char *segments;
    guint payload;
  } cases[] = {
    { "501 < A 5001 1502 1024 0\n502 > PA 1502 5001 1024 100\n", 601 },
    { "501 < A 5001 1501 0 0\n700 > A 1501 5001 1024 1\n701 < A 5001 1501 1024 0\n"
      "702 > PA 1501 5001 1024 100\n",
      600 },
    { "501 < A 5001 1501 0 0\n", 501 },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *lines =
          g_strconcat (HANDSHAKE "40 > PA 1001 5001 1024 500\n"
                                 "41 < A 5001 1501 0 0\n500 > A 1501 5001 1024 1\n",
                       cases[i].segments,
                       NULL);
      g_autoptr (NsTrace) trace = open_segments (lines, 900);
      const NsFlowAnomaly *more = ns_flow_get_more (flow_at (trace, 0))->ways;

      g_assert_cmpuint (flow_at (trace, 0)->ways[0].payload_bytes, ==, cases[i].payload);
      g_assert_cmpuint (more->again_bytes, ==, 0);
      g_assert_cmpuint (more->missing_bytes, ==, 0);
    }
}

static void
test_numbers_go_on_behind_the_last (void)
{
  g_autoptr (NsTrace) trace = open_segments ("10 > S 4294966295 0 64240 0\n"
                                             "20 < SA 5000 4294966296 65535 0\n"
                                             "20.1 > A 4294966296 5001 1024 0\n"
                                             "21 > PA 4294966296 5001 1024 900\n"
                                             "22 > PA 4294967196 5001 1024 900\n"
                                             "23 > PA 800 5001 1024 100\n"
                                             "24 < A 5001 900 1024 0\n",
                                             500);

  assert_analysis (trace, "");
  g_assert_cmpuint (flow_at (trace, 0)->ways[0].payload_bytes, ==, 1900);
  g_assert_cmpuint (ns_flow_get_more (flow_at (trace, 0))->ways[0].missing_bytes, ==, 0);
}

static void
test_a_syn_begins_anew (void)
{
  g_autoptr (NsTrace) trace = open_segments ("10 > S 1000 0 64240 0\n"
                                             "1010 > S 1000 0 64240 0\n"
                                             "1030 < SA 5000 1001 65535 0\n"
                                             "1030.1 > A 1001 5001 1024 0\n"
                                             "2000 > S 9000 0 64240 0\n"
                                             "2020 < RA 0 9001 0 0\n",
                                             9000);

  g_assert_cmpuint (trace->flows->len, ==, 2);
  g_assert_cmpint (flow_at (trace, 0)->end, ==, NS_FLOW_END_REPLACED);
  g_assert_cmpuint (ns_flow_get_more (flow_at (trace, 0))->n_syn_retries, ==, 1);
  g_assert_cmpint (flow_at (trace, 0)->syn_rtt_ns, ==, 20 * 1000 * 1000);
  g_assert_cmpint (ns_activity_row_get_phase (story_activity (trace, 0), NS_PHASE_CONNECT),
                   ==,
                   1020 * 1000 * 1000);
  g_assert_cmpint (flow_at (trace, 1)->end, ==, NS_FLOW_END_REFUSED);
  g_assert_cmpint (flow_at (trace, 1)->handshake_ns, ==, NS_UNKNOWN);
  g_assert_cmpuint (story_activity (trace, 1)->error, ==, 10061);
}

/* In a simultaneous open the SYN of the other side is no retransmission. */
static void
test_both_sides_may_open_at_once (void)
{
  g_autoptr (NsTrace) trace = open_segments ("10 > S 1000 0 64240 0\n"
                                             "11 < S 5000 0 65535 0\n"
                                             "12 > SA 1000 5001 64240 0\n"
                                             "13 < SA 5000 1001 65535 0\n",
                                             500);

  g_assert_cmpuint (trace->flows->len, ==, 1);
  g_assert_cmpuint (ns_flow_get_more (flow_at (trace, 0))->n_syn_retries, ==, 0);
  g_assert_cmpuint (flow_at (trace, 0)->client.port, ==, 50001);
}

static void
test_silence_is_no_answer_after_a_while (void)
{
  g_autoptr (NsTrace) late = open_segments ("10 > S 1000 0 64240 0\n", 5000);
  g_autoptr (NsTrace) soon = open_segments ("10 > S 1000 0 64240 0\n", 2000);

  g_assert_cmpint (flow_at (late, 0)->end, ==, NS_FLOW_END_NO_ANSWER);
  g_assert_cmpuint (story_activity (late, 0)->error, ==, 10060);
  g_assert_cmpint (flow_at (soon, 0)->end, ==, NS_FLOW_END_NONE);
  g_assert_false (story_activity (soon, 0)->failed);
}

static void
test_events_and_packets_are_one_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsPacketRow *packet;

  story_tcp_connect (story, 9, TCB, "10.0.0.5:50001", "1.2.3.4:9000");
  report_segments (story,
                   HANDSHAKE "40 > PA 1001 5001 1024 100\n"
                             "400 > PA 1001 5001 1024 100\n");
  trace = story_open (story, 500);

  g_assert_cmpuint (trace->activities->len, ==, 1);
  g_assert_cmpuint (story_activity (trace, 0)->flow, ==, 1);
  g_assert_cmpint (story_activity (trace, 0)->source_table, ==, NS_TABLE_TCP);
  g_assert_cmpuint (flow_at (trace, 0)->tcp, ==, 1);
  g_assert_cmpuint (flow_at (trace, 0)->activity, ==, 1);
  g_assert_cmpint (flow_at (trace, 0)->confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpuint (ns_flow_get_more (flow_at (trace, 0))->ways[0].n_data_again, ==, 1);
  packet = &g_array_index (trace->packets, NsPacketRow, 3);
  g_assert_cmpuint (ns_packet_row_get_activity (trace, packet), ==, 1);
  g_assert_cmpuint (ns_packet_row_get_pid (trace, packet), ==, flow_at (trace, 0)->pid);
}

/* A TCPIP send event has a sequence number of this stream, or of another one. */
static void
test_sequence_numbers_make_it_certain (void)
{
  static const struct
  {
    guint sequence;
    NsConfidence confidence;
  } cases[] = {
    { 1001, NS_CONFIDENCE_CERTAIN },
    { 1101, NS_CONFIDENCE_CERTAIN },
    { 1102, NS_CONFIDENCE_LIKELY },
    { 999, NS_CONFIDENCE_LIKELY },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;

      story_tcp_connect (story, 9, TCB, "10.0.0.5:50001", "1.2.3.4:9000");
      report_segments (story, HANDSHAKE "40 > PA 1001 5001 1024 100\n");
      /* Tcb, Cwnd, SndWnd, bytes, SeqNo */
      story_write (story,
                   41,
                   STORY_TCPIP,
                   1332,
                   "pdddd",
                   TCB,
                   14600,
                   65535,
                   100,
                   cases[i].sequence);
      trace = story_open (story, 500);

      g_assert_cmpuint (flow_at (trace, 0)->tcp, ==, 1);
      g_assert_cmpint (flow_at (trace, 0)->confidence, ==, cases[i].confidence);
    }
}

#define ETHERNET "0001020304050607080908090800"
#define UDP_514 "0a0000050a000009c351020200100000"

/* An ICMP port unreachable error quotes the datagram that caused it. */
static void
test_an_icmp_error_is_about_a_conversation (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsFlowRow *flow;

  report_frame (story, 10, FALSE, ETHERNET "450000241234000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
  report_frame (story,
                11,
                TRUE,
                ETHERNET "4500003812340000400100000a0000090a000005"
                         "0303000000000000"
                         "450000241234000040110000" UDP_514);
  trace = story_open (story, 500);
  flow = flow_at (trace, 0);

  g_assert_cmpuint (trace->flows->len, ==, 1);
  g_assert_cmpuint (ns_flow_get_more (flow)->n_icmp_errors, ==, 1);
  g_assert_cmpuint (flow->ways[0].n_packets + flow->ways[1].n_packets, ==, 1);
  g_assert_cmpuint (flow->ways[0].payload_bytes, ==, 8);
  story_assert_text (trace, ns_flow_get_more (flow)->icmp_error, "port unreachable");
  g_assert_cmpuint (story_activity (trace, 0)->error, ==, 10065);
  g_assert_cmpuint (g_array_index (trace->packets, NsPacketRow, 1).flow, ==, 1);
}

#define ARP                                                                                        \
  "0001020304050607080908090806"                                                                   \
  "00010800060400"

static void
test_neighbors_are_asked_and_answer (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_frame (story,
                10,
                FALSE,
                ARP "01"
                    "0607080908090a000005"
                    "0000000000000a000009");
  report_frame (story,
                11,
                TRUE,
                ARP "02"
                    "0001020304050a000009"
                    "0607080908090a000005");
  report_frame (story,
                20,
                FALSE,
                ARP "01"
                    "0607080908090a000005"
                    "0000000000000a000005");
  trace = story_open (story, 500);

  g_assert_cmpuint (trace->flows->len, ==, 2);
  g_assert_cmpint (flow_at (trace, 0)->kind, ==, NS_FLOW_ARP);
  g_assert_cmpint (flow_at (trace, 0)->end, ==, NS_FLOW_END_ANSWERED);
  g_assert_cmpint (flow_at (trace, 1)->kind, ==, NS_FLOW_OTHER);
  g_assert_cmpuint (trace->activities->len, ==, 0);
}

/* A DHCP client and an ARP probe have no address yet. */
static void
test_who_has_no_address_yet_speaks_too (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_frame (story,
                10,
                FALSE,
                ETHERNET "4500002012340000401100000000"
                         "0000ffffffff"
                         "00440043000c00002e2e2e2e");
  report_frame (story,
                900,
                FALSE,
                ETHERNET "4500002012350000401100000000"
                         "0000ffffffff"
                         "00440043000c00002e2e2e2e");
  report_frame (story,
                2000,
                FALSE,
                "ffffffffffff0607080908070806"
                "0001080006040001060708090807"
                "00000000"
                "000000000000"
                "0a000005");
  trace = story_open (story, 3000);

  g_assert_cmpuint (trace->flows->len, ==, 2);
  g_assert_cmpint (flow_at (trace, 0)->kind, ==, NS_FLOW_UDP);
  g_assert_cmpuint (flow_at (trace, 0)->ways[0].n_packets, ==, 2);
  g_assert_cmpuint (flow_at (trace, 0)->ways[0].payload_bytes, ==, 8);
  g_assert_cmpuint (flow_at (trace, 0)->client.port, ==, 68);
  g_assert_cmpint (flow_at (trace, 1)->kind, ==, NS_FLOW_OTHER);
}

/* Router solicitations and group membership reports are neither echo requests nor operations. */
static void
test_a_router_that_is_looked_for_is_no_echo (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_frame (story,
                10,
                FALSE,
                "33330000000206070809080786dd"
                "6000000000083aff"
                "fe800000000000000000000000000005"
                "ff020000000000000000000000000002"
                "8500000000000000");
  trace = story_open (story, 500);

  g_assert_cmpuint (trace->flows->len, ==, 1);
  g_assert_cmpint (flow_at (trace, 0)->kind, ==, NS_FLOW_OTHER);
  g_assert_cmpuint (flow_at (trace, 0)->ways[0].n_packets, ==, 1);
  g_assert_cmpuint (trace->activities->len, ==, 0);
}

#define TAGGED(id) "0001020304050607080908098100" id "0800"

/* Equal endpoints in two virtual networks are two flows. */
static void
test_a_virtual_network_is_part_of_the_key (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_frame (story,
                10,
                FALSE,
                TAGGED ("0007") "450000241234000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
  report_frame (story,
                11,
                FALSE,
                TAGGED ("6009") "450000241234000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
  trace = story_open (story, 500);

  g_assert_cmpuint (trace->flows->len, ==, 2);
  g_assert_cmpuint (flow_at (trace, 0)->vlan, ==, 7);
  g_assert_cmpuint (flow_at (trace, 1)->vlan, ==, 9);
}

#define IKE_OUT "0a000005cb71003211941194001000002e2e2e2e2e2e2e2e"
#define IKE_IN "cb7100320a00000511941194001000002e2e2e2e2e2e2e2e"

static void
report_inside (Story *story, double ms, gboolean is_in, const char *hex)
{
  story_write (story, ms, STORY_WAN, is_in ? 5002 : 5001, "wwX", "domain", "user", hex);
}

/* Equal endpoints inside and outside of a VPN are two flows. The outer flow is the one whose
 * packets match in time. */
static void
test_a_vpn_has_an_inside_and_an_outside (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint i;

  for (i = 0; i < 5; i++)
    {
      double ms = 10 + 100 * i;
      gboolean is_in = i % 2 == 1;

      report_inside (story,
                     ms,
                     is_in,
                     is_in ? ETHERNET "450000241234000040110000"
                                      "0a0000090a0000050202c35100100000"
                                      "2e2e2e2e2e2e2e2e"
                           : ETHERNET "450000241234000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
      /* One of five packets is too late: 80 % match. */
      report_frame (story,
                    ms + (i == 4 ? 30 : 4.9),
                    is_in,
                    is_in ? ETHERNET "450000241234000040110000" IKE_IN
                          : ETHERNET "450000241234000040110000" IKE_OUT);
    }
  /* The same outer endpoints, unrelated to the VPN. */
  report_frame (story, 700, FALSE, ETHERNET "450000241235000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
  trace = story_open (story, 1000);

  g_assert_cmpuint (trace->flows->len, ==, 3);
  g_assert_cmpint (flow_at (trace, 0)->tunnel, ==, NS_FLOW_TUNNEL_INNER);
  g_assert_cmpuint (ns_flow_get_more (flow_at (trace, 0))->outer, ==, 2);
  g_assert_cmpuint (flow_at (trace, 0)->ways[0].n_packets, ==, 3);
  g_assert_cmpint (flow_at (trace, 1)->tunnel, ==, NS_FLOW_TUNNEL_OUTER);
  g_assert_cmpint (flow_at (trace, 2)->tunnel, ==, NS_FLOW_TUNNEL_NONE);
  g_assert_cmpuint (trace->activities->len, ==, 3);
  story_assert_invariants (trace);
}

/* IKE packets that are not correlated in time carry no VPN. */
static void
test_a_vpn_without_its_outside_claims_none (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_inside (story, 10, FALSE, ETHERNET "450000241234000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
  report_frame (story, 12, TRUE, ETHERNET "450000241234000040110000" IKE_IN);
  report_frame (story, 16, FALSE, ETHERNET "450000241234000040110000" IKE_OUT);
  trace = story_open (story, 1000);

  g_assert_cmpint (flow_at (trace, 0)->tunnel, ==, NS_FLOW_TUNNEL_INNER);
  g_assert_cmpuint (ns_flow_get_more (flow_at (trace, 0))->outer, ==, 0);
  g_assert_cmpint (flow_at (trace, 1)->tunnel, ==, NS_FLOW_TUNNEL_NONE);
}

/* At a port of a virtual switch the packets of both sides are inbound. */
static void
test_what_only_comes_in_both_ways_is_nobodys (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_frame (story, 10, TRUE, ETHERNET "450000241234000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
  report_frame (story,
                11,
                TRUE,
                ETHERNET "450000241234000040110000"
                         "0a0000090a0000050202c35100100000"
                         "2e2e2e2e2e2e2e2e");
  trace = story_open (story, 500);

  g_assert_cmpuint (trace->flows->len, ==, 1);
  g_assert_cmpint (flow_at (trace, 0)->local, ==, NS_FLOW_LOCAL_UNKNOWN);
  story_assert_remote (story_activity (trace, 0), "10.0.0.9:514");
}

/* Some records lack the direction of the packet. It follows from the address of the adapter, which
 * PktMon or TCPIP events report. */
static void
test_known_addresses_tell_which_end_is_here (void)
{
  static const struct
  {
    const char *own;
    NsFlowLocal local;
  } cases[] = {
    { "0a000005", NS_FLOW_LOCAL_CLIENT },
    { "0a000009", NS_FLOW_LOCAL_SERVER },
    { "0a000007", NS_FLOW_LOCAL_UNKNOWN },
  };
  guint i;

  for (i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      const char *own = cases[i / 2].own;
      NsFlowLocal local = cases[i / 2].local;
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;

      story->keyword = WHOLE;
      story_write (story,
                   10,
                   STORY_NDIS,
                   1001,
                   "ddX",
                   7,
                   7,
                   ETHERNET "450000241234000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
      story->keyword = 0;
      story_write (story, 20, STORY_PKTMON, 20, "hhww", 10, 1, "tcpip.sys", "TCP/IPv4");
      if (i % 2 == 0)
        story_write (story, 20, STORY_PKTMON, 65, "hhx", 10, 13, own);
      else
        story_write (story, 20, STORY_TCPIP, 1202, "dqdxdd", 3, (guint64) 0, 2, own, 0, 0);
      trace = story_open (story, 500);

      g_assert_cmpuint (trace->flows->len, ==, 1);
      g_assert_cmpint (flow_at (trace, 0)->local, ==, local);
      g_assert_cmpint (story_activity (trace, 0)->accepted, ==, local == NS_FLOW_LOCAL_SERVER);
    }
}

static void
test_idle_datagrams_begin_anew (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_frame (story, 10, FALSE, ETHERNET "450000241234000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
  report_frame (story,
                119000,
                FALSE,
                ETHERNET "450000241234000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
  report_frame (story,
                240000,
                FALSE,
                ETHERNET "450000241234000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
  trace = story_open (story, 250000);

  g_assert_cmpuint (trace->flows->len, ==, 2);
  g_assert_cmpint (flow_at (trace, 0)->end, ==, NS_FLOW_END_IDLE);
  g_assert_cmpint (flow_at (trace, 0)->close_ns - flow_at (trace, 0)->open_ns,
                   ==,
                   118990 * G_GINT64_CONSTANT (1000000));
  g_assert_cmpint (flow_at (trace, 1)->close_ns, ==, NS_TIME_OPEN);
}

/* TCPIP reports that the socket was open all the time, so an idle period does not end the flow. */
static void
test_a_record_that_lives_on_prevents_the_end (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint i;

  for (i = 0; i < 2; i++)
    {
      story_write (story,
                   i == 0 ? 10 : 240000,
                   STORY_TCPIP,
                   1169,
                   "pddSSd",
                   (guint64) 0xffffaa0000005000,
                   1,
                   8,
                   "10.0.0.5:50001",
                   "10.0.0.9:514",
                   100);
      report_frame (story,
                    i == 0 ? 10.1 : 240000.1,
                    FALSE,
                    ETHERNET "450000241234000040110000" UDP_514 "2e2e2e2e2e2e2e2e");
    }
  trace = story_open (story, 250000);

  g_assert_cmpuint (trace->tcp->len, ==, 1);
  g_assert_cmpuint (trace->flows->len, ==, 1);
  g_assert_cmpuint (flow_at (trace, 0)->tcp, ==, 1);
  g_assert_cmpint (flow_at (trace, 0)->close_ns, ==, NS_TIME_OPEN);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flows/a-connection-has-a-life", test_a_connection_has_a_life);
  g_test_add_func ("/flows/analysis-is-that-of-wireshark", test_analysis_is_that_of_wireshark);
  g_test_add_func ("/flows/windows-are-scaled-as-agreed", test_windows_are_scaled_as_agreed);
  g_test_add_func ("/flows/info-counts-from-the-beginning", test_info_counts_from_the_beginning);
  g_test_add_func ("/flows/bytes-count-once", test_bytes_count_once);
  g_test_add_func ("/flows/the-byte-of-a-probe-is-data", test_the_byte_of_a_probe_is_data);
  g_test_add_func ("/flows/numbers-go-on-behind-the-last", test_numbers_go_on_behind_the_last);
  g_test_add_func ("/flows/a-syn-begins-anew", test_a_syn_begins_anew);
  g_test_add_func ("/flows/both-sides-may-open-at-once", test_both_sides_may_open_at_once);
  g_test_add_func ("/flows/a-router-that-is-looked-for-is-no-echo",
                   test_a_router_that_is_looked_for_is_no_echo);
  g_test_add_func ("/flows/who-has-no-address-yet-speaks-too",
                   test_who_has_no_address_yet_speaks_too);
  g_test_add_func ("/flows/silence-is-no-answer-after-a-while",
                   test_silence_is_no_answer_after_a_while);
  g_test_add_func ("/flows/events-and-packets-are-one-row", test_events_and_packets_are_one_row);
  g_test_add_func ("/flows/sequence-numbers-make-it-certain",
                   test_sequence_numbers_make_it_certain);
  g_test_add_func ("/flows/an-icmp-error-is-about-a-conversation",
                   test_an_icmp_error_is_about_a_conversation);
  g_test_add_func ("/flows/neighbors-are-asked-and-answer", test_neighbors_are_asked_and_answer);
  g_test_add_func ("/flows/a-virtual-network-is-part-of-the-key",
                   test_a_virtual_network_is_part_of_the_key);
  g_test_add_func ("/flows/a-vpn-has-an-inside-and-an-outside",
                   test_a_vpn_has_an_inside_and_an_outside);
  g_test_add_func ("/flows/a-vpn-without-its-outside-claims-none",
                   test_a_vpn_without_its_outside_claims_none);
  g_test_add_func ("/flows/what-only-comes-in-both-ways-is-nobodys",
                   test_what_only_comes_in_both_ways_is_nobodys);
  g_test_add_func ("/flows/known-addresses-tell-which-end-is-here",
                   test_known_addresses_tell_which_end_is_here);
  g_test_add_func ("/flows/idle-datagrams-begin-anew", test_idle_datagrams_begin_anew);
  g_test_add_func ("/flows/a-record-that-lives-on-prevents-the-end",
                   test_a_record_that_lives_on_prevents_the_end);
  return g_test_run ();
}

/* Tests scenarios with special needs: images in stacks, unusual address families, old event
 * versions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#define PROCESS P (0xbb0000)
#define E1 P (0xffffcc0000000100)
#define E2 P (0xffffcc0000000200)
#define WLDAP_BASE G_GUINT64_CONSTANT (0x7ffb00000000)

/* Writes the LDAP library as an image of the process. */
static void
report_ldap_library (Story *story)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup record = { .raw = ns_etl_writer_get_base_raw (story->writer),
                              .kind = NS_RECORD_PERFINFO64,
                              .group = 0x14,
                              .opcode = 3,
                              .version = 3,
                              .payload = payload };

  ns_etl_bytes_u64 (payload, WLDAP_BASE);
  ns_etl_bytes_u64 (payload, 0x100000);
  ns_etl_bytes_u32 (payload, story->pid);
  ns_etl_bytes_zero (payload, 36);
  ns_etl_bytes_wstr (payload, "\\Windows\\System32\\Wldap32.dll");
  g_assert_true (ns_etl_writer_add_group (story->writer, &record));
}

/* Writes event 1000 with a stack through the library, then @connect, which is 1018 or 1021. */
static void
report_ldap_socket (Story *story, double ms, guint64 endpoint, guint connect)
{
  story->stack[0] = 0x7ff600001010;
  story->stack[1] = WLDAP_BASE + 0x2345;
  story->stack[2] = 0x7ff600002020;
  story_write (story,
               ms,
               STORY_AFD,
               1000,
               "ddppdddpd",
               0,
               1002,
               PROCESS + story->pid,
               endpoint,
               2,
               1,
               6,
               P (story->pid),
               0);
  story_write (story,
               ms + 1,
               STORY_AFD,
               connect,
               "ddpppddA",
               0,
               5031,
               PROCESS + story->pid,
               endpoint,
               P (0),
               0,
               0,
               "10.0.0.1:50444");
}

static void
test_the_library_that_made_a_socket_tells_ldap (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_ldap_library (story);
  report_ldap_socket (story, 1, E1, 1018);
  report_ldap_socket (story, 10, E2, 1021);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  story_assert_text (trace, story_activity (trace, 0)->method, "LDAP");
  story_assert_text (trace, story_activity (trace, 1)->method, "TCP");
}

/* A Hyper-V socket address is a GUID. */
static void
test_a_socket_to_a_virtual_machine_is_a_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;

  story_write (story,
               1,
               STORY_AFD,
               1000,
               "ddppdddpd",
               0,
               1002,
               PROCESS + story->pid,
               E1,
               34,
               1,
               1,
               P (story->pid),
               0);
  story_write (story,
               2,
               STORY_AFD,
               1018,
               "ddpppddX",
               0,
               5031,
               PROCESS + story->pid,
               E1,
               P (0),
               0,
               0,
               "22000000"
               "33221100554477668899aabbccddeeff"
               "00000000000000000000000000000001");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->remote->port, ==, 34);
  story_assert_remote (row, "[11:2233:4455:6677:8899:aabb:ccdd:eeff]:34");
  story_assert_text (trace, row->method, "HyperV");
  g_assert_cmpuint (g_array_index (trace->winsock, NsWinsockRow, 0).family, ==, 34);
}

static void
report_answer (Story *story, double ms, const char *name, const char *results)
{
  story_write (story, ms, STORY_DNS, 3008, "wdqdw", name, 1, P (0), 0, results);
}

/* The host in the URL names the server, whatever other names have the address. */
static void
test_the_url_decides_between_two_names (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;

  report_answer (story, 1, "b.com", "5.6.7.8;");
  report_answer (story, 2, "a.com", "5.6.7.8;");
  story_request (story, 10, P (0x1b0001000), 1, P (0x1a0001000), "https://b.com/");
  story_wait (story, 11, P (0x1b0001000), 1, P (0x1c0000100));
  story_connect (story, 12, 1, P (0x1c0000100), P (0x610), "5.6.7.8:443");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  story_assert_text (trace, row->server, "b.com");
  story_assert_text (trace, row->server_alt, "a.com");
}

static void
report_cache_hit (Story *story)
{
  report_answer (story, 1, "a.com", "1.2.3.4;");
  story->activity = P (0x00cc000c00000001);
  story_write (story,
               10,
               STORY_WININET,
               104,
               "ppccchhd",
               P (0xcc000c),
               P (0xcc0008),
               "GET",
               "/x",
               "",
               0,
               0,
               0);
  story_write (story, 11, STORY_WININET, 1007, "pa", P (0x2a0000), "https://a.com/x");
  story_write (story, 12, STORY_WININET, 1017, "p", P (0x2a0000));
  story_write (story, 13, STORY_WININET, 105, "p", P (0xcc000c));
}

/* A request answered from the cache shows the resolved address of its host, though no data was
 * sent. */
static void
test_a_cache_hit_has_the_address_of_its_name (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;

  report_cache_hit (story);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_true (row->from_cache);
  story_assert_remote (row, "1.2.3.4:443");
  g_assert_cmpuint (row->tcp, ==, 0);
  g_assert_cmpuint (row->sent + row->received, ==, 0);
}

static void
test_reference_leaves_out_the_address_of_a_cache_hit (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;

  story->like_reference = TRUE;
  report_cache_hit (story);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_true (ns_endpoint_is_empty (row->remote));
}

/* Events of old browsers have no IDs, so requests cannot be told apart. */
static void
test_old_events_of_browsers_make_no_rows (void)
{
  static const NsGuid chrome =
      NS_GUID_INIT (0xd2d578d9, 0x2936, 0x45b6, 0xa0, 0x9f, 0x30, 0xe3, 0x27, 0x15, 0xf4, 0x2d);
  static const char *const texts[] = { "URL_REQUEST_START_JOB", "Begin", "method", "GET", "url",
                                       "https://a.com/",        "",      "" };
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .guid = chrome, .id = 1, .keyword = 0x80, .payload = payload };
  guint64 n_records;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    ns_etl_bytes_astr (payload, texts[i]);
  event.raw = ns_etl_writer_get_base_raw (story->writer) + 10000;
  event.pid = story->pid;
  event.tid = story->tid;
  for (n_records = 0; n_records < 3; n_records++)
    g_assert_true (ns_etl_writer_add_event (story->writer, &event));
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->chromium->len, ==, 0);
  g_assert_cmpuint (trace->activities->len, ==, 0);
  g_assert_cmpuint (trace->n_records, >=, n_records);
}

/* Bytes after the frame, added by later event versions, are ignored. */
static void
test_bytes_behind_a_packet_are_left_alone (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story->keyword = G_GUINT64_CONSTANT (0x1c0000000);
  story_write (story,
               10,
               STORY_NDIS,
               1001,
               "ddXqq",
               7,
               7,
               "0001020304050607080908090800"
               "4500002812340000400600000a00000501020304"
               "c35101bb00000001000000005002ffff00000000",
               P (1),
               P (2));
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->packets->len, ==, 1);
  g_assert_cmpuint (g_array_index (trace->packets, NsPacketRow, 0).captured, ==, 54);
}

/* The time before the first record is not reported as a gap. */
static void
test_a_silence_of_all_processors_is_kept (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsTimeSpan *silence;

  story_write (story, 1, STORY_DNS, 3010, "wdw", "a.test", 1, "10.0.0.1");
  story_write (story, 5000, STORY_DNS, 3010, "wdw", "a.test", 1, "10.0.0.1");
  story_write (story, 10000, STORY_DNS, 3010, "wdw", "a.test", 1, "10.0.0.1");
  trace = story_open (story, 10001);
  g_assert_cmpuint (trace->silences->len, ==, 2);
  silence = &g_array_index (trace->silences, NsTimeSpan, 0);
  g_assert_cmpint (silence->begin_ns, ==, NS_PER_SECOND / 1000);
  g_assert_cmpint (silence->end_ns, ==, 5 * NS_PER_SECOND);
  silence = &g_array_index (trace->silences, NsTimeSpan, 1);
  g_assert_cmpint (silence->begin_ns, ==, 5 * NS_PER_SECOND);
  g_assert_cmpint (silence->end_ns, ==, 10 * NS_PER_SECOND);
  g_assert_cmpuint (trace->n_loud_seconds, ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(name, func) g_test_add_func ("/scenarios-apart/" name, func)
  CLAIM ("the-library-that-made-a-socket-tells-ldap",
         test_the_library_that_made_a_socket_tells_ldap);
  CLAIM ("a-socket-to-a-virtual-machine-is-a-row", test_a_socket_to_a_virtual_machine_is_a_row);
  CLAIM ("the-url-decides-between-two-names", test_the_url_decides_between_two_names);
  CLAIM ("a-cache-hit-has-the-address-of-its-name", test_a_cache_hit_has_the_address_of_its_name);
  CLAIM ("reference-cache-hit", test_reference_leaves_out_the_address_of_a_cache_hit);
  CLAIM ("old-events-of-browsers-make-no-rows", test_old_events_of_browsers_make_no_rows);
  CLAIM ("a-silence-of-all-processors-is-kept", test_a_silence_of_all_processors_is_kept);
  CLAIM ("bytes-behind-a-packet-are-left-alone", test_bytes_behind_a_packet_are_left_alone);
#undef CLAIM
  return g_test_run ();
}

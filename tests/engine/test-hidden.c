/* Tests secrets in events that are recognizable only with the help of earlier events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE
#include "config.h"

#include "base/ns-secrets.h"
#include "engine/net/ns-stream-mask.h"
#include "engine/net/packets/ns-packet-info.h"
#include "engine/net/packets/ns-packet-mask.h"
#include "engine/open/ns-event-read.h"
#include "story.h"

#include <string.h>

#define BEGIN "GET /?token=first HTTP/1.1\r\nCookie: sid=first"
#define END "second\r\nAccept: all\r\n\r\n"

static gboolean
has_bytes (const guint8 *data, gsize size, const char *text)
{
  return memmem (data, size, text, strlen (text)) != NULL;
}

/* Counts the records that contain @text. */
static guint
count_records (const NsTrace *trace, const char *text)
{
  guint n = 0;
  guint i;

  for (i = 0; i < trace->events->len; i++)
    {
      NsEvent event;

      g_assert_true (ns_event_read (trace, i, &event));
      n += has_bytes (event.record->payload, event.record->payload_size, text);
    }
  return n;
}

static NsTrace *
open_cut_cookie (gboolean shows_secrets)
{
  g_autoptr (Story) story = story_new ();

  story->want_events = TRUE;
  story->shows_secrets = shows_secrets;
  /* The second segment arrives first, and the first one twice. */
  story_segment (story, 10, FALSE, (guint) strlen (BEGIN), END, strlen (END));
  story_segment (story, 11, FALSE, 0, BEGIN, strlen (BEGIN));
  story_segment (story, 12, FALSE, 0, BEGIN, strlen (BEGIN));
  return story_open (story, 100);
}

static void
test_a_cookie_that_goes_on_in_the_next_packet (void)
{
  g_autoptr (NsTrace) trace = open_cut_cookie (FALSE);
  g_autoptr (NsTrace) shown = open_cut_cookie (TRUE);

  g_assert_cmpuint (count_records (trace, "HTTP/1.1"), ==, 2);
  g_assert_cmpuint (count_records (trace, "first"), ==, 0);
  g_assert_cmpuint (count_records (trace, "second"), ==, 0);
  g_assert_cmpuint (count_records (trace, "******\r\nAccept: all"), ==, 1);

  g_assert_cmpuint (count_records (shown, "first"), ==, 2);
  g_assert_cmpuint (count_records (shown, "second"), ==, 1);
  g_assert_cmpuint (count_records (trace, "second"), ==, 0);
}

static void
test_packets_of_a_table (void)
{
  g_autoptr (NsTrace) trace = open_cut_cookie (FALSE);
  guint i;

  for (i = 0; i < trace->packets->len; i++)
    {
      const NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, i);
      g_autofree char *info = ns_packet_info_dup (trace, row);
      g_autofree guint8 *frame = g_memdup2 (trace->packet_bytes->data + row->data, row->captured);

      g_assert_true (ns_packet_mask_apply (ns_packet_mask_get (trace), row, frame));
      g_assert_false (has_bytes (frame, row->captured, "first"));
      g_assert_false (has_bytes (frame, row->captured, "second"));
      g_assert_null (strstr (info, "first"));
    }
  g_assert_cmpuint (i, >=, 2);
}

/* Writes a captured frame of NDIS: headers in hexadecimal digits, then @text, then its
 * terminator. */
static void
report_frame (Story *story, double ms, const char *headers, const char *text)
{
  g_autoptr (GString) hex = g_string_new (headers);

  for (; *text != '\0'; text++)
    g_string_append_printf (hex, "%02x", (guint8) *text);
  story->keyword = G_GUINT64_CONSTANT (0x1c0000000);
  story_write (story, ms, STORY_NDIS, 1001, "ddX", 7, 7, hex->str);
  story->keyword = 0;
}

/* Counts the packets that contain @text after masking. */
static guint
count_packets (const NsTrace *trace, const char *text)
{
  guint n = 0;
  guint i;

  for (i = 0; i < trace->packets->len; i++)
    {
      const NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, i);
      g_autofree guint8 *frame = g_memdup2 (trace->packet_bytes->data + row->data, row->captured);

      ns_packet_mask_apply (ns_packet_mask_get (trace), row, frame);
      n += has_bytes (frame, row->captured, text);
    }
  return n;
}

#define ETHERNET "0001020304050607080908090800"
#define TCP "c3510050000003e8000000005018ffff00000000"

/* Telnet and rlogin send one keystroke per packet, and the server does not echo a password, so all
 * keystrokes are masked; on port 80 they are not. */
static void
test_keys_that_are_typed (void)
{
  static const char *const ports[] = { "0017", "0201", "0050" };
  static const char keys[] = "JZXVK";
  guint n_records[G_N_ELEMENTS (ports)];
  guint i;
  guint k;

  for (i = 0; i < G_N_ELEMENTS (ports); i++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;
      guint n_shown = 0;

      story->want_events = TRUE;
      for (k = 0; k < sizeof keys - 1; k++)
        {
          char key[] = { keys[k], '\0' };
          g_autofree char *headers =
              g_strdup_printf (ETHERNET "4500002900004000400600000a00000501020304c351%s%08x"
                                        "000000005018ffff00000000",
                               ports[i],
                               1000 + k);

          report_frame (story, 10 + k, headers, key);
        }
      trace = story_open (story, 100);
      g_assert_cmpuint (trace->packets->len, ==, sizeof keys - 1);
      for (k = 0; k < sizeof keys - 1; k++)
        {
          char key[] = { keys[k], '\0' };

          n_shown += count_packets (trace, key);
        }
      g_assert_cmpuint (n_shown, ==, strcmp (ports[i], "0050") == 0 ? sizeof keys - 1 : 0);
      n_records[i] = count_records (trace, "J");
    }
  /* Other records of the trace contain the same letter. */
  g_assert_cmpuint (n_records[0], ==, n_records[1]);
  g_assert_cmpuint (n_records[0] + 1, ==, n_records[2]);
}

static void
test_frames_that_are_no_segments (void)
{
  static const char text[] = "GET / HTTP/1.1\r\nCookie: sid=secret\r\nAccept: all\r\n\r\n";
  static const char *const headers[] = {
    /* PPPoE, MPLS, IP in IP, GRE, an unknown EtherType, an ICMP error that quotes a segment. */
    "000102030405060708090809886411000001010000214500005e00004000400600000a00000501020304" TCP,
    "0001020304050607080908098847000041ff4500005e00004000400600000a00000501020304" TCP,
    ETHERNET "4500007200004000400400000a0000050a0000064500005e00004000400600000a00000501020304" TCP,
    ETHERNET "4500007600004000402f00000a0000050a000006000008004500005e00004000400600000a000005"
             "01020304" TCP,
    "0001020304050607080908091234",
    ETHERNET "4500007a00004000400100000a0000050a00000603030000000000004500005e0000400040060000"
             "0a00000501020304" TCP,
    /* Bytes beyond the length in the IP header. */
    ETHERNET "4500002800004000400600000a00000501020304" TCP,
  };
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint i;

  story->want_events = TRUE;
  for (i = 0; i < G_N_ELEMENTS (headers); i++)
    report_frame (story, 10 + i, headers[i], text);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->packets->len, ==, G_N_ELEMENTS (headers));
  g_assert_cmpuint (count_packets (trace, "Accept: all"), ==, G_N_ELEMENTS (headers));
  g_assert_cmpuint (count_packets (trace, "secret"), ==, 0);
  g_assert_cmpuint (count_records (trace, "Accept: all"), ==, G_N_ELEMENTS (headers));
}

/* Asserts that a secret that spans two IP fragments is masked; @begin and @rest are their
 * headers. */
static void
assert_fragments (const char *begin, const char *rest)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story->want_events = TRUE;
  report_frame (story, 10, rest, "kie: sid=secret\r\nA: all\r\n\r\n");
  report_frame (story, 11, begin, "GET / HTTP/1.1\r\nAbcd: e\r\nCoo");
  trace = story_open (story, 100);
  g_assert_cmpuint (count_packets (trace, "A: all"), ==, 1);
  g_assert_cmpuint (count_packets (trace, "secret"), ==, 0);
  g_assert_cmpuint (count_records (trace, "A: all"), ==, 1);
  g_assert_cmpuint (count_records (trace, "secret"), ==, 0);
}

static void
test_a_cookie_in_fragments (void)
{
  /* The first fragment has 20 bytes of TCP header and 28 bytes of text. */
  static const char ends[] = "20010db800000000000000000000000120010db8000000000000000000000002";
  g_autofree char *begin = g_strconcat ("00010203040506070809080986dd6000000000382c40",
                                        ends,
                                        "0600000112345678" TCP,
                                        NULL);
  g_autofree char *rest =
      g_strconcat ("00010203040506070809080986dd6000000000232c40", ends, "0600003012345678", NULL);

  assert_fragments (ETHERNET "4500004499992000400600000a00000501020304" TCP,
                    ETHERNET "4500002f99990006400600000a00000501020304");
  assert_fragments (begin, rest);
}

static void
test_a_segment_sent_again_as_another (void)
{
  static const char first[] = "GET / HTTP/1.1\r\nAccept: nothing!!\r\nA: b\r\n\r\n";
  static const char other[] = "GET / HTTP/1.1\r\nCookie: sid=secret\r\nA: b\r\n\r\n";
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_segment (story, 10, FALSE, 0, first, sizeof first - 1);
  story_segment (story, 11, FALSE, 0, other, sizeof other - 1);
  trace = story_open (story, 100);
  g_assert_cmpuint (count_packets (trace, "HTTP/1.1"), ==, 2);
  g_assert_cmpuint (count_packets (trace, "nothing"), ==, 1);
  g_assert_cmpuint (count_packets (trace, "secret"), ==, 0);
}

/* Protocols that send the password in a line of its own. */
static void
test_lines_of_a_connection (void)
{
  static const char *const lines[] = { "AUTH LOGIN\r\n",
                                       "YW5uYQ==\r\n",
                                       "c2VjcmV0\r\n",
                                       "QUIT\r\n" };
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint at = 0;
  guint i;

  story->want_events = TRUE;
  for (i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      story_segment (story, 10 + i, FALSE, at, lines[i], strlen (lines[i]));
      at += (guint) strlen (lines[i]);
    }
  trace = story_open (story, 100);
  g_assert_cmpuint (count_records (trace, "c2VjcmV0"), ==, 0);
  g_assert_cmpuint (count_records (trace, "AUTH LOGIN"), ==, 1);
  g_assert_cmpuint (count_records (trace, "QUIT"), ==, 1);
}

/* Bodies in gzip: JSON with a secret member, JSON without one, and a large one of zeros. */
static const char packed_secret[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\x4a\x4c\x4e\x4e\x2d\x2e\x8e\x2f\xc9\xcf"
    "\x4e\xcd\x53\xb2\x52\x4a\xcb\x2c\x2a\x2e\xd1\x2d\x4e\x4d\xce\xcf\x4b\x51\xd2\x51\x02\x0a"
    "\x19\xd6\x02\x00\x5c\xbc\xc1\x3a\x25\x00\x00\x00";
static const char packed_plain[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\xca\x4b\xcc\x4d\x55\xb2\x52\x4a\xcb\x2c"
    "\x2a\x2e\xd1\x2d\x4e\x4d\xce\xcf\x4b\x51\xd2\x51\xca\x53\xb2\x32\xac\x05\x00\xaf\x17\x2e"
    "\xe5\x1d\x00\x00\x00";
static const char packed_much[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x31\x01\x00\x00\x00\xc2\xa0\xf5\x4f\x6d"
    "\x0a\x3f\xa0\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xe0\x6f\x71\x3d\x59\x5e"
    "\x80\x1a\x06\x00";

static gboolean
has_packed (const guint8 *data, gsize size, const char *body, gsize n_body)
{
  return memmem (data, size, body + n_body / 2, n_body / 2) != NULL;
}

static guint
count_packed (const NsTrace *trace, const char *body, gsize n_body, gboolean is_plain)
{
  guint n = 0;
  guint i;

  for (i = 0; i < trace->events->len; i++)
    {
      NsEvent event;

      g_assert_true (is_plain ? ns_event_read_plain (trace, i, &event)
                              : ns_event_read (trace, i, &event));
      n += has_packed (event.record->payload, event.record->payload_size, body, n_body);
    }
  return n;
}

/* Opens a response whose head and body are split into three packets, the body into two. */
static NsTrace *
open_packed (const char *body, gsize n_body)
{
  static const char head[] = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
  g_autoptr (Story) story = story_new ();
  gsize n_head = sizeof head - 1;
  gsize n_first = n_body / 2 - 1;

  story->want_events = TRUE;
  story_segment (story, 10, FALSE, 0, head, n_head);
  story_segment (story, 11, FALSE, (guint) n_head, body, n_first);
  story_segment (story, 12, FALSE, (guint) (n_head + n_first), body + n_first, n_body - n_first);
  return story_open (story, 100);
}

static void
assert_packed (const char *body, gsize n_body, gboolean is_hidden)
{
  g_autoptr (NsTrace) trace = open_packed (body, n_body);
  guint n_plain = 0;
  guint n_masked = 0;
  guint i;

  g_assert_cmpuint (count_records (trace, "Content-Encoding"), ==, 1);
  g_assert_cmpuint (count_packed (trace, body, n_body, FALSE), ==, is_hidden ? 0 : 1);
  /* The uncompressed body is available on request, whatever was read before. */
  g_assert_cmpuint (count_packed (trace, body, n_body, TRUE), ==, 1);
  g_assert_cmpuint (count_packed (trace, body, n_body, FALSE), ==, is_hidden ? 0 : 1);
  for (i = 0; i < trace->packets->len; i++)
    {
      const NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, i);
      g_autofree guint8 *frame = g_memdup2 (trace->packet_bytes->data + row->data, row->captured);

      ns_packet_mask_apply_plain (ns_packet_mask_get (trace), row, frame);
      n_plain += has_packed (frame, row->captured, body, n_body);
      ns_packet_mask_apply (ns_packet_mask_get (trace), row, frame);
      n_masked += has_packed (frame, row->captured, body, n_body);
    }
  g_assert_cmpuint (n_plain, ==, 1);
  g_assert_cmpuint (n_masked, ==, is_hidden ? 0 : 1);
}

static void
test_packed_bodies (void)
{
  assert_packed (packed_secret, sizeof packed_secret - 1, TRUE);
  assert_packed (packed_plain, sizeof packed_plain - 1, FALSE);
  /* A body too large to search may contain secrets, so it is masked. */
  assert_packed (packed_much, sizeof packed_much - 1, TRUE);
}

/* Some libraries log bodies without their heads. */
static void
test_packed_bodies_without_heads (void)
{
  g_autoptr (NsSecrets) shown = ns_secrets_new (TRUE);
  g_autofree guint8 *secret = g_memdup2 (packed_secret, sizeof packed_secret - 1);
  g_autofree guint8 *plain = g_memdup2 (packed_plain, sizeof packed_plain - 1);

  g_assert_true (ns_stream_mask_packed (NULL, secret, sizeof packed_secret - 1));
  g_assert_cmpuint (secret[0], ==, NS_SECRETS_BYTE);
  g_assert_cmpuint (secret[sizeof packed_secret - 2], ==, NS_SECRETS_BYTE);
  g_assert_false (ns_stream_mask_packed (NULL, plain, sizeof packed_plain - 1));
  memcpy (secret, packed_secret, sizeof packed_secret - 1);
  g_assert_false (ns_stream_mask_packed (shown, secret, sizeof packed_secret - 1));
}

/* {"access_token":"first-second","n":1} and {"name":"first-second","n":1} in br, and the first of
 * them in deflate. Neither format has magic bytes. */
static const char br_secret[] =
    "\x1b\x24\x00\xa0\x8c\x53\x2c\x8c\x8a\x35\x8b\xce\x5e\x9f\x16\x69\x89\xf9\x0a\x0e\x39"
    "\x01\xf8\xa9\x25\xad\xcc\x7c\x42\x4d\x19\xdf\x79\x02\x8b\x1b\x48\x36";
static const char br_plain[] =
    "\x0b\x0e\x80\x7b\x22\x6e\x61\x6d\x65\x22\x3a\x22\x66\x69\x72\x73\x74\x2d\x73\x65\x63"
    "\x6f\x6e\x64\x22\x2c\x22\x6e\x22\x3a\x31\x7d\x03";
static const char deflate_secret[] =
    "\xab\x56\x4a\x4c\x4e\x4e\x2d\x2e\x8e\x2f\xc9\xcf\x4e\xcd\x53\xb2\x52\x4a\xcb\x2c\x2a"
    "\x2e\xd1\x2d\x4e\x4d\xce\xcf\x4b\x51\xd2\x51\x02\x0a\x19\xd6\x02\x00";

/* Asserts the masking of @body alone and in chunked encoding; a masked body is all asterisks. */
static void
assert_without_head (const char *body, gsize n_body, gboolean is_hidden)
{
  g_autofree guint8 *copy = g_memdup2 (body, n_body);
  g_autoptr (GString) chunks = g_string_new (NULL);
  gsize i;

  g_assert_cmpint (ns_stream_mask_packed (NULL, copy, n_body), ==, is_hidden);
  for (i = 0; i < n_body; i++)
    g_assert_cmpuint (copy[i], ==, is_hidden ? NS_SECRETS_BYTE : (guint8) body[i]);

  g_string_append_printf (chunks, "%x\r\n", (guint) n_body);
  g_string_append_len (chunks, body, (gssize) n_body);
  g_string_append (chunks, "\r\n0\r\n\r\n");
  g_assert_cmpint (ns_stream_mask_packed (NULL, (guint8 *) chunks->str, chunks->len),
                   ==,
                   is_hidden);
  g_assert_cmpint (memmem (chunks->str, chunks->len, body, n_body) == NULL, ==, is_hidden);
}

/* The first body in br, then in gzip. */
static const char br_in_gzip[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x01\x26\x00\xd9\xff"
    "\x1b\x24\x00\xa0\x8c\x53\x2c\x8c\x8a\x35\x8b\xce\x5e\x9f\x16\x69\x89\xf9\x0a\x0e\x39"
    "\x01\xf8\xa9\x25\xad\xcc\x7c\x42\x4d\x19\xdf\x79\x02\x8b\x1b\x48\x36"
    "\x85\xd3\x5f\x72\x26\x00\x00\x00";

/* Asserts that @body is masked, whatever Content-Encoding says. */
static void
assert_with_head (const char *codings, const char *body, gsize n_body)
{
  g_autoptr (GString) answer = g_string_new ("HTTP/1.1 200 OK\r\nContent-Encoding: ");

  g_string_append_printf (answer, "%s\r\n\r\n", codings);
  g_string_append_len (answer, body, (gssize) n_body);
  g_assert_true (ns_stream_mask_packed (NULL, (guint8 *) answer->str, answer->len));
  g_assert_null (memmem (answer->str, answer->len, body, n_body));
  g_assert_nonnull (strstr (answer->str, codings));
}

static void
test_codings_that_nobody_tells (void)
{
  assert_without_head (br_in_gzip, sizeof br_in_gzip - 1, TRUE);
  assert_with_head ("br", packed_secret, sizeof packed_secret - 1);
  assert_with_head ("identity", br_secret, sizeof br_secret - 1);
  assert_with_head ("br", br_secret, sizeof br_secret - 1);

  assert_without_head (packed_secret, sizeof packed_secret - 1, TRUE);
  assert_without_head (packed_plain, sizeof packed_plain - 1, FALSE);
  assert_without_head (br_secret, sizeof br_secret - 1, TRUE);
  assert_without_head (br_plain, sizeof br_plain - 1, FALSE);
  assert_without_head (deflate_secret, sizeof deflate_secret - 1, TRUE);
  assert_without_head ("plain text, 1b of it", 20, FALSE);
}

/* The capture begins in the middle of an earlier body. */
static void
test_packed_answer_behind_bytes (void)
{
  static const char before[] = "\0\0rest of a picture\0\1";
  g_autoptr (GString) bytes = g_string_new_len (before, sizeof before - 1);

  g_string_append (bytes, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
  g_string_append_len (bytes, packed_secret, sizeof packed_secret - 1);
  g_assert_true (ns_stream_mask_packed (NULL, (guint8 *) bytes->str, bytes->len));
  g_assert_null (memmem (bytes->str, bytes->len, packed_secret, sizeof packed_secret - 1));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hidden/keys-that-are-typed", test_keys_that_are_typed);
  g_test_add_func ("/hidden/cookie", test_a_cookie_that_goes_on_in_the_next_packet);
  g_test_add_func ("/hidden/packets", test_packets_of_a_table);
  g_test_add_func ("/hidden/frames", test_frames_that_are_no_segments);
  g_test_add_func ("/hidden/fragments", test_a_cookie_in_fragments);
  g_test_add_func ("/hidden/again", test_a_segment_sent_again_as_another);
  g_test_add_func ("/hidden/lines", test_lines_of_a_connection);
  g_test_add_func ("/hidden/packed", test_packed_bodies);
  g_test_add_func ("/hidden/packed-alone", test_packed_bodies_without_heads);
  g_test_add_func ("/hidden/packed-untold", test_codings_that_nobody_tells);
  g_test_add_func ("/hidden/packed-behind", test_packed_answer_behind_bytes);
  return g_test_run ();
}

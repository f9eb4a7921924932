/* Tests the bodies logged by WinHTTP and WinINet: bytes, direction, and owner.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"
#include "export/ns-row-content.h"
#include "export/ns-row-message.h"

#include "story.h"

#include <string.h>

#define SESSION P (0x10000)
#define R1 P (0x1a0000)
#define R2 P (0x1b0000)
#define CONNECTION P (0x2c0000)
#define SOCKET P (0x51)
#define CHUNKS P (0x3d0000)
#define SEND G_GUINT64_CONSTANT (0x20100000000)
#define RECEIVE G_GUINT64_CONSTANT (0x20200000000)
#define SECURITY G_GUINT64_CONSTANT (0x2000000000)

#define BODY_BYTES 3000

static const NsRowContentOptions all = { NS_ROW_CONTENT_MAX_BYTES,
                                         NS_ROW_CONTENT_MAX_DECODED,
                                         NS_ROW_CONTENT_MAX_PARTS };

/* Makes bytes of every value, different for each @seed, without anything that looks like a
 * secret. */
static guint8 *
make_body (guint seed)
{
  guint8 *body = g_malloc (BODY_BYTES);
  guint i;

  for (i = 0; i < BODY_BYTES; i++)
    body[i] = (guint8) (i * 7 + i / 256 + seed);
  return body;
}

static char *
dup_hex (const guint8 *data, gsize n_bytes)
{
  GString *hex = g_string_new (NULL);
  gsize i;

  for (i = 0; i < n_bytes; i++)
    g_string_append_printf (hex, "%02x", data[i]);
  return g_string_free (hex, FALSE);
}

static char *
dup_digest (guint seed)
{
  g_autofree guint8 *body = make_body (seed);

  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, body, BODY_BYTES);
}

/* Returns the digest of all bytes of one kind in a row, or %NULL. */
static char *
digest_of (const NsRowContent *content, NsContentKind kind)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  gboolean is_any = FALSE;
  guint i;

  for (i = 0; i < content->parts->len; i++)
    {
      const NsContentPart *part = &g_array_index (content->parts, NsContentPart, i);

      if (part->kind != kind)
        continue;
      g_checksum_update (sum, part->data, (gssize) part->n_bytes);
      is_any = TRUE;
    }
  return is_any ? g_strdup (g_checksum_get_string (sum)) : NULL;
}

static void
assert_bytes (const NsRowContent *content, NsContentKind kind, guint seed)
{
  g_autofree char *found = digest_of (content, kind);
  g_autofree char *expected = dup_digest (seed);

  g_assert_cmpstr (found, ==, expected);
}

static void
assert_none (const NsRowContent *content, NsContentKind kind)
{
  g_autofree char *found = digest_of (content, kind);

  g_assert_null (found);
}

/* Writes a body of two thousand bytes, then a thousand. */
static void
report_body (Story *story, double ms, guint id, guint64 request, guint64 handle, guint seed)
{
  g_autofree guint8 *body = make_body (seed);
  guint at;

  story->activity = handle;
  story->activity_high = request;
  for (at = 0; at < BODY_BYTES; at += 2000, ms += 0.1)
    {
      guint n = MIN (2000, BODY_BYTES - at);
      g_autofree char *hex = dup_hex (body + at, n);

      story->keyword = id == 111 || id == 709 ? SEND : id >= 700 && id < 726 ? SECURITY : RECEIVE;
      switch (id)
        {
        case 111:
          story_write (story,
                       ms,
                       STORY_WEBIO,
                       id,
                       "pppdpX",
                       request,
                       CONNECTION,
                       CHUNKS,
                       at,
                       P (0x4e0000),
                       hex);
          break;
        case 122:
          story_write (story, ms, STORY_WEBIO, id, "ppX", CONNECTION, CHUNKS, hex);
          break;
        case 129:
          story_write (story, ms, STORY_WEBIO, id, "ppdX", request, CHUNKS, at, hex);
          break;
        case 704:
          story_write (story,
                       ms,
                       STORY_WEBIO,
                       id,
                       "pqqpddx",
                       CONNECTION,
                       P (1),
                       P (2),
                       P (0x4e0000),
                       n,
                       0,
                       hex);
          break;
        case 705:
          story_write (story, ms, STORY_WEBIO, id, "pqqpX", CONNECTION, P (1), P (2), CHUNKS, hex);
          break;
        case 709:
          story_write (story,
                       ms,
                       STORY_WEBIO,
                       id,
                       "ppqqpdpddx",
                       CONNECTION,
                       P (0x5f0000),
                       P (1),
                       P (2),
                       CHUNKS,
                       at,
                       P (0x4e0000),
                       n,
                       0,
                       hex);
          break;
        default: /* 726 */
          story_write (story,
                       ms,
                       STORY_WEBIO,
                       id,
                       "ppddxd",
                       CONNECTION,
                       P (0x4e0000),
                       n,
                       0,
                       hex,
                       0);
        }
      story->keyword = 0;
    }
}

static void
begin_request (Story *story, double ms, guint64 request, guint64 handle, const char *url)
{
  story_request (story, ms, request, handle, SESSION, url);
}

static void
report_connection (Story *story)
{
  story_wait (story, 12, R1, 1, CONNECTION);
  story_connect (story, 13, 1, CONNECTION, SOCKET, "1.2.3.4:443");
  story_connected (story, 14, 1, CONNECTION, SOCKET, 0);
}

static NsRowContent *
find (const NsTrace *trace, NsTableId table, guint32 row)
{
  return ns_row_content_find (trace, table, row, &all, NULL, NULL);
}

/* Asserts the kind of content for one request with one event type that contains its bytes. */
static void
assert_direction (guint id, NsContentKind kind)
{
  static const NsContentKind kinds[] = { NS_CONTENT_SENT, NS_CONTENT_RECEIVED, NS_CONTENT_BYTES };
  static const NsTableId tables[] = { NS_TABLE_ACTIVITIES, NS_TABLE_WEBIO };
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint i;
  guint j;

  story->want_events = TRUE;
  begin_request (story, 11, R1, 1, "https://a.example/");
  report_connection (story);
  report_body (story, 20, id, R1, 1, 5);
  story_request_close (story, 30, R1, 1);
  trace = story_open (story, 100);
  g_assert_true (ns_row_content_may_have_bytes (trace));
  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autoptr (NsRowContent) content = find (trace, tables[i], 0);

      assert_bytes (content, kind, 5);
      for (j = 0; j < G_N_ELEMENTS (kinds); j++)
        if (kinds[j] != kind)
          assert_none (content, kinds[j]);
    }
}

static void
test_every_record_of_winhttp_says_which_way (void)
{
  assert_direction (111, NS_CONTENT_SENT);
  assert_direction (122, NS_CONTENT_RECEIVED);
  assert_direction (129, NS_CONTENT_RECEIVED);
  assert_direction (704, NS_CONTENT_RECEIVED);
  assert_direction (705, NS_CONTENT_SENT);
  assert_direction (709, NS_CONTENT_SENT);
  assert_direction (726, NS_CONTENT_RECEIVED);
}

/* The TLS handshake is not part of the decrypted stream. */
static void
test_a_handshake_is_not_joined_to_what_follows (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsRowContent) content = NULL;
  g_autoptr (GString) sizes = g_string_new (NULL);
  guint i;

  story->want_events = TRUE;
  begin_request (story, 11, R1, 1, "https://a.example/");
  report_connection (story);
  report_body (story, 20, 705, R1, 1, 1);
  report_body (story, 22, 709, R1, 1, 2);
  story_request_close (story, 30, R1, 1);
  trace = story_open (story, 100);
  content = find (trace, NS_TABLE_ACTIVITIES, 0);
  for (i = 0; i < content->messages->len; i++)
    g_string_append_printf (sizes,
                            "%u ",
                            g_array_index (content->messages, NsContentMessage, i).body->len);
  g_assert_cmpstr (sizes->str, ==, "3000 3000 ");
}

/* The second request waits for the connection while the first one still receives on it. */
static void
test_bytes_of_a_shared_connection_have_one_owner (void)
{
  static const NsTableId tables[] = { NS_TABLE_ACTIVITIES, NS_TABLE_WEBIO };
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint i;

  story->want_events = TRUE;
  begin_request (story, 11, R1, 1, "https://a.example/one");
  report_connection (story);
  begin_request (story, 15, R2, 2, "https://a.example/two");
  report_body (story, 20, 111, R1, 1, 1);
  report_body (story, 21, 122, R1, 1, 2);
  story_wait (story, 24, R2, 2, CONNECTION);
  report_body (story, 25, 111, R2, 2, 3);
  report_body (story, 26, 122, R2, 2, 4);
  story_request_close (story, 30, R1, 1);
  story_request_close (story, 31, R2, 2);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->webio->len, ==, 2);
  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autoptr (NsRowContent) first = find (trace, tables[i], 0);
      g_autoptr (NsRowContent) second = find (trace, tables[i], 1);

      assert_bytes (first, NS_CONTENT_SENT, 1);
      assert_bytes (first, NS_CONTENT_RECEIVED, 2);
      assert_bytes (second, NS_CONTENT_SENT, 3);
      assert_bytes (second, NS_CONTENT_RECEIVED, 4);
    }
}

/* A request that changed connections includes the bytes of the first one. */
static void
test_bytes_of_every_connection_of_a_request_are_found (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsRowContent) content = NULL;

  story->want_events = TRUE;
  begin_request (story, 11, R1, 1, "https://a.example/");
  report_connection (story);
  report_body (story, 20, 122, R1, 1, 6);
  story_disconnect (story, 21, 1, CONNECTION, SOCKET);
  story_connect (story, 22, 1, CONNECTION + 0x1000, SOCKET + 1, "1.2.3.4:443");
  story_connected (story, 23, 1, CONNECTION + 0x1000, SOCKET + 1, 0);
  story_receive (story, 24, 1, CONNECTION + 0x1000, SOCKET + 1, 900);
  story_request_close (story, 30, R1, 1);
  trace = story_open (story, 100);
  content = find (trace, NS_TABLE_WEBIO, 0);
  assert_bytes (content, NS_CONTENT_RECEIVED, 6);
}

static void
report_wininet (Story *story, double ms, guint64 handle, guint64 request, const char *url)
{
  story->activity = 0xcc000c00000000 + handle;
  story_write (story,
               ms,
               STORY_WININET,
               104,
               "ppccchhd",
               handle,
               P (0xcc0008),
               "POST",
               "/x",
               "HTTP/1.1",
               0,
               0,
               0);
  story_write (story, ms + 0.1, STORY_WININET, 108, "pcdh", handle, "a.example", 80, 0);
  story_write (story, ms + 0.2, STORY_WININET, 1007, "pa", request, url);
}

static void
report_captured (Story *story, double ms, guint id, guint seq, const void *data, gsize size)
{
  g_autofree char *hex = dup_hex (data, size);

  story->keyword = id <= 2002 ? SEND : RECEIVE;
  story_write (story, ms, STORY_CAPTURE, id, "dddX", 7, seq, 0, hex);
  story->keyword = 0;
}

#define CAPTURED_REQUEST "POST /x HTTP/1.1\r\nHost: a.example\r\nContent-Length: 3000\r\n\r\n"
#define CAPTURED_ANSWER "HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n"

static void
assert_message (const NsRowContent *content, guint n, NsContentKind kind, guint seed)
{
  const NsContentMessage *message;
  g_autofree char *expected = dup_digest (seed);
  g_autofree char *found = NULL;

  g_assert_cmpuint (content->messages->len, >, n);
  message = &g_array_index (content->messages, NsContentMessage, n);
  found = g_compute_checksum_for_data (G_CHECKSUM_SHA256, message->body->data, message->body->len);
  g_assert_cmpint (message->kind, ==, kind);
  g_assert_cmpstr (found, ==, expected);
  g_assert_true (message->is_whole);
}

/* Captured data has no pointer in common with the request, but the same activity ID. */
static void
test_what_wininet_captured_belongs_to_its_request (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsRowContent) first = NULL;
  g_autoptr (NsRowContent) second = NULL;
  g_autofree guint8 *sent = make_body (1);
  g_autofree guint8 *received = make_body (2);

  story->want_events = TRUE;
  report_wininet (story, 9, P (0xcc0010), P (0x2a0b0d000), "http://a.example/other");
  report_wininet (story, 10, P (0xcc000c), P (0x2a0b0c000), "http://a.example/x");
  report_captured (story, 12, 2001, 0, CAPTURED_REQUEST, strlen (CAPTURED_REQUEST));
  report_captured (story, 13, 2002, 1, sent, BODY_BYTES);
  report_captured (story, 14, 2003, 2, CAPTURED_ANSWER, strlen (CAPTURED_ANSWER));
  report_captured (story, 15, 2004, 3, received, BODY_BYTES);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->wininet->len, ==, 2);
  g_assert_true (ns_row_content_may_have_bytes (trace));
  first = find (trace, NS_TABLE_WININET, 0);
  second = find (trace, NS_TABLE_WININET, 1);
  g_assert_cmpuint (first->parts->len, ==, 0);
  g_assert_cmpuint (second->messages->len, ==, 2);
  assert_message (second, 0, NS_CONTENT_SENT, 1);
  assert_message (second, 1, NS_CONTENT_RECEIVED, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/row-bodies/every-record-of-winhttp-says-which-way",
                   test_every_record_of_winhttp_says_which_way);
  g_test_add_func ("/row-bodies/a-handshake-is-not-joined-to-what-follows",
                   test_a_handshake_is_not_joined_to_what_follows);
  g_test_add_func ("/row-bodies/bytes-of-a-shared-connection-have-one-owner",
                   test_bytes_of_a_shared_connection_have_one_owner);
  g_test_add_func ("/row-bodies/bytes-of-every-connection-of-a-request-are-found",
                   test_bytes_of_every_connection_of_a_request_are_found);
  g_test_add_func ("/row-bodies/what-wininet-captured-belongs-to-its-request",
                   test_what_wininet_captured_belongs_to_its_request);
  return g_test_run ();
}

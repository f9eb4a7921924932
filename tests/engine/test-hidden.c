/* What is secret in a record because of those before it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE
#include "config.h"

#include "base/ns-secrets.h"
#include "engine/ns-event.h"
#include "engine/ns-packet-mask.h"
#include "story.h"

#include <string.h>

#define BEGIN "GET /?token=first HTTP/1.1\r\nCookie: sid=first"
#define END "second\r\nAccept: all\r\n\r\n"

static gboolean
has_bytes (const guint8 *data, gsize size, const char *text)
{
  return memmem (data, size, text, strlen (text)) != NULL;
}

/* In how many records the text stands. */
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
open_cut_cookie (void)
{
  g_autoptr (Story) story = story_new ();

  story->want_events = TRUE;
  /* The second part comes first, and the first one twice. */
  story_segment (story, 10, FALSE, (guint) strlen (BEGIN), END, strlen (END));
  story_segment (story, 11, FALSE, 0, BEGIN, strlen (BEGIN));
  story_segment (story, 12, FALSE, 0, BEGIN, strlen (BEGIN));
  return story_open (story, 100);
}

static void
test_a_cookie_that_goes_on_in_the_next_packet (void)
{
  g_autoptr (NsTrace) trace = open_cut_cookie ();

  g_assert_cmpuint (count_records (trace, "HTTP/1.1"), ==, 2);
  g_assert_cmpuint (count_records (trace, "first"), ==, 0);
  g_assert_cmpuint (count_records (trace, "second"), ==, 0);
  g_assert_cmpuint (count_records (trace, "******\r\nAccept: all"), ==, 1);

  ns_secrets_show (TRUE);
  g_assert_cmpuint (count_records (trace, "first"), ==, 2);
  g_assert_cmpuint (count_records (trace, "second"), ==, 1);
  ns_secrets_show (FALSE);
  g_assert_cmpuint (count_records (trace, "second"), ==, 0);
}

static void
test_packets_of_a_table (void)
{
  g_autoptr (NsTrace) trace = open_cut_cookie ();
  guint i;

  for (i = 0; i < trace->packets->len; i++)
    {
      const NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, i);
      g_autofree guint8 *frame = g_memdup2 (trace->packet_bytes->data + row->data, row->captured);

      g_assert_true (ns_packet_mask_apply (ns_packet_mask_get (trace), row, frame));
      g_assert_false (has_bytes (frame, row->captured, "first"));
      g_assert_false (has_bytes (frame, row->captured, "second"));
      g_assert_null (strstr (ns_trace_text (trace, row->info), "first"));
    }
  g_assert_cmpuint (i, >=, 2);
}

/* Protocols whose password is a line of its own. */
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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hidden/cookie", test_a_cookie_that_goes_on_in_the_next_packet);
  g_test_add_func ("/hidden/packets", test_packets_of_a_table);
  g_test_add_func ("/hidden/lines", test_lines_of_a_connection);
  return g_test_run ();
}

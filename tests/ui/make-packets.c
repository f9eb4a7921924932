/* Writes a small trace of a connection and its captured packets: make-packets FILE.
 *
 * With --request before FILE, adds a request with bytes in WinHTTP's events; with --pktmon, a
 * packet captured at three components of the stack.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include <string.h>

/* Three times {"greeting": "grüße"}, compressed with gzip. */
static const guint8 body[] = { 0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
                               0xab, 0x56, 0x4a, 0x2f, 0x4a, 0x4d, 0x2d, 0xc9, 0xcc, 0x4b,
                               0x57, 0xb2, 0x52, 0x00, 0xb2, 0x0f, 0xef, 0x39, 0x3c, 0x3f,
                               0x55, 0xa9, 0x96, 0xab, 0x9a, 0x44, 0x71, 0x00, 0xc5, 0xa1,
                               0x24, 0x5e, 0x48, 0x00, 0x00, 0x00 };

static const char request[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n\0\1\377z";
static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                             "Set-Cookie: id=secret\r\nContent-Encoding: gzip\r\n\r\n";

/* Makes three thousand bytes that are unique for each @seed. */
static char *
make_hex (guint seed)
{
  GString *hex = g_string_new (NULL);
  guint i;

  for (i = 0; i < 3000; i++)
    g_string_append_printf (hex, "%02x", (i * 7 + i / 256 + seed) & 0xff);
  return g_string_free (hex, FALSE);
}

static void
report_packets (Story *story)
{
  story_tcp_connect (story, 10, P (0xffffaa0000001000), STORY_HERE, STORY_THERE);
  story_segment (story, 11, FALSE, 0, request, sizeof request - 1);
  story_segment (story, 12, TRUE, 0, answer, sizeof answer - 1);
  story_segment (story, 13, TRUE, sizeof answer - 1, body, sizeof body);
}

static void
report_request (Story *story)
{
  const guint64 handle = 0x1a0000;
  const guint64 connection = 0x2c0000;
  const guint64 chunks = 0x3d0000;
  g_autofree char *sent = make_hex (1);
  g_autofree char *received = make_hex (2);

  story_session (story, 10, P (0x10000));
  story_request (story, 11, handle, 1, P (0x10000), "https://a.example/x");
  story_wait (story, 12, handle, 1, connection);
  story_connect (story, 13, 1, connection, P (0x51), "1.2.3.4:443");
  story_connected (story, 14, 1, connection, P (0x51), 0);
  story->keyword = G_GUINT64_CONSTANT (0x20100000000);
  story_write (story,
               16,
               STORY_WEBIO,
               111,
               "pppdpX",
               handle,
               connection,
               chunks,
               0,
               P (0x4e0000),
               sent);
  story->keyword = G_GUINT64_CONSTANT (0x20200000000);
  story_write (story, 21, STORY_WEBIO, 122, "ppX", connection, chunks, received);
  story->keyword = 0;
  story_request_close (story, 30, handle, 1);
}

/* A filter drops an outbound SYN. */
static void
report_components (Story *story)
{
  static const char frame[] = "0001020304050607080908090800"
                              "4500002812340000400600000a00000501020304"
                              "c35101bb00000001000000005002ffff00000000";
  static const char *const names[] = { "tcpip.sys", "adapter.sys", "filter.sys" };
  const guint size = sizeof frame / 2;
  guint i;

  for (i = 0; i < 3; i++)
    story_write (story,
                 10 + i * 0.01,
                 STORY_PKTMON,
                 i == 2 ? 170 : 160,
                 "qhhhhhhhddhhx",
                 P (5),
                 1,
                 i < 2 ? i + 1 : 2,
                 4,
                 i == 2 ? 3 : 1,
                 10 + i,
                 1,
                 1,
                 i == 2 ? 8 : 0,
                 0,
                 i == 2 ? size - 14 : size,
                 i == 2 ? size - 14 : size,
                 i == 2 ? frame + 28 : frame);
  for (i = 0; i < 3; i++)
    story_write (story, 20, STORY_PKTMON, 20, "hhww", 10 + i, 3, names[i], "A component");
}

int
main (int argc, char **argv)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  gboolean wants_request = argc == 3 && strcmp (argv[1], "--request") == 0;
  gboolean wants_components = argc == 3 && strcmp (argv[1], "--pktmon") == 0;

  if (argc != 2 && !wants_request && !wants_components)
    {
      g_printerr ("Usage: make-packets [--request | --pktmon] FILE\n");
      return 2;
    }
  if (wants_request)
    report_request (story);
  else if (wants_components)
    report_components (story);
  else
    report_packets (story);
  bytes = ns_etl_writer_finish (story->writer);
  if (!g_file_set_contents (argv[argc - 1],
                            g_bytes_get_data (bytes, NULL),
                            (gssize) g_bytes_get_size (bytes),
                            &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  return 0;
}

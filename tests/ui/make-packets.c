/* Writes a small trace with a connection and captured packets of it: make-packets FILE.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

/* Three times {"greeting": "grüße"}, packed by gzip. */
static const guint8 body[] = { 0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
                               0xab, 0x56, 0x4a, 0x2f, 0x4a, 0x4d, 0x2d, 0xc9, 0xcc, 0x4b,
                               0x57, 0xb2, 0x52, 0x00, 0xb2, 0x0f, 0xef, 0x39, 0x3c, 0x3f,
                               0x55, 0xa9, 0x96, 0xab, 0x9a, 0x44, 0x71, 0x00, 0xc5, 0xa1,
                               0x24, 0x5e, 0x48, 0x00, 0x00, 0x00 };

static const char request[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n\0\1\377z";
static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                             "Set-Cookie: id=secret\r\nContent-Encoding: gzip\r\n\r\n";

int
main (int argc, char **argv)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  if (argc != 2)
    {
      g_printerr ("Usage: make-packets FILE\n");
      return 2;
    }
  story_tcp_connect (story, 10, P (0xffffaa0000001000), STORY_HERE, STORY_THERE);
  story_segment (story, 11, FALSE, 0, request, sizeof request - 1);
  story_segment (story, 12, TRUE, 0, answer, sizeof answer - 1);
  story_segment (story, 13, TRUE, sizeof answer - 1, body, sizeof body);
  bytes = ns_etl_writer_finish (story->writer);
  if (!g_file_set_contents (argv[1],
                            g_bytes_get_data (bytes, NULL),
                            (gssize) g_bytes_get_size (bytes),
                            &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  return 0;
}

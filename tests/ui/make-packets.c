/* Writes a small trace with a connection and a captured packet of it: make-packets FILE.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

/* A segment to 1.2.3.4:443 with the head of a request and four bytes more. */
#define SEGMENT                                                                                    \
  "000102030405060708090809"                                                                       \
  "0800"                                                                                           \
  "4500"                                                                                           \
  "0047"                                                                                           \
  "1234000040060000"                                                                               \
  "0a000005"                                                                                       \
  "01020304"                                                                                       \
  "c35101bb"                                                                                       \
  "00000001"                                                                                       \
  "00000000"                                                                                       \
  "5018"                                                                                           \
  "ffff00000000"                                                                                   \
  "474554202f20485454502f312e310d"                                                                 \
  "0a486f73743a20610d0a0d0a0001ff7a"

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
  story_tcp_connect (story, 10, P (0xffffaa0000001000), "10.0.0.5:50001", "1.2.3.4:443");
  story->keyword = G_GUINT64_CONSTANT (0x1c0000000);
  story_tell (story, 11, STORY_NDIS, 1001, "ddX", 7, 7, SEGMENT);
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

/* Writes a small trace of a DNS name with two servers and three addresses: make-names FILE.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#define NAME "host.test"

int
main (int argc, char **argv)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GError) error = NULL;

  if (argc != 2)
    {
      g_printerr ("Usage: make-names FILE\n");
      return 2;
    }
  story_write (story, 1, STORY_DNS, 3006, "wdqwdddd", NAME, 1, P (0), "", 1, 0, 0, 0);
  story_write (story,
               2,
               STORY_DNS,
               3009,
               "wdddwww",
               NAME,
               0,
               0,
               1,
               "LAN",
               "10.0.0.5",
               "10.0.0.1;10.0.0.2;");
  story_write (story, 3, STORY_DNS, 3010, "wdw", NAME, 1, "10.0.0.1");
  story_write (story, 1003, STORY_DNS, 3010, "wdw", NAME, 1, "10.0.0.2");
  story_write (story, 1010, STORY_DNS, 3011, "wdwd", NAME, 1, "10.0.0.2", 0);
  story_write (story,
               1011,
               STORY_DNS,
               3008,
               "wdqdw",
               NAME,
               1,
               P (0),
               0,
               "192.0.2.1;192.0.2.2;192.0.2.3;");
  story_tcp_connect (story, 1030, P (0xffffaa000000b000), "10.0.0.5:50002", "192.0.2.2:443");
  story_write (story,
               1035,
               STORY_TCPIP,
               1033,
               "AAdddp",
               "10.0.0.5:50002",
               "192.0.2.2:443",
               0,
               story->pid,
               1,
               P (0xffffaa000000b000));
  if (!ns_etl_writer_finish_to_file (story->writer, argv[1], &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  return 0;
}

/* Claims about the verb findings: it sees what the tables of its own run hold, the calls among
 * them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#define ENDPOINT P (0xffff800000001000)
#define EVENT_SEND 1003

static char *
run (const char *trace)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE,
                              &error,
                              g_getenv ("NETSTITCH_CLI"),
                              "findings",
                              trace,
                              "--filter",
                              "id=D22",
                              "--columns",
                              "id,verdict,count",
                              NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  return output;
}

static void
test_small_sends_are_found_in_the_calls (void)
{
  g_autoptr (Story) story = story_new ();
  g_autofree char *folder = g_dir_make_tmp ("findings-XXXXXX", NULL);
  g_autofree char *trace = g_build_filename (folder, "made.etl", NULL);
  g_autofree char *output = NULL;
  guint i;

  story_socket (story, 10, ENDPOINT, 50000, "192.0.2.1:443");
  for (i = 0; i < 60; i++)
    story_socket_bytes (story, 20 + i * 0.2, EVENT_SEND, ENDPOINT, 40);
  g_assert_true (ns_etl_writer_finish_to_file (story->writer, trace, NULL));
  output = run (trace);
  g_assert_cmpstr (output, ==, "id\tverdict\tcount\nD22\tfound\t60\n");
  g_unlink (trace);
  g_rmdir (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-findings/small-sends-are-found-in-the-calls",
                   test_small_sends_are_found_in_the_calls);
  return g_test_run ();
}

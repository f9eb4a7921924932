/* Claims about the verb findings: it sees what the tables of its own run hold, the calls among
 * them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define ENDPOINT P (0xffff800000001000)
#define EVENT_SEND 1003

static char *
run (const char *trace, const char *filter, const char *columns)
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
                              filter,
                              "--columns",
                              columns,
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
  output = run (trace, "id=D22", "id,verdict,count");
  g_assert_cmpstr (output, ==, "id\tverdict\tcount\nD22\tfound\t60\n");
  g_unlink (trace);
  g_rmdir (folder);
}

/* Which sockets stay open shows only at the end: from one stack leak those that nobody closes. */
static void
test_sockets_that_nobody_closes_are_told_of_with_their_code (void)
{
  g_autoptr (Story) story = story_new ();
  g_autofree char *folder = g_dir_make_tmp ("findings-XXXXXX", NULL);
  g_autofree char *trace = g_build_filename (folder, "made.etl", NULL);
  g_autofree char *output = NULL;
  guint i;

  for (i = 0; i < 120; i++)
    {
      gboolean is_leaked = i % 2 == 0;
      guint64 socket = ENDPOINT + i * 0x100;

      story->stack[0] = is_leaked ? 0x7ff700001000 : 0x7ff700002000;
      story->stack[1] = 0x7ff700003000;
      story->stack[2] = 0x7ff700004000;
      story_socket (story, 10 + i * 10, socket, 50000 + i, "192.0.2.1:443");
      if (!is_leaked)
        story_socket_close (story, 15 + i * 10, socket);
    }
  g_assert_true (ns_etl_writer_finish_to_file (story->writer, trace, NULL));
  output = run (trace, "id=D33", "verdict,count,subject,text");
  g_assert_nonnull (strstr (output, "\nfound\t60\t0x7ff700001000\t"));
  g_assert_nonnull (strstr (output, "0x7ff700001000 opened 60 sockets and closed 0;"));
  g_unlink (trace);
  g_rmdir (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-findings/small-sends-are-found-in-the-calls",
                   test_small_sends_are_found_in_the_calls);
  g_test_add_func ("/cli-findings/sockets-that-nobody-closes-are-told-of-with-their-code",
                   test_sockets_that_nobody_closes_are_told_of_with_their_code);
  return g_test_run ();
}

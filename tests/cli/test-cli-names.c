/* Tests the verb dns --tree: a name, the servers tried, the answers, and the addresses used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define NAME "host.test"

typedef struct
{
  char *folder;
  char *trace;
} Fixture;

static void
add_connection (Story *story,
                double ms,
                guint64 tcb,
                const char *local,
                const char *remote,
                guint id)
{
  story_tcp_connect (story, ms, tcb, local, remote);
  story_write (story,
               ms + 5,
               STORY_TCPIP,
               id,
               "AAdddp",
               local,
               remote,
               id == 1033 ? 0 : 0xc0000236,
               story->pid,
               1,
               tcb);
}

/* Writes two DNS servers, of which the first does not respond, and three addresses, of which the
 * second is reachable. */
static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (Story) story = story_new ();

  self->folder = g_dir_make_tmp ("names-XXXXXX", NULL);
  self->trace = g_build_filename (self->folder, "made.etl", NULL);
  story_write (story, 1, STORY_DNS, 3006, "wdqwdddd", NAME, 1, P (0), "", 1, 0, 0, 0);
  story_write (story, 2, STORY_DNS, 3009, "wdddwww", NAME, 0, 0, 1, "LAN", "10.0.0.5", "10.0.0.1;");
  story_write (story, 3, STORY_DNS, 3010, "wdw", NAME, 1, "10.0.0.1");
  story_write (story, 1003, STORY_DNS, 3010, "wdw", "HOST.test", 1, "10.0.0.2");
  /* A query of another type for the same name is another row. */
  story_write (story, 1004, STORY_DNS, 3011, "wdwd", NAME, 28, "10.0.0.1", 0);
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
  add_connection (story, 1020, P (0xa000), "10.0.0.5:50001", "192.0.2.1:443", 1034);
  add_connection (story, 1030, P (0xb000), "10.0.0.5:50002", "192.0.2.2:443", 1033);
  g_assert_true (ns_etl_writer_finish_to_file (story->writer, self->trace, NULL));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_unlink (self->trace);
  g_rmdir (self->folder);
  g_free (self->trace);
  g_free (self->folder);
}

static char *
run (const Fixture *self, const char *option, const char *value, int status)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                              &error,
                              g_getenv ("NETSTITCH_CLI"),
                              "dns",
                              self->trace,
                              "--tree",
                              option,
                              value,
                              NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, status);
  return output;
}

static void
test_the_chain_of_a_name_ends_at_the_address_that_was_reached (Fixture *self, gconstpointer data)
{
  g_autofree char *output = run (self, "--format", "text", 0);
  char *below = strchr (output, '\n');

  g_assert_true (g_str_has_prefix (output, "host.test  A  "));
  g_assert_nonnull (below);
  g_assert_cmpstr (below + 1,
                   ==,
                   "  server  10.0.0.1  LAN  silent\n"
                   "  server  10.0.0.2  answered  7.000 ms\n"
                   "  address 192.0.2.1  failed  tcp 1\n"
                   "  address 192.0.2.2  connected  tcp 2\n"
                   "  address 192.0.2.3\n");
}

static void
test_the_tree_has_a_row_for_each_of_its_lines (Fixture *self, gconstpointer data)
{
  g_autofree char *output = run (self, "--format", "tsv", 0);
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);

  g_assert_cmpstr (lines[0],
                   ==,
                   "dns\tkind\ttext\ttype\tstate\tprocess\topen_ns\tduration_ns\ttcp\tadapter");
  g_assert_cmpuint (g_strv_length (lines), ==, 8);
  g_assert_true (g_str_has_prefix (lines[3], "1\tserver\t10.0.0.2\t\tanswered\t\t"));
  g_assert_true (g_str_has_suffix (lines[3], "\t7000000\t\t"));
  g_assert_true (g_str_has_prefix (lines[5], "1\taddress\t192.0.2.2\t\tconnected\t\t"));
}

static void
test_a_tree_has_no_columns_to_choose (Fixture *self, gconstpointer data)
{
  g_autofree char *output = run (self, "--columns", "query", 2);

  g_assert_cmpstr (output, ==, "");
}

/* The DNS client service and its caller have a row each; the connection depends on both. */
static void
test_a_connection_counts_for_both_rows_of_its_question (Fixture *self, gconstpointer data)
{
  g_autoptr (Story) story = story_new ();
  g_autofree char *output = NULL;
  const char *first;

  story_write (story, 1, STORY_RESOLUTION, 1000, "wwddddd", NAME, "", 0, 0, 0, 0, 0);
  story_write (story, 2, STORY_DNS, 3006, "wdqwdddd", NAME, 1, P (0), "", 1, 0, 0, 0);
  story_write (story, 8, STORY_DNS, 3008, "wdqdw", NAME, 1, P (0), 0, "192.0.2.2;");
  story_write (story, 9, STORY_RESOLUTION, 1001, "wdw", NAME, 0, "192.0.2.2;");
  add_connection (story, 10, P (0xb000), "10.0.0.5:50002", "192.0.2.2:443", 1033);
  g_assert_true (ns_etl_writer_finish_to_file (story->writer, self->trace, NULL));
  output = run (self, "--format", "text", 0);
  first = strstr (output, "  address 192.0.2.2  connected  tcp 1\n");
  g_assert_nonnull (first);
  g_assert_nonnull (strstr (first + 1, "  address 192.0.2.2  connected  tcp 1\n"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test) g_test_add ("/cli-names/" name, Fixture, NULL, set_up, test, tear_down)
  ADD ("the-chain-of-a-name-ends-at-the-address-that-was-reached",
       test_the_chain_of_a_name_ends_at_the_address_that_was_reached);
  ADD ("the-tree-has-a-row-for-each-of-its-lines", test_the_tree_has_a_row_for_each_of_its_lines);
  ADD ("a-tree-has-no-columns-to-choose", test_a_tree_has_no_columns_to_choose);
  ADD ("a-connection-counts-for-both-rows-of-its-question",
       test_a_connection_counts_for_both_rows_of_its_question);
#undef ADD
  return g_test_run ();
}

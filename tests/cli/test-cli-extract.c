/* Tests forked processes, and the one that reads the traces of `extract`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-extract.h"
#include "cli/ns-cli-process.h"
#include "story.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WRITTEN_LATE "written by the process that forked"

static char *
read_all (int fd)
{
  GString *text = g_string_new (NULL);
  char piece[256];
  gssize n;

  while ((n = read (fd, piece, sizeof piece)) > 0)
    g_string_append_len (text, piece, n);
  return g_string_free (text, FALSE);
}

/* Runs a process to its end. Returns what it wrote; (transfer full). */
static char *
run (NsCliProcessFunc func, gpointer user_data, const char *input, gsize n_bytes, int *status)
{
  g_autoptr (GError) error = NULL;
  NsCliProcess process;
  char *output;

  g_assert_true (ns_cli_process_start (&process, func, user_data, &error));
  g_assert_no_error (error);
  g_assert_cmpint (write (process.to, input, n_bytes), ==, n_bytes);
  ns_cli_process_close_input (&process);
  output = read_all (process.from);
  *status = ns_cli_process_wait (&process);
  g_assert_cmpint (process.pid, ==, 0);
  return output;
}

static int
copy_cb (gpointer user_data)
{
  g_autofree char *input = read_all (STDIN_FILENO);

  return write (STDOUT_FILENO, input, strlen (input)) < 0 ? 1 : GPOINTER_TO_INT (user_data);
}

static void
test_status (void)
{
  int status;
  g_autofree char *output = run (copy_cb, GINT_TO_POINTER (42), "bytes", 5, &status);

  g_assert_cmpstr (output, ==, "bytes");
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 42);
}

static int
kill_cb (gpointer user_data)
{
  raise (GPOINTER_TO_INT (user_data));
  return 0;
}

static void
test_signal (void)
{
  int status;
  g_autofree char *output = run (kill_cb, GINT_TO_POINTER (SIGKILL), "", 0, &status);

  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpint (WTERMSIG (status), ==, SIGKILL);
}

/* Reports which files are open, but for those of the stop pipe. */
static int
list_cb (gpointer user_data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  int fd;

  for (fd = 0; fd < 1000; fd++)
    if (fcntl (fd, F_GETFD) >= 0 && fd != ns_cli_get_stop_fd () && fd != ns_cli_get_stop_fd () + 1)
      g_string_append_printf (text, "%d ", fd);
  return write (STDOUT_FILENO, text->str, text->len) < 0;
}

static void
test_files (void)
{
  int other = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  int inherited = fcntl (other, F_DUPFD, 100);
  NsCliProcess waiting;
  g_autofree char *output = NULL;
  int status;

  /* Neither files of the test nor the pipes of another process. */
  g_assert_true (ns_cli_process_start (&waiting, copy_cb, NULL, NULL));
  output = run (list_cb, NULL, "", 0, &status);
  g_assert_cmpstr (output, ==, "0 1 2 ");
  g_assert_cmpint (ns_cli_process_wait (&waiting), ==, 0);
  close (other);
  close (inherited);
}

static int
sleep_cb (gpointer user_data)
{
  GPollFD stop = { ns_cli_get_stop_fd (), G_IO_IN, 0 };
  char c;

  if (write (STDOUT_FILENO, "ready", 5) < 0)
    return 1;
  while (!ns_cli_is_stopped () && read (STDIN_FILENO, &c, 1) != 0)
    ;
  g_poll (&stop, 1, 0);
  return ns_cli_is_stopped () && stop.revents == G_IO_IN ? 7 : 0;
}

/* A signal for the forked process stops only that one. */
static void
test_stop (void)
{
  GPollFD stop = { ns_cli_get_stop_fd (), G_IO_IN, 0 };
  NsCliProcess process;
  char word[5];
  int status;

  g_assert_true (ns_cli_process_start (&process, sleep_cb, NULL, NULL));
  g_assert_cmpint (read (process.from, word, sizeof word), ==, sizeof word);
  kill (process.pid, SIGTERM);
  status = ns_cli_process_wait (&process);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 7);
  g_assert_false (ns_cli_is_stopped ());
  g_assert_cmpint (g_poll (&stop, 1, 0), ==, 0);
}

static void
exit_cb (void)
{
  fputs ("a handler of the process that forked\n", stdout);
}

static int
nothing_cb (gpointer user_data)
{
  return 0;
}

static int
fork_cb (gpointer user_data)
{
  g_autofree char *output = NULL;
  NsCliProcess process;

  atexit (exit_cb);
#ifndef __SANITIZE_THREAD__ /* which writes it, also at _exit() */
  fputs (WRITTEN_LATE, stdout);
#endif
  if (!ns_cli_process_start (&process, nothing_cb, NULL, NULL))
    return 1;
  output = read_all (process.from);
  return *output != '\0' || ns_cli_process_wait (&process) != 0 ? 2 : 0;
}

/* What is buffered for standard output, and handlers of the exit, stay with the process that
 * forked. */
static void
test_exit (void)
{
  int status;
  g_autofree char *output = run (fork_cb, NULL, "", 0, &status);

  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (output, ==, "");
}

static int
work_cb (gpointer user_data)
{
  return ns_cli_extract_work (user_data);
}

/* Lists the files below a folder. */
static void
list_files (const char *folder, GPtrArray *paths)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        list_files (path, paths);
      g_ptr_array_add (paths, path);
    }
  if (dir != NULL)
    g_dir_close (dir);
}

static void
assert_is_no_path (const char *folder, const char *trace, const char *word)
{
  static const NsCliVerb verb = { .name = "extract",
                                  .takes = NS_CLI_TAKES_EXTRACT,
                                  .max_files = NS_CLI_ANY_FILES };
  g_autofree char *to = g_build_filename (folder, "a", "b", "c", NULL);
  char *arguments[] = { (char *) "--to", to, (char *) "--as", (char *) "jsonl" };
  g_autoptr (GString) input = g_string_new (trace);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *activities = g_build_filename (to, "activities", NULL);
  g_autofree char *output = NULL;
  NsCli cli = { .verb = &verb, .view = ns_view_context_new () };
  guint n_files = 0;
  int status;
  guint i;

  g_assert_true (
      ns_cli_options_parse (&cli.options, &verb, G_N_ELEMENTS (arguments), arguments, NULL));
  ns_view_context_set_secrets (cli.view, ns_secrets_new (FALSE));
  ns_view_context_set_thresholds (cli.view, ns_thresholds_new ());
  g_string_append_len (input, "\0n", 3);
  g_string_append_len (input, word, (gssize) strlen (word) + 1);
  g_string_append_printf (input, "%s", "18446744073709551616");
  g_string_append_c (input, '\0');
  output = run (work_cb, &cli, input->str, input->len, &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_true (g_str_has_prefix (output, NS_CLI_WORKER_WRITTEN));
  list_files (folder, paths);
  for (i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);

      g_assert_null (strstr (path, word));
      g_assert_true (path == strstr (path, to) || g_str_has_prefix (to, path));
      if (!g_str_has_prefix (path, activities) || g_file_test (path, G_FILE_TEST_IS_DIR))
        continue;
      n_files++;
      g_assert_true (g_regex_match_simple ("-[0-9a-f]{32}\\.jsonl$", path, 0, 0));
    }
  g_assert_cmpuint (n_files, ==, 1);
  for (i = 0; i < paths->len; i++)
    g_remove (g_ptr_array_index (paths, i));
  ns_view_context_unref (cli.view);
  ns_cli_options_clear (&cli.options);
}

/* An ID on the input of a worker is no path. */
static void
test_id (void)
{
  static const char *const words[] = { "../../../etc/x",
                                       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                                       "0000000000000000000000000000000",
                                       "000000000000000000000000000000000",
                                       "/0000000000000000000000000000000" };
  g_autoptr (Story) story = story_new ();
  g_autofree char *folder = g_dir_make_tmp ("extract-XXXXXX", NULL);
  g_autofree char *to = g_build_filename (folder, "to", NULL);
  g_autofree char *trace = g_build_filename (folder, "made.etl", NULL);
  guint i;

  story_tcp_connect (story, 10, P (0xffffaa0000001000), STORY_HERE, STORY_THERE);
  g_assert_true (ns_etl_writer_finish_to_file (story->writer, trace, NULL));
  for (i = 0; i < G_N_ELEMENTS (words); i++)
    assert_is_no_path (to, trace, words[i]);
  g_remove (trace);
  g_rmdir (to);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ns_cli_install_signals ();
  g_test_add_func ("/cli/process/status", test_status);
  g_test_add_func ("/cli/process/signal", test_signal);
  g_test_add_func ("/cli/process/files", test_files);
  g_test_add_func ("/cli/process/stop", test_stop);
  g_test_add_func ("/cli/process/exit", test_exit);
  g_test_add_func ("/cli/extract/id", test_id);
  return g_test_run ();
}

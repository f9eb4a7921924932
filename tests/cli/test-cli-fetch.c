/* Tests the download of symbols from the command line, with a server on this machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-folder.h"
#include "ns-test-pdb.h"
#include "ns-test-server.h"
#include "stitch-fixture.h"

#include <gio/gio.h>
#include <signal.h>

#define ROW "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2"
#define EXE_BASE 0x7ff600000000

/* Writes a trace whose program matches the symbols on the server, identified by a debug ID
 * event. */
static char *
write_trace (NsTestFolder *folder)
{
  static const NsEtlWriterOptions options = { 0 };
  static const NsGuid image_id =
      NS_GUID_INIT (0xb3e675d7, 0x2554, 0x4f18, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde);
  NsGuid guid = NS_TEST_PDB_GUID;
  NsEtlWriter *writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterFull record = { .raw = ns_etl_writer_get_base_raw (writer),
                             .guid = image_id,
                             .opcode = 36,
                             .version = 2,
                             .payload = payload };
  g_autoptr (GBytes) bytes = NULL;

  stitch_images_write (writer);
  stitch_script_write (writer, ROW);
  ns_etl_bytes_u64 (payload, EXE_BASE);
  ns_etl_bytes_u32 (payload, STITCH_PID);
  ns_etl_bytes_guid (payload, &guid);
  ns_etl_bytes_u32 (payload, NS_TEST_PDB_AGE);
  ns_etl_bytes_astr (payload, "app.pdb");
  g_assert_true (ns_etl_writer_add_full (writer, &record));
  bytes = ns_etl_writer_finish (writer);
  ns_test_folder_write (folder,
                        "trace.etl",
                        g_bytes_get_data (bytes, NULL),
                        (gssize) g_bytes_get_size (bytes));
  ns_etl_writer_free (writer);
  return g_build_filename (folder->root, "trace.etl", NULL);
}

/* Runs the program with its own cache and environment. */
static GSubprocess *
run (NsTestFolder *folder, const char *symbol_path, const char *const *arguments)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  g_subprocess_launcher_setenv (launcher, "XDG_CACHE_HOME", folder->cache, TRUE);
  g_subprocess_launcher_setenv (launcher, "GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_subprocess_launcher_unsetenv (launcher, "_NT_ALT_SYMBOL_PATH");
  if (symbol_path != NULL)
    g_subprocess_launcher_setenv (launcher, "_NT_SYMBOL_PATH", symbol_path, TRUE);
  else
    g_subprocess_launcher_unsetenv (launcher, "_NT_SYMBOL_PATH");
  process = g_subprocess_launcher_spawnv (launcher, arguments, &error);
  g_assert_no_error (error);
  return process;
}

static char *
dup_path (const NsTestServer *server)
{
  return g_strdup_printf ("srv**%s", server->uri);
}

static void
test_names_come_with_progress (void)
{
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autofree char *trace = write_trace (folder);
  g_autofree char *path = dup_path (server);
  const char *const arguments[] = {
    g_getenv ("NETSTITCH_CLI"), "stacks", trace, "--symbols", path, "--progress", NULL
  };
  g_autoptr (GSubprocess) process = run (folder, NULL, arguments);
  g_autofree char *output = NULL;
  g_autofree char *errors = NULL;
  g_autofree char *cached = NULL;

  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, &errors, NULL));
  cached = ns_test_folder_list (folder->cache);
  g_assert_true (g_subprocess_get_successful (process));
  g_assert_nonnull (strstr (output, "app.exe!outer::work+0x35"));
  g_assert_nonnull (strstr (errors, "100 % · "));
  g_assert_nonnull (strstr (errors, " · app.exe"));
  g_assert_cmpstr (cached, ==, "netstitch/symbols/app.pdb/" NS_TEST_PDB_KEY "/app.pdb ");
}

/* Ctrl+C while the server delays its response. */
static void
test_an_interrupt_ends_it (void)
{
  static const char *const verbs[] = { "symbols", "stacks" };

  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    {
      g_autoptr (NsTestServer) server = ns_test_server_new ();
      g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
      g_autofree char *trace = write_trace (folder);
      g_autofree char *path = dup_path (server);
      g_autofree char *result = g_build_filename (folder->root, "result.txt", NULL);
      const char *const arguments[] = {
        g_getenv ("NETSTITCH_CLI"), verbs[i], trace, "--symbols", path, "-o", result, NULL
      };
      g_autoptr (GSubprocess) process = NULL;
      g_autofree char *errors = NULL;
      g_autofree char *cached = NULL;
      gint64 begin_us;

      g_atomic_int_set (&server->answer, NS_TEST_ANSWER_STALL);
      process = run (folder, NULL, arguments);
      ns_test_server_wait_for_request (server);
      begin_us = g_get_monotonic_time ();
      g_subprocess_send_signal (process, SIGINT);
      g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &errors, NULL));
      g_test_message ("%s: ended after %.1f ms",
                      verbs[i],
                      (double) (g_get_monotonic_time () - begin_us) / 1000);
      cached = ns_test_folder_list (folder->cache);
      g_assert_false (g_subprocess_get_successful (process));
      g_assert_cmpstr (errors, ==, "netstitch-cli: stopped\n");
      g_assert_cmpstr (cached, ==, "");
      g_assert_false (g_file_test (result, G_FILE_TEST_EXISTS));
    }
}

/* Returns the socket calls of a run under strace, or %NULL if strace is missing or not
 * permitted. */
static char *
run_traced (NsTestFolder *folder,
            const char *symbol_path,
            const char *const *arguments,
            char **output)
{
  g_autofree char *strace = g_find_program_in_path ("strace");
  g_autofree char *log = g_build_filename (folder->root, "log.txt", NULL);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  char *calls = NULL;

  if (strace != NULL)
    {
      g_ptr_array_add (words, strace);
      g_ptr_array_add (words, (char *) "-f");
      g_ptr_array_add (words, (char *) "-etrace=network");
      g_ptr_array_add (words, (char *) "-o");
      g_ptr_array_add (words, log);
    }
  g_ptr_array_add (words, (char *) "env");
  g_ptr_array_add (
      words,
      (char *) "ASAN_OPTIONS=detect_leaks=0"); /* LeakSanitizer does not run under strace */
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (words, (char *) arguments[i]);
  g_ptr_array_add (words, NULL);
  process = run (folder, symbol_path, (const char *const *) words->pdata);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, output, NULL, NULL));
  if (strace == NULL)
    g_assert_true (g_subprocess_get_successful (process));
  else if (g_file_get_contents (log, &calls, NULL, NULL))
    g_assert_nonnull (strstr (calls, "exited"));
  else
    g_test_message ("strace may not trace here");
  return calls;
}

/* A server address in the environment is not consent: no request is sent and, by strace, no socket
 * is opened. */
static void
test_no_socket_without_consent (void)
{
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autofree char *trace = write_trace (folder);
  g_autofree char *path = dup_path (server);
  const char *const arguments[] = { g_getenv ("NETSTITCH_CLI"), "symbols", trace, NULL };
  g_autofree char *output = NULL;
  g_autofree char *calls = run_traced (folder, path, arguments, &output);
  g_autofree char *asked = ns_test_server_take_requests (server);

  g_assert_nonnull (strstr (output, "refused"));
  g_assert_cmpstr (asked, ==, "");
  if (calls != NULL)
    g_assert_null (strstr (calls, "AF_INET"));
}

/* The user agreed to the server, but cached and unavailable symbols need no request. */
static void
test_no_socket_for_cached_symbols (void)
{
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsTestFolder) other = ns_test_folder_new ();
  g_autofree char *trace = write_trace (folder);
  g_autofree char *path = dup_path (server);
  const char *const online[] = {
    g_getenv ("NETSTITCH_CLI"), "stacks", trace, "--symbols", path, NULL
  };
  const char *const cached[] = {
    g_getenv ("NETSTITCH_CLI"), "stacks", trace, "--symbols", path, "--cached-only", NULL
  };

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *output = NULL;
      g_autofree char *calls =
          run_traced (i == 2 ? other : folder, NULL, i == 0 ? online : cached, &output);
      g_autofree char *asked = ns_test_server_take_requests (server);

      g_assert_cmpint (strstr (output, "app.exe!outer::work+0x35") != NULL, ==, i < 2);
      g_assert_cmpint (*asked != '\0', ==, i == 0);
      if (calls != NULL)
        g_assert_cmpint (strstr (calls, "AF_INET") != NULL, ==, i == 0);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/cli-fetch/names-come-with-progress", test_names_come_with_progress);
  g_test_add_func ("/cli-fetch/an-interrupt-ends-it", test_an_interrupt_ends_it);
  g_test_add_func ("/cli-fetch/no-socket-without-consent", test_no_socket_without_consent);
  g_test_add_func ("/cli-fetch/no-socket-for-cached-symbols", test_no_socket_for_cached_symbols);
  return g_test_run ();
}

/* Tests the progress that the window shows while symbols download.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-symbol-job.h"
#include "ns-test-folder.h"
#include "ns-test-pdb.h"
#include "ns-test-server.h"
#include "stitch-fixture.h"

#define ROWS "10:1:NET 'S1"

static NsSession *
session_new (void)
{
  NsTrace *trace = stitch_trace_new (ROWS);
  NsGuid guid = NS_TEST_PDB_GUID;

  for (guint i = 0; i < trace->images->len; i++)
    {
      NsImageRow *image = &g_array_index (trace->images, NsImageRow, i);

      if (g_strcmp0 (ns_trace_text (trace, image->name), "app.exe") != 0)
        continue;
      image->pdb = ns_strings_add (trace->strings, "app.pdb");
      image->guid = guid;
      image->age = NS_TEST_PDB_AGE;
      image->has_guid = TRUE;
    }
  return ns_session_new (trace, NULL);
}

/* Waits for the state of the only module; otherwise the test times out. */
static void
wait_for_state (NsSymbolJob *job, NsModuleState state)
{
  for (;;)
    {
      g_autoptr (GPtrArray) modules = ns_symbol_job_list_modules (job);

      for (guint i = 0; i < modules->len; i++)
        {
          const NsSymbolModule *module = g_ptr_array_index (modules, i);

          if (strcmp (module->name, "app.exe") == 0 && module->info.state == state)
            return;
        }
      g_main_context_iteration (NULL, FALSE);
      g_thread_yield ();
    }
}

static gboolean
is_named (NsSymbolJob *job)
{
  gboolean is_so;

  g_free (ns_symbol_job_name_frame (job, STITCH_PID, 0x7ff600001045, 0, TRUE, &is_so));
  return is_so;
}

static void
ask (NsSymbolJob *job)
{
  g_assert_false (is_named (job));
}

static void
test_what_is_fetched_is_told (void)
{
  const char *const agreed[] = { "127.0.0.1", NULL };
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autofree char *path = g_strdup_printf ("srv**%s", server->uri);
  NsSymbolSettings settings = { .path = path, .cache_folder = folder->cache, .servers = agreed };
  g_autoptr (NsSession) session = session_new ();
  NsSymbolJob *job;
  NsSymbolModule first;
  gint64 begin_us;

  g_atomic_int_set (&server->answer, NS_TEST_ANSWER_STALL);
  ns_view_context_set_symbols (ns_session_get_trace (session)->view, &settings);
  job = ns_symbol_job_get_for_session (session);
  g_assert_cmpuint (ns_symbol_job_count_fetching (job, &first), ==, 0);
  ask (job);
  ns_test_server_wait_for_request (server);
  g_assert_cmpuint (ns_symbol_job_count_fetching (job, &first), ==, 1);
  g_assert_cmpstr (first.name, ==, "app.exe");
  g_assert_cmpstr (first.info.reason, ==, server->uri);
  ns_symbol_module_clear (&first);
  begin_us = g_get_monotonic_time ();
  ns_symbol_job_stop (job);
  wait_for_state (job, NS_MODULE_WAITING);
  g_test_message ("stopped after %.1f ms", (double) (g_get_monotonic_time () - begin_us) / 1000);
  g_assert_cmpuint (ns_symbol_job_count_fetching (job, &first), ==, 0);
  ns_symbol_module_clear (&first);
}

static void
test_each_host_is_agreed_to (void)
{
  const char *const other[] = { "other.example.com", NULL };
  const char *const agreed[] = { "127.0.0.1", NULL };
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autofree char *path = g_strdup_printf ("srv**%s", server->uri);
  NsSymbolSettings settings = { .path = path, .cache_folder = folder->cache, .servers = other };
  g_autoptr (NsSession) session = session_new ();
  NsSymbolJob *job;
  g_autofree char *asked = NULL;

  ns_view_context_set_symbols (ns_session_get_trace (session)->view, &settings);
  job = ns_symbol_job_get_for_session (session);
  ask (job);
  wait_for_state (job, NS_MODULE_REFUSED);
  asked = ns_test_server_take_requests (server);
  g_assert_cmpstr (asked, ==, "");
  /* The user agrees to the server and retries. */
  settings.servers = agreed;
  ns_view_context_set_symbols (ns_session_get_trace (session)->view, &settings);
  ns_symbol_job_configure (job);
  ask (job);
  wait_for_state (job, NS_MODULE_FOUND);
}

/* One module is retried without the others, and views that wait for its names are updated. */
static void
test_one_module_is_looked_for_again (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  NsSymbolSettings settings = { .path = folder->root, .cache_folder = folder->cache };
  g_autoptr (NsSession) session = session_new ();
  NsSymbolJob *job;
  guint n_named;
  guint n_asked;

  ns_view_context_set_symbols (ns_session_get_trace (session)->view, &settings);
  job = ns_symbol_job_get_for_session (session);
  ask (job);
  wait_for_state (job, NS_MODULE_NOT_FOUND);
  ns_test_folder_write_pdb (folder, "app.pdb");
  /* A retry needs a request of the user. */
  ask (job);
  ns_symbol_job_retry_module (job, 0);
  /* No second request is sent. */
  do
    {
      g_main_context_iteration (NULL, FALSE);
      g_thread_yield ();
      ns_symbol_job_count (job, &n_named, &n_asked);
    }
  while (n_named == 0);
  g_assert_cmpuint (n_asked, ==, 1);
  g_assert_true (is_named (job));
  wait_for_state (job, NS_MODULE_FOUND);
}

/* A module that the server lacked, or whose download was cancelled, can be retried. */
static void
test_one_module_is_asked_for_again (void)
{
  const char *const agreed[] = { "127.0.0.1", NULL };
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autofree char *path = g_strdup_printf ("srv**%s", server->uri);
  NsSymbolSettings settings = { .path = path, .cache_folder = folder->cache, .servers = agreed };
  g_autoptr (NsSession) session = session_new ();
  NsSymbolJob *job;

  g_atomic_int_set (&server->answer, NS_TEST_ANSWER_NOT_FOUND);
  ns_view_context_set_symbols (ns_session_get_trace (session)->view, &settings);
  job = ns_symbol_job_get_for_session (session);
  ask (job);
  wait_for_state (job, NS_MODULE_NOT_FOUND);
  ns_symbol_job_stop (job);
  g_atomic_int_set (&server->answer, NS_TEST_ANSWER_GOOD);
  ns_symbol_job_retry_module (job, 0);
  wait_for_state (job, NS_MODULE_FOUND);
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_unsetenv ("_NT_SYMBOL_PATH");
  g_unsetenv ("_NT_ALT_SYMBOL_PATH");
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/symbol-fetch/what-is-fetched-is-told", test_what_is_fetched_is_told);
  g_test_add_func ("/symbol-fetch/each-host-is-agreed-to", test_each_host_is_agreed_to);
  g_test_add_func ("/symbol-fetch/one-module-is-looked-for-again",
                   test_one_module_is_looked_for_again);
  g_test_add_func ("/symbol-fetch/one-module-is-asked-for-again",
                   test_one_module_is_asked_for_again);
  return g_test_run ();
}

/* Tests downloads from a local server, well-behaved and misbehaving.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-folder.h"
#include "ns-test-pdb.h"
#include "ns-test-server.h"
#include "symbols/ns-symbol-server.h"

#include <sys/resource.h>

#define FOUND "found outer::other+0x4"

static NsResolver *
new_resolver (NsTestServer *server, NsTestFolder *folder, gboolean allow_network)
{
  g_autofree char *path = g_strdup_printf ("srv**%s", server->uri);
  NsResolverOptions options = { .path = path,
                                .cache_folder = folder->cache,
                                .allow_network = allow_network };

  return ns_resolver_new (&options);
}

/* Searches a PDB with an empty cache, and asserts that the cache has @files afterwards. */
static void
assert_answer (NsTestAnswer answer,
               const char *pdb,
               const char *state,
               const char *requests,
               const char *files)
{
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsResolver) resolver = new_resolver (server, folder, TRUE);
  g_autofree char *got = NULL;
  g_autofree char *asked = NULL;
  g_autofree char *cached = NULL;

  g_atomic_int_set (&server->answer, (gint) answer);
  got = ns_test_resolve (resolver, pdb);
  asked = ns_test_server_take_requests (server);
  cached = ns_test_folder_list (folder->cache);
  g_assert_cmpstr (got, ==, state);
  g_assert_cmpstr (asked, ==, requests);
  g_assert_cmpstr (cached, ==, files);
}

#define IN_STORE "/app.pdb/" NS_TEST_PDB_KEY "/app.pdb "
#define IN_CACHE "app.pdb/" NS_TEST_PDB_KEY "/app.pdb "

static void
test_fetches_and_keeps (void)
{
  assert_answer (NS_TEST_ANSWER_GOOD, "C:\\b\\app.pdb", FOUND, IN_STORE, IN_CACHE);
  assert_answer (NS_TEST_ANSWER_PACKED, "app.pdb", FOUND, IN_STORE, IN_CACHE);
  assert_answer (NS_TEST_ANSWER_REDIRECT, "app.pdb", FOUND, IN_STORE "/moved ", IN_CACHE);
}

static void
test_keeps_nothing_wrong (void)
{
  assert_answer (NS_TEST_ANSWER_PAGE, "app.pdb", "failed", IN_STORE, "");
  assert_answer (NS_TEST_ANSWER_TEXT, "app.pdb", "failed", IN_STORE, "");
  assert_answer (NS_TEST_ANSWER_OTHER_BUILD, "app.pdb", "no match", IN_STORE, "");
  assert_answer (NS_TEST_ANSWER_EMPTY, "app.pdb", "failed", IN_STORE, "");
  assert_answer (NS_TEST_ANSWER_ERROR, "app.pdb", "failed", IN_STORE IN_STORE, "");
  assert_answer (NS_TEST_ANSWER_LATER, "app.pdb", "failed", IN_STORE, "");
  assert_answer (NS_TEST_ANSWER_LOGIN, "app.pdb", "failed", IN_STORE, "");
  assert_answer (NS_TEST_ANSWER_UNSAFE, "app.pdb", "refused", IN_STORE, "");
  assert_answer (NS_TEST_ANSWER_CUT, "app.pdb", "failed", IN_STORE, "");
  assert_answer (NS_TEST_ANSWER_CIRCLE,
                 "app.pdb",
                 "failed",
                 IN_STORE "/again /again /again /again /again ",
                 "");
}

/* Limits downloads to the file size plus @n_more bytes. */
static void
assert_limit (NsTestAnswer answer, int n_more, const char *state, const char *files)
{
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autofree char *path = g_strdup_printf ("srv**%s", server->uri);
  NsResolverOptions options = { .path = path,
                                .cache_folder = folder->cache,
                                .allow_network = TRUE,
                                .max_download_bytes =
                                    (guint64) ((int) server->good->len + n_more) };
  g_autoptr (NsResolver) resolver = ns_resolver_new (&options);
  g_autofree char *got = NULL;
  g_autofree char *cached = NULL;

  g_atomic_int_set (&server->answer, (gint) answer);
  got = ns_test_resolve (resolver, "app.pdb");
  cached = ns_test_folder_list (folder->cache);
  g_assert_cmpstr (got, ==, state);
  g_assert_cmpstr (cached, ==, files);
}

/* Checked against the announced size and during the download; a compressed transfer is shorter than
 * the file. */
static void
test_fetches_so_much_only (void)
{
  assert_limit (NS_TEST_ANSWER_GOOD, 0, FOUND, IN_CACHE);
  assert_limit (NS_TEST_ANSWER_GOOD, -1, "failed", "");
  assert_limit (NS_TEST_ANSWER_PACKED, 0, FOUND, IN_CACHE);
  assert_limit (NS_TEST_ANSWER_PACKED, -1, "failed", "");
}

static void
test_asks_nothing_without_consent (void)
{
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsResolver) resolver = new_resolver (server, folder, FALSE);
  g_autofree char *got = ns_test_resolve (resolver, "app.pdb");
  g_autofree char *asked = ns_test_server_take_requests (server);

  g_assert_cmpstr (got, ==, "refused");
  g_assert_cmpstr (asked, ==, "");
}

static void
test_remembers_what_is_missing (void)
{
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  const char *const wanted[] = { IN_STORE "/app.pdb/" NS_TEST_PDB_KEY "/app.pd_ ", "" };

  g_atomic_int_set (&server->answer, NS_TEST_ANSWER_NOT_FOUND);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (NsResolver) resolver = new_resolver (server, folder, TRUE);
      g_autofree char *got = ns_test_resolve (resolver, "app.pdb");
      g_autofree char *asked = ns_test_server_take_requests (server);

      g_assert_cmpstr (got, ==, "not found");
      g_assert_cmpstr (asked, ==, wanted[i]);
      if (i == 1)
        {
          g_autofree char *later = NULL;

          g_atomic_int_set (&server->answer, NS_TEST_ANSWER_GOOD);
          ns_resolver_retry (resolver);
          later = ns_test_resolve (resolver, "app.pdb");
          g_assert_cmpstr (later, ==, FOUND);
        }
    }
}

static void
test_uses_the_cache_first (void)
{
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (NsResolver) resolver = new_resolver (server, folder, i == 0);
      g_autofree char *got = ns_test_resolve (resolver, "app.pdb");
      g_autofree char *asked = ns_test_server_take_requests (server);

      g_assert_cmpstr (got, ==, FOUND);
      g_assert_cmpstr (asked, ==, i == 0 ? IN_STORE : "");
    }
}

/* Returns the number of requests for five modules that are all answered with @answer. */
static guint
count_requests (NsTestAnswer answer, const char *state)
{
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsResolver) resolver = new_resolver (server, folder, TRUE);
  g_autofree char *asked = NULL;
  guint n = 0;

  g_atomic_int_set (&server->answer, (gint) answer);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *pdb = g_strdup_printf ("app%u.pdb", i);
      g_autofree char *got = ns_test_resolve (resolver, pdb);

      g_assert_cmpstr (got, ==, state);
    }
  asked = ns_test_server_take_requests (server);
  for (const char *p = asked; *p != '\0'; p++)
    n += *p == ' ';
  return n;
}

static void
test_backs_off (void)
{
  /* Retry-After, and a login requirement: no further requests. */
  g_assert_cmpuint (count_requests (NS_TEST_ANSWER_LATER, "failed"), ==, 1);
  g_assert_cmpuint (count_requests (NS_TEST_ANSWER_LOGIN, "failed"), ==, 1);
  /* Two attempts each, and none after three failures. */
  g_assert_cmpuint (count_requests (NS_TEST_ANSWER_ERROR, "failed"), ==, 6);
  /* A missing file is no failure: two requests per module, plain and compressed. */
  g_assert_cmpuint (count_requests (NS_TEST_ANSWER_NOT_FOUND, "not found"), ==, 10);
}

/* Cancels after the server received the request, and waits for the end. */
static void
test_stops (void)
{
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsResolver) resolver = new_resolver (server, folder, TRUE);
  NsSymbolId id = { "app.exe", "app.pdb", NS_TEST_PDB_GUID, NS_TEST_PDB_AGE, TRUE, 0, 0 };
  g_auto (NsModuleInfo) info = { 0 };
  g_autofree char *cached = NULL;
  guint module = ns_resolver_add (resolver, &id);
  gint64 begin_us;

  g_atomic_int_set (&server->answer, NS_TEST_ANSWER_STALL);
  ns_resolver_request (resolver, module);
  ns_test_server_wait_for_request (server);
  begin_us = g_get_monotonic_time ();
  ns_resolver_cancel (resolver);
  ns_resolver_load (resolver, module);
  g_test_message ("stopped after %.1f ms", (double) (g_get_monotonic_time () - begin_us) / 1000);
  ns_resolver_get_info (resolver, module, &info);
  cached = ns_test_folder_list (folder->cache);
  g_assert_cmpint (info.state, ==, NS_MODULE_WAITING);
  g_assert_cmpstr (cached, ==, "");
}

/* Records the nice value of the thread that makes the request and calls back. */
static void
note_nice_cb (NsResolver *resolver, guint module, gpointer user_data)
{
  gint *nice = user_data;

  g_atomic_int_set (nice, MAX (g_atomic_int_get (nice), getpriority (PRIO_PROCESS, 0)));
}

/* Shared threads keep their normal priority, because only root could raise it again for threads
 * started from a nice one. */
static void
test_may_begin_shared_threads_while_it_asks (void)
{
  g_autoptr (NsTestServer) server = ns_test_server_new ();
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsResolver) resolver = new_resolver (server, folder, TRUE);
  NsSymbolId id = { "app.exe", "app.pdb", NS_TEST_PDB_GUID, NS_TEST_PDB_AGE, TRUE, 0, 0 };
  g_auto (NsModuleInfo) info = { 0 };
  guint module = ns_resolver_add (resolver, &id);
  gint nice = -20;

  g_atomic_int_set (&server->answer, NS_TEST_ANSWER_PACKED);
  ns_resolver_set_func (resolver, note_nice_cb, &nice);
  ns_resolver_request (resolver, module);
  ns_resolver_load (resolver, module);
  ns_resolver_stop (resolver);
  ns_resolver_get_info (resolver, module, &info);
  g_assert_cmpint (info.state, ==, NS_MODULE_FOUND);
  g_assert_cmpint (nice, ==, getpriority (PRIO_PROCESS, 0));
}

static void
test_addresses (void)
{
  g_autofree char *plain = ns_symbol_server_build_uri ("https://x.org/s/", "a.pdb", "K1", "a.pdb");
  g_autofree char *query =
      ns_symbol_server_build_uri ("https://x.org/s?sas=1", "a b.pdb", "K1", "a b.pd_");

  g_assert_cmpstr (plain, ==, "https://x.org/s/a.pdb/K1/a.pdb");
  g_assert_cmpstr (query, ==, "https://x.org/s/a%20b.pdb/K1/a%20b.pd_?sas=1");
}

int
main (int argc, char *argv[])
{
  /* The proxy settings of the desktop are not available with an isolated configuration. */
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/symbol-server/fetches-and-keeps", test_fetches_and_keeps);
  g_test_add_func ("/symbol-server/keeps-nothing-wrong", test_keeps_nothing_wrong);
  g_test_add_func ("/symbol-server/fetches-so-much-only", test_fetches_so_much_only);
  g_test_add_func ("/symbol-server/asks-nothing-without-consent",
                   test_asks_nothing_without_consent);
  g_test_add_func ("/symbol-server/remembers-what-is-missing", test_remembers_what_is_missing);
  g_test_add_func ("/symbol-server/uses-the-cache-first", test_uses_the_cache_first);
  g_test_add_func ("/symbol-server/backs-off", test_backs_off);
  g_test_add_func ("/symbol-server/stops", test_stops);
  g_test_add_func ("/symbol-server/may-begin-shared-threads-while-it-asks",
                   test_may_begin_shared_threads_while_it_asks);
  g_test_add_func ("/symbol-server/addresses", test_addresses);
  return g_test_run ();
}

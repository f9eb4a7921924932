/* Tests the search for symbols in folders and stores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-folder.h"
#include "ns-test-pdb.h"
#include "symbols/ns-pe.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define FOUND "found outer::other+0x4"

static NsResolver *
new_resolver (NsTestFolder *folder, const char *format)
{
  g_auto (GStrv) parts = g_strsplit (format, "ROOT", -1);
  g_autofree char *path = g_strjoinv (folder->root, parts);
  NsResolverOptions options = { .path = path, .cache_folder = folder->cache };

  return ns_resolver_new (&options);
}

static void
assert_resolves (NsTestFolder *folder, const char *path, const char *pdb, const char *wanted)
{
  g_autoptr (NsResolver) resolver = new_resolver (folder, path);
  g_autofree char *got = ns_test_resolve (resolver, pdb);

  g_assert_cmpstr (got, ==, wanted);
}

static void
test_plain_folders (void)
{
  static const char *const places[] = {
    "s/app.pdb",
    "s/APP.PDB",
    "s/app.pdb/" NS_TEST_PDB_KEY "/app.pdb",
    "s/ap/app.pdb/" NS_TEST_PDB_KEY "/app.pdb",
    "s/symbols/exe/app.pdb",
    "s/exe/app.pdb",
  };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (NsTestFolder) folder = ns_test_folder_new ();

      ns_test_folder_write_pdb (folder, places[i]);
      assert_resolves (folder, "ROOT/s", "D:\\build\\app.pdb", FOUND);
    }
}

static void
test_stores (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();

  ns_test_folder_write_pdb (folder, "one/App.pdb/" NS_TEST_PDB_KEY "/App.pdb");
  ns_test_folder_write_pdb (folder, "two/ap/app.pdb/" NS_TEST_PDB_KEY "/app.pdb");
  assert_resolves (folder, "srv*ROOT/one", "app.pdb", FOUND);
  /* Two-tier paths are used only if the store has the marker file. */
  assert_resolves (folder, "srv*ROOT/two", "app.pdb", "not found");
  ns_test_folder_write (folder, "two/index2.txt", "", 0);
  assert_resolves (folder, "srv*ROOT/two", "app.pdb", FOUND);
}

static void
test_proves_the_build (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();

  ns_test_folder_write_other_pdb (folder, "s/app.pdb");
  assert_resolves (folder, "ROOT/s", "app.pdb", "no match");
  /* The matching file is found after a mismatching one. */
  ns_test_folder_write_pdb (folder, "s/exe/app.pdb");
  assert_resolves (folder, "ROOT/s", "app.pdb", FOUND);
  ns_test_folder_write (folder, "t/app.pdb", "<!DOCTYPE html>", -1);
  assert_resolves (folder, "ROOT/t", "app.pdb", "failed");
}

static void
test_says_why_not (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();

  assert_resolves (folder, "ROOT/s", "app.pdb", "not found");
  assert_resolves (folder, "", "app.pdb", "waiting");
  assert_resolves (folder, "ROOT/s", NULL, "no identity");
  assert_resolves (folder, "ROOT/s", "C:evil.pdb", "refused");
  assert_resolves (folder, "ROOT/s", "CON.pdb", "refused");
  assert_resolves (folder, "srv*http://127.0.0.1:1/", "app.pdb", "refused");
}

/* Writes an image identified only by its time stamp, with a number of functions. */
static void
write_image (NsTestFolder *folder, const char *path, guint32 timestamp, guint32 n_functions)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();

  g_byte_array_set_size (file, 0x400);
  memset (file->data, 0, file->len);
  ns_test_set (file, 0, 2, 0x5a4d);
  ns_test_set (file, 0x3c, 4, 0x80);
  ns_test_set (file, 0x80, 4, 0x4550);
  ns_test_set (file, 0x84, 2, 0x8664);
  ns_test_set (file, 0x88, 4, timestamp);
  ns_test_set (file, 0x94, 2, 240);
  ns_test_set (file, 0x98, 2, 0x20b);
  ns_test_set (file, 0x98 + 56, 4, 0x3000);
  ns_test_set (file, 0x98 + 108, 4, 16);
  ns_test_set (file, 0x98 + 116 + 3 * 8, 4, n_functions * 12);
  ns_test_folder_write (folder, path, file->data, file->len);
}

/* Asserts the state and reason of a module without a PDB. */
static void
assert_reason (NsTestFolder *folder, const char *path, const char *state, const char *reason)
{
  g_autoptr (NsResolver) resolver = new_resolver (folder, path);
  NsSymbolId id = { .module = "app.exe", .timestamp = 0x5ab38077, .image_size = 0x3000 };
  g_auto (NsModuleInfo) info = { 0 };
  guint module = ns_resolver_add (resolver, &id);

  ns_resolver_load (resolver, module);
  ns_resolver_get_info (resolver, module, &info);
  g_assert_cmpstr (ns_module_state_to_text (info.state), ==, state);
  if (strstr (info.reason, reason) == NULL)
    g_error ("\"%s\" is not told of \"%s\"", info.reason, reason);
}

static void
test_says_which_limit_stopped_it (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  static const char limit[] = "more than 8000000 functions, which is too many: put its PDB";

  write_image (folder, "good/app.exe", 0x5ab38077, 0);
  write_image (folder, "other/app.exe", 0x5ab38076, 0);
  write_image (folder, "large/app.exe", 0x5ab38077, NS_PE_MAX_FUNCTIONS + 1);
  assert_reason (folder, "ROOT/other", "no identity", "not merged");
  assert_reason (folder, "ROOT/large", "failed", limit);
  assert_reason (folder, "ROOT/other;ROOT/large", "failed", limit);
  assert_reason (folder, "ROOT/large;ROOT/other", "failed", limit);
  assert_reason (folder, "ROOT/large;ROOT/good", "found", "exports");
}

static void
test_copies_come_nearer (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autofree char *near = g_build_filename (folder->root, "near", NULL);
  g_autofree char *files = NULL;

  ns_test_folder_write_pdb (folder, "far/App.pdb/" NS_TEST_PDB_KEY "/App.pdb");
  assert_resolves (folder, "srv*ROOT/near*ROOT/far", "App.pdb", FOUND);
  files = ns_test_folder_list (near);
  g_assert_cmpstr (files, ==, "app.pdb/" NS_TEST_PDB_KEY "/app.pdb ");
}

static void
assert_resolves_cached (NsTestFolder *folder, const char *format, const char *wanted)
{
  g_auto (GStrv) parts = g_strsplit (format, "ROOT", -1);
  g_autofree char *path = g_strjoinv (folder->root, parts);
  NsResolverOptions options = { .path = path,
                                .cache_folder = folder->cache,
                                .allow_network = TRUE,
                                .cached_only = TRUE };
  g_autoptr (NsResolver) resolver = ns_resolver_new (&options);
  g_autofree char *got = ns_test_resolve (resolver, "app.pdb");

  g_assert_cmpstr (got, ==, wanted);
}

static void
test_nothing_but_caches_where_only_these_are_wanted (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autofree char *near = g_build_filename (folder->root, "near", NULL);

  ns_test_folder_write_pdb (folder, "s/app.pdb/" NS_TEST_PDB_KEY "/app.pdb");
  assert_resolves_cached (folder, "", "not found");
  assert_resolves_cached (folder, "ROOT/s;srv*ROOT/s;srv*ROOT/near*ROOT/s", "not found");
  /* The network is not used, so an unreachable server goes unnoticed. */
  assert_resolves_cached (folder, "srv*http://127.0.0.1:1/", "not found");
  g_assert_false (g_file_test (near, G_FILE_TEST_EXISTS));

  assert_resolves_cached (folder, "srv*ROOT/s*http://127.0.0.1:1/", FOUND);
  assert_resolves_cached (folder, "cache*ROOT/s", FOUND);
  ns_test_folder_write_pdb (folder, "cache/app.pdb/" NS_TEST_PDB_KEY "/app.pdb");
  assert_resolves_cached (folder, "", FOUND);
}

static void
test_pointers_stay_inside (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autofree char *inside = g_build_filename (folder->root, "s", "pool", "x.pdb", NULL);
  g_autofree char *outside = g_build_filename (folder->root, "elsewhere", "x.pdb", NULL);

  ns_test_folder_write_pdb (folder, "s/pool/x.pdb");
  ns_test_folder_write_pdb (folder, "elsewhere/x.pdb");
  ns_test_folder_write (folder, "s/app.pdb/" NS_TEST_PDB_KEY "/file.ptr", inside, -1);
  assert_resolves (folder, "srv*ROOT/s", "app.pdb", FOUND);
  ns_test_folder_write (folder, "s/app.pdb/" NS_TEST_PDB_KEY "/file.ptr", outside, -1);
  assert_resolves (folder, "srv*ROOT/s", "app.pdb", "refused");
  ns_test_folder_write (folder, "s/app.pdb/" NS_TEST_PDB_KEY "/file.ptr", "MSG: no", -1);
  assert_resolves (folder, "srv*ROOT/s", "app.pdb", "refused");
}

/* A file.ptr is a short file; it may also be a FIFO without a writer. */
static void
test_pointers_are_short_files (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autofree char *inside = g_build_filename (folder->root, "s", "pool", "x.pdb", NULL);
  g_autofree char *pointer =
      g_build_filename (folder->root, "s", "app.pdb", NS_TEST_PDB_KEY, "file.ptr", NULL);
  g_autofree char *padded = g_strdup_printf ("%-*s", 4096, inside);
  g_autofree char *longer = g_strconcat (padded, " ", NULL);

  ns_test_folder_write_pdb (folder, "s/pool/x.pdb");
  ns_test_folder_write (folder, "s/app.pdb/" NS_TEST_PDB_KEY "/file.ptr", padded, -1);
  assert_resolves (folder, "srv*ROOT/s", "app.pdb", FOUND);
  ns_test_folder_write (folder, "s/app.pdb/" NS_TEST_PDB_KEY "/file.ptr", longer, -1);
  assert_resolves (folder, "srv*ROOT/s", "app.pdb", "not found");
  g_unlink (pointer);
  g_assert_cmpint (mkfifo (pointer, 0600), ==, 0);
  assert_resolves (folder, "srv*ROOT/s", "app.pdb", "not found");
}

/* A symbolic link in the cache must not redirect a write. */
static void
test_cache_does_not_follow_links (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autofree char *target = g_build_filename (folder->root, "victim", NULL);
  g_autofree char *link_path = g_build_filename (folder->cache, "app.pdb", NULL);
  g_autofree char *files = NULL;

  g_assert_cmpint (g_mkdir_with_parents (target, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (folder->cache, 0700), ==, 0);
  g_assert_cmpint (symlink (target, link_path), ==, 0);
  ns_test_folder_write_pdb (folder, "far/app.pdb/" NS_TEST_PDB_KEY "/app.pdb");
  assert_resolves (folder, "srv**ROOT/far", "app.pdb", FOUND);
  files = ns_test_folder_list (target);
  g_assert_cmpstr (files, ==, "");
}

static void
count_cb (NsResolver *resolver, guint module, gpointer user_data)
{
  g_atomic_int_inc ((gint *) user_data);
}

static void
test_works_in_threads_of_its_own (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsResolver) resolver = NULL;
  gint n_calls = 0;

  ns_test_folder_write_pdb (folder, "s/app.pdb");
  resolver = new_resolver (folder, "ROOT/s");
  ns_resolver_set_func (resolver, count_cb, &n_calls);
  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *name = g_strdup_printf ("module%u.exe", i);
      NsSymbolId id = { name, "app.pdb", NS_TEST_PDB_GUID, NS_TEST_PDB_AGE, TRUE, 0, 0 };

      g_assert_cmpuint (ns_resolver_add (resolver, &id), ==, i);
      g_assert_cmpuint (ns_resolver_add (resolver, &id), ==, i);
      ns_resolver_request (resolver, i);
    }
  for (guint i = 0; i < 50; i++)
    {
      NsPdbFrame frame;

      ns_resolver_load (resolver, i);
      g_assert_cmpuint (ns_resolver_lookup (resolver, i, 0x1054, FALSE, &frame, 1), ==, 1);
    }
  g_assert_cmpint (g_atomic_int_get (&n_calls), >=, 50);
}

/* If no thread could be started, the callback may load the symbols in its own thread. */
static void
look_here_cb (NsResolver *resolver, guint module, gpointer user_data)
{
  guint *n_failed = user_data;
  g_auto (NsModuleInfo) info = { 0 };

  ns_resolver_get_info (resolver, module, &info);
  if (info.state != NS_MODULE_FAILED)
    return;
  ++*n_failed;
  ns_resolver_load (resolver, module);
}

static void
test_may_be_asked_again_where_there_was_no_thread (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsResolver) resolver = NULL;
  NsSymbolId id = { "app.exe", "app.pdb", NS_TEST_PDB_GUID, NS_TEST_PDB_AGE, TRUE, 0, 0 };
  g_auto (NsModuleInfo) info = { 0 };
  guint n_failed = 0;
  guint module;

  ns_test_folder_write_pdb (folder, "s/app.pdb");
  resolver = new_resolver (folder, "ROOT/s");
  ns_resolver_set_func (resolver, look_here_cb, &n_failed);
  module = ns_resolver_add (resolver, &id);
  ns_resolver_request (resolver, module);
  if (n_failed == 0)
    ns_resolver_load (resolver, module);
  ns_resolver_get_info (resolver, module, &info);
  g_assert_cmpint (info.state, ==, NS_MODULE_FOUND);
  /* A found module is not searched again. */
  g_assert_false (ns_resolver_retry_module (resolver, module));
  g_assert_cmpuint (n_failed, <=, 1);
}

/* A return address is after its call, so the lookup uses the byte before it. */
static void
test_return_addresses (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsResolver) resolver = NULL;
  NsSymbolId id = { "app.exe", "app.pdb", NS_TEST_PDB_GUID, NS_TEST_PDB_AGE, TRUE, 0, 0 };
  NsPdbFrame frames[4];
  guint module;

  ns_test_folder_write_pdb (folder, "s/app.pdb");
  resolver = new_resolver (folder, "ROOT/s");
  module = ns_resolver_add (resolver, &id);
  ns_resolver_load (resolver, module);
  g_assert_cmpuint (ns_resolver_lookup (resolver, module, 0x1050, TRUE, frames, 4), ==, 1);
  g_assert_cmpstr (frames[0].symbol, ==, "outer::work");
  g_assert_cmpuint (frames[0].offset, ==, 0x40);
  g_assert_cmpuint (ns_resolver_lookup (resolver, module, 0x1050, FALSE, frames, 4), ==, 1);
  g_assert_cmpstr (frames[0].symbol, ==, "outer::other");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/resolver/plain-folders", test_plain_folders);
  g_test_add_func ("/resolver/stores", test_stores);
  g_test_add_func ("/resolver/proves-the-build", test_proves_the_build);
  g_test_add_func ("/resolver/says-why-not", test_says_why_not);
  g_test_add_func ("/resolver/says-which-limit-stopped-it", test_says_which_limit_stopped_it);
  g_test_add_func ("/resolver/copies-come-nearer", test_copies_come_nearer);
  g_test_add_func ("/resolver/nothing-but-caches-where-only-these-are-wanted",
                   test_nothing_but_caches_where_only_these_are_wanted);
  g_test_add_func ("/resolver/pointers-stay-inside", test_pointers_stay_inside);
  g_test_add_func ("/resolver/pointers-are-short-files", test_pointers_are_short_files);
  g_test_add_func ("/resolver/cache-does-not-follow-links", test_cache_does_not_follow_links);
  g_test_add_func ("/resolver/works-in-threads-of-its-own", test_works_in_threads_of_its_own);
  g_test_add_func ("/resolver/may-be-asked-again-where-there-was-no-thread",
                   test_may_be_asked_again_where_there_was_no_thread);
  g_test_add_func ("/resolver/return-addresses", test_return_addresses);
  return g_test_run ();
}

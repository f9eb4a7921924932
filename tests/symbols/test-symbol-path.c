/* Tests the symbol path syntax, and the names of files in symbol stores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-symbol-id.h"
#include "symbols/ns-symbol-path.h"

static void
assert_path (const char *text, const char *wanted, guint n_notes)
{
  g_autoptr (NsSymbolPath) path = ns_symbol_path_parse (text);
  g_autofree char *got = ns_symbol_path_to_text (path);

  g_assert_cmpstr (got, ==, wanted);
  g_assert_cmpuint (path->notes->len, ==, n_notes);
}

static void
test_grammar (void)
{
  assert_path ("", "", 0);
  assert_path (" ; ;; ", "", 0);
  assert_path ("/a", "/a", 0);
  assert_path (" /a b ; /c:d ", "/a b;/c:d", 0);
  /* A server without a cache gets the default cache. */
  assert_path ("srv*https://x.org/s", "srv**https://x.org/s", 0);
  assert_path ("SRV*https://x.org/s", "srv**https://x.org/s", 0);
  assert_path ("srv**https://x.org/s", "srv**https://x.org/s", 0);
  assert_path ("srv*/a*/b*https://x.org/s", "srv*/a*/b*https://x.org/s", 0);
  assert_path ("srv*", "srv*", 0);
  assert_path ("https://x.org/s", "srv**https://x.org/s", 0);
  assert_path ("cache*/c;srv*/b*https://x.org/s", "srv*/c;srv*/c*/b*https://x.org/s", 0);
  assert_path ("cache*;srv*https://x.org/s", "srv*;srv**https://x.org/s", 0);
  assert_path ("symsrv*symsrv.dll*/a*https://x.org/s", "srv*/a*https://x.org/s", 0);
  assert_path ("symsrv*other.dll*/a", "", 1);
  assert_path ("C:\\Symbols;\\\\server\\share;/a", "/a", 2);
  assert_path ("srv*C:\\Symbols*https://x.org/s", "srv*https://x.org/s", 1);
  assert_path ("what*/a", "", 1);
}

static void
assert_caches (const char *text, const char *wanted)
{
  g_autoptr (NsSymbolPath) path = ns_symbol_path_parse (text);
  g_autofree char *got = NULL;

  ns_symbol_path_keep_caches (path);
  got = ns_symbol_path_to_text (path);
  g_assert_cmpstr (got, ==, wanted);
}

static void
test_keeps_caches (void)
{
  assert_caches ("/a;srv*/b;srv*/c*/d*https://x.org/s", "srv*/c");
  assert_caches ("srv*https://x.org/s", "srv*");
  assert_caches ("cache*/c;srv*/b*https://x.org/s;srv*/c*/d", "srv*/c;srv*/b");
  assert_caches ("cache*;srv*https://x.org/s;cache*", "srv*");
  /* An unreachable first store does not turn the next one into a cache. */
  assert_caches ("srv*C:\\Symbols*/store", "");
}

static void
assert_safe (const char *name, const char *wanted)
{
  g_autofree char *got = ns_symbol_safe_name (name);

  g_assert_cmpstr (got, ==, wanted);
}

static void
test_names_stay_inside (void)
{
  char *name = g_strnfill (300, 'a');

  assert_safe ("x.pdb", "x.pdb");
  assert_safe ("D:\\build\\x.pdb", "x.pdb");
  assert_safe ("..\\..\\evil.pdb", "evil.pdb");
  assert_safe ("a/../../b.pdb", "b.pdb");
  assert_safe ("/etc/passwd", "passwd");
  assert_safe ("\\\\host\\share\\x.pdb", "x.pdb");
  assert_safe ("C:evil.pdb", NULL);
  assert_safe ("CON.pdb", NULL);
  assert_safe ("com1.pdb", NULL);
  assert_safe ("..", NULL);
  assert_safe (".", NULL);
  assert_safe ("", NULL);
  assert_safe ("x/", NULL);
  assert_safe ("-rf", NULL);
  assert_safe ("x\n.pdb", NULL);
  assert_safe ("x.pdb.", NULL);
  assert_safe ("x.pdb ", NULL);
  assert_safe ("\xc0\xae\xc0\xae", NULL);
  assert_safe (name, NULL);
  assert_safe ("%2e%2e%2f", "%2e%2e%2f");
  g_free (name);
}

static void
test_keys (void)
{
  NsGuid guid;
  char key[NS_SYMBOL_KEY_SIZE];

  g_assert_true (ns_guid_from_text (&guid, "6f169784-a5df-3ab7-4c4c-44205044422e"));
  g_assert_cmpstr (ns_symbol_pdb_key (&guid, 1, key), ==, "6F169784A5DF3AB74C4C44205044422E1");
  g_assert_cmpstr (ns_symbol_pdb_key (&guid, 0xabc, key),
                   ==,
                   "6F169784A5DF3AB74C4C44205044422Eabc");
  g_assert_cmpstr (ns_symbol_image_key (0x69485e8c, 0x45000, key), ==, "69485E8C45000");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/symbol-path/grammar", test_grammar);
  g_test_add_func ("/symbol-path/keeps-caches", test_keeps_caches);
  g_test_add_func ("/symbol-path/names-stay-inside", test_names_stay_inside);
  g_test_add_func ("/symbol-path/keys", test_keys);
  return g_test_run ();
}

/* Tests compressed files of symbol stores: valid ones, and those that must be refused.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-folder.h"
#include "ns-test-pdb.h"
#include "symbols/ns-symbol-cabinet.h"

#include <fcntl.h>
#include <unistd.h>

#define N_CONTENT 1000u

/* Defects of a cabinet. */
typedef struct
{
  guint16 n_files;
  guint16 flags;
  guint16 method;
  guint32 n_said;   /* file size in the header */
  guint32 n_cut;    /* bytes missing at the end */
  guint32 checksum; /* checksum of the block; 0: not checked */
  const char *name; /* name of the file inside */
  int code;         /* #NsSymbolError; -1: valid */
} Cabinet;

/* Makes a cabinet of one uncompressed block. */
static GByteArray *
new_cabinet (const Cabinet *wanted)
{
  GByteArray *file = g_byte_array_new ();
  gsize n_name = strlen (wanted->name) + 1;
  guint32 data_at = (guint32) (36 + 8 + 16 + n_name);

  ns_test_put (file, 4, 0x4643534d);
  ns_test_put (file, 4, 0);
  ns_test_put (file, 4, data_at + 8 + N_CONTENT);
  ns_test_put (file, 4, 0);
  ns_test_put (file, 4, 36 + 8);
  ns_test_put (file, 4, 0);
  ns_test_put (file, 2, 0x0103);
  ns_test_put (file, 2, 1);
  ns_test_put (file, 2, wanted->n_files);
  ns_test_put (file, 2, wanted->flags);
  ns_test_put (file, 4, 0);
  ns_test_put (file, 4, data_at);
  ns_test_put (file, 2, 1);
  ns_test_put (file, 2, wanted->method);
  ns_test_put (file, 4, wanted->n_said);
  ns_test_put (file, 4, 0);
  ns_test_put (file, 2, 0);
  ns_test_put (file, 6, 0);
  ns_test_put_text (file, wanted->name);
  ns_test_put (file, 4, wanted->checksum);
  ns_test_put (file, 2, N_CONTENT);
  ns_test_put (file, 2, N_CONTENT);
  for (guint i = 0; i < N_CONTENT; i++)
    ns_test_put (file, 1, i);
  g_byte_array_set_size (file, file->len - wanted->n_cut);
  return file;
}

static void
assert_expands (const Cabinet *wanted)
{
  g_autoptr (NsTestFolder) place = ns_test_folder_new ();
  g_autoptr (GByteArray) file = new_cabinet (wanted);
  g_autofree char *path = g_build_filename (place->root, "x.pd_", NULL);
  g_autofree char *out = g_build_filename (place->root, "out", NULL);
  g_autofree char *text = NULL;
  g_autofree char *files = NULL;
  g_autoptr (GError) error = NULL;
  gsize n_text;
  int fd;

  ns_test_folder_write (place, "x.pd_", file->data, file->len);
  fd = open (out, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (ns_symbol_cabinet_expand (path, fd, NULL, &error), ==, wanted->code < 0);
  close (fd);
  if (wanted->code >= 0)
    g_assert_error (error, NS_SYMBOL_ERROR, wanted->code);
  else
    {
      g_assert_true (g_file_get_contents (out, &text, &n_text, NULL));
      g_assert_cmpuint (n_text, ==, N_CONTENT);
      g_assert_cmpint (text[999], ==, (char) (999 & 0xff));
    }
  /* The name of the file inside does not matter. */
  files = ns_test_folder_list (place->root);
  g_assert_cmpstr (files, ==, "out x.pd_ ");
}

static void
test_expands (void)
{
  static const Cabinet cabinets[] = {
    { 1, 0, 0, N_CONTENT, 0, 0, "x.pdb", -1 },
    { 1, 0, 0, N_CONTENT, 0, 0, "../../x", -1 },
    { 1, 0, 0, N_CONTENT, 500, 0, "x.pdb", NS_SYMBOL_ERROR_DAMAGED },
    { 1, 0, 0, 0xfffffff0, 0, 0, "x.pdb", NS_SYMBOL_ERROR_DAMAGED },
    { 1, 0, 0, N_CONTENT, 0, 12345, "x.pdb", NS_SYMBOL_ERROR_DAMAGED },
    { 2, 0, 0, N_CONTENT, 0, 0, "x.pdb", NS_SYMBOL_ERROR_DAMAGED },
    { 1, 1, 0, N_CONTENT, 0, 0, "x.pdb", NS_SYMBOL_ERROR_DAMAGED },
    { 1, 0, 2, N_CONTENT, 0, 0, "x.pdb", NS_SYMBOL_ERROR_COMPRESSED },
    { 1, 0, 0x1503, N_CONTENT, 0, 0, "x.pdb", NS_SYMBOL_ERROR_COMPRESSED },
    { 1, 0, 1, N_CONTENT, 0, 0, "x.pdb", NS_SYMBOL_ERROR_DAMAGED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cabinets); i++)
    assert_expands (&cabinets[i]);
}

/* A real store, whose compressed file is another build with the same debug ID. */
static void
test_real_store (void)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_PDB");
  g_autofree char *store = folder != NULL ? g_build_filename (folder, "store", NULL) : NULL;
  g_autoptr (NsTestFolder) place = NULL;
  g_autoptr (NsResolver) resolver = NULL;
  g_autofree char *path = NULL;
  g_auto (NsModuleInfo) info = { 0 };
  NsSymbolId id = { .module = "ShowSSEConfig.exe",
                    .pdb = "SHOWSSECONFIG.PDB",
                    .age = 1,
                    .has_guid = TRUE };
  NsResolverOptions options = { 0 };
  guint module;

  if (store == NULL || !g_file_test (store, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("NETSTITCH_TEST_PDB has no store");
      return;
    }
  place = ns_test_folder_new ();
  path = g_strdup_printf ("srv**%s", store);
  options.path = path;
  options.cache_folder = place->cache;
  g_assert_true (ns_guid_from_text (&id.guid, "a6259241-8d78-0749-4c4c-44205044422e"));
  resolver = ns_resolver_new (&options);
  module = ns_resolver_add (resolver, &id);
  ns_resolver_load (resolver, module);
  ns_resolver_get_info (resolver, module, &info);
  g_assert_cmpint (info.state, ==, NS_MODULE_FOUND);
}

static void
test_real_cabinet (void)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_PDB");
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "basic32.pd_", NULL) : NULL;
  g_autoptr (NsTestFolder) place = NULL;
  g_autofree char *out = NULL;
  g_autoptr (NsPdb) pdb = NULL;
  int fd;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("NETSTITCH_TEST_PDB has no cabinet");
      return;
    }
  place = ns_test_folder_new ();
  out = g_build_filename (place->root, "out", NULL);
  fd = open (out, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  g_assert_true (ns_symbol_cabinet_expand (path, fd, NULL, NULL));
  close (fd);
  pdb = ns_pdb_open (out, NULL);
  g_assert_nonnull (pdb);
  g_assert_false (ns_pdb_get_identity (pdb)->is_stripped);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/cabinet/expands", test_expands);
  g_test_add_func ("/cabinet/real-store", test_real_store);
  g_test_add_func ("/cabinet/real-cabinet", test_real_cabinet);
  return g_test_run ();
}

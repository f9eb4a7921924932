/* A temporary folder with symbol files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-folder.h"

#include "ns-test-pdb.h"

#include <glib/gstdio.h>

NsTestFolder *
ns_test_folder_new (void)
{
  NsTestFolder *self = g_new0 (NsTestFolder, 1);

  self->root = g_dir_make_tmp ("ns-symbols-XXXXXX", NULL);
  g_assert_nonnull (self->root);
  self->cache = g_build_filename (self->root, "cache", NULL);
  return self;
}

static void
delete_tree (const char *path)
{
  GDir *dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      delete_tree (child);
    }
  if (dir != NULL)
    g_dir_close (dir);
  g_remove (path);
}

void
ns_test_folder_free (NsTestFolder *self)
{
  delete_tree (self->root);
  g_free (self->root);
  g_free (self->cache);
  g_free (self);
}

void
ns_test_folder_write (NsTestFolder *self, const char *path, gconstpointer data, gssize n_bytes)
{
  g_autofree char *full = g_build_filename (self->root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, data, n_bytes, NULL));
}

void
ns_test_folder_write_pdb (NsTestFolder *self, const char *path)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  g_autoptr (GByteArray) file = ns_test_pdb_write (test, 0);

  ns_test_folder_write (self, path, file->data, file->len);
}

/* Writes the PDB of another build. */
void
ns_test_folder_write_other_pdb (NsTestFolder *self, const char *path)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  g_autoptr (GByteArray) file = NULL;

  ns_test_set (ns_test_pdb_get (test, NS_TEST_PDB_INFO), 12, 4, 0xdeadbeef);
  file = ns_test_pdb_write (test, 0);
  ns_test_folder_write (self, path, file->data, file->len);
}

static void
list (const char *folder, const char *prefix, GPtrArray *names)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *shown = g_strconcat (prefix, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          g_autofree char *deeper = g_strconcat (shown, "/", NULL);

          list (path, deeper, names);
        }
      else
        g_ptr_array_add (names, g_steal_pointer (&shown));
    }
  if (dir != NULL)
    g_dir_close (dir);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Lists the files below a folder, sorted, each followed by a space. */
char *
ns_test_folder_list (const char *folder)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);

  list (folder, "", names);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (text, "%s ", (const char *) g_ptr_array_index (names, i));
  return g_string_free (text, FALSE);
}

/* Searches the module of the test's PDB; returns its state and the name of address 0x1054. */
char *
ns_test_resolve (NsResolver *resolver, const char *pdb)
{
  NsSymbolId id = {
    .module = "app.exe",
    .pdb = pdb,
    .guid = NS_TEST_PDB_GUID,
    .age = NS_TEST_PDB_AGE,
    .has_guid = pdb != NULL,
  };
  guint module = ns_resolver_add (resolver, &id);
  NsPdbFrame frames[4];
  g_auto (NsModuleInfo) info = { 0 };

  ns_resolver_load (resolver, module);
  ns_resolver_get_info (resolver, module, &info);
  g_test_message ("%s: %s", ns_module_state_to_text (info.state), info.reason);
  if (ns_resolver_lookup (resolver, module, 0x1054, FALSE, frames, G_N_ELEMENTS (frames)) == 0)
    return g_strdup (ns_module_state_to_text (info.state));
  return g_strdup_printf ("%s %s+0x%x",
                          ns_module_state_to_text (info.state),
                          frames[0].symbol,
                          frames[0].offset);
}

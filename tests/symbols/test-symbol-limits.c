/* Tests the limits of PDBs.
 *
 * The limit itself is accepted, one more is refused or truncated.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-pdb.h"
#include "symbols/ns-msf.h"
#include "symbols/ns-pdb.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define BLOCK 65536u
#define MAP_BLOCK 2
#define FIRST_BLOCK 3
#define MAX_BLOCK 65536u
#define MAX_STREAMS 65536u

static guint32
count_blocks (gsize n_bytes, guint32 block_size)
{
  return (guint32) ((n_bytes + block_size - 1) / block_size);
}

static GByteArray *
new_zeros (gsize n_bytes)
{
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_set_size (bytes, (guint) n_bytes);
  memset (bytes->data, 0, n_bytes);
  return bytes;
}

/* Makes a file with this directory in consecutive blocks. */
static GByteArray *
write_directory (const GByteArray *directory, guint32 block_size, guint32 first_block)
{
  static const char magic[32] = "Microsoft C/C++ MSF 7.00\r\n\x1a"
                                "DS\0\0";
  guint32 n_directory = count_blocks (directory->len, block_size);
  guint32 n_blocks = first_block + n_directory;
  GByteArray *file = new_zeros ((gsize) n_blocks * block_size);

  memcpy (file->data, magic, sizeof magic);
  ns_test_set (file, 32, 4, block_size);
  ns_test_set (file, 36, 4, 1);
  ns_test_set (file, 40, 4, n_blocks);
  ns_test_set (file, 44, 4, directory->len);
  ns_test_set (file, 52, 4, MAP_BLOCK);
  for (guint32 i = 0; i < n_directory; i++)
    ns_test_set (file, (gsize) MAP_BLOCK * block_size + i * 4, 4, first_block + i);
  memcpy (file->data + (gsize) first_block * block_size, directory->data, directory->len);
  return file;
}

/* Makes a file whose streams from @n_own on, of one block each, share one block. */
static GByteArray *
write_streams_sharing (GPtrArray *streams, guint n_own)
{
  g_autoptr (GByteArray) directory = g_byte_array_new ();
  guint32 block = FIRST_BLOCK;
  GByteArray *file;

  ns_test_put (directory, 4, streams->len);
  for (guint i = 0; i < streams->len; i++)
    ns_test_put (directory, 4, ((GByteArray *) g_ptr_array_index (streams, i))->len);
  for (guint i = 0; i < streams->len; i++)
    for (guint32 n = count_blocks (((GByteArray *) g_ptr_array_index (streams, i))->len, BLOCK);
         n > 0;
         n--)
      ns_test_put (directory, 4, i <= n_own ? block++ : block - 1);
  file = write_directory (directory, BLOCK, block);
  block = FIRST_BLOCK;
  for (guint i = 0; i < streams->len; i++)
    {
      const GByteArray *stream = g_ptr_array_index (streams, i);

      if (stream->len > 0)
        memcpy (file->data + (gsize) block * BLOCK, stream->data, stream->len);
      block += i < n_own ? count_blocks (stream->len, BLOCK) : 0;
    }
  return file;
}

static GByteArray *
write_streams (GPtrArray *streams)
{
  return write_streams_sharing (streams, streams->len);
}

static NsMsf *
open_msf (const GByteArray *file, GError **error)
{
  return ns_msf_new (ns_symbol_source_new_for_memory (file->data, file->len), error);
}

static void
assert_msf (const GByteArray *directory, guint32 block_size, gboolean opens)
{
  g_autoptr (GByteArray) file = write_directory (directory, block_size, FIRST_BLOCK);
  g_autoptr (GError) error = NULL;
  g_autoptr (NsMsf) msf = open_msf (file, &error);

  g_assert_cmpint (msf != NULL, ==, opens);
  if (!opens)
    g_assert_error (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_DAMAGED);
}

static void
test_blocks_are_so_long_only (void)
{
  g_autoptr (GByteArray) directory = new_zeros (4);

  assert_msf (directory, MAX_BLOCK, TRUE);
  assert_msf (directory, 2 * MAX_BLOCK, FALSE);
}

static void
test_streams_are_so_many_only (void)
{
  for (guint32 n = MAX_STREAMS; n <= MAX_STREAMS + 1; n++)
    {
      g_autoptr (GByteArray) directory = new_zeros (4 + 4 * (gsize) n);

      ns_test_set (directory, 0, 4, n);
      assert_msf (directory, BLOCK, n == MAX_STREAMS);
    }
}

/* Opens a sparse file of more than a gigabyte, of which only the beginning has content. */
static NsMsf *
open_sparse (const GByteArray *beginning, guint64 n_bytes, GError **error)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("msf-XXXXXX", &path, NULL);
  NsMsf *msf;

  g_assert_cmpint (write (fd, beginning->data, beginning->len), ==, beginning->len);
  g_assert_cmpint (ftruncate (fd, (off_t) n_bytes), ==, 0);
  close (fd);
  msf = ns_msf_new (ns_symbol_source_open (path, NULL), error);
  g_unlink (path);
  return msf;
}

static void
test_a_directory_is_so_long_only (void)
{
  const guint32 n_bytes = NS_MSF_MAX_DIRECTORY + 4;
  g_autoptr (GByteArray) directory = new_zeros (4);
  g_autoptr (GByteArray) file = write_directory (directory, BLOCK, FIRST_BLOCK);
  g_autoptr (GError) error = NULL;

  /* All directory blocks are the same block, which says that there are no streams. */
  ns_test_set (file, 44, 4, n_bytes);
  for (guint32 i = 0; i < count_blocks (n_bytes, BLOCK); i++)
    ns_test_set (file, (gsize) MAP_BLOCK * BLOCK + i * 4, 4, FIRST_BLOCK);
  g_assert_null (open_sparse (file, n_bytes + BLOCK, &error));
  g_assert_error (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_DAMAGED);
}

/* Makes a file with one stream of @n_bytes whose blocks are all the same one. */
static GByteArray *
write_stream_of (guint32 n_bytes)
{
  g_autoptr (GByteArray) directory = g_byte_array_new ();

  ns_test_put (directory, 4, 1);
  ns_test_put (directory, 4, n_bytes);
  for (guint32 i = 0; i < count_blocks (n_bytes, BLOCK); i++)
    ns_test_put (directory, 4, 1);
  return write_directory (directory, BLOCK, FIRST_BLOCK);
}

static void
assert_too_large (NsMsf *msf)
{
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (msf);
  g_assert_null (ns_msf_load_all (msf, 0, &error));
  g_assert_error (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_LIMIT);
}

static void
test_a_stream_is_so_long_only (void)
{
  g_autoptr (GByteArray) file = write_stream_of (NS_MSF_MAX_LOAD + 1);
  g_autoptr (NsMsf) msf = open_sparse (file, (guint64) NS_MSF_MAX_LOAD + BLOCK, NULL);
  g_autoptr (GByteArray) small = write_stream_of (100 * BLOCK);
  g_autoptr (NsMsf) longer_than_its_file = open_msf (small, NULL);

  assert_too_large (msf);
  assert_too_large (longer_than_its_file);
}

static void
test_modules_are_so_many_only (void)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  GByteArray *dbi = ns_test_pdb_get (test, NS_TEST_PDB_DBI);
  g_autoptr (GByteArray) more = g_byte_array_new ();
  g_autoptr (GByteArray) file = NULL;
  g_autoptr (NsPdb) pdb = NULL;
  guint32 n_before;

  for (guint i = 0; i < NS_PDB_MAX_MODULES; i++)
    {
      guint at = more->len;

      g_byte_array_set_size (more, at + 68);
      memset (more->data + at, 0, 68);
      ns_test_set (more, at + 34, 2, NS_MSF_NO_STREAM);
    }
  memcpy (&n_before, dbi->data + 24, 4);
  n_before = GUINT32_FROM_LE (n_before);
  g_byte_array_append (more, dbi->data + 64 + n_before, dbi->len - 64 - n_before);
  g_byte_array_set_size (dbi, 64 + n_before);
  g_byte_array_append (dbi, more->data, more->len);
  ns_test_set (dbi, 24, 4, n_before + 68 * NS_PDB_MAX_MODULES);
  file = write_streams (test->streams);
  pdb = ns_pdb_new (ns_symbol_source_new_for_memory (file->data, file->len), NULL);
  g_assert_nonnull (pdb);
  g_assert_cmpuint (ns_pdb_get_identity (pdb)->n_modules, ==, NS_PDB_MAX_MODULES);
}

static void
count_cb (const NsPdbFunction *function, gpointer user_data)
{
  *(guint *) user_data += !function->is_public;
}

/* Lists the modules of the test's PDB @n_more times more, one of which has a symbol stream: the
 * same stream, or copies of it in one shared block. Returns the number of functions. */
static guint
count_functions (guint n_more, gboolean has_copies, guint64 *n_damaged)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  GByteArray *dbi = ns_test_pdb_get (test, NS_TEST_PDB_DBI);
  const GByteArray *stream = ns_test_pdb_get (test, NS_TEST_PDB_MODULE);
  g_autoptr (GByteArray) more = g_byte_array_new ();
  g_autoptr (GByteArray) file = NULL;
  g_autoptr (NsPdb) pdb = NULL;
  guint n_own = test->streams->len;
  guint n_functions = 0;
  guint32 n_before;

  memcpy (&n_before, dbi->data + 24, 4);
  n_before = GUINT32_FROM_LE (n_before);
  for (guint i = 0; i <= n_more; i++)
    g_byte_array_append (more, dbi->data + 64, n_before);
  for (guint i = 1; has_copies && i <= n_more; i++)
    {
      GByteArray *copy = new_zeros (BLOCK);

      memcpy (copy->data, stream->data, stream->len);
      ns_test_set (more, (gsize) i * n_before + 34, 2, test->streams->len);
      g_ptr_array_add (test->streams, copy);
    }
  g_byte_array_append (more, dbi->data + 64 + n_before, dbi->len - 64 - n_before);
  g_byte_array_set_size (dbi, 64);
  g_byte_array_append (dbi, more->data, more->len);
  ns_test_set (dbi, 24, 4, (n_more + 1) * n_before);
  file = write_streams_sharing (test->streams, n_own);
  pdb = ns_pdb_new (ns_symbol_source_new_for_memory (file->data, file->len), NULL);
  g_assert_nonnull (pdb);
  g_assert_cmpuint (ns_pdb_get_identity (pdb)->n_modules, ==, 2 * (n_more + 1));
  *n_damaged = ns_pdb_get_n_damaged (pdb);
  ns_pdb_foreach_function (pdb, count_cb, &n_functions);
  return n_functions;
}

/* The symbols of all modules together cannot exceed the file size. */
static void
test_modules_share_no_bytes (void)
{
  guint64 n_damaged;
  guint n_functions = count_functions (0, FALSE, &n_damaged);

  g_assert_cmpuint (n_functions, >, 0);
  g_assert_cmpuint (n_damaged, ==, 0);
  g_assert_cmpuint (count_functions (1000, FALSE, &n_damaged), ==, n_functions);
  g_assert_cmpuint (n_damaged, ==, 1000);
  /* The file has about twenty blocks. */
  g_assert_cmpuint (count_functions (1000, TRUE, &n_damaged), <, 30 * n_functions);
  g_assert_cmpuint (n_damaged, >, 970);
}

/* Adds a public symbol at 0x1090 whose name has @n_name letters; returns the length of the
 * displayed name. */
static gsize
show_name_of (guint n_name)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  GByteArray *records = ns_test_pdb_get (test, NS_TEST_PDB_SYMREC);
  GByteArray *map = ns_test_pdb_get (test, NS_TEST_PDB_PSI);
  g_autofree char *name = g_strnfill (n_name, 'n');
  g_autoptr (GByteArray) file = NULL;
  g_autoptr (NsPdb) pdb = NULL;
  NsPdbFrame frames[4];
  guint begin = records->len;
  guint32 last;

  ns_test_put (records, 2, 0);
  ns_test_put (records, 2, 0x110e);
  ns_test_put (records, 4, 2);
  ns_test_put (records, 4, 0x90);
  ns_test_put (records, 2, 1);
  ns_test_put_text (records, name);
  while (records->len % 4 != 0)
    ns_test_put (records, 1, 0);
  ns_test_set (records, begin, 2, records->len - begin - 2);
  /* Keeps the address order: before the public symbol of the second section. */
  memcpy (&last, map->data + map->len - 4, 4);
  ns_test_set (map, map->len - 4, 4, begin);
  ns_test_put (map, 4, GUINT32_FROM_LE (last));
  ns_test_set (map, 4, 4, 16);
  file = write_streams (test->streams);
  pdb = ns_pdb_new (ns_symbol_source_new_for_memory (file->data, file->len), NULL);
  g_assert_nonnull (pdb);
  g_assert_cmpuint (ns_pdb_lookup (pdb, 0x1090, frames, G_N_ELEMENTS (frames)), ==, 1);
  return strlen (frames[0].symbol);
}

static void
test_names_are_so_long_only (void)
{
  g_assert_cmpuint (show_name_of (100), ==, 100);
  g_assert_cmpuint (show_name_of (NS_PDB_MAX_NAME), ==, NS_PDB_MAX_NAME);
  g_assert_cmpuint (show_name_of (NS_PDB_MAX_NAME + 1), ==, NS_PDB_MAX_NAME);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/symbol-limits/blocks-are-so-long-only", test_blocks_are_so_long_only);
  g_test_add_func ("/symbol-limits/streams-are-so-many-only", test_streams_are_so_many_only);
  g_test_add_func ("/symbol-limits/a-directory-is-so-long-only", test_a_directory_is_so_long_only);
  g_test_add_func ("/symbol-limits/a-stream-is-so-long-only", test_a_stream_is_so_long_only);
  g_test_add_func ("/symbol-limits/modules-are-so-many-only", test_modules_are_so_many_only);
  g_test_add_func ("/symbol-limits/modules-share-no-bytes", test_modules_share_no_bytes);
  g_test_add_func ("/symbol-limits/names-are-so-long-only", test_names_are_so_long_only);
  return g_test_run ();
}

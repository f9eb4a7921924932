/* Tests lookups in images without a PDB.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-pdb.h"
#include "symbols/ns-pe.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* The image is one section at RVA 0x1000, file offset 0x400. */
#define SECTION_RVA 0x1000u
#define SECTION_AT 0x400u
#define SECTION_SIZE 0x600u
#define TIMESTAMP 0x5ab38077u
#define IMAGE_SIZE 0x3000u

#define EXPORTS 0x1100u
#define EXPORTS_SIZE 0x80u
#define FUNCTIONS 0x1200u
#define UNWIND 0x1280u
#define DEBUG 0x1300u

static void
set (GByteArray *file, guint32 rva, guint n_bytes, guint64 value)
{
  ns_test_set (file, rva - SECTION_RVA + SECTION_AT, n_bytes, value);
}

static void
set_text (GByteArray *file, guint32 rva, const char *text)
{
  for (gsize i = 0; i <= strlen (text); i++)
    set (file, rva + (guint32) i, 1, (guint8) text[i]);
}

static void
set_headers (GByteArray *file)
{
  ns_test_set (file, 0, 2, 0x5a4d);
  ns_test_set (file, 0x3c, 4, 0x80);
  ns_test_set (file, 0x80, 4, 0x4550);
  ns_test_set (file, 0x84, 2, 0x8664);
  ns_test_set (file, 0x86, 2, 1);
  ns_test_set (file, 0x88, 4, TIMESTAMP);
  ns_test_set (file, 0x94, 2, 240);
  ns_test_set (file, 0x98, 2, 0x20b);
  ns_test_set (file, 0x98 + 56, 4, IMAGE_SIZE);
  ns_test_set (file, 0x98 + 108, 4, 16);
  ns_test_set (file, 0x98 + 112, 4, EXPORTS);
  ns_test_set (file, 0x98 + 116, 4, EXPORTS_SIZE);
  ns_test_set (file, 0x98 + 112 + 3 * 8, 4, FUNCTIONS);
  ns_test_set (file, 0x98 + 116 + 3 * 8, 4, 3 * 12);
  ns_test_set (file, 0x98 + 112 + 6 * 8, 4, DEBUG);
  ns_test_set (file, 0x98 + 116 + 6 * 8, 4, 28);
  ns_test_set (file, 0x98 + 240 + 8, 4, SECTION_SIZE);
  ns_test_set (file, 0x98 + 240 + 12, 4, SECTION_RVA);
  ns_test_set (file, 0x98 + 240 + 16, 4, SECTION_SIZE);
  ns_test_set (file, 0x98 + 240 + 20, 4, SECTION_AT);
}

/* Sets three exports: one with two names, one by ordinal only, one forwarded to another library. */
static void
set_exports (GByteArray *file)
{
  set (file, EXPORTS + 16, 4, 5);
  set (file, EXPORTS + 20, 4, 3);
  set (file, EXPORTS + 24, 4, 2);
  set (file, EXPORTS + 28, 4, EXPORTS + 0x28);
  set (file, EXPORTS + 32, 4, EXPORTS + 0x34);
  set (file, EXPORTS + 36, 4, EXPORTS + 0x3c);
  set (file, EXPORTS + 0x28, 4, 0x1010);
  set (file, EXPORTS + 0x2c, 4, 0x1050);
  set (file, EXPORTS + 0x30, 4, EXPORTS + 0x60);
  set (file, EXPORTS + 0x34, 4, EXPORTS + 0x40);
  set (file, EXPORTS + 0x38, 4, EXPORTS + 0x50);
  set (file, EXPORTS + 0x3c, 2, 0);
  set (file, EXPORTS + 0x3e, 2, 0);
  set_text (file, EXPORTS + 0x40, "LongerName");
  set_text (file, EXPORTS + 0x50, "Open");
  set_text (file, EXPORTS + 0x60, "other.Open");
}

/* Sets the functions 0x1010 … 0x1030 and 0x1050 … 0x1060, and a part at 0x1070 chained to the
 * first. */
static void
set_functions (GByteArray *file)
{
  static const guint32 functions[] = { 0x1010, 0x1030, UNWIND, 0x1050,    0x1060,
                                       UNWIND, 0x1070, 0x1080, UNWIND + 8 };

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    set (file, FUNCTIONS + i * 4, 4, functions[i]);
  set (file, UNWIND, 1, 1);
  set (file, UNWIND + 8, 1, 1 | 4 << 3);
  set (file, UNWIND + 12, 4, 0x1010);
  set (file, UNWIND + 16, 4, 0x1030);
  set (file, UNWIND + 20, 4, UNWIND);
}

static void
set_debug (GByteArray *file)
{
  NsGuid guid = NS_TEST_PDB_GUID;

  set (file, DEBUG + 12, 4, 2);
  set (file, DEBUG + 16, 4, 24 + 16);
  set (file, DEBUG + 24, 4, 0x340 + SECTION_AT);
  set (file, 0x1340, 4, 0x53445352);
  for (guint i = 0; i < sizeof guid.bytes; i++)
    set (file, 0x1344 + i, 1, guid.bytes[i]);
  set (file, 0x1354, 4, 7);
  set_text (file, 0x1358, "C:\\b\\app.pdb");
}

static GByteArray *
new_image (void)
{
  GByteArray *file = g_byte_array_new ();

  g_byte_array_set_size (file, SECTION_AT + SECTION_SIZE);
  memset (file->data, 0, file->len);
  set_headers (file);
  set_exports (file);
  set_functions (file);
  set_debug (file);
  return file;
}

static NsPe *
open_bytes (const GByteArray *file, GError **error)
{
  return ns_pe_new (ns_symbol_source_new_for_memory (file->data, file->len), error);
}

static void
assert_at (NsPe *image, guint32 rva, const char *wanted, guint32 wanted_offset)
{
  guint32 offset = 0;

  g_assert_cmpstr (ns_pe_lookup (image, rva, &offset), ==, wanted);
  g_assert_cmpuint (offset, ==, wanted_offset);
}

static void
test_identity (void)
{
  g_autoptr (GByteArray) file = new_image ();
  g_autoptr (NsPe) image = open_bytes (file, NULL);
  NsGuid guid = NS_TEST_PDB_GUID;

  g_assert_nonnull (image);
  g_assert_true (ns_pe_matches (image, TIMESTAMP, IMAGE_SIZE));
  g_assert_false (ns_pe_matches (image, TIMESTAMP + 1, IMAGE_SIZE));
  g_assert_false (ns_pe_matches (image, TIMESTAMP, IMAGE_SIZE + 1));
  g_assert_true (ns_pe_get_identity (image)->has_pdb);
  g_assert_true (ns_guid_equal (&ns_pe_get_identity (image)->guid, &guid));
  g_assert_cmpuint (ns_pe_get_identity (image)->age, ==, 7);
  g_assert_cmpstr (ns_pe_get_identity (image)->pdb, ==, "C:\\b\\app.pdb");
}

static void
test_exports_name_their_function_only (void)
{
  g_autoptr (GByteArray) file = new_image ();
  g_autoptr (NsPe) image = open_bytes (file, NULL);

  assert_at (image, 0x1010, "Open", 0);
  assert_at (image, 0x102f, "Open", 0x1f);
  assert_at (image, 0x1030, NULL, 0);
  assert_at (image, 0x1054, "Ordinal6", 4);
  /* A separate part belongs to the function with the entry point. */
  assert_at (image, 0x1074, "Open", 0x64);
  assert_at (image, 0x1090, NULL, 0);
  assert_at (image, 0x0, NULL, 0);
}

static void
test_chain_in_a_circle_ends (void)
{
  g_autoptr (GByteArray) file = new_image ();
  g_autoptr (NsPe) image = NULL;

  set (file, UNWIND + 20, 4, UNWIND + 8);
  image = open_bytes (file, NULL);
  assert_at (image, 0x1074, "Open", 0x64);
}

/* Appends @n_bytes zeros to the section and returns their RVA. */
static guint32
grow (GByteArray *file, guint32 n_bytes)
{
  guint32 rva = SECTION_RVA + file->len - SECTION_AT;
  guint before = file->len;

  g_byte_array_set_size (file, before + n_bytes);
  memset (file->data + before, 0, n_bytes);
  ns_test_set (file, 0x98 + 240 + 8, 4, file->len - SECTION_AT);
  ns_test_set (file, 0x98 + 240 + 16, 4, file->len - SECTION_AT);
  return rva;
}

static void
test_an_image_has_so_many_sections_only (void)
{
  g_autoptr (GByteArray) file = new_image ();
  g_autoptr (NsPe) image = NULL;
  g_autoptr (GError) error = NULL;

  ns_test_set (file, 0x86, 2, NS_PE_MAX_SECTIONS);
  image = open_bytes (file, NULL);
  g_assert_nonnull (image);
  ns_test_set (file, 0x86, 2, NS_PE_MAX_SECTIONS + 1);
  g_assert_null (open_bytes (file, &error));
  g_assert_error (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_DAMAGED);
}

static void
test_a_header_far_away_is_none (void)
{
  g_autoptr (GByteArray) file = new_image ();
  guint32 near = file->len;
  g_autoptr (NsPe) image = NULL;
  g_autoptr (GError) error = NULL;

  grow (file, 0x20000);
  memcpy (file->data + near, file->data + 0x80, SECTION_AT - 0x80);
  memcpy (file->data + 0x10000, file->data + 0x80, SECTION_AT - 0x80);
  ns_test_set (file, 0x3c, 4, near);
  image = open_bytes (file, NULL);
  g_assert_nonnull (image);
  ns_test_set (file, 0x3c, 4, 0x10000);
  g_assert_null (open_bytes (file, &error));
  g_assert_error (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_DAMAGED);
}

/* Gives the first function @n_names names: long equal ones, and at last a short one, which is
 * preferred. Returns the length of the displayed name. */
static gsize
show_one_of (guint32 n_names, guint32 n_long)
{
  g_autoptr (GByteArray) file = new_image ();
  guint32 names = grow (file, n_names * 4);
  guint32 ordinals = grow (file, n_names * 2);
  guint32 long_name = grow (file, n_long + 1);
  guint32 short_name = grow (file, 2);
  g_autoptr (NsPe) image = NULL;
  const char *shown;
  guint32 offset;

  for (guint32 i = 0; i < n_names; i++)
    set (file, names + i * 4, 4, i + 1 < n_names ? long_name : short_name);
  memset (file->data + (long_name - SECTION_RVA + SECTION_AT), 'n', n_long);
  set_text (file, short_name, "s");
  set (file, EXPORTS + 24, 4, n_names);
  set (file, EXPORTS + 32, 4, names);
  set (file, EXPORTS + 36, 4, ordinals);
  image = open_bytes (file, NULL);
  shown = ns_pe_lookup (image, 0x1010, &offset);
  return shown != NULL ? strlen (shown) : 0;
}

static void
test_names_are_bounded (void)
{
  g_assert_cmpuint (show_one_of (3, 5000), ==, 1);
  g_assert_cmpuint (show_one_of (NS_PE_MAX_NAME_BYTES / 4096 + 10, 5000), ==, 4096);
  g_assert_cmpuint (show_one_of (NS_PE_MAX_EXPORTS, 2), ==, 1);
  g_assert_cmpuint (show_one_of (NS_PE_MAX_EXPORTS + 1, 2), ==, 0);
}

static void
test_a_debug_directory_is_bounded (void)
{
  for (guint32 n_before = 63; n_before < 65; n_before++)
    {
      g_autoptr (GByteArray) file = new_image ();
      guint32 directory = grow (file, (n_before + 1) * 28);
      g_autoptr (NsPe) image = NULL;

      memcpy (file->data + (directory - SECTION_RVA + SECTION_AT) + n_before * 28,
              file->data + (DEBUG - SECTION_RVA + SECTION_AT),
              28);
      ns_test_set (file, 0x98 + 112 + 6 * 8, 4, directory);
      ns_test_set (file, 0x98 + 116 + 6 * 8, 4, (n_before + 1) * 28);
      image = open_bytes (file, NULL);
      g_assert_cmpint (ns_pe_get_identity (image)->has_pdb, ==, n_before < 64);
    }
}

/* Asserts a table of @n_functions zeros with one function after them, which are all read if the
 * table is within the limit. */
static void
assert_functions (guint32 n_functions, gboolean is_too_many)
{
  g_autoptr (GByteArray) file = new_image ();
  guint32 table = SECTION_RVA + file->len - SECTION_AT;
  g_autofree char *path = NULL;
  g_autoptr (NsPe) image = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;
  guint32 offset;
  int fd = g_file_open_tmp ("pe-XXXXXX", &path, NULL);

  ns_test_set (file, 0x98 + 112 + 3 * 8, 4, table);
  ns_test_set (file, 0x98 + 116 + 3 * 8, 4, n_functions * 12);
  ns_test_set (file, 0x98 + 240 + 16, 4, table - SECTION_RVA + n_functions * 12);
  g_assert_cmpint (write (fd, file->data, file->len), ==, file->len);
  g_assert_cmpint (ftruncate (fd, (off_t) file->len + (off_t) n_functions * 12), ==, 0);
  g_assert_cmpint (pwrite (fd,
                           file->data + (FUNCTIONS - SECTION_RVA + SECTION_AT),
                           12,
                           (off_t) file->len + (off_t) (n_functions - 1) * 12),
                   ==,
                   12);
  close (fd);
  image = ns_pe_open (path, NULL);
  g_unlink (path);
  g_assert_nonnull (image);
  g_assert_true (ns_pe_read_names (image, &error) != is_too_many);
  /* A repeated call has the same result. */
  g_assert_true (ns_pe_read_names (image, &again) != is_too_many);
  if (is_too_many)
    {
      g_assert_error (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_LIMIT);
      g_assert_error (again, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_LIMIT);
      g_assert_cmpstr (again->message, ==, error->message);
    }
  else
    assert_at (image, 0x1014, "Open", 4);
  g_assert_null (ns_pe_lookup (image, 0x1054, &offset));
}

static void
test_functions_are_bounded (void)
{
  assert_functions (NS_PE_MAX_FUNCTIONS, FALSE);
  assert_functions (NS_PE_MAX_FUNCTIONS + 1, TRUE);
}

static void
test_survives_chance (void)
{
  g_autoptr (GByteArray) good = new_image ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint round = 0; round < 3000; round++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (NsPe) image = NULL;
      guint32 offset;

      g_byte_array_append (file, good->data, good->len);
      for (gint i = g_rand_int_range (rand, 1, 6); i > 0; i--)
        ns_test_set (file,
                     (gsize) g_rand_int_range (rand, 0, (gint) file->len / 4) * 4,
                     4,
                     g_rand_boolean (rand) ? g_rand_int (rand) : 0xffffffff);
      g_byte_array_set_size (file, (guint) g_rand_int_range (rand, 1, (gint) good->len));
      image = open_bytes (file, NULL);
      for (guint32 rva = 0x1000; image != NULL && rva < 0x1100; rva += 8)
        ns_pe_lookup (image, rva, &offset);
    }
}

static void
test_refuses_others (void)
{
  g_autoptr (GByteArray) file = new_image ();
  g_autoptr (GError) error = NULL;

  ns_test_set (file, 0x80, 4, 0);
  g_assert_null (open_bytes (file, &error));
  g_assert_error (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_DAMAGED);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pe/identity", test_identity);
  g_test_add_func ("/pe/exports-name-their-function-only", test_exports_name_their_function_only);
  g_test_add_func ("/pe/chain-in-a-circle-ends", test_chain_in_a_circle_ends);
  g_test_add_func ("/pe/an-image-has-so-many-sections-only",
                   test_an_image_has_so_many_sections_only);
  g_test_add_func ("/pe/a-header-far-away-is-none", test_a_header_far_away_is_none);
  g_test_add_func ("/pe/names-are-bounded", test_names_are_bounded);
  g_test_add_func ("/pe/a-debug-directory-is-bounded", test_a_debug_directory_is_bounded);
  g_test_add_func ("/pe/functions-are-bounded", test_functions_are_bounded);
  g_test_add_func ("/pe/survives-chance", test_survives_chance);
  g_test_add_func ("/pe/refuses-others", test_refuses_others);
  return g_test_run ();
}

/* Tests PDB lookups, and damaged PDBs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-pdb.h"
#include "symbols/ns-pdb.h"

#define MAX_LEVELS 8

static NsPdb *
open_bytes (const GByteArray *file, GError **error)
{
  return ns_pdb_new (ns_symbol_source_new_for_memory (file->data, file->len), error);
}

/* Formats frames as `helper@7 < outer::work+0x4@42`, innermost first. */
static char *
describe_frames (const NsPdbFrame *frames, guint n_frames)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n_frames; i++)
    {
      g_string_append_printf (text, "%s%s", i > 0 ? " < " : "", frames[i].symbol);
      if (frames[i].kind != NS_PDB_FRAME_INLINE)
        g_string_append_printf (text, "+0x%x", frames[i].offset);
      if (frames[i].line != 0)
        g_string_append_printf (text, "@%u", frames[i].line);
      if (frames[i].kind == NS_PDB_FRAME_PUBLIC)
        g_string_append (text, " public");
    }
  return g_string_free (text, FALSE);
}

static char *
describe (NsPdb *pdb, guint32 rva)
{
  NsPdbFrame frames[MAX_LEVELS];

  return describe_frames (frames, ns_pdb_lookup (pdb, rva, frames, MAX_LEVELS));
}

static void
assert_at (NsPdb *pdb, guint32 rva, const char *wanted)
{
  g_autofree char *text = describe (pdb, rva);

  g_assert_cmpstr (text, ==, wanted);
}

static void
add_function_cb (const NsPdbFunction *function, gpointer user_data)
{
  g_string_append_printf (user_data,
                          "%x+%x%s;",
                          function->rva,
                          function->size,
                          function->is_public ? " public" : "");
}

static guint
count_functions (NsPdb *pdb)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_functions = 0;

  ns_pdb_foreach_function (pdb, add_function_cb, text);
  for (const char *p = text->str; *p != '\0'; p++)
    n_functions += *p == ';';
  return n_functions;
}

static void
test_names_addresses (void)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  g_autoptr (GByteArray) file = ns_test_pdb_write (test, 0);
  g_autoptr (NsPdb) pdb = open_bytes (file, NULL);
  g_autoptr (GString) functions = g_string_new (NULL);

  g_assert_nonnull (pdb);
  assert_at (pdb, 0x1010, "outer::work+0x0@40");
  /* Of two lines at one offset the last one is used. */
  assert_at (pdb, 0x1014, "tools::helper@9 < outer::work+0x4@42");
  assert_at (pdb, 0x101b, "tools::helper@9 < outer::work+0xb@42");
  /* The number 0xf00f00 marks code without a line. */
  assert_at (pdb, 0x101c, "outer::work+0xc@42");
  assert_at (pdb, 0x104f, "outer::work+0x3f@44");
  assert_at (pdb, 0x1050, "outer::other+0x0");
  assert_at (pdb, 0x1085, "ns::late+0x5 public");
  /* Addresses between and outside of the contributions of modules. */
  assert_at (pdb, 0x1000, "");
  assert_at (pdb, 0x1070, "");
  assert_at (pdb, 0x2000, "");
  assert_at (pdb, 0xffffffff, "");
  ns_pdb_foreach_function (pdb, add_function_cb, functions);
  g_assert_cmpstr (functions->str, ==, "1010+40;1050+10;1080+20 public;");
  g_assert_cmpuint (ns_pdb_get_n_publics (pdb), ==, 3);
  g_assert_cmpuint (ns_pdb_get_n_damaged (pdb), ==, 0);
}

static void
test_reads_scattered_streams (void)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  g_autoptr (GByteArray) file = NULL;
  g_autoptr (NsPdb) pdb = NULL;

  /* A stream of several blocks, none adjacent to another. */
  for (guint i = 0; i < 4 * NS_TEST_PDB_BLOCK; i++)
    ns_test_put (ns_test_pdb_get (test, NS_TEST_PDB_MODULE), 1, 0);
  file = ns_test_pdb_write (test, 1);
  pdb = open_bytes (file, NULL);
  g_assert_nonnull (pdb);
  assert_at (pdb, 0x1014, "tools::helper@9 < outer::work+0x4@42");
}

/* Appends the description of one address of a batch lookup. */
static void
describe_cb (guint i, const NsPdbFrame *frames, guint n_frames, gpointer user_data)
{
  char **texts = user_data;

  g_assert_null (texts[i]);
  texts[i] = describe_frames (frames, n_frames);
}

static void
test_names_many_addresses_like_one (void)
{
  static const guint32 rvas[] = { 0x2000, 0x1085, 0x1014, 0x1010, 0x1085,    0,
                                  0x101c, 0x1050, 0x1014, 0x1070, 0xffffffff };
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  g_autoptr (GByteArray) file = ns_test_pdb_write (test, 0);
  g_autoptr (NsPdb) pdb = open_bytes (file, NULL);

  /* Twice, because the second round finds the cache of the first one emptied. */
  for (guint round = 0; round < 2; round++)
    {
      g_autofree char **texts = g_new0 (char *, G_N_ELEMENTS (rvas));

      ns_pdb_lookup_many (pdb, rvas, G_N_ELEMENTS (rvas), describe_cb, texts);
      for (guint i = 0; i < G_N_ELEMENTS (rvas); i++)
        {
          g_assert_nonnull (texts[i]);
          assert_at (pdb, rvas[i], texts[i]);
          g_free (texts[i]);
        }
    }
  g_assert_cmpuint (ns_pdb_get_n_damaged (pdb), ==, 0);
}

/* The address map of public symbols is searched in place and still validated. */
static void
test_finds_publics_whatever_their_table_says (void)
{
  static const struct
  {
    guint entry;
    guint32 record;
    gboolean is_damage;
  } tables[] = {
    { 0, 0, FALSE },         /* unchanged */
    { 0, 1, TRUE },          /* inside a record */
    { 1, 2, TRUE },          /* inside a record */
    { 1, 0xffffff00, TRUE }, /* out of range */
  };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
      g_autoptr (GByteArray) file = NULL;
      g_autoptr (NsPdb) pdb = NULL;

      if (tables[i].is_damage)
        ns_test_set (ns_test_pdb_get (test, NS_TEST_PDB_PSI),
                     28 + 4 * tables[i].entry,
                     4,
                     tables[i].record);
      file = ns_test_pdb_write (test, 0);
      pdb = open_bytes (file, NULL);
      assert_at (pdb, 0x1085, "ns::late+0x5 public");
      g_assert_cmpint (ns_pdb_get_n_damaged (pdb) > 0, ==, tables[i].is_damage);
    }
}

/* Writes aliases like a linker with identical code folding: the address map is sorted by
 * address. */
static GByteArray *
write_aliases (guint n, gboolean is_damaged)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  GByteArray *records = ns_test_pdb_get (test, NS_TEST_PDB_SYMREC);
  GByteArray *map = ns_test_pdb_get (test, NS_TEST_PDB_PSI);
  guint32 data;
  guint i;

  memcpy (&data, map->data + map->len - 4, 4);
  g_byte_array_set_size (map, map->len - 4);
  for (i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("?alias%06u@@YAXXZ", i);
      guint at = records->len;

      ns_test_put (map, 4, at);
      ns_test_put (records, 2, 0);
      ns_test_put (records, 2, 0x110e);
      ns_test_put (records, 4, 2);
      ns_test_put (records, 4, 0x80);
      ns_test_put (records, 2, 1);
      ns_test_put_text (records, name);
      while (records->len % 4 != 0)
        ns_test_put (records, 1, 0);
      ns_test_set (records, at, 2, records->len - at - 2);
    }
  ns_test_put (map, 4, is_damaged ? data + 1 : GUINT32_FROM_LE (data));
  ns_test_set (map, 4, 4, 4 * (n + 3));
  return ns_test_pdb_write (test, 0);
}

static void
test_the_first_of_many_aliases_is_the_name (void)
{
  static const guint counts[] = { 0, 1, 2, 3, 1000 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (counts); i++)
    {
      guint n = counts[i / 2];
      g_autoptr (GByteArray) file = write_aliases (n, i % 2 != 0);
      g_autoptr (NsPdb) pdb = open_bytes (file, NULL);
      NsPdbFrame frame;

      assert_at (pdb, 0x1085, "ns::late+0x5 public");
      g_assert_cmpuint (ns_pdb_lookup (pdb, 0x1085, &frame, 1), ==, 1);
      g_assert_cmpint (frame.is_folded, ==, n > 0);
      g_assert_cmpuint (ns_pdb_get_n_publics (pdb), ==, n + 3);
    }
}

static void
test_keeps_the_outermost_level (void)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  g_autoptr (GByteArray) file = ns_test_pdb_write (test, 0);
  g_autoptr (NsPdb) pdb = open_bytes (file, NULL);
  NsPdbFrame frame;

  g_assert_cmpuint (ns_pdb_lookup (pdb, 0x1014, &frame, 1), ==, 1);
  g_assert_cmpstr (frame.symbol, ==, "outer::work");
}

static void
test_matches_by_guid_and_age (void)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  g_autoptr (GByteArray) file = ns_test_pdb_write (test, 0);
  g_autoptr (NsPdb) pdb = open_bytes (file, NULL);
  NsGuid guid = NS_TEST_PDB_GUID;
  NsGuid zero = { { 0 } };

  g_assert_true (ns_pdb_matches (pdb, &guid, NS_TEST_PDB_AGE));
  g_assert_true (ns_pdb_matches (pdb, &guid, NS_TEST_PDB_AGE - 1));
  g_assert_false (ns_pdb_matches (pdb, &guid, NS_TEST_PDB_AGE + 1));
  g_assert_false (ns_pdb_matches (pdb, &zero, NS_TEST_PDB_AGE));
  guid.bytes[0] ^= 1;
  g_assert_false (ns_pdb_matches (pdb, &guid, NS_TEST_PDB_AGE));
}

static void
test_follows_rewritten_addresses (void)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  static const guint32 to_source[][2] = { { 0x5000, 0x1010 }, { 0x5040, 0 }, { 0x5100, 0x1050 } };
  static const guint32 from_source[][2] = { { 0x1010, 0x5000 }, { 0x1050, 0x5100 } };
  GByteArray *dbi = ns_test_pdb_get (test, NS_TEST_PDB_DBI);
  GByteArray *omap[] = { g_byte_array_new (), g_byte_array_new () };
  g_autoptr (GByteArray) file = NULL;
  g_autoptr (NsPdb) pdb = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (to_source) * 2; i++)
    ns_test_put (omap[0], 4, to_source[i / 2][i % 2]);
  for (guint i = 0; i < G_N_ELEMENTS (from_source) * 2; i++)
    ns_test_put (omap[1], 4, from_source[i / 2][i % 2]);
  g_ptr_array_add (test->streams, omap[0]);
  g_ptr_array_add (test->streams, omap[1]);
  ns_test_set (dbi, dbi->len - 22 + 6, 2, NS_TEST_PDB_N_STREAMS);
  ns_test_set (dbi, dbi->len - 22 + 8, 2, NS_TEST_PDB_N_STREAMS + 1);
  ns_test_set (dbi, dbi->len - 22 + 20, 2, NS_TEST_PDB_SECTIONS);
  file = ns_test_pdb_write (test, 0);
  pdb = open_bytes (file, NULL);
  assert_at (pdb, 0x5004, "tools::helper@9 < outer::work+0x4@42");
  assert_at (pdb, 0x5050, "");
  assert_at (pdb, 0x5101, "outer::other+0x1");
}

/* One damage: changed bytes of a stream (-1: of the file), or the offset at which the file is
 * truncated. */
typedef struct
{
  const char *name;
  int stream;
  gsize offset;
  guint n_bytes;
  guint64 value;
  int n_functions; /* functions still found; -1: refused */
} Damage;

#define IN_FILE (-1)
#define CUT (-2)
#define AT_DIRECTORY (-3)
#define AT_MAP (-4)

static const Damage damages[] = {
  { "empty", CUT, 0, 0, 0, -1 },
  { "trunc31", CUT, 31, 0, 0, -1 },
  { "trunc_header", CUT, 60, 0, 0, -1 },
  { "trunc_half", CUT, 8 * NS_TEST_PDB_BLOCK, 0, 0, -1 },
  { "trunc_last_block", CUT, G_MAXSIZE, 0, 0, -1 },
  { "bad_magic", IN_FILE, 0, 1, 'X', -1 },
  { "bs0", IN_FILE, 32, 4, 0, -1 },
  { "bs_not_pow2", IN_FILE, 32, 4, 4095, -1 },
  { "bs_huge", IN_FILE, 32, 4, 1u << 31, -1 },
  { "nblocks_huge", IN_FILE, 40, 4, 0xffffffff, 3 },
  { "dirsize_huge", IN_FILE, 44, 4, 0xfffffff0, -1 },
  { "dirsize_3", IN_FILE, 44, 4, 3, -1 },
  { "dirmap_oob", IN_FILE, 52, 4, 0x7fffffff, -1 },
  { "dirmap_self", IN_FILE, 52, 4, 0, -1 },
  { "dirblk_oob", AT_MAP, 0, 4, 0xfffffff0, -1 },
  { "nstreams_huge", AT_DIRECTORY, 0, 4, 0x40000000, -1 },
  { "stream_size_huge", AT_DIRECTORY, 16, 4, 0xfffffffe, -1 },
  { "stream_nil_dbi", AT_DIRECTORY, 16, 4, 0xffffffff, 0 },
  { "dbi_blk_oob", AT_DIRECTORY, 4 + 4 * NS_TEST_PDB_N_STREAMS + 8, 4, 0xffffff, -1 },
  { "dbi_badsig", NS_TEST_PDB_DBI, 0, 4, 0, -1 },
  { "dbi_modsize_neg", NS_TEST_PDB_DBI, 24, 4, 0x80000000, -1 },
  { "dbi_sc_huge", NS_TEST_PDB_DBI, 28, 4, 0x7ffffffc, -1 },
  { "dbi_symrec_oob", NS_TEST_PDB_DBI, 20, 2, 0xfffe, 2 },
  { "dbi_symrec_self", NS_TEST_PDB_DBI, 20, 2, 3, 2 },
  { "dbi_psi_none", NS_TEST_PDB_DBI, 16, 2, 0xffff, 3 },
  { "mod0_stream_oob", NS_TEST_PDB_DBI, 64 + 34, 2, 0x7fff, 2 },
  { "mod0_symsize_huge", NS_TEST_PDB_DBI, 64 + 36, 4, 0xfffffffc, 2 },
  { "mod0_c13_overlap", NS_TEST_PDB_DBI, 64 + 44, 4, 0xfffffff0, 2 },
  { "sym_len0", NS_TEST_PDB_MODULE, 4, 2, 0, 2 },
  { "sym_len_ffff", NS_TEST_PDB_MODULE, 4, 2, 0xffff, 2 },
  { "sym_sig_bad", NS_TEST_PDB_MODULE, 0, 4, 2, 2 },
  { "pub_len1", NS_TEST_PDB_SYMREC, 0, 2, 1, 2 },
  { "pub_noterm", NS_TEST_PDB_SYMREC, 32, 4, 0x41414141, 3 },
  { "pub_seg99", NS_TEST_PDB_SYMREC, 12, 2, 99, 3 },
  { "info_guid_zero", NS_TEST_PDB_INFO, 12, 4, 0, 3 },
  { "info_names_oob", NS_TEST_PDB_INFO, 28, 4, 0xffffffff, 3 },
  { "tpi_hdr_huge", NS_TEST_PDB_TPI, 4, 4, 0xfffffff0, 3 },
  { "ipi_end_lt_begin", NS_TEST_PDB_IPI, 12, 4, 0, 3 },
};

static void
damage (NsTestPdb *test, GByteArray *file, const Damage *wanted)
{
  gsize n_file = file->len;
  gsize at = wanted->offset;

  switch (wanted->stream)
    {
    case CUT:
      g_byte_array_set_size (file, (guint) MIN (at, n_file - NS_TEST_PDB_BLOCK / 2));
      return;
    case IN_FILE:
      break;
    case AT_DIRECTORY:
      at += n_file - 2 * NS_TEST_PDB_BLOCK;
      break;
    case AT_MAP:
      at += n_file - NS_TEST_PDB_BLOCK;
      break;
    default:
      at = ns_test_pdb_locate (test, (guint) wanted->stream, at);
      break;
    }
  ns_test_set (file, at, wanted->n_bytes, wanted->value);
}

static void
test_survives_damage (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
      g_autoptr (GByteArray) file = ns_test_pdb_write (test, 0);
      g_autoptr (GError) error = NULL;
      g_autoptr (NsPdb) pdb = NULL;

      damage (test, file, &damages[i]);
      pdb = open_bytes (file, &error);
      g_test_message ("%s: %s", damages[i].name, error != NULL ? error->message : "opened");
      g_assert_cmpint (pdb != NULL, ==, error == NULL);
      g_assert_cmpint (pdb != NULL, ==, damages[i].n_functions >= 0);
      for (guint32 rva = 0xff0; pdb != NULL && rva < 0x1210; rva++)
        {
          NsPdbFrame frames[MAX_LEVELS];

          ns_pdb_lookup (pdb, rva, frames, MAX_LEVELS);
        }
      if (pdb != NULL)
        g_assert_cmpint (count_functions (pdb), ==, damages[i].n_functions);
    }
}

/* With random changes a lookup still terminates, and names are valid text. */
static void
test_survives_chance (void)
{
  g_autoptr (NsTestPdb) test = ns_test_pdb_new ();
  g_autoptr (GByteArray) good = ns_test_pdb_write (test, 0);
  static const guint32 values[] = { 0, 1, 0x7fffffff, 0x80000000, 0xffffffff };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint round = 0; round < 3000; round++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (NsPdb) pdb = NULL;
      NsPdbFrame frames[MAX_LEVELS];

      g_byte_array_append (file, good->data, good->len);
      for (gint i = g_rand_int_range (rand, 1, 5); i > 0; i--)
        ns_test_set (file,
                     (gsize) g_rand_int_range (rand, 0, (gint) file->len / 4) * 4,
                     4,
                     g_rand_boolean (rand) ? g_rand_int (rand)
                                           : values[g_rand_int_range (rand, 0, 5)]);
      pdb = open_bytes (file, NULL);
      for (guint32 rva = 0x1000; pdb != NULL && rva < 0x10a0; rva += 4)
        for (guint n = ns_pdb_lookup (pdb, rva, frames, MAX_LEVELS); n > 0; n--)
          g_assert_true (g_utf8_validate (frames[n - 1].symbol, -1, NULL));
    }
}

static void
test_says_what_a_file_is (void)
{
  static const struct
  {
    const char *bytes;
    gint code; /* #NsSymbolError */
  } files[] = {
    { "BSJB................................", NS_SYMBOL_ERROR_PORTABLE },
    { "Microsoft MSFZ Container\r\n\x1a"
      "ALD",
      NS_SYMBOL_ERROR_COMPRESSED },
    { "Microsoft C/C++ program database 2.00\r\n\x1a"
      "JG",
      NS_SYMBOL_ERROR_TOO_OLD },
    { "MSCF", NS_SYMBOL_ERROR_COMPRESSED },
    { "MZ", NS_SYMBOL_ERROR_NOT_SYMBOLS },
    { "<!DOCTYPE html><html>", NS_SYMBOL_ERROR_NOT_SYMBOLS },
    { "", NS_SYMBOL_ERROR_NOT_SYMBOLS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (GError) error = NULL;

      ns_test_put_text (file, files[i].bytes);
      if (files[i].bytes[0] == '\0')
        g_byte_array_set_size (file, 0);
      g_assert_null (open_bytes (file, &error));
      g_assert_error (error, NS_SYMBOL_ERROR, files[i].code);
    }
}

static void
test_refuses_what_is_no_file (void)
{
  g_autoptr (GError) folder = NULL;
  g_autoptr (GError) nothing = NULL;

  g_assert_null (ns_pdb_open (g_get_tmp_dir (), &folder));
  g_assert_error (folder, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_OPEN);
  g_assert_null (ns_pdb_open ("/nonexistent/x.pdb", &nothing));
  g_assert_error (nothing, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_OPEN);
  g_assert_nonnull (strstr (nothing->message, "/nonexistent/x.pdb"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pdb/names-addresses", test_names_addresses);
  g_test_add_func ("/pdb/reads-scattered-streams", test_reads_scattered_streams);
  g_test_add_func ("/pdb/names-many-addresses-like-one", test_names_many_addresses_like_one);
  g_test_add_func ("/pdb/the-first-of-many-aliases-is-the-name",
                   test_the_first_of_many_aliases_is_the_name);
  g_test_add_func ("/pdb/finds-publics-whatever-their-table-says",
                   test_finds_publics_whatever_their_table_says);
  g_test_add_func ("/pdb/keeps-the-outermost-level", test_keeps_the_outermost_level);
  g_test_add_func ("/pdb/matches-by-guid-and-age", test_matches_by_guid_and_age);
  g_test_add_func ("/pdb/follows-rewritten-addresses", test_follows_rewritten_addresses);
  g_test_add_func ("/pdb/survives-damage", test_survives_damage);
  g_test_add_func ("/pdb/survives-chance", test_survives_chance);
  g_test_add_func ("/pdb/says-what-a-file-is", test_says_what_a_file_is);
  g_test_add_func ("/pdb/refuses-what-is-no-file", test_refuses_what_is_no_file);
  return g_test_run ();
}

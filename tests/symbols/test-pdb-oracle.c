/* Compares real PDBs with the results of Windows' own reader.
 *
 * The .sym files have Breakpad's text format and were made on Windows: FUNC, PUBLIC and line
 * records. Both kinds of file are searched in the folder NETSTITCH_TEST_PDB.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb.h"
#include "symbols/ns-undecorate.h"

#include <string.h>

#define MAX_LEVELS (NS_PDB_MAX_INLINE_DEPTH + 1)

typedef struct
{
  guint32 rva;
  guint32 size;
  guint32 line;
  guint32 file;
} Line;

typedef struct
{
  GHashTable *files; /* number to path */
  GArray *lines;     /* Line: lines with code */
  GArray *functions; /* Line: address and size only */
} Oracle;

static char *
find_file (const char *name)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_PDB");
  g_autofree char *path = folder != NULL ? g_build_filename (folder, name, NULL) : NULL;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("NETSTITCH_TEST_PDB does not have it");
      return NULL;
    }
  return g_steal_pointer (&path);
}

static void
read_line (Oracle *oracle, char *text)
{
  Line line = { 0 };
  char *rest = text;

  if (g_str_has_prefix (text, "FILE "))
    {
      guint number = (guint) g_ascii_strtoull (text + 5, &rest, 10);

      g_hash_table_insert (oracle->files, GUINT_TO_POINTER (number), g_strdup (rest + 1));
    }
  else if (g_str_has_prefix (text, "FUNC "))
    {
      rest = text + (g_str_has_prefix (text, "FUNC m ") ? 7 : 5);
      line.rva = (guint32) g_ascii_strtoull (rest, &rest, 16);
      line.size = (guint32) g_ascii_strtoull (rest, &rest, 16);
      g_array_append_val (oracle->functions, line);
    }
  else if (g_ascii_isxdigit (text[0]) && strchr (text, ' ') != NULL)
    {
      line.rva = (guint32) g_ascii_strtoull (rest, &rest, 16);
      line.size = (guint32) g_ascii_strtoull (rest, &rest, 16);
      line.line = (guint32) g_ascii_strtoull (rest, &rest, 10);
      line.file = (guint32) g_ascii_strtoull (rest, &rest, 10);
      if (line.size > 0)
        g_array_append_val (oracle->lines, line);
    }
}

static void
read_oracle (Oracle *oracle, const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  oracle->files = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  oracle->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  oracle->functions = g_array_new (FALSE, FALSE, sizeof (Line));
  for (guint i = 0; lines[i] != NULL; i++)
    read_line (oracle, g_strstrip (lines[i]));
}

static guint
count_equal_lines (NsPdb *pdb, const Oracle *oracle, double where)
{
  guint n_equal = 0;

  for (guint i = 0; i < oracle->lines->len; i++)
    {
      const Line *line = &g_array_index (oracle->lines, Line, i);
      const char *file = g_hash_table_lookup (oracle->files, GUINT_TO_POINTER (line->file));
      NsPdbFrame frames[MAX_LEVELS];
      guint32 rva = line->rva + (guint32) (where * (line->size - 1));
      guint n_frames = ns_pdb_lookup (pdb, rva, frames, MAX_LEVELS);
      const NsPdbFrame *outer = n_frames > 0 ? &frames[n_frames - 1] : NULL;

      n_equal += outer != NULL && outer->line == line->line && outer->file != NULL &&
                 g_ascii_strcasecmp (outer->file, file) == 0;
    }
  return n_equal;
}

static void
add_size_cb (const NsPdbFunction *function, gpointer user_data)
{
  if (!function->is_public)
    g_hash_table_insert (user_data,
                         GUINT_TO_POINTER (function->rva),
                         GUINT_TO_POINTER (function->size));
}

static void
compare (const char *pdb_name,
         const char *sym_name,
         guint n_lines,
         guint n_equal,
         guint n_functions)
{
  g_autofree char *pdb_path = find_file (pdb_name);
  g_autofree char *sym_path = pdb_path != NULL ? find_file (sym_name) : NULL;
  g_autoptr (NsPdb) pdb = NULL;
  g_autoptr (GHashTable) sizes = g_hash_table_new (NULL, NULL);
  Oracle oracle;

  if (sym_path == NULL)
    return;
  pdb = ns_pdb_open (pdb_path, NULL);
  g_assert_nonnull (pdb);
  read_oracle (&oracle, sym_path);
  g_assert_cmpuint (oracle.lines->len, ==, n_lines);
  g_assert_cmpuint (count_equal_lines (pdb, &oracle, 0), ==, n_equal);
  g_assert_cmpuint (count_equal_lines (pdb, &oracle, 0.5), ==, n_equal);
  g_assert_cmpuint (count_equal_lines (pdb, &oracle, 1), ==, n_equal);
  g_assert_cmpuint (oracle.functions->len, ==, n_functions);
  ns_pdb_foreach_function (pdb, add_size_cb, sizes);
  for (guint i = 0; i < oracle.functions->len; i++)
    {
      const Line *function = &g_array_index (oracle.functions, Line, i);

      g_assert_cmpuint (GPOINTER_TO_UINT (
                            g_hash_table_lookup (sizes, GUINT_TO_POINTER (function->rva))),
                        ==,
                        function->size);
    }
  g_assert_cmpuint (ns_pdb_get_n_damaged (pdb), ==, 0);
  g_hash_table_unref (oracle.files);
  g_array_unref (oracle.lines);
  g_array_unref (oracle.functions);
}

/* The only difference is a marker, which is not a source line. */
static void
test_crash (void)
{
  compare ("crash.pdb", "crash.sym", 726, 725, 92);
}

static void
test_crash_with_exception (void)
{
  compare ("CrashWithException.pdb", "CrashWithException.pdb.sym", 282, 282, 66);
}

/* Inlinee IDs refer to other modules; each must be resolved. */
static void
test_names_across_modules (void)
{
  g_autofree char *path = find_file ("crash.pdb");
  g_autoptr (NsPdb) pdb = NULL;
  guint n_inlines = 0;

  if (path == NULL)
    return;
  pdb = ns_pdb_open (path, NULL);
  for (guint32 rva = 0x1000; rva < 0x4000; rva++)
    {
      NsPdbFrame frames[MAX_LEVELS];
      guint n_frames = ns_pdb_lookup (pdb, rva, frames, MAX_LEVELS);

      for (guint i = 0; i + 1 < n_frames; i++, n_inlines++)
        g_assert_cmpstr (frames[i].symbol, !=, "<inlined function>");
    }
  g_assert_cmpuint (n_inlines, >, 100);
}

/* A stripped PDB has public symbols only, and says so. */
static void
test_stripped (void)
{
  g_autofree char *path = find_file ("basic32-min.pdb");
  g_autoptr (NsPdb) pdb = path != NULL ? ns_pdb_open (path, NULL) : NULL;

  if (path == NULL)
    return;
  g_assert_nonnull (pdb);
  g_assert_true (ns_pdb_get_identity (pdb)->is_stripped);
  g_assert_cmpuint (ns_pdb_get_n_publics (pdb), >, 1000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pdb-oracle/crash", test_crash);
  g_test_add_func ("/pdb-oracle/crash-with-exception", test_crash_with_exception);
  g_test_add_func ("/pdb-oracle/names-across-modules", test_names_across_modules);
  g_test_add_func ("/pdb-oracle/stripped", test_stripped);
  return g_test_run ();
}

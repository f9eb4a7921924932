/* Reads the C13 debug subsections of a module: line tables, file checksums, inlinee lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb-private.h"

/* Kinds of subsections; readers skip those with the highest bit set. */
enum
{
  C13_LINES = 0xf2,
  C13_CHECKSUMS = 0xf4,
  C13_INLINEES = 0xf6,
  C13_IMPORTS = 0xf7,
  C13_EXPORTS = 0xf8,
};

#define LINES_HEADER_SIZE 12
#define BLOCK_HEADER_SIZE 12
#define HAS_COLUMNS 1u
#define LINE_BITS 0xffffffu
/* Special line numbers that mean "step into" and "step over" (CodeView's cvinfo.h). */
#define LINE_NEVER_STEP_INTO 0xfeefeeu
#define LINE_ALWAYS_STEP_INTO 0xf00f00u
#define INLINEES_WITH_EXTRA_FILES 1u

static void
index_lines (const NsPdb *self, NsPdbModule *module, const NsCursor *table)
{
  NsCursor cursor = *table;
  NsPdbLines lines = { 0 };
  guint32 offset = ns_cursor_u32 (&cursor);
  guint16 section = ns_cursor_u16 (&cursor);

  lines.has_columns = (ns_cursor_u16 (&cursor) & HAS_COLUMNS) != 0;
  lines.size = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor) || !ns_pdb_place (self, section, offset, &lines.rva))
    return;
  lines.at = (guint32) (cursor.data + cursor.pos - module->c13.data);
  lines.n_bytes = (guint32) ns_cursor_left (&cursor);
  g_array_append_val (module->lines, lines);
}

static void
index_inlinees (NsPdbModule *module, const NsCursor *table)
{
  NsCursor cursor = *table;
  guint32 signature = ns_cursor_u32 (&cursor);

  while (ns_cursor_left (&cursor) >= 12)
    {
      NsPdbInlinee inlinee;

      inlinee.id = ns_cursor_u32 (&cursor);
      inlinee.file = ns_cursor_u32 (&cursor);
      inlinee.line = ns_cursor_u32 (&cursor);
      if (signature == INLINEES_WITH_EXTRA_FILES)
        ns_cursor_skip (&cursor, (gsize) ns_cursor_u32 (&cursor) * 4);
      if (ns_cursor_ok (&cursor))
        g_array_append_val (module->inlinees, inlinee);
    }
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const NsPdbLines *left = a;
  const NsPdbLines *right = b;

  if (left->rva != right->rva)
    return left->rva > right->rva ? 1 : -1;
  return (left->at > right->at) - (left->at < right->at);
}

/* Compares by ID only: g_array_sort() is stable, so the first entry of an ID in the file stays
 * first. */
static int
compare_inlinees (gconstpointer a, gconstpointer b)
{
  const NsPdbInlinee *left = a;
  const NsPdbInlinee *right = b;

  return (left->id > right->id) - (left->id < right->id);
}

/**
 * ns_pdb_module_index_c13:
 * @self: a PDB
 * @module: a module
 *
 * Indexes the subsections of the module.
 */
void
ns_pdb_module_index_c13 (const NsPdb *self, NsPdbModule *module)
{
  NsCursor cursor = module->c13;

  ns_cursor_init (&module->checksums, NULL, 0);
  ns_cursor_init (&module->imports, NULL, 0);
  ns_cursor_init (&module->exports, NULL, 0);
  g_array_set_size (module->lines, 0);
  g_array_set_size (module->inlinees, 0);
  while (ns_cursor_left (&cursor) >= 8)
    {
      NsCursor table;
      guint32 kind = ns_cursor_u32 (&cursor);

      if (!ns_cursor_sub (&cursor, ns_cursor_u32 (&cursor), &table))
        {
          module->n_damaged++;
          break;
        }
      ns_cursor_seek (&cursor, MIN ((cursor.pos + 3) & ~(gsize) 3, cursor.size));
      if (kind == C13_LINES)
        index_lines (self, module, &table);
      else if (kind == C13_INLINEES)
        index_inlinees (module, &table);
      else if (kind == C13_CHECKSUMS)
        module->checksums = table;
      else if (kind == C13_IMPORTS)
        module->imports = table;
      else if (kind == C13_EXPORTS)
        module->exports = table;
    }
  ns_pdb_sort (module->lines, compare_lines);
  ns_pdb_sort (module->inlinees, compare_inlinees);
}

/**
 * ns_pdb_module_get_file:
 * @self: a PDB
 * @module: a module
 * @checksum: offset of a file in the module's checksums subsection
 *
 * Returns: (transfer none) (nullable): path of the source file at the time of compilation
 */
const char *
ns_pdb_module_get_file (NsPdb *self, NsPdbModule *module, guint32 checksum)
{
  guint place = checksum / 8 % NS_PDB_N_FILES;
  NsCursor cursor = module->checksums;
  guint32 name;

  if (module->files[place].name != NULL && module->files[place].checksum == checksum)
    return module->files[place].name;
  ns_cursor_seek (&cursor, checksum);
  name = ns_cursor_u32 (&cursor);
  module->files[place].checksum = checksum;
  module->files[place].name = ns_cursor_ok (&cursor) ? ns_pdb_get_name (self, name) : NULL;
  return module->files[place].name;
}

/* The best line entry so far. */
typedef struct
{
  gboolean is_found;
  gboolean is_ahead; /* begins behind the address */
  guint32 offset;
  guint32 line;
  guint32 file;
} Best;

/* Returns whether the entry is nearer to the address than the best one. Of several entries at one
 * offset the last wins: those before it have no code. */
static gboolean
is_better (const Best *best, guint32 offset, guint32 distance)
{
  if (offset > distance)
    return !best->is_found || (best->is_ahead && offset < best->offset);
  return !best->is_found || best->is_ahead || offset >= best->offset;
}

static void
search_block (NsCursor *block, guint32 n_lines, guint32 file, guint32 distance, Best *best)
{
  for (guint32 i = 0; i < n_lines && ns_cursor_left (block) >= 8; i++)
    {
      guint32 offset = ns_cursor_u32 (block);
      guint32 line = ns_cursor_u32 (block) & LINE_BITS;

      if (line == LINE_NEVER_STEP_INTO || line == LINE_ALWAYS_STEP_INTO ||
          !is_better (best, offset, distance))
        continue;
      *best = (Best){ TRUE, offset > distance, offset, line, file };
    }
}

static void
search_lines (const NsPdbModule *module, const NsPdbLines *lines, guint32 distance, Best *best)
{
  NsCursor cursor = module->c13;
  NsCursor table;

  ns_cursor_seek (&cursor, lines->at);
  if (!ns_cursor_sub (&cursor, lines->n_bytes, &table))
    return;
  while (ns_cursor_left (&table) >= BLOCK_HEADER_SIZE)
    {
      NsCursor block;
      guint32 file = ns_cursor_u32 (&table);
      guint32 n_lines = ns_cursor_u32 (&table);
      guint32 n_block = ns_cursor_u32 (&table);

      if (n_block < BLOCK_HEADER_SIZE ||
          !ns_cursor_sub (&table, n_block - BLOCK_HEADER_SIZE, &block) ||
          n_lines > (n_block - BLOCK_HEADER_SIZE) / (lines->has_columns ? 12 : 8))
        break;
      search_block (&block, n_lines, file, distance, best);
    }
}

/**
 * ns_pdb_module_find_line:
 * @self: a PDB
 * @module: the module that holds the address
 * @rva: address in the image as it was linked
 * @file: (out) (transfer none) (nullable): path of the source file at the time of compilation
 * @line: (out): line number from 1; 0: unknown
 *
 * Returns: %TRUE if the line is known
 */
gboolean
ns_pdb_module_find_line (NsPdb *self,
                         NsPdbModule *module,
                         guint32 rva,
                         const char **file,
                         guint32 *line)
{
  const NsPdbLines *tables;
  Best best = { 0 };
  guint low = 0;
  guint high;

  tables = (const NsPdbLines *) (gconstpointer) module->lines->data;
  high = module->lines->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (tables[middle].rva <= rva)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0 || rva - tables[low - 1].rva >= tables[low - 1].size)
    return FALSE;
  search_lines (module, &tables[low - 1], rva - tables[low - 1].rva, &best);
  if (!best.is_found)
    return FALSE;
  *file = ns_pdb_module_get_file (self, module, best.file);
  *line = best.line;
  return TRUE;
}

/**
 * ns_pdb_module_find_inlinee:
 * @module: a module whose subsections are indexed
 * @id: item ID of an inlined function
 *
 * Returns: (transfer none) (nullable): file and line where the function's source begins
 */
const NsPdbInlinee *
ns_pdb_module_find_inlinee (const NsPdbModule *module, guint32 id)
{
  const NsPdbInlinee *inlinees = (const NsPdbInlinee *) (gconstpointer) module->inlinees->data;
  guint low = 0;
  guint high = module->inlinees->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (inlinees[middle].id < id)
        low = middle + 1;
      else
        high = middle;
    }
  return low < module->inlinees->len && inlinees[low].id == id ? &inlinees[low] : NULL;
}

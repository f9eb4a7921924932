/* Reads Windows images (PE files): names addresses by exports when there is no PDB.
 *
 * Layout: Microsoft's "PE Format". An export names only addresses inside the function that begins
 * at it, as bounded by the exception directory (unwind entries).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pe.h"

#include "base/ns-cursor.h"
#include "base/ns-pages.h"
#include "symbols/ns-symbol-id.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define MAX_HEADER 65536u
#define MAX_NAME 4096u
#define NAME_PIECE 64u
#define SECTION_SIZE 40
#define DEBUG_ENTRY_SIZE 28
#define MAX_DEBUG_ENTRIES 64u
#define DEBUG_CODEVIEW 2u
#define CODEVIEW_RSDS 0x53445352u
#define GUESS_DISTANCE 4096u
#define MACHINE_ARM64 0xaa64
#define UNWIND_CHAINED 4u

enum
{
  DIRECTORY_EXPORTS = 0,
  DIRECTORY_EXCEPTIONS = 3,
  DIRECTORY_DEBUG = 6,
  N_DIRECTORIES = 16,
};

typedef struct
{
  guint32 rva;
  guint32 size;
} Directory;

typedef struct
{
  guint32 rva;
  guint32 size;
  guint32 file_at;
  guint32 n_file;
} Section;

typedef struct
{
  guint32 rva;
  char *name;
} Export;

/* A range of code with an unwind entry. */
typedef struct
{
  guint32 begin;
  guint32 end;
  guint32 unwind;
} Function;

struct _NsPe
{
  NsSymbolSource *source;
  NsPeIdentity identity;
  Directory directories[N_DIRECTORIES];
  GArray *sections; /* Section */
  gboolean is_read;
  GError *problem;   /* (nullable): why exports and functions could not be read */
  GArray *exports;   /* (element-type Export): by address */
  GArray *functions; /* (element-type Function): by address */
};

static gboolean
damaged (GError **error, const char *what)
{
  g_set_error_literal (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_DAMAGED, what);
  return FALSE;
}

static gboolean
no_memory (GError **error, guint64 n_bytes)
{
  g_set_error (error,
               NS_SYMBOL_ERROR,
               NS_SYMBOL_ERROR_LIMIT,
               ngettext ("not enough memory for %" PRIu64
                         " byte of it: close other programs, then try again",
                         "not enough memory for %" PRIu64
                         " bytes of it: close other programs, then try again",
                         n_bytes),
               n_bytes);
  return FALSE;
}

/* Returns the section whose file data has @n_bytes from @rva on. */
static const Section *
find_section (const NsPe *self, guint32 rva, gsize n_bytes)
{
  for (guint i = 0; i < self->sections->len; i++)
    {
      const Section *section = &g_array_index (self->sections, Section, i);
      guint32 at = rva - section->rva;

      if (rva >= section->rva && at < section->n_file && n_bytes <= section->n_file - at)
        return section;
    }
  return NULL;
}

/* Reads file data at an address of the image. */
static gboolean
read_at (const NsPe *self, guint32 rva, gpointer buffer, gsize n_bytes)
{
  const Section *section = find_section (self, rva, n_bytes);

  return section != NULL &&
         ns_symbol_source_read (self->source,
                                (guint64) section->file_at + (rva - section->rva),
                                buffer,
                                n_bytes,
                                NULL);
}

/* Loads a table of the image; @data stays %NULL if the file does not have it. The caller has
 * checked the number of entries. %FALSE if memory is short. */
static gboolean
load_at (const NsPe *self,
         guint32 rva,
         guint64 n_bytes,
         guint8 **data,
         NsCursor *cursor,
         GError **error)
{
  *data = NULL;
  ns_cursor_init (cursor, NULL, 0);
  if (n_bytes == 0 || n_bytes > ns_symbol_source_get_size (self->source))
    return TRUE;
  *data = g_try_malloc (n_bytes);
  if (*data == NULL)
    return no_memory (error, n_bytes);
  if (read_at (self, rva, *data, n_bytes))
    ns_cursor_init (cursor, *data, n_bytes);
  else
    g_clear_pointer (data, g_free);
  return TRUE;
}

/* Reads a NUL-terminated string in pieces, as most are short; it ends with its section's file
 * data. */
static char *
dup_text_at (const NsPe *self, guint32 rva, gsize *n_bytes)
{
  const Section *section = find_section (self, rva, 1);
  char text[MAX_NAME + 1] = "";
  gsize n_text = 0;
  gsize n_there;

  *n_bytes = 0;
  if (section == NULL)
    return NULL;
  n_there = MIN (section->n_file - (rva - section->rva), MAX_NAME);
  while (n_text < n_there && strnlen (text, n_text) == n_text)
    {
      gsize n_piece = MIN (NAME_PIECE, n_there - n_text);

      if (!read_at (self, rva + (guint32) n_text, &text[n_text], n_piece))
        break;
      n_text += n_piece;
    }
  n_text = strnlen (text, n_text);
  *n_bytes = n_text;
  return n_text > 0 && g_utf8_validate (text, (gssize) n_text, NULL) ? g_strndup (text, n_text)
                                                                     : NULL;
}

static gboolean
read_headers (NsPe *self, GError **error)
{
  gsize n_head = (gsize) MIN (ns_symbol_source_get_size (self->source), MAX_HEADER);
  g_autofree guint8 *head = g_malloc (MAX (n_head, 1));
  NsCursor cursor;
  guint16 n_sections;
  guint16 n_optional;
  gsize optional_at;
  gboolean is_wide;
  guint32 n_directories;

  if (!ns_symbol_source_read (self->source, 0, head, n_head, error))
    return FALSE;
  ns_cursor_init (&cursor, head, n_head);
  ns_cursor_seek (&cursor, 0x3c);
  ns_cursor_seek (&cursor, ns_cursor_u32 (&cursor));
  if (ns_cursor_u32 (&cursor) != 0x4550)
    return damaged (error, _ ("this is not a Windows image"));
  self->identity.machine = ns_cursor_u16 (&cursor);
  n_sections = ns_cursor_u16 (&cursor);
  self->identity.timestamp = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 8);
  n_optional = ns_cursor_u16 (&cursor);
  ns_cursor_skip (&cursor, 2);
  optional_at = cursor.pos;
  is_wide = ns_cursor_u16 (&cursor) == 0x20b;
  ns_cursor_seek (&cursor, optional_at + 56);
  self->identity.image_size = ns_cursor_u32 (&cursor);
  ns_cursor_seek (&cursor, optional_at + (is_wide ? 108 : 92));
  n_directories = ns_cursor_u32 (&cursor);
  for (guint i = 0; i < MIN (n_directories, N_DIRECTORIES); i++)
    {
      self->directories[i].rva = ns_cursor_u32 (&cursor);
      self->directories[i].size = ns_cursor_u32 (&cursor);
    }
  ns_cursor_seek (&cursor, optional_at + n_optional);
  if (!ns_cursor_ok (&cursor) || n_sections > NS_PE_MAX_SECTIONS)
    return damaged (error, _ ("the header of the image is damaged"));
  for (guint i = 0; i < n_sections && ns_cursor_left (&cursor) >= SECTION_SIZE; i++)
    {
      Section section;

      ns_cursor_skip (&cursor, 8);
      section.size = ns_cursor_u32 (&cursor);
      section.rva = ns_cursor_u32 (&cursor);
      section.n_file = ns_cursor_u32 (&cursor);
      section.file_at = ns_cursor_u32 (&cursor);
      ns_cursor_skip (&cursor, 16);
      g_array_append_val (self->sections, section);
    }
  return TRUE;
}

static gboolean
read_codeview (NsPe *self, guint32 file_at, guint32 n_bytes)
{
  guint8 record[24 + MAX_NAME];
  gsize n_record = MIN (n_bytes, sizeof record);
  NsCursor cursor;
  const char *path;
  gsize n_path;

  if (!ns_symbol_source_read (self->source, file_at, record, n_record, NULL))
    return FALSE;
  ns_cursor_init (&cursor, record, n_record);
  if (ns_cursor_u32 (&cursor) != CODEVIEW_RSDS)
    return FALSE;
  ns_cursor_guid (&cursor, &self->identity.guid);
  self->identity.age = ns_cursor_u32 (&cursor);
  path = ns_cursor_astr (&cursor, &n_path);
  if (!ns_cursor_ok (&cursor) || path == NULL)
    return FALSE;
  self->identity.has_pdb = TRUE;
  self->identity.pdb = g_utf8_make_valid (path, (gssize) n_path);
  return TRUE;
}

static void
read_debug_directory (NsPe *self)
{
  const Directory *directory = &self->directories[DIRECTORY_DEBUG];
  guint32 n_entries = MIN (directory->size / DEBUG_ENTRY_SIZE, MAX_DEBUG_ENTRIES);
  NsCursor cursor;
  g_autofree guint8 *table = NULL;

  load_at (self, directory->rva, (guint64) n_entries * DEBUG_ENTRY_SIZE, &table, &cursor, NULL);
  while (table != NULL && ns_cursor_left (&cursor) >= DEBUG_ENTRY_SIZE)
    {
      guint32 type;
      guint32 n_bytes;
      guint32 file_at;

      ns_cursor_skip (&cursor, 12);
      type = ns_cursor_u32 (&cursor);
      n_bytes = ns_cursor_u32 (&cursor);
      ns_cursor_skip (&cursor, 4);
      file_at = ns_cursor_u32 (&cursor);
      if (type == DEBUG_CODEVIEW && read_codeview (self, file_at, n_bytes))
        return;
    }
}

static void
export_clear (gpointer data)
{
  g_free (((Export *) data)->name);
}

/**
 * ns_pe_new:
 * @source: (transfer full): the bytes of a file
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the image; %NULL and @error if it cannot be read
 */
NsPe *
ns_pe_new (NsSymbolSource *source, GError **error)
{
  g_autoptr (NsPe) self = g_new0 (NsPe, 1);

  self->source = source;
  self->sections = g_array_new (FALSE, FALSE, sizeof (Section));
  self->exports = g_array_new (FALSE, FALSE, sizeof (Export));
  g_array_set_clear_func (self->exports, export_clear);
  self->functions = g_array_new (FALSE, FALSE, sizeof (Function));
  if (ns_symbol_source_get_kind (source) != NS_SYMBOL_FILE_PE)
    {
      damaged (error, _ ("this is not a Windows image"));
      return NULL;
    }
  if (!read_headers (self, error))
    return NULL;
  read_debug_directory (self);
  return g_steal_pointer (&self);
}

/**
 * ns_pe_open:
 * @path: path of a file
 * @error: return location; the message names @path
 *
 * Returns: (transfer full) (nullable): the image; %NULL and @error if it cannot be read
 */
NsPe *
ns_pe_open (const char *path, GError **error)
{
  NsSymbolSource *source = ns_symbol_source_open (path, error);
  NsPe *self = source != NULL ? ns_pe_new (source, error) : NULL;

  if (source != NULL && self == NULL)
    g_prefix_error (error, _ ("cannot read %s: "), path);
  return self;
}

/**
 * ns_pe_free:
 * @self: (transfer full) (nullable): an image
 */
void
ns_pe_free (NsPe *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->sections);
  g_array_unref (self->exports);
  g_array_unref (self->functions);
  g_clear_error (&self->problem);
  g_free (self->identity.pdb);
  ns_symbol_source_free (self->source);
  g_free (self);
}

/**
 * ns_pe_get_identity:
 * @self: an image
 *
 * Returns: (transfer none): identity of the image and its PDB
 */
const NsPeIdentity *
ns_pe_get_identity (const NsPe *self)
{
  return &self->identity;
}

/**
 * ns_pe_matches:
 * @self: an image
 * @timestamp: timestamp of the image in the trace
 * @image_size: its size in memory; 0: unknown
 *
 * Returns: %TRUE if it is the same build
 */
gboolean
ns_pe_matches (const NsPe *self, guint32 timestamp, guint32 image_size)
{
  return timestamp != 0 && self->identity.timestamp == timestamp &&
         (image_size == 0 || self->identity.image_size == image_size);
}

static int
compare_exports (gconstpointer a, gconstpointer b)
{
  const Export *left = a;
  const Export *right = b;
  gsize n_left = strlen (left->name);
  gsize n_right = strlen (right->name);

  if (left->rva != right->rva)
    return left->rva > right->rva ? 1 : -1;
  if (n_left != n_right)
    return n_left > n_right ? 1 : -1;
  return strcmp (left->name, right->name);
}

static void
add_export (NsPe *self, guint32 rva, char *name)
{
  const Directory *directory = &self->directories[DIRECTORY_EXPORTS];
  Export export = { rva, name };

  /* An address inside the export directory is a forwarder to another library, not code. */
  if (name == NULL || rva == 0 || (rva >= directory->rva && rva - directory->rva < directory->size))
    g_free (name);
  else
    g_array_append_val (self->exports, export);
}

/* The tables of the export directory. */
typedef struct
{
  guint32 base;
  guint32 n_functions;
  guint32 n_names;
  NsCursor functions;
  NsCursor names;
  NsCursor ordinals;
  guint8 *function_data;
  guint8 *name_data;
  guint8 *ordinal_data;
  guint8 *is_named; /* by index of the function */
} ExportTables;

static void
export_tables_clear (ExportTables *self)
{
  g_free (self->function_data);
  g_free (self->name_data);
  g_free (self->ordinal_data);
  g_free (self->is_named);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ExportTables, export_tables_clear)

/* Loads the export tables; %FALSE if they are too large. Tables that the file does not have are
 * empty. */
static gboolean
load_exports (const NsPe *self, ExportTables *tables, GError **error)
{
  guint32 rva = self->directories[DIRECTORY_EXPORTS].rva;
  g_autofree guint8 *data = NULL;
  guint64 n_bytes;
  guint32 functions;
  guint32 names;
  NsCursor head;

  if (!load_at (self, rva, SECTION_SIZE, &data, &head, error))
    return FALSE;
  ns_cursor_seek (&head, 16);
  tables->base = ns_cursor_u32 (&head);
  tables->n_functions = ns_cursor_u32 (&head);
  tables->n_names = ns_cursor_u32 (&head);
  functions = ns_cursor_u32 (&head);
  names = ns_cursor_u32 (&head);
  if (!ns_cursor_ok (&head))
    tables->n_functions = tables->n_names = 0;
  if (tables->n_functions > NS_PE_MAX_EXPORTS || tables->n_names > NS_PE_MAX_EXPORTS)
    {
      g_set_error (
          error,
          NS_SYMBOL_ERROR,
          NS_SYMBOL_ERROR_LIMIT,
          ngettext (
              "it has more than %u export, which is too many: put its PDB on the symbol path",
              "it has more than %u exports, which is too many: put its PDB on the symbol path",
              NS_PE_MAX_EXPORTS),
          NS_PE_MAX_EXPORTS);
      return FALSE;
    }
  n_bytes = 2 * sizeof (Export) * ((guint64) tables->n_functions + tables->n_names) +
            MIN ((guint64) tables->n_names * MAX_NAME, NS_PE_MAX_NAME_BYTES);
  tables->is_named = g_try_malloc0 (MAX (tables->n_functions, 1));
  if (tables->is_named == NULL || !ns_pages_have_room (n_bytes))
    return no_memory (error, n_bytes);
  return load_at (self,
                  functions,
                  (guint64) tables->n_functions * 4,
                  &tables->function_data,
                  &tables->functions,
                  error) &&
         load_at (self,
                  names,
                  (guint64) tables->n_names * 4,
                  &tables->name_data,
                  &tables->names,
                  error) &&
         load_at (self,
                  ns_cursor_u32 (&head),
                  (guint64) tables->n_names * 2,
                  &tables->ordinal_data,
                  &tables->ordinals,
                  error);
}

static gboolean
read_exports (NsPe *self, GError **error)
{
  g_auto (ExportTables) tables = { 0 };
  gsize n_all = 0;

  if (!load_exports (self, &tables, error))
    return FALSE;
  /* Many exports may share one long name, so the total size of the names is limited too. */
  for (guint32 i = 0;
       i < tables.n_names && ns_cursor_left (&tables.names) >= 4 && n_all <= NS_PE_MAX_NAME_BYTES;
       i++)
    {
      guint32 name = ns_cursor_u32 (&tables.names);
      guint16 ordinal = ns_cursor_u16 (&tables.ordinals);
      gsize n_bytes;

      if (!ns_cursor_ok (&tables.ordinals) || ordinal >= tables.n_functions)
        continue;
      tables.functions.failed = FALSE;
      ns_cursor_seek (&tables.functions, (gsize) ordinal * 4);
      tables.is_named[ordinal] = 1;
      add_export (self, ns_cursor_u32 (&tables.functions), dup_text_at (self, name, &n_bytes));
      n_all += n_bytes;
    }
  ns_cursor_seek (&tables.functions, 0);
  for (guint32 i = 0; i < tables.n_functions && ns_cursor_left (&tables.functions) >= 4; i++)
    {
      guint32 rva = ns_cursor_u32 (&tables.functions);

      if (!tables.is_named[i])
        add_export (self, rva, g_strdup_printf ("Ordinal%u", tables.base + i));
    }
  g_array_sort (self->exports, compare_exports);
  return TRUE;
}

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  const Function *left = a;
  const Function *right = b;

  return (left->begin > right->begin) - (left->begin < right->begin);
}

/* Returns the length of an ARM64 function, from the packed entry or the record it points to. */
static guint32
get_arm64_length (const NsPe *self, guint32 unwind)
{
  guint8 word[4];
  NsCursor cursor;

  if ((unwind & 3) != 0)
    return ((unwind >> 2) & 0x7ff) * 4;
  if (!read_at (self, unwind, word, sizeof word))
    return 0;
  ns_cursor_init (&cursor, word, sizeof word);
  return (ns_cursor_u32 (&cursor) & 0x3ffff) * 4;
}

static gboolean
read_functions (NsPe *self, GError **error)
{
  const Directory *directory = &self->directories[DIRECTORY_EXCEPTIONS];
  gboolean is_arm64 = self->identity.machine == MACHINE_ARM64;
  guint n_entry = is_arm64 ? 8 : 12;
  NsCursor cursor;
  g_autofree guint8 *table = NULL;

  if (self->identity.machine == 0x14c)
    return TRUE;
  if (directory->size / n_entry > NS_PE_MAX_FUNCTIONS)
    {
      g_set_error (
          error,
          NS_SYMBOL_ERROR,
          NS_SYMBOL_ERROR_LIMIT,
          ngettext (
              "it has more than %u function, which is too many: put its PDB on the symbol path",
              "it has more than %u functions, which is too many: put its PDB on the symbol path",
              NS_PE_MAX_FUNCTIONS),
          NS_PE_MAX_FUNCTIONS);
      return FALSE;
    }
  if (!load_at (self, directory->rva, directory->size / n_entry * n_entry, &table, &cursor, error))
    return FALSE;
  if (!ns_pages_make_room (self->functions, cursor.size / n_entry))
    return no_memory (error, cursor.size / n_entry * sizeof (Function));
  while (table != NULL && ns_cursor_left (&cursor) >= n_entry)
    {
      Function function;

      function.begin = ns_cursor_u32 (&cursor);
      function.end = is_arm64 ? 0 : ns_cursor_u32 (&cursor);
      function.unwind = ns_cursor_u32 (&cursor);
      if (is_arm64)
        function.end = function.begin + get_arm64_length (self, function.unwind);
      if (function.end > function.begin)
        g_array_append_val (self->functions, function);
    }
  g_array_sort (self->functions, compare_functions);
  return TRUE;
}

static const Function *
find_function (const NsPe *self, guint32 rva)
{
  const Function *functions = (const Function *) (gconstpointer) self->functions->data;
  guint low = 0;
  guint high = self->functions->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (functions[middle].begin <= rva)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && rva < functions[low - 1].end ? &functions[low - 1] : NULL;
}

/* Returns the entry of a function with several parts: follows chained unwind information, which may
 * be circular. */
static guint32
find_entry (const NsPe *self, const Function *function)
{
  guint32 begin = function->begin;
  guint32 unwind = function->unwind;

  for (guint i = 0; i < NS_PE_MAX_CHAIN && self->identity.machine != MACHINE_ARM64; i++)
    {
      guint8 head[4];
      guint8 parent[12];
      NsCursor cursor;

      if (!read_at (self, unwind, head, sizeof head) || (head[0] >> 3 & UNWIND_CHAINED) == 0 ||
          !read_at (self, unwind + 4 + 2 * ((head[2] + 1u) & ~1u), parent, sizeof parent))
        break;
      ns_cursor_init (&cursor, parent, sizeof parent);
      begin = ns_cursor_u32 (&cursor);
      ns_cursor_skip (&cursor, 4);
      unwind = ns_cursor_u32 (&cursor);
    }
  return begin;
}

/**
 * ns_pe_read_names:
 * @self: an image
 * @error: %NS_SYMBOL_ERROR_LIMIT: the tables exceed a limit or the available memory
 *
 * Reads exports and unwind entries for ns_pe_lookup(), once; later calls repeat the first error.
 * Each table is useless without the other, so on an error both stay empty.
 *
 * Returns: whether the tables are read
 */
gboolean
ns_pe_read_names (NsPe *self, GError **error)
{
  if (!self->is_read)
    {
      self->is_read = TRUE;
      if (!read_exports (self, &self->problem) || !read_functions (self, &self->problem))
        {
          g_array_set_size (self->exports, 0);
          g_array_set_size (self->functions, 0);
        }
    }
  if (self->problem == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (self->problem));
  return FALSE;
}

/**
 * ns_pe_lookup:
 * @self: an image
 * @rva: address in the image
 * @offset: (out): bytes from the start of the export
 *
 * Returns: (transfer none) (nullable): name of the export whose code holds the address
 */
const char *
ns_pe_lookup (NsPe *self, guint32 rva, guint32 *offset)
{
  const Export *exports;
  const Function *function;
  guint32 entry;
  guint32 wanted;
  guint low = 0;
  guint high;

  ns_pe_read_names (self, NULL);
  function = find_function (self, rva);
  if (function == NULL && self->functions->len > 0)
    return NULL;
  /* A chained part takes the name of its function's entry. */
  entry = function != NULL ? find_entry (self, function) : 0;
  wanted = function != NULL && entry != function->begin ? entry : rva;
  exports = (const Export *) (gconstpointer) self->exports->data;
  high = self->exports->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (exports[middle].rva <= wanted)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return NULL;
  low--;
  while (low > 0 && exports[low - 1].rva == exports[low].rva)
    low--;
  if (exports[low].rva > rva || (function != NULL && exports[low].rva < entry) ||
      (function == NULL && rva - exports[low].rva > GUESS_DISTANCE))
    return NULL;
  *offset = rva - exports[low].rva;
  return exports[low].name;
}

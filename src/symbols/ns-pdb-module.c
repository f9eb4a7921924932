/* The modules of a PDB: their list, and the functions in the stream of one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb-private.h"

#include <string.h>

#define MODULE_HEADER_SIZE 64
#define SYMBOLS_SIGNATURE 4u
#define MAX_OVERLAPPING 64

/* Records that give a stretch of code a name, or take one. */
enum
{
  S_END = 0x0006,
  S_THUNK32 = 0x1102,
  S_LPROC32 = 0x110f,
  S_GPROC32 = 0x1110,
  S_GMANPROC = 0x112a,
  S_LMANPROC = 0x112b,
  S_SEPCODE = 0x1132,
  S_LPROC32_ID = 0x1146,
  S_GPROC32_ID = 0x1147,
  S_LPROC32_DPC = 0x1155,
  S_LPROC32_DPC_ID = 0x1156,
};

gboolean
ns_pdb_read_modules (NsPdb *self, GError **error)
{
  NsCursor cursor;

  self->modules = g_array_new (FALSE, TRUE, sizeof (NsPdbModuleInfo));
  if (self->n_module_list == 0)
    return TRUE;
  self->module_list =
      ns_msf_load (self->msf, NS_PDB_STREAM_DBI, self->module_list_at, self->n_module_list, error);
  if (self->module_list == NULL)
    return FALSE;

  ns_cursor_init_bytes (&cursor, self->module_list);
  while (ns_cursor_left (&cursor) >= MODULE_HEADER_SIZE && self->modules->len < NS_PDB_MAX_MODULES)
    {
      NsPdbModuleInfo module = { 0 };
      gsize n_object;

      ns_cursor_skip (&cursor, 34);
      module.stream = ns_cursor_u16 (&cursor);
      module.sym_size = ns_cursor_u32 (&cursor);
      module.c11_size = ns_cursor_u32 (&cursor);
      module.c13_size = ns_cursor_u32 (&cursor);
      ns_cursor_skip (&cursor, MODULE_HEADER_SIZE - 48);
      module.name = ns_cursor_astr (&cursor, &module.n_name);
      ns_cursor_astr (&cursor, &n_object);
      ns_cursor_seek (&cursor, MIN ((cursor.pos + 3) & ~(gsize) 3, cursor.size));
      if (!ns_cursor_ok (&cursor))
        break;
      g_array_append_val (self->modules, module);
    }
  self->identity.n_modules = self->modules->len;
  return TRUE;
}

void
ns_pdb_module_free (NsPdbModule *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->procs, g_array_unref);
  g_clear_pointer (&self->lines, g_array_unref);
  g_clear_pointer (&self->inlinees, g_array_unref);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

void
ns_pdb_modules_clear (NsPdb *self)
{
  for (guint i = 0; self->modules != NULL && i < self->modules->len; i++)
    ns_pdb_module_free (g_array_index (self->modules, NsPdbModuleInfo, i).loaded);
  g_clear_pointer (&self->modules, g_array_unref);
  g_clear_pointer (&self->module_list, g_bytes_unref);
}

/**
 * ns_pdb_find_module_named:
 * @self: a PDB
 * @name: a module's name; case does not matter
 *
 * Returns: its number, or %NS_PDB_NO_MODULE
 */
guint
ns_pdb_find_module_named (const NsPdb *self, const char *name)
{
  gsize n_name = strlen (name);

  for (guint i = 0; i < self->modules->len; i++)
    {
      const NsPdbModuleInfo *info = &g_array_index (self->modules, NsPdbModuleInfo, i);

      if (info->n_name == n_name && g_ascii_strncasecmp (info->name, name, n_name) == 0)
        return i;
    }
  return NS_PDB_NO_MODULE;
}

/* Where the fields of the record of a function stand. */
typedef struct
{
  guint8 size;
  guint8 offset;
  guint8 section;
  guint8 name; /* 0: that of the function before */
  guint8 has_short_size;
} ProcLayout;

static gboolean
get_proc_layout (guint16 kind, ProcLayout *layout)
{
  switch (kind)
    {
    case S_LPROC32:
    case S_GPROC32:
    case S_LPROC32_ID:
    case S_GPROC32_ID:
    case S_LPROC32_DPC:
    case S_LPROC32_DPC_ID:
      *layout = (ProcLayout){ 16, 32, 36, 39, FALSE };
      return TRUE;
    case S_GMANPROC:
    case S_LMANPROC:
      *layout = (ProcLayout){ 16, 32, 36, 41, FALSE };
      return TRUE;
    case S_THUNK32:
      *layout = (ProcLayout){ 22, 16, 20, 25, TRUE };
      return TRUE;
    case S_SEPCODE:
      *layout = (ProcLayout){ 12, 20, 28, 0, FALSE };
      return TRUE;
    default:
      return FALSE;
    }
}

/* Reads the function of @record; its scope's end is in @end. */
static gboolean
read_proc (const NsPdb *self, NsPdbRecord *record, NsPdbProc *proc, guint32 *end)
{
  NsCursor *body = &record->body;
  ProcLayout layout;
  guint32 offset;
  guint16 section;

  if (!get_proc_layout (record->kind, &layout))
    return FALSE;
  ns_cursor_seek (body, 8);
  *end = ns_cursor_u32 (body);
  ns_cursor_seek (body, layout.size);
  proc->size = layout.has_short_size ? ns_cursor_u16 (body) : ns_cursor_u32 (body);
  ns_cursor_seek (body, layout.offset);
  offset = ns_cursor_u32 (body);
  ns_cursor_seek (body, layout.section);
  section = ns_cursor_u16 (body);
  proc->record = record->at;
  if (layout.name != 0)
    {
      proc->name = record->at + layout.name;
      /* A name must end inside its record. */
      ns_cursor_seek (body, layout.name);
      if (ns_cursor_ok (body) && memchr (body->data + body->pos, 0, ns_cursor_left (body)) == NULL)
        return FALSE;
    }
  return ns_cursor_ok (body) && proc->size > 0 && proc->size <= G_MAXINT32 &&
         ns_pdb_place (self, section, offset, &proc->rva);
}

typedef void (*ProcFunc) (const NsPdbProc *proc, const char *stream, gpointer data);

/* Goes through the symbols of a module; @bytes may be longer than these. */
static gboolean
walk_procs (NsPdb *self, GBytes *bytes, guint32 sym_size, ProcFunc func, gpointer data)
{
  NsCursor cursor;
  NsPdbRecord record;
  guint32 last_name = 0;

  ns_cursor_init_bytes (&cursor, bytes);
  cursor.size = MIN (cursor.size, sym_size);
  if (cursor.size == 0)
    return TRUE;
  if (ns_cursor_u32 (&cursor) != SYMBOLS_SIGNATURE)
    return FALSE;

  while (ns_pdb_next_record (&cursor, &record))
    {
      NsPdbProc proc = { 0 };
      guint32 end = 0;

      if (!read_proc (self, &record, &proc, &end))
        continue;
      if (proc.name == 0)
        proc.name = last_name;
      last_name = proc.name;
      if (proc.name != 0)
        func (&proc, (const char *) cursor.data, data);
      /* What is inside has no code of its own, but for a cold part behind the hot one. */
      if (record.kind != S_SEPCODE && end > cursor.pos && end <= cursor.size)
        cursor.pos = end;
    }
  return ns_cursor_ok (&cursor);
}

static int
compare_procs (gconstpointer a, gconstpointer b)
{
  const NsPdbProc *left = a;
  const NsPdbProc *right = b;

  if (left->rva != right->rva)
    return left->rva > right->rva ? 1 : -1;
  return (left->record > right->record) - (left->record < right->record);
}

static void
add_proc_cb (const NsPdbProc *proc, const char *stream, gpointer data)
{
  g_array_append_vals (data, proc, 1);
}

static void
index_procs (NsPdb *self, NsPdbModule *module)
{
  guint32 max_end = 0;

  module->procs = g_array_new (FALSE, FALSE, sizeof (NsPdbProc));
  if (!walk_procs (self, module->bytes, module->sym_size, add_proc_cb, module->procs))
    self->n_damaged++;
  ns_pdb_sort (module->procs, compare_procs);
  for (guint i = 0; i < module->procs->len; i++)
    {
      NsPdbProc *proc = &g_array_index (module->procs, NsPdbProc, i);

      max_end = MAX (max_end, proc->rva + proc->size);
      proc->max_end = max_end;
    }
}

/* Streams that were not used for longest give way. */
static void
make_room (NsPdb *self, gsize n_bytes)
{
  while (self->n_loaded_bytes > 0 && self->n_loaded_bytes + n_bytes > NS_PDB_MAX_LOADED_BYTES)
    {
      NsPdbModuleInfo *oldest = NULL;

      for (guint i = 0; i < self->modules->len; i++)
        {
          NsPdbModuleInfo *info = &g_array_index (self->modules, NsPdbModuleInfo, i);

          if (info->loaded != NULL && i != self->pinned &&
              (oldest == NULL || info->used < oldest->used))
            oldest = info;
        }
      if (oldest == NULL)
        break;
      self->n_loaded_bytes -= g_bytes_get_size (oldest->loaded->bytes);
      g_clear_pointer (&oldest->loaded, ns_pdb_module_free);
    }
}

static gboolean
has_stream (const NsPdb *self, const NsPdbModuleInfo *info, guint64 *n_bytes)
{
  guint32 size;

  *n_bytes = (guint64) info->sym_size + info->c11_size + info->c13_size;
  return ns_msf_get_stream_size (self->msf, info->stream, &size) && *n_bytes <= size;
}

/**
 * ns_pdb_load_module:
 * @self: a PDB whose map is read
 * @index: number of a module
 *
 * Returns: (transfer none) (nullable): the module, until another is loaded
 */
NsPdbModule *
ns_pdb_load_module (NsPdb *self, guint index)
{
  NsPdbModuleInfo *info;
  NsPdbModule *module;
  guint64 n_bytes;

  if (index >= self->modules->len)
    return NULL;
  info = &g_array_index (self->modules, NsPdbModuleInfo, index);
  info->used = ++self->clock;
  if (info->loaded != NULL || info->is_damaged || info->stream == NS_MSF_NO_STREAM)
    return info->loaded;

  info->is_damaged = TRUE;
  if (!has_stream (self, info, &n_bytes))
    {
      self->n_damaged++;
      return NULL;
    }
  make_room (self, n_bytes);
  module = g_new0 (NsPdbModule, 1);
  module->index = index;
  module->sym_size = info->sym_size;
  module->bytes = ns_msf_load (self->msf, info->stream, 0, n_bytes, NULL);
  if (module->bytes == NULL)
    {
      g_free (module);
      self->n_damaged++;
      return NULL;
    }
  ns_cursor_init_bytes (&module->c13, module->bytes);
  module->c13.data += info->sym_size + info->c11_size;
  module->c13.size = info->c13_size;
  index_procs (self, module);
  info->is_damaged = FALSE;
  info->loaded = module;
  self->n_loaded_bytes += n_bytes;
  return module;
}

/**
 * ns_pdb_module_find_proc:
 * @self: a module
 * @rva: address in the image as it was linked
 * @is_folded: (out): another function has the same code
 *
 * Returns: (transfer none) (nullable): the function that holds it
 */
const NsPdbProc *
ns_pdb_module_find_proc (const NsPdbModule *self, guint32 rva, gboolean *is_folded)
{
  const NsPdbProc *procs = (const NsPdbProc *) (gconstpointer) self->procs->data;
  guint low = 0;
  guint high = self->procs->len;
  guint i;

  *is_folded = FALSE;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (procs[middle].rva <= rva)
        low = middle + 1;
      else
        high = middle;
    }
  for (i = low; i > 0 && low - i < MAX_OVERLAPPING && procs[i - 1].max_end > rva; i--)
    {
      const NsPdbProc *proc = &procs[i - 1];

      if (rva - proc->rva >= proc->size)
        continue;
      /* Of several with the same code the first of the records is the one. */
      while (proc > procs && proc[-1].rva == proc->rva && rva - proc->rva < proc[-1].size)
        {
          proc--;
          *is_folded = TRUE;
        }
      return proc;
    }
  return NULL;
}

/**
 * ns_pdb_foreach_proc:
 * @self: a PDB whose map is read
 * @func: (scope call): told of each function of each module
 * @data: for @func
 */
void
ns_pdb_foreach_proc (NsPdb *self, ProcFunc func, gpointer data)
{
  for (guint i = 0; i < self->modules->len; i++)
    {
      const NsPdbModuleInfo *info = &g_array_index (self->modules, NsPdbModuleInfo, i);
      g_autoptr (GBytes) bytes = NULL;
      guint64 n_bytes;

      if (info->stream == NS_MSF_NO_STREAM || info->sym_size == 0)
        continue;
      if (has_stream (self, info, &n_bytes))
        bytes = ns_msf_load (self->msf, info->stream, 0, info->sym_size, NULL);
      if (bytes == NULL || !walk_procs (self, bytes, info->sym_size, func, data))
        self->n_damaged++;
    }
}

/* The modules (object files) of a PDB: their list, and the functions in a module's symbol stream.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb-private.h"

#include "base/ns-pages.h"

#include <string.h>

#define MODULE_HEADER_SIZE 64
#define SYMBOLS_SIGNATURE 4u
#define MAX_OVERLAPPING 64
/* For module streams of this size and more, available memory is checked first. */
#define LARGE_MODULE_BYTES (1u << 20)

/* Records that name a range of code, and scope ends. */
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

/* Removes a stream from a module if an earlier module has it, or all streams together exceed the
 * file. A hostile file could share a large stream between all modules, and it would be read once
 * for each. */
static void
refuse_shared_stream (NsPdb *self, NsPdbModuleInfo *module, guint8 *seen, guint64 *n_left)
{
  guint8 bit = (guint8) (1 << module->stream % 8);
  guint32 n_bytes;

  if (module->stream == NS_MSF_NO_STREAM ||
      !ns_msf_get_stream_size (self->msf, module->stream, &n_bytes))
    return;
  if ((seen[module->stream / 8] & bit) != 0 || n_bytes > *n_left)
    {
      module->stream = NS_MSF_NO_STREAM;
      self->n_damaged++;
      return;
    }
  seen[module->stream / 8] |= bit;
  *n_left -= n_bytes;
}

gboolean
ns_pdb_read_modules (NsPdb *self, GError **error)
{
  guint8 seen[(G_MAXUINT16 + 1) / 8] = { 0 };
  guint64 n_left = ns_msf_get_size (self->msf);
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
      refuse_shared_stream (self, &module, seen, &n_left);
      g_array_append_val (self->modules, module);
    }
  self->identity.n_modules = self->modules->len;
  return TRUE;
}

/**
 * ns_pdb_module_new:
 *
 * Returns: (transfer full): an empty module buffer, for ns_pdb_module_read()
 */
NsPdbModule *
ns_pdb_module_new (void)
{
  NsPdbModule *self = g_new0 (NsPdbModule, 1);

  self->procs = g_array_new (FALSE, FALSE, sizeof (NsPdbProc));
  self->lines = g_array_new (FALSE, FALSE, sizeof (NsPdbLines));
  self->inlinees = g_array_new (FALSE, FALSE, sizeof (NsPdbInlinee));
  return self;
}

void
ns_pdb_module_free (NsPdbModule *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->procs);
  g_array_unref (self->lines);
  g_array_unref (self->inlinees);
  g_free (self->data);
  g_free (self);
}

void
ns_pdb_modules_clear (NsPdb *self)
{
  for (guint i = 0; self->modules != NULL && i < self->modules->len; i++)
    ns_pdb_module_free (g_array_index (self->modules, NsPdbModuleInfo, i).loaded);
  g_clear_pointer (&self->spare, ns_pdb_module_free);
  g_clear_pointer (&self->modules, g_array_unref);
  g_clear_pointer (&self->module_list, g_bytes_unref);
}

/**
 * ns_pdb_find_module_named:
 * @self: a PDB
 * @name: a module's name, compared without ASCII case
 *
 * Returns: number of the module, or %NS_PDB_NO_MODULE
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

/* Offsets of the fields in a function's record. */
typedef struct
{
  guint8 size;
  guint8 offset;
  guint8 section;
  guint8 name; /* 0: no name of its own, it takes that of the function before */
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

/* Decodes the function of @record; @end gets the offset of its scope end. */
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
      /* The name must end inside the record. */
      ns_cursor_seek (body, layout.name);
      if (ns_cursor_ok (body) && memchr (body->data + body->pos, 0, ns_cursor_left (body)) == NULL)
        return FALSE;
    }
  return ns_cursor_ok (body) && proc->size > 0 && proc->size <= G_MAXINT32 &&
         ns_pdb_place (self, section, offset, &proc->rva);
}

typedef void (*ProcFunc) (const NsPdbProc *proc, const char *stream, gpointer data);

/* Skips records that are not functions, which are most. */
static void
skip_to_proc (NsCursor *cursor)
{
  while (ns_cursor_left (cursor) >= 4)
    {
      gsize at = cursor->pos;
      guint16 length = ns_cursor_u16 (cursor);
      ProcLayout layout;

      if (length < 2 || get_proc_layout (ns_cursor_u16 (cursor), &layout))
        {
          ns_cursor_seek (cursor, at);
          return;
        }
      ns_cursor_skip (cursor, length - 2u);
    }
}

/* Walks the symbol records of a module; @cursor may extend beyond them. */
static gboolean
walk_procs (const NsPdb *self, NsCursor cursor, guint32 sym_size, ProcFunc func, gpointer data)
{
  NsPdbRecord record;
  guint32 last_name = 0;

  cursor.size = MIN (cursor.size, sym_size);
  if (cursor.size == 0)
    return TRUE;
  if (ns_cursor_u32 (&cursor) != SYMBOLS_SIGNATURE)
    return FALSE;

  for (;;)
    {
      NsPdbProc proc = { 0 };
      guint32 end = 0;

      skip_to_proc (&cursor);
      if (!ns_pdb_next_record (&cursor, &record))
        break;
      if (!read_proc (self, &record, &proc, &end))
        continue;
      if (proc.name == 0)
        proc.name = last_name;
      last_name = proc.name;
      if (proc.name != 0)
        func (&proc, (const char *) cursor.data, data);
      /* Records inside a function have no code of their own, except the cold part of a split
       * function. */
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
index_procs (const NsPdb *self, NsPdbModule *module)
{
  NsCursor cursor;
  guint32 max_end = 0;

  ns_cursor_init_module (&cursor, module);
  g_array_set_size (module->procs, 0);
  if (!walk_procs (self, cursor, module->sym_size, add_proc_cb, module->procs))
    module->n_damaged++;
  ns_pdb_sort (module->procs, compare_procs);
  for (guint i = 0; i < module->procs->len; i++)
    {
      NsPdbProc *proc = &g_array_index (module->procs, NsPdbProc, i);

      max_end = MAX (max_end, proc->rva + proc->size);
      proc->max_end = max_end;
    }
}

/* Unloads the least recently used modules. */
static void
make_room (NsPdb *self, gsize n_bytes)
{
  while (self->n_loaded_bytes > 0 && self->n_loaded_bytes + n_bytes > NS_PDB_MAX_LOADED_BYTES)
    {
      NsPdbModuleInfo *oldest = NULL;
      guint number = 0;

      for (guint i = 0; i < self->modules->len; i++)
        {
          NsPdbModuleInfo *info = &g_array_index (self->modules, NsPdbModuleInfo, i);

          if (info->loaded != NULL && i != self->pinned &&
              (oldest == NULL || info->used < oldest->used))
            {
              oldest = info;
              number = i;
            }
        }
      if (oldest == NULL)
        break;
      ns_pdb_unload_module (self, number);
    }
}

static gboolean
has_stream (const NsPdb *self, const NsPdbModuleInfo *info, guint64 *n_bytes)
{
  guint32 size;

  *n_bytes = (guint64) info->sym_size + info->c11_size + info->c13_size;
  return ns_msf_get_stream_size (self->msf, info->stream, &size) && *n_bytes <= size;
}

/* Allocates the buffer of a module. The indexes of its content take up to twice as much again. */
static gboolean
make_module_room (NsPdbModule *module, const NsPdb *self, guint64 n_bytes)
{
  if (n_bytes > module->n_room || module->data == NULL)
    {
      g_free (module->data);
      /* Allocated even if empty, as pointers into it are computed from its start. */
      module->n_room = (gsize) (n_bytes + n_bytes / 4 + 1);
      module->data = g_try_malloc (module->n_room);
    }
  if (module->data != NULL && (n_bytes < LARGE_MODULE_BYTES || ns_pages_have_room (2 * n_bytes)))
    return TRUE;
  if (module->data == NULL)
    module->n_room = 0;
  ns_msf_set_short_of_memory (self->msf);
  return FALSE;
}

/**
 * ns_pdb_module_read:
 * @module: a module buffer
 * @self: a PDB whose map is read
 * @index: number of a module
 *
 * Reads the stream of a module into @module and indexes its functions and line tables.
 *
 * Returns: %FALSE if the module has no stream, or it cannot be read
 */
gboolean
ns_pdb_module_read (NsPdbModule *module, const NsPdb *self, guint index)
{
  const NsPdbModuleInfo *info = &g_array_index (self->modules, NsPdbModuleInfo, index);
  guint64 n_bytes;

  if (!has_stream (self, info, &n_bytes) || !ns_msf_may_load (self->msf, n_bytes))
    return FALSE;
  if (!make_module_room (module, self, n_bytes))
    return FALSE;
  if (!ns_msf_read (self->msf, info->stream, 0, module->data, n_bytes, NULL))
    return FALSE;
  module->index = index;
  module->n_damaged = 0;
  memset (module->files, 0, sizeof module->files);
  module->sym_size = info->sym_size;
  module->size = (gsize) n_bytes;
  ns_cursor_init (&module->c13, module->data + info->sym_size + info->c11_size, info->c13_size);
  index_procs (self, module);
  ns_pdb_module_index_c13 (self, module);
  return TRUE;
}

/**
 * ns_pdb_load_module:
 * @self: a PDB whose map is read
 * @index: number of a module
 *
 * Returns: (transfer none) (nullable): the module, valid until another is loaded
 */
NsPdbModule *
ns_pdb_load_module (NsPdb *self, guint index)
{
  NsPdbModuleInfo *info;
  NsPdbModule *module;

  if (index >= self->modules->len)
    return NULL;
  info = &g_array_index (self->modules, NsPdbModuleInfo, index);
  info->used = ++self->clock;
  if (info->loaded != NULL || info->is_damaged || info->stream == NS_MSF_NO_STREAM)
    return info->loaded;

  make_room (self, (gsize) info->sym_size + info->c11_size + info->c13_size);
  module = self->spare != NULL ? g_steal_pointer (&self->spare) : ns_pdb_module_new ();
  if (!ns_pdb_module_read (module, self, index))
    {
      ns_pdb_module_free (module);
      info->is_damaged = TRUE;
      self->n_damaged++;
      return NULL;
    }
  info->loaded = module;
  self->n_damaged += module->n_damaged;
  self->n_loaded_bytes += module->size;
  return module;
}

/**
 * ns_pdb_unload_module:
 * @self: a PDB
 * @index: number of a module
 *
 * Unloads the module; its buffer is kept for the next one.
 */
void
ns_pdb_unload_module (NsPdb *self, guint index)
{
  NsPdbModuleInfo *info;

  if (index >= self->modules->len)
    return;
  info = &g_array_index (self->modules, NsPdbModuleInfo, index);
  if (info->loaded == NULL)
    return;
  self->n_loaded_bytes -= info->loaded->size;
  ns_pdb_module_free (self->spare);
  self->spare = g_steal_pointer (&info->loaded);
}

/**
 * ns_pdb_module_find_proc:
 * @self: a module
 * @rva: address in the image as it was linked
 * @is_folded: (out): whether another function shares the code
 *
 * Returns: (transfer none) (nullable): the function that holds the address
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
      /* Of several functions with the same code the first record wins. */
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
 * @func: (scope call): called for each function of each module
 * @data: for @func
 */
void
ns_pdb_foreach_proc (NsPdb *self, ProcFunc func, gpointer data)
{
  for (guint i = 0; i < self->modules->len; i++)
    {
      const NsPdbModuleInfo *info = &g_array_index (self->modules, NsPdbModuleInfo, i);
      g_autoptr (GBytes) bytes = NULL;
      NsCursor cursor;
      guint64 n_bytes;

      if (info->stream == NS_MSF_NO_STREAM || info->sym_size == 0)
        continue;
      if (has_stream (self, info, &n_bytes))
        bytes = ns_msf_load (self->msf, info->stream, 0, info->sym_size, NULL);
      ns_cursor_init_bytes (&cursor, bytes);
      if (bytes == NULL || !walk_procs (self, cursor, info->sym_size, func, data))
        self->n_damaged++;
    }
}

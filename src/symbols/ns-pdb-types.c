/* Names of inlined functions, from the item (IPI) and type (TPI) records.
 *
 * These streams can be hundreds of megabytes, so only windows of a few kilobytes are read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb-private.h"

#include <string.h>

#define HEADER_SIZE 56u
#define MAX_WINDOW (1u << 20)
#define SPARSE_STEP 256u
#define CROSS_SCOPE 0x80000000u
#define MAX_CROSS_SCOPE_HOPS 8
#define INLINED_TEXT "<inlined function>"

enum
{
  LF_CLASS = 0x1504,
  LF_STRUCTURE = 0x1505,
  LF_UNION = 0x1506,
  LF_ENUM = 0x1507,
  LF_INTERFACE = 0x1519,
  LF_FUNC_ID = 0x1601,
  LF_MFUNC_ID = 0x1602,
  LF_STRING_ID = 0x1605,
  LF_CLASS2 = 0x1608,
  LF_STRUCTURE2 = 0x1609,
};

static void
add_index (NsPdbRecords *records, guint32 id, guint32 offset)
{
  g_array_append_val (records->index, id);
  g_array_append_val (records->index, offset);
}

/* Reads the sparse index of the records, an entry about every 8 KiB, from another stream. */
static void
read_index (NsPdb *self, NsPdbRecords *records, guint32 stream, guint32 at, guint32 n_bytes)
{
  g_autoptr (GBytes) bytes = NULL;
  NsCursor cursor;
  guint32 last = 0;

  if (stream == NS_MSF_NO_STREAM || n_bytes == 0)
    return;
  bytes = ns_msf_load (self->msf, stream, at, n_bytes, NULL);
  ns_cursor_init_bytes (&cursor, bytes);
  while (ns_cursor_left (&cursor) >= 8)
    {
      guint32 id = ns_cursor_u32 (&cursor);
      guint32 offset = ns_cursor_u32 (&cursor);

      if (id < records->begin || id >= records->end || offset >= records->n_record_bytes ||
          (records->index->len > 0 && id <= last))
        {
          g_array_set_size (records->index, 0);
          self->n_damaged++;
          return;
        }
      last = id;
      add_index (records, id, offset);
    }
}

/* Makes a sparse index in one pass over the records, for files without one. */
static void
make_index (NsPdb *self, NsPdbRecords *records)
{
  g_autoptr (GBytes) bytes =
      ns_msf_load (self->msf, records->stream, records->header_size, records->n_record_bytes, NULL);
  NsCursor cursor;
  guint32 id = records->begin;

  ns_cursor_init_bytes (&cursor, bytes);
  while (ns_cursor_left (&cursor) >= 4 && id < records->end)
    {
      if ((id - records->begin) % SPARSE_STEP == 0)
        add_index (records, id, (guint32) cursor.pos);
      ns_cursor_skip (&cursor, ns_cursor_u16 (&cursor));
      id++;
    }
}

static void
read_header (NsPdb *self, NsPdbRecords *records)
{
  guint8 head[HEADER_SIZE];
  NsCursor cursor;
  guint32 n_stream;
  guint32 hash_stream;
  guint32 index_at;

  records->is_read = TRUE;
  if (!ns_msf_get_stream_size (self->msf, records->stream, &n_stream))
    return;
  if (!ns_msf_read (self->msf, records->stream, 0, head, sizeof head, NULL))
    {
      self->n_damaged++;
      return;
    }
  ns_cursor_init (&cursor, head, sizeof head);
  ns_cursor_skip (&cursor, 4);
  records->header_size = ns_cursor_u32 (&cursor);
  records->begin = ns_cursor_u32 (&cursor);
  records->end = ns_cursor_u32 (&cursor);
  records->n_record_bytes = ns_cursor_u32 (&cursor);
  hash_stream = ns_cursor_u16 (&cursor);
  ns_cursor_seek (&cursor, 40);
  index_at = ns_cursor_u32 (&cursor);
  if (records->header_size < HEADER_SIZE || records->header_size > n_stream ||
      records->end < records->begin)
    {
      self->n_damaged++;
      return;
    }
  records->n_record_bytes = MIN (records->n_record_bytes, n_stream - records->header_size);
  records->index = g_array_new (FALSE, FALSE, sizeof (guint32));
  read_index (self, records, hash_stream, index_at, ns_cursor_u32 (&cursor));
  if (records->index->len == 0)
    make_index (self, records);
  records->is_usable = records->index->len > 0;
}

/* Returns the position behind the last index entry at or before @id. */
static guint
search_index (const NsPdbRecords *records, guint32 id)
{
  guint low = 0;
  guint high = records->index->len / 2;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (records->index, guint32, middle * 2) <= id)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Finds a record; @record is valid until the next search in the same stream. */
static gboolean
find_record (NsPdb *self, NsPdbRecords *records, guint32 id, NsCursor *record)
{
  NsCursor cursor;
  guint at;
  guint32 begin;
  guint32 end;
  guint32 here;

  if (!records->is_read)
    read_header (self, records);
  if (!records->is_usable || id < records->begin || id >= records->end)
    return FALSE;
  at = search_index (records, id);
  if (at == 0)
    return FALSE;
  here = g_array_index (records->index, guint32, at * 2 - 2);
  begin = g_array_index (records->index, guint32, at * 2 - 1);
  end = at * 2 < records->index->len ? g_array_index (records->index, guint32, at * 2 + 1)
                                     : records->n_record_bytes;
  if (end < begin)
    return FALSE;
  if (records->window == NULL || records->window_at != begin)
    {
      g_clear_pointer (&records->window, g_bytes_unref);
      records->window_at = begin;
      records->window = ns_msf_load (self->msf,
                                     records->stream,
                                     records->header_size + begin,
                                     MIN (end - begin, MAX_WINDOW),
                                     NULL);
    }
  ns_cursor_init_bytes (&cursor, records->window);
  for (; here < id && ns_cursor_left (&cursor) >= 4; here++)
    ns_cursor_skip (&cursor, ns_cursor_u16 (&cursor));
  if (here != id || ns_cursor_left (&cursor) < 4)
    return FALSE;
  return ns_cursor_sub (&cursor, ns_cursor_u16 (&cursor), record);
}

/* Skips a CodeView numeric leaf: small numbers stand for themselves, others follow a type mark. */
static void
skip_numeric (NsCursor *cursor)
{
  guint16 leaf = ns_cursor_u16 (cursor);

  switch (leaf)
    {
    case 0x8000:
      ns_cursor_skip (cursor, 1);
      break;
    case 0x8001:
    case 0x8002:
      ns_cursor_skip (cursor, 2);
      break;
    case 0x8003:
    case 0x8004:
      ns_cursor_skip (cursor, 4);
      break;
    case 0x8009:
    case 0x800a:
      ns_cursor_skip (cursor, 8);
      break;
    default:
      if (leaf >= 0x8000)
        cursor->failed = TRUE;
      break;
    }
}

static char *
dup_name (NsCursor *cursor)
{
  gsize n_name;
  const char *name = ns_cursor_astr (cursor, &n_name);

  return name != NULL && n_name > 0 ? g_strndup (name, n_name) : NULL;
}

/* Returns the name of a class. The offsets count from the leaf, two bytes after the length
 * field. */
static char *
dup_class_name (NsPdb *self, guint32 type)
{
  NsCursor record;
  gsize numeric = 0;

  if (!find_record (self, &self->types, type, &record))
    return NULL;
  switch (ns_cursor_u16 (&record))
    {
    case LF_CLASS:
    case LF_STRUCTURE:
    case LF_INTERFACE:
      numeric = 18;
      break;
    case LF_UNION:
      numeric = 10;
      break;
    case LF_CLASS2:
    case LF_STRUCTURE2:
      numeric = 20;
      break;
    case LF_ENUM:
      ns_cursor_seek (&record, 14);
      return dup_name (&record);
    default:
      return NULL;
    }
  ns_cursor_seek (&record, numeric);
  skip_numeric (&record);
  return dup_name (&record);
}

/* Returns the last component of a class name, without template arguments. */
static char *
dup_last_part (const char *name)
{
  const char *begin = name;
  guint depth = 0;
  const char *p;
  const char *end;

  for (p = name; *p != '\0'; p++)
    {
      if (*p == '<')
        depth++;
      else if (*p == '>' && depth > 0)
        depth--;
      else if (depth == 0 && p[0] == ':' && p[1] == ':')
        begin = p + 2;
    }
  end = strchr (begin, '<');
  if (end == NULL || end == begin)
    return g_strdup (begin);
  return g_strndup (begin, (gsize) (end - begin));
}

static char *
join_method (const char *class_name, const char *name)
{
  g_autofree char *last = NULL;

  if (class_name == NULL)
    return g_strdup (name);
  last = dup_last_part (class_name);
  if (strcmp (name, "{ctor}") == 0)
    return g_strconcat (class_name, "::", last, NULL);
  if (strcmp (name, "{dtor}") == 0)
    return g_strconcat (class_name, "::~", last, NULL);
  return g_strconcat (class_name, "::", name, NULL);
}

static char *
dup_scope_name (NsPdb *self, guint32 id)
{
  NsCursor record;

  if (id == 0 || !find_record (self, &self->ids, id, &record) ||
      ns_cursor_u16 (&record) != LF_STRING_ID)
    return NULL;
  ns_cursor_skip (&record, 4);
  return dup_name (&record);
}

static char *
dup_item_name (NsPdb *self, guint32 id)
{
  g_autofree char *name = NULL;
  g_autofree char *scope = NULL;
  NsCursor record;
  guint16 leaf;
  guint32 parent;

  if (!find_record (self, &self->ids, id, &record))
    return NULL;
  leaf = ns_cursor_u16 (&record);
  parent = ns_cursor_u32 (&record);
  if (leaf == LF_STRING_ID)
    return dup_name (&record);
  if (leaf != LF_FUNC_ID && leaf != LF_MFUNC_ID)
    return NULL;
  ns_cursor_skip (&record, 4);
  name = dup_name (&record);
  if (name == NULL)
    return NULL;
  if (leaf == LF_MFUNC_ID)
    {
      scope = dup_class_name (self, parent);
      return join_method (scope, name);
    }
  scope = dup_scope_name (self, parent);
  return scope != NULL ? g_strconcat (scope, "::", name, NULL) : g_steal_pointer (&name);
}

/* Resolves an item number of another module (link-time code generation): import block and index. */
static gboolean
follow_import (NsPdb *self, NsPdbModule *module, guint32 id, NsPdbModule **other, guint32 *local)
{
  NsCursor cursor = module->imports;
  guint32 block = (id >> 20) & 0x7ff;
  guint32 place = id & 0xfffff;
  guint32 n_ids = 0;
  guint32 name = 0;
  const char *text;

  for (guint32 i = 0; i <= block; i++)
    {
      name = ns_cursor_u32 (&cursor);
      n_ids = ns_cursor_u32 (&cursor);
      if (i < block)
        ns_cursor_skip (&cursor, (gsize) n_ids * 4);
    }
  if (place >= n_ids)
    return FALSE;
  ns_cursor_skip (&cursor, (gsize) place * 4);
  *local = ns_cursor_u32 (&cursor);
  text = ns_cursor_ok (&cursor) ? ns_pdb_get_name (self, name) : NULL;
  *other = text != NULL ? ns_pdb_load_module (self, ns_pdb_find_module_named (self, text)) : NULL;
  return *other != NULL;
}

static gboolean
follow_export (const NsPdbModule *module, guint32 local, guint32 *global)
{
  NsCursor cursor = module->exports;

  while (ns_cursor_left (&cursor) >= 8)
    {
      guint32 key = ns_cursor_u32 (&cursor);

      *global = ns_cursor_u32 (&cursor);
      if (key == local)
        return TRUE;
    }
  return FALSE;
}

/* Maps the item number @id of a module to one of the whole PDB. */
static gboolean
get_global_id (NsPdb *self, NsPdbModule *module, guint32 id, guint32 *global)
{
  *global = id;
  for (guint i = 0; (*global & CROSS_SCOPE) != 0; i++)
    {
      NsPdbModule *other;
      guint32 local;

      if (i >= MAX_CROSS_SCOPE_HOPS || !follow_import (self, module, *global, &other, &local))
        return FALSE;
      if (!follow_export (other, local, global))
        return FALSE;
      module = other;
    }
  return TRUE;
}

/**
 * ns_pdb_get_inlinee_name:
 * @self: a PDB
 * @module: the module of the inline site
 * @id: item number of the inlined function, as the module has it
 *
 * Returns: (transfer none): its name, or a placeholder if it cannot be found
 */
const char *
ns_pdb_get_inlinee_name (NsPdb *self, NsPdbModule *module, guint32 id)
{
  guint64 scope = (id & CROSS_SCOPE) != 0 ? (guint64) module->index + 1 : 0;
  NsString known = ns_map_get (self->id_names, id, scope);
  g_autofree char *name = NULL;
  const char *kept;
  guint32 global;

  if (known != 0)
    return ns_strings_get (self->texts, known);
  if (get_global_id (self, module, id, &global))
    name = dup_item_name (self, global);
  kept = name != NULL ? ns_pdb_keep_text (self, name, strlen (name)) : INLINED_TEXT;
  ns_map_set (self->id_names, id, scope, ns_strings_add (self->texts, kept));
  return kept;
}

/**
 * ns_pdb_types_clear:
 * @self: a PDB that is being freed
 *
 * Frees the type and item records.
 */
void
ns_pdb_types_clear (NsPdb *self)
{
  NsPdbRecords *both[] = { &self->types, &self->ids };

  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    {
      g_clear_pointer (&both[i]->index, g_array_unref);
      g_clear_pointer (&both[i]->window, g_bytes_unref);
    }
}

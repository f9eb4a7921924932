/* Finds the functions that are inlined at an address, and the source line of each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb-private.h"

#include <string.h>

enum
{
  S_INLINESITE = 0x114d,
  S_INLINESITE2 = 0x115d,
};

/* Opcodes of the annotations of an inline site (CodeView's BinaryAnnotationOpcode). */
enum
{
  OP_END = 0,
  OP_CODE_OFFSET = 1,
  OP_CODE_OFFSET_BASE = 2,
  OP_CHANGE_CODE_OFFSET = 3,
  OP_CHANGE_CODE_LENGTH = 4,
  OP_CHANGE_FILE = 5,
  OP_CHANGE_LINE = 6,
  OP_CHANGE_LINE_END = 7,
  OP_RANGE_KIND = 8,
  OP_COLUMN_START = 9,
  OP_COLUMN_END_DELTA = 10,
  OP_CHANGE_CODE_OFFSET_AND_LINE = 11,
  OP_CHANGE_CODE_LENGTH_AND_OFFSET = 12,
  OP_COLUMN_END = 13,
};

/* An inline site that covers the address. */
typedef struct
{
  guint32 id;
  guint32 file;
  guint32 line;
} Site;

/* State machine that runs the annotations of one inline site. */
typedef struct
{
  guint32 code;
  guint32 file;
  guint32 line;
  gboolean is_open;
  guint32 open_at;
  guint32 open_file;
  guint32 open_line;
  guint32 wanted;
  gboolean is_found;
  guint32 found_file;
  guint32 found_line;
} Walk;

static gboolean
read_number (NsCursor *cursor, guint32 *number)
{
  guint32 first = ns_cursor_u8 (cursor);

  if ((first & 0x80) == 0)
    *number = first;
  else if ((first & 0xc0) == 0x80)
    *number = (first & 0x3f) << 8 | ns_cursor_u8 (cursor);
  else if ((first & 0xe0) == 0xc0)
    {
      guint32 second = ns_cursor_u8 (cursor);

      *number = (first & 0x1f) << 24 | second << 16 | ns_cursor_u16be (cursor);
    }
  else
    return FALSE;
  return ns_cursor_ok (cursor);
}

static guint32
to_signed (guint32 number)
{
  return (number & 1) != 0 ? 0u - (number >> 1) : number >> 1;
}

static void
close_range (Walk *walk, guint32 end)
{
  if (walk->is_open && walk->wanted >= walk->open_at && walk->wanted < end)
    {
      walk->is_found = TRUE;
      walk->found_file = walk->open_file;
      walk->found_line = walk->open_line;
    }
  walk->is_open = FALSE;
}

static void
emit (Walk *walk)
{
  close_range (walk, walk->code);
  walk->is_open = TRUE;
  walk->open_at = walk->code;
  walk->open_file = walk->file;
  walk->open_line = walk->line;
}

/* Runs one annotation; %FALSE at their end. */
static gboolean
step (Walk *walk, NsCursor *cursor)
{
  guint32 op;
  guint32 value;
  guint32 second;

  if (!read_number (cursor, &op) || op == OP_END || op > OP_COLUMN_END ||
      !read_number (cursor, &value))
    return FALSE;
  switch (op)
    {
    case OP_CODE_OFFSET:
      walk->code = value;
      return TRUE;
    case OP_CODE_OFFSET_BASE:
      walk->code += value;
      return TRUE;
    case OP_CHANGE_CODE_OFFSET:
      walk->code += value;
      emit (walk);
      return TRUE;
    case OP_CHANGE_CODE_LENGTH:
      close_range (walk, walk->open_at + value);
      walk->code += value;
      return TRUE;
    case OP_CHANGE_FILE:
      walk->file = value;
      return TRUE;
    case OP_CHANGE_LINE:
      walk->line += to_signed (value);
      return TRUE;
    case OP_CHANGE_CODE_OFFSET_AND_LINE:
      walk->line += to_signed (value >> 4);
      walk->code += value & 15;
      emit (walk);
      return TRUE;
    case OP_CHANGE_CODE_LENGTH_AND_OFFSET:
      if (!read_number (cursor, &second))
        return FALSE;
      walk->code += second;
      emit (walk);
      close_range (walk, walk->code + value);
      return TRUE;
    default:
      return TRUE;
    }
}

static gboolean
covers (const NsPdbModule *module, NsPdbRecord *record, guint32 distance, Site *site)
{
  NsCursor *body = &record->body;
  const NsPdbInlinee *inlinee;
  Walk walk = { .wanted = distance };

  ns_cursor_seek (body, 12);
  site->id = ns_cursor_u32 (body);
  if (record->kind == S_INLINESITE2)
    ns_cursor_skip (body, 4);
  inlinee = ns_pdb_module_find_inlinee (module, site->id);
  if (inlinee != NULL)
    {
      walk.file = inlinee->file;
      walk.line = inlinee->line;
    }
  while (!walk.is_found && step (&walk, body))
    ;
  if (!walk.is_found)
    close_range (&walk, walk.open_at + 1);
  site->file = inlinee != NULL ? walk.found_file : G_MAXUINT32;
  site->line = inlinee != NULL ? walk.found_line : 0;
  return walk.is_found;
}

/* Walks the records inside the function, descends into inline sites that cover the address and
 * skips others. */
static guint
find_sites (NsPdbModule *module, const NsPdbProc *proc, guint32 distance, Site *sites)
{
  NsCursor cursor;
  NsPdbRecord record;
  guint32 limit;
  guint n_sites = 0;

  ns_cursor_init_module (&cursor, module);
  cursor.size = MIN (cursor.size, module->sym_size);
  ns_cursor_seek (&cursor, proc->record);
  if (!ns_pdb_next_record (&cursor, &record))
    return 0;
  ns_cursor_seek (&record.body, 8);
  limit = ns_cursor_u32 (&record.body);
  if (!ns_cursor_ok (&record.body))
    return 0;
  if (limit <= cursor.pos || limit > cursor.size)
    return 0;

  while (cursor.pos < limit && n_sites < NS_PDB_MAX_INLINE_DEPTH &&
         ns_pdb_next_record (&cursor, &record))
    {
      guint32 end;

      if (record.kind != S_INLINESITE && record.kind != S_INLINESITE2)
        continue;
      ns_cursor_seek (&record.body, 8);
      end = ns_cursor_u32 (&record.body);
      if (!ns_cursor_ok (&record.body))
        continue;
      if (covers (module, &record, distance, &sites[n_sites]))
        {
          n_sites++;
          /* Only records inside this site can still cover the address. */
          if (end > cursor.pos && end < limit)
            limit = end;
        }
      else if (end > cursor.pos && end <= limit)
        cursor.pos = end;
    }
  return n_sites;
}

/**
 * ns_pdb_module_find_inlines:
 * @self: a PDB
 * @module: the module that holds the address
 * @proc: the function that holds the address
 * @rva: address in the image as it was linked
 * @frames: (out caller-allocates) (array length=max_frames): inlined functions, innermost first
 * @max_frames: capacity of @frames
 *
 * Returns: number of inlined functions written to @frames
 */
guint
ns_pdb_module_find_inlines (NsPdb *self,
                            NsPdbModule *module,
                            const NsPdbProc *proc,
                            guint32 rva,
                            NsPdbFrame *frames,
                            guint max_frames)
{
  Site sites[NS_PDB_MAX_INLINE_DEPTH];
  guint n_sites;

  n_sites = find_sites (module, proc, rva - proc->rva, sites);
  n_sites = MIN (n_sites, max_frames);
  for (guint i = 0; i < n_sites; i++)
    {
      const Site *site = &sites[n_sites - 1 - i];
      NsPdbFrame *frame = &frames[i];

      memset (frame, 0, sizeof *frame);
      frame->symbol = ns_pdb_get_inlinee_name (self, module, site->id);
      frame->file =
          site->file != G_MAXUINT32 ? ns_pdb_module_get_file (self, module, site->file) : NULL;
      frame->line = site->line;
      frame->offset = rva - proc->rva;
      frame->kind = NS_PDB_FRAME_INLINE;
    }
  return n_sites;
}

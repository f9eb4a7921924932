/* Looks up the function, inlined functions and source lines of an address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb-private.h"

#include "symbols/ns-undecorate.h"

#include <string.h>

static const char *
keep_proc_name (NsPdb *self, const NsPdbModule *module, guint32 at)
{
  NsCursor cursor;
  const char *name;
  gsize n_name;

  ns_cursor_init_module (&cursor, module);
  ns_cursor_seek (&cursor, at);
  name = ns_cursor_astr (&cursor, &n_name);
  return name != NULL ? ns_pdb_keep_text (self, name, n_name) : "";
}

/**
 * ns_pdb_lookup_in_module:
 * @self: a PDB whose map is read
 * @index: number of the module that contributed the code, or %NS_PDB_NO_MODULE
 * @source: address in the image as it was linked
 * @frames: (out caller-allocates) (array length=max_frames): as in ns_pdb_lookup()
 * @max_frames: capacity of @frames
 *
 * Returns: number of frames; 0: nothing is known of the address
 */
guint
ns_pdb_lookup_in_module (NsPdb *self,
                         guint32 index,
                         guint32 source,
                         NsPdbFrame *frames,
                         guint max_frames)
{
  NsPdbModule *module = index != NS_PDB_NO_MODULE ? ns_pdb_load_module (self, index) : NULL;
  gboolean is_folded = FALSE;
  const NsPdbProc *found =
      module != NULL ? ns_pdb_module_find_proc (module, source, &is_folded) : NULL;
  NsPdbFrame *outer;
  NsPdbProc proc;
  guint n_inlines;

  if (found == NULL)
    {
      memset (frames, 0, sizeof *frames);
      if (!ns_pdb_find_public (self, source, frames))
        return 0;
      if (module != NULL)
        ns_pdb_module_find_line (self, module, source, &frames->file, &frames->line);
      return 1;
    }

  proc = *found;
  self->pinned = index;
  n_inlines = ns_pdb_module_find_inlines (self, module, &proc, source, frames, max_frames - 1);
  outer = &frames[n_inlines];
  memset (outer, 0, sizeof *outer);
  outer->symbol = keep_proc_name (self, module, proc.name);
  outer->offset = source - proc.rva;
  outer->kind = NS_PDB_FRAME_FUNCTION;
  outer->is_folded = is_folded;
  ns_pdb_module_find_line (self, module, source, &outer->file, &outer->line);
  self->pinned = NS_PDB_NO_MODULE;
  return n_inlines + 1;
}

/**
 * ns_pdb_lookup:
 * @self: a PDB
 * @rva: address relative to the image base
 * @frames: (out caller-allocates) (array length=max_frames): innermost inlined function first, the
 *   function itself last
 * @max_frames: capacity of @frames, at least 1; the function itself is always included
 *
 * Returns: number of frames; 0: nothing is known of the address
 */
guint
ns_pdb_lookup (NsPdb *self, guint32 rva, NsPdbFrame *frames, guint max_frames)
{
  const NsPdbContribution *contribution;
  guint32 source;

  g_return_val_if_fail (max_frames > 0, 0);

  ns_pdb_read_map (self);
  if (!ns_pdb_to_source (self, rva, &source))
    return 0;
  contribution = ns_pdb_find_contribution (self, source);
  return ns_pdb_lookup_in_module (self,
                                  contribution != NULL ? contribution->module : NS_PDB_NO_MODULE,
                                  source,
                                  frames,
                                  max_frames);
}

typedef struct
{
  NsPdb *pdb;
  NsMap *starts; /* start addresses of functions that were listed */
  NsPdbFunctionFunc func;
  gpointer user_data;
} Listing;

static void
list_proc_cb (const NsPdbProc *proc, const char *stream, gpointer data)
{
  Listing *listing = data;
  NsPdbFunction function = { .size = proc->size, .symbol = stream + proc->name };

  if (!ns_pdb_from_source (listing->pdb, proc->rva, &function.rva))
    return;
  function.n_symbol = strlen (function.symbol);
  ns_map_set (listing->starts, proc->rva, 0, 1);
  listing->func (&function, listing->user_data);
}

/**
 * ns_pdb_foreach_function:
 * @self: a PDB
 * @func: (scope call): called for each function, in no order of addresses
 * @user_data: for @func
 *
 * Lists the functions of all modules, then the public symbols of code at other addresses.
 */
void
ns_pdb_foreach_function (NsPdb *self, NsPdbFunctionFunc func, gpointer user_data)
{
  g_autoptr (NsMap) starts = ns_map_new ();
  Listing listing = { self, starts, func, user_data };
  NsPdbFunction function;

  ns_pdb_read_map (self);
  ns_pdb_foreach_proc (self, list_proc_cb, &listing);
  ns_pdb_read_publics (self);
  for (guint i = 0; ns_pdb_get_public (self, i, &function); i++)
    if (ns_map_get (starts, function.rva, 0) == 0 &&
        ns_pdb_from_source (self, function.rva, &function.rva))
      func (&function, user_data);
}

/**
 * ns_pdb_get_n_publics:
 * @self: a PDB
 *
 * Returns: number of public symbols, of code and of data
 */
guint
ns_pdb_get_n_publics (NsPdb *self)
{
  ns_pdb_read_publics (self);
  return self->n_publics;
}

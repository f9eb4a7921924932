/* Fuzz target: a PDB file.
 *
 * Any result is correct as long as the reader terminates.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz/ns-fuzz.h"
#include "symbols/ns-pdb.h"

static void
look_up_cb (const NsPdbFunction *function, gpointer user_data)
{
  g_array_append_val ((GArray *) user_data, function->rva);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (NsPdb) pdb = ns_pdb_new (ns_symbol_source_new_for_memory (data, size), NULL);
  g_autoptr (GArray) rvas = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (pdb == NULL)
    return 0;
  ns_pdb_foreach_function (pdb, look_up_cb, rvas);
  for (guint i = 0; i < MIN (rvas->len, 64); i++)
    for (guint32 offset = 0; offset < 32; offset += 3)
      {
        NsPdbFrame frames[8];
        guint n_frames = ns_pdb_lookup (pdb, g_array_index (rvas, guint32, i) + offset, frames, 8);

        while (n_frames > 0)
          g_assert_true (g_utf8_validate (frames[--n_frames].symbol, -1, NULL));
      }
  return 0;
}

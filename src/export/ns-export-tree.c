/* A call tree as CSV: one line per node, as listed by the command line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-tree.h"

#include "export/ns-export-cell.h"

#define CHUNK (64 * 1024)

static const char *const kinds[] = {
  [NS_CALL_NODE_ROOT] = "root",
  [NS_CALL_NODE_FRAME] = "frame",
  [NS_CALL_NODE_THREAD_SWITCH] = "seam",
  [NS_CALL_NODE_NOTE] = "note",
};

static void
append_line (GString *text, const NsCallTree *tree, guint i)
{
  const NsCallNode *node = &g_array_index (tree->nodes, NsCallNode, i);
  guint64 whole = ns_call_tree_get_total (tree, 0);
  guint64 total = ns_call_tree_get_total (tree, i);
  guint64 share = whole > 0 ? (guint64) ((double) total * 10000 / (double) whole + 0.5) : 0;

  g_string_append_printf (text, "%u,", i);
  if (i > 0)
    g_string_append_printf (text, "%u", node->parent);
  g_string_append_printf (text, ",%u,%s,", node->depth, kinds[node->kind]);
  ns_export_cell_append_csv_text (text, ns_call_tree_get_name (tree, i), TRUE);
  g_string_append_printf (text,
                          ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
                          ".%02u,%u,%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
                          ",%" G_GINT64_FORMAT ",%s\r\n",
                          total,
                          ns_call_tree_get_self (tree, i),
                          share / 100,
                          (guint) (share % 100),
                          node->total.n_rows,
                          node->total.n_failed,
                          node->total.sent,
                          node->total.received,
                          node->total.duration_ns,
                          node->total.n_open > 0 ? "true" : "false");
}

/**
 * ns_export_tree:
 * @tree: a call tree
 * @write: receives the output
 * @write_data: for @write
 * @error: error of @write
 *
 * Writes the nodes in the order of the tree. Times are in nanoseconds; durations of a node with
 * rows without a recorded end (`still_open`) are lower bounds.
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_tree (const NsCallTree *tree,
                NsExportWriteFunc write,
                gpointer write_data,
                GError **error)
{
  g_autoptr (GString) text =
      g_string_new ("id,parent,depth,kind,name,total,self,percent,rows,failed,"
                    "sent,received,duration_ns,still_open\r\n");
  guint i;

  for (i = 0; i < tree->nodes->len; i++)
    {
      append_line (text, tree, i);
      if (text->len < CHUNK && i + 1 < tree->nodes->len)
        continue;
      if (!write (text->str, text->len, write_data, error))
        return FALSE;
      g_string_truncate (text, 0);
    }
  return TRUE;
}

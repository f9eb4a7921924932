/* The sentence of a node of a call tree, and the filter for its rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-call-tree.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n-lib.h>

/**
 * ns_call_tree_describe:
 * @self: a tree
 * @node: number of a node
 *
 * Returns: (transfer full): what its rows come to, in a sentence
 */
char *
ns_call_tree_describe (const NsCallTree *self, guint node)
{
  const NsCallSums *sums = &g_array_index (self->nodes, NsCallNode, node).total;
  guint n_all = g_array_index (self->nodes, NsCallNode, 0).total.n_rows;
  g_autofree char *span = ns_sentence_span_to_text (sums->duration_ns);
  g_autofree char *failed = NULL;
  g_autofree char *queued = NULL;
  GString *text = g_string_new (NULL);

  /* Translators: a function, a number of requests, its part of all of them. */
  g_string_append_printf (text,
                          ngettext ("%s: %u request (%.0f %%)",
                                    "%s: %u requests (%.0f %%)",
                                    sums->n_rows),
                          ns_call_tree_get_name (self, node),
                          sums->n_rows,
                          n_all > 0 ? 100.0 * sums->n_rows / n_all : 0);
  if (sums->n_failed > 0)
    {
      failed = g_strdup_printf (ngettext ("%u of them failed", "%u of them failed", sums->n_failed),
                                sums->n_failed);
      g_string_append_printf (text, ", %s", failed);
    }
  /* Translators: a duration such as “61.204 s”. */
  g_string_append_printf (text, _ ("; together they took %s"), span);
  if (sums->queued_ns > 0)
    {
      queued = ns_sentence_span_to_text (sums->queued_ns);
      /* Translators: a duration, part of the one before. */
      g_string_append_printf (text, _ (", %s of it queued"), queued);
    }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

/**
 * ns_call_tree_get_filter:
 * @self: a tree
 * @node: number of a node
 *
 * Returns: (transfer full) (nullable): the filter that rows through this frame pass; %NULL for what
 *   is no frame
 */
char *
ns_call_tree_get_filter (const NsCallTree *self, guint node)
{
  NsCallNodeKind kind = g_array_index (self->nodes, NsCallNode, node).kind;
  const char *at = ns_call_tree_get_name (self, node);
  GString *text;

  if (kind == NS_CALL_NODE_NOTE && g_array_index (self->nodes, NsCallNode, node).depth == 1)
    return g_strdup ("stack:none");
  if (kind != NS_CALL_NODE_FRAME)
    return NULL;
  text = g_string_new ("stack=\"");
  for (; *at != '\0'; at++)
    {
      if (*at == '"' || *at == '\\')
        g_string_append_c (text, '\\');
      g_string_append_c (text, *at);
    }
  g_string_append_c (text, '"');
  return g_string_free (text, FALSE);
}

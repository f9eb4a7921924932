/* The sentence about a node of a call tree, and the filter for its rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-call-tree.h"
#include "query/ns-filter.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/**
 * ns_call_tree_describe:
 * @self: a tree
 * @node: number of a node
 *
 * Returns: (transfer full): a sentence with the totals of its rows
 */
char *
ns_call_tree_describe (const NsCallTree *self, guint node)
{
  const NsCallNode *at = &g_array_index (self->nodes, NsCallNode, node);
  const NsCallSums *sums = &at->total;
  guint n_all = g_array_index (self->nodes, NsCallNode, 0).total.n_rows;
  g_autofree char *span = ns_sentence_span_to_text (sums->duration_ns);
  g_autofree char *failed = NULL;
  g_autofree char *queued = NULL;
  g_autofree char *pool = NULL;
  g_autofree char *waited = NULL;
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
  if (sums->n_open > 0)
    /* Translators: a duration such as “61.204 s”; some of the requests had not ended. */
    g_string_append_printf (text, _ ("; together they took at least %s"), span);
  else
    /* Translators: a duration such as “61.204 s”. */
    g_string_append_printf (text, _ ("; together they took %s"), span);
  if (sums->queued_ns > 0)
    {
      queued = ns_sentence_span_to_text (sums->queued_ns);
      /* Translators: a duration, part of the one before. */
      g_string_append_printf (text, _ (", %s of it queued inside libraries"), queued);
    }
  if (sums->pool_ns > 0)
    {
      pool = ns_sentence_span_to_text (sums->pool_ns);
      /* Translators: a duration, most of which lies before the requests. */
      g_string_append_printf (text, _ ("; their work waited %s for pool threads"), pool);
    }
  if (at->wait_ns != NS_UNKNOWN)
    {
      waited = ns_sentence_span_to_text (at->wait_ns);
      /* Translators: a duration: the median of what work waited for another thread. */
      g_string_append_printf (text, _ ("; here the work waited %s (median)"), waited);
    }
  g_string_append_c (text, '.');
  if (node == 0 && self->is_truncated)
    {
      g_autofree char *cut = g_strdup_printf (
          _ (" The tree has reached its maximum size, %u nodes: some paths end early."),
          self->nodes->len);

      g_string_append (text, cut);
    }
  return g_string_free (text, FALSE);
}

/* Formats `field="text"`, with quotes and backslashes escaped. */
static char *
quote (const char *field, const char *text)
{
  GString *filter = g_string_new (field);

  g_string_append (filter, "=\"");
  for (; *text != '\0'; text++)
    {
      if (*text == '"' || *text == '\\')
        g_string_append_c (filter, '\\');
      g_string_append_c (filter, *text);
    }
  g_string_append_c (filter, '"');
  return g_string_free (filter, FALSE);
}

static void
append_node (const NsCallTree *self, guint32 node, GString *path)
{
  NsCallNodeKind kind = g_array_index (self->nodes, NsCallNode, node).kind;

  ns_call_path_append_step (path,
                            kind == NS_CALL_NODE_THREAD_SWITCH ? NS_CALL_PATH_THREAD_SWITCH
                            : kind == NS_CALL_NODE_NOTE        ? NS_CALL_PATH_NOTE
                                                               : "",
                            ns_call_tree_get_name (self, node));
}

/**
 * ns_call_tree_get_filter:
 * @self: a tree
 * @node: number of a node
 *
 * Returns: (transfer full) (nullable): the filter that selects exactly the rows of this node, those
 *   with the same path in the tree; %NULL for the root, or if the path is too long
 */
char *
ns_call_tree_get_filter (const NsCallTree *self, guint node)
{
  guint depth = g_array_index (self->nodes, NsCallNode, node).depth;
  g_autofree guint32 *way = g_new (guint32, depth + 1);
  g_autoptr (GString) path = g_string_new (NULL);
  g_autofree char *filter = NULL;
  guint i;

  if (node == 0)
    return NULL;
  if (self->stack == NS_CALL_STACK_BACK)
    ns_call_path_append_step (path, "", NS_CALL_PATH_BACK);
  else if (self->stack == NS_CALL_STACK_FIRST)
    ns_call_path_append_step (path, "", NS_CALL_PATH_FIRST);
  for (i = 0; self->hidden != NULL && self->hidden[i] != NULL; i++)
    ns_call_path_append_step (path, NS_CALL_PATH_WITHOUT, self->hidden[i]);
  for (i = depth; i > 0; i--, node = g_array_index (self->nodes, NsCallNode, node).parent)
    way[i] = node;
  for (i = 1; i <= depth; i++)
    append_node (self, way[i], path);
  filter = quote ("stack_path", path->str);
  return strlen (filter) <= NS_FILTER_MAX_BYTES / 2 ? g_steal_pointer (&filter) : NULL;
}

/**
 * ns_call_tree_get_function_filter:
 * @self: a tree
 * @node: number of a node
 *
 * Returns: (transfer full) (nullable): the filter that selects all rows with its function in their
 *   path; %NULL if the node is not a frame
 */
char *
ns_call_tree_get_function_filter (const NsCallTree *self, guint node)
{
  if (g_array_index (self->nodes, NsCallNode, node).kind != NS_CALL_NODE_FRAME)
    return NULL;
  return quote ("stack", ns_call_tree_get_name (self, node));
}

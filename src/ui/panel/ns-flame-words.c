/* Texts of the boxes of a flame graph and of the lines of its table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-words.h"
#include "ui/panel/ns-flame-words.h"

#include <glib/gi18n.h>

static const NsCallNode *
node_at (const NsCallTree *tree, guint32 node)
{
  return &g_array_index (tree->nodes, NsCallNode, node);
}

/* Appends a text such as ` · median 31 ms` if the wait is known. */
static void
append_median (GString *text, const NsCallNode *node)
{
  g_autofree char *wait = NULL;

  if (node->wait_ns == NS_UNKNOWN)
    return;
  wait = ns_words_duration (node->wait_ns);
  g_string_append (text, " · ");
  /* Translators: the median of what work waited for another thread, such as “31 ms”. */
  g_string_append_printf (text, _ ("median %s"), wait);
}

/**
 * ns_flame_words_dup_name:
 * @tree: a tree
 * @node: a node of @tree
 *
 * Returns: (transfer full): name of the node
 */
char *
ns_flame_words_dup_name (const NsCallTree *tree, guint32 node)
{
  const NsCallNode *at = node_at (tree, node);

  switch (at->kind)
    {
    case NS_CALL_NODE_ROOT:
      return g_strdup (_ ("all"));
    case NS_CALL_NODE_THREAD_SWITCH:
      /* Translators: where work goes to another thread; what queue it went through. */
      return g_strdup_printf (_ ("thread switch: %s"), ns_words_get_task_kind (at->task));
    case NS_CALL_NODE_NOTE:
      /* Translators: the reason why there is none. */
      return g_strdup_printf (_ ("no stack: %s"), ns_words_get_missing_reason (at->missing));
    case NS_CALL_NODE_FRAME:
    default:
      return ns_words_frame (ns_call_tree_get_name (tree, node));
    }
}

/* Returns the text of a box that stands for several system frames. */
static char *
dup_fold (const NsFlameBox *box)
{
  return g_strdup_printf (ngettext ("%u system frame", "%u system frames", box->n_folded),
                          box->n_folded);
}

/**
 * ns_flame_words_dup_box:
 * @tree: a tree
 * @box: a box of @tree
 * @color: colour scheme
 *
 * Returns: (transfer full): text of the box: name, number of rows if the width shows rows, and the
 * value that the colour shows
 */
char *
ns_flame_words_dup_box (const NsCallTree *tree, const NsFlameBox *box, NsFlameColor color)
{
  guint32 node = box->node;
  const NsCallNode *at = node_at (tree, node);
  g_autofree char *name = box->n_folded > 1 ? dup_fold (box) : ns_flame_words_dup_name (tree, node);
  g_autofree char *count = ns_words_count (at->total.n_rows);
  GString *text = g_string_new (name);

  if (node == 0)
    {
      g_string_append (text, " · ");
      /* Translators: a number of rows. */
      g_string_append_printf (text,
                              ngettext ("%s request", "%s requests", at->total.n_rows),
                              count);
    }
  else if (tree->weight == NS_CALL_WEIGHT_COUNT)
    g_string_append_printf (text, " · %s", count);
  append_median (text, at);
  if (color == NS_FLAME_COLOR_FAILURES && at->total.n_failed > 0)
    g_string_append_printf (text, " · ✕ %u", at->total.n_failed);
  if (color == NS_FLAME_COLOR_WAITING && ns_flame_get_waited_part (&at->total) > 0)
    {
      g_string_append (text, " · ");
      /* Translators: a percentage of the time. */
      g_string_append_printf (text,
                              _ ("%.0f %% waiting"),
                              100.0 * ns_flame_get_waited_part (&at->total));
    }
  return g_string_free (text, FALSE);
}

/**
 * ns_flame_words_dup_line:
 * @tree: a tree
 * @node: a node of @tree
 *
 * Returns: (transfer full): text of the node in the table
 */
char *
ns_flame_words_dup_line (const NsCallTree *tree, guint32 node)
{
  const NsCallNode *at = node_at (tree, node);
  GString *text;

  if (at->kind != NS_CALL_NODE_THREAD_SWITCH)
    return ns_flame_words_dup_name (tree, node);
  text = g_string_new ("○ ");
  if (at->tid != NS_PID_UNKNOWN)
    /* Translators: which thread gave work to another one. */
    g_string_append_printf (text, _ ("thread switch from thread %u"), at->tid);
  else
    g_string_append (text, _ ("thread switch"));
  g_string_append_printf (text, " · %s", ns_words_get_task_kind (at->task));
  append_median (text, at);
  return g_string_free (text, FALSE);
}

/* `stacks --tree`: prints the call tree, weighted by count, bytes, duration or failures.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-call-tree.h"
#include "cli/ns-cli-rows.h"
#include "cli/ns-cli-tree.h"
#include "export/ns-export-cell.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum indentation, so that deep paths stay readable. */
#define MAX_INDENT 60
#define WEIGHT_WIDTH 14

static const char *const columns[] = { "id",    "parent",   "depth",       "kind",       "name",
                                       "total", "self",     "percent",     "rows",       "failed",
                                       "sent",  "received", "duration_ns", "still_open", NULL };

static const char *const kinds[] = {
  [NS_CALL_NODE_ROOT] = "root",
  [NS_CALL_NODE_FRAME] = "frame",
  [NS_CALL_NODE_THREAD_SWITCH] = "seam",
  [NS_CALL_NODE_NOTE] = "note",
};

/* Returns the share of a node in hundredths of a percent, rounded. */
static guint64
get_share (const NsCallTree *tree, guint node)
{
  guint64 whole = ns_call_tree_get_total (tree, 0);
  double part = (double) ns_call_tree_get_total (tree, node);

  return whole == 0 ? 0 : (guint64) (part * 10000 / (double) whole + 0.5);
}

static void
add_share (NsCliRows *rows, const NsCallTree *tree, guint node)
{
  guint64 share = get_share (tree, node);
  char text[32];

  g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT ".%02u", share / 100, (guint) (share % 100));
  ns_cli_rows_add_json (rows, text, text);
}

static gboolean
print_rows (NsCli *cli, const NsCallTree *tree, NsExportFormat format, GError **error)
{
  g_autoptr (NsCliRows) rows = ns_cli_rows_new (cli->view, format, columns, ns_cli_write, cli);
  guint i;

  for (i = 0; i < tree->nodes->len; i++)
    {
      const NsCallNode *node = &g_array_index (tree->nodes, NsCallNode, i);

      ns_cli_rows_add_number (rows, i);
      if (i == 0)
        ns_cli_rows_add_null (rows);
      else
        ns_cli_rows_add_number (rows, node->parent);
      ns_cli_rows_add_number (rows, node->depth);
      ns_cli_rows_add_text (rows, kinds[node->kind]);
      ns_cli_rows_add_text (rows, ns_call_tree_get_name (tree, i));
      ns_cli_rows_add_number (rows, ns_call_tree_get_total (tree, i));
      ns_cli_rows_add_number (rows, ns_call_tree_get_self (tree, i));
      add_share (rows, tree, i);
      ns_cli_rows_add_number (rows, node->total.n_rows);
      ns_cli_rows_add_number (rows, node->total.n_failed);
      ns_cli_rows_add_number (rows, node->total.sent);
      ns_cli_rows_add_number (rows, node->total.received);
      ns_cli_rows_add_number (rows, (guint64) node->total.duration_ns);
      ns_cli_rows_add_boolean (rows, node->total.n_open > 0);
      if (!ns_cli_rows_end_row (rows, error))
        return FALSE;
    }
  return ns_cli_rows_finish (rows, FALSE, error);
}

/* Appends a weight: durations in ms, all others unchanged. Durations of open rows are lower
 * bounds. */
static void
append_weight (const NsCallTree *tree, guint64 weight, guint n_open, GString *text)
{
  gboolean is_duration = tree->weight == NS_CALL_WEIGHT_DURATION;
  /* A lower bound is rounded down. */
  guint64 shown = is_duration && n_open > 0 ? weight - weight % 1000 : weight;
  g_autofree char *number =
      is_duration
          ? g_strdup_printf ("%s%.3f", n_open > 0 && weight > 0 ? "≥ " : "", (double) shown / 1e6)
          : g_strdup_printf ("%" G_GUINT64_FORMAT, shown);

  ns_export_cell_append_aligned (text, number, WEIGHT_WIDTH, TRUE, FALSE);
}

static gboolean
print_text (NsCli *cli, const NsCallTree *tree, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  ns_export_cell_append_aligned (text, _ ("Total"), WEIGHT_WIDTH, TRUE, FALSE);
  ns_export_cell_append_aligned (text, _ ("Self"), WEIGHT_WIDTH, TRUE, FALSE);
  g_string_append_printf (text, "%9s  %s\n", "%", _ ("Frame"));
  for (i = 0; i < tree->nodes->len; i++)
    {
      const NsCallNode *node = &g_array_index (tree->nodes, NsCallNode, i);
      guint64 share = get_share (tree, i);
      const char *mark = node->kind == NS_CALL_NODE_THREAD_SWITCH ? "> " : "";

      append_weight (tree, ns_call_tree_get_total (tree, i), node->total.n_open, text);
      append_weight (tree,
                     ns_call_tree_get_self (tree, i),
                     ns_call_tree_count_open (tree, i),
                     text);
      g_string_append_printf (text,
                              "%6u.%02u  %*s%s",
                              (guint) (share / 100),
                              (guint) (share % 100),
                              (int) MIN (node->depth, MAX_INDENT),
                              "",
                              mark);
      ns_export_cell_append_plain (text, ns_call_tree_get_name (tree, i));
      g_string_append_c (text, '\n');
      if (!ns_cli_write (text->str, text->len, cli, error))
        return FALSE;
      g_string_truncate (text, 0);
    }
  return TRUE;
}

/**
 * ns_cli_tree_check:
 * @cli: the parsed command line
 * @options: (out): options of the call tree
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage
 *
 * Returns: %TRUE if the options are valid, else %FALSE with @error set
 */
gboolean
ns_cli_tree_check (const NsCli *cli, NsCallTreeOptions *options, GError **error)
{
  const char *weight = cli->options.weight;
  const char *stack = cli->options.stack;

  *options = (NsCallTreeOptions){ .stack = NS_CALL_STACK_FULL };
  if (weight != NULL && !ns_call_weight_from_text (weight, &options->weight))
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("there is no weight “%s”: it is count, bytes, duration or failures"),
                   weight);
      return FALSE;
    }
  if (stack != NULL && strcmp (stack, "first") == 0)
    options->stack = NS_CALL_STACK_FIRST;
  else if (stack != NULL && strcmp (stack, "back") == 0)
    options->stack = NS_CALL_STACK_BACK;
  else if (stack != NULL && strcmp (stack, "full") != 0)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("there is no stack “%s”: it is first, full or back"),
                   stack);
      return FALSE;
    }
  return TRUE;
}

/**
 * ns_cli_tree_print:
 * @cli: the parsed command line
 * @trace: the trace
 * @rows: (element-type guint32): rows of the master table, 0-based
 * @format: the output format
 * @error: return location
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_tree_print (NsCli *cli,
                   const NsTrace *trace,
                   const GArray *rows,
                   NsExportFormat format,
                   GError **error)
{
  g_autoptr (NsCallTree) tree = NULL;
  NsCallTreeOptions options;

  if (!ns_cli_tree_check (cli, &options, error))
    return FALSE;
  tree = ns_call_tree_new (trace,
                           (const guint32 *) (gconstpointer) rows->data,
                           rows->len,
                           &options,
                           NULL,
                           NULL);
  if (tree->is_truncated && !cli->options.is_quiet)
    {
      g_autofree char *text = g_strdup_printf (
          _ ("the tree has reached its maximum size, %u nodes: some paths end early"),
          tree->nodes->len);

      ns_cli_print_message (text);
    }
  return format == NS_EXPORT_TEXT ? print_text (cli, tree, error)
                                  : print_rows (cli, tree, format, error);
}

/* The verb `stacks`: prints the first, middle, last and full call stack of network operations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli-symbols.h"
#include "cli/ns-cli-tree.h"
#include "cli/ns-cli.h"
#include "export/ns-export-cell.h"
#include "export/ns-export-chain.h"

#include <glib/gi18n-lib.h>

static const char *const columns[] = { "first", "middle", "last", "full" };

static void
append_cell (GString *text, NsExportFormat format, const char *cell, gboolean is_guarded)
{
  if (format == NS_EXPORT_CSV)
    ns_export_cell_append_csv_text (text, cell, is_guarded);
  else if (format == NS_EXPORT_MARKDOWN)
    ns_export_cell_append_markdown (text, cell);
  else
    ns_export_cell_append_tsv_text (text, cell, is_guarded);
}

/* Returns the separator between cells; Markdown also has it before the first and after the last
 * cell. */
static const char *
separator_of (NsExportFormat format)
{
  if (format == NS_EXPORT_MARKDOWN)
    return " | ";
  return format == NS_EXPORT_CSV ? "," : "\t";
}

static void
append_line (const NsExportChains *chains, NsExportFormat format, NsRow activity, GString *text)
{
  gboolean is_guarded = ns_view_context_guards_formulas (chains->trace->view);
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (chains->trace, activity);
  guint i;

  if (format == NS_EXPORT_MARKDOWN)
    g_string_append (text, "| ");
  g_string_append_printf (text, "%u", activity);
  for (i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autoptr (GString) cell = g_string_new (NULL);

      ns_export_chain_append_cell (chains, chain, (NsChainColumn) i, cell);
      g_string_append (text, separator_of (format));
      append_cell (text, format, cell->str, is_guarded);
    }
  g_string_append (text, format == NS_EXPORT_MARKDOWN ? " |\n" : "\n");
}

static void
append_head (NsExportFormat format, GString *text)
{
  guint i;

  if (format == NS_EXPORT_JSON)
    g_string_append (text, "[");
  if (format == NS_EXPORT_JSON || format == NS_EXPORT_JSONL || format == NS_EXPORT_TEXT)
    return;
  g_string_append (text, format == NS_EXPORT_MARKDOWN ? "| id" : "id");
  for (i = 0; i < G_N_ELEMENTS (columns); i++)
    g_string_append_printf (text, "%s%s", separator_of (format), columns[i]);
  g_string_append (text,
                   format == NS_EXPORT_MARKDOWN ? " |\n| ---: | --- | --- | --- | --- |\n" : "\n");
}

static void
append_one (const NsExportChains *chains,
            NsExportFormat format,
            NsRow activity,
            gboolean is_first,
            GString *text)
{
  switch (format)
    {
    case NS_EXPORT_JSON:
      g_string_append (text, is_first ? "\n" : ",\n");
      ns_export_chain_append_json (chains, activity, text);
      break;
    case NS_EXPORT_JSONL:
      ns_export_chain_append_json (chains, activity, text);
      g_string_append_c (text, '\n');
      break;
    case NS_EXPORT_TEXT:
      ns_export_chain_append_text (chains, activity, text);
      break;
    case NS_EXPORT_CSV:
    case NS_EXPORT_TSV:
    case NS_EXPORT_MARKDOWN:
    default:
      append_line (chains, format, activity, text);
      break;
    }
}

static gboolean
print_all (NsCli *cli,
           const NsExportChains *chains,
           NsExportFormat format,
           const GArray *rows,
           GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  append_head (format, text);
  for (i = 0; i < rows->len; i++)
    {
      append_one (chains, format, g_array_index (rows, guint32, i) + 1, i == 0, text);
      if (!ns_cli_write (text->str, text->len, cli, error))
        return FALSE;
      g_string_truncate (text, 0);
    }
  if (format == NS_EXPORT_JSON)
    g_string_append (text, "\n]\n");
  return ns_cli_write (text->str, text->len, cli, error);
}

static gboolean
print (NsCli *cli,
       const NsCliList *list,
       const NsTrace *trace,
       NsExportFormat format,
       GError **error)
{
  g_autoptr (NsCliSymbols) symbols = NULL;
  g_autoptr (GArray) rows = ns_cli_list_choose (list, trace, error);
  NsExportChains chains = { trace, ns_cli_symbols_resolve, NULL, cli->options.want_redacted };

  if (rows == NULL)
    return FALSE;
  if (cli->options.want_tree)
    return ns_cli_tree_print (cli, trace, rows, format, error);
  chains.resolve_data = symbols = ns_cli_symbols_new (cli, trace);
  return print_all (cli, &chains, format, rows, error);
}

/**
 * ns_cli_stacks:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `stacks`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_stacks (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);
  NsExportFormat format = ns_cli_is_terminal (cli) ? NS_EXPORT_TEXT : NS_EXPORT_TSV;
  NsCallTreeOptions tree;
  NsTrace *trace;
  gboolean is_done;

  list.format = options->format;
  list.is_terminal = ns_cli_is_terminal (cli);
  if (options->row != NULL)
    list.rows = options->row;
  if (!ns_cli_list_check (&list, error) || !ns_cli_tree_check (cli, &tree, error))
    return FALSE;
  if (options->want_redacted && options->want_tree)
    return ns_trace_refuse_query (error, _ ("--redact is for rows, not for trees"));
  if (list.format != NULL && !ns_export_format_from_name (list.format, &format))
    g_assert_not_reached ();
  trace = ns_cli_open_trace (cli, NS_TABLE_ACTIVITIES, error);
  if (trace == NULL)
    return FALSE;
  ns_cli_report_empty (cli, trace, NS_TABLE_ACTIVITIES);
  is_done = print (cli, &list, trace, format, error);
  ns_trace_unref (trace);
  return is_done;
}

/* What the options of `extract` mean, for the verb and for its workers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-extract.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Tables are as confidential as traces: only the user can read them unless asked otherwise. */
#define PRIVATE 0600

static gboolean
parse_tables (const NsCliOptions *options, guint32 *tables, GError **error)
{
  g_auto (GStrv) names = g_strsplit (options->tables != NULL ? options->tables : "all", ",", -1);
  guint i;

  *tables = 0;
  for (i = 0; names[i] != NULL; i++)
    {
      NsExtractTableId id;

      if (strcmp (names[i], "all") == 0)
        *tables |= (1u << NS_EXTRACT_N_TABLES) - 1;
      else if (ns_extract_table_from_name (names[i], &id))
        *tables |= 1u << id;
      else
        return ns_trace_refuse_query (error,
                                      _ ("there is no table “%s”; --schema lists them"),
                                      names[i]);
    }
  return TRUE;
}

/**
 * ns_cli_extract_open_target: (skip)
 * @options: the options
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage, %NS_TRACE_ERROR_WRITE
 *
 * Returns: (transfer full) (nullable): where to write the tables
 */
NsExtractTarget *
ns_cli_extract_open_target (const NsCliOptions *options, GError **error)
{
  NsExtractForm form = NS_EXTRACT_PARQUET;
  guint32 tables;
  guint mode = PRIVATE;

  if (options->as != NULL && !ns_extract_form_from_name (options->as, &form))
    {
      ns_trace_refuse_query (error, _ ("--as is parquet, sqlite or jsonl, not “%s”"), options->as);
      return NULL;
    }
  if (options->to_folder == NULL || *options->to_folder == '\0')
    {
      ns_trace_refuse_query (error,
                             _ ("specify the destination folder of the tables with --to DIR"));
      return NULL;
    }
  if (!parse_tables (options, &tables, error) || !ns_cli_check_mode (options, &mode, error))
    return NULL;
  return ns_extract_target_new (form, options->to_folder, tables, mode, error);
}

static const char *const stack_names[] = {
  [NS_EXTRACT_STACKS_FULL] = "full",
  [NS_EXTRACT_STACKS_KEYS] = "keys",
  [NS_EXTRACT_STACKS_NONE] = "none",
};

/**
 * ns_cli_extract_parse_stacks: (skip)
 * @options: the options
 * @stacks: (out): which call stacks to write
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage
 *
 * Returns: %FALSE with @error set if `--stacks` is invalid
 */
gboolean
ns_cli_extract_parse_stacks (const NsCliOptions *options, NsExtractStacks *stacks, GError **error)
{
  guint i;

  *stacks = NS_EXTRACT_STACKS_KEYS;
  if (options->stacks == NULL)
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (stack_names); i++)
    if (strcmp (stack_names[i], options->stacks) == 0)
      {
        *stacks = i;
        return TRUE;
      }
  return ns_trace_refuse_query (error,
                                _ ("--stacks is none, keys or full, not “%s”"),
                                options->stacks);
}

/**
 * ns_cli_extract_get_options: (skip)
 * @cli: the parsed command line
 * @input: a trace
 *
 * Returns: the options to extract @input, without its ID
 */
NsExtractOptions
ns_cli_extract_get_options (const NsCli *cli, const NsCliInput *input)
{
  NsExtractOptions options = { .file = input->name,
                               .is_redacted = cli->options.want_redacted,
                               .progress = ns_cli_progress,
                               .progress_data = (gpointer) cli };

  /* The value was checked before. */
  ns_cli_extract_parse_stacks (&cli->options, &options.stacks, NULL);
  return options;
}

/**
 * ns_cli_extract_make_id: (skip)
 * @input: a trace
 * @size: (out): its size in bytes
 * @error: set if the trace cannot be read
 *
 * Returns: (transfer full): an ID of the trace's contents; with @error set an ID made of its name
 */
char *
ns_cli_extract_make_id (const NsCliInput *input, guint64 *size, GError **error)
{
  char *id = ns_extract_make_id (input->path, size, error);

  return id != NULL ? id : ns_cli_extract_make_name_id (input->name);
}

/**
 * ns_cli_extract_make_name_id: (skip)
 * @name: a name
 *
 * Returns: (transfer full): an ID for a trace that cannot be read
 */
char *
ns_cli_extract_make_name_id (const char *name)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, name, -1);

  return g_strndup (sum, NS_EXTRACT_ID_DIGITS);
}

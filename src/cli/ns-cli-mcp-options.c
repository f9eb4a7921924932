/* The options of the MCP server that apply to the calls of all its clients.
 *
 * They are checked at start, because a client cannot correct them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-small-file.h"
#include "cli/ns-cli-mcp.h"
#include "schema/ns-schema-filters.h"
#include "schema/ns-schema.h"
#include "side/ns-side.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

/* Resolves the folders, against which clients' names are compared. */
static gboolean
resolve_folders (NsCliOptions *options, GError **error)
{
  guint i;

  for (i = 0; i < options->n_files; i++)
    {
      char *path = realpath (options->files[i], NULL);

      if (path == NULL || !g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          free (path);
          g_set_error (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_OPEN,
                       _ ("“%s” is not a folder"),
                       options->files[i]);
          return FALSE;
        }
      g_free (options->files[i]);
      options->files[i] = g_strdup (path);
      free (path);
    }
  return TRUE;
}

static gboolean
check_time_columns (const char *lines, GError **error)
{
  g_auto (GStrv) all = g_strsplit (lines != NULL ? lines : "", "\n", -1);
  guint i;

  for (i = 0; all[i] != NULL; i++)
    if (*all[i] == '=' || g_str_has_suffix (all[i], "="))
      return ns_trace_refuse_query (error,
                                    _ ("“%s” is not a time column; write COLUMN or FILE=COLUMN"),
                                    all[i]);
  return TRUE;
}

static gboolean
check_filter_names (const char *path, GError **error)
{
  g_autoptr (NsSchemaFilters) filters = NULL;
  g_autofree char *data = NULL;
  gsize n_bytes;

  if (path == NULL)
    return TRUE;
  data = ns_small_file_read (path, NS_SCHEMA_FILTERS_MAX_BYTES, &n_bytes, error);
  if (data == NULL)
    return FALSE;
  filters = ns_schema_filters_new (data, n_bytes, error);
  if (filters == NULL)
    g_prefix_error (error, "%s: ", path);
  return filters != NULL;
}

static gboolean
check_manifests (const NsCli *cli, GError **error)
{
  g_autoptr (NsSchemas) schemas = NULL;

  if (cli->options.manifests == NULL)
    return TRUE;
  schemas = ns_schemas_new (ns_view_context_get_schemas (cli->view));
  return ns_schemas_add_manifests (schemas, cli->options.manifests, error);
}

/* Adds a line with the resolved path for each line `FILE=VALUE` whose file exists: the calls get
 * resolved paths. The lines with the names stay, as a name applies to all files that have it. */
static void
add_resolved (const NsCli *cli, char **lines)
{
  g_auto (GStrv) all = g_strsplit (*lines != NULL ? *lines : "", "\n", -1);
  g_autoptr (GString) text = g_string_new (*lines);
  guint i;

  for (i = 0; all[i] != NULL; i++)
    {
      const char *equals = strrchr (all[i], '=');
      g_autofree char *name = equals != NULL ? g_strndup (all[i], (gsize) (equals - all[i])) : NULL;
      g_autofree char *of_client = name != NULL ? ns_mcp_files_find (cli, name, NULL) : NULL;
      char *path = name != NULL ? realpath (name, NULL) : NULL;

      if (of_client != NULL || path != NULL)
        g_string_append_printf (text, "\n%s%s", of_client != NULL ? of_client : path, equals);
      free (path);
    }
  if (*lines == NULL)
    return;
  g_free (*lines);
  *lines = g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * ns_mcp_options_check: (skip)
 * @cli: (inout): the options of the server; its folders are resolved
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage; or why a file cannot be read
 *
 * Returns: %FALSE with @error set if an option is wrong
 */
gboolean
ns_mcp_options_check (NsCli *cli, GError **error)
{
  NsCliOptions *options = &cli->options;

  if (!ns_side_check_offsets (options->offsets, error) ||
      !check_time_columns (options->time_columns, error) || !resolve_folders (options, error) ||
      !check_filter_names (options->wfp_names, error) || !check_manifests (cli, error))
    return FALSE;
  add_resolved (cli, &options->offsets);
  add_resolved (cli, &options->time_columns);
  return TRUE;
}

static void
add_option (GPtrArray *words, const char *name, const char *value)
{
  if (value != NULL)
    g_ptr_array_add (words, g_strdup_printf ("--%s=%s", name, value));
}

/**
 * ns_mcp_options_pass: (skip)
 * @cli: the options of the server
 * @words: (element-type utf8): the command line of a call
 *
 * Appends the options that apply to all calls.
 */
void
ns_mcp_options_pass (const NsCli *cli, GPtrArray *words)
{
  const NsCliOptions *options = &cli->options;

  add_option (words, "manifests", options->manifests);
  add_option (words, "wfp", options->wfp_names);
  add_option (words, "clock-offset", options->offsets);
  add_option (words, "time-column", options->time_columns);
  add_option (words, "secret-names", options->secret_names);
  add_option (words, "thresholds", options->thresholds);
}

/* The files that clients of the MCP server may open.
 *
 * A name is resolved with all its symbolic links before it is compared with the folders, and the
 * resolved path is opened. Files outside the folders get the same error as files that do not exist,
 * so that clients cannot probe for them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json.h"
#include "cli/ns-cli-extract.h"
#include "cli/ns-cli-mcp.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

static gboolean
is_below (const char *path, const char *folder)
{
  gsize n = strlen (folder);

  while (n > 0 && folder[n - 1] == '/')
    n--;
  return strncmp (path, folder, n) == 0 && path[n] == '/';
}

/* Returns whether the path is a regular file below the folders, which ns_cli_mcp() resolved at
 * start. */
static gboolean
is_allowed (const NsCli *cli, const char *path)
{
  GStatBuf status;
  guint i;

  for (i = 0; i < cli->options.n_files; i++)
    if (is_below (path, cli->options.files[i]))
      return g_stat (path, &status) == 0 && S_ISREG (status.st_mode);
  return FALSE;
}

static char *
resolve (const char *path)
{
  char *found = realpath (path, NULL);
  char *copy = g_strdup (found);

  free (found);
  return copy;
}

/**
 * ns_mcp_files_find: (skip)
 * @cli: the options of the server
 * @name: a path relative to one of its folders, or absolute
 * @error: %NS_TRACE_ERROR_OPEN: there is no such file
 *
 * Returns: (transfer full) (nullable): the path without symbolic links; %NULL with @error set if
 *   there is no such file
 */
char *
ns_mcp_files_find (const NsCli *cli, const char *name, GError **error)
{
  guint i;

  for (i = 0; i < cli->options.n_files && *name != '\0'; i++)
    {
      g_autofree char *path = g_path_is_absolute (name)
                                  ? g_strdup (name)
                                  : g_build_filename (cli->options.files[i], name, NULL);
      g_autofree char *resolved = resolve (path);

      if (resolved != NULL && is_allowed (cli, resolved))
        return g_steal_pointer (&resolved);
    }
  g_set_error (
      error,
      NS_TRACE_ERROR,
      NS_TRACE_ERROR_OPEN,
      _ ("“%.200s” is not a file in the folders of this server; the tool files lists them"),
      name);
  return NULL;
}

/**
 * ns_mcp_files_list: (skip)
 * @cli: the options of the server
 * @call: the number of files to skip and to list
 * @answer: (inout): receives the traces below the folders
 */
void
ns_mcp_files_list (const NsCli *cli, const NsMcpCall *call, NsMcpAnswer *answer)
{
  NsCliOptions options = { .files = cli->options.files,
                           .n_files = cli->options.n_files,
                           .is_recursive = TRUE };
  g_autoptr (NsCliInputs) inputs = ns_cli_inputs_new (&options, NULL);
  guint n_seen = 0;
  guint n_rows = 0;
  gboolean has_more = FALSE;

  while (!has_more)
    {
      g_auto (NsCliInput) input = { NULL, NULL };
      GStatBuf status;

      if (!ns_cli_inputs_next (inputs, &input, NULL))
        break;
      if (n_seen++ < call->offset)
        continue;
      if (n_rows == call->n_rows || answer->text->len > NS_MCP_MAX_BYTES)
        {
          has_more = TRUE;
          continue;
        }
      g_string_append (answer->text, "{\"file\":");
      ns_json_append_string (answer->text, input.name);
      g_string_append_printf (answer->text,
                              ",\"size\":%" G_GUINT64_FORMAT "}\n",
                              (guint64) (g_stat (input.path, &status) == 0 ? status.st_size : 0));
      n_rows++;
    }
  ns_mcp_append_remark (answer->remark, call, n_rows, has_more, NULL);
}

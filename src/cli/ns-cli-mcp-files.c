/* The command line: which files a client of the server may name.
 *
 * A name is resolved with all its links before it is compared with the folders, and the resolved
 * path is what is opened. What is outside is told like what is not there, so that nobody learns
 * what there is.
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

/* The folders were resolved when the program began. */
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
 * @cli: what the server was started with
 * @name: a file below one of its folders, or the whole path
 * @error: %NS_TRACE_ERROR_OPEN: there is none
 *
 * Returns: (transfer full) (nullable): its path, without links
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
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_OPEN,
               _ ("“%.200s” is no file below the folders of this server; the tool files lists "
                  "those"),
               name);
  return NULL;
}

/**
 * ns_mcp_files_list: (skip)
 * @cli: what the server was started with
 * @call: which of them
 * @answer: (inout): the traces below its folders
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

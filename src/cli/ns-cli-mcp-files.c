/* The files that clients of the MCP server may open.
 *
 * A name is resolved with all its symbolic links before it is compared with the folders, and the
 * resolved path is opened. Files outside the folders get the same error as files that do not exist,
 * so that clients cannot probe for them.
 *
 * Names that are not UTF-8 are listed with escapes, \xHH for a byte, which are understood in
 * requests.
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

/* Returns a file name as UTF-8; (transfer full). Backslashes are escaped only in names that need
 * other escapes, so that each name is found by its escaped form. */
static char *
escape_name (const char *name)
{
  g_autoptr (GString) text = NULL;

  if (g_utf8_validate (name, -1, NULL))
    return g_strdup (name);
  text = g_string_new (NULL);
  while (*name != '\0')
    {
      const char *end;

      g_utf8_validate (name, -1, &end);
      for (; name < end; name++)
        if (*name == '\\')
          g_string_append (text, "\\x5c");
        else
          g_string_append_c (text, *name);
      if (*name != '\0')
        g_string_append_printf (text, "\\x%02x", (guchar) *name++);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Reverts escape_name(); (transfer full). */
static char *
unescape_name (const char *text)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (; *text != '\0'; text++)
    {
      gboolean is_byte =
          strncmp (text, "\\x", 2) == 0 && g_ascii_isxdigit (text[2]) && g_ascii_isxdigit (text[3]);
      int byte = is_byte ? g_ascii_xdigit_value (text[2]) << 4 | g_ascii_xdigit_value (text[3]) : 0;

      g_string_append_c (name, byte != 0 ? (char) byte : *text);
      if (byte != 0)
        text += 3;
    }
  return g_string_free (g_steal_pointer (&name), FALSE);
}

/* Returns: (transfer full) (nullable): the path of a file below the folders; %NULL: none has that
 * name */
static char *
find (const NsCli *cli, const char *name)
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
  return NULL;
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
  g_autofree char *unescaped = unescape_name (name);
  char *path = find (cli, name);

  if (path == NULL)
    path = find (cli, unescaped);
  if (path != NULL)
    return path;
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
 *
 * Lists the files that ns_mcp_files_find() finds.
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
      g_autofree char *path = NULL;
      g_autofree char *name = NULL;
      GStatBuf status;

      if (!ns_cli_inputs_next (inputs, &input, NULL))
        break;
      path = resolve (input.path);
      if (path == NULL || !is_allowed (cli, path) || n_seen++ < call->offset)
        continue;
      if (n_rows == call->n_rows || answer->text->len > NS_MCP_MAX_BYTES)
        {
          has_more = TRUE;
          continue;
        }
      name = escape_name (input.raw_name);
      g_string_append (answer->text, "{\"file\":");
      ns_json_append_string (answer->text, name);
      g_string_append_printf (answer->text,
                              ",\"size\":%" G_GUINT64_FORMAT "}\n",
                              (guint64) (g_stat (path, &status) == 0 ? status.st_size : 0));
      n_rows++;
    }
  ns_mcp_append_remark (answer->remark, call, n_rows, has_more, NULL);
}

/* The command line: the verb `export`, chosen rows in some form of file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A form of file; each has a function of its own or is one of the forms of rows. */
typedef struct
{
  const char *name;
  NsCliRun run;
} Form;

/* Rows of the master table, as the verb `activities` prints them. */
static gboolean
export_rows (NsCli *cli, GError **error)
{
  return ns_cli_print_table (cli, NS_TABLE_ACTIVITIES, cli->options.as, error);
}

static const Form forms[] = {
  { "csv", export_rows },   { "tsv", export_rows },      { "json", export_rows },
  { "jsonl", export_rows }, { "markdown", export_rows },
};

/**
 * ns_cli_export:
 * @cli: what was asked
 * @error: return location
 *
 * Returns: %FALSE if it could not be done
 */
gboolean
ns_cli_export (NsCli *cli, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      if (cli->options.as != NULL && strcmp (cli->options.as, forms[i].name) == 0)
        return forms[i].run (cli, error);
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", forms[i].name);
    }
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               /* Translators: the second %s is a list of names */
               _ ("--as wants one of the forms %s"),
               names->str);
  return FALSE;
}

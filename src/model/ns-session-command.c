/* Formats a view as a command line that prints its rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-command.h"

#include "base/ns-hash.h"

static void
append_option (GString *command, const char *option, const char *value)
{
  g_autofree char *quoted = g_shell_quote (value);

  g_string_append_printf (command, " %s %s", option, quoted);
}

/* Returns the quoted paths of the input files; an archive with several of them is listed once. */
static char *
quote_inputs (const NsEtlFile *file)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (ns_hash_text, g_str_equal);
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (file); i++)
    {
      const char *path = ns_etl_file_get_path (ns_etl_file_get_input (file, i));
      g_autofree char *quoted = g_shell_quote (path);

      if (g_hash_table_add (seen, (gpointer) path))
        g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", quoted);
    }
  return g_string_free (text, FALSE);
}

static char *
quote_files (NsSession *self)
{
  const NsTrace *trace = ns_session_get_trace (self);
  GFile *file = ns_session_get_file (self);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *uri = file != NULL && path == NULL ? g_file_get_uri (file) : NULL;

  if (trace->file != NULL && ns_etl_file_get_n_inputs (trace->file) > 1)
    return quote_inputs (trace->file);
  return g_shell_quote (path != NULL ? path : uri != NULL ? uri : "FILE");
}

/**
 * ns_session_to_command:
 * @self: a session
 * @table: the table in front
 * @fields: (element-type NsField): the shown columns
 *
 * The zoom is not included, because it does not affect the rows.
 *
 * Returns: (transfer full): a shell command that prints the shown rows, in order, as JSON
 */
char *
ns_session_to_command (NsSession *self, NsTableId table, const GPtrArray *fields)
{
  const char *filter = ns_session_get_filter (self, table);
  g_autofree char *quoted = quote_files (self);
  g_autofree char *columns = ns_fields_to_text (fields);
  g_autofree char *order = ns_order_to_text (ns_session_get_order (self, table));
  GString *command = g_string_new (NULL);

  g_string_append_printf (command, "netstitch-cli %s %s", ns_table_get_name (table), quoted);
  if (*filter != '\0')
    append_option (command, "--filter", filter);
  if (*order != '\0')
    append_option (command, "--sort", order);
  if (*columns != '\0')
    append_option (command, "--columns", columns);
  g_string_append (command, " --format json");
  return g_string_free (command, FALSE);
}

/* Names of files and computers in messages.
 *
 * With --redact, messages name files only as the user named them: neither computers, nor files in
 * folders and archives, which may be named after computers and users.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Returns the operand that is, or contains, the file. */
static const char *
find_operand (const NsCli *cli, const char *path)
{
  guint i;

  for (i = 0; i < cli->options.n_files; i++)
    {
      const char *operand = cli->options.files[i];
      gsize n = strlen (operand);

      if (strncmp (path, operand, n) == 0 &&
          (path[n] == '\0' || path[n] == '/' || (n > 0 && operand[n - 1] == '/')))
        return operand;
    }
  return cli->options.n_files > 0 ? cli->options.files[0] : "";
}

/* Returns the number of a member, which --member takes, too; 0: it is not found. */
static guint
find_number (const char *path, const char *member)
{
  g_auto (GStrv) members = ns_etl_file_list_members (path, NULL);
  guint i;

  for (i = 0; members != NULL && members[i] != NULL; i++)
    if (strcmp (members[i], member) == 0)
      return i + 1;
  return 0;
}

/**
 * ns_cli_redact_dup_file: (skip)
 * @cli: the parsed command line
 * @path: a file that is read
 * @member: (nullable): the member, if it is an archive
 *
 * Returns: (transfer full): its name in messages
 */
char *
ns_cli_redact_dup_file (const NsCli *cli, const char *path, const char *member)
{
  const char *operand = find_operand (cli, path);
  guint number;

  if (!cli->options.want_redacted)
    return member != NULL ? g_strdup_printf ("%s (%s)", path, member) : g_strdup (path);
  number = member != NULL ? find_number (path, member) : 0;
  if (number > 0)
    /* Translators: an archive, and the number of a file in it. */
    return g_strdup_printf (_ ("%s (member %u)"), operand, number);
  if (g_str_has_prefix (path, operand) && strcmp (path, operand) != 0)
    /* Translators: a folder or an archive. */
    return g_strdup_printf (_ ("%s (a file in it)"), operand);
  return g_strdup (operand);
}

/**
 * ns_cli_redact_dup_reason: (skip)
 * @cli: the parsed command line
 * @path: a file that is not read
 * @reason: the reason
 *
 * Returns: (transfer full): the reason, with the name of the file in messages
 */
char *
ns_cli_redact_dup_reason (const NsCli *cli, const char *path, const char *reason)
{
  g_autoptr (GString) text = g_string_new (reason);
  g_autofree char *name = ns_cli_redact_dup_file (cli, path, NULL);

  if (cli->options.want_redacted && *path != '\0')
    g_string_replace (text, path, name, 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * ns_cli_redact_dup_machine: (skip)
 * @cli: the parsed command line
 * @file: the trace of one of several machines
 * @name: name of the machine
 * @number: number of the machine, from 1
 *
 * Returns: (transfer full): its name in messages
 */
char *
ns_cli_redact_dup_machine (const NsCli *cli, const NsEtlFile *file, const char *name, guint number)
{
  const NsEtlFile *input = ns_etl_file_get_input (file, 0);
  const char *path = ns_etl_file_get_path (input);
  const char *operand = find_operand (cli, path);

  if (!cli->options.want_redacted)
    return g_strdup (name);
  if (strcmp (path, operand) == 0)
    return ns_cli_redact_dup_file (cli, path, ns_etl_file_get_member (input));
  /* Translators: a folder, and the number of a computer. */
  return g_strdup_printf (_ ("%s (machine %u)"), operand, number);
}

/**
 * ns_cli_redact_get_message: (skip)
 * @cli: the parsed command line
 * @error: an error
 *
 * Returns: (transfer none): its message
 */
const char *
ns_cli_redact_get_message (const NsCli *cli, const GError *error)
{
  if (cli->options.want_redacted && g_error_matches (error, NS_TRACE_ERROR, NS_TRACE_ERROR_MEMBER))
    return _ ("this is no trace of the archive: specify one by its name or its number, from 1");
  return error->message;
}

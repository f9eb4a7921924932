/* Secrets that only the form of a log tells: a text of their own would not give them away.
 *
 * Columns of W3C logs are named after headers as `cs(Cookie)` (W3C, Extended Log File Format), IIS
 * writes queries without their question mark, sudo and cron name the command that they ran, Process
 * Monitor tells command lines and what stands in the registry, netlogs what a cookie is worth.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secret-names.h"
#include "base/ns-secrets.h"
#include "side/ns-side-private.h"

#include <string.h>

/* The header that a column is named after, or the column's name itself. */
static char *
dup_name (const char *title)
{
  const char *open = strchr (title, '(');
  const char *close = open != NULL ? strrchr (open, ')') : NULL;

  return close != NULL && close[1] == '\0' ? g_strndup (open + 1, (gsize) (close - open - 1))
                                           : g_strdup (title);
}

/**
 * ns_side_secrets_find_column: (skip)
 * @secrets: (nullable): what is secret; %NULL: what is usual
 * @title: (nullable): how a column is called
 *
 * Returns: what its values are
 */
NsSideColumn
ns_side_secrets_find_column (const NsSecrets *secrets, const char *title)
{
  g_autofree char *name = title != NULL ? dup_name (title) : NULL;

  if (name == NULL)
    return NS_SIDE_COLUMN_PLAIN;
  if (ns_secrets_is_secret_name (secrets, name) ||
      (ns_secret_names_look (secrets, name, strlen (name)) & NS_SECRET_HEADER) != 0)
    return NS_SIDE_COLUMN_SECRET;
  if (ns_secrets_is_command_name (name))
    return NS_SIDE_COLUMN_COMMAND;
  return g_ascii_strcasecmp (name, "cs-uri-query") == 0 ? NS_SIDE_COLUMN_QUERY
                                                        : NS_SIDE_COLUMN_PLAIN;
}

/**
 * ns_side_secrets_append: (skip)
 * @secrets: (nullable): what is secret; %NULL: what is usual
 * @text: what a line tells
 * @column: what @value is
 * @value: a value of it, behind @text from now on, but for what is secret
 */
void
ns_side_secrets_append (const NsSecrets *secrets,
                        GString *text,
                        NsSideColumn column,
                        const char *value)
{
  gsize begin = text->len;

  if (ns_secrets_are_shown (secrets) || column == NS_SIDE_COLUMN_PLAIN)
    g_string_append (text, value);
  else if (column == NS_SIDE_COLUMN_SECRET)
    g_string_append (text, strcmp (value, "-") == 0 || *value == '\0' ? value : NS_SECRETS_MASK);
  else if (column == NS_SIDE_COLUMN_COMMAND)
    {
      g_string_append (text, value);
      ns_secrets_mask_command (secrets, text, begin);
    }
  else
    {
      g_string_append_printf (text, "?%s", value);
      ns_secrets_mask_tail (secrets, text, begin);
      g_string_erase (text, (gssize) begin, 1);
    }
}

/**
 * ns_side_secrets_mask_commands: (skip)
 * @secrets: (nullable): what is secret; %NULL: what is usual
 * @text: a text
 *
 * Masks the commands that it says were run.
 */
void
ns_side_secrets_mask_commands (const NsSecrets *secrets, GString *text)
{
  static const char *const marks[] = { "Command line: ", "COMMAND=", "CMD (" };
  guint i;

  for (i = 0; !ns_secrets_are_shown (secrets) && i < G_N_ELEMENTS (marks); i++)
    {
      const char *mark = strstr (text->str, marks[i]);

      if (mark != NULL)
        ns_secrets_mask_command (secrets, text, (gsize) (mark - text->str) + strlen (marks[i]));
    }
}

/**
 * ns_side_secrets_mask_data: (skip)
 * @secrets: (nullable): what is secret; %NULL: what is usual
 * @text: a text
 * @begin: where the details of Process Monitor begin in it
 * @path: (nullable): what they are of: a value of the registry
 *
 * Masks the data of a value whose name says that they are secret.
 */
void
ns_side_secrets_mask_data (const NsSecrets *secrets, GString *text, gsize begin, const char *path)
{
  static const char mark[] = "Data: ";
  const char *name = path != NULL ? strrchr (path, '\\') : NULL;
  const char *data = strstr (text->str + begin, mark);

  if (ns_secrets_are_shown (secrets) || name == NULL || data == NULL ||
      !ns_secrets_is_secret_name (secrets, name + 1))
    return;
  g_string_truncate (text, (gsize) (data - text->str) + sizeof mark - 1);
  g_string_append (text, NS_SECRETS_MASK);
}

/**
 * ns_side_secrets_mask_cookie: (skip)
 * @secrets: (nullable): what is secret; %NULL: what is usual
 * @text: (inout): parameters of an event, as JSON
 * @type: (nullable): its type
 *
 * Masks what a cookie is worth, where the event is of cookies.
 */
void
ns_side_secrets_mask_cookie (const NsSecrets *secrets, GString *text, const char *type)
{
  static const char key[] = "\"value\"";
  gsize at = 0;
  const char *found;

  if (ns_secrets_are_shown (secrets) || type == NULL || strstr (type, "COOKIE") == NULL)
    return;
  while ((found = strstr (text->str + at, key)) != NULL)
    {
      const char *begin = found + sizeof key - 1;
      const char *end;

      begin += strspn (begin, " \t\r\n:");
      at = (gsize) (begin - text->str);
      if (*begin != '"')
        continue;
      for (end = ++begin; *end != '\0' && *end != '"'; end++)
        if (*end == '\\' && end[1] != '\0')
          end++;
      at = (gsize) (begin - text->str);
      g_string_erase (text, (gssize) at, end - begin);
      g_string_insert (text, (gssize) at, NS_SECRETS_MASK);
      at += strlen (NS_SECRETS_MASK);
    }
}

/* Masks secrets that are recognizable by the format of a log only, not by their own text.
 *
 * Columns of W3C logs are named after headers, such as `cs(Cookie)` (W3C, Extended Log File
 * Format); IIS writes queries without a question mark; sudo and cron log commands; Process Monitor
 * logs command lines and registry data; netlogs contain cookie values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secret-names.h"
#include "base/ns-secrets.h"
#include "side/ns-side-private.h"

#include <string.h>

/* Returns the header after which a column is named, or else the column's name; (transfer full). */
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
 * @secrets: (nullable): what is secret; %NULL: the default
 * @title: (nullable): title of a column
 *
 * Returns: the kind of its values
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
 * @secrets: (nullable): what is secret; %NULL: the default
 * @text: to append to
 * @column: the kind of @value
 * @value: a value
 *
 * Appends the value with its secrets masked.
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
 * @secrets: (nullable): what is secret; %NULL: the default
 * @text: (inout): a text
 *
 * Masks secrets in the commands that the text logs.
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
 * @secrets: (nullable): what is secret; %NULL: the default
 * @text: (inout): a text
 * @begin: offset of the details of Process Monitor in it
 * @path: (nullable): path of their registry value
 *
 * Masks the data of a registry value whose name marks it as secret.
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
 * @secrets: (nullable): what is secret; %NULL: the default
 * @text: (inout): parameters of an event, as JSON
 * @type: (nullable): type of the event
 *
 * Masks the values of cookies in events about cookies.
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

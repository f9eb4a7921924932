/* Finds the longest beginning of an incomplete filter that can be applied while it is typed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter.h"

#include <string.h>

/* Words that may follow the name of a field. */
static const char *const joints[] = { "in", "not", "contains", NULL };

/* Returns whether a word may be the beginning of a field name; a boolean field is a complete
 * condition. */
static gboolean
may_become_field (NsTableId table, const char *word)
{
  const NsField *field = ns_table_find_field (table, word);
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  if (field != NULL)
    return field->type != NS_TYPE_BOOL;
  for (i = 0; i < n_fields; i++)
    if (g_ascii_strncasecmp (fields[i].id, word, strlen (word)) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
may_become_joint (const char *word)
{
  guint i;

  for (i = 0; joints[i] != NULL; i++)
    if (g_ascii_strncasecmp (joints[i], word, strlen (word)) == 0)
      return TRUE;
  return FALSE;
}

static char *
dup_token (const char *text, const NsFilterToken *token)
{
  return g_strndup (text + token->begin, token->end - token->begin);
}

/**
 * ns_filter_measure_settled:
 * @table: the table it is for
 * @text: an incomplete filter
 *
 * A last word that may still become the name of a field is excluded: searching it as a text would
 * hide rows that the finished condition selects.
 *
 * Returns: length of the beginning of @text that can be applied, in bytes
 */
gsize
ns_filter_measure_settled (NsTableId table, const char *text)
{
  g_autoptr (GArray) tokens = ns_filter_list_tokens (table, text);
  guint at = tokens->len;
  const NsFilterToken *last;
  g_autofree char *word = NULL;

  if (at == 0)
    return strlen (text);
  last = &g_array_index (tokens, NsFilterToken, --at);
  word = dup_token (text, last);
  if (last->kind != NS_FILTER_TOKEN_WORD || *word == '"')
    return strlen (text);
  if (at > 0 && last[-1].kind == NS_FILTER_TOKEN_WORD && may_become_joint (word))
    {
      g_autofree char *before = dup_token (text, last - 1);
      const NsField *field = ns_table_find_field (table, before);

      if (field == NULL || field->type == NS_TYPE_BOOL)
        return strlen (text);
      at--;
    }
  else if (!may_become_field (table, word))
    return strlen (text);
  /* Also exclude operators before it ("not", "and", "or"). */
  while (at > 0 && g_array_index (tokens, NsFilterToken, at - 1).kind == NS_FILTER_TOKEN_KEYWORD)
    at--;
  return at > 0 ? g_array_index (tokens, NsFilterToken, at - 1).end : 0;
}

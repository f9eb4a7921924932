/* The words of the filter language: keywords, operators, quoted and bare values, and where they
 * stand.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-parser.h"
#include "query/ns-filter-payload.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Says what is wrong with the bytes from @begin to @end. */
void
ns_filter_parser_set_where (NsFilterParser *self, const char *begin, const char *end)
{
  if (self->where == NULL)
    return;
  self->where->begin = (gsize) (begin - self->text);
  self->where->end = (gsize) (end - self->text);
}

NsFilterNode *
ns_filter_parser_fail (NsFilterParser *self,
                       const char *begin,
                       const char *end,
                       const char *message)
{
  ns_filter_parser_set_where (self, begin, end);
  g_set_error_literal (self->error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY, message);
  return NULL;
}

/* Remembers what the bytes from @begin to here are. */
void
ns_filter_parser_mark (NsFilterParser *self, NsFilterTokenKind kind, const char *begin)
{
  NsFilterToken token = { kind, (gsize) (begin - self->text), (gsize) (self->here - self->text) };

  if (self->tokens != NULL && token.end > token.begin)
    g_array_append_val (self->tokens, token);
}

guint
ns_filter_parser_get_n_tokens (const NsFilterParser *self)
{
  return self->tokens != NULL ? self->tokens->len : 0;
}

/* What was read since there were @n_tokens is going to be read again as something else. */
void
ns_filter_parser_forget_tokens (NsFilterParser *self, guint n_tokens)
{
  if (self->tokens != NULL)
    g_array_set_size (self->tokens, n_tokens);
}

void
ns_filter_parser_skip_space (NsFilterParser *self)
{
  while (g_ascii_isspace (*self->here))
    self->here++;
}

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* A keyword is a whole word; its case does not matter. */
gboolean
ns_filter_parser_take_keyword (NsFilterParser *self, const char *keyword)
{
  gsize length = strlen (keyword);

  if (g_ascii_strncasecmp (self->here, keyword, length) != 0)
    return FALSE;
  if (!g_ascii_isspace (self->here[length]) && self->here[length] != '(' &&
      self->here[length] != '{')
    return FALSE;
  self->here += length;
  ns_filter_parser_mark (self, NS_FILTER_TOKEN_KEYWORD, self->here - length);
  ns_filter_parser_skip_space (self);
  return TRUE;
}

/* How long the sign is that begins at @text and means the same as @keyword: both are written in
 * other filter languages, once or twice. Joined to something else, a single one is part of a text.
 */
static gsize
measure_sign (const char *text, const char *keyword)
{
  const char sign = *keyword == 'a' ? '&' : '|';

  if (text[0] != sign)
    return 0;
  if (text[1] == sign)
    return 2;
  return text[1] == '\0' || text[1] == ')' || g_ascii_isspace (text[1]) ? 1 : 0;
}

/* What joins two conditions stands behind the first one, and so is no text to look for, even when
 * the second one has not been written yet. */
gboolean
ns_filter_parser_take_joint (NsFilterParser *self, const char *keyword)
{
  gsize length = measure_sign (self->here, keyword);

  if (length == 0)
    {
      if (ns_filter_parser_take_keyword (self, keyword))
        return TRUE;
      length = strlen (keyword);
      if (g_ascii_strncasecmp (self->here, keyword, length) != 0 ||
          (self->here[length] != '\0' && self->here[length] != ')'))
        return FALSE;
    }
  self->here += length;
  ns_filter_parser_mark (self, NS_FILTER_TOKEN_KEYWORD, self->here - length);
  ns_filter_parser_skip_space (self);
  return TRUE;
}

gboolean
ns_filter_parser_take_operator (NsFilterParser *self, NsFilterOp *op)
{
  static const struct
  {
    const char *text;
    NsFilterOp op;
  } operators[] = {
    { "==", NS_FILTER_OP_EQ },  { "!=", NS_FILTER_OP_NE },     { "<=", NS_FILTER_OP_LE },
    { ">=", NS_FILTER_OP_GE },  { "!~", NS_FILTER_OP_UNLIKE }, { "=~", NS_FILTER_OP_LIKE },
    { "=", NS_FILTER_OP_EQ },   { "<", NS_FILTER_OP_LT },      { ">", NS_FILTER_OP_GT },
    { "~", NS_FILTER_OP_LIKE }, { ":<=", NS_FILTER_OP_LE },    { ":>=", NS_FILTER_OP_GE },
    { ":<", NS_FILTER_OP_LT },  { ":>", NS_FILTER_OP_GT },     { ":", NS_FILTER_OP_HAS },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_str_has_prefix (self->here, operators[i].text))
      {
        *op = operators[i].op;
        self->here += strlen (operators[i].text);
        ns_filter_parser_mark (self,
                               NS_FILTER_TOKEN_OPERATOR,
                               self->here - strlen (operators[i].text));
        return TRUE;
      }
  return FALSE;
}

/* Up to the closing quote; a backslash takes the next character as it is. */
static char *
take_quoted (NsFilterParser *self)
{
  g_autoptr (GString) value = g_string_new (NULL);
  const char *begin = self->here++;

  for (; *self->here != '"'; self->here++)
    {
      if (*self->here == '\\' && (self->here[1] == '"' || self->here[1] == '\\'))
        self->here++;
      if (*self->here == '\0')
        {
          ns_filter_parser_mark (self, NS_FILTER_TOKEN_VALUE, begin);
          ns_filter_parser_fail (self, begin, self->here, _ ("the closing quote is missing"));
          return NULL;
        }
      g_string_append_c (value, *self->here);
    }
  self->here++;
  ns_filter_parser_mark (self, NS_FILTER_TOKEN_VALUE, begin);
  return g_string_free (g_steal_pointer (&value), FALSE);
}

/* A value runs to the next space; brackets inside it must come in pairs, so that the one that
 * closes a group does not belong to it. In a list, that ends with @close, not 0, it also ends at a
 * comma. */
char *
ns_filter_parser_take_value (NsFilterParser *self, char close, gboolean *is_quoted)
{
  const char *begin = self->here;
  guint n_open = 0;

  *is_quoted = *self->here == '"';
  if (*is_quoted)
    return take_quoted (self);
  for (; *self->here != '\0' && !g_ascii_isspace (*self->here); self->here++)
    {
      if (*self->here == '(')
        n_open++;
      else if (*self->here == ')' && n_open-- == 0)
        break;
      else if (close != '\0' && (*self->here == ',' || (*self->here == '}' && close == '}')))
        break;
    }
  ns_filter_parser_mark (self, NS_FILTER_TOKEN_VALUE, begin);
  return g_strndup (begin, (gsize) (self->here - begin));
}

/* The end of the name that begins here; those of payloads may have a prefix. */
const char *
ns_filter_parser_find_name_end (const NsFilterParser *self)
{
  const char *end = self->here;

  if (self->table == NS_TABLE_EVENTS && g_str_has_prefix (end, NS_FILTER_PAYLOAD_PREFIX))
    end += strlen (NS_FILTER_PAYLOAD_PREFIX);
  while (is_name_char (*end))
    end++;
  return end;
}

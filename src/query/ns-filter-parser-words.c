/* Lexer of the filter language: keywords, operators, and quoted or bare values, with positions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-parser.h"
#include "query/ns-filter-payload.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Sets the position of an error. */
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

/* Records a token from @begin to the current position. */
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

/* Removes the tokens after the first @n_tokens, which will be parsed again. */
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

/* Parses a keyword: a whole word, in upper or lower case. */
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

/* Returns the length of the operator sign at @text that is equivalent to @keyword: one or two
 * characters, as in other filter languages. A single character that is followed by other text is
 * part of that text. */
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

/* Parses "and" or "or" between two conditions. After a complete condition it is always an
 * operator, even if the second condition has not been typed yet. */
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

/* Parses up to the closing quote; a backslash escapes the next character. */
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

/* Parses a value up to the next space. Brackets inside it must be balanced, so that a closing
 * bracket of a group is not part of it. In a list, whose end is @close (not 0), it also ends at
 * a comma. */
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

/* Returns the end of the name that begins here; payload fields may have a prefix. */
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

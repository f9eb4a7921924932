/* The filter language: text to a tree, checked against the table of fields, and run over rows.
 *
 *   any     = all { "or" all }
 *   all     = one { [ "and" ] one }
 *   one     = ( "not" | "-" | "!" ) one | "(" any ")" | name op value
 *           | name [ "not" ] "in" "(" value { "," value } ")" | word
 *
 * A word alone is the name of a yes-or-no field, or a text that some field of the row must contain.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-test.h"
#include "query/ns-filter.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NS_FILTER_MAX_BYTES 16384
#define NS_FILTER_MAX_DEPTH 64
#define NS_FILTER_MAX_NODES 2048
#define PROGRESS_ROWS (1u << 14)

typedef enum
{
  NODE_ALL,
  NODE_ANY,
  NODE_NOT,
  NODE_TEST,
  NODE_WORD,
} NodeKind;

typedef struct
{
  NodeKind kind;
  GPtrArray *children; /* ALL, ANY, NOT */
  NsFilterTest *test;  /* TEST */
  char *word;          /* WORD */
  gboolean is_pattern;
} Node;

struct _NsFilter
{
  NsTableId table;
  Node *root;
};

typedef struct
{
  NsTableId table;
  const char *text;
  const char *here;
  guint depth;
  guint n_nodes;
  NsFilterSpan *where;
  GError **error;
} Parser;

static Node *parse_any (Parser *self);
static Node *parse_one (Parser *self);

static void
node_free (gpointer data)
{
  Node *self = data;

  if (self == NULL)
    return;
  g_clear_pointer (&self->children, g_ptr_array_unref);
  ns_filter_test_free (self->test);
  g_free (self->word);
  g_free (self);
}

static Node *
node_new (Parser *parser, NodeKind kind)
{
  Node *self = g_new0 (Node, 1);

  self->kind = kind;
  parser->n_nodes++;
  if (kind <= NODE_NOT)
    self->children = g_ptr_array_new_with_free_func (node_free);
  return self;
}

/* Says what is wrong with the bytes from @begin to @end. */
static void
set_where (Parser *self, const char *begin, const char *end)
{
  if (self->where == NULL)
    return;
  self->where->begin = (gsize) (begin - self->text);
  self->where->end = (gsize) (end - self->text);
}

static Node *
fail (Parser *self, const char *begin, const char *end, const char *message)
{
  set_where (self, begin, end);
  g_set_error_literal (self->error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY, message);
  return NULL;
}

static void
skip_space (Parser *self)
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
static gboolean
take_keyword (Parser *self, const char *keyword)
{
  gsize length = strlen (keyword);

  if (g_ascii_strncasecmp (self->here, keyword, length) != 0)
    return FALSE;
  if (!g_ascii_isspace (self->here[length]) && self->here[length] != '(')
    return FALSE;
  self->here += length;
  skip_space (self);
  return TRUE;
}

static gboolean
take_operator (Parser *self, NsFilterOp *op)
{
  static const struct
  {
    const char *text;
    NsFilterOp op;
  } operators[] = {
    { "==", NS_FILTER_OP_EQ },  { "!=", NS_FILTER_OP_NE },     { "<=", NS_FILTER_OP_LE },
    { ">=", NS_FILTER_OP_GE },  { "!~", NS_FILTER_OP_UNLIKE }, { "=~", NS_FILTER_OP_LIKE },
    { "=", NS_FILTER_OP_EQ },   { "<", NS_FILTER_OP_LT },      { ">", NS_FILTER_OP_GT },
    { "~", NS_FILTER_OP_LIKE }, { ":", NS_FILTER_OP_HAS },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_str_has_prefix (self->here, operators[i].text))
      {
        *op = operators[i].op;
        self->here += strlen (operators[i].text);
        return TRUE;
      }
  return FALSE;
}

/* Up to the closing quote; a backslash takes the next character as it is. */
static char *
take_quoted (Parser *self)
{
  g_autoptr (GString) value = g_string_new (NULL);
  const char *begin = self->here++;

  for (; *self->here != '"'; self->here++)
    {
      if (*self->here == '\\' && (self->here[1] == '"' || self->here[1] == '\\'))
        self->here++;
      if (*self->here == '\0')
        {
          fail (self, begin, self->here, _ ("the closing quote is missing"));
          return NULL;
        }
      g_string_append_c (value, *self->here);
    }
  self->here++;
  return g_string_free (g_steal_pointer (&value), FALSE);
}

/* A value runs to the next space; brackets inside it must come in pairs, so that the one that
 * closes a group does not belong to it. */
static char *
take_value (Parser *self, gboolean is_in_list, gboolean *is_quoted)
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
      else if (*self->here == ',' && is_in_list)
        break;
    }
  return g_strndup (begin, (gsize) (self->here - begin));
}

/* A status code is a number in another field than the status line. */
static const NsField *
find_field (Parser *self, const char *name, NsFilterOp op, const char *value)
{
  const NsField *field = ns_table_find_field (self->table, name);
  const NsField *code = ns_table_find_field (self->table, "http_status");

  if (code == NULL || field == NULL || strcmp (field->id, "status") != 0 ||
      field->type != NS_TYPE_TEXT)
    return field;
  if ((op >= NS_FILTER_OP_LT && op <= NS_FILTER_OP_GE) ||
      (*value != '\0' && strspn (value, "0123456789.") == strlen (value)))
    return code;
  return field;
}

static Node *
make_test (Parser *self,
           const char *name,
           NsFilterOp op,
           const char *value,
           gboolean is_quoted,
           const char *begin)
{
  const NsField *field = find_field (self, name, op, value);
  NsFilterTest *test = ns_filter_test_new (field, name, op, value, is_quoted, self->error);
  Node *node;

  if (test == NULL)
    {
      set_where (self, begin, self->here);
      return NULL;
    }
  node = node_new (self, NODE_TEST);
  node->test = test;
  return node;
}

/* After `name in`: any of the values in brackets. */
static Node *
parse_list (Parser *self, const char *name)
{
  g_autoptr (GPtrArray) tests = g_ptr_array_new_with_free_func (node_free);
  const char *open = self->here;
  Node *list;

  if (*self->here != '(')
    return fail (self, open, open, _ ("“in” wants a list in brackets: in (a, b)"));
  do
    {
      g_autofree char *value = NULL;
      const char *begin;
      gboolean is_quoted;
      Node *test;

      self->here++;
      skip_space (self);
      begin = self->here;
      value = take_value (self, TRUE, &is_quoted);
      if (value == NULL)
        return NULL;
      if (*value == '\0' && !is_quoted)
        return fail (self, open, begin, _ ("a value is missing"));
      test = make_test (self, name, NS_FILTER_OP_EQ, value, is_quoted, begin);
      if (test == NULL)
        return NULL;
      g_ptr_array_add (tests, test);
      skip_space (self);
    }
  while (*self->here == ',' && self->n_nodes < NS_FILTER_MAX_NODES);
  if (*self->here != ')')
    return fail (self, open, self->here, _ ("the closing bracket of the list is missing"));
  self->here++;
  list = node_new (self, NODE_ANY);
  g_ptr_array_unref (list->children);
  list->children = g_steal_pointer (&tests);
  return list;
}

static Node *
negate (Parser *self, Node *child)
{
  Node *node;

  if (child == NULL)
    return NULL;
  node = node_new (self, NODE_NOT);
  g_ptr_array_add (node->children, child);
  return node;
}

/* What begins with a name that an operator follows; %NULL without an error: it is something else.
 */
static Node *
parse_comparison (Parser *self, gboolean *is_comparison)
{
  const char *begin = self->here;
  const char *end = begin;
  g_autofree char *name = NULL;
  g_autofree char *value = NULL;
  gboolean is_quoted;
  gboolean is_not = FALSE;
  gboolean is_list;
  NsFilterOp op = NS_FILTER_OP_EQ;

  while (is_name_char (*end))
    end++;
  name = g_strndup (begin, (gsize) (end - begin));
  self->here = end;
  skip_space (self);
  if (self->here > end && take_keyword (self, "not"))
    is_not = TRUE;
  is_list = self->here > end && take_keyword (self, "in");
  *is_comparison = end > begin && (is_list || (!is_not && take_operator (self, &op)));
  if (!*is_comparison)
    {
      self->here = begin;
      return NULL;
    }
  if (ns_table_find_field (self->table, name) == NULL)
    return fail (self, begin, end, _ ("there is no such field; to look for the text, quote it"));
  if (is_list)
    return is_not ? negate (self, parse_list (self, name)) : parse_list (self, name);
  if (op != NS_FILTER_OP_HAS)
    skip_space (self);
  begin = self->here;
  value = take_value (self, FALSE, &is_quoted);
  if (value == NULL)
    return NULL;
  if (*value == '\0' && !is_quoted)
    return fail (self, end, self->here, _ ("a value is missing"));
  return make_test (self, name, op, value, is_quoted, begin);
}

static Node *
parse_word (Parser *self)
{
  const char *begin = self->here;
  g_autofree char *word = NULL;
  gboolean is_quoted;
  const NsField *field;
  Node *node;

  word = take_value (self, FALSE, &is_quoted);
  if (word == NULL)
    return NULL;
  if (*word == '\0')
    return fail (self,
                 begin,
                 self->here + (*self->here != '\0'),
                 _ ("something to look for is missing"));
  field = is_quoted ? NULL : ns_table_find_field (self->table, word);
  if (field != NULL && field->type == NS_TYPE_BOOL)
    {
      node = node_new (self, NODE_TEST);
      node->test = ns_filter_test_new_is_true (field);
      return node;
    }
  node = node_new (self, NODE_WORD);
  node->is_pattern = !is_quoted && strpbrk (word, "*?") != NULL;
  node->word = g_steal_pointer (&word);
  return node;
}

static Node *
parse_group (Parser *self)
{
  const char *open = self->here++;
  Node *node = parse_any (self);

  if (node == NULL)
    return NULL;
  skip_space (self);
  if (*self->here != ')')
    {
      node_free (node);
      return fail (self, open, open + 1, _ ("its closing bracket is missing"));
    }
  self->here++;
  return node;
}

static Node *
parse_one_unbounded (Parser *self)
{
  gboolean is_comparison;
  Node *node;

  if ((*self->here == '-' || *self->here == '!') && !g_ascii_isspace (self->here[1]))
    {
      self->here++;
      return negate (self, parse_one (self));
    }
  if (take_keyword (self, "not"))
    return negate (self, parse_one (self));
  if (*self->here == '(')
    return parse_group (self);
  node = parse_comparison (self, &is_comparison);
  return is_comparison ? node : parse_word (self);
}

/* How deep brackets and negations may stand in each other is bounded here. */
static Node *
parse_one (Parser *self)
{
  Node *node;

  skip_space (self);
  if (self->depth >= NS_FILTER_MAX_DEPTH || self->n_nodes >= NS_FILTER_MAX_NODES)
    return fail (self, self->here, self->here + strlen (self->here), _ ("the filter is too long"));
  self->depth++;
  node = parse_one_unbounded (self);
  self->depth--;
  return node;
}

/* Neither end nor bracket nor "or": another condition follows. */
static gboolean
has_more (Parser *self)
{
  const char *begin = self->here;
  gboolean is_or;

  skip_space (self);
  if (*self->here == '\0' || *self->here == ')')
    return FALSE;
  begin = self->here;
  is_or = take_keyword (self, "or");
  self->here = begin;
  return !is_or;
}

static Node *
parse_all (Parser *self)
{
  Node *all = node_new (self, NODE_ALL);

  do
    {
      Node *one = parse_one (self);

      if (one == NULL)
        {
          node_free (all);
          return NULL;
        }
      g_ptr_array_add (all->children, one);
      skip_space (self);
      if (take_keyword (self, "and"))
        continue;
    }
  while (has_more (self));
  return all;
}

static Node *
parse_any (Parser *self)
{
  Node *any = node_new (self, NODE_ANY);

  do
    {
      Node *all = parse_all (self);

      if (all == NULL)
        {
          node_free (any);
          return NULL;
        }
      g_ptr_array_add (any->children, all);
      skip_space (self);
    }
  while (take_keyword (self, "or"));
  return any;
}

/* Some text of the row contains the word. */
static gboolean
word_matches (const Node *self, const NsTrace *trace, NsTableId table, guint row)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  gboolean is_match = FALSE;
  guint i;

  for (i = 0; i < n_fields && !is_match; i++)
    {
      NsFieldValue value;

      if (fields[i].type != NS_TYPE_TEXT && fields[i].type != NS_TYPE_LIST &&
          fields[i].type != NS_TYPE_IP && fields[i].type != NS_TYPE_GUID)
        continue;
      ns_field_get (trace, &fields[i], row, &value);
      g_string_truncate (text, 0);
      ns_field_append_raw (&fields[i], &value, text);
      ns_field_value_clear (&value);
      is_match = self->is_pattern ? ns_filter_text_is_like (text->str, self->word)
                                  : ns_filter_text_contains (text->str, self->word);
    }
  return is_match;
}

/* As deep as the parser went, no deeper. */
static gboolean
node_matches (const Node *self, const NsTrace *trace, NsTableId table, guint row)
{
  gboolean wanted = self->kind == NODE_ANY;
  guint i;

  switch (self->kind)
    {
    case NODE_TEST:
      return ns_filter_test_matches (self->test, trace, row);
    case NODE_WORD:
      return word_matches (self, trace, table, row);
    case NODE_NOT:
      return !node_matches (g_ptr_array_index (self->children, 0), trace, table, row);
    case NODE_ALL:
    case NODE_ANY:
    default:
      for (i = 0; i < self->children->len; i++)
        if (node_matches (g_ptr_array_index (self->children, i), trace, table, row) == wanted)
          return wanted;
      return !wanted;
    }
}

/**
 * ns_filter_new:
 * @table: the table it is for
 * @text: the filter
 * @where: (out) (optional): where @text is wrong
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: (transfer full) (nullable): the filter; one of no text lets every row through
 */
NsFilter *
ns_filter_new (NsTableId table, const char *text, NsFilterSpan *where, GError **error)
{
  Parser parser = { table, text, text, 0, 0, where, error };
  g_autoptr (NsFilter) self = g_new0 (NsFilter, 1);

  set_where (&parser, text, text);
  self->table = table;
  if (strlen (text) > NS_FILTER_MAX_BYTES || !g_utf8_validate (text, -1, NULL))
    {
      fail (&parser, text, text + strlen (text), _ ("the filter is too long, or no text"));
      return NULL;
    }
  skip_space (&parser);
  if (*parser.here == '\0')
    {
      self->root = node_new (&parser, NODE_ALL);
      return g_steal_pointer (&self);
    }
  self->root = parse_any (&parser);
  if (self->root == NULL)
    return NULL;
  if (*parser.here != '\0')
    {
      fail (&parser, parser.here, parser.here + 1, _ ("this bracket closes nothing"));
      return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * ns_filter_free:
 * @self: (transfer full) (nullable): a filter
 */
void
ns_filter_free (NsFilter *self)
{
  if (self == NULL)
    return;
  node_free (self->root);
  g_free (self);
}

/**
 * ns_filter_matches:
 * @self: a filter
 * @trace: a trace
 * @row: a row of its table, 0-based
 *
 * Returns: %TRUE if the row passes
 */
gboolean
ns_filter_matches (const NsFilter *self, const NsTrace *trace, guint row)
{
  return node_matches (self->root, trace, self->table, row);
}

/**
 * ns_filter_run:
 * @self: a filter
 * @trace: a trace
 * @table: the table it was made for
 * @progress: (nullable): told how far it is, and asked whether to go on
 * @progress_data: for @progress
 *
 * Returns: (transfer full) (element-type guint32) (nullable): the rows that pass, in table order;
 * %NULL when stopped
 */
GArray *
ns_filter_run (const NsFilter *self,
               const NsTrace *trace,
               NsTableId table,
               NsProgressFunc progress,
               gpointer progress_data)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_rows = ns_table_get_n_rows (trace, table);
  guint32 i;

  g_return_val_if_fail (table == self->table, NULL);

  for (i = 0; i < n_rows; i++)
    {
      if (ns_filter_matches (self, trace, i))
        g_array_append_val (rows, i);
      if (progress != NULL && i % PROGRESS_ROWS == PROGRESS_ROWS - 1 &&
          !progress ((double) i / n_rows, progress_data))
        return NULL;
    }
  return g_steal_pointer (&rows);
}

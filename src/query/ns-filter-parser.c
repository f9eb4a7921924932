/* The filter language: text to a tree, checked against the table of fields, and run over rows.
 *
 *   any     = all { "or" all }
 *   all     = one { [ "and" ] one }
 *   one     = ( "not" | "-" | "!" ) one | "(" any ")" | name op value
 *           | name [ "not" ] "in" "(" value { "," value } ")" | word
 *
 * Names that the table of events does not know are those of payloads, and so is what follows
 * `fields.`. A word alone is the name of a yes-or-no field, or a text that some field of the row
 * must contain.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-node.h"
#include "query/ns-filter-payload.h"
#include "query/ns-query.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NS_FILTER_MAX_DEPTH 64
#define NS_FILTER_MAX_NODES 2048

typedef struct
{
  NsTableId table;
  const char *text;
  const char *here;
  guint depth;
  guint n_nodes;
  NsFilterSpan *where;
  GError **error;
  GArray *parts;   /* NsFilterSpan of each condition that stands alone; NULL: nobody asks */
  gboolean has_or; /* of the text as a whole */
  GArray *tokens;  /* NsFilterToken of what has been read; NULL: nobody asks */
} Parser;

static NsFilterNode *parse_any (Parser *self);
static NsFilterNode *parse_one (Parser *self);

static NsFilterNode *
node_new (Parser *parser, NsFilterNodeKind kind)
{
  NsFilterNode *self = g_new0 (NsFilterNode, 1);

  self->kind = kind;
  parser->n_nodes++;
  if (kind <= NS_FILTER_NODE_NOT)
    self->children = g_ptr_array_new_with_free_func (ns_filter_node_free);
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

static NsFilterNode *
fail (Parser *self, const char *begin, const char *end, const char *message)
{
  set_where (self, begin, end);
  g_set_error_literal (self->error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY, message);
  return NULL;
}

/* Remembers what the bytes from @begin to here are. */
static void
mark (Parser *self, NsFilterTokenKind kind, const char *begin)
{
  NsFilterToken token = { kind, (gsize) (begin - self->text), (gsize) (self->here - self->text) };

  if (self->tokens != NULL && token.end > token.begin)
    g_array_append_val (self->tokens, token);
}

static guint
get_n_tokens (const Parser *self)
{
  return self->tokens != NULL ? self->tokens->len : 0;
}

/* What was read since there were @n_tokens is going to be read again as something else. */
static void
forget_tokens (Parser *self, guint n_tokens)
{
  if (self->tokens != NULL)
    g_array_set_size (self->tokens, n_tokens);
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
  if (!g_ascii_isspace (self->here[length]) && self->here[length] != '(' &&
      self->here[length] != '{')
    return FALSE;
  self->here += length;
  mark (self, NS_FILTER_TOKEN_KEYWORD, self->here - length);
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
        mark (self, NS_FILTER_TOKEN_OPERATOR, self->here - strlen (operators[i].text));
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
          mark (self, NS_FILTER_TOKEN_VALUE, begin);
          fail (self, begin, self->here, _ ("the closing quote is missing"));
          return NULL;
        }
      g_string_append_c (value, *self->here);
    }
  self->here++;
  mark (self, NS_FILTER_TOKEN_VALUE, begin);
  return g_string_free (g_steal_pointer (&value), FALSE);
}

/* A value runs to the next space; brackets inside it must come in pairs, so that the one that
 * closes a group does not belong to it. In a list, that ends with @close, not 0, it also ends at a
 * comma. */
static char *
take_value (Parser *self, char close, gboolean *is_quoted)
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
  mark (self, NS_FILTER_TOKEN_VALUE, begin);
  return g_strndup (begin, (gsize) (self->here - begin));
}

/* Of the table of events: the name of a field of payloads, %NULL if it is one of the header. */
static const char *
get_payload_name (const Parser *self, const char *name)
{
  if (self->table != NS_TABLE_EVENTS)
    return NULL;
  if (g_str_has_prefix (name, NS_FILTER_PAYLOAD_PREFIX))
    return name + strlen (NS_FILTER_PAYLOAD_PREFIX);
  return ns_table_find_field (self->table, name) == NULL && !g_ascii_isdigit (*name) ? name : NULL;
}

/**
 * ns_filter_node_find_field: (skip)
 * @table: a table
 * @name: how a field is called
 * @op: how it is compared
 * @value: with what
 *
 * A status code is a number in another field than the status line.
 *
 * Returns: (nullable): the field that is meant
 */
const NsField *
ns_filter_node_find_field (NsTableId table, const char *name, NsFilterOp op, const char *value)
{
  const NsField *field = ns_table_find_field (table, name);
  const NsField *code = ns_table_find_field (table, "http_status");

  if (code == NULL || field == NULL || strcmp (field->id, "status") != 0 ||
      field->type != NS_TYPE_TEXT)
    return field;
  if ((op >= NS_FILTER_OP_LT && op <= NS_FILTER_OP_GE) ||
      (*value != '\0' && strspn (value, "0123456789.") == strlen (value)))
    return code;
  return field;
}

static NsFilterNode *
make_one_test (Parser *self,
               const char *name,
               NsFilterOp op,
               const char *value,
               gboolean is_quoted,
               const char *begin)
{
  const char *payload_name = get_payload_name (self, name);
  NsFilterNode *node;
  NsFilterTest *test;

  if (payload_name != NULL)
    test = ns_filter_test_new_payload (payload_name, op, value, is_quoted, self->error);
  else
    test = ns_filter_test_new (ns_filter_node_find_field (self->table, name, op, value),
                               name,
                               op,
                               value,
                               is_quoted,
                               self->error);

  if (test == NULL)
    {
      set_where (self, begin, self->here);
      return NULL;
    }
  node = node_new (self, NS_FILTER_NODE_TEST);
  node->test = test;
  return node;
}

static NsFilterNode *
negate (Parser *self, NsFilterNode *child)
{
  NsFilterNode *node;

  if (child == NULL)
    return NULL;
  node = node_new (self, NS_FILTER_NODE_NOT);
  g_ptr_array_add (node->children, child);
  return node;
}

/* What is said of the ends of a connection, said of a packet, which has a sender and a receiver. */
typedef struct
{
  const char *name;
  const char *in;        /* the field that is meant of a packet that came in */
  const char *out;       /* and of any other */
  gboolean is_direction; /* whether it depends on that; else either field will do */
} PacketEnd;

static const PacketEnd *
find_packet_end (const Parser *self, const char *name)
{
  static const PacketEnd ends[] = {
    { "ip", "src", "dst", FALSE },
    { "addr", "src", "dst", FALSE },
    { "address", "src", "dst", FALSE },
    { "port", "src_port", "dst_port", FALSE },
    { "remote", "src", "dst", TRUE },
    { "local", "dst", "src", TRUE },
    { "local_ip", "dst", "src", TRUE },
    { "rport", "src_port", "dst_port", TRUE },
    { "lport", "dst_port", "src_port", TRUE },
    { "local_port", "dst_port", "src_port", TRUE },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ends) && self->table == NS_TABLE_PACKETS; i++)
    if (g_ascii_strcasecmp (ends[i].name, name) == 0)
      return &ends[i];
  return NULL;
}

/* Only packets that came in, or only the others. */
static NsFilterNode *
limit_to_direction (Parser *self, NsFilterNode *test, gboolean is_in, const char *begin)
{
  NsFilterNode *both = node_new (self, NS_FILTER_NODE_ALL);
  NsFilterNode *direction = make_one_test (self, "direction", NS_FILTER_OP_EQ, "in", TRUE, begin);

  g_ptr_array_add (both->children, is_in ? direction : negate (self, direction));
  g_ptr_array_add (both->children, test);
  return both;
}

static NsFilterNode *
make_test (Parser *self,
           const char *name,
           NsFilterOp op,
           const char *value,
           gboolean is_quoted,
           const char *begin)
{
  const PacketEnd *end = find_packet_end (self, name);
  gboolean is_none = op == NS_FILTER_OP_NE || op == NS_FILTER_OP_UNLIKE;
  NsFilterNode *node;
  NsFilterNode *in;
  NsFilterNode *out;

  if (end == NULL)
    return make_one_test (self, name, op, value, is_quoted, begin);
  in = make_one_test (self, end->in, op, value, is_quoted, begin);
  if (in == NULL)
    return NULL;
  out = make_one_test (self, end->out, op, value, is_quoted, begin);
  if (end->is_direction)
    {
      in = limit_to_direction (self, in, TRUE, begin);
      out = limit_to_direction (self, out, FALSE, begin);
    }
  node = node_new (self, is_none && !end->is_direction ? NS_FILTER_NODE_ALL : NS_FILTER_NODE_ANY);
  g_ptr_array_add (node->children, in);
  g_ptr_array_add (node->children, out);
  return node;
}

/* After `name in`: any of the values in brackets, round or curly. */
static NsFilterNode *
parse_list (Parser *self, const char *name)
{
  g_autoptr (GPtrArray) tests = g_ptr_array_new_with_free_func (ns_filter_node_free);
  const char *open = self->here;
  const char close = *open == '{' ? '}' : ')';
  NsFilterNode *list;

  if (*open != '(' && *open != '{')
    return fail (self, open, open, _ ("“in” wants a list in brackets: in (a, b)"));
  do
    {
      g_autofree char *value = NULL;
      const char *begin;
      gboolean is_quoted;
      NsFilterNode *test;

      self->here++;
      mark (self, NS_FILTER_TOKEN_BRACKET, self->here - 1);
      skip_space (self);
      begin = self->here;
      value = take_value (self, close, &is_quoted);
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
  if (*self->here != close)
    return fail (self, open, self->here, _ ("the closing bracket of the list is missing"));
  self->here++;
  mark (self, NS_FILTER_TOKEN_BRACKET, self->here - 1);
  list = node_new (self, NS_FILTER_NODE_ANY);
  g_ptr_array_unref (list->children);
  list->children = g_steal_pointer (&tests);
  return list;
}

/* The end of the name that begins here; those of payloads may have a prefix. */
static const char *
find_name_end (const Parser *self)
{
  const char *end = self->here;

  if (self->table == NS_TABLE_EVENTS && g_str_has_prefix (end, NS_FILTER_PAYLOAD_PREFIX))
    end += strlen (NS_FILTER_PAYLOAD_PREFIX);
  while (is_name_char (*end))
    end++;
  return end;
}

/* Not a field: what began and ended while something went on that somebody gave a name. */
static NsFilterNode *
parse_range (Parser *self)
{
  const char *begin = self->here;
  g_autofree char *name = NULL;
  gboolean is_quoted;
  NsFilterNode *node;

  skip_space (self);
  name = take_value (self, '\0', &is_quoted);
  if (name == NULL)
    return NULL;
  if (*name == '\0')
    return fail (self, begin, self->here, _ ("the name of a range is missing"));
  node = node_new (self, NS_FILTER_NODE_RANGE);
  node->word = g_steal_pointer (&name);
  ns_query_find_times (self->table, &node->begin, &node->end);
  return node;
}

/* Rows of another table may have what these do not: `call in (connect, send)`. */
static NsFilterNode *
fail_unknown (Parser *self, const char *name, const char *begin, const char *end)
{
  NsTableId table;

  for (table = 0; table < NS_N_TABLES; table++)
    if (table != NS_TABLE_EVENTS && ns_table_find_field (table, name) != NULL)
      {
        /* Translators: the title of a table. */
        g_autofree char *text = g_strdup_printf (
            _ ("only rows of the table “%s” have this field; to look for the text, quote it"),
            _ (ns_table_get_title (table)));

        return fail (self, begin, end, text);
      }
  return fail (self, begin, end, _ ("there is no such field; to look for the text, quote it"));
}

/* What begins with a name that an operator follows; %NULL without an error: it is something else.
 */
static NsFilterNode *
parse_comparison (Parser *self, gboolean *is_comparison)
{
  const char *begin = self->here;
  const char *end = find_name_end (self);
  g_autofree char *name = NULL;
  g_autofree char *value = NULL;
  gboolean is_quoted;
  gboolean is_not = FALSE;
  gboolean is_list;
  gboolean is_word = FALSE;
  guint n_tokens = get_n_tokens (self);
  NsFilterNode *test;
  NsFilterOp op = NS_FILTER_OP_EQ;

  name = g_strndup (begin, (gsize) (end - begin));
  self->here = end;
  mark (self, NS_FILTER_TOKEN_FIELD, begin);
  skip_space (self);
  if (self->here > end && take_keyword (self, "not"))
    is_not = TRUE;
  is_list = self->here > end && take_keyword (self, "in");
  if (self->here > end && !is_list && take_keyword (self, "contains"))
    {
      op = NS_FILTER_OP_HAS;
      is_word = TRUE;
    }
  *is_comparison = end > begin && (is_list || is_word || (!is_not && take_operator (self, &op)));
  if (!*is_comparison)
    {
      self->here = begin;
      forget_tokens (self, n_tokens);
      return NULL;
    }
  if (strcmp (name, "range") == 0 && !is_list && (op == NS_FILTER_OP_HAS || op == NS_FILTER_OP_EQ))
    return is_not ? negate (self, parse_range (self)) : parse_range (self);
  if (get_payload_name (self, name) == NULL && find_packet_end (self, name) == NULL &&
      ns_table_find_field (self->table, name) == NULL)
    return fail_unknown (self, name, begin, end);
  if (is_list)
    return is_not ? negate (self, parse_list (self, name)) : parse_list (self, name);
  if (op != NS_FILTER_OP_HAS)
    skip_space (self);
  begin = self->here;
  value = take_value (self, '\0', &is_quoted);
  if (value == NULL)
    return NULL;
  if (*value == '\0' && !is_quoted)
    return fail (self, end, self->here, _ ("a value is missing"));
  test = make_test (self, name, op, value, is_quoted, begin);
  return is_not ? negate (self, test) : test;
}

static NsFilterNode *
parse_word (Parser *self)
{
  const char *begin = self->here;
  g_autofree char *word = NULL;
  gboolean is_quoted;
  guint n_tokens = get_n_tokens (self);
  const NsField *field;
  NsFilterNode *node;

  word = take_value (self, '\0', &is_quoted);
  if (get_n_tokens (self) > n_tokens)
    g_array_index (self->tokens, NsFilterToken, n_tokens).kind = NS_FILTER_TOKEN_WORD;
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
      node = node_new (self, NS_FILTER_NODE_TEST);
      node->test = ns_filter_test_new_is_true (field);
      return node;
    }
  node = node_new (self, NS_FILTER_NODE_WORD);
  node->look = ns_filter_word_new (self->table, word, !is_quoted && strpbrk (word, "*?") != NULL);
  return node;
}

static NsFilterNode *
parse_group (Parser *self)
{
  const char *open = self->here++;
  NsFilterNode *node;

  mark (self, NS_FILTER_TOKEN_BRACKET, open);
  node = parse_any (self);
  if (node == NULL)
    return NULL;
  skip_space (self);
  if (*self->here != ')')
    {
      ns_filter_node_free (node);
      return fail (self, open, open + 1, _ ("its closing bracket is missing"));
    }
  self->here++;
  mark (self, NS_FILTER_TOKEN_BRACKET, self->here - 1);
  return node;
}

static NsFilterNode *
parse_one_unbounded (Parser *self)
{
  gboolean is_comparison;
  NsFilterNode *node;

  if ((*self->here == '-' || *self->here == '!') && !g_ascii_isspace (self->here[1]))
    {
      self->here++;
      mark (self, NS_FILTER_TOKEN_KEYWORD, self->here - 1);
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
static NsFilterNode *
parse_one (Parser *self)
{
  NsFilterNode *node;

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
  guint n_tokens = get_n_tokens (self);
  gboolean is_or;

  skip_space (self);
  if (*self->here == '\0' || *self->here == ')')
    return FALSE;
  begin = self->here;
  is_or = take_keyword (self, "or");
  self->here = begin;
  forget_tokens (self, n_tokens);
  return !is_or;
}

static NsFilterNode *
parse_all (Parser *self)
{
  NsFilterNode *all = node_new (self, NS_FILTER_NODE_ALL);

  do
    {
      NsFilterNode *one;
      NsFilterSpan part;

      skip_space (self);
      part.begin = (gsize) (self->here - self->text);
      one = parse_one (self);
      if (one == NULL)
        {
          ns_filter_node_free (all);
          return NULL;
        }
      g_ptr_array_add (all->children, one);
      part.end = (gsize) (self->here - self->text);
      if (self->depth == 0 && self->parts != NULL)
        g_array_append_val (self->parts, part);
      skip_space (self);
      if (take_keyword (self, "and"))
        continue;
    }
  while (has_more (self));
  return all;
}

static NsFilterNode *
parse_any (Parser *self)
{
  NsFilterNode *any = node_new (self, NS_FILTER_NODE_ANY);

  do
    {
      NsFilterNode *all = parse_all (self);

      if (self->depth == 0 && any->children->len > 0)
        self->has_or = TRUE;

      if (all == NULL)
        {
          ns_filter_node_free (any);
          return NULL;
        }
      g_ptr_array_add (any->children, all);
      skip_space (self);
    }
  while (take_keyword (self, "or"));
  return any;
}

static NsFilterNode *
parse_text (Parser *self)
{
  const char *text = self->text;
  NsFilterNode *root;

  set_where (self, text, text);
  if (strlen (text) > NS_FILTER_MAX_BYTES || !g_utf8_validate (text, -1, NULL))
    return fail (self, text, text + strlen (text), _ ("the filter is too long, or no text"));
  skip_space (self);
  if (*self->here == '\0')
    return node_new (self, NS_FILTER_NODE_ALL);
  root = parse_any (self);
  if (root != NULL && *self->here != '\0')
    {
      ns_filter_node_free (root);
      return fail (self, self->here, self->here + 1, _ ("this bracket closes nothing"));
    }
  return root;
}

/**
 * ns_filter_node_parse: (skip)
 * @table: the table it is for
 * @text: the filter
 * @where: (out) (optional): where @text is wrong
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: (transfer full) (nullable): the tree
 */
NsFilterNode *
ns_filter_node_parse (NsTableId table, const char *text, NsFilterSpan *where, GError **error)
{
  Parser parser = { table, text, text, 0, 0, where, error, NULL, FALSE, NULL };

  return parse_text (&parser);
}

/**
 * ns_filter_split:
 * @table: the table it is for
 * @text: the filter
 * @where: (out) (optional): where @text is wrong
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Takes a filter apart into conditions that must all hold. What "or" binds together stays
 * together, in brackets.
 *
 * Returns: (transfer full) (nullable) (element-type utf8): the conditions, in their order
 */
GPtrArray *
ns_filter_split (NsTableId table, const char *text, NsFilterSpan *where, GError **error)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (NsFilterSpan));
  Parser parser = { table, text, text, 0, 0, where, error, parts, FALSE, NULL };
  NsFilterNode *root = parse_text (&parser);
  GPtrArray *list;
  guint i;

  if (root == NULL)
    return NULL;
  ns_filter_node_free (root);
  list = g_ptr_array_new_with_free_func (g_free);
  if (parser.has_or)
    {
      g_autofree char *whole = g_strstrip (g_strdup (text));

      g_ptr_array_add (list, g_strdup_printf ("(%s)", whole));
      return list;
    }
  for (i = 0; i < parts->len; i++)
    {
      const NsFilterSpan *part = &g_array_index (parts, NsFilterSpan, i);

      g_ptr_array_add (list, g_strndup (text + part->begin, part->end - part->begin));
    }
  return list;
}

/**
 * ns_filter_list_tokens:
 * @table: the table it is for
 * @text: a filter, maybe one that is being typed
 *
 * Says what the words of a filter are, as far as it makes sense.
 *
 * Returns: (transfer full) (element-type NsFilterToken): its words, in their order
 */
GArray *
ns_filter_list_tokens (NsTableId table, const char *text)
{
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (NsFilterToken));
  Parser parser = { table, text, text, 0, 0, NULL, NULL, NULL, FALSE, tokens };

  ns_filter_node_free (parse_text (&parser));
  return g_steal_pointer (&tokens);
}

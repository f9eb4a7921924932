/* The filter language: parses text to a tree, checked against the table of fields.
 *
 *   any     = all { or all }         or = "or" | "|" | "||"
 *   all     = one { [ and ] one }    and = "and" | "&" | "&&"
 *   one     = ( "not" | "-" | "!" ) one | "(" any ")" | name op value
 *           | name [ "not" ] "in" "(" value { "," value } ")" | word
 *
 * In the table of events, unknown names and names after `fields.` are payload fields. A single word
 * is a boolean field, or a text to search in all fields of the row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-nearest.h"
#include "query/ns-fields.h"
#include "query/ns-filter-parser.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NS_FILTER_MAX_DEPTH 64
#define NS_FILTER_MAX_NODES 2048

static NsFilterNode *parse_any (NsFilterParser *self);
static NsFilterNode *parse_one (NsFilterParser *self);

/* Parses the list of values after `name in`, in round or curly brackets. */
static NsFilterNode *
parse_list (NsFilterParser *self, const char *name)
{
  g_autoptr (GPtrArray) tests = g_ptr_array_new_with_free_func (ns_filter_node_free);
  const char *open = self->here;
  const char close = *open == '{' ? '}' : ')';
  NsFilterNode *list;

  if (*open != '(' && *open != '{')
    return ns_filter_parser_fail (self, open, open, _ ("“in” needs a list in brackets: in (a, b)"));
  do
    {
      g_autofree char *value = NULL;
      const char *begin;
      gboolean is_quoted;
      NsFilterNode *test;

      self->here++;
      ns_filter_parser_mark (self, NS_FILTER_TOKEN_BRACKET, self->here - 1);
      ns_filter_parser_skip_space (self);
      begin = self->here;
      value = ns_filter_parser_take_value (self, close, &is_quoted);
      if (value == NULL)
        return NULL;
      if (*value == '\0' && !is_quoted)
        return ns_filter_parser_fail (self, open, begin, _ ("a value is missing"));
      test = ns_filter_parser_make_test (self, name, NS_FILTER_OP_EQ, value, is_quoted, begin);
      if (test == NULL)
        return NULL;
      g_ptr_array_add (tests, test);
      ns_filter_parser_skip_space (self);
    }
  while (*self->here == ',' && self->n_nodes < NS_FILTER_MAX_NODES);
  if (*self->here != close)
    return ns_filter_parser_fail (self,
                                  open,
                                  self->here,
                                  _ ("the closing bracket of the list is missing"));
  self->here++;
  ns_filter_parser_mark (self, NS_FILTER_TOKEN_BRACKET, self->here - 1);
  list = ns_filter_parser_new_node (self, NS_FILTER_NODE_ANY);
  g_ptr_array_unref (list->children);
  list->children = g_steal_pointer (&tests);
  return list;
}

/* Parses the pseudo field `range`: the row began and ended within a named time range. */
static NsFilterNode *
parse_range (NsFilterParser *self)
{
  const char *begin = self->here;
  g_autofree char *name = NULL;
  gboolean is_quoted;
  NsFilterNode *node;

  ns_filter_parser_skip_space (self);
  name = ns_filter_parser_take_value (self, '\0', &is_quoted);
  if (name == NULL)
    return NULL;
  if (*name == '\0')
    return ns_filter_parser_fail (self, begin, self->here, _ ("the name of a range is missing"));
  node = ns_filter_parser_new_node (self, NS_FILTER_NODE_RANGE);
  node->word = g_steal_pointer (&name);
  ns_table_find_times (self->table, &node->begin, &node->end);
  return node;
}

/* Returns the name that users type: times and durations without the suffix _ns. (transfer full)
 * (nullable) */
static char *
dup_nearest_name (NsTableId table, const char *name)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  NsNearest search;
  guint i;

  ns_nearest_init (&search, name);
  for (i = 0; i < n_fields; i++)
    {
      char *offer = g_strdup (fields[i].id);

      if (g_str_has_suffix (offer, "_ns"))
        offer[strlen (offer) - strlen ("_ns")] = '\0';
      g_ptr_array_add (names, offer);
      ns_nearest_offer (&search, offer);
    }
  return g_strdup (search.best);
}

/* Sets the error for an unknown field; suggests another table that has it: `call in (connect,
 * send)`. */
static NsFilterNode *
fail_unknown (NsFilterParser *self, const char *name, const char *begin, const char *end)
{
  g_autofree char *nearest = NULL;
  g_autofree char *hint = NULL;
  NsTableId table;

  for (table = 0; table < NS_N_TABLES; table++)
    if (table != NS_TABLE_EVENTS && ns_table_find_field (table, name) != NULL)
      {
        /* Translators: the title of a table. */
        g_autofree char *text = g_strdup_printf (
            _ ("only rows of the table “%s” have this field; to look for the text, quote it"),
            _ (ns_table_get_title (table)));

        return ns_filter_parser_fail (self, begin, end, text);
      }
  nearest = dup_nearest_name (self->table, name);
  if (nearest != NULL)
    /* Translators: the name of a field. */
    hint = g_strdup_printf (_ ("there is no such field; did you mean “%s”? To look for the text, "
                               "quote it"),
                            nearest);
  return ns_filter_parser_fail (self,
                                begin,
                                end,
                                hint != NULL
                                    ? hint
                                    : _ ("there is no such field; to look for the text, quote it"));
}

/* Parses a condition that begins with a name and an operator; %NULL without an error: it is
 * something else. */
static NsFilterNode *
parse_comparison (NsFilterParser *self, gboolean *is_comparison)
{
  const char *begin = self->here;
  const char *end = ns_filter_parser_find_name_end (self);
  g_autofree char *name = NULL;
  g_autofree char *value = NULL;
  gboolean is_quoted;
  gboolean is_not = FALSE;
  gboolean is_list;
  gboolean is_word = FALSE;
  guint n_tokens = ns_filter_parser_get_n_tokens (self);
  NsFilterNode *test;
  NsFilterOp op = NS_FILTER_OP_EQ;

  name = g_strndup (begin, (gsize) (end - begin));
  self->here = end;
  ns_filter_parser_mark (self, NS_FILTER_TOKEN_FIELD, begin);
  ns_filter_parser_skip_space (self);
  if (self->here > end && ns_filter_parser_take_keyword (self, "not"))
    is_not = TRUE;
  is_list = self->here > end && ns_filter_parser_take_keyword (self, "in");
  if (self->here > end && !is_list && ns_filter_parser_take_keyword (self, "contains"))
    {
      op = NS_FILTER_OP_HAS;
      is_word = TRUE;
    }
  *is_comparison = end > begin &&
                   (is_list || is_word || (!is_not && ns_filter_parser_take_operator (self, &op)));
  if (!*is_comparison)
    {
      self->here = begin;
      ns_filter_parser_forget_tokens (self, n_tokens);
      return NULL;
    }
  if (strcmp (name, "range") == 0 && !is_list && (op == NS_FILTER_OP_HAS || op == NS_FILTER_OP_EQ))
    return is_not ? ns_filter_parser_negate (self, parse_range (self)) : parse_range (self);
  if (!ns_filter_parser_has_field (self, name))
    return fail_unknown (self, name, begin, end);
  if (is_list)
    return is_not ? ns_filter_parser_negate (self, parse_list (self, name))
                  : parse_list (self, name);
  if (op != NS_FILTER_OP_HAS)
    ns_filter_parser_skip_space (self);
  begin = self->here;
  value = ns_filter_parser_take_value (self, '\0', &is_quoted);
  if (value == NULL)
    return NULL;
  if (*value == '\0' && !is_quoted)
    return ns_filter_parser_fail (self, end, self->here, _ ("a value is missing"));
  test = ns_filter_parser_make_test (self, name, op, value, is_quoted, begin);
  return is_not ? ns_filter_parser_negate (self, test) : test;
}

static NsFilterNode *
parse_word (NsFilterParser *self)
{
  const char *begin = self->here;
  g_autofree char *word = NULL;
  gboolean is_quoted;
  guint n_tokens = ns_filter_parser_get_n_tokens (self);
  const NsField *field;
  NsFilterNode *node;

  word = ns_filter_parser_take_value (self, '\0', &is_quoted);
  if (ns_filter_parser_get_n_tokens (self) > n_tokens)
    g_array_index (self->tokens, NsFilterToken, n_tokens).kind = NS_FILTER_TOKEN_WORD;
  if (word == NULL)
    return NULL;
  if (*word == '\0')
    return ns_filter_parser_fail (self,
                                  begin,
                                  self->here + (*self->here != '\0'),
                                  _ ("the search text is missing"));
  field = is_quoted ? NULL : ns_table_find_field (self->table, word);
  if (field != NULL && field->type == NS_TYPE_BOOL)
    {
      node = ns_filter_parser_new_node (self, NS_FILTER_NODE_TEST);
      node->test = ns_filter_test_new_is_true (field);
      return node;
    }
  node = ns_filter_parser_new_node (self, NS_FILTER_NODE_WORD);
  node->look = ns_filter_word_new (self->table, word, !is_quoted && strpbrk (word, "*?") != NULL);
  return node;
}

static NsFilterNode *
parse_group (NsFilterParser *self)
{
  const char *open = self->here++;
  NsFilterNode *node;

  ns_filter_parser_mark (self, NS_FILTER_TOKEN_BRACKET, open);
  node = parse_any (self);
  if (node == NULL)
    return NULL;
  ns_filter_parser_skip_space (self);
  if (*self->here != ')')
    {
      ns_filter_node_free (node);
      return ns_filter_parser_fail (self, open, open + 1, _ ("its closing bracket is missing"));
    }
  self->here++;
  ns_filter_parser_mark (self, NS_FILTER_TOKEN_BRACKET, self->here - 1);
  return node;
}

static NsFilterNode *
parse_one_unbounded (NsFilterParser *self)
{
  gboolean is_comparison;
  NsFilterNode *node;

  if (*self->here == '!' || (*self->here == '-' && !g_ascii_isspace (self->here[1])))
    {
      self->here++;
      ns_filter_parser_mark (self, NS_FILTER_TOKEN_KEYWORD, self->here - 1);
      return ns_filter_parser_negate (self, parse_one (self));
    }
  if (ns_filter_parser_take_keyword (self, "not"))
    return ns_filter_parser_negate (self, parse_one (self));
  if (*self->here == '(')
    return parse_group (self);
  node = parse_comparison (self, &is_comparison);
  return is_comparison ? node : parse_word (self);
}

/* Parses one condition; limits the nesting of brackets and negations. */
static NsFilterNode *
parse_one (NsFilterParser *self)
{
  NsFilterNode *node;

  ns_filter_parser_skip_space (self);
  if (self->depth >= NS_FILTER_MAX_DEPTH || self->n_nodes >= NS_FILTER_MAX_NODES)
    return ns_filter_parser_fail (self,
                                  self->here,
                                  self->here + strlen (self->here),
                                  _ ("the filter is too long"));
  self->depth++;
  node = parse_one_unbounded (self);
  self->depth--;
  return node;
}

/* Returns whether the input is neither at its end nor at a closing bracket. */
static gboolean
is_at_condition (NsFilterParser *self)
{
  ns_filter_parser_skip_space (self);
  return *self->here != '\0' && *self->here != ')';
}

/* Returns whether another condition follows: no end, closing bracket, or "or". */
static gboolean
has_more (NsFilterParser *self)
{
  guint n_tokens = ns_filter_parser_get_n_tokens (self);
  gboolean is_there = is_at_condition (self);
  const char *begin = self->here;
  gboolean is_or = is_there && ns_filter_parser_take_joint (self, "or");

  self->here = begin;
  ns_filter_parser_forget_tokens (self, n_tokens);
  return is_there && !is_or;
}

/* Returns the end of the operator word or sign that begins there. */
static const char *
find_joint_end (const char *joint)
{
  const char *end = joint;

  while (*end != '\0' && *end != ')' && !g_ascii_isspace (*end))
    end++;
  return end;
}

static NsFilterNode *
parse_all (NsFilterParser *self)
{
  NsFilterNode *all = ns_filter_parser_new_node (self, NS_FILTER_NODE_ALL);

  do
    {
      NsFilterNode *one;
      NsFilterSpan part;
      const char *joint;

      ns_filter_parser_skip_space (self);
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
      ns_filter_parser_skip_space (self);
      joint = self->here;
      if (!ns_filter_parser_take_joint (self, "and") || has_more (self))
        continue;
      ns_filter_node_free (all);
      return ns_filter_parser_fail (self,
                                    joint,
                                    find_joint_end (joint),
                                    _ ("the search text is missing"));
    }
  while (has_more (self));
  return all;
}

static NsFilterNode *
parse_any (NsFilterParser *self)
{
  NsFilterNode *any = ns_filter_parser_new_node (self, NS_FILTER_NODE_ANY);
  const char *joint;

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
      ns_filter_parser_skip_space (self);
      joint = self->here;
      if (!ns_filter_parser_take_joint (self, "or"))
        return any;
    }
  while (is_at_condition (self));
  ns_filter_node_free (any);
  return ns_filter_parser_fail (self,
                                joint,
                                find_joint_end (joint),
                                _ ("the search text is missing"));
}

static NsFilterNode *
parse_text (NsFilterParser *self)
{
  const char *text = self->text;
  NsFilterNode *root;

  ns_filter_parser_set_where (self, text, text);
  if (strlen (text) > NS_FILTER_MAX_BYTES || !g_utf8_validate (text, -1, NULL))
    return ns_filter_parser_fail (self,
                                  text,
                                  text + strlen (text),
                                  _ ("the filter is too long or not valid text"));
  ns_filter_parser_skip_space (self);
  if (*self->here == '\0')
    return ns_filter_parser_new_node (self, NS_FILTER_NODE_ALL);
  root = parse_any (self);
  if (root != NULL && *self->here != '\0')
    {
      ns_filter_node_free (root);
      return ns_filter_parser_fail (self,
                                    self->here,
                                    self->here + 1,
                                    _ ("this closing bracket has no opening bracket"));
    }
  return root;
}

/**
 * ns_filter_node_parse: (skip)
 * @table: the table it is for
 * @text: the filter
 * @where: (out) (optional): position of the error in @text
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: (transfer full) (nullable): the tree
 */
NsFilterNode *
ns_filter_node_parse (NsTableId table, const char *text, NsFilterSpan *where, GError **error)
{
  NsFilterParser parser = { table, text, text, 0, 0, where, error, NULL, FALSE, NULL };

  return parse_text (&parser);
}

/**
 * ns_filter_split:
 * @table: the table it is for
 * @text: the filter
 * @where: (out) (optional): position of the error in @text
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Splits a filter into conditions joined by "and". Conditions joined by "or" stay together, in
 * brackets.
 *
 * Returns: (transfer full) (nullable) (element-type utf8): the conditions, in order
 */
GPtrArray *
ns_filter_split (NsTableId table, const char *text, NsFilterSpan *where, GError **error)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (NsFilterSpan));
  NsFilterParser parser = { table, text, text, 0, 0, where, error, parts, FALSE, NULL };
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
 * @text: a filter, possibly incomplete
 *
 * Classifies the tokens of a filter, up to the first error.
 *
 * Returns: (transfer full) (element-type NsFilterToken): the tokens, in order
 */
GArray *
ns_filter_list_tokens (NsTableId table, const char *text)
{
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (NsFilterToken));
  NsFilterParser parser = { table, text, text, 0, 0, NULL, NULL, NULL, FALSE, tokens };

  ns_filter_node_free (parse_text (&parser));
  return g_steal_pointer (&tokens);
}

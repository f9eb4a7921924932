/* Completion of a filter: fields, operators and values of the trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-fields.h"
#include "query/ns-filter-complete.h"
#include "query/ns-filter-node.h"
#include "query/ns-filter-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Pseudo field whose value is the name of a time range. */
#define RANGE_NAME "range"

/* Returns the end of the text that an offer replaces: the word may continue after the cursor. */
static gsize
find_end (const char *text, gsize begin, gsize at)
{
  if (text[begin] == '"')
    {
      for (; text[at] != '\0' && text[at] != '"'; at++)
        if (text[at] == '\\' && text[at + 1] != '\0')
          at++;
      return text[at] == '"' ? at + 1 : at;
    }
  while (text[at] != '\0' && !g_ascii_isspace (text[at]) &&
         strchr ("(),{}:=<>!~\"", text[at]) == NULL)
    at++;
  return at;
}

/* Returns the typed part of a value, without its opening quote. */
static char *
dup_part (const char *text, gsize begin, gsize end)
{
  GString *part = g_string_new (NULL);
  gsize i;

  for (i = begin + (text[begin] == '"'); i < end; i++)
    {
      if (text[begin] == '"' && text[i] == '\\' && i + 1 < end)
        i++;
      g_string_append_c (part, text[i]);
    }
  return g_string_free (part, FALSE);
}

/* Returns the operator of a token; word operators count as "contains". */
static NsFilterOp
read_operator (const char *text, const NsFilterToken *token)
{
  switch (text[token->begin])
    {
    case '<':
    case '>':
      return NS_FILTER_OP_LT;
    case '~':
      return NS_FILTER_OP_LIKE;
    case '=':
    case '!':
      return token->end - token->begin == 2 && text[token->begin + 1] == '~' ? NS_FILTER_OP_LIKE
                                                                             : NS_FILTER_OP_EQ;
    default:
      return NS_FILTER_OP_HAS;
    }
}

/* Sets the place to a value of the nearest field before it. */
static void
want_value (NsFilterPlace *self, const char *text, const GArray *tokens, guint n_tokens)
{
  NsFilterOp op = NS_FILTER_OP_HAS;
  guint i;

  self->wants = NS_FILTER_WANTS_NOTHING;
  for (i = n_tokens; i > 0; i--)
    {
      const NsFilterToken *token = &g_array_index (tokens, NsFilterToken, i - 1);
      g_autofree char *name = NULL;

      if (token->kind == NS_FILTER_TOKEN_OPERATOR)
        op = read_operator (text, token);
      if (token->kind != NS_FILTER_TOKEN_FIELD)
        continue;
      name = g_strndup (text + token->begin, token->end - token->begin);
      if (strcmp (name, RANGE_NAME) == 0 && (op == NS_FILTER_OP_HAS || op == NS_FILTER_OP_EQ))
        {
          self->wants = NS_FILTER_WANTS_RANGE;
          return;
        }
      self->field = ns_filter_node_find_field (self->table, name, op, self->part);
      if (self->field != NULL && op != NS_FILTER_OP_LIKE)
        self->wants = NS_FILTER_WANTS_VALUE;
      return;
    }
}

static gboolean
is_open_bracket (const char *text, const NsFilterToken *token)
{
  return token->kind == NS_FILTER_TOKEN_BRACKET && strchr ("({,", text[token->begin]) != NULL;
}

/* Returns whether the cursor is in a list of values after "in (". */
static gboolean
is_in_list (const char *text, const GArray *tokens, guint n_tokens)
{
  guint i;

  for (i = n_tokens; i > 0; i--)
    {
      const NsFilterToken *token = &g_array_index (tokens, NsFilterToken, i - 1);

      if (token->kind == NS_FILTER_TOKEN_VALUE || text[token->begin] == ',')
        continue;
      return token->kind == NS_FILTER_TOKEN_BRACKET && is_open_bracket (text, token) && i > 1 &&
             g_array_index (tokens, NsFilterToken, i - 2).kind == NS_FILTER_TOKEN_KEYWORD &&
             g_ascii_tolower (text[g_array_index (tokens, NsFilterToken, i - 2).begin]) == 'i';
    }
  return FALSE;
}

/* Determines the place from the tokens before the cursor. */
static void
look_behind (NsFilterPlace *self, const char *text, const GArray *tokens, guint n_tokens)
{
  const NsFilterToken *last = NULL;
  g_autofree char *name = NULL;

  if (n_tokens == 0)
    return;
  last = &g_array_index (tokens, NsFilterToken, n_tokens - 1);
  if (last->kind == NS_FILTER_TOKEN_OPERATOR || is_in_list (text, tokens, n_tokens))
    {
      want_value (self, text, tokens, n_tokens);
      return;
    }
  if (last->kind == NS_FILTER_TOKEN_KEYWORD && g_ascii_tolower (text[last->begin]) == 'c')
    {
      want_value (self, text, tokens, n_tokens);
      return;
    }
  if (last->kind != NS_FILTER_TOKEN_WORD || *self->part != '\0')
    return;
  name = g_strndup (text + last->begin, last->end - last->begin);
  self->field = ns_table_find_field (self->table, name);
  if (self->field != NULL && self->field->type != NS_TYPE_BOOL)
    self->wants = NS_FILTER_WANTS_OPERATOR;
}

/**
 * ns_filter_place_init:
 * @self: (out caller-allocates): a place
 * @table: the table of the filter
 * @text: the filter, possibly incomplete
 * @n_bytes_before: cursor position in @text, in bytes
 *
 * Determines what may be typed at a position of a filter.
 */
void
ns_filter_place_init (NsFilterPlace *self, NsTableId table, const char *text, gsize n_bytes_before)
{
  gsize at = MIN (n_bytes_before, strlen (text));
  g_autofree char *before = g_strndup (text, at);
  g_autoptr (GArray) tokens = ns_filter_list_tokens (table, before);
  const NsFilterToken *last = NULL;
  guint n_tokens = tokens->len;

  memset (self, 0, sizeof *self);
  self->table = table;
  self->wants = NS_FILTER_WANTS_FIELD;
  self->begin = self->end = at;
  if (n_tokens > 0)
    last = &g_array_index (tokens, NsFilterToken, n_tokens - 1);
  /* The word at the cursor; none if the cursor follows a space or an operator. */
  if (last != NULL && last->end == at &&
      (last->kind == NS_FILTER_TOKEN_VALUE || last->kind == NS_FILTER_TOKEN_WORD))
    {
      self->begin = last->begin;
      n_tokens--;
    }
  self->end = find_end (text, self->begin, at);
  self->part = dup_part (before, self->begin, at);
  if (last != NULL && last->end == at && last->kind == NS_FILTER_TOKEN_VALUE)
    want_value (self, text, tokens, n_tokens);
  else if (n_tokens == tokens->len)
    look_behind (self, text, tokens, n_tokens);
  if (self->wants == NS_FILTER_WANTS_FIELD && text[self->begin] == '"')
    self->wants = NS_FILTER_WANTS_NOTHING;
}

/**
 * ns_filter_place_clear:
 * @self: a place
 */
void
ns_filter_place_clear (NsFilterPlace *self)
{
  g_clear_pointer (&self->part, g_free);
}

static void
offer_free (gpointer data)
{
  NsFilterOffer *offer = data;

  g_free (offer->text);
  g_free (offer->detail);
  g_free (offer);
}

/* Adds an offer. One more than the maximum is kept, which shows that the list is incomplete. */
static void
add_offer (GPtrArray *offers, char *text, const char *detail, guint n_rows)
{
  NsFilterOffer *offer;

  if (offers->len > NS_FILTER_MAX_OFFERS)
    {
      g_free (text);
      return;
    }
  offer = g_new0 (NsFilterOffer, 1);
  offer->text = text;
  offer->detail = g_strdup (detail);
  offer->n_rows = n_rows;
  g_ptr_array_add (offers, offer);
}

/* Returns the name that users type, with the most frequent operator. */
static char *
dup_field_text (const NsField *field)
{
  const char *op = ":";
  gsize length = strlen (field->id);

  if (field->type == NS_TYPE_DURATION || field->type == NS_TYPE_BYTES ||
      field->type == NS_TYPE_TIME)
    op = ">";
  else if (field->type == NS_TYPE_BOOL)
    op = " ";
  if (g_str_has_suffix (field->id, "_ns"))
    length -= strlen ("_ns");
  return g_strdup_printf ("%.*s%s", (int) length, field->id, op);
}

/* Rates how a name matches the typed text: 0 does not match, 1 contains it, 2 begins with it. */
static guint
rate (const char *text, const char *part)
{
  if (g_ascii_strncasecmp (text, part, strlen (part)) == 0)
    return 2;
  return ns_filter_text_contains (text, part);
}

/* Offers a field once. "process" precedes "process_pid", so that a completely typed name is that
 * field. */
static void
add_field (const NsFilterPlace *self, const NsField *field, guint8 *is_there, GPtrArray *offers)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (self->table, &n_fields);
  gsize length = strcspn (field->id, "_");
  guint i;

  for (i = 0; i < n_fields && field->id[length] == '_'; i++)
    if (!is_there[i] && strlen (fields[i].id) == length && length >= strlen (self->part) &&
        strncmp (fields[i].id, field->id, length) == 0 && rate (fields[i].id, self->part) == 2)
      {
        is_there[i] = 1;
        add_offer (offers, dup_field_text (&fields[i]), _ (fields[i].title), 0);
      }
  if (is_there[field - fields])
    return;
  is_there[field - fields] = 1;
  add_offer (offers, dup_field_text (field), _ (field->title), 0);
}

/* Offers the pseudo field for time ranges, if rows have times. */
static void
add_range_name (const NsFilterPlace *self, GPtrArray *offers)
{
  const NsField *begin;
  const NsField *end;

  ns_table_find_times (self->table, &begin, &end);
  if (begin != NULL && end != NULL && rate (RANGE_NAME, self->part) == 2)
    add_offer (offers, g_strdup (RANGE_NAME ":"), _ ("in a marked time range"), 0);
}

static void
add_fields (const NsFilterPlace *self, GPtrArray *offers)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (self->table, &n_fields);
  g_autoptr (GPtrArray) columns = ns_table_list_columns (self->table);
  g_autofree guint8 *is_there = g_new0 (guint8, MAX (n_fields, 1));
  guint wanted;
  guint i;

  /* Names that begin with the text come first, then default columns, then other fields. */
  for (wanted = 2; wanted > 0; wanted--)
    {
      for (i = 0; i < columns->len; i++)
        {
          const NsField *field = g_ptr_array_index (columns, i);

          if (rate (field->id, self->part) == wanted)
            add_field (self, field, is_there, offers);
        }
      for (i = 0; i < n_fields; i++)
        if (rate (fields[i].id, self->part) == wanted)
          add_field (self, &fields[i], is_there, offers);
      if (wanted == 2)
        add_range_name (self, offers);
    }
  for (i = 0; i < n_fields; i++)
    if (rate (_ (fields[i].title), self->part) > 0)
      add_field (self, &fields[i], is_there, offers);
}

static void
add_operators (const NsFilterPlace *self, GPtrArray *offers)
{
  static const struct
  {
    const char *text;
    const char *detail;
    gboolean is_order;
  } operators[] = {
    { ":", N_ ("contains, or equals a number"), FALSE },
    { "=", N_ ("equals"), FALSE },
    { "!=", N_ ("does not equal"), FALSE },
    { ">", N_ ("greater than"), TRUE },
    { ">=", N_ ("greater than or equal to"), TRUE },
    { "<", N_ ("less than"), TRUE },
    { "<=", N_ ("less than or equal to"), TRUE },
    { "~", N_ ("matches a regular expression"), FALSE },
    { "!~", N_ ("does not match a regular expression"), FALSE },
    { "in (", N_ ("is in a list"), FALSE },
    { "not in (", N_ ("is not in a list"), FALSE },
  };
  const NsFieldType type = self->field->type;
  /* The status line is the only text field with numbers. */
  gboolean has_order = type != NS_TYPE_TEXT && type != NS_TYPE_GUID && type != NS_TYPE_IP &&
                       type != NS_TYPE_OBJECT && (type != NS_TYPE_LIST || self->field->of_numbers);
  guint i;

  has_order = has_order || strcmp (self->field->id, "status") == 0;
  for (i = 0; i < G_N_ELEMENTS (operators); i++)
    if (has_order || !operators[i].is_order)
      add_offer (offers, g_strdup (operators[i].text), _ (operators[i].detail), 0);
}

/* Quotes a value for a filter if needed. */
static char *
dup_value_text (const char *value)
{
  g_autoptr (GString) text = g_string_new ("\"");
  const char *p;

  if (*value != '\0' && strpbrk (value, " \t\r\n\"\\(){},*?") == NULL &&
      strstr (value, "..") == NULL && g_ascii_strcasecmp (value, "none") != 0)
    return g_strconcat (value, " ", NULL);
  for (p = value; *p != '\0'; p++)
    {
      if (*p == '"' || *p == '\\')
        g_string_append_c (text, '\\');
      g_string_append_c (text, *p);
    }
  g_string_append (text, "\" ");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Offers units for a number without one. */
static void
add_units (const NsFilterPlace *self, GPtrArray *offers, const char *const *units)
{
  guint i;

  if (*self->part == '\0' || strspn (self->part, "0123456789.") != strlen (self->part))
    return;
  for (i = 0; units[i] != NULL; i++)
    add_offer (offers, g_strconcat (self->part, units[i], " ", NULL), "", 0);
}

/* Offers values in the trace, those that begin with the text first. */
static void
add_seen (const NsFilterPlace *self, const GPtrArray *values, GPtrArray *offers)
{
  guint wanted;
  guint i;

  for (wanted = 2; wanted > 0; wanted--)
    for (i = 0; i < values->len; i++)
      {
        const NsFilterValue *value = g_ptr_array_index (values, i);

        if (rate (value->text, self->part) == wanted)
          add_offer (offers, dup_value_text (value->text), "", value->n_rows);
      }
}

static void
add_values (const NsFilterPlace *self, const GPtrArray *values, GPtrArray *offers)
{
  static const char *const durations[] = { "ms", "s", "us", "m", NULL };
  static const char *const sizes[] = { "kB", "MB", "KiB", "MiB", NULL };

  if (self->field->type == NS_TYPE_BOOL)
    {
      add_offer (offers, g_strdup ("true "), _ ("yes"), 0);
      add_offer (offers, g_strdup ("false "), _ ("no"), 0);
      return;
    }
  if (self->field->type == NS_TYPE_DURATION || self->field->type == NS_TYPE_TIME)
    add_units (self, offers, durations);
  if (self->field->type == NS_TYPE_BYTES)
    add_units (self, offers, sizes);
  if (values != NULL && self->field->type != NS_TYPE_DURATION && self->field->type != NS_TYPE_TIME)
    add_seen (self, values, offers);
}

/**
 * ns_filter_place_list_offers:
 * @self: a place
 * @values: (nullable) (element-type NsFilterValue): values of its field in the trace, most frequent
 *   first; for a range, the result of ns_filter_list_ranges()
 * @is_cut: (out) (optional): whether there are more than %NS_FILTER_MAX_OFFERS offers
 *
 * Returns: (transfer full) (element-type NsFilterOffer): the offers, most likely first
 */
GPtrArray *
ns_filter_place_list_offers (const NsFilterPlace *self, const GPtrArray *values, gboolean *is_cut)
{
  GPtrArray *offers = g_ptr_array_new_with_free_func (offer_free);

  if (self->wants == NS_FILTER_WANTS_FIELD)
    add_fields (self, offers);
  else if (self->wants == NS_FILTER_WANTS_OPERATOR)
    add_operators (self, offers);
  else if (self->wants == NS_FILTER_WANTS_VALUE)
    add_values (self, values, offers);
  else if (self->wants == NS_FILTER_WANTS_RANGE && values != NULL)
    add_seen (self, values, offers);
  if (is_cut != NULL)
    *is_cut = offers->len > NS_FILTER_MAX_OFFERS;
  if (offers->len > NS_FILTER_MAX_OFFERS)
    g_ptr_array_set_size (offers, NS_FILTER_MAX_OFFERS);
  return offers;
}

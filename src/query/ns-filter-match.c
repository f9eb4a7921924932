/* Evaluates a comparison, row by row or on the codes of a packed column.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-get.h"
#include "query/ns-filter-test-private.h"
#include "query/ns-filter-text.h"

#include <string.h>

/* Number of rows that prefetching is ahead; rows are read in sequence. */
#define ROWS_AHEAD 12

/* Converts the range of numbers to a range of codes; code 0 means unknown. */
static void
find_codes (NsFilterTest *self)
{
  const NsColumn *column = self->column;
  guint64 low = MAX (self->low, column->lowest);

  self->low_code = self->match == NS_FILTER_MATCH_NOTHING ? 0 : 1;
  self->high_code = 0;
  if (self->match == NS_FILTER_MATCH_RANGE && self->high >= low)
    {
      self->low_code = low - column->lowest + 1;
      self->high_code = MIN (self->high, NS_COLUMN_UNKNOWN - 1) - column->lowest + 1;
    }
}

/**
 * ns_filter_test_prepare: (skip)
 * @self: a test
 * @trace: the trace to be filtered, until ns_filter_test_forget()
 *
 * From now on, each value with a number is compared only once.
 *
 * Returns: whether two threads may evaluate the test at the same time
 */
gboolean
ns_filter_test_prepare (NsFilterTest *self, const NsTrace *trace)
{
  if (self->payload != NULL)
    ns_filter_payload_prepare (self->payload);
  else if (self->regex != NULL)
    ns_filter_regex_prepare (self->regex);
  if (self->payload != NULL || self->stack != NULL || self->path != NULL)
    return FALSE;
  self->memo = ns_filter_memo_new (trace, self->field);
  if ((self->match == NS_FILTER_MATCH_RANGE || self->match == NS_FILTER_MATCH_NOTHING) &&
      ns_field_get_column_kind (self->field) == NS_COLUMN_KIND_NUMBER)
    self->column = ns_field_get_column (trace, self->field);
  if (self->column != NULL)
    find_codes (self);
  return ns_field_may_share (self->field);
}

/**
 * ns_filter_test_forget: (skip)
 * @self: a test
 *
 * Ends the effect of ns_filter_test_prepare().
 */
void
ns_filter_test_forget (NsFilterTest *self)
{
  g_clear_pointer (&self->memo, ns_filter_memo_free);
  self->column = NULL;
}

/**
 * ns_filter_test_count_given_up: (skip)
 * @self: a test
 *
 * Returns: number of values whose comparison was aborted at the match limit
 */
guint
ns_filter_test_count_given_up (const NsFilterTest *self)
{
  if (self->payload != NULL)
    return ns_filter_payload_count_given_up (self->payload);
  return self->regex != NULL ? ns_filter_regex_count_given_up (self->regex) : 0;
}

static gboolean
is_in_network (const NsFilterTest *self, const NsIp *ip)
{
  guint n_bytes = self->n_bits / 8;
  guint n_rest = self->n_bits % 8;
  NsIp plain = ns_ip_unmapped (ip);

  return plain.family == self->network.family &&
         memcmp (plain.bytes, self->network.bytes, n_bytes) == 0 &&
         (n_rest == 0 ||
          (plain.bytes[n_bytes] ^ self->network.bytes[n_bytes]) >> (8 - n_rest) == 0);
}

static gboolean
is_text_match (const NsFilterTest *self, const char *text)
{
  switch (self->match)
    {
    case NS_FILTER_MATCH_CONTAINS:
      return ns_filter_text_contains (text, self->text);
    case NS_FILTER_MATCH_EQUALS:
      return g_ascii_strcasecmp (text, self->text) == 0;
    case NS_FILTER_MATCH_PATTERN:
      return ns_filter_text_is_like (text, self->text);
    case NS_FILTER_MATCH_REGEX:
      return ns_filter_regex_matches (self->regex, text);
    case NS_FILTER_MATCH_NOTHING:
      return *text == '\0';
    case NS_FILTER_MATCH_RANGE:
    case NS_FILTER_MATCH_NETWORK:
    default:
      return FALSE;
    }
}

/* Compares each text of a list, and the whole list as exports write it. */
static gboolean
is_list_match (const NsFilterTest *self, const NsFieldValue *value)
{
  g_autoptr (GString) whole = NULL;
  guint i;

  if (self->match == NS_FILTER_MATCH_NOTHING)
    return value->list->len == 0;
  for (i = 0; i < value->list->len; i++)
    if (is_text_match (self, g_ptr_array_index (value->list, i)))
      return TRUE;
  if (self->match != NS_FILTER_MATCH_EQUALS)
    return FALSE;
  whole = g_string_new (NULL);
  ns_field_append_raw (self->field, value, whole);
  return is_text_match (self, whole->str);
}

/* Compares each number of a list. */
static gboolean
is_number_of_list (const NsFilterTest *self, const GPtrArray *list)
{
  guint i;

  for (i = 0; i < list->len; i++)
    {
      guint64 number;

      if (g_ascii_string_to_unsigned (g_ptr_array_index (list, i),
                                      10,
                                      self->low,
                                      G_MAXUINT64,
                                      &number,
                                      NULL) &&
          number <= self->high)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_value_match (const NsFilterTest *self, const NsFieldValue *value)
{
  if (value->is_null)
    return self->match == NS_FILTER_MATCH_NOTHING;
  if (self->match == NS_FILTER_MATCH_RANGE && value->type == NS_TYPE_LIST)
    return is_number_of_list (self, value->list);
  if (self->match == NS_FILTER_MATCH_RANGE && value->type == NS_TYPE_TEXT)
    return FALSE;
  if (self->match == NS_FILTER_MATCH_RANGE)
    {
      guint64 number = ns_field_value_to_number (value);

      return number >= self->low && number <= self->high;
    }
  if (self->match == NS_FILTER_MATCH_NETWORK)
    return is_in_network (self, &value->v.ip);
  if (value->type == NS_TYPE_LIST)
    return is_list_match (self, value);
  if (value->type == NS_TYPE_TEXT || value->type == NS_TYPE_GUID || value->type == NS_TYPE_OBJECT)
    return is_text_match (self, value->v.text);
  if (self->match == NS_FILTER_MATCH_NOTHING)
    return FALSE;
  {
    g_autoptr (GString) text = g_string_new (NULL);

    ns_field_append_raw (self->field, value, text);
    return is_text_match (self, text->str);
  }
}

static gboolean
is_frame_match (const char *text, gconstpointer user_data)
{
  return is_text_match (user_data, text);
}

static gboolean
is_stack_match (const NsFilterTest *self, const NsTrace *trace, guint row)
{
  gboolean is_nothing = self->match == NS_FILTER_MATCH_NOTHING;

  return is_nothing != ns_filter_stack_matches (self->stack,
                                                trace,
                                                row,
                                                is_nothing ? NULL : is_frame_match,
                                                self);
}

static gboolean
is_row_match (const NsFilterTest *self, const NsTrace *trace, guint row)
{
  NsFieldValue value;
  gboolean is_match;

  if (self->memo == NULL || !ns_filter_memo_get_value (self->memo, trace, row, &value))
    ns_field_get (trace, self->field, row, &value);
  is_match = is_value_match (self, &value);
  ns_field_value_clear (&value);
  return is_match;
}

static gboolean
is_code_match (const NsFilterTest *self, guint row)
{
  guint64 code = ns_column_get_code (self->column, row);

  return code >= self->low_code && code <= self->high_code;
}

/* Returns the stored result of the comparison, or compares and stores it; it is the same for all
 * rows with the value. */
static gboolean
is_remembered_match (const NsFilterTest *self, const NsTrace *trace, guint row)
{
  NsVerdicts *place = ns_filter_memo_find (self->memo, trace, row);
  guint8 verdict = place != NULL ? ns_verdicts_get (place, 0) : 0;
  gboolean is_match;

  if (verdict != 0)
    return verdict == NS_VERDICT_YES;
  is_match = is_row_match (self, trace, row);
  if (place != NULL)
    ns_verdicts_set (place, 0, is_match ? NS_VERDICT_YES : NS_VERDICT_NO);
  return is_match;
}

/**
 * ns_filter_test_matches: (skip)
 * @self: a test
 * @trace: a trace
 * @row: a row of the field's table, 0-based
 *
 * An unknown value matches only the test for unknown values; a negated test is the inverse.
 *
 * Returns: %TRUE if the row passes
 */
gboolean
ns_filter_test_matches (const NsFilterTest *self, const NsTrace *trace, guint row)
{
  if (self->payload != NULL)
    return ns_filter_payload_matches (self->payload, trace, row);
  if (self->stack != NULL)
    return is_stack_match (self, trace, row) != self->is_negated;
  if (self->path != NULL)
    return ns_filter_path_matches (self->path, trace, row) != self->is_negated;
  if (self->column != NULL)
    return is_code_match (self, row) != self->is_negated;
  if (self->memo == NULL || !ns_filter_memo_has_column (self->memo))
    ns_field_fetch (trace, row + ROWS_AHEAD, self->field);
  if (self->memo != NULL)
    return is_remembered_match (self, trace, row) != self->is_negated;
  return is_row_match (self, trace, row) != self->is_negated;
}

#define SELECT_CODES(Type)                                                                         \
  {                                                                                                \
    const Type *codes = (const Type *) (gconstpointer) self->column->codes;                        \
                                                                                                   \
    for (i = 0; i < n_rows; i++)                                                                   \
      {                                                                                            \
        guint64 above = codes[rows[i]] - self->low_code;                                           \
                                                                                                   \
        rows[n_kept] = rows[i];                                                                    \
        n_kept += (above <= span) != self->is_negated;                                             \
      }                                                                                            \
  }

/* Selects rows without branches, so that the speed does not depend on the data. */
static guint
select_codes (const NsFilterTest *self, guint32 *rows, guint n_rows)
{
  guint64 span = self->high_code - self->low_code;
  guint n_kept = 0;
  guint i;

  if (self->high_code < self->low_code)
    return self->is_negated ? n_rows : 0;
  switch (self->column->width)
    {
    case 1:
      SELECT_CODES (guint8)
      break;
    case 2:
      SELECT_CODES (guint16)
      break;
    case 4:
      SELECT_CODES (guint32)
      break;
    default:
      SELECT_CODES (guint64)
      break;
    }
  return n_kept;
}

/**
 * ns_filter_test_select: (skip)
 * @self: a prepared test
 * @trace: a trace
 * @rows: (array length=n_rows): rows of the field's table, 0-based; matching ones are kept in order
 * @n_rows: number of rows
 *
 * Like ns_filter_test_matches() for each row.
 *
 * Returns: number of rows kept
 */
guint
ns_filter_test_select (const NsFilterTest *self, const NsTrace *trace, guint32 *rows, guint n_rows)
{
  guint n_kept = 0;
  guint i;

  if (self->column != NULL)
    return select_codes (self, rows, n_rows);
  for (i = 0; i < n_rows; i++)
    if (ns_filter_test_matches (self, trace, rows[i]))
      rows[n_kept++] = rows[i];
  return n_kept;
}

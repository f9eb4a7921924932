/* Compares a payload field in a filter; its type depends on the event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-payload.h"

#include "engine/open/ns-event-read.h"
#include "query/ns-filter-regex.h"
#include "query/ns-filter-text.h"
#include "schema/ns-payload.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A 64-bit integer, signed or unsigned. */
typedef struct
{
  gboolean is_negative;
  guint64 size;
} Number;

struct _NsFilterPayload
{
  char *name;
  NsFilterOp op;
  gboolean is_negated;
  gboolean wants_none; /* matches only events without the field */
  gboolean wants_any;
  gboolean is_pattern; /* wildcard text with * and ? */
  char *text;
  gboolean has_low;
  gboolean has_high;
  Number low;
  Number high;
  gboolean has_network;
  NsIp network;
  guint n_bits;
  NsFilterRegex *regex;
};

static gboolean
parse_number (const char *text, gsize n_bytes, Number *number)
{
  g_autofree char *copy = g_strndup (text, n_bytes);
  const char *begin = copy + (*copy == '-');
  gboolean is_hex = begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X');

  number->is_negative = *copy == '-';
  if (is_hex)
    begin += 2;
  return g_ascii_isxdigit (*begin) &&
         g_ascii_string_to_unsigned (begin, is_hex ? 16 : 10, 0, G_MAXUINT64, &number->size, NULL);
}

static int
compare_numbers (const Number *a, const Number *b)
{
  if (a->is_negative != b->is_negative)
    return a->is_negative ? -1 : 1;
  if (a->size == b->size)
    return 0;
  return (a->size < b->size) != a->is_negative ? -1 : 1;
}

static void
parse_network (NsFilterPayload *self)
{
  const char *slash = strchr (self->text, '/');
  g_autofree char *address = NULL;
  guint64 n_bits;

  if (slash == NULL)
    return;
  address = g_strndup (self->text, (gsize) (slash - self->text));
  self->has_network = ns_ip_from_text (&self->network, address) &&
                      g_ascii_string_to_unsigned (slash + 1,
                                                  10,
                                                  0,
                                                  self->network.family == NS_AF_INET ? 32 : 128,
                                                  &n_bits,
                                                  NULL);
  self->n_bits = self->has_network ? (guint) n_bits : 0;
}

static gboolean
parse_range (NsFilterPayload *self, const char *dots)
{
  gsize n_low = (gsize) (dots - self->text);

  self->has_low = n_low > 0;
  self->has_high = dots[2] != '\0';
  return (self->has_low || self->has_high) &&
         (!self->has_low || parse_number (self->text, n_low, &self->low)) &&
         (!self->has_high || parse_number (dots + 2, strlen (dots + 2), &self->high));
}

static gboolean
parse_value (NsFilterPayload *self, gboolean is_quoted, GError **error)
{
  const char *dots = strstr (self->text, "..");
  Number number;

  if (self->op >= NS_FILTER_OP_LT && self->op <= NS_FILTER_OP_GE)
    {
      if (!parse_number (self->text, strlen (self->text), &number))
        {
          g_set_error (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_QUERY,
                       _ ("“%s”: a plain number such as 10 or 0x0a is needed; fields of events are "
                          "compared without units"),
                       self->text);
          return FALSE;
        }
      self->low = self->high = number;
      return TRUE;
    }
  if (is_quoted)
    return TRUE;
  self->wants_none = g_ascii_strcasecmp (self->text, "none") == 0;
  self->wants_any = strcmp (self->text, "*") == 0;
  self->is_pattern = strpbrk (self->text, "*?") != NULL;
  if (dots != NULL && parse_range (self, dots))
    return TRUE;
  self->has_low = self->has_high = parse_number (self->text, strlen (self->text), &self->low);
  self->high = self->low;
  parse_network (self);
  return TRUE;
}

/**
 * ns_filter_payload_new: (skip)
 * @name: name of a payload field, in any case
 * @op: the operator
 * @value: the value
 * @is_quoted: @value is a text only
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: (transfer full) (nullable): the comparison
 */
NsFilterPayload *
ns_filter_payload_new (const char *name,
                       NsFilterOp op,
                       const char *value,
                       gboolean is_quoted,
                       GError **error)
{
  NsFilterPayload *self = g_new0 (NsFilterPayload, 1);
  gboolean is_regex = op == NS_FILTER_OP_LIKE || op == NS_FILTER_OP_UNLIKE;

  self->name = g_strdup (name);
  self->op = op;
  self->is_negated = op == NS_FILTER_OP_NE || op == NS_FILTER_OP_UNLIKE;
  self->text = g_strdup (value);
  if (is_regex)
    self->regex = ns_filter_regex_new (value, error);
  if (is_regex ? self->regex == NULL : !parse_value (self, is_quoted, error))
    {
      if (is_regex && error != NULL && *error != NULL)
        {
          (*error)->domain = NS_TRACE_ERROR;
          (*error)->code = NS_TRACE_ERROR_QUERY;
        }
      g_clear_pointer (&self, ns_filter_payload_free);
    }
  return self;
}

/**
 * ns_filter_payload_free: (skip)
 * @self: (transfer full) (nullable): a comparison
 */
void
ns_filter_payload_free (NsFilterPayload *self)
{
  if (self == NULL)
    return;
  ns_filter_regex_free (self->regex);
  g_free (self->name);
  g_free (self->text);
  g_free (self);
}

static gboolean
is_number_match (const NsFilterPayload *self, const Number *number)
{
  switch (self->op)
    {
    case NS_FILTER_OP_LT:
      return compare_numbers (number, &self->high) < 0;
    case NS_FILTER_OP_LE:
      return compare_numbers (number, &self->high) <= 0;
    case NS_FILTER_OP_GT:
      return compare_numbers (number, &self->low) > 0;
    case NS_FILTER_OP_GE:
      return compare_numbers (number, &self->low) >= 0;
    case NS_FILTER_OP_HAS:
    case NS_FILTER_OP_EQ:
    case NS_FILTER_OP_NE:
    case NS_FILTER_OP_LIKE:
    case NS_FILTER_OP_UNLIKE:
    default:
      return (self->has_low || self->has_high) &&
             (!self->has_low || compare_numbers (number, &self->low) >= 0) &&
             (!self->has_high || compare_numbers (number, &self->high) <= 0);
    }
}

static gboolean
is_in_network (const NsFilterPayload *self, const char *text)
{
  NsEndpoint end = { 0 };
  guint n_bytes = self->n_bits / 8;
  guint n_rest = self->n_bits % 8;
  const NsIp *ip = &end.ip;

  if (!ns_ip_from_text (&end.ip, text) && !ns_endpoint_from_text (&end, text))
    return FALSE;
  return ip->family == self->network.family &&
         memcmp (ip->bytes, self->network.bytes, n_bytes) == 0 &&
         (n_rest == 0 || (ip->bytes[n_bytes] ^ self->network.bytes[n_bytes]) >> (8 - n_rest) == 0);
}

static gboolean
is_text_match (const NsFilterPayload *self, const char *text)
{
  if (self->regex != NULL)
    return ns_filter_regex_matches (self->regex, text);
  if (self->op >= NS_FILTER_OP_LT && self->op <= NS_FILTER_OP_GE)
    return FALSE;
  if (self->has_network && is_in_network (self, text))
    return TRUE;
  if (self->is_pattern)
    return ns_filter_text_is_like (text, self->text);
  return self->op == NS_FILTER_OP_HAS ? ns_filter_text_contains (text, self->text)
                                      : g_ascii_strcasecmp (text, self->text) == 0;
}

typedef struct
{
  const NsFilterPayload *test;
  const NsSecrets *secrets;
  GString *text;
  gboolean has_field;
  gboolean is_match;
} Look;

static gboolean
look_cb (const NsPayloadItem *item, gpointer user_data)
{
  Look *self = user_data;
  guint64 value;

  if (item->kind != NS_ITEM_VALUE || item->field == NULL ||
      g_ascii_strcasecmp (item->field->name, self->test->name) != 0)
    return TRUE;
  self->has_field = TRUE;
  /* Compare values that are displayed as numbers as numbers; bytes displayed as text may also be
   * a number. */
  if (self->test->regex == NULL && ns_value_get_uint (item, &value))
    {
      gboolean is_negative = ns_value_is_signed (item) && (gint64) value < 0;
      Number number = { is_negative, is_negative ? 0 - value : value };

      self->is_match = is_number_match (self->test, &number);
      /* "contains" with a number compares the whole number, not part of its digits. */
      if (!self->is_match && self->test->op == NS_FILTER_OP_HAS && self->test->has_low)
        return TRUE;
    }
  if (!self->is_match)
    {
      g_string_truncate (self->text, 0);
      ns_value_append_text (item, self->secrets, self->text);
      self->is_match = is_text_match (self->test, self->text->str);
    }
  return !self->is_match;
}

/**
 * ns_filter_payload_prepare: (skip)
 * @self: a comparison
 *
 * Resets the count of aborted comparisons.
 */
void
ns_filter_payload_prepare (NsFilterPayload *self)
{
  if (self->regex != NULL)
    ns_filter_regex_prepare (self->regex);
}

/**
 * ns_filter_payload_count_given_up: (skip)
 * @self: a comparison
 *
 * Returns: number of values whose comparison was aborted at the match limit
 */
guint
ns_filter_payload_count_given_up (const NsFilterPayload *self)
{
  return self->regex != NULL ? ns_filter_regex_count_given_up (self->regex) : 0;
}

/**
 * ns_filter_payload_matches: (skip)
 * @self: a comparison
 * @trace: a trace
 * @row: row of the table of events, 0-based
 *
 * An event without the field matches only the test for that. An array matches if any element does.
 *
 * Returns: %TRUE if the event matches
 */
gboolean
ns_filter_payload_matches (const NsFilterPayload *self, const NsTrace *trace, guint row)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Look look = { self, trace->secrets, text, FALSE, FALSE };
  NsEvent event;

  if (ns_event_read (trace, row, &event))
    ns_payload_walk (event.schema, event.record, look_cb, &look);
  if (self->wants_none && !look.has_field)
    look.is_match = TRUE;
  if (self->wants_any)
    look.is_match = look.has_field;
  return look.is_match != self->is_negated;
}

/* Builds a comparison of a filter from field, operator and value.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-get.h"
#include "query/ns-filter-number.h"
#include "query/ns-filter-test-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static gboolean
fail (GError **error, const char *message, const char *text)
{
  g_set_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY, "“%s”: %s", text, message);
  return FALSE;
}

/* Parses `low..high`; either end may be omitted. */
static gboolean
parse_range (NsFilterTest *self, const char *name, const char *value, GError **error)
{
  const char *dots = strstr (value, "..");
  gsize n_first = (gsize) (dots - value);

  self->low = 0;
  self->high = G_MAXUINT64;
  if (n_first > 0 && !ns_filter_number_parse (self->field, name, value, n_first, &self->low, error))
    return FALSE;
  if (dots[2] != '\0' &&
      !ns_filter_number_parse (self->field, name, dots + 2, strlen (dots + 2), &self->high, error))
    return FALSE;
  /* Reject an empty range as a mistake. */
  return self->low <= self->high || fail (error, _ ("the range ends before it starts"), value);
}

static gboolean
parse_number (NsFilterTest *self,
              const char *name,
              NsFilterOp op,
              const char *value,
              GError **error)
{
  gboolean is_order = op == NS_FILTER_OP_LT || op == NS_FILTER_OP_LE || op == NS_FILTER_OP_GT ||
                      op == NS_FILTER_OP_GE;
  guint64 number;

  self->match = NS_FILTER_MATCH_RANGE;
  if (!is_order && strstr (value, "..") != NULL)
    return parse_range (self, name, value, error);
  if (!ns_filter_number_parse (self->field, name, value, strlen (value), &number, error))
    return FALSE;
  self->low = number;
  self->high = number;
  if (op == NS_FILTER_OP_LT || op == NS_FILTER_OP_LE)
    self->low = 0;
  if (op == NS_FILTER_OP_GT || op == NS_FILTER_OP_GE)
    self->high = G_MAXUINT64;
  /* A comparison below the minimum or above the maximum is an empty range. */
  if ((op == NS_FILTER_OP_LT && number == 0) || (op == NS_FILTER_OP_GT && number == G_MAXUINT64))
    {
      self->low = 1;
      self->high = 0;
    }
  else if (op == NS_FILTER_OP_LT)
    self->high = number - 1;
  else if (op == NS_FILTER_OP_GT)
    self->low = number + 1;
  return TRUE;
}

/* Returns whether the value is compared with each number of the list; patterns and whole lists
 * are compared as text, as exports write it. */
static gboolean
is_list_of_numbers (const NsField *field, const char *value, gboolean is_quoted)
{
  return field->type == NS_TYPE_LIST && field->of_numbers && !is_quoted && *value != '\0' &&
         strpbrk (value, ";*?") == NULL;
}

static gboolean
parse_bool (NsFilterTest *self, const char *value, GError **error)
{
  static const char *const yes[] = { "true", "yes", "1", "on" };
  static const char *const no[] = { "false", "no", "0", "off" };
  guint i;

  self->match = NS_FILTER_MATCH_RANGE;
  for (i = 0; i < G_N_ELEMENTS (yes); i++)
    if (g_ascii_strcasecmp (value, yes[i]) == 0 || g_ascii_strcasecmp (value, no[i]) == 0)
      {
        self->low = self->high = g_ascii_strcasecmp (value, yes[i]) == 0;
        return TRUE;
      }
  return fail (error, _ ("neither yes nor no"), value);
}

/* Converts `::ffff:1.2.3.4` to the host 1.2.3.4. */
static void
unmap_network (NsFilterTest *self)
{
  const guint n_prefix = 96;
  NsIp plain = ns_ip_unmapped (&self->network);

  if (plain.family == self->network.family || self->n_bits < n_prefix)
    return;
  self->network = plain;
  self->n_bits -= n_prefix;
}

static gboolean
parse_ip (NsFilterTest *self, const char *value, GError **error)
{
  const char *slash = strchr (value, '/');
  g_autofree char *address =
      slash == NULL ? g_strdup (value) : g_strndup (value, (gsize) (slash - value));
  guint n_bits;

  if (slash == NULL && strpbrk (value, "*?") != NULL)
    {
      self->match = NS_FILTER_MATCH_PATTERN;
      self->text = g_strdup (value);
      return TRUE;
    }
  self->match = NS_FILTER_MATCH_NETWORK;
  if (!ns_ip_from_text (&self->network, address))
    return fail (error, _ ("not an address"), value);
  n_bits = self->network.family == NS_AF_INET ? 32 : 128;
  self->n_bits = n_bits;
  if (slash != NULL)
    {
      guint64 bits;

      if (!g_ascii_string_to_unsigned (slash + 1, 10, 0, n_bits, &bits, NULL))
        return fail (error, _ ("not a network: the prefix length is invalid"), value);
      self->n_bits = (guint) bits;
    }
  unmap_network (self);
  return TRUE;
}

static gboolean
parse_text (NsFilterTest *self,
            NsFilterOp op,
            const char *value,
            gboolean is_quoted,
            GError **error)
{
  self->text = g_strdup (value);
  if (*value == '\0')
    self->match = NS_FILTER_MATCH_NOTHING;
  else if (!is_quoted && strpbrk (value, "*?") != NULL)
    self->match = NS_FILTER_MATCH_PATTERN;
  else if (op == NS_FILTER_OP_HAS)
    self->match = NS_FILTER_MATCH_CONTAINS;
  else
    self->match = NS_FILTER_MATCH_EQUALS;
  return TRUE;
}

/* Accepts a GUID with or without braces. */
static gboolean
parse_guid (NsFilterTest *self,
            NsFilterOp op,
            const char *value,
            gboolean is_quoted,
            GError **error)
{
  char text[NS_GUID_TEXT_SIZE];
  NsGuid guid;

  if (!ns_guid_from_text (&guid, value))
    return parse_text (self, op, value, is_quoted, error);
  return parse_text (self, op, ns_guid_to_text (&guid, text), is_quoted, error);
}

static gboolean
parse_regex (NsFilterTest *self, const char *value, GError **error)
{
  g_autoptr (GError) wrong = NULL;

  self->match = NS_FILTER_MATCH_REGEX;
  self->regex = ns_filter_regex_new (value, &wrong);
  if (self->regex == NULL)
    return fail (error, wrong->message, value);
  return TRUE;
}

static gboolean
parse_value (NsFilterTest *self,
             const char *name,
             NsFilterOp op,
             const char *value,
             gboolean is_quoted,
             GError **error)
{
  NsFieldType type = self->field->type;
  gboolean is_order = op >= NS_FILTER_OP_LT && op <= NS_FILTER_OP_GE;

  self->is_negated = op == NS_FILTER_OP_NE || op == NS_FILTER_OP_UNLIKE;
  if (op == NS_FILTER_OP_LIKE || op == NS_FILTER_OP_UNLIKE)
    return parse_regex (self, value, error);
  if (g_ascii_strcasecmp (value, "none") == 0 && !is_quoted && !is_order)
    {
      self->match = NS_FILTER_MATCH_NOTHING;
      return TRUE;
    }
  if (strcmp (value, "*") == 0 && !is_quoted && !is_order)
    {
      self->match = NS_FILTER_MATCH_NOTHING;
      self->is_negated = !self->is_negated;
      return TRUE;
    }
  if (ns_field_type_is_number (type) || is_list_of_numbers (self->field, value, is_quoted))
    return parse_number (self, name, op, value, error);
  if (is_order)
    return fail (error, _ ("it has no order: use :, =, != or ~"), name);
  if (type == NS_TYPE_BOOL)
    return parse_bool (self, value, error);
  if (type == NS_TYPE_IP && *value != '\0')
    return parse_ip (self, value, error);
  if (type == NS_TYPE_GUID)
    return parse_guid (self, op, value, is_quoted, error);
  return parse_text (self, op, value, is_quoted, error);
}

/**
 * ns_filter_test_new: (skip)
 * @field: the field
 * @name: its name in the filter
 * @op: the operator
 * @value: the value
 * @is_quoted: `*` and `?` in @value are literal
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: (transfer full) (nullable): the test
 */
NsFilterTest *
ns_filter_test_new (const NsField *field,
                    const char *name,
                    NsFilterOp op,
                    const char *value,
                    gboolean is_quoted,
                    GError **error)
{
  NsFilterTest *self = g_new0 (NsFilterTest, 1);

  self->field = field;
  if (field->get == ns_get_full_stack)
    self->stack = ns_filter_stack_new ();
  if (!parse_value (self, name, op, value, is_quoted, error))
    g_clear_pointer (&self, ns_filter_test_free);
  else if (field->get == ns_get_stack_path && self->match == NS_FILTER_MATCH_EQUALS)
    self->path = ns_filter_path_new (self->text);
  return self;
}

/**
 * ns_filter_test_new_is_true: (skip)
 * @field: a boolean field
 *
 * Returns: (transfer full): a test for "true"
 */
NsFilterTest *
ns_filter_test_new_is_true (const NsField *field)
{
  NsFilterTest *self = g_new0 (NsFilterTest, 1);

  self->field = field;
  self->match = NS_FILTER_MATCH_RANGE;
  self->low = self->high = 1;
  return self;
}

/**
 * ns_filter_test_new_payload: (skip)
 * @name: name of a payload field
 * @op: the operator
 * @value: the value
 * @is_quoted: @value is a text only
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: (transfer full) (nullable): the test, for the table of events
 */
NsFilterTest *
ns_filter_test_new_payload (const char *name,
                            NsFilterOp op,
                            const char *value,
                            gboolean is_quoted,
                            GError **error)
{
  NsFilterPayload *payload = ns_filter_payload_new (name, op, value, is_quoted, error);
  NsFilterTest *self;

  if (payload == NULL)
    return NULL;
  self = g_new0 (NsFilterTest, 1);
  self->payload = payload;
  return self;
}

/**
 * ns_filter_test_reads_field: (skip)
 * @self: a test
 * @field: a field
 *
 * Returns: %TRUE if it compares this field
 */
gboolean
ns_filter_test_reads_field (const NsFilterTest *self, const NsField *field)
{
  return self->field == field;
}

/**
 * ns_filter_test_reads_tables: (skip)
 * @self: a test of the table of events
 *
 * Returns: %TRUE if the record alone is not enough to evaluate it
 */
gboolean
ns_filter_test_reads_tables (const NsFilterTest *self)
{
  static const char *const ids[] = { "process", "process_pid", "stack_depth", NULL };

  return self->field != NULL && g_strv_contains (ids, self->field->id);
}

/**
 * ns_filter_test_free: (skip)
 * @self: (transfer full) (nullable): a test
 */
void
ns_filter_test_free (NsFilterTest *self)
{
  if (self == NULL)
    return;
  ns_filter_test_forget (self);
  ns_filter_regex_free (self->regex);
  ns_filter_stack_free (self->stack);
  ns_filter_path_free (self->path);
  ns_filter_payload_free (self->payload);
  g_free (self->text);
  g_free (self);
}

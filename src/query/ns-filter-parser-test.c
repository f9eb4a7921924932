/* Finds the fields that a name in a filter condition refers to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-parser.h"
#include "query/ns-filter-payload.h"

#include <string.h>

NsFilterNode *
ns_filter_parser_new_node (NsFilterParser *self, NsFilterNodeKind kind)
{
  NsFilterNode *node = g_new0 (NsFilterNode, 1);

  node->kind = kind;
  self->n_nodes++;
  if (kind <= NS_FILTER_NODE_NOT)
    node->children = g_ptr_array_new_with_free_func (ns_filter_node_free);
  return node;
}

/* For the table of events: returns the name of a payload field; %NULL: it is a field of the
 * header. */
static const char *
get_payload_name (const NsFilterParser *self, const char *name)
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
 * @name: name of a field in the filter
 * @op: the operator
 * @value: the value
 *
 * The value matters, as a status code and a status line are in different fields.
 *
 * Returns: (nullable): the field
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
make_one_test (NsFilterParser *self,
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
      ns_filter_parser_set_where (self, begin, self->here);
      return NULL;
    }
  node = ns_filter_parser_new_node (self, NS_FILTER_NODE_TEST);
  node->test = test;
  return node;
}

NsFilterNode *
ns_filter_parser_negate (NsFilterParser *self, NsFilterNode *child)
{
  NsFilterNode *node;

  if (child == NULL)
    return NULL;
  node = ns_filter_parser_new_node (self, NS_FILTER_NODE_NOT);
  g_ptr_array_add (node->children, child);
  return node;
}

/* Names of a connection's endpoints, mapped to sender and receiver of a packet. */
typedef struct
{
  const char *name;
  const char *in;        /* field for an inbound packet */
  const char *out;       /* field for any other packet */
  gboolean is_direction; /* whether the direction matters; else either field may match */
} PacketEnd;

static const PacketEnd *
find_packet_end (const NsFilterParser *self, const char *name)
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

/* Returns whether the table has a field with this name; names that map to two fields, and
 * payload fields, count. */
gboolean
ns_filter_parser_has_field (const NsFilterParser *self, const char *name)
{
  return get_payload_name (self, name) != NULL || find_packet_end (self, name) != NULL ||
         ns_table_find_field (self->table, name) != NULL;
}

/* Restricts a condition to inbound packets, or to the others. */
static NsFilterNode *
limit_to_direction (NsFilterParser *self, NsFilterNode *test, gboolean is_in, const char *begin)
{
  NsFilterNode *both = ns_filter_parser_new_node (self, NS_FILTER_NODE_ALL);
  NsFilterNode *direction = make_one_test (self, "direction", NS_FILTER_OP_EQ, "in", TRUE, begin);

  g_ptr_array_add (both->children, is_in ? direction : ns_filter_parser_negate (self, direction));
  g_ptr_array_add (both->children, test);
  return both;
}

/* Returns whether a test compares a provider with a name or a part of one: `provider:winhttp`. */
static gboolean
is_provider_name (const NsFilterParser *self, const char *name, NsFilterOp op, const char *value)
{
  const NsField *field =
      self->table == NS_TABLE_EVENTS ? ns_table_find_field (self->table, name) : NULL;
  NsGuid guid;

  return field != NULL && strcmp (field->id, "provider") == 0 &&
         !(op >= NS_FILTER_OP_LT && op <= NS_FILTER_OP_GE) && *value != '\0' &&
         strcmp (value, "*") != 0 && g_ascii_strcasecmp (value, "none") != 0 &&
         !ns_guid_from_text (&guid, value);
}

/* Tests GUID and name: `provider:afd` may be part of either. */
static NsFilterNode *
make_provider_test (NsFilterParser *self,
                    NsFilterOp op,
                    const char *value,
                    gboolean is_quoted,
                    const char *begin)
{
  static const char *const names[] = { "provider", "provider_name" };
  gboolean is_none = op == NS_FILTER_OP_NE || op == NS_FILTER_OP_UNLIKE;
  NsFilterNode *node =
      ns_filter_parser_new_node (self, is_none ? NS_FILTER_NODE_ALL : NS_FILTER_NODE_ANY);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      NsFilterNode *test = make_one_test (self, names[i], op, value, is_quoted, begin);

      if (test == NULL)
        {
          ns_filter_node_free (node);
          return NULL;
        }
      g_ptr_array_add (node->children, test);
    }
  return node;
}

/* Builds the node of a condition; for packets it may test several fields. */
NsFilterNode *
ns_filter_parser_make_test (NsFilterParser *self,
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

  if (is_provider_name (self, name, op, value))
    return make_provider_test (self, op, value, is_quoted, begin);
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
  node = ns_filter_parser_new_node (self,
                                    is_none && !end->is_direction ? NS_FILTER_NODE_ALL
                                                                  : NS_FILTER_NODE_ANY);
  g_ptr_array_add (node->children, in);
  g_ptr_array_add (node->children, out);
  return node;
}

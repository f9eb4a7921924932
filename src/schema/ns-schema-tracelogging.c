/* Parses self-describing events: the metadata of TraceLoggingProvider.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-tracelogging.h"

#include <string.h>

enum
{
  TL_IN_MASK = 0x1f,
  TL_IN_BINARY = 14,
  TL_IN_STRUCT = 24,
  TL_IN_COUNTEDBINARY = 25,
  TL_MODE_MASK = 0x60,
  TL_MODE_CONSTANT_COUNT = 0x20,
  TL_MODE_VARIABLE_COUNT = 0x40,
  TL_MODE_CUSTOM = 0x60,
  TL_CHAIN = 0x80,
};

/* A field in the order of the description, in which the members of a struct follow it. */
typedef struct
{
  NsSchemaField field;
  guint n_members;
} Described;

static const guint8 out_types[] = {
  [0] = NS_OUT_NULL,          [1] = NS_OUT_NULL,           [2] = NS_OUT_STRING,
  [3] = NS_OUT_BOOLEAN,       [4] = NS_OUT_HEXBINARY,      [5] = NS_OUT_PID,
  [6] = NS_OUT_TID,           [7] = NS_OUT_PORT,           [8] = NS_OUT_IPV4,
  [9] = NS_OUT_IPV6,          [10] = NS_OUT_SOCKETADDRESS, [11] = NS_OUT_XML,
  [12] = NS_OUT_JSON,         [13] = NS_OUT_WIN32ERROR,    [14] = NS_OUT_NTSTATUS,
  [15] = NS_OUT_HRESULT,      [16] = NS_OUT_DATETIME,      [17] = NS_OUT_LONG,
  [18] = NS_OUT_UNSIGNEDLONG, [35] = NS_OUT_UTF8,          [36] = NS_OUT_PKCS7,
  [37] = NS_OUT_CODE_POINTER, [38] = NS_OUT_DATETIME_UTC,
};

static const char *
read_name (NsSchemaPool *pool, NsCursor *cursor)
{
  gsize n_bytes;
  const char *text = ns_cursor_astr (cursor, &n_bytes);
  const char *name = text != NULL ? ns_schema_pool_utf8 (pool, text, n_bytes) : NULL;

  return name != NULL ? name : "";
}

/* Skips a tag: bytes with the top bit set, and one without. */
static void
skip_tag (NsCursor *cursor)
{
  while ((ns_cursor_u8 (cursor) & TL_CHAIN) != 0 && ns_cursor_ok (cursor))
    ;
}

/* Reads a field; FALSE: it cannot be decoded, but the fields before it can be. */
static gboolean
read_field (NsSchemaPool *pool, NsCursor *cursor, Described *out)
{
  NsSchemaField *field = &out->field;
  guint8 in;
  guint8 type;
  guint8 out_byte = 0;

  memset (out, 0, sizeof *out);
  field->name = read_name (pool, cursor);
  field->count = 1;
  in = ns_cursor_u8 (cursor);
  if (in & TL_CHAIN)
    {
      out_byte = ns_cursor_u8 (cursor);
      if (out_byte & TL_CHAIN)
        skip_tag (cursor);
      out_byte &= 0x7f;
    }

  type = in & TL_IN_MASK;
  if (type == TL_IN_STRUCT)
    {
      field->flags |= NS_FIELD_STRUCT;
      out->n_members = out_byte;
    }
  else
    {
      field->in_type = type == TL_IN_BINARY ? NS_IN_COUNTEDBINARY : type;
      field->out_type = out_byte < G_N_ELEMENTS (out_types) ? out_types[out_byte] : NS_OUT_NULL;
    }

  switch (in & TL_MODE_MASK)
    {
    case TL_MODE_CONSTANT_COUNT:
      field->count = ns_cursor_u16 (cursor);
      field->flags |= NS_FIELD_FIXED_COUNT;
      break;
    case TL_MODE_VARIABLE_COUNT:
      field->flags |= NS_FIELD_COUNT_PREFIX;
      break;
    case TL_MODE_CUSTOM:
      return FALSE;
    default:
      break;
    }
  return ns_cursor_ok (cursor) && type <= TL_IN_COUNTEDBINARY;
}

/* Returns, for each entry, the number of entries that it has with all its members: (transfer
 * full). Runs backwards, so that every entry is visited once. */
static guint *
measure_spans (const Described *all, guint n_all)
{
  guint *spans = g_new (guint, n_all + 1);
  guint i;

  for (i = n_all; i-- > 0;)
    {
      guint at = i + 1;
      guint k;

      for (k = 0; k < all[i].n_members && at < n_all; k++)
        at += spans[at];
      spans[i] = at - i;
    }
  return spans;
}

/* Arranges the fields breadth-first, so that the members of each struct follow it and each other,
 * as ns_payload_walk() needs them. */
static guint
lay_out (const Described *all, guint n_all, NsSchemaField *fields, guint *n_top)
{
  g_autofree guint *spans = measure_spans (all, n_all);
  g_autofree guint *origin = g_new (guint, n_all + 1);
  guint n_fields = 0;
  guint i;

  for (i = 0; i < n_all; i += spans[i])
    origin[n_fields++] = i;
  *n_top = n_fields;

  for (i = 0; i < n_fields; i++)
    {
      const Described *described = &all[origin[i]];
      guint at = origin[i] + 1;
      guint k;

      fields[i] = described->field;
      if ((described->field.flags & NS_FIELD_STRUCT) == 0)
        continue;
      fields[i].first_member = (guint16) n_fields;
      for (k = 0; k < described->n_members && at < n_all; k++)
        {
          origin[n_fields++] = at;
          at += spans[at];
        }
      fields[i].n_members = (guint16) k;
    }
  return n_fields;
}

static const char *
read_provider_name (NsSchemaPool *pool, const NsExtItem *traits)
{
  NsCursor cursor;
  guint16 size;

  if (traits == NULL)
    return NULL;
  ns_cursor_init (&cursor, traits->data, traits->size);
  size = ns_cursor_u16 (&cursor);
  if (!ns_cursor_ok (&cursor) || size > traits->size)
    return NULL;
  return read_name (pool, &cursor);
}

/**
 * ns_schema_tracelogging_parse:
 * @pool: owns the layout
 * @description: an item of type %NS_EXT_SCHEMA_TL
 * @traits: (nullable): the record's item of type %NS_EXT_PROV_TRAITS
 *
 * Returns: (transfer none) (nullable): the layout, up to the first field that cannot be decoded;
 *   %NULL if the item is invalid
 */
const NsSchema *
ns_schema_tracelogging_parse (NsSchemaPool *pool,
                              const NsExtItem *description,
                              const NsExtItem *traits)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Described));
  g_autofree NsSchemaField *fields = NULL;
  const char *event_name;
  NsSchema *schema;
  NsCursor cursor;
  guint16 size;
  guint n_fields;
  guint n_top;

  ns_cursor_init (&cursor, description->data, description->size);
  size = ns_cursor_u16 (&cursor);
  if (!ns_cursor_ok (&cursor) || size < 2 || size > description->size)
    return NULL;
  cursor.size = size;
  skip_tag (&cursor);
  event_name = read_name (pool, &cursor);
  if (!ns_cursor_ok (&cursor))
    return NULL;

  while (ns_cursor_left (&cursor) > 0 && all->len < NS_SCHEMA_MAX_FIELDS)
    {
      Described described;

      if (!read_field (pool, &cursor, &described))
        break;
      g_array_append_val (all, described);
    }

  fields = g_new0 (NsSchemaField, all->len + 1);
  n_fields = lay_out ((const Described *) (gpointer) all->data, all->len, fields, &n_top);
  schema = ns_schema_pool_new_schema (pool, NS_SCHEMA_TRACELOGGING, fields, n_fields);
  schema->n_top = n_top;
  schema->event_name = event_name;
  schema->provider_name = read_provider_name (pool, traits);
  return schema;
}

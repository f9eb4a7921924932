/* Converts templates and maps of an instrumentation manifest to layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-manifest-fields.h"

#include "base/ns-hash.h"

#include <string.h>

/* Maximum size of the name of a map, a task or an opcode, in bytes. */
#define MAX_LABEL_BYTES 1024

typedef struct
{
  const char *name; /* without its prefix */
  guint16 number;
} Word;

static const Word in_types[] = {
  { "UnicodeString", NS_IN_UNICODESTRING },
  { "AnsiString", NS_IN_ANSISTRING },
  { "Int8", NS_IN_INT8 },
  { "UInt8", NS_IN_UINT8 },
  { "Int16", NS_IN_INT16 },
  { "UInt16", NS_IN_UINT16 },
  { "Int32", NS_IN_INT32 },
  { "UInt32", NS_IN_UINT32 },
  { "Int64", NS_IN_INT64 },
  { "UInt64", NS_IN_UINT64 },
  { "Float", NS_IN_FLOAT },
  { "Double", NS_IN_DOUBLE },
  { "Boolean", NS_IN_BOOLEAN },
  { "Binary", NS_IN_BINARY },
  { "GUID", NS_IN_GUID },
  { "Pointer", NS_IN_POINTER },
  { "FILETIME", NS_IN_FILETIME },
  { "SYSTEMTIME", NS_IN_SYSTEMTIME },
  { "SID", NS_IN_SID },
  { "HexInt32", NS_IN_HEXINT32 },
  { "HexInt64", NS_IN_HEXINT64 },
  { "CountedUnicodeString", NS_IN_COUNTEDSTRING },
  { "CountedUtf16String", NS_IN_COUNTEDSTRING },
  { "CountedAnsiString", NS_IN_COUNTEDANSISTRING },
  { "CountedBinary", NS_IN_COUNTEDBINARY },
};

static const Word out_types[] = {
  { "string", NS_OUT_STRING },
  { "dateTime", NS_OUT_DATETIME },
  { "byte", NS_OUT_BYTE },
  { "unsignedByte", NS_OUT_UNSIGNEDBYTE },
  { "short", NS_OUT_SHORT },
  { "unsignedShort", NS_OUT_UNSIGNEDSHORT },
  { "int", NS_OUT_INT },
  { "unsignedInt", NS_OUT_UNSIGNEDINT },
  { "long", NS_OUT_LONG },
  { "unsignedLong", NS_OUT_UNSIGNEDLONG },
  { "float", NS_OUT_FLOAT },
  { "double", NS_OUT_DOUBLE },
  { "boolean", NS_OUT_BOOLEAN },
  { "GUID", NS_OUT_GUID },
  { "hexBinary", NS_OUT_HEXBINARY },
  { "HexInt8", NS_OUT_HEXINT8 },
  { "HexInt16", NS_OUT_HEXINT16 },
  { "HexInt32", NS_OUT_HEXINT32 },
  { "HexInt64", NS_OUT_HEXINT64 },
  { "PID", NS_OUT_PID },
  { "TID", NS_OUT_TID },
  { "Port", NS_OUT_PORT },
  { "IPv4", NS_OUT_IPV4 },
  { "IPv6", NS_OUT_IPV6 },
  { "SocketAddress", NS_OUT_SOCKETADDRESS },
  { "CIMDateTime", NS_OUT_CIMDATETIME },
  { "ETWTIME", NS_OUT_ETWTIME },
  { "Xml", NS_OUT_XML },
  { "ErrorCode", NS_OUT_ERRORCODE },
  { "Win32Error", NS_OUT_WIN32ERROR },
  { "NTSTATUS", NS_OUT_NTSTATUS },
  { "HResult", NS_OUT_HRESULT },
  { "DateTimeCultureInsensitive", NS_OUT_CULTURE_DATETIME },
  { "Json", NS_OUT_JSON },
  { "Utf8", NS_OUT_UTF8 },
  { "Pkcs7WithTypeInfo", NS_OUT_PKCS7 },
  { "CodePointer", NS_OUT_CODE_POINTER },
  { "DateTimeUtc", NS_OUT_DATETIME_UTC },
};

/**
 * ns_schema_manifest_get_uint:
 * @node: an element
 * @name: an attribute
 * @max: the largest number it may be
 * @value: (out): the number, 0 when it is none
 *
 * Returns: %TRUE if the attribute is a number, decimal or with `0x`
 */
gboolean
ns_schema_manifest_get_uint (const NsSchemaXmlNode *node,
                             const char *name,
                             guint64 max,
                             guint64 *value)
{
  const char *text = ns_schema_xml_get (node, name);
  gboolean is_hex = text != NULL && g_ascii_strncasecmp (text, "0x", 2) == 0;

  *value = 0;
  return text != NULL && g_ascii_string_to_unsigned (is_hex ? text + 2 : text,
                                                     is_hex ? 16 : 10,
                                                     0,
                                                     max,
                                                     value,
                                                     NULL);
}

/**
 * ns_schema_manifest_label:
 * @pool: owns the result
 * @text: a name, or its text for display
 *
 * Limits the size of the text, which is displayed with each event of its kind.
 *
 * Returns: (transfer none) (nullable): the beginning of @text; %NULL for an empty one
 */
const char *
ns_schema_manifest_label (NsSchemaPool *pool, const char *text)
{
  gsize n_bytes = strlen (text);

  if (n_bytes > MAX_LABEL_BYTES)
    n_bytes = (gsize) (g_utf8_find_prev_char (text, text + MAX_LABEL_BYTES + 1) - text);
  return ns_schema_pool_utf8 (pool, text, n_bytes);
}

/**
 * ns_schema_manifest_text:
 * @scope: strings and maps of the manifest
 * @text: (nullable): a text, or `$(string.ID)`
 *
 * Returns: (transfer none) (nullable): the text, resolved; %NULL for none
 */
const char *
ns_schema_manifest_text (NsSchemaManifestScope *scope, const char *text)
{
  g_autofree char *id = NULL;

  if (text == NULL)
    return NULL;
  if (!g_str_has_prefix (text, "$(string.") || !g_str_has_suffix (text, ")"))
    return ns_schema_manifest_label (scope->pool, text);
  id = g_strndup (text + 9, strlen (text) - 10);
  return g_hash_table_lookup (scope->strings, id);
}

static guint16
find_word (const Word *words, guint n, const char *text, guint16 none)
{
  const char *colon = text != NULL ? strchr (text, ':') : NULL;
  guint i;

  for (i = 0; colon != NULL && i < n; i++)
    if (g_ascii_strcasecmp (words[i].name, colon + 1) == 0)
      return words[i].number;
  return none;
}

static void
read_map (NsSchemaManifestScope *scope, const NsSchemaXmlNode *node)
{
  const char *name = ns_schema_xml_get (node, "name");
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const NsSchemaXmlNode *child;
  NsSchemaMap *map;

  if (name == NULL)
    return;
  for (child = node->first; child != NULL; child = child->next)
    {
      const char *text;
      guint64 value;
      guint32 small;

      if (!ns_schema_xml_is (child, "map") ||
          !ns_schema_manifest_get_uint (child, "value", G_MAXUINT32, &value) ||
          values->len == NS_SCHEMA_MAX_MAP_ENTRIES)
        continue;
      text = ns_schema_manifest_text (scope, ns_schema_xml_get (child, "message"));
      if (text == NULL)
        continue;
      small = (guint32) value;
      g_array_append_val (values, small);
      g_ptr_array_add (names, (gpointer) text);
    }

  map = ns_arena_alloc (scope->pool->arena, sizeof *map);
  map->is_bitmap = ns_schema_xml_is (node, "bitMap");
  map->n_entries = values->len;
  map->values = ns_arena_dup (scope->pool->arena, values->data, values->len * sizeof (guint32));
  map->names = ns_arena_dup (scope->pool->arena, names->pdata, names->len * sizeof (char *));
  g_hash_table_replace (scope->maps, (gpointer) name, map);
}

/**
 * ns_schema_manifest_read_maps:
 * @scope: (inout): receives the maps
 * @maps: a `maps` element
 */
void
ns_schema_manifest_read_maps (NsSchemaManifestScope *scope, const NsSchemaXmlNode *maps)
{
  const NsSchemaXmlNode *child;

  for (child = maps->first; child != NULL; child = child->next)
    if (ns_schema_xml_is (child, "valueMap") || ns_schema_xml_is (child, "bitMap"))
      read_map (scope, child);
}

/* Fields of a template while they are read. */
typedef struct
{
  GArray *all;         /* (element-type NsSchemaField) */
  GHashTable *by_name; /* name → 1-based number of the last field of that name */
  GPtrArray *nodes;    /* the XML element of each field */
} Fields;

/* Reads a length or count: a number, or the name of an earlier field. */
static void
read_size (const NsSchemaXmlNode *node,
           const char *attribute,
           const Fields *fields,
           guint16 *out,
           guint16 *flags,
           guint16 fixed_flag,
           guint16 ref_flag)
{
  const char *text = ns_schema_xml_get (node, attribute);
  guint64 value;
  guint number;

  if (text == NULL)
    return;
  if (ns_schema_manifest_get_uint (node, attribute, G_MAXUINT16, &value))
    {
      *out = (guint16) value;
      *flags |= fixed_flag;
      return;
    }
  /* The last field of that name is the nearest one: members of a struct come last. */
  number = GPOINTER_TO_UINT (g_hash_table_lookup (fields->by_name, text));
  /* With an unknown name the walk stops there, as at any impossible count. */
  *out = number > 0 ? (guint16) (number - 1) : G_MAXUINT16;
  *flags |= ref_flag;
}

static void
append_field (NsSchemaManifestScope *scope, const NsSchemaXmlNode *node, Fields *fields)
{
  const char *name = ns_schema_xml_get (node, "name");
  const char *map = ns_schema_xml_get (node, "map");
  NsSchemaField field = { .count = 1 };

  field.name = name != NULL ? ns_schema_manifest_label (scope->pool, name) : NULL;
  if (field.name == NULL)
    field.name = "";
  if (ns_schema_xml_is (node, "struct"))
    field.flags |= NS_FIELD_STRUCT;
  else
    {
      field.in_type = find_word (in_types,
                                 G_N_ELEMENTS (in_types),
                                 ns_schema_xml_get (node, "inType"),
                                 G_MAXUINT16);
      field.out_type = find_word (out_types,
                                  G_N_ELEMENTS (out_types),
                                  ns_schema_xml_get (node, "outType"),
                                  NS_OUT_NULL);
    }
  if (map != NULL)
    field.map = g_hash_table_lookup (scope->maps, map);
  read_size (node,
             "length",
             fields,
             &field.length,
             &field.flags,
             NS_FIELD_FIXED_LENGTH,
             NS_FIELD_LENGTH_REF);
  read_size (node,
             "count",
             fields,
             &field.count,
             &field.flags,
             NS_FIELD_FIXED_COUNT,
             NS_FIELD_COUNT_REF);
  g_array_append_val (fields->all, field);
  g_ptr_array_add (fields->nodes, (gpointer) node);
  g_hash_table_replace (fields->by_name,
                        (gpointer) field.name,
                        GUINT_TO_POINTER (fields->all->len));
}

static void
append_children (NsSchemaManifestScope *scope, const NsSchemaXmlNode *node, Fields *fields)
{
  const NsSchemaXmlNode *child;

  for (child = node->first; child != NULL; child = child->next)
    if ((ns_schema_xml_is (child, "data") || ns_schema_xml_is (child, "struct")) &&
        fields->all->len < NS_SCHEMA_MAX_FIELDS)
      append_field (scope, child, fields);
}

/**
 * ns_schema_manifest_read_template:
 * @scope: strings and maps of the manifest
 * @template_node: a `template` element
 * @n_fields: (out): number of fields
 * @n_top: (out): number of fields outside of structs
 *
 * Returns: (transfer none): the fields; the members of each struct follow it and each other
 */
const NsSchemaField *
ns_schema_manifest_read_template (NsSchemaManifestScope *scope,
                                  const NsSchemaXmlNode *template_node,
                                  guint *n_fields,
                                  guint *n_top)
{
  g_autoptr (GArray) fields = g_array_new (FALSE, TRUE, sizeof (NsSchemaField));
  g_autoptr (GHashTable) by_name = g_hash_table_new (ns_hash_text, g_str_equal);
  g_autoptr (GPtrArray) nodes = g_ptr_array_new ();
  Fields all = { fields, by_name, nodes };
  guint i;

  append_children (scope, template_node, &all);
  *n_top = fields->len;
  for (i = 0; i < fields->len; i++)
    {
      guint first = fields->len;
      NsSchemaField *field;

      if ((g_array_index (fields, NsSchemaField, i).flags & NS_FIELD_STRUCT) == 0)
        continue;
      append_children (scope, g_ptr_array_index (nodes, i), &all);
      field = &g_array_index (fields, NsSchemaField, i);
      field->first_member = (guint16) first;
      field->n_members = (guint16) (fields->len - first);
    }
  *n_fields = fields->len;
  if (fields->len == 0)
    return NULL;
  return ns_arena_dup (scope->pool->arena, fields->data, fields->len * sizeof (NsSchemaField));
}

/* Converts properties of a `.mof` class to fields of a layout: types, extensions, arrays, names of
 * values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-mof-fields.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define N_BITS 32
#define DATETIME_CHARS 25
#define IPV6_SIZE 16

typedef struct
{
  const char *name;
  guint16 in_type;
  guint16 hex_in_type; /* with format("x") */
  guint16 hex_out_type;
} Type;

static const Type types[] = {
  { "uint8", NS_IN_UINT8, NS_IN_UINT8, NS_OUT_HEXINT8 },
  { "sint8", NS_IN_INT8, NS_IN_UINT8, NS_OUT_HEXINT8 },
  { "uint16", NS_IN_UINT16, NS_IN_UINT16, NS_OUT_HEXINT16 },
  { "sint16", NS_IN_INT16, NS_IN_UINT16, NS_OUT_HEXINT16 },
  { "uint32", NS_IN_UINT32, NS_IN_HEXINT32, NS_OUT_NULL },
  { "sint32", NS_IN_INT32, NS_IN_HEXINT32, NS_OUT_NULL },
  { "uint64", NS_IN_UINT64, NS_IN_HEXINT64, NS_OUT_NULL },
  { "sint64", NS_IN_INT64, NS_IN_HEXINT64, NS_OUT_NULL },
  { "real32", NS_IN_FLOAT, NS_IN_FLOAT, NS_OUT_NULL },
  { "real64", NS_IN_DOUBLE, NS_IN_DOUBLE, NS_OUT_NULL },
  { "boolean", NS_IN_BOOLEAN, NS_IN_BOOLEAN, NS_OUT_NULL },
  { "char16", NS_IN_UNICODECHAR, NS_IN_UNICODECHAR, NS_OUT_NULL },
};

typedef struct
{
  const char *name;
  guint16 in_type;
  guint16 out_type;
  guint16 length;
} Extension;

static const Extension extensions[] = {
  { "Guid", NS_IN_GUID, NS_OUT_GUID, 0 },
  { "Sid", NS_IN_WBEMSID, NS_OUT_STRING, 0 },
  { "IPAddr", NS_IN_UINT32, NS_OUT_IPV4, 0 },
  { "IPAddrV4", NS_IN_UINT32, NS_OUT_IPV4, 0 },
  { "IPAddrV6", NS_IN_BINARY, NS_OUT_IPV6, IPV6_SIZE },
  { "Port", NS_IN_UINT16, NS_OUT_PORT, 0 },
  { "Variant", NS_IN_HEXDUMP, NS_OUT_NULL, 0 },
  { "RString", NS_IN_ANSISTRING, NS_OUT_STRING, 0 },
  { "RWString", NS_IN_UNICODESTRING, NS_OUT_STRING, 0 },
  { "SizeT", NS_IN_SIZET, NS_OUT_NULL, 0 },
  { "WmiTime", NS_IN_UINT64, NS_OUT_NULL, 0 },
};

typedef struct
{
  const char *name;
  guint16 narrow;
  guint16 wide;
} Termination;

static const Termination terminations[] = {
  { "NullTerminated", NS_IN_ANSISTRING, NS_IN_UNICODESTRING },
  { "Counted", NS_IN_WBEM_COUNTEDANSISTRING, NS_IN_WBEM_COUNTEDSTRING },
  { "ReverseCounted", NS_IN_REVERSEDCOUNTEDANSISTRING, NS_IN_REVERSEDCOUNTEDSTRING },
  { "NotCounted", NS_IN_NONNULLTERMINATEDANSISTRING, NS_IN_NONNULLTERMINATEDSTRING },
};

static gboolean
is_same (const char *text, const char *word)
{
  return text != NULL && g_ascii_strcasecmp (text, word) == 0;
}

static const char *
get_text (const NsMofText *text, const NsMofProperty *property, const char *name)
{
  const NsMofValue *value =
      ns_mof_text_get_value (text, ns_mof_text_find (text, &property->qualifiers, name), 0);

  return value != NULL ? value->text : NULL;
}

static gboolean
has (const NsMofText *text, const NsMofProperty *property, const char *name)
{
  return ns_mof_text_find (text, &property->qualifiers, name) != NULL;
}

/* Returns the value of entry @i: given as a number or a text, else its index. */
static guint32
entry_value (const NsMofText *text, const NsMofQualifier *numbers, guint i, gboolean is_bit)
{
  const NsMofValue *said = ns_mof_text_get_value (text, numbers, i);
  gint64 value = i;

  if (said != NULL)
    value = said->text != NULL ? g_ascii_strtoll (said->text, NULL, 0) : said->number;
  if (!is_bit)
    return (guint32) value;
  return value >= 0 && value < N_BITS ? (guint32) 1 << value : 0;
}

static const NsSchemaMap *
make_map (NsSchemaPool *pool,
          const NsMofText *text,
          const NsMofQualifier *names,
          const NsMofQualifier *numbers,
          gboolean is_bitmap,
          gboolean is_bit)
{
  guint n = MIN (names->values.n, NS_SCHEMA_MAX_MAP_ENTRIES);
  NsSchemaMap *map = ns_arena_alloc (pool->arena, sizeof *map);
  guint32 *values = ns_arena_alloc (pool->arena, MAX (n, 1) * sizeof *values);
  const char **kept = ns_arena_alloc (pool->arena, MAX (n, 1) * sizeof *kept);
  guint i;

  map->is_bitmap = is_bitmap;
  map->n_entries = 0;
  map->values = values;
  map->names = kept;
  for (i = 0; i < n; i++)
    {
      const NsMofValue *name = ns_mof_text_get_value (text, names, i);
      const char *shown =
          name->text != NULL ? ns_schema_pool_utf8 (pool, name->text, strlen (name->text)) : NULL;

      if (shown == NULL)
        continue;
      values[map->n_entries] = entry_value (text, numbers, i, is_bit);
      kept[map->n_entries++] = shown;
    }
  return map->n_entries > 0 ? map : NULL;
}

static const NsSchemaMap *
read_map (NsSchemaPool *pool, const NsMofText *text, const NsMofProperty *property)
{
  const NsMofRun *all = &property->qualifiers;
  const NsMofQualifier *names = ns_mof_text_find (text, all, "Values");
  const NsMofQualifier *numbers = ns_mof_text_find (text, all, "ValueMap");
  gboolean is_flag = is_same (get_text (text, property, "ValueType"), "flag");

  if (names == NULL)
    names = ns_mof_text_find (text, all, "DefineValues");
  if (names != NULL)
    return make_map (pool, text, names, numbers, is_flag, is_flag && numbers == NULL);
  names = ns_mof_text_find (text, all, "BitValues");
  if (names == NULL)
    return NULL;
  return make_map (pool, text, names, ns_mof_text_find (text, all, "BitMap"), TRUE, TRUE);
}

static const char *
read_extension (const char *extension, NsSchemaField *field)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (extensions); i++)
    if (is_same (extension, extensions[i].name))
      {
        field->in_type = extensions[i].in_type;
        field->out_type = extensions[i].out_type;
        field->length = extensions[i].length;
        return NULL;
      }
  return extension != NULL ? _ ("an object with an unknown extension")
                           : _ ("an object without an extension");
}

static const char *
read_string (const char *termination, gboolean is_wide, NsSchemaField *field)
{
  guint i;

  field->out_type = NS_OUT_STRING;
  if (termination == NULL)
    termination = terminations[0].name;
  for (i = 0; i < G_N_ELEMENTS (terminations); i++)
    if (is_same (termination, terminations[i].name))
      {
        field->in_type = is_wide ? terminations[i].wide : terminations[i].narrow;
        return NULL;
      }
  return _ ("an unknown string termination");
}

static const char *
read_number (const char *name, const char *format, NsSchemaField *field)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (types); i++)
    if (is_same (name, types[i].name))
      {
        gboolean is_hex = is_same (format, "x");

        field->in_type = is_hex ? types[i].hex_in_type : types[i].in_type;
        field->out_type = is_hex ? types[i].hex_out_type : NS_OUT_NULL;
        if (is_same (format, "c") && g_str_has_suffix (types[i].name, "int8"))
          field->in_type = NS_IN_ANSICHAR;
        return NULL;
      }
  return _ ("an unknown type");
}

static const char *
read_type (const NsMofText *text, const NsMofProperty *property, NsSchemaField *field)
{
  const char *extension = get_text (text, property, "extension");
  const char *format = get_text (text, property, "format");

  if (has (text, property, "pointer") || has (text, property, "PointerType"))
    {
      field->in_type = NS_IN_POINTER;
      return NULL;
    }
  /* "NoPrint" means that the value is not to be displayed; it is not a type. */
  if (is_same (property->type, "object") || (extension != NULL && !is_same (extension, "NoPrint")))
    return read_extension (extension, field);
  if (is_same (property->type, "string"))
    return read_string (get_text (text, property, "StringTermination"),
                        is_same (format, "w"),
                        field);
  if (is_same (property->type, "datetime"))
    {
      field->in_type = NS_IN_UNICODESTRING;
      field->out_type = NS_OUT_CIMDATETIME;
      field->length = DATETIME_CHARS;
      field->flags |= NS_FIELD_FIXED_LENGTH;
      return NULL;
    }
  return read_number (property->type, format, field);
}

/* Reads an array; one of characters becomes a text of a fixed length. */
static const char *
read_array (const NsMofText *text, const NsMofProperty *property, NsSchemaField *field)
{
  const NsMofValue *max =
      ns_mof_text_get_value (text, ns_mof_text_find (text, &property->qualifiers, "MAX"), 0);
  guint n = property->n_elements;

  if (!property->is_array || has (text, property, "WmiSizeIs"))
    return NULL;
  if (n == 0 && max != NULL && max->text == NULL && max->number > 0 && max->number <= G_MAXUINT16)
    n = (guint) max->number;
  if (n == 0)
    return _ ("an array without a size");
  if (field->in_type == NS_IN_UNICODECHAR || field->in_type == NS_IN_ANSICHAR)
    {
      field->in_type = field->in_type == NS_IN_UNICODECHAR ? NS_IN_UNICODESTRING : NS_IN_ANSISTRING;
      field->out_type = NS_OUT_STRING;
      field->length = (guint16) n;
      field->flags |= NS_FIELD_FIXED_LENGTH;
      return NULL;
    }
  field->count = (guint16) n;
  field->flags |= NS_FIELD_FIXED_COUNT;
  return NULL;
}

/**
 * ns_schema_mof_read_field:
 * @pool: owns names and maps
 * @text: the classes
 * @property: a property of one of them
 * @field: (out): the field; if another property counts its elements, the count is set later
 *
 * Returns: (transfer none) (nullable): the error in the property; %NULL: none
 */
const char *
ns_schema_mof_read_field (NsSchemaPool *pool,
                          const NsMofText *text,
                          const NsMofProperty *property,
                          NsSchemaField *field)
{
  const char *wrong;

  memset (field, 0, sizeof *field);
  field->name = ns_schema_pool_utf8 (pool, property->name, strlen (property->name));
  field->count = 1;
  wrong = read_type (text, property, field);
  if (wrong == NULL)
    wrong = read_array (text, property, field);
  if (wrong == NULL)
    field->map = read_map (pool, text, property);
  return wrong;
}

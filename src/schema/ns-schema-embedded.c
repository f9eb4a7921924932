/* Parses event descriptions that a merge wrote into the trace: TRACE_EVENT_INFO and EVENT_MAP_INFO
 * (tdh.h). All offsets, indexes and counts are validated; an invalid one rejects the description.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-embedded.h"

#include "schema/ns-schema-correct.h"

#include <string.h>

enum
{
  HEADER_SIZE = 0x70,
  PROPERTY_SIZE = 24,
  MAP_HEADER_SIZE = 16,
  MAP_ENTRY_SIZE = 8,
  SOURCE_XML = 0,
  SOURCE_WBEM = 1,
  PROPERTY_STRUCT = 1,
  PROPERTY_PARAM_LENGTH = 2,
  PROPERTY_PARAM_COUNT = 4,
  PROPERTY_FIXED_LENGTH = 0x10,
  PROPERTY_FIXED_COUNT = 0x20,
  PROPERTY_CUSTOM_SCHEMA = 0x80,
  MAP_FLAG_BITMAP = 2,
  MAP_FLAG_SIMPLE = 3, /* value maps and bit maps of manifests */
  MAX_KEYWORDS = 64,
};

typedef struct
{
  NsSchemaPool *pool;
  NsCursor bytes; /* the structure, from its start on */
  NsSchemaMapFunc find_map;
  gpointer user_data;
  gboolean bad;
} Parser;

/* Reads the text at an offset from the structure's start; 0: none. It must end within the
 * structure. */
static const char *
read_text (Parser *self, guint32 offset)
{
  NsCursor cursor = self->bytes;
  const guint8 *text;
  gsize n_bytes;

  if (offset == 0)
    return NULL;
  ns_cursor_seek (&cursor, offset);
  text = ns_cursor_wstr (&cursor, &n_bytes);
  if (text == NULL || cursor.pos < offset + n_bytes + 2)
    {
      self->bad = TRUE;
      return NULL;
    }
  return ns_schema_pool_utf16 (self->pool, text, n_bytes);
}

/* Reads consecutive texts up to an empty one, joined with bars. */
static const char *
read_keywords (Parser *self, guint32 offset)
{
  g_autoptr (GString) joined = g_string_new (NULL);
  NsCursor cursor = self->bytes;
  guint i;

  if (offset == 0)
    return NULL;
  ns_cursor_seek (&cursor, offset);
  for (i = 0; i < MAX_KEYWORDS; i++)
    {
      gsize n_bytes;
      const guint8 *text = ns_cursor_wstr (&cursor, &n_bytes);
      const char *name;

      if (text == NULL)
        self->bad = TRUE;
      if (text == NULL || n_bytes == 0)
        break;
      name = ns_schema_pool_utf16 (self->pool, text, n_bytes);
      if (name != NULL)
        g_string_append_printf (joined, "%s%s", joined->len > 0 ? "|" : "", name);
    }
  return ns_schema_pool_utf8 (self->pool, joined->str, joined->len);
}

static guint16
convert_flags (guint32 flags)
{
  return (guint16) ((flags & PROPERTY_STRUCT ? NS_FIELD_STRUCT : 0) |
                    (flags & PROPERTY_PARAM_LENGTH ? NS_FIELD_LENGTH_REF : 0) |
                    (flags & PROPERTY_PARAM_COUNT ? NS_FIELD_COUNT_REF : 0) |
                    (flags & PROPERTY_FIXED_LENGTH ? NS_FIELD_FIXED_LENGTH : 0) |
                    (flags & PROPERTY_FIXED_COUNT ? NS_FIELD_FIXED_COUNT : 0));
}

static void
read_property (Parser *self, NsCursor *cursor, const NsGuid *provider, NsSchemaField *field)
{
  guint32 flags = ns_cursor_u32 (cursor);
  guint32 name_offset = ns_cursor_u32 (cursor);
  guint16 in = ns_cursor_u16 (cursor);
  guint16 out = ns_cursor_u16 (cursor);
  guint32 map_offset = ns_cursor_u32 (cursor);
  const char *map_name;

  memset (field, 0, sizeof *field);
  field->flags = convert_flags (flags);
  field->count = ns_cursor_u16 (cursor);
  field->length = ns_cursor_u16 (cursor);
  ns_cursor_skip (cursor, 4);
  field->name = read_text (self, name_offset);
  if (field->name == NULL)
    field->name = "";
  if (flags & PROPERTY_STRUCT)
    {
      field->first_member = in;
      field->n_members = out;
      return;
    }
  field->in_type = in;
  field->out_type = out;
  if (flags & PROPERTY_CUSTOM_SCHEMA)
    return;
  map_name = read_text (self, map_offset);
  if (map_name != NULL)
    field->map = self->find_map (provider, map_name, self->user_data);
}

/* Returns whether the members of each struct follow it and belong to no other, so that no walk
 * can loop. */
static gboolean
check_structs (const NsSchemaField *fields, guint n_fields)
{
  g_autofree guint8 *depths = g_new0 (guint8, n_fields + 1);
  guint i;
  guint k;

  for (i = 0; i < n_fields; i++)
    {
      guint end = (guint) fields[i].first_member + fields[i].n_members;

      if ((fields[i].flags & NS_FIELD_STRUCT) == 0)
        continue;
      if (fields[i].n_members == 0)
        continue;
      if (fields[i].first_member <= i || end > n_fields || depths[i] >= NS_SCHEMA_MAX_DEPTH)
        return FALSE;
      for (k = fields[i].first_member; k < end; k++)
        {
          if (depths[k] != 0)
            return FALSE;
          depths[k] = (guint8) (depths[i] + 1);
        }
    }
  return TRUE;
}

static const NsSchema *
read_fields (Parser *self, const NsGuid *provider, guint n_fields, guint n_top)
{
  g_autofree NsSchemaField *fields = g_new0 (NsSchemaField, n_fields + 1);
  NsCursor cursor = self->bytes;
  NsSchema *schema;
  guint i;

  ns_cursor_seek (&cursor, HEADER_SIZE);
  for (i = 0; i < n_fields && !self->bad; i++)
    read_property (self, &cursor, provider, &fields[i]);
  if (self->bad || !ns_cursor_ok (&cursor) || !check_structs (fields, n_fields))
    return NULL;
  ns_schema_correct_fields (provider, fields, n_fields);
  schema = ns_schema_pool_new_schema (self->pool, NS_SCHEMA_EMBEDDED, fields, n_fields);
  schema->n_top = n_top;
  return schema;
}

/* Reads the name of a level or opcode of the system, without its prefix, as in manifests. */
static const char *
read_system_name (Parser *self, guint32 offset)
{
  const char *name = read_text (self, offset);

  return name != NULL && g_str_has_prefix (name, "win:") ? name + 4 : name;
}

static void
read_names (Parser *self, NsCursor *cursor, guint32 source, NsSchema *names)
{
  guint32 event_name;

  names->provider_name = read_text (self, ns_cursor_u32 (cursor));
  names->level_name = read_system_name (self, ns_cursor_u32 (cursor));
  names->channel_name = read_text (self, ns_cursor_u32 (cursor));
  names->keyword_names = read_keywords (self, ns_cursor_u32 (cursor));
  names->task_name = read_text (self, ns_cursor_u32 (cursor));
  names->opcode_name = read_system_name (self, ns_cursor_u32 (cursor));
  ns_cursor_skip (cursor, 4 * 4); /* messages and the binary XML */
  event_name = ns_cursor_u32 (cursor);
  ns_cursor_skip (cursor, 4);
  /* In WBEM descriptions, this is the offset of an activity's name. */
  if (source != SOURCE_WBEM)
    names->event_name = read_text (self, event_name);
}

/**
 * ns_schema_embedded_parse:
 * @pool: owns the layout
 * @cursor: a cursor over exactly one TRACE_EVENT_INFO
 * @find_map: (scope call): returns the map of a name
 * @user_data: for @find_map
 * @out: (out): the description
 *
 * Returns: %TRUE if every part of the description is inside and valid
 */
gboolean
ns_schema_embedded_parse (NsSchemaPool *pool,
                          NsCursor cursor,
                          NsSchemaMapFunc find_map,
                          gpointer user_data,
                          NsSchemaEmbedded *out)
{
  Parser self = { pool, cursor, find_map, user_data, FALSE };
  NsSchema names = { NS_SCHEMA_NONE };
  const NsSchema *parsed;
  guint32 n_fields;
  guint32 source;
  guint32 n_top;
  NsSchema *schema;

  memset (out, 0, sizeof *out);
  ns_cursor_guid (&cursor, &out->provider);
  ns_cursor_guid (&cursor, &out->event_class);
  out->id = ns_cursor_u16 (&cursor);
  out->version = ns_cursor_u8 (&cursor);
  ns_cursor_skip (&cursor, 2); /* channel, level */
  out->opcode = ns_cursor_u8 (&cursor);
  ns_cursor_skip (&cursor, 2 + 8); /* task, keyword */
  source = ns_cursor_u32 (&cursor);
  read_names (&self, &cursor, source, &names);
  n_fields = ns_cursor_u32 (&cursor);
  n_top = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 4);
  if (!ns_cursor_ok (&cursor) || self.bad || n_fields > NS_SCHEMA_MAX_FIELDS || n_top > n_fields ||
      n_fields * PROPERTY_SIZE > ns_cursor_left (&cursor))
    return FALSE;
  /* WPP and TraceLogging events are not identified by numbers. */
  if (source != SOURCE_XML && source != SOURCE_WBEM)
    return FALSE;

  out->is_classic = source == SOURCE_WBEM;
  parsed = read_fields (&self, &out->provider, n_fields, n_top);
  if (parsed == NULL)
    return FALSE;
  names.source = parsed->source;
  names.n_fields = parsed->n_fields;
  names.n_top = parsed->n_top;
  names.fields = parsed->fields;
  schema = ns_arena_dup (pool->arena, &names, sizeof names);
  out->schema = schema;
  return TRUE;
}

/**
 * ns_schema_embedded_parse_map:
 * @pool: owns the map
 * @cursor: a cursor over the provider's GUID and the EVENT_MAP_INFO that follows it
 * @provider: (out): the provider
 * @name: (out): name of the map
 * @map: (out): its entries; none for kinds of maps that are shown as numbers
 *
 * Returns: %TRUE if every part of the map is inside
 */
gboolean
ns_schema_embedded_parse_map (NsSchemaPool *pool,
                              NsCursor cursor,
                              NsGuid *provider,
                              const char **name,
                              NsSchemaMap *map)
{
  Parser self = { .pool = pool };
  guint32 name_offset;
  const char **names;
  guint32 value_type;
  guint32 *values;
  guint32 flags;
  guint32 n;
  guint32 i;

  memset (map, 0, sizeof *map);
  ns_cursor_guid (&cursor, provider);
  if (!ns_cursor_sub (&cursor, ns_cursor_left (&cursor), &self.bytes))
    return FALSE;
  cursor = self.bytes;
  name_offset = ns_cursor_u32 (&cursor);
  flags = ns_cursor_u32 (&cursor);
  n = ns_cursor_u32 (&cursor);
  value_type = ns_cursor_u32 (&cursor);
  *name = read_text (&self, name_offset);
  if (!ns_cursor_ok (&cursor) || self.bad || *name == NULL ||
      n > ns_cursor_left (&cursor) / MAP_ENTRY_SIZE)
    return FALSE;
  if ((flags & ~MAP_FLAG_SIMPLE) != 0 || (flags & MAP_FLAG_SIMPLE) == 0 || value_type != 0)
    return TRUE;

  values = ns_arena_alloc (pool->arena, (n + 1) * sizeof *values);
  names = ns_arena_alloc (pool->arena, (n + 1) * sizeof *names);
  for (i = 0; i < n; i++)
    {
      names[i] = read_text (&self, ns_cursor_u32 (&cursor));
      values[i] = ns_cursor_u32 (&cursor);
      if (names[i] == NULL)
        names[i] = "";
    }
  map->is_bitmap = (flags & MAP_FLAG_BITMAP) != 0;
  map->n_entries = n;
  map->values = values;
  map->names = names;
  return !self.bad;
}

/* The built-in schemas of one provider, as columns of numbers.
 *
 * The columns are those of build-aux/make-schemas.py. All indexes and offsets are validated when
 * the block is created, so that readers need no checks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-block.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define N_ROWS 8
#define HEAD_SIZE (N_ROWS * sizeof (guint32))
/* Maximum number of fields of all layouts, which may have fields in common: a block of Windows
 * has at most 10,000. */
#define MAX_LAYOUT_FIELDS 1048576

typedef enum
{
  ROW_EVENTS,
  ROW_LAYOUTS,
  ROW_PLACES,
  ROW_FIELDS,
  ROW_MAPS,
  ROW_ENTRIES,
  ROW_KEYWORDS,
  ROW_TEXTS,
} Row;

typedef enum
{
  EVENT_TASK,
  EVENT_OPCODE,
  EVENT_KEYWORDS,
  EVENT_NAME,
  EVENT_CHANNEL,
  LAYOUT_FIRST,
  FIELD_NAME,
  MAP_FIRST,
  ENTRY_VALUE,
  ENTRY_NAME,
  KEYWORD_LOW,
  KEYWORD_HIGH,
  KEYWORD_NAME,
  EVENT_ID,
  EVENT_BUILD,
  EVENT_LAYOUT,
  LAYOUT_N_FIELDS,
  LAYOUT_N_TOP,
  PLACES,
  FIELD_MAP,
  FIELD_IN_TYPE,
  FIELD_COUNT,
  FIELD_LENGTH,
  FIELD_FIRST_MEMBER,
  FIELD_N_MEMBERS,
  MAP_N_ENTRIES,
  EVENT_VERSION,
  EVENT_LEVEL,
  FIELD_OUT_TYPE,
  FIELD_FLAGS,
  MAP_IS_BITMAP,
  N_COLUMNS,
} Column;

static const struct
{
  guint8 width;
  guint8 row;
} columns[N_COLUMNS] = {
  [EVENT_TASK] = { 4, ROW_EVENTS },       [EVENT_OPCODE] = { 4, ROW_EVENTS },
  [EVENT_KEYWORDS] = { 4, ROW_EVENTS },   [EVENT_NAME] = { 4, ROW_EVENTS },
  [EVENT_CHANNEL] = { 4, ROW_EVENTS },    [LAYOUT_FIRST] = { 4, ROW_LAYOUTS },
  [FIELD_NAME] = { 4, ROW_FIELDS },       [MAP_FIRST] = { 4, ROW_MAPS },
  [ENTRY_VALUE] = { 4, ROW_ENTRIES },     [ENTRY_NAME] = { 4, ROW_ENTRIES },
  [KEYWORD_LOW] = { 4, ROW_KEYWORDS },    [KEYWORD_HIGH] = { 4, ROW_KEYWORDS },
  [KEYWORD_NAME] = { 4, ROW_KEYWORDS },   [EVENT_ID] = { 2, ROW_EVENTS },
  [EVENT_BUILD] = { 2, ROW_EVENTS },      [EVENT_LAYOUT] = { 2, ROW_EVENTS },
  [LAYOUT_N_FIELDS] = { 2, ROW_LAYOUTS }, [LAYOUT_N_TOP] = { 2, ROW_LAYOUTS },
  [PLACES] = { 2, ROW_PLACES },           [FIELD_MAP] = { 2, ROW_FIELDS },
  [FIELD_IN_TYPE] = { 2, ROW_FIELDS },    [FIELD_COUNT] = { 2, ROW_FIELDS },
  [FIELD_LENGTH] = { 2, ROW_FIELDS },     [FIELD_FIRST_MEMBER] = { 2, ROW_FIELDS },
  [FIELD_N_MEMBERS] = { 2, ROW_FIELDS },  [MAP_N_ENTRIES] = { 2, ROW_MAPS },
  [EVENT_VERSION] = { 1, ROW_EVENTS },    [EVENT_LEVEL] = { 1, ROW_EVENTS },
  [FIELD_OUT_TYPE] = { 1, ROW_FIELDS },   [FIELD_FLAGS] = { 1, ROW_FIELDS },
  [MAP_IS_BITMAP] = { 1, ROW_MAPS },
};

struct _NsSchemaBlock
{
  char *provider_name;
  guint8 *bytes;
  guint32 n[N_ROWS];
  gsize begin[N_COLUMNS];
  gsize texts;
  GMutex lock;
  gpointer *schemas; /* (mutex lock): NsSchema by event; read without the lock, written with it */
  gpointer *layouts; /* (mutex lock): NsSchemaField arrays by layout */
  gpointer *maps;    /* (mutex lock): NsSchemaMap by map */
};

static guint32
get (const NsSchemaBlock *self, Column column, guint row)
{
  guint width = columns[column].width;
  const guint8 *bytes = self->bytes + self->begin[column] + (gsize) row * width;
  guint32 value = bytes[0];

  if (width >= 2)
    value |= (guint32) bytes[1] << 8;
  if (width == 4)
    value |= (guint32) bytes[2] << 16 | (guint32) bytes[3] << 24;
  return value;
}

static const char *
get_text (const NsSchemaBlock *self, Column column, guint row)
{
  guint32 offset = get (self, column, row);

  return offset == 0 ? NULL : (const char *) self->bytes + self->texts + offset;
}

static gboolean G_GNUC_PRINTF (3, 4)
    refuse (const NsSchemaBlock *self, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_TRUNCATED,
               _ ("The built-in schemas of %s cannot be used: %s"),
               self->provider_name,
               what);
  return FALSE;
}

static gboolean
place_columns (NsSchemaBlock *self, gsize size, GError **error)
{
  guint64 at = HEAD_SIZE;

  if (size < HEAD_SIZE)
    return refuse (self,
                   error,
                   ngettext ("%zu byte is not a valid block",
                             "%zu bytes are not a valid block",
                             size),
                   size);
  for (guint i = 0; i < N_ROWS; i++)
    {
      memcpy (&self->n[i], self->bytes + i * sizeof (guint32), sizeof (guint32));
      self->n[i] = GUINT32_FROM_LE (self->n[i]);
    }
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      self->begin[i] = (gsize) at;
      at += (guint64) self->n[columns[i].row] * columns[i].width;
      if (at > size)
        return refuse (self, error, _ ("column %u ends beyond its %zu bytes"), i, size);
    }
  self->texts = (gsize) at;
  if (self->n[ROW_TEXTS] == 0 || at + self->n[ROW_TEXTS] != size)
    return refuse (self, error, _ ("its string table does not end at the end of the block"));
  return TRUE;
}

static gboolean
check_texts (const NsSchemaBlock *self, GError **error)
{
  const char *text = (const char *) self->bytes + self->texts;
  const char *end = text + self->n[ROW_TEXTS];

  if (text[0] != '\0' || end[-1] != '\0')
    return refuse (self, error, _ ("its strings are not terminated"));
  for (; text < end; text += strlen (text) + 1)
    if (!g_utf8_validate (text, -1, NULL))
      return refuse (self, error, _ ("a string is not UTF-8"));
  return TRUE;
}

/* Checks that each text offset points to the first character of a text. */
static gboolean
check_offsets (const NsSchemaBlock *self, GError **error)
{
  static const Column of_texts[] = { EVENT_TASK,    EVENT_OPCODE, EVENT_KEYWORDS, EVENT_NAME,
                                     EVENT_CHANNEL, FIELD_NAME,   ENTRY_NAME,     KEYWORD_NAME };

  for (guint i = 0; i < G_N_ELEMENTS (of_texts); i++)
    for (guint row = 0; row < self->n[columns[of_texts[i]].row]; row++)
      {
        guint32 offset = get (self, of_texts[i], row);
        gboolean must_be = of_texts[i] >= FIELD_NAME;

        if (offset >= self->n[ROW_TEXTS] || (must_be && offset == 0) ||
            (offset > 0 && self->bytes[self->texts + offset - 1] != '\0'))
          return refuse (self, error, _ ("row %u of column %u is not a string"), row, of_texts[i]);
      }
  return TRUE;
}

static gboolean
check_events (const NsSchemaBlock *self, GError **error)
{
  guint32 before = 0;

  for (guint i = 0; i < self->n[ROW_EVENTS]; i++)
    {
      guint32 key = get (self, EVENT_ID, i) << 8 | get (self, EVENT_VERSION, i);

      if (key < before)
        return refuse (self, error, _ ("event %u is out of order"), i);
      before = key;
      if (get (self, EVENT_LAYOUT, i) >= self->n[ROW_LAYOUTS])
        return refuse (self, error, _ ("event %u has no layout"), i);
    }
  for (guint i = 0; i < self->n[ROW_KEYWORDS]; i++)
    if (get (self, KEYWORD_LOW, i) == 0 && get (self, KEYWORD_HIGH, i) == 0)
      return refuse (self, error, _ ("keyword %u has no bit"), i);
  return TRUE;
}

static gboolean
check_maps (const NsSchemaBlock *self, GError **error)
{
  for (guint i = 0; i < self->n[ROW_MAPS]; i++)
    if ((guint64) get (self, MAP_FIRST, i) + get (self, MAP_N_ENTRIES, i) > self->n[ROW_ENTRIES])
      return refuse (self, error, _ ("map %u ends beyond the entries"), i);
  for (guint i = 0; i < self->n[ROW_FIELDS]; i++)
    if (get (self, FIELD_MAP, i) > self->n[ROW_MAPS])
      return refuse (self, error, _ ("field %u has no map"), i);
  for (guint i = 0; i < self->n[ROW_PLACES]; i++)
    if (get (self, PLACES, i) >= self->n[ROW_FIELDS])
      return refuse (self, error, _ ("place %u has no field"), i);
  return TRUE;
}

/* Returns whether references of a field point to earlier fields, and members follow the
 * top-level fields. */
static gboolean
is_field_sound (const NsSchemaBlock *self, guint layout, guint number)
{
  guint field = get (self, PLACES, get (self, LAYOUT_FIRST, layout) + number);
  guint flags = get (self, FIELD_FLAGS, field);
  guint first = get (self, FIELD_FIRST_MEMBER, field);

  if ((flags & NS_FIELD_LENGTH_REF) != 0 && get (self, FIELD_LENGTH, field) >= number)
    return FALSE;
  if ((flags & NS_FIELD_COUNT_REF) != 0 && get (self, FIELD_COUNT, field) >= number)
    return FALSE;
  if ((flags & NS_FIELD_STRUCT) == 0)
    return get (self, FIELD_IN_TYPE, field) != NS_IN_NULL;
  /* members follow the struct itself, so that no struct can contain itself */
  return first > number && first >= get (self, LAYOUT_N_TOP, layout) &&
         first + get (self, FIELD_N_MEMBERS, field) <= get (self, LAYOUT_N_FIELDS, layout);
}

static gboolean
check_layouts (const NsSchemaBlock *self, GError **error)
{
  guint32 sum = 0;

  for (guint i = 0; i < self->n[ROW_LAYOUTS]; i++)
    {
      guint n_fields = get (self, LAYOUT_N_FIELDS, i);

      sum += n_fields;
      if (sum > MAX_LAYOUT_FIELDS)
        return refuse (self,
                       error,
                       ngettext ("its layouts have more than %d field",
                                 "its layouts have more than %d fields",
                                 MAX_LAYOUT_FIELDS),
                       MAX_LAYOUT_FIELDS);
      if (n_fields > NS_SCHEMA_MAX_FIELDS || get (self, LAYOUT_N_TOP, i) > n_fields ||
          (guint64) get (self, LAYOUT_FIRST, i) + n_fields > self->n[ROW_PLACES])
        return refuse (self,
                       error,
                       ngettext ("layout %u has %u field", "layout %u has %u fields", n_fields),
                       i,
                       n_fields);
      for (guint k = 0; k < n_fields; k++)
        if (!is_field_sound (self, i, k))
          return refuse (self, error, _ ("field %u of layout %u has an invalid reference"), k, i);
    }
  return TRUE;
}

/**
 * ns_schema_block_new:
 * @provider_name: name of the provider
 * @bytes: (transfer full) (array length=size): the decompressed block
 * @size: its size in bytes
 * @error: return location
 *
 * Validates the block, in time linear in @size and in the number of fields of all layouts, which is
 * limited.
 *
 * Returns: (transfer full) (nullable): the block; %NULL with @error set to
 *   %NS_TRACE_ERROR_TRUNCATED if it is invalid
 */
NsSchemaBlock *
ns_schema_block_new (const char *provider_name, guint8 *bytes, gsize size, GError **error)
{
  g_autoptr (NsSchemaBlock) self = g_new0 (NsSchemaBlock, 1);

  self->provider_name = g_strdup (provider_name);
  self->bytes = bytes;
  g_mutex_init (&self->lock);
  if (!place_columns (self, size, error) || !check_texts (self, error) ||
      !check_offsets (self, error) || !check_events (self, error) || !check_maps (self, error) ||
      !check_layouts (self, error))
    return NULL;
  self->schemas = g_new0 (gpointer, self->n[ROW_EVENTS]);
  self->layouts = g_new0 (gpointer, self->n[ROW_LAYOUTS]);
  self->maps = g_new0 (gpointer, self->n[ROW_MAPS]);
  return g_steal_pointer (&self);
}

static void
free_map (NsSchemaMap *map)
{
  if (map == NULL)
    return;
  g_free ((gpointer) map->values);
  g_free ((gpointer) map->names);
  g_free (map);
}

/**
 * ns_schema_block_free:
 * @self: (transfer full) (nullable): a block
 *
 * Frees @self and its schemas.
 */
void
ns_schema_block_free (NsSchemaBlock *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; self->schemas != NULL && i < self->n[ROW_EVENTS]; i++)
    g_free (self->schemas[i]);
  for (guint i = 0; self->layouts != NULL && i < self->n[ROW_LAYOUTS]; i++)
    g_free (self->layouts[i]);
  for (guint i = 0; self->maps != NULL && i < self->n[ROW_MAPS]; i++)
    free_map (self->maps[i]);
  g_free (self->schemas);
  g_free (self->layouts);
  g_free (self->maps);
  g_mutex_clear (&self->lock);
  g_free (self->provider_name);
  g_free (self->bytes);
  g_free (self);
}

/**
 * ns_schema_block_get_n_events:
 * @self: a block
 *
 * Returns: the number of event rows
 */
guint
ns_schema_block_get_n_events (const NsSchemaBlock *self)
{
  return self->n[ROW_EVENTS];
}

/**
 * ns_schema_block_get_id:
 * @self: a block
 * @number: row of an event
 *
 * Returns: its event ID
 */
guint16
ns_schema_block_get_id (const NsSchemaBlock *self, guint number)
{
  return (guint16) get (self, EVENT_ID, number);
}

/**
 * ns_schema_block_get_version:
 * @self: a block
 * @number: row of an event
 *
 * Returns: its version
 */
guint8
ns_schema_block_get_version (const NsSchemaBlock *self, guint number)
{
  return (guint8) get (self, EVENT_VERSION, number);
}

/**
 * ns_schema_block_find:
 * @self: a block
 * @id: ID of an event
 * @n_events: (out): number of rows with this ID: versions, and builds with different layouts
 *
 * Returns: the first of these rows, which are sorted by version, then by build, newest first
 */
guint
ns_schema_block_find (const NsSchemaBlock *self, guint16 id, guint *n_events)
{
  guint begin = 0;
  guint end = self->n[ROW_EVENTS];
  guint n = 0;

  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;

      if (get (self, EVENT_ID, middle) < id)
        begin = middle + 1;
      else
        end = middle;
    }
  while (begin + n < self->n[ROW_EVENTS] && get (self, EVENT_ID, begin + n) == id)
    n++;
  *n_events = n;
  return begin;
}

/* Returns the map, created on first use; the lock is held. */
static const NsSchemaMap *
create_map (NsSchemaBlock *self, guint number)
{
  guint n = get (self, MAP_N_ENTRIES, number);
  guint first = get (self, MAP_FIRST, number);
  NsSchemaMap *map = self->maps[number];
  guint32 *values;
  const char **names;

  if (map != NULL)
    return map;
  values = g_new (guint32, n);
  names = g_new (const char *, n);
  for (guint i = 0; i < n; i++)
    {
      values[i] = get (self, ENTRY_VALUE, first + i);
      names[i] = get_text (self, ENTRY_NAME, first + i);
    }
  map = g_new0 (NsSchemaMap, 1);
  map->is_bitmap = get (self, MAP_IS_BITMAP, number) != 0;
  map->n_entries = n;
  map->values = values;
  map->names = names;
  self->maps[number] = map;
  return map;
}

/* Returns the fields of a layout, created on first use; the lock is held. */
static const NsSchemaField *
create_fields (NsSchemaBlock *self, guint layout)
{
  guint n = get (self, LAYOUT_N_FIELDS, layout);
  NsSchemaField *fields = self->layouts[layout];

  if (fields != NULL || n == 0)
    return fields;
  fields = g_new0 (NsSchemaField, n);
  for (guint i = 0; i < n; i++)
    {
      guint from = get (self, PLACES, get (self, LAYOUT_FIRST, layout) + i);
      guint map = get (self, FIELD_MAP, from);

      fields[i].name = get_text (self, FIELD_NAME, from);
      fields[i].map = map == 0 ? NULL : create_map (self, map - 1);
      fields[i].in_type = (guint16) get (self, FIELD_IN_TYPE, from);
      fields[i].out_type = (guint16) get (self, FIELD_OUT_TYPE, from);
      fields[i].flags = (guint16) get (self, FIELD_FLAGS, from);
      fields[i].count = (guint16) get (self, FIELD_COUNT, from);
      fields[i].length = (guint16) get (self, FIELD_LENGTH, from);
      fields[i].first_member = (guint16) get (self, FIELD_FIRST_MEMBER, from);
      fields[i].n_members = (guint16) get (self, FIELD_N_MEMBERS, from);
    }
  self->layouts[layout] = fields;
  return fields;
}

static NsSchema *
create_schema (NsSchemaBlock *self, guint number)
{
  guint layout = get (self, EVENT_LAYOUT, number);
  NsSchema *schema = g_new0 (NsSchema, 1);

  schema->source = NS_SCHEMA_BUILTIN;
  schema->build = get (self, EVENT_BUILD, number);
  schema->version = (guint8) get (self, EVENT_VERSION, number);
  schema->has_version = TRUE;
  schema->provider_name = self->provider_name;
  schema->event_name = get_text (self, EVENT_NAME, number);
  schema->task_name = get_text (self, EVENT_TASK, number);
  schema->opcode_name = get_text (self, EVENT_OPCODE, number);
  schema->level_name = ns_schema_level_name (get (self, EVENT_LEVEL, number));
  schema->channel_name = get_text (self, EVENT_CHANNEL, number);
  schema->keyword_names = get_text (self, EVENT_KEYWORDS, number);
  schema->n_fields = get (self, LAYOUT_N_FIELDS, layout);
  schema->n_top = get (self, LAYOUT_N_TOP, layout);
  schema->fields = create_fields (self, layout);
  return schema;
}

/**
 * ns_schema_block_get:
 * @self: a block
 * @number: row of an event
 *
 * Thread-safe.
 *
 * Returns: (transfer none): its layout, which lives as long as the block
 */
const NsSchema *
ns_schema_block_get (NsSchemaBlock *self, guint number)
{
  gpointer schema = g_atomic_pointer_get (&self->schemas[number]);

  if (schema != NULL)
    return schema;
  g_mutex_lock (&self->lock);
  schema = self->schemas[number];
  if (schema == NULL)
    {
      schema = create_schema (self, number);
      g_atomic_pointer_set (&self->schemas[number], schema);
    }
  g_mutex_unlock (&self->lock);
  return schema;
}

/**
 * ns_schema_block_get_keyword:
 * @self: a block
 * @bit: one bit of a keyword
 *
 * Returns: (transfer none) (nullable): the provider's name for it
 */
const char *
ns_schema_block_get_keyword (const NsSchemaBlock *self, guint64 bit)
{
  for (guint i = 0; i < self->n[ROW_KEYWORDS]; i++)
    if (((guint64) get (self, KEYWORD_HIGH, i) << 32 | get (self, KEYWORD_LOW, i)) == bit)
      return get_text (self, KEYWORD_NAME, i);
  return NULL;
}

/**
 * ns_schema_level_name:
 * @level: level of an event
 *
 * Returns: (transfer none) (nullable): its name in winmeta.xml, without prefix; %NULL for levels
 *   that providers define
 */
const char *
ns_schema_level_name (guint level)
{
  static const char *const names[] = { "LogAlways", "Critical",      "Error",
                                       "Warning",   "Informational", "Verbose" };

  return level < G_N_ELEMENTS (names) ? names[level] : NULL;
}

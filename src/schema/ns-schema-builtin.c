/* The schemas we bring along: found by binary search, dressed when first asked for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-builtin.h"

#include "schema/ns-schema-builtin-data.h"
#include "schema/ns-schema-office.h"

/* What was dressed so far, by number; never freed, as callers keep the pointers.  A slot is read
 * without the lock and written under it.
 */
static GMutex lock;
static gpointer *schemas; /* (mutex lock) NsSchema by event */
static gpointer *layouts; /* (mutex lock) NsSchemaField arrays by layout */
static gpointer *maps;    /* (mutex lock) NsSchemaMap by map */

static const char *
get_text (guint32 offset)
{
  return offset == 0 ? NULL : ns_builtin_pool + offset;
}

static const char *
get_level_name (guint8 level)
{
  /* As winmeta.xml names them, without its prefix. */
  static const char *const names[] = { "LogAlways", "Critical",      "Error",
                                       "Warning",   "Informational", "Verbose" };

  return level < G_N_ELEMENTS (names) ? names[level] : NULL;
}

/* With the lock held. */
static const NsSchemaMap *
get_map (guint16 number)
{
  const NsBuiltinMap *from;
  NsSchemaMap *map;
  guint32 *values;
  const char **names;

  if (number == 0)
    return NULL;
  if (maps[number - 1] != NULL)
    return maps[number - 1];

  from = &ns_builtin_maps[number - 1];
  values = g_new (guint32, from->n_entries);
  names = g_new (const char *, from->n_entries);
  for (guint i = 0; i < from->n_entries; i++)
    {
      const NsBuiltinEntry *entry = &ns_builtin_entries[from->first + i];

      values[i] = entry->value;
      names[i] = ns_builtin_pool + entry->name;
    }

  map = g_new0 (NsSchemaMap, 1);
  map->is_bitmap = from->is_bitmap;
  map->n_entries = from->n_entries;
  map->values = values;
  map->names = names;
  maps[number - 1] = map;
  return map;
}

/* With the lock held. */
static const NsSchemaField *
get_fields (guint16 number)
{
  const NsBuiltinLayout *layout = &ns_builtin_layouts[number];
  NsSchemaField *fields;

  if (layouts[number] != NULL || layout->n_fields == 0)
    return layouts[number];

  fields = g_new0 (NsSchemaField, layout->n_fields);
  for (guint i = 0; i < layout->n_fields; i++)
    {
      const NsBuiltinField *from = &ns_builtin_fields[ns_builtin_layout_fields[layout->first + i]];

      fields[i].name = ns_builtin_pool + from->name;
      fields[i].map = get_map (from->map);
      fields[i].in_type = from->in_type;
      fields[i].out_type = from->out_type;
      fields[i].flags = from->flags;
      fields[i].count = from->count;
      fields[i].length = from->length;
      fields[i].first_member = from->first_member;
      fields[i].n_members = from->n_members;
    }
  layouts[number] = fields;
  return fields;
}

static const NsBuiltinProvider *
find_provider (const NsGuid *guid)
{
  guint begin = 0;
  guint end = ns_builtin_n_providers;

  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;
      int order = memcmp (guid->bytes, ns_builtin_providers[middle].guid.bytes, sizeof guid->bytes);

      if (order == 0)
        return &ns_builtin_providers[middle];
      if (order < 0)
        end = middle;
      else
        begin = middle + 1;
    }
  return NULL;
}

/* The number of the event with @id and @version or the nearest lower one, or -1. */
static gint
find_event (const NsBuiltinProvider *provider, guint16 id, guint8 version)
{
  guint begin = provider->first_event;
  guint end = begin + provider->n_events;
  guint32 wanted = (guint32) id << 8 | version;

  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;
      const NsBuiltinEvent *event = &ns_builtin_events[middle];

      if (((guint32) event->id << 8 | event->version) <= wanted)
        begin = middle + 1;
      else
        end = middle;
    }
  if (begin == provider->first_event || ns_builtin_events[begin - 1].id != id)
    return -1;
  return (gint) begin - 1;
}

static const NsSchema *
dress (const NsBuiltinProvider *provider, guint number)
{
  const NsBuiltinEvent *event = &ns_builtin_events[number];
  NsSchema *schema;
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&lock);

  if (schemas[number] != NULL)
    return schemas[number];

  schema = g_new0 (NsSchema, 1);
  schema->source = NS_SCHEMA_BUILTIN;
  schema->provider_name = get_text (provider->name);
  schema->event_name = get_text (event->name);
  schema->task_name = get_text (event->task);
  schema->opcode_name = get_text (event->opcode);
  schema->level_name = get_level_name (event->level);
  schema->channel_name = get_text (event->channel);
  schema->keyword_names = get_text (event->keywords);
  schema->n_fields = ns_builtin_layouts[event->layout].n_fields;
  schema->n_top = ns_builtin_layouts[event->layout].n_top;
  schema->fields = get_fields (event->layout);
  g_atomic_pointer_set (&schemas[number], schema);
  return schema;
}

/**
 * ns_schema_builtin_find:
 * @provider: provider of the event
 * @id: its id
 * @version: its version
 *
 * Manifests only append fields as versions grow, apart from a few events, so that a version we do
 * not know is read with the nearest lower one.
 *
 * Any thread may call this.
 *
 * Returns: (transfer none) (nullable): the layout, which lives as long as the program
 */
const NsSchema *
ns_schema_builtin_find (const NsGuid *provider, guint16 id, guint8 version)
{
  static gsize ready = 0;
  const NsBuiltinProvider *found = find_provider (provider);
  const NsSchema *schema;
  gint number;

  if (found == NULL)
    return ns_schema_office_find (provider, id);
  number = find_event (found, id, version);
  if (number < 0)
    return NULL;

  if (g_once_init_enter (&ready))
    {
      schemas = g_new0 (gpointer, ns_builtin_n_events);
      layouts = g_new0 (gpointer, ns_builtin_n_layouts);
      maps = g_new0 (gpointer, ns_builtin_n_maps);
      g_once_init_leave (&ready, 1);
    }
  schema = g_atomic_pointer_get (&schemas[number]);
  return schema != NULL ? schema : dress (found, (guint) number);
}

/**
 * ns_schema_builtin_provider_name:
 * @provider: a provider
 *
 * Returns: (transfer none) (nullable): its name, when we bring schemas for it
 */
const char *
ns_schema_builtin_provider_name (const NsGuid *provider)
{
  const NsBuiltinProvider *found = find_provider (provider);

  return found == NULL ? NULL : get_text (found->name);
}

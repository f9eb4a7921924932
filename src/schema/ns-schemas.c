/* Finds the best layout of an event among all sources, in constant time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-provider-guids.h"
#include "schema/ns-schema.h"

#include "base/ns-hash.h"
#include "base/ns-map.h"
#include "schema/ns-schema-builtin.h"
#include "schema/ns-schema-classic.h"
#include "schema/ns-schema-correct.h"
#include "schema/ns-schema-embedded.h"
#include "schema/ns-schema-manifest.h"
#include "schema/ns-schema-names.h"
#include "schema/ns-schema-office.h"
#include "schema/ns-schema-refusals.h"
#include "schema/ns-schema-sent.h"
#include "schema/ns-schema-tracelogging.h"

#include <string.h>

/* Highest provider number of a file with an index; others are looked up by GUID. */
#define MAX_DENSE 65536
#define OP_EVENT_INFO 32
#define OP_MAP_INFO 33

/* Cache entry of events whose layout depends on each payload. */
#define EACH_ITS_OWN G_MAXUINT32

/* Flags of keys that combine a version with an opcode or a group, in place of an event ID. */
#define KEY_OPCODE (G_GUINT64_CONSTANT (1) << 32)
#define KEY_GROUP (G_GUINT64_CONSTANT (1) << 33)

typedef struct
{
  NsGuid guid;
  const char *name;
  const NsSchema *none; /* for events without a description */
  const NsSchema *wpp;
} Provider;

typedef struct
{
  NsGuid guid;
  guint32 number;
} Dense;

/* Description inside an event, stored so that repetitions are recognized. */
typedef struct
{
  guint64 hash;
  guint32 provider;
  guint16 description_size;
  guint16 traits_size;
  const guint8 *bytes; /* description, followed by traits */
  const NsSchema *schema;
  guint32 next; /* next entry with the same hash; 1-based */
} SelfDescribed;

struct _NsSchemas
{
  GMutex lock;           /* held by ns_schemas_find_shared() */
  NsSchemaData *builtin; /* NULL: the compiled-in data is invalid */
  NsSchemaPool *pool;
  GArray *providers; /* (element-type Provider): number 0 is unused */
  NsMap *by_guid;
  GArray *dense;    /* (element-type Dense): by provider number of the file */
  GPtrArray *found; /* (element-type NsSchema): targets of the maps below; 0 is unused */
  NsMap *learned[NS_SCHEMA_USER + 1]; /* (provider, key) → index in @found, by source */
  NsMap *contents; /* hash of a description → 1, so that repetitions are not parsed again */
  NsMap *cache;    /* (provider, key) → index in @found */
  GArray *self_described; /* (element-type SelfDescribed): 0 is unused */
  NsMap *by_content;      /* hash → index in @self_described */
  GHashTable *maps;       /* name and provider → NsSchemaMap */
  NsSchemaClassic *classic;
  NsSchemaOffice *office;
  NsSchemaSent *sent;
  NsSchemaRefusals *refusals;
  guint64 n_rejected;
};

static const NsGuid event_metadata = NS_GUID_EVENT_METADATA;

static const NsSchemaField string_only_field = {
  .name = "Message",
  .in_type = NS_IN_UNICODESTRING,
  .out_type = NS_OUT_STRING,
  .count = 1,
};
static const NsSchema string_only = {
  .source = NS_SCHEMA_BUILTIN,
  .n_fields = 1,
  .n_top = 1,
  .fields = &string_only_field,
};

/**
 * ns_schemas_new:
 * @builtin: (nullable): built-in layouts that several stores share; %NULL: it opens its own
 *
 * Returns: (transfer full): a store with built-in layouts
 */
NsSchemas *
ns_schemas_new (NsSchemaData *builtin)
{
  NsSchemas *self = g_new0 (NsSchemas, 1);
  guint i;

  self->builtin = builtin != NULL ? ns_schema_data_ref (builtin) : ns_schema_builtin_new ();
  g_mutex_init (&self->lock);
  self->pool = ns_schema_pool_new ();
  self->providers = g_array_new (FALSE, TRUE, sizeof (Provider));
  g_array_set_size (self->providers, 1);
  self->by_guid = ns_map_new ();
  self->dense = g_array_new (FALSE, TRUE, sizeof (Dense));
  self->found = g_ptr_array_new ();
  g_ptr_array_add (self->found, NULL);
  for (i = 0; i < G_N_ELEMENTS (self->learned); i++)
    self->learned[i] = ns_map_new ();
  self->contents = ns_map_new ();
  self->cache = ns_map_new ();
  self->self_described = g_array_new (FALSE, TRUE, sizeof (SelfDescribed));
  g_array_set_size (self->self_described, 1);
  self->by_content = ns_map_new ();
  self->maps = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  self->sent = ns_schema_sent_new ();
  self->refusals = ns_schema_refusals_new ();
  self->classic = ns_schema_classic_new ();
  self->office = ns_schema_office_new ();
  return self;
}

/**
 * ns_schemas_free:
 * @self: (transfer full) (nullable): a store
 *
 * Frees @self and its layouts.
 */
void
ns_schemas_free (NsSchemas *self)
{
  guint i;

  if (self == NULL)
    return;
  g_mutex_clear (&self->lock);
  for (i = 0; i < G_N_ELEMENTS (self->learned); i++)
    ns_map_free (self->learned[i]);
  ns_schema_sent_free (self->sent);
  ns_schema_refusals_free (self->refusals);
  ns_schema_classic_free (self->classic);
  ns_schema_office_free (self->office);
  ns_schema_data_unref (self->builtin);
  g_hash_table_unref (self->maps);
  ns_map_free (self->by_content);
  g_array_unref (self->self_described);
  ns_map_free (self->cache);
  ns_map_free (self->contents);
  g_ptr_array_unref (self->found);
  g_array_unref (self->dense);
  ns_map_free (self->by_guid);
  g_array_unref (self->providers);
  ns_schema_pool_free (self->pool);
  g_free (self);
}

static guint32
intern_guid (NsSchemas *self, const NsGuid *guid)
{
  guint64 low = ns_guid_low (guid);
  guint64 high = ns_guid_high (guid);
  guint32 number = ns_map_get (self->by_guid, low, high);
  Provider provider = { .guid = *guid };

  if (number != 0)
    return number;
  g_array_append_val (self->providers, provider);
  number = self->providers->len - 1;
  ns_map_set (self->by_guid, low, high, number);
  return number;
}

static guint32
intern_provider (NsSchemas *self, const NsRecord *record)
{
  Dense *dense;

  if (record->provider >= MAX_DENSE)
    return intern_guid (self, &record->guid);
  if (record->provider >= self->dense->len)
    g_array_set_size (self->dense, record->provider + 1);
  dense = &g_array_index (self->dense, Dense, record->provider);
  if (dense->number == 0 || !ns_guid_equal (&dense->guid, &record->guid))
    {
      dense->guid = record->guid;
      dense->number = intern_guid (self, &record->guid);
    }
  return dense->number;
}

static guint32
keep (NsSchemas *self, const NsSchema *schema)
{
  g_ptr_array_add (self->found, (gpointer) schema);
  return self->found->len - 1;
}

static guint64
hash_bytes (guint64 hash, const guint8 *data, gsize size)
{
  NsCursor cursor;

  ns_cursor_init (&cursor, data, size);
  while (ns_cursor_left (&cursor) >= 8)
    hash = ns_map_mix (hash, ns_cursor_u64 (&cursor));
  while (ns_cursor_left (&cursor) > 0)
    hash = ns_map_mix (hash, ns_cursor_u8 (&cursor));
  return hash;
}

static void
forget_answers (NsSchemas *self)
{
  if (ns_map_get_size (self->cache) == 0)
    return;
  ns_map_free (self->cache);
  self->cache = ns_map_new ();
}

/* Returns the name of a provider that does not depend on the trace; %NULL: it is unknown. */
static const char *
find_known_name (const NsSchemas *self, const NsGuid *guid)
{
  const char *name = ns_schema_builtin_provider_name (self->builtin, guid);

  if (name == NULL)
    name = ns_classic_class_name (guid);
  if (name == NULL)
    name = ns_schema_names_find (guid);
  return name;
}

/* Sets the name of a provider according to the trace. If descriptions name it differently, as some
 * are damaged, the known name takes precedence, so that it does not depend on their order; else the
 * first. */
static void
set_provider_name (NsSchemas *self, guint32 provider, const char *name)
{
  Provider *row = &g_array_index (self->providers, Provider, provider);

  if (name == NULL || (row->name != NULL && strcmp (name, row->name) == 0))
    return;
  if (row->name == NULL || g_strcmp0 (name, find_known_name (self, &row->guid)) == 0)
    {
      row->name = name;
      row->none = NULL;
      row->wpp = NULL;
    }
}

static void
add_learned (NsSchemas *self, const NsGuid *guid, guint64 key, const NsSchema *schema)
{
  guint32 provider = intern_guid (self, guid);

  ns_map_set (self->learned[schema->source], provider, key, keep (self, schema));
  set_provider_name (self, provider, schema->provider_name);
  forget_answers (self);
}

/* Returns the map of a name, creating it if needed: maps may be described before or after the
 * events that use them. */
static NsSchemaMap *
get_map (NsSchemas *self, const NsGuid *provider, const char *name)
{
  char guid[NS_GUID_TEXT_SIZE];
  g_autofree char *key = g_strconcat (ns_guid_to_text (provider, guid), name, NULL);
  NsSchemaMap *map = g_hash_table_lookup (self->maps, key);

  if (map == NULL)
    {
      map = ns_arena_alloc (self->pool->arena, sizeof *map);
      memset (map, 0, sizeof *map);
      g_hash_table_insert (self->maps, g_steal_pointer (&key), map);
    }
  return map;
}

static const NsSchemaMap *
find_map_cb (const NsGuid *provider, const char *name, gpointer user_data)
{
  return get_map (user_data, provider, name);
}

static gboolean
learn_event_info (NsSchemas *self, const NsRecord *record)
{
  NsSchemaEmbedded described;
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  if (!ns_schema_embedded_parse (self->pool, cursor, find_map_cb, self, &described))
    return FALSE;
  if (described.is_classic)
    add_learned (self,
                 &described.event_class,
                 KEY_OPCODE | described.opcode << 8 | described.version,
                 described.schema);
  else
    add_learned (self,
                 &described.provider,
                 (guint64) described.id << 8 | described.version,
                 described.schema);
  set_provider_name (self,
                     intern_guid (self, &described.provider),
                     described.schema->provider_name);
  return TRUE;
}

static gboolean
learn_map_info (NsSchemas *self, const NsRecord *record)
{
  const char *name;
  NsSchemaMap map;
  NsCursor cursor;
  NsGuid provider;

  ns_record_cursor (record, &cursor);
  if (!ns_schema_embedded_parse_map (self->pool, cursor, &provider, &name, &map))
    return FALSE;
  *get_map (self, &provider, name) = map;
  return TRUE;
}

static void
add_manifest_event (const NsGuid *provider,
                    guint16 id,
                    guint8 version,
                    NsSchema *schema,
                    gpointer user_data)
{
  NsSchemas *self = user_data;

  const NsSchema *builtin;

  if (schema->source == NS_SCHEMA_USER)
    {
      builtin = ns_schema_office_find (self->office, provider, id);
      if (builtin == NULL)
        builtin = ns_schema_builtin_find (self->builtin, provider, id, version);
      ns_schema_correct_from (self->pool, schema, provider, builtin);
    }
  add_learned (self, provider, (guint64) id << 8 | version, schema);
}

static void
add_mof_event (const NsGuid *event_class,
               guint8 opcode,
               guint8 version,
               NsSchema *schema,
               gpointer user_data)
{
  add_learned (user_data, event_class, KEY_OPCODE | (guint64) opcode << 8 | version, schema);
}

static gboolean
learn_sent_manifest (NsSchemas *self, const NsRecord *record)
{
  g_autoptr (GString) xml = NULL;
  g_autoptr (GError) error = NULL;
  guint64 hash;

  if (!ns_schema_sent_add (self->sent, record, &xml))
    return FALSE;
  if (xml == NULL)
    return TRUE;
  hash = hash_bytes (xml->len, (const guint8 *) xml->str, xml->len);
  if (ns_map_get (self->contents, hash, xml->len) != 0)
    return TRUE;
  ns_map_set (self->contents, hash, xml->len, 1);
  if (ns_schema_manifest_parse (self->pool,
                                xml->str,
                                xml->len,
                                NS_SCHEMA_EVENTSOURCE,
                                add_manifest_event,
                                self,
                                &error))
    return TRUE;
  if (g_error_matches (error, NS_TRACE_ERROR, NS_TRACE_ERROR_LIMIT))
    ns_schema_refusals_add (self->refusals, record, error->message);
  return FALSE;
}

/**
 * ns_schemas_learn:
 * @self: a store
 * @record: any record, in time order
 *
 * Adds the descriptions in records: event and map descriptions written by a merge, and pieces of
 * manifests sent as events. For a repeated description only a hash is computed.
 *
 * Returns: %TRUE if the record is a description, valid or not
 */
gboolean
ns_schemas_learn (NsSchemas *self, const NsRecord *record)
{
  gboolean is_info = (record->flags & (NS_RECORD_MANIFEST | NS_RECORD_GROUP)) == 0 &&
                     record->kind != NS_RECORD_MESSAGE &&
                     (record->opcode == OP_EVENT_INFO || record->opcode == OP_MAP_INFO) &&
                     ns_guid_equal (&record->guid, &event_metadata);
  gboolean is_sent = (record->flags & NS_RECORD_MANIFEST) != 0 && record->id == NS_SCHEMA_SENT_ID;
  gboolean is_good;
  guint64 hash;

  if (!is_info && !is_sent)
    return FALSE;
  if (ns_schema_pool_is_full (self->pool))
    {
      self->n_rejected++;
      return TRUE;
    }
  if (is_sent)
    {
      is_good = learn_sent_manifest (self, record);
    }
  else
    {
      hash = hash_bytes (record->opcode, record->payload, record->payload_size);
      if (ns_map_get (self->contents, hash, record->payload_size) != 0)
        return TRUE;
      ns_map_set (self->contents, hash, record->payload_size, 1);
      is_good = record->opcode == OP_EVENT_INFO ? learn_event_info (self, record)
                                                : learn_map_info (self, record);
    }
  if (!is_good)
    self->n_rejected++;
  return TRUE;
}

/**
 * ns_schemas_add_manifests:
 * @self: a store
 * @path: an instrumentation manifest (.man, .xml) or event classes (.mof), or a folder of them
 * @error: return location
 *
 * Reads manifests of the user; invalid files in a folder are counted as rejected.
 *
 * Returns: %TRUE if they describe at least one event, else %FALSE with @error set
 */
gboolean
ns_schemas_add_manifests (NsSchemas *self, const char *path, GError **error)
{
  return ns_schema_manifest_load (self->pool,
                                  path,
                                  add_manifest_event,
                                  add_mof_event,
                                  self,
                                  &self->n_rejected,
                                  error);
}

/* Returns the layout from that source, of the version or of the nearest lower one. */
static const NsSchema *
find_learned (NsSchemas *self, NsSchemaSource source, guint32 provider, guint64 key, gboolean exact)
{
  guint64 lowest = exact ? key : key & ~G_GUINT64_CONSTANT (0xff);

  for (;; key--)
    {
      guint32 number = ns_map_get (self->learned[source], provider, key);

      if (number != 0)
        return g_ptr_array_index (self->found, number);
      if (key == lowest)
        return NULL;
    }
}

static const NsSchema *
get_undescribed (NsSchemas *self, guint32 provider, gboolean is_wpp)
{
  Provider *row = &g_array_index (self->providers, Provider, provider);
  const NsSchema **slot = is_wpp ? &row->wpp : &row->none;

  if (*slot == NULL)
    {
      NsSchema *schema =
          ns_schema_pool_new_schema (self->pool, is_wpp ? NS_SCHEMA_WPP : NS_SCHEMA_NONE, NULL, 0);

      schema->provider_name = ns_schemas_get_provider_name (self, &row->guid);
      *slot = schema;
    }
  return *slot;
}

/* Finds the layout of a manifest event: a source with the exact version takes precedence over a
 * source with a lower one. */
static const NsSchema *
look_up_manifest (NsSchemas *self,
                  const NsRecord *record,
                  guint32 provider,
                  gboolean *depends_on_payload)
{
  static const NsSchemaSource order[] = { NS_SCHEMA_EMBEDDED,
                                          NS_SCHEMA_EVENTSOURCE,
                                          NS_SCHEMA_USER };
  guint64 key = (guint64) record->id << 8 | (record->version & 0xff);
  const NsSchema *builtin;
  const NsSchema *schema = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (order) && schema == NULL; i++)
    schema = find_learned (self, order[i], provider, key, TRUE);
  if (schema != NULL)
    return schema;
  builtin = ns_schema_office_find (self->office, &record->guid, record->id);
  if (builtin == NULL)
    builtin = ns_schema_builtin_choose (self->builtin, record, depends_on_payload);
  if (builtin != NULL && builtin->has_version && builtin->version == (record->version & 0xff))
    return builtin;
  for (i = 0; i < G_N_ELEMENTS (order) && schema == NULL; i++)
    schema = find_learned (self, order[i], provider, key, FALSE);
  if (schema == NULL)
    return builtin;
  *depends_on_payload = FALSE;
  return schema;
}

/* Finds the layout of a classic event: the user's own layout of the exact version takes
 * precedence; one of a lower version is the last resort. */
static const NsSchema *
look_up_classic (NsSchemas *self, const NsRecord *record, guint32 provider)
{
  guint64 key = KEY_OPCODE | (guint64) record->opcode << 8 | (record->version & 0xff);
  const NsSchema *known = ns_schema_classic_find (self->classic, record);
  const NsSchema *schema = find_learned (self, NS_SCHEMA_USER, provider, key, TRUE);

  if (schema == NULL && known != NULL && known->n_fields > 0)
    schema = known;
  if (schema == NULL)
    schema = find_learned (self, NS_SCHEMA_EMBEDDED, provider, key, FALSE);
  if (schema == NULL)
    schema = find_learned (self, NS_SCHEMA_USER, provider, key, FALSE);
  return schema != NULL ? schema : known;
}

static gboolean
is_same (const SelfDescribed *row,
         guint32 provider,
         const NsExtItem *description,
         const NsExtItem *traits)
{
  return row->provider == provider && row->description_size == description->size &&
         row->traits_size == traits->size &&
         memcmp (row->bytes, description->data, description->size) == 0 &&
         (traits->size == 0 ||
          memcmp (row->bytes + row->description_size, traits->data, traits->size) == 0);
}

static const NsSchema *
add_self_described (NsSchemas *self,
                    guint32 provider,
                    guint64 hash,
                    const NsExtItem *description,
                    const NsExtItem *traits)
{
  SelfDescribed row = { .hash = hash, .provider = provider };
  guint8 *bytes;

  if (ns_schema_pool_is_full (self->pool))
    {
      self->n_rejected++;
      return get_undescribed (self, provider, FALSE);
    }
  row.schema =
      ns_schema_tracelogging_parse (self->pool, description, traits->size > 0 ? traits : NULL);
  if (row.schema == NULL)
    {
      self->n_rejected++;
      row.schema = get_undescribed (self, provider, FALSE);
    }
  else
    set_provider_name (self, provider, row.schema->provider_name);

  bytes = ns_arena_alloc (self->pool->arena, (gsize) description->size + traits->size);
  memcpy (bytes, description->data, description->size);
  if (traits->size > 0)
    memcpy (bytes + description->size, traits->data, traits->size);
  row.bytes = bytes;
  row.description_size = description->size;
  row.traits_size = traits->size;
  row.next = ns_map_get (self->by_content, hash, provider);
  g_array_append_val (self->self_described, row);
  ns_map_set (self->by_content, hash, provider, self->self_described->len - 1);
  return row.schema;
}

static const NsSchema *
find_self_described (NsSchemas *self,
                     const NsRecord *record,
                     guint32 provider,
                     const NsExtItem *description)
{
  NsExtItem traits = { 0 };
  const SelfDescribed *row;
  guint64 hash;
  guint32 i;

  if (!ns_record_find_item (record, NS_EXT_PROV_TRAITS, &traits))
    memset (&traits, 0, sizeof traits);
  hash = hash_bytes (traits.size, description->data, description->size);
  for (i = ns_map_get (self->by_content, hash, provider); i != 0; i = row->next)
    {
      row = &g_array_index (self->self_described, SelfDescribed, i);
      if (is_same (row, provider, description, &traits))
        return row->schema;
    }
  return add_self_described (self, provider, hash, description, &traits);
}

static const NsSchema *
find_cached (NsSchemas *self, const NsRecord *record, guint32 provider)
{
  gboolean is_manifest = (record->flags & NS_RECORD_MANIFEST) != 0;
  guint64 key = (guint64) record->id | (guint64) record->version << 16;
  gboolean depends_on_payload = FALSE;
  const NsSchema *schema;
  guint32 number;

  if (!is_manifest)
    key = record->opcode | (guint64) record->version << 16 | KEY_OPCODE |
          (record->flags & NS_RECORD_GROUP ? KEY_GROUP : 0);
  number = ns_map_get (self->cache, provider, key);
  if (number != 0 && number != EACH_ITS_OWN)
    return g_ptr_array_index (self->found, number);

  if (number == EACH_ITS_OWN)
    schema = ns_schema_builtin_choose (self->builtin, record, &depends_on_payload);
  else
    schema = is_manifest ? look_up_manifest (self, record, provider, &depends_on_payload)
                         : look_up_classic (self, record, provider);
  if (schema == NULL && is_manifest && record->id == NS_SCHEMA_SENT_ID &&
      record->task == NS_SCHEMA_SENT_ID)
    schema = &ns_schema_sent_piece;
  if (schema == NULL)
    schema = get_undescribed (self, provider, FALSE);
  if (number == 0)
    ns_map_set (self->cache,
                provider,
                key,
                depends_on_payload ? EACH_ITS_OWN : keep (self, schema));
  return schema;
}

/**
 * ns_schemas_find:
 * @self: a store
 * @record: any record
 *
 * Finds the best layout of the event; takes one hash look-up if events of this kind came before.
 * Not thread-safe.
 *
 * Returns: (transfer none): the layout, valid as long as the store; never %NULL: an event without
 *   description gets a layout without fields
 */
const NsSchema *
ns_schemas_find (NsSchemas *self, const NsRecord *record)
{
  guint32 provider = intern_provider (self, record);
  NsExtItem description;

  if (record->kind == NS_RECORD_MESSAGE)
    return get_undescribed (self, provider, TRUE);
  if (record->flags & NS_RECORD_STRING_ONLY)
    return &string_only;
  if (record->n_extended > 0 && ns_record_find_item (record, NS_EXT_SCHEMA_TL, &description))
    return find_self_described (self, record, provider, &description);
  if (ns_schema_classic_depends_on_size (record))
    return ns_schema_classic_find (self->classic, record);
  return find_cached (self, record, provider);
}

/**
 * ns_schemas_find_shared:
 * @self: a store
 * @record: any record
 *
 * Like ns_schemas_find(), but thread-safe.
 *
 * Returns: (transfer none): the layout
 */
const NsSchema *
ns_schemas_find_shared (NsSchemas *self, const NsRecord *record)
{
  const NsSchema *schema;

  g_mutex_lock (&self->lock);
  schema = ns_schemas_find (self, record);
  g_mutex_unlock (&self->lock);
  return schema;
}

/**
 * ns_schemas_get_keyword:
 * @self: a store
 * @provider: a provider
 * @bit: one bit of a keyword
 *
 * Returns: (transfer none) (nullable): the built-in name of the bit
 */
const char *
ns_schemas_get_keyword (const NsSchemas *self, const NsGuid *provider, guint64 bit)
{
  return ns_schema_builtin_keyword (self->builtin, provider, bit);
}

/**
 * ns_schemas_get_provider_name:
 * @self: a store
 * @guid: a provider or event class
 *
 * Returns: (transfer none) (nullable): its name according to the trace, or else the built-in one
 */
const char *
ns_schemas_get_provider_name (NsSchemas *self, const NsGuid *guid)
{
  guint32 number = ns_map_get (self->by_guid, ns_guid_low (guid), ns_guid_high (guid));
  const char *name = NULL;

  if (number != 0)
    name = g_array_index (self->providers, Provider, number).name;
  return name != NULL ? name : find_known_name (self, guid);
}

/**
 * ns_schemas_get_n_rejected:
 * @self: a store
 *
 * Returns: the number of invalid descriptions that were rejected
 */
guint64
ns_schemas_get_n_rejected (const NsSchemas *self)
{
  return self->n_rejected;
}

/**
 * ns_schemas_report_refused:
 * @self: a store
 * @file: the trace whose records it learned from, which will not be walked again
 *
 * Adds rejected manifests of providers, with the reasons, to the report of the trace: those that
 * would take disproportionate time or memory.
 */
void
ns_schemas_report_refused (const NsSchemas *self, NsEtlFile *file)
{
  ns_schema_refusals_report (self->refusals, file);
}

/**
 * ns_schema_source_to_text:
 * @source: source of a description
 *
 * Returns: (transfer none): its name on the command line
 */
const char *
ns_schema_source_to_text (NsSchemaSource source)
{
  switch (source)
    {
    case NS_SCHEMA_EMBEDDED:
    case NS_SCHEMA_EVENTSOURCE: /* the trace also has it in another form */
      return "embedded";
    case NS_SCHEMA_TRACELOGGING:
      return "tracelogging";
    case NS_SCHEMA_USER:
      return "user";
    case NS_SCHEMA_BUILTIN:
      return "builtin";
    case NS_SCHEMA_WPP:
    case NS_SCHEMA_NONE:
    default:
      return "none";
    }
}

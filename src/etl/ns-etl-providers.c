/* Assigns consecutive numbers to provider GUIDs, in order of their first appearance.
 *
 * One thread walks and adds GUIDs; other threads may look them up under the lock. The walking
 * thread looks up without it, because no other thread adds GUIDs without holding it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-providers.h"

#include "base/ns-arena.h"
#include "base/ns-map.h"
#include "etl/ns-etl-record.h"

#define NO_GROUP G_MAXUINT32

struct _NsEtlProviders
{
  GMutex lock; /* held to change the map or the GUIDs, and by shared look-ups */
  NsMap *map;  /* GUID → number + 1 */
  NsArena *arena;
  GPtrArray *guids; /* (element-type NsGuid): in the arena, so they never move */
  const NsGuid *last;
  guint last_number;
  guint32 groups[256];
};

/**
 * ns_etl_providers_new:
 *
 * Returns: (transfer full): an empty table
 */
NsEtlProviders *
ns_etl_providers_new (void)
{
  NsEtlProviders *self = g_new0 (NsEtlProviders, 1);
  guint i;

  g_mutex_init (&self->lock);
  self->map = ns_map_new ();
  self->arena = ns_arena_new (4096);
  self->guids = g_ptr_array_new ();
  for (i = 0; i < G_N_ELEMENTS (self->groups); i++)
    self->groups[i] = NO_GROUP;
  return self;
}

/**
 * ns_etl_providers_free:
 * @self: (transfer full) (nullable): a table
 *
 * Frees @self.
 */
void
ns_etl_providers_free (NsEtlProviders *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->guids);
  ns_arena_free (self->arena);
  ns_map_free (self->map);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Adds a GUID; the lock is held. */
static guint
add (NsEtlProviders *self, const NsGuid *guid)
{
  guint number = self->guids->len;

  g_ptr_array_add (self->guids, ns_arena_dup (self->arena, guid, sizeof *guid));
  ns_map_set (self->map, ns_guid_low (guid), ns_guid_high (guid), number + 1);
  return number;
}

/**
 * ns_etl_providers_intern:
 * @self: a table
 * @guid: a GUID
 *
 * Must be called on the walking thread.
 *
 * Returns: its number
 */
guint
ns_etl_providers_intern (NsEtlProviders *self, const NsGuid *guid)
{
  guint32 found;
  guint number;

  /* Records of one provider often follow each other. */
  if (self->last != NULL && ns_guid_equal (self->last, guid))
    return self->last_number;

  found = ns_map_get (self->map, ns_guid_low (guid), ns_guid_high (guid));
  if (found != 0)
    number = found - 1;
  else
    {
      g_mutex_lock (&self->lock);
      number = add (self, guid);
      g_mutex_unlock (&self->lock);
    }
  self->last = g_ptr_array_index (self->guids, number);
  self->last_number = number;
  return number;
}

/**
 * ns_etl_providers_intern_group:
 * @self: a table
 * @group: a kernel hook group
 *
 * Must be called on the walking thread.
 *
 * Returns: the number of the group's GUID
 */
guint
ns_etl_providers_intern_group (NsEtlProviders *self, guint8 group)
{
  if (self->groups[group] == NO_GROUP)
    self->groups[group] = ns_etl_providers_intern (self, ns_record_group_guid (group));
  return self->groups[group];
}

/**
 * ns_etl_providers_intern_shared:
 * @self: a table
 * @guid: a GUID
 *
 * For threads that read single records. Thread-safe.
 *
 * Returns: its number
 */
guint
ns_etl_providers_intern_shared (NsEtlProviders *self, const NsGuid *guid)
{
  guint32 found;
  guint number;

  g_mutex_lock (&self->lock);
  found = ns_map_get (self->map, ns_guid_low (guid), ns_guid_high (guid));
  number = found != 0 ? found - 1 : add (self, guid);
  g_mutex_unlock (&self->lock);
  return number;
}

/**
 * ns_etl_providers_get_size:
 * @self: a table
 *
 * Returns: the number of GUIDs
 */
guint
ns_etl_providers_get_size (const NsEtlProviders *self)
{
  return self->guids->len;
}

/**
 * ns_etl_providers_get:
 * @self: a table
 * @provider: a number
 *
 * Returns: (transfer none) (nullable): the GUID; %NULL: there is no such number
 */
const NsGuid *
ns_etl_providers_get (const NsEtlProviders *self, guint provider)
{
  return provider < self->guids->len ? g_ptr_array_index (self->guids, provider) : NULL;
}

/* Dense numbers for the GUIDs of providers, given out in the order they are met.
 *
 * One thread walks and adds; others may look up meanwhile, under the lock. What the walk itself
 * looks up needs no lock, for nobody else adds without it being held.
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
  GMutex lock; /* held where map or guids change, and by shared lookups */
  NsMap *map;  /* GUID → number + 1 */
  NsArena *arena;
  GPtrArray *guids; /* (element-type NsGuid), in the arena: they never move */
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

/* With the lock held. */
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
 * For the one thread that walks.
 *
 * Returns: its number
 */
guint
ns_etl_providers_intern (NsEtlProviders *self, const NsGuid *guid)
{
  guint32 found;
  guint number;

  /* Records of one provider come in bursts. */
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
 * @group: a kernel group
 *
 * For the one thread that walks.
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
 * For threads that read single records.
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
 * Returns: how many GUIDs have a number
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
 * Returns: (transfer none) (nullable): its GUID, or %NULL if there is no such number
 */
const NsGuid *
ns_etl_providers_get (const NsEtlProviders *self, guint provider)
{
  return provider < self->guids->len ? g_ptr_array_index (self->guids, provider) : NULL;
}

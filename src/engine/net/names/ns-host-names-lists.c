/* Index of observed host names, by address and process, in time order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/names/ns-host-names-private.h"

#include "base/ns-fetch.h"
#include "engine/trace/ns-url.h"

#include <string.h>

/* An observation has up to five keys: address, for all processes and for its own; address and
 * name; name, for all processes and for its own. */
#define MAX_KEYS 5

/* Position of an observation in a list. */
typedef struct
{
  guint32 list;  /* number, 1-based; 0: already indexed */
  guint32 index; /* index in @obs */
} Place;

static void
list_clear (gpointer data)
{
  g_free (((NsHostNamesList *) data)->entries);
}

void
ns_host_names_start_lists (NsHostNames *self)
{
  self->lists = g_array_new (FALSE, TRUE, sizeof (NsHostNamesList));
  g_array_set_clear_func (self->lists, list_clear);
  self->by_key = ns_map_new ();
}

void
ns_host_names_drop_lists (NsHostNames *self)
{
  g_array_unref (self->lists);
  ns_map_free (self->by_key);
}

/* Converts a time to the unit of the lists. Nearly all times of a list differ in this unit;
 * otherwise the observations are compared. */
static gint32
about (gint64 time_ns)
{
  return (gint32) CLAMP (time_ns >> 20, G_MININT32, G_MAXINT32);
}

static NsHostNamesEntry
entry_of (const NsHostNames *self, guint32 index)
{
  return (NsHostNamesEntry){ about (g_array_index (self->obs, NsHostNamesObs, index).time_ns),
                             index };
}

static gboolean
is_after (const NsHostNames *self, const NsHostNamesEntry *entry, gint64 time_ns)
{
  gint32 then = about (time_ns);

  if (entry->about != then)
    return entry->about > then;
  return g_array_index (self->obs, NsHostNamesObs, entry->index).time_ns > time_ns;
}

/* Returns the number of observations not later than @time_ns. Callers advance in time, so the
 * search starts at @near, goes in both directions in growing steps, and ends with a bisection. */
static guint
count_near (const NsHostNames *self,
            const NsHostNamesEntry *entries,
            guint n_entries,
            guint near,
            gint64 time_ns)
{
  guint low = 0;
  guint high = n_entries;
  guint step;

  if (near < n_entries && !is_after (self, &entries[near], time_ns))
    {
      low = near + 1;
      for (step = 1; step <= high - low && !is_after (self, &entries[low + step - 1], time_ns);
           step *= 2)
        low += step;
      high = MIN (high, low + step - 1);
    }
  else
    {
      high = MIN (near, n_entries);
      for (step = 1; step <= high && is_after (self, &entries[high - step], time_ns); step *= 2)
        high -= step;
      low = step <= high ? high - step + 1 : 0;
    }
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (is_after (self, &entries[middle], time_ns))
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* Returns the next capacity if a list of @n_entries is full, else 0. Most lists are short:
 * capacities are 2, 3, 4, 6, 8, 12 and so on. */
static guint
next_room (guint n_entries)
{
  if (n_entries == 0)
    return 2;
  if ((n_entries & (n_entries - 1)) == 0)
    return n_entries == 1 ? 0 : n_entries + n_entries / 2;
  if (n_entries % 3 == 0 && ((n_entries / 3) & (n_entries / 3 - 1)) == 0)
    return n_entries + n_entries / 3;
  return 0;
}

static void
insert (const NsHostNames *self, NsHostNamesList *list, guint32 index)
{
  gint64 time_ns = g_array_index (self->obs, NsHostNamesObs, index).time_ns;
  guint room = next_room (list->n_entries);
  guint place;

  if (room != 0)
    list->entries = g_renew (NsHostNamesEntry, list->entries, room);
  place = count_near (self, list->entries, list->n_entries, list->n_entries, time_ns);
  memmove (&list->entries[place + 1],
           &list->entries[place],
           (list->n_entries - place) * sizeof (NsHostNamesEntry));
  list->entries[place] = entry_of (self, index);
  list->n_entries++;
}

/* Returns: number of the list for the observation; 0: it is the only one of its key */
static guint32
list_for (NsHostNames *self, guint64 a, guint64 b, guint32 index)
{
  guint32 n = ns_map_get (self->by_key, a, b);
  guint32 one = n & ~NS_HOST_NAMES_ONE;

  if (n == 0)
    {
      ns_map_set (self->by_key, a, b, index | NS_HOST_NAMES_ONE);
      return 0;
    }
  if ((n & NS_HOST_NAMES_ONE) != 0)
    {
      n = self->lists->len + 1;
      g_array_set_size (self->lists, n);
      ns_map_set (self->by_key, a, b, n);
      insert (self, &g_array_index (self->lists, NsHostNamesList, n - 1), one);
    }
  else
    ns_fetch (&g_array_index (self->lists, NsHostNamesList, n - 1), sizeof (NsHostNamesList));
  return n;
}

static guint
list_keys (const NsHostNames *self, const NsHostNamesWaiting *waiting, guint64 keys[MAX_KEYS][2])
{
  guint32 pid = g_array_index (self->obs, NsHostNamesObs, waiting->index).pid;
  guint64 owner = pid != NS_PID_UNKNOWN ? pid : NS_HOST_NAMES_FOR_ANY_PROCESS;
  const guint64 all[MAX_KEYS][2] = {
    { waiting->ip, NS_HOST_NAMES_OF_ALL },
    { waiting->ip, owner },
    { waiting->ip | (guint64) waiting->name << 32, owner },
    { NS_HOST_NAMES_BY_NAME | waiting->name, NS_HOST_NAMES_OF_ALL },
    { NS_HOST_NAMES_BY_NAME | waiting->name, owner },
  };

  memcpy (keys, all, sizeof all);
  return owner != NS_HOST_NAMES_FOR_ANY_PROCESS ? MAX_KEYS : MAX_KEYS - 1;
}

/* Indexes the waiting observations in passes, each of which prefetches what the next one needs. */
static void
enter_waiting (NsHostNames *self)
{
  guint64 keys[NS_HOST_NAMES_MAX_WAITING * MAX_KEYS][2];
  Place places[NS_HOST_NAMES_MAX_WAITING * MAX_KEYS];
  guint n = 0;
  guint i;
  guint k;

  for (i = 0; i < self->n_waiting; i++)
    {
      guint n_keys = list_keys (self, &self->waiting[i], &keys[n]);

      for (k = 0; k < n_keys; k++, n++)
        {
          ns_map_expect (self->by_key, keys[n][0], keys[n][1]);
          places[n].index = self->waiting[i].index;
        }
    }
  self->n_waiting = 0;
  for (i = 0; i < n; i++)
    places[i].list = list_for (self, keys[i][0], keys[i][1], places[i].index);
  for (i = 0; i < n; i++)
    if (places[i].list != 0)
      {
        const NsHostNamesList *list =
            &g_array_index (self->lists, NsHostNamesList, places[i].list - 1);

        if (list->n_entries > 0)
          ns_fetch (&list->entries[list->n_entries - 1], 1);
      }
  for (i = 0; i < n; i++)
    if (places[i].list != 0)
      insert (self,
              &g_array_index (self->lists, NsHostNamesList, places[i].list - 1),
              places[i].index);
}

/* Indexes the waiting observations; afterwards look-ups do not change the lists. */
void
ns_host_names_enter_all (NsHostNames *self)
{
  if (self->n_waiting > 0)
    enter_waiting (self);
}

/* Queues an observation for indexing under all its keys. */
void
ns_host_names_enter (NsHostNames *self, guint32 ip, NsString name, guint32 index)
{
  if (self->n_waiting == NS_HOST_NAMES_MAX_WAITING)
    enter_waiting (self);
  self->waiting[self->n_waiting++] = (NsHostNamesWaiting){ index, ip, name };
}

void
ns_host_names_find_list (NsHostNames *self, guint64 a, guint64 b, NsHostNamesFound *found)
{
  guint32 n;

  ns_host_names_enter_all (self);
  n = ns_map_get (self->by_key, a, b);
  found->list = NULL;
  found->entries = NULL;
  found->n_entries = 0;
  if (n == 0)
    return;
  if ((n & NS_HOST_NAMES_ONE) != 0)
    {
      found->one = entry_of (self, n & ~NS_HOST_NAMES_ONE);
      found->entries = &found->one;
      found->n_entries = 1;
      return;
    }
  found->list = &g_array_index (self->lists, NsHostNamesList, n - 1);
  found->entries = found->list->entries;
  found->n_entries = found->list->n_entries;
}

/* Returns the number of observations in the list not later than @time_ns. The position of the
 * last look-up is only a hint, and may come from another thread. */
guint
ns_host_names_count_until (const NsHostNames *self, NsHostNamesFound *found, gint64 time_ns)
{
  NsHostNamesList *list = found->list;
  guint near = list != NULL ? __atomic_load_n (&list->last, __ATOMIC_RELAXED) : 0;
  guint n = count_near (self, found->entries, found->n_entries, near, time_ns);

  if (list != NULL && n != near)
    __atomic_store_n (&list->last, n, __ATOMIC_RELAXED);
  return n;
}

/* Returns the newest observation of either list until that time. */
const NsHostNamesObs *
ns_host_names_newer_of (const NsHostNames *self,
                        NsHostNamesFound *own,
                        NsHostNamesFound *anybodys,
                        gint64 time_ns)
{
  NsHostNamesFound *lists[] = { own, anybodys };
  const NsHostNamesObs *best = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      guint n = ns_host_names_count_until (self, lists[i], time_ns);
      const NsHostNamesObs *obs = n > 0 ? ns_host_names_obs_at (self, lists[i], n - 1) : NULL;

      if (obs != NULL && (best == NULL || obs->time_ns > best->time_ns))
        best = obs;
    }
  return best;
}

/* Returns the newest observation until that time, of the process or of the DNS service. */
const NsHostNamesObs *
ns_host_names_newest (NsHostNames *self, guint64 key, guint32 pid, gint64 time_ns)
{
  NsHostNamesFound own = { 0 };
  NsHostNamesFound anybodys = { 0 };

  if (pid != NS_PID_UNKNOWN)
    ns_host_names_find_list (self, key, pid, &own);
  ns_host_names_find_list (self, key, NS_HOST_NAMES_FOR_ANY_PROCESS, &anybodys);
  return ns_host_names_newer_of (self, &own, &anybodys, time_ns);
}

/* Returns the name in lower case; each name is converted once. */
NsString
ns_host_names_lower (NsBuilder *builder, NsString name)
{
  NsHostNames *self = builder->host_names;
  NsString lower = ns_map_get (self->lower, name, 0);
  g_autofree char *text = NULL;

  if (lower != NS_STRING_NONE || name == NS_STRING_NONE)
    return lower;
  text = g_utf8_strdown (ns_trace_text (builder->trace, name), -1);
  lower = ns_strings_add (builder->trace->strings, text);
  ns_map_set (self->lower, name, 0, lower);
  return lower;
}

/* Returns the first names of an address; %NULL: none. */
NsHostNamesFirst *
ns_host_names_first_of (const NsHostNames *self, guint32 ip)
{
  return ip != 0 && ip <= self->firsts->len
             ? &g_array_index (self->firsts, NsHostNamesFirst, ip - 1)
             : NULL;
}

static void
enter_first (NsHostNames *self, guint32 ip, NsString name, NsString lower)
{
  NsHostNamesFirst *first;
  guint i;

  if (ip > self->firsts->len)
    g_array_set_size (self->firsts, ip);
  first = ns_host_names_first_of (self, ip);
  for (i = 0; i < 2; i++)
    {
      if (first->names[i] == NS_STRING_NONE)
        {
          first->names[i] = name;
          first->lower[i] = lower;
          return;
        }
      if (first->lower[i] == lower)
        return;
    }
}

static gboolean
is_name (const char *text)
{
  NsIp ip;

  return !ns_url_is_blank (text) && !ns_ip_from_text (&ip, text);
}

/* Returns the canonical name known for the name and address if @alias is none: requests and
 * sockets report addresses without canonical names. */
static NsString
keep_alias (NsHostNames *self, guint32 ip, NsString lower, NsString alias)
{
  if (alias == NS_STRING_NONE)
    return ns_map_get (self->aliases, ip, lower);
  ns_map_set (self->aliases, ip, lower, alias);
  return alias;
}

/**
 * ns_host_names_observe:
 * @builder: a builder
 * @obs: an observation
 *
 * Stores that an address has a name. Observations without a name are ignored.
 */
void
ns_host_names_observe (NsBuilder *builder, const NsNameObs *obs)
{
  NsHostNames *self = builder->host_names;
  guint32 index = self->obs->len;
  NsHostNamesObs kept = { .time_ns = obs->time_ns,
                          .pid = obs->pid,
                          .name = obs->name,
                          .dns = obs->dns };
  NsEndpoint end = { 0 };
  NsString name;
  guint32 ip;

  if (obs->name == NS_STRING_NONE || ns_ip_is_empty (&obs->ip) ||
      !is_name (ns_trace_text (builder->trace, obs->name)))
    return;
  name = ns_host_names_lower (builder, obs->name);
  ip = ns_ips_add (self->ips, &obs->ip);
  kept.alias = keep_alias (self, ip, name, obs->alias);
  end.ip = obs->ip;
  kept.end = ns_endpoint_pool_add (builder->trace->ends, &end);
  g_array_append_val (self->obs, kept);
  enter_first (self, ip, obs->name, name);
  ns_host_names_enter (self, ip, name, index);
}

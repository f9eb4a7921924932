/* Who resolved what, and when: observations of names, and the name for an address at a moment.
 *
 * One address serves many names, and one name has many addresses; which one a program meant is told
 * by what it asked for last. So every answer is kept with its time and process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-names-private.h"

#include "engine/ns-url.h"

#include <string.h>

/* Instead of a process: what the DNS service found out on behalf of nobody knows whom; and all. */
#define FOR_ANYBODY ((guint64) 1 << 32)
#define OF_ALL ((guint64) 2 << 32)
/* Marks the key of a name, which has no address. */
#define BY_NAME ((guint64) 1 << 63)

static void
list_clear (gpointer data)
{
  g_free (((NsNamesList *) data)->entries);
}

static void
start (NsBuilder *builder)
{
  NsNames *self = g_new0 (NsNames, 1);

  self->ips = ns_ips_new ();
  self->obs = g_array_new (FALSE, FALSE, sizeof (NsNamesObs));
  self->lists = g_array_new (FALSE, TRUE, sizeof (NsNamesList));
  g_array_set_clear_func (self->lists, list_clear);
  self->by_key = ns_map_new ();
  self->first_two = ns_map_new ();
  self->lower = ns_map_new ();
  self->servers = ns_map_new ();
  self->pending = g_array_new (FALSE, TRUE, sizeof (NsNamesPending));
  self->questions = ns_map_new ();
  self->named = ns_map_new ();
  self->resolving = ns_map_new ();
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->by_values = ns_map_new ();
  builder->names = self;
}

/* Questions that wait for their answer, and answers to compare with, are of no use when the walks
 * are done. */
static void
finish (NsBuilder *builder)
{
  NsNames *self = builder->names;

  g_clear_pointer (&self->pending, g_array_unref);
  g_clear_pointer (&self->questions, ns_map_free);
  g_clear_pointer (&self->named, ns_map_free);
  g_clear_pointer (&self->resolving, ns_map_free);
  g_clear_pointer (&self->values, g_ptr_array_unref);
  g_clear_pointer (&self->by_values, ns_map_free);
}

/**
 * ns_names_drop:
 * @builder: a builder
 *
 * Frees what is known of names, once nobody asks for one any more.
 */
void
ns_names_drop (NsBuilder *builder)
{
  NsNames *self = builder->names;

  if (self == NULL)
    return;
  finish (builder);
  ns_ips_free (self->ips);
  g_array_unref (self->obs);
  g_array_unref (self->lists);
  ns_map_free (self->by_key);
  ns_map_free (self->first_two);
  ns_map_free (self->lower);
  ns_map_free (self->servers);
  g_clear_pointer (&builder->names, g_free);
}

/* The name in lower case; each is brought there once. */
NsString
ns_names_lower (NsBuilder *builder, NsString name)
{
  NsNames *self = builder->names;
  NsString lower = ns_map_get (self->lower, name, 0);
  g_autofree char *text = NULL;

  if (lower != NS_STRING_NONE || name == NS_STRING_NONE)
    return lower;
  text = g_utf8_strdown (ns_trace_text (builder->trace, name), -1);
  lower = ns_strings_add (builder->trace->strings, text);
  ns_map_set (self->lower, name, 0, lower);
  return lower;
}

/* The observations of one key. */
typedef struct
{
  const NsNamesEntry *entries;
  guint32 n_entries;
  NsNamesEntry one; /* what @entries points to when it has no list */
} Found;

/* Nearly all times of a list differ in these steps; only between those that do not the observation
 * itself is asked. */
static gint32
about (gint64 time_ns)
{
  return (gint32) CLAMP (time_ns >> 20, G_MININT32, G_MAXINT32);
}

static NsNamesEntry
entry_of (const NsNames *self, guint32 index)
{
  return (NsNamesEntry){ about (g_array_index (self->obs, NsNamesObs, index).time_ns), index };
}

static gboolean
is_after (const NsNames *self, const NsNamesEntry *entry, gint64 time_ns)
{
  gint32 then = about (time_ns);

  if (entry->about != then)
    return entry->about > then;
  return g_array_index (self->obs, NsNamesObs, entry->index).time_ns > time_ns;
}

static void
find_list (const NsNames *self, guint64 a, guint64 b, Found *found)
{
  guint32 n = ns_map_get (self->by_key, a, b);
  const NsNamesList *list;

  found->n_entries = 0;
  if (n == 0)
    return;
  if ((n & NS_NAMES_ONE) != 0)
    {
      found->one = entry_of (self, n & ~NS_NAMES_ONE);
      found->entries = &found->one;
      found->n_entries = 1;
      return;
    }
  list = &g_array_index (self->lists, NsNamesList, n - 1);
  found->entries = list->entries;
  found->n_entries = list->n_entries;
}

static const NsNamesObs *
obs_at (const NsNames *self, const Found *found, guint i)
{
  return &g_array_index (self->obs, NsNamesObs, found->entries[i].index);
}

/* How many observations of the list are not later than @time_ns. */
static guint
count_until (const NsNames *self, const NsNamesEntry *entries, guint n_entries, gint64 time_ns)
{
  guint low = 0;
  guint high = n_entries;

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

/* Most lists stay short: they grow by half. */
static void
insert (const NsNames *self, NsNamesList *list, guint32 index)
{
  gint64 time_ns = g_array_index (self->obs, NsNamesObs, index).time_ns;
  guint place = list->n_entries;

  if (list->n_entries == list->n_alloc)
    {
      list->n_alloc = MAX (list->n_alloc + list->n_alloc / 2, 2);
      list->entries = g_renew (NsNamesEntry, list->entries, list->n_alloc);
    }
  if (place > 0 && is_after (self, &list->entries[place - 1], time_ns))
    place = count_until (self, list->entries, list->n_entries, time_ns);
  memmove (&list->entries[place + 1],
           &list->entries[place],
           (list->n_entries - place) * sizeof (NsNamesEntry));
  list->entries[place] = entry_of (self, index);
  list->n_entries++;
}

static void
enter (NsNames *self, guint64 a, guint64 b, guint32 index)
{
  guint32 n = ns_map_get (self->by_key, a, b);
  guint32 one = n & ~NS_NAMES_ONE;

  if (n == 0)
    {
      ns_map_set (self->by_key, a, b, index | NS_NAMES_ONE);
      return;
    }
  if ((n & NS_NAMES_ONE) != 0)
    {
      n = self->lists->len + 1;
      g_array_set_size (self->lists, n);
      ns_map_set (self->by_key, a, b, n);
      insert (self, &g_array_index (self->lists, NsNamesList, n - 1), one);
    }
  insert (self, &g_array_index (self->lists, NsNamesList, n - 1), index);
}

/* Keeps the first name of an address, and the first other one. */
static void
enter_first (NsBuilder *builder, guint32 ip, NsString name, guint32 index)
{
  NsNames *self = builder->names;
  guint32 first = ns_map_get (self->first_two, ip, 0);

  if (first == 0)
    ns_map_set (self->first_two, ip, 0, index + 1);
  else if (ns_map_get (self->first_two, ip, 1) == 0 &&
           ns_names_lower (builder, g_array_index (self->obs, NsNamesObs, first - 1).name) != name)
    ns_map_set (self->first_two, ip, 1, index + 1);
}

static gboolean
is_name (const char *text)
{
  NsIp ip;

  return !ns_url_is_blank (text) && !ns_ip_from_text (&ip, text);
}

/**
 * ns_names_observe:
 * @builder: a builder
 * @obs: what was seen
 *
 * Notes that a name stands for an address. Observations without a name are of no use and dropped.
 */
void
ns_names_observe (NsBuilder *builder, const NsNameObs *obs)
{
  NsNames *self = builder->names;
  guint64 owner = obs->pid != NS_PID_UNKNOWN ? obs->pid : FOR_ANYBODY;
  guint32 index = self->obs->len;
  NsNamesObs kept = { .time_ns = obs->time_ns,
                      .pid = obs->pid,
                      .name = obs->name,
                      .alias = obs->alias,
                      .dns = obs->dns };
  NsEndpoint end = { 0 };
  NsString name;
  guint32 ip;

  if (obs->name == NS_STRING_NONE || ns_ip_is_empty (&obs->ip) ||
      !is_name (ns_trace_text (builder->trace, obs->name)))
    return;
  name = ns_names_lower (builder, obs->name);
  ip = ns_ips_add (self->ips, &obs->ip);
  end.ip = obs->ip;
  kept.end = ns_ends_add (builder->trace->ends, &end);
  g_array_append_val (self->obs, kept);
  enter_first (builder, ip, name, index);
  enter (self, ip, OF_ALL, index);
  enter (self, ip, owner, index);
  enter (self, ip | (guint64) name << 32, owner, index);
  enter (self, BY_NAME | name, OF_ALL, index);
  if (owner != FOR_ANYBODY)
    enter (self, BY_NAME | name, owner, index);
}

/* The newest observation until then of the process, or of the service that asks for all. */
static const NsNamesObs *
newest (const NsNames *self, guint64 key, guint32 pid, gint64 time_ns)
{
  const guint64 owners[] = { pid, FOR_ANYBODY };
  const NsNamesObs *best = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (owners); i++)
    {
      Found found = { 0 };
      const NsNamesObs *obs;
      guint n;

      if (owners[i] == NS_PID_UNKNOWN)
        continue;
      find_list (self, key, owners[i], &found);
      n = count_until (self, found.entries, found.n_entries, time_ns);
      obs = n > 0 ? obs_at (self, &found, n - 1) : NULL;
      if (obs != NULL && (best == NULL || obs->time_ns > best->time_ns))
        best = obs;
    }
  return best;
}

static const NsNamesObs *
choose (NsBuilder *builder, guint32 ip, guint32 pid, gint64 time_ns, NsNameStep *step)
{
  const NsNames *self = builder->names;
  const NsNamesObs *obs = newest (self, ip, pid, time_ns);
  Found all;
  guint n;

  /* The reference tool knows one name of an address: the first that was ever seen. */
  if (builder->options.compat_reference)
    {
      find_list (self, ip, OF_ALL, &all);
      *step = NS_NAME_ANY_PROCESS;
      if (all.n_entries > 0)
        return obs_at (self, &all, 0);
    }
  *step = NS_NAME_SAME_PROCESS;
  if (obs != NULL)
    return obs;
  find_list (self, ip, OF_ALL, &all);
  n = count_until (self, all.entries, all.n_entries, time_ns);
  if (n > 0)
    {
      *step = NS_NAME_ANY_PROCESS;
      return obs_at (self, &all, n - 1);
    }
  if (all.n_entries > 0)
    {
      *step = NS_NAME_LATER;
      return obs_at (self, &all, 0);
    }
  *step = NS_NAME_NONE;
  return NULL;
}

/* The alias of the observation; else the first other name of the address. */
static NsString
other_name (NsBuilder *builder, guint32 ip, const NsNamesObs *obs, NsString server)
{
  NsNames *self = builder->names;
  NsString lower = ns_names_lower (builder, server);
  guint i;

  if (obs->alias != NS_STRING_NONE && ns_names_lower (builder, obs->alias) != lower)
    return obs->alias;
  for (i = 0; i < 2; i++)
    {
      guint32 first = ns_map_get (self->first_two, ip, i);
      NsString name =
          first != 0 ? g_array_index (self->obs, NsNamesObs, first - 1).name : NS_STRING_NONE;

      if (name != NS_STRING_NONE && ns_names_lower (builder, name) != lower)
        return name;
    }
  return NS_STRING_NONE;
}

/* The URL says what was meant; an observation can only add the other name. */
static void
resolve_hint (NsBuilder *builder,
              guint32 pid,
              NsString hint,
              guint32 ip,
              gint64 time_ns,
              NsNameAnswer *answer)
{
  NsString lower = ns_names_lower (builder, hint);
  const NsNamesObs *obs = newest (builder->names, ip | (guint64) lower << 32, pid, time_ns);
  NsNameStep step;

  answer->server = hint;
  answer->step = NS_NAME_FROM_URL;
  if (obs != NULL)
    {
      answer->step = NS_NAME_SAME_HINT;
      answer->alt = other_name (builder, ip, obs, hint);
      answer->dns = obs->dns;
      return;
    }
  obs = choose (builder, ip, pid, time_ns, &step);
  if (obs == NULL)
    return;
  answer->dns = obs->dns;
  answer->alt = ns_names_lower (builder, obs->name) != lower ? obs->name
                                                             : other_name (builder, ip, obs, hint);
}

static NsString
pseudo_name (NsBuilder *builder, const NsIp *ip, guint32 id)
{
  static const guint8 home[4] = { 127, 0, 0, 1 };

  if (ns_ip_is_loopback (ip) &&
      (ip->family != NS_AF_INET || memcmp (ip->bytes, home, sizeof home) == 0))
    return ns_strings_add (builder->trace->strings, "localhost");
  return id != 0 ? ns_map_get (builder->names->servers, id, 0) : NS_STRING_NONE;
}

/**
 * ns_names_resolve:
 * @builder: a builder
 * @pid: the process that talked to the address, if known
 * @hint: host of the URL, or %NS_STRING_NONE
 * @ip: the address
 * @time_ns: when the conversation began
 * @answer: (out): what to show
 *
 * Finds the name that was meant by an address. To be called when the second walk is over.
 */
void
ns_names_resolve (NsBuilder *builder,
                  guint32 pid,
                  NsString hint,
                  const NsIp *ip,
                  gint64 time_ns,
                  NsNameAnswer *answer)
{
  NsNames *self = builder->names;
  guint32 id = ns_ips_find (self->ips, ip);
  const NsNamesObs *obs;

  memset (answer, 0, sizeof *answer);
  if (hint != NS_STRING_NONE && !ns_url_is_blank (ns_trace_text (builder->trace, hint)))
    {
      resolve_hint (builder, pid, hint, id, time_ns, answer);
      return;
    }
  obs = id != 0 ? choose (builder, id, pid, time_ns, &answer->step) : NULL;
  if (obs != NULL)
    {
      answer->server = obs->name;
      answer->alt = other_name (builder, id, obs, obs->name);
      answer->dns = obs->dns;
      answer->inferred = answer->step >= NS_NAME_ANY_PROCESS;
      return;
    }
  answer->server = pseudo_name (builder, ip, id);
  answer->step = answer->server != NS_STRING_NONE ? NS_NAME_PSEUDO : NS_NAME_NONE;
}

/**
 * ns_names_note_peer:
 * @builder: a builder
 * @names: (element-type NsPeerName): gets one more
 * @pid: the process that talked to the peer, if known
 * @ip: its address
 * @time_ns: when the conversation began
 *
 * Keeps the name that was meant, as it is known by now.
 */
void
ns_names_note_peer (NsBuilder *builder, GArray *names, guint32 pid, const NsIp *ip, gint64 time_ns)
{
  NsNameAnswer answer;
  NsPeerName name;

  ns_names_resolve (builder, pid, NS_STRING_NONE, ip, time_ns, &answer);
  name.server = answer.server;
  name.alt = answer.alt;
  name.dns = answer.dns;
  name.inferred = answer.inferred;
  g_array_append_val (names, name);
}

/**
 * ns_names_find_address:
 * @builder: a builder
 * @name: a name
 * @pid: the process that asks, if known
 * @time_ns: when
 * @ip: (out): the first address of the newest look-up of the name until then, else of the next
 * @dns: (out) (optional): its row of the DNS table, or 0
 *
 * Returns: %TRUE if the name was seen to have an address
 */
gboolean
ns_names_find_address (NsBuilder *builder,
                       NsString name,
                       guint32 pid,
                       gint64 time_ns,
                       NsIp *ip,
                       NsRow *dns)
{
  NsNames *self = builder->names;
  guint64 key = BY_NAME | ns_names_lower (builder, name);
  Found found = { 0 };
  guint n;

  if (name == NS_STRING_NONE)
    return FALSE;
  find_list (self, key, pid, &found);
  n = count_until (self, found.entries, found.n_entries, time_ns);
  if (n == 0)
    {
      find_list (self, key, OF_ALL, &found);
      n = count_until (self, found.entries, found.n_entries, time_ns);
    }
  if (n == 0 && found.n_entries > 0)
    n = 1; /* asked only later: the earliest answer will do */
  if (n == 0)
    return FALSE;
  for (n--; n > 0; n--)
    {
      const NsNamesObs *obs = obs_at (self, &found, n);
      const NsNamesObs *before = obs_at (self, &found, n - 1);

      if (obs->dns == 0 || before->dns != obs->dns || before->time_ns != obs->time_ns)
        break;
    }
  *ip = obs_at (self, &found, n)->end->ip;
  if (dns != NULL)
    *dns = obs_at (self, &found, n)->dns;
  return TRUE;
}

static const NsProviderOps ops[] = {
  { NS_GUID_INIT (0x55404e71, 0x4db9, 0x4deb, 0xa5, 0xf5, 0x8f, 0x86, 0xe4, 0x6d, 0xde, 0x56),
    NULL,
    ns_names_handle_resolver },
  { NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d),
    NULL,
    ns_names_handle_dns },
};

const NsPart ns_names_part = {
  .name = "names",
  .start = start,
  .finish = finish,
  .stop = ns_names_drop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};

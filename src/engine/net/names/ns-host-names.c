/* Host names: the names that processes resolved, and the name of an address at a given time.
 *
 * An address has many names and a name many addresses; a program uses the name that it resolved
 * last. So each response is kept with its time and process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/net/names/ns-host-names-private.h"

#include "engine/trace/ns-url.h"

#include <string.h>

static void
start (NsBuilder *builder)
{
  NsHostNames *self = g_new0 (NsHostNames, 1);

  self->ips = ns_ips_new ();
  self->obs = g_array_new (FALSE, FALSE, sizeof (NsHostNamesObs));
  ns_host_names_start_lists (self);
  self->firsts = g_array_new (FALSE, TRUE, sizeof (NsHostNamesFirst));
  self->lower = ns_map_new ();
  self->servers = ns_map_new ();
  self->aliases = ns_map_new ();
  self->pending = g_array_new (FALSE, TRUE, sizeof (NsHostNamesPending));
  self->questions = ns_map_new ();
  self->named = ns_map_new ();
  self->resolving = ns_map_new ();
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->by_values = ns_map_new ();
  builder->host_names = self;
}

/* Frees open queries, and the responses kept for comparison, after the walks. */
static void
finish (NsBuilder *builder)
{
  NsHostNames *self = builder->host_names;

  g_clear_pointer (&self->pending, g_array_unref);
  g_clear_pointer (&self->questions, ns_map_free);
  g_clear_pointer (&self->named, ns_map_free);
  g_clear_pointer (&self->resolving, ns_map_free);
  g_clear_pointer (&self->values, g_ptr_array_unref);
  g_clear_pointer (&self->by_values, ns_map_free);
}

/**
 * ns_host_names_drop:
 * @builder: a builder
 *
 * Frees the observations, once no name is looked up any more.
 */
void
ns_host_names_drop (NsBuilder *builder)
{
  NsHostNames *self = builder->host_names;

  if (self == NULL)
    return;
  finish (builder);
  ns_ips_free (self->ips);
  g_array_unref (self->obs);
  g_clear_pointer (&self->peers, g_array_unref);
  ns_host_names_drop_lists (self);
  g_array_unref (self->firsts);
  ns_map_free (self->lower);
  ns_map_free (self->servers);
  ns_map_free (self->aliases);
  g_clear_pointer (&builder->host_names, g_free);
}

/* Returns the observation to name the address by. @obs: the newest one for the process. */
static const NsHostNamesObs *
choose (NsBuilder *builder, const NsHostNamesObs *obs, guint32 ip, gint64 time_ns, NsNameStep *step)
{
  NsHostNames *self = builder->host_names;
  NsHostNamesFound all;
  guint n;

  /* The reference tool keeps one name for an address: the first one observed. */
  if (builder->options.compat_reference)
    {
      ns_host_names_find_list (self, ip, NS_HOST_NAMES_OF_ALL, &all);
      *step = NS_NAME_ANY_PROCESS;
      if (all.n_entries > 0)
        return ns_host_names_obs_at (self, &all, 0);
    }
  *step = NS_NAME_SAME_PROCESS;
  if (obs != NULL)
    return obs;
  ns_host_names_find_list (self, ip, NS_HOST_NAMES_OF_ALL, &all);
  n = ns_host_names_count_until (self, &all, time_ns);
  if (n > 0)
    {
      *step = NS_NAME_ANY_PROCESS;
      return ns_host_names_obs_at (self, &all, n - 1);
    }
  if (all.n_entries > 0)
    {
      *step = NS_NAME_LATER;
      return ns_host_names_obs_at (self, &all, 0);
    }
  *step = NS_NAME_NONE;
  return NULL;
}

/* Returns the alias of the observation, else the first other name of the address, in lower case. */
static NsString
other_than (const NsHostNames *self,
            guint32 ip,
            const NsHostNamesObs *obs,
            NsString lower,
            NsString alias)
{
  const NsHostNamesFirst *first = ns_host_names_first_of (self, ip);
  guint i;

  if (alias != NS_STRING_NONE && alias != lower)
    return obs->alias;
  for (i = 0; first != NULL && i < 2; i++)
    if (first->names[i] != NS_STRING_NONE && first->lower[i] != lower)
      return first->names[i];
  return NS_STRING_NONE;
}

static NsString
other_name (NsBuilder *builder, guint32 ip, const NsHostNamesObs *obs, NsString server)
{
  return other_than (builder->host_names,
                     ip,
                     obs,
                     ns_host_names_lower (builder, server),
                     ns_host_names_lower (builder, obs->alias));
}

/* Answers for a URL: its host is the name that was used, and an observation can only add an
 * alias. */
static void
resolve_hint (NsBuilder *builder,
              guint32 pid,
              NsString hint,
              guint32 ip,
              gint64 time_ns,
              NsNameAnswer *answer)
{
  NsString lower = ns_host_names_lower (builder, hint);
  const NsHostNamesObs *obs =
      ns_host_names_newest (builder->host_names, ip | (guint64) lower << 32, pid, time_ns);
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
  obs = choose (builder,
                ns_host_names_newest (builder->host_names, ip, pid, time_ns),
                ip,
                time_ns,
                &step);
  if (obs == NULL)
    return;
  answer->dns = obs->dns;
  answer->alt = ns_host_names_lower (builder, obs->name) != lower
                    ? obs->name
                    : other_name (builder, ip, obs, hint);
}

static gboolean
is_localhost (const NsIp *ip)
{
  static const guint8 home[4] = { 127, 0, 0, 1 };

  return ns_ip_is_loopback (ip) &&
         (ip->family != NS_AF_INET || memcmp (ip->bytes, home, sizeof home) == 0);
}

static NsString
pseudo_name (NsBuilder *builder, const NsIp *ip, guint32 id)
{
  if (is_localhost (ip))
    return ns_strings_add (builder->trace->strings, "localhost");
  return id != 0 ? ns_map_get (builder->host_names->servers, id, 0) : NS_STRING_NONE;
}

static void
set_answer (NsNameAnswer *answer, const NsHostNamesObs *obs, NsString alt)
{
  answer->server = obs->name;
  answer->alt = alt;
  answer->dns = obs->dns;
  answer->inferred = answer->step >= NS_NAME_ANY_PROCESS;
}

/* Answers without a URL. @obs: the newest observation of the address for the process. */
static void
answer_by (NsBuilder *builder,
           const NsHostNamesObs *obs,
           const NsIp *ip,
           guint32 id,
           gint64 time_ns,
           NsNameAnswer *answer)
{
  memset (answer, 0, sizeof *answer);
  obs = id != 0 ? choose (builder, obs, id, time_ns, &answer->step) : NULL;
  if (obs != NULL)
    {
      set_answer (answer, obs, other_name (builder, id, obs, obs->name));
      return;
    }
  answer->server = pseudo_name (builder, ip, id);
  answer->step = answer->server != NS_STRING_NONE ? NS_NAME_PSEUDO : NS_NAME_NONE;
}

/* Answers as answer_by() does, but without changing the observations, so that several threads
 * may call it; %FALSE if a change is needed. */
gboolean
ns_host_names_answer_from (NsBuilder *builder,
                           const NsHostNamesObs *obs,
                           const NsIp *ip,
                           guint32 id,
                           gint64 time_ns,
                           NsNameAnswer *answer)
{
  const NsHostNames *self = builder->host_names;
  NsString alias = NS_STRING_NONE;
  NsString lower;

  memset (answer, 0, sizeof *answer);
  obs = id != 0 ? choose (builder, obs, id, time_ns, &answer->step) : NULL;
  if (obs == NULL)
    {
      if (is_localhost (ip))
        return FALSE;
      answer->server = id != 0 ? ns_map_get (self->servers, id, 0) : NS_STRING_NONE;
      answer->step = answer->server != NS_STRING_NONE ? NS_NAME_PSEUDO : NS_NAME_NONE;
      return TRUE;
    }
  lower = ns_map_get (self->lower, obs->name, 0);
  if (obs->alias != NS_STRING_NONE)
    {
      alias = ns_map_get (self->lower, obs->alias, 0);
      if (alias == NS_STRING_NONE)
        return FALSE;
    }
  set_answer (answer, obs, other_than (self, id, obs, lower, alias));
  return lower != NS_STRING_NONE;
}

/**
 * ns_host_names_resolve:
 * @builder: a builder
 * @pid: the process that used the address, if known
 * @hint: host of the URL, or %NS_STRING_NONE
 * @ip: the address
 * @time_ns: when the conversation began
 * @answer: (out): the names
 *
 * Finds the name for an address. To be called after the second walk.
 */
void
ns_host_names_resolve (NsBuilder *builder,
                       guint32 pid,
                       NsString hint,
                       const NsIp *ip,
                       gint64 time_ns,
                       NsNameAnswer *answer)
{
  NsHostNames *self = builder->host_names;
  guint32 id = ns_ips_find (self->ips, ip);
  const NsHostNamesObs *obs = NULL;

  if (hint != NS_STRING_NONE && !ns_url_is_blank (ns_trace_text (builder->trace, hint)))
    {
      memset (answer, 0, sizeof *answer);
      resolve_hint (builder, pid, hint, id, time_ns, answer);
      return;
    }
  if (id != 0)
    obs = ns_host_names_newest (self, id, pid, time_ns);
  answer_by (builder, obs, ip, id, time_ns, answer);
}

/**
 * ns_host_names_is_named:
 * @builder: a builder
 * @ip: an address
 *
 * Returns: whether ns_host_names_resolve() would find a name for the address at any time
 */
gboolean
ns_host_names_is_named (NsBuilder *builder, const NsIp *ip)
{
  guint32 id = ns_ips_find (builder->host_names->ips, ip);
  const NsHostNamesFirst *first = ns_host_names_first_of (builder->host_names, id);

  return (first != NULL && first->names[0] != NS_STRING_NONE) ||
         pseudo_name (builder, ip, id) != NS_STRING_NONE;
}

/**
 * ns_host_names_find_address:
 * @builder: a builder
 * @name: a name
 * @pid: process that makes the query, if known
 * @time_ns: time of the query
 * @until_ns: latest time of a look-up after @time_ns; %NS_TIME_OPEN: any
 * @ip: (out): first address of the newest look-up up to @time_ns, else of the first one later
 * @dns: (out) (optional): its row of the DNS table, or 0
 *
 * Returns: %TRUE if an address of the name was observed
 */
gboolean
ns_host_names_find_address (NsBuilder *builder,
                            NsString name,
                            guint32 pid,
                            gint64 time_ns,
                            gint64 until_ns,
                            NsIp *ip,
                            NsRow *dns)
{
  NsHostNames *self = builder->host_names;
  guint64 key = NS_HOST_NAMES_BY_NAME | ns_host_names_lower (builder, name);
  NsHostNamesFound found = { 0 };
  guint n;

  if (name == NS_STRING_NONE)
    return FALSE;
  ns_host_names_find_list (self, key, pid, &found);
  n = ns_host_names_count_until (self, &found, time_ns);
  if (n == 0)
    {
      ns_host_names_find_list (self, key, NS_HOST_NAMES_OF_ALL, &found);
      n = ns_host_names_count_until (self, &found, time_ns);
    }
  if (n == 0 && found.n_entries > 0 && ns_host_names_obs_at (self, &found, 0)->time_ns <= until_ns)
    n = 1; /* resolved only later: use the earliest response */
  if (n == 0)
    return FALSE;
  for (n--; n > 0; n--)
    {
      const NsHostNamesObs *obs = ns_host_names_obs_at (self, &found, n);
      const NsHostNamesObs *before = ns_host_names_obs_at (self, &found, n - 1);

      if (obs->dns == 0 || before->dns != obs->dns || before->time_ns != obs->time_ns)
        break;
    }
  *ip = ns_host_names_obs_at (self, &found, n)->end->ip;
  if (dns != NULL)
    *dns = ns_host_names_obs_at (self, &found, n)->dns;
  return TRUE;
}

static const NsProviderOps ops[] = {
  { NS_GUID_WINSOCK_NAME_RESOLUTION, NULL, ns_host_names_handle_resolver },
  { NS_GUID_DNS_CLIENT, NULL, ns_host_names_handle_dns },
};

static void
clear_dns (gpointer data)
{
  NsDnsRow *row = data;

  g_clear_pointer (&row->addresses, g_array_unref);
  g_clear_pointer (&row->aliases, g_array_unref);
  g_clear_pointer (&row->servers, g_array_unref);
}

static const NsPartTable tables[] = {
  NS_PART_TABLE (dns, NsDnsRow, clear_dns),
};

const NsPart ns_host_names_part = {
  .name = "names",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = start,
  .number = finish,
  .stop = ns_host_names_drop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};

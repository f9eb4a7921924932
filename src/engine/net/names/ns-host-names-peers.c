/* Looks up the names of the peers of all records of a table, in batches and with two threads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/names/ns-host-names-private.h"

#include "base/ns-fetch.h"
#include "base/ns-parts.h"

/* Number of peers collected before their names are looked up. */
#define MAX_PEERS (4 * NS_PARTS_ITEMS)
/* Number of peers looked up together: in a large trace each look-up misses the CPU caches, and a
 * batch lets the memory accesses overlap. */
#define MAX_TOGETHER 32

/* State of one look-up. */
typedef struct
{
  const NsHostNamesPeer *peer;
  guint32 id;
  NsHostNamesFound own;
  NsHostNamesFound anybodys;
} Look;

typedef struct
{
  NsBuilder *builder;
  NsPeerName *names; /* parallel to builder->host_names->peers */
  guint8 *is_later;  /* likewise; set if the look-up changes state, so that one thread does it
                        afterwards */
} Naming;

/* Prefetches the entry that most likely holds the result. */
static void
expect_entry (const NsHostNamesFound *found)
{
  guint last;

  if (found->list == NULL)
    return;
  last = __atomic_load_n (&found->list->last, __ATOMIC_RELAXED);
  ns_fetch (&found->entries[last > 0 ? last - 1 : 0], 1);
}

/* Prefetches the observation itself. */
static void
expect_answer (const NsHostNames *self, NsHostNamesFound *found, gint64 time_ns)
{
  guint n = ns_host_names_count_until (self, found, time_ns);

  if (n > 0)
    ns_fetch (ns_host_names_obs_at (self, found, n - 1), sizeof (NsHostNamesObs));
}

/* Looks up the lists in passes, each of which prefetches what the next one needs. */
static void
find_lists (NsHostNames *self, Look *looks, guint n)
{
  guint i;

  for (i = 0; i < n; i++)
    ns_ips_expect (self->ips, looks[i].peer->ip);
  for (i = 0; i < n; i++)
    {
      looks[i].id = ns_ips_find (self->ips, looks[i].peer->ip);
      if (looks[i].id == 0)
        continue;
      if (looks[i].peer->pid != NS_PID_UNKNOWN)
        ns_map_expect (self->by_key, looks[i].id, looks[i].peer->pid);
      ns_map_expect (self->by_key, looks[i].id, NS_HOST_NAMES_FOR_ANY_PROCESS);
    }
  for (i = 0; i < n; i++)
    {
      if (looks[i].id == 0)
        continue;
      if (looks[i].peer->pid != NS_PID_UNKNOWN)
        ns_host_names_find_list (self, looks[i].id, looks[i].peer->pid, &looks[i].own);
      ns_host_names_find_list (self,
                               looks[i].id,
                               NS_HOST_NAMES_FOR_ANY_PROCESS,
                               &looks[i].anybodys);
    }
  for (i = 0; i < n; i++)
    {
      expect_entry (&looks[i].own);
      expect_entry (&looks[i].anybodys);
    }
  for (i = 0; i < n; i++)
    {
      expect_answer (self, &looks[i].own, looks[i].peer->time_ns);
      expect_answer (self, &looks[i].anybodys, looks[i].peer->time_ns);
    }
}

static void
set_name (NsPeerName *name, const NsNameAnswer *answer)
{
  name->server = answer->server;
  name->alt = answer->alt;
  name->dns = answer->dns;
  name->inferred = answer->inferred;
}

static void
name_part (guint begin, guint end, guint worker, gpointer user_data)
{
  const Naming *naming = user_data;
  NsHostNames *self = naming->builder->host_names;
  guint from;
  guint i;

  for (from = begin; from < end; from += MAX_TOGETHER)
    {
      Look looks[MAX_TOGETHER] = { 0 };
      guint n = MIN (end - from, MAX_TOGETHER);

      for (i = 0; i < n; i++)
        looks[i].peer = &g_array_index (self->peers, NsHostNamesPeer, from + i);
      find_lists (self, looks, n);
      for (i = 0; i < n; i++)
        {
          const NsHostNamesPeer *peer = looks[i].peer;
          const NsHostNamesObs *obs =
              ns_host_names_newer_of (self, &looks[i].own, &looks[i].anybodys, peer->time_ns);
          NsNameAnswer answer;

          naming->is_later[from + i] = !ns_host_names_answer_from (naming->builder,
                                                                   obs,
                                                                   peer->ip,
                                                                   looks[i].id,
                                                                   peer->time_ns,
                                                                   &answer);
          set_name (&naming->names[from + i], &answer);
        }
    }
}

/**
 * ns_host_names_end_peers:
 * @builder: a builder
 * @names: (element-type NsPeerName): gets the names that are still pending
 *
 * Must be called after the last ns_host_names_note_peer(), before any other look-up or observation.
 */
void
ns_host_names_end_peers (NsBuilder *builder, GArray *names)
{
  NsHostNames *self = builder->host_names;
  guint n = self->peers != NULL ? self->peers->len : 0;
  guint n_before = names->len;
  g_autofree guint8 *is_later = NULL;
  Naming naming;
  guint i;

  if (n == 0)
    return;
  is_later = g_new (guint8, n);
  g_array_set_size (names, n_before + n);
  naming = (Naming){ builder, &g_array_index (names, NsPeerName, n_before), is_later };
  ns_host_names_enter_all (self);
  ns_parts_run (n, TRUE, name_part, &naming, NULL, NULL);
  for (i = 0; i < n; i++)
    if (is_later[i])
      {
        const NsHostNamesPeer *peer = &g_array_index (self->peers, NsHostNamesPeer, i);
        NsNameAnswer answer;

        ns_host_names_resolve (builder,
                               peer->pid,
                               NS_STRING_NONE,
                               peer->ip,
                               peer->time_ns,
                               &answer);
        set_name (&naming.names[i], &answer);
      }
  g_array_set_size (self->peers, 0);
}

/**
 * ns_host_names_note_peer:
 * @builder: a builder
 * @names: (element-type NsPeerName): gets one more name, now or in ns_host_names_end_peers()
 * @pid: the process that talked to the peer, or %NS_PID_UNKNOWN
 * @ip: its address, valid until ns_host_names_end_peers()
 * @time_ns: when the conversation began
 *
 * Looks up the name of a peer by the observations so far.
 */
void
ns_host_names_note_peer (NsBuilder *builder,
                         GArray *names,
                         guint32 pid,
                         const NsIp *ip,
                         gint64 time_ns)
{
  NsHostNames *self = builder->host_names;
  NsHostNamesPeer peer = { ip, time_ns, pid };

  if (self->peers == NULL)
    self->peers = g_array_new (FALSE, FALSE, sizeof (NsHostNamesPeer));
  if (self->peers->len == MAX_PEERS)
    ns_host_names_end_peers (builder, names);
  g_array_append_val (self->peers, peer);
}

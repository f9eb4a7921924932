/* The names of the peers of all records of a table, a few at a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-names-private.h"

#include "base/ns-fetch.h"

/* Fetches the entry at which the answer probably stands. */
static void
expect_entry (const NsNamesFound *found)
{
  if (found->list != NULL)
    ns_fetch (&found->entries[found->list->last > 0 ? found->list->last - 1 : 0], 1);
}

/* Fetches the answer itself. */
static void
expect_answer (const NsNames *self, NsNamesFound *found, gint64 time_ns)
{
  guint n = ns_names_count_until (self, found, time_ns);

  if (n > 0)
    ns_fetch (ns_names_obs_at (self, found, n - 1), sizeof (NsNamesObs));
}

static void
note (NsBuilder *builder, GArray *names, NsNamesPeer *peer)
{
  const NsNamesObs *obs =
      ns_names_newer_of (builder->names, &peer->own, &peer->anybodys, peer->time_ns);
  NsNameAnswer answer;
  NsPeerName name;

  ns_names_answer_by (builder, obs, peer->ip, peer->id, peer->time_ns, &answer);
  name.server = answer.server;
  name.alt = answer.alt;
  name.dns = answer.dns;
  name.inferred = answer.inferred;
  g_array_append_val (names, name);
}

/**
 * ns_names_end_peers:
 * @builder: a builder
 * @names: (element-type NsPeerName): gets the names that are not there yet
 *
 * To be called behind the last ns_names_note_peer(), before anything else is asked or observed.
 */
void
ns_names_end_peers (NsBuilder *builder, GArray *names)
{
  NsNames *self = builder->names;
  guint i;

  /* In turns, each of which asks the memory for what the next one needs. */
  for (i = 0; i < self->n_peers; i++)
    {
      NsNamesPeer *peer = &self->peers[i];

      peer->id = ns_ips_find (self->ips, peer->ip);
      if (peer->id == 0)
        continue;
      if (peer->pid != NS_PID_UNKNOWN)
        ns_map_expect (self->by_key, peer->id, peer->pid);
      ns_map_expect (self->by_key, peer->id, NS_NAMES_FOR_ANYBODY);
    }
  for (i = 0; i < self->n_peers; i++)
    {
      NsNamesPeer *peer = &self->peers[i];

      if (peer->id == 0)
        continue;
      if (peer->pid != NS_PID_UNKNOWN)
        ns_names_find_list (self, peer->id, peer->pid, &peer->own);
      ns_names_find_list (self, peer->id, NS_NAMES_FOR_ANYBODY, &peer->anybodys);
    }
  for (i = 0; i < self->n_peers; i++)
    {
      expect_entry (&self->peers[i].own);
      expect_entry (&self->peers[i].anybodys);
    }
  for (i = 0; i < self->n_peers; i++)
    {
      expect_answer (self, &self->peers[i].own, self->peers[i].time_ns);
      expect_answer (self, &self->peers[i].anybodys, self->peers[i].time_ns);
    }
  for (i = 0; i < self->n_peers; i++)
    note (builder, names, &self->peers[i]);
  self->n_peers = 0;
}

/**
 * ns_names_note_peer:
 * @builder: a builder
 * @names: (element-type NsPeerName): gets one more, now or by ns_names_end_peers()
 * @pid: the process that talked to the peer, if known
 * @ip: its address, valid until then
 * @time_ns: when the conversation began
 *
 * Keeps the name that was meant, as it is known by now.
 */
void
ns_names_note_peer (NsBuilder *builder, GArray *names, guint32 pid, const NsIp *ip, gint64 time_ns)
{
  NsNames *self = builder->names;
  NsNamesPeer *peer;

  if (self->n_peers == NS_NAMES_MAX_PEERS)
    ns_names_end_peers (builder, names);
  peer = &self->peers[self->n_peers++];
  *peer = (NsNamesPeer){ .ip = ip, .pid = pid, .time_ns = time_ns };
  ns_ips_expect (self->ips, ip);
}

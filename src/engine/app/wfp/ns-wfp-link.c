/* Links drops with connections (`providers.md` 3 W2), and determines the local endpoint.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/app/wfp/ns-wfp-private.h"
#include "engine/net/packets/ns-packet-components.h"
#include "engine/trace/ns-interval-index.h"

/* Tolerance around a record's lifetime. */
#define SLACK_NS (NS_PER_SECOND / 1000)
/* Maximum time from the drop of a packet to the failure of its connect. */
#define FAILURE_NS (NS_PER_SECOND / 10)

typedef struct
{
  NsTrace *trace;
  const GArray *failures;
  NsIntervalIndex by_remote;
  NsIntervalIndex by_key;
  NsMap *own; /* hashes of local addresses */
} Link;

static const NsTcpRow *
tcp_row (const Link *self, NsRow row)
{
  return NS_ROW_AT (self->trace->tcp, NsTcpRow, row);
}

static void
index_connections (Link *self)
{
  guint i;

  ns_interval_index_init (&self->by_remote);
  ns_interval_index_init (&self->by_key);
  for (i = 0; i < self->trace->tcp->len; i++)
    {
      const NsTcpRow *tcp = tcp_row (self, i + 1);
      gint64 open_ns = tcp->before_trace || !ns_time_is_set (tcp->open_ns)
                           ? G_MININT64
                           : tcp->open_ns - SLACK_NS;

      ns_interval_index_add (&self->by_remote, ns_endpoint_hash (tcp->remote), 0, i + 1, open_ns);
      ns_interval_index_add (&self->by_key, tcp->tcb, 1, i + 1, open_ns);
      if (!ns_ip_is_empty (&tcp->local->ip))
        ns_map_set (self->own, ns_ip_hash (&tcp->local->ip), 0, 1);
    }
  ns_interval_index_settle (&self->by_remote);
  ns_interval_index_settle (&self->by_key);
}

static gboolean
is_alive (const NsTcpRow *tcp, gint64 time_ns)
{
  return tcp->close_ns == NS_TIME_OPEN || !ns_time_is_set (tcp->close_ns) ||
         time_ns <= ns_time_after (tcp->close_ns, SLACK_NS);
}

/* Returns the newest record with the key. */
static NsRow
find_by_key (const Link *self, guint64 key, gint64 time_ns)
{
  guint n_lives;
  const NsLife *lives = ns_interval_index_get (&self->by_key, key, 1, &n_lives);
  guint n = ns_interval_index_count_until (lives, n_lives, time_ns);

  return n > 0 && is_alive (tcp_row (self, lives[n - 1].row), time_ns) ? lives[n - 1].row : 0;
}

/* Returns whether the connect failed within FAILURE_NS after the drop. */
static gboolean
fails_soon (const Link *self, const NsTcpRow *tcp, gint64 time_ns)
{
  guint low = 0;
  guint high = self->failures->len;
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->failures, NsWfpFailure, middle).time_ns < time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < self->failures->len && n_left > 0; low++, n_left--)
    {
      const NsWfpFailure *failure = &g_array_index (self->failures, NsWfpFailure, low);

      if (failure->time_ns - time_ns > FAILURE_NS)
        return FALSE;
      if (failure->key == tcp->tcb)
        return TRUE;
    }
  return FALSE;
}

static gboolean
fits (const NsTcpRow *tcp, const NsWfpRow *row)
{
  return is_alive (tcp, row->layer.open_ns) && ns_endpoint_equal (tcp->remote, &row->remote) &&
         (tcp->local->port == 0 || row->local.port == 0 || tcp->local->port == row->local.port) &&
         (row->protocol == NULL || g_str_equal (row->protocol, tcp->is_udp ? "UDP" : "TCP"));
}

/* Returns the only matching connection; of several ones, the one whose connect failed then. */
static NsRow
find_by_ends (const Link *self, const NsWfpRow *row, gboolean *by_failure)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  guint n_found = 0;
  guint n_failed = 0;
  NsRow found = 0;
  NsRow failed = 0;
  const NsLife *lives;
  guint n_lives;
  guint i;

  /* An address without a port does not identify a connection. */
  if (row->remote.port == 0 || ns_ip_is_empty (&row->remote.ip))
    return 0;
  lives = ns_interval_index_get (&self->by_remote, ns_endpoint_hash (&row->remote), 0, &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, row->layer.open_ns);
  for (; i > 0 && n_left > 0; i--, n_left--)
    {
      const NsTcpRow *tcp = tcp_row (self, lives[i - 1].row);

      if (!fits (tcp, row))
        continue;
      n_found++;
      found = lives[i - 1].row;
      if (fails_soon (self, tcp, row->layer.open_ns))
        {
          n_failed++;
          failed = lives[i - 1].row;
        }
    }
  *by_failure = n_found > 1 && n_failed == 1;
  if (n_found == 1)
    return found;
  return *by_failure ? failed : 0;
}

/* Returns whether the address is local: known from connections, interfaces, and drops with a
 * direction. */
static gboolean
is_own (const Link *self, const NsIp *ip)
{
  return ns_ip_is_loopback (ip) || ns_map_get (self->own, ns_ip_hash (ip), 0) != 0 ||
         (self->trace->packet_components != NULL &&
          ns_packet_components_has_address (self->trace->packet_components, ip));
}

static void
learn_own (Link *self)
{
  guint i;

  for (i = 0; i < self->trace->wfp->len; i++)
    {
      const NsWfpRow *row = &g_array_index (self->trace->wfp, NsWfpRow, i);

      if (!row->is_tcpip && row->kind != NS_WFP_MAC_DROP && !ns_ip_is_empty (&row->local.ip))
        ns_map_set (self->own, ns_ip_hash (&row->local.ip), 0, 1);
    }
}

/* Swaps the endpoints of TCPIP drops without ports, in which the source is recorded as local. */
static void
turn_ends (const Link *self, NsWfpRow *row)
{
  gboolean is_out = is_own (self, &row->local.ip);
  gboolean is_in = is_own (self, &row->remote.ip);

  if (!row->is_tcpip || row->direction != NULL || row->local.port != 0 || row->remote.port != 0 ||
      ns_ip_is_empty (&row->remote.ip))
    return;
  if (is_out)
    row->direction = "out";
  else if (is_in)
    {
      NsEndpoint source = row->local;

      row->direction = "in";
      row->local = row->remote;
      row->remote = source;
    }
}

static void
link_row (Link *self, NsWfpRow *row)
{
  gboolean by_failure = FALSE;
  const NsTcpRow *tcp;

  if (row->key != 0)
    {
      row->tcp = find_by_key (self, row->key, row->layer.open_ns);
      row->layer.confidence = NS_CONFIDENCE_CERTAIN;
      row->layer.evidence[0] = "key";
    }
  else
    {
      row->tcp = find_by_ends (self, row, &by_failure);
      row->layer.confidence = NS_CONFIDENCE_LIKELY;
      row->layer.evidence[0] = "addresses";
      row->layer.evidence[1] = by_failure ? "failed connect" : NULL;
    }
  if (row->tcp == 0)
    {
      row->layer.confidence = -1;
      row->layer.evidence[0] = NULL;
      row->layer.evidence[1] = NULL;
      return;
    }
  tcp = tcp_row (self, row->tcp);
  row->protocol = tcp->is_udp ? "UDP" : "TCP";
  if (ns_ip_is_empty (&row->remote.ip))
    row->remote = *tcp->remote;
  if (ns_ip_is_empty (&row->local.ip))
    row->local = *tcp->local;
  if (row->app == NS_STRING_NONE && row->layer.pid == NS_PID_UNKNOWN)
    row->layer.pid = tcp->pid;
}

/**
 * ns_wfp_link_rows: (skip)
 * @trace: a trace whose table of connections is written
 * @failures: (element-type NsWfpFailure): failed connects, in time order
 *
 * Finds the connection of each row.
 */
void
ns_wfp_link_rows (NsTrace *trace, const GArray *failures)
{
  Link self = { .trace = trace, .failures = failures, .own = ns_map_new () };
  guint i;

  index_connections (&self);
  learn_own (&self);
  for (i = 0; i < trace->wfp->len; i++)
    {
      NsWfpRow *row = &g_array_index (trace->wfp, NsWfpRow, i);

      turn_ends (&self, row);
      link_row (&self, row);
    }
  ns_interval_index_clear (&self.by_remote);
  ns_interval_index_clear (&self.by_key);
  ns_map_free (self.own);
}

/* Contributions of further layers to rules: SMB, RPC, QUIC, .NET handshakes, WFP filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"
#include "engine/app/quic/ns-quic.h"
#include "engine/app/rpc/ns-rpc.h"
#include "engine/app/smb/ns-smb.h"
#include "engine/app/tls/ns-tls.h"
#include "engine/app/wfp/ns-wfp.h"

#include <string.h>

#define SLOW_SERVER_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D43_WAIT)
#define SLOW_SERVER_ROUND_TRIPS(self) ns_findings_limit (self, NS_THRESHOLD_D43_ROUND_TRIPS)
/* Maximum distance between a dropped packet and the filter's record of it. */
#define SAME_DROP_NS (100 * NS_PER_MS)
/* Maximum number of drops at one time that are compared. */
#define MAX_SAME_DROPS 256

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

static gboolean
is_one_of (const char *text, const char *const *list)
{
  for (; text != NULL && *list != NULL; list++)
    if (g_ascii_strcasecmp (text, *list) == 0)
      return TRUE;
  return FALSE;
}

/* Returns whether the server delays the answer to such a command until an event happens. */
static gboolean
is_held_back (const NsFindings *self, const NsSmbRow *row)
{
  static const char *const commands[] = { "Change notify", "Lock", "Ioctl", NULL };
  static const char *const shares[] = { "IPC$", NULL };

  return is_one_of (ns_findings_text (self, row->command), commands) ||
         is_one_of (ns_findings_text (self, row->share), shares);
}

static gboolean
is_slower (const NsFindings *self, gint64 wait_ns, gint64 rtt_ns)
{
  return wait_ns >= SLOW_SERVER_NS (self) && wait_ns / SLOW_SERVER_ROUND_TRIPS (self) >= rtt_ns;
}

static void
add_slow_commands (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->smb->len; i++)
    {
      const NsSmbRow *row = &g_array_index (trace->smb, NsSmbRow, i);
      gint64 rtt_ns = ns_findings_connection_rtt (self, row->tcp);
      g_autofree char *host = NULL;
      NsFindingGroup *group;

      if (row->kind != NS_SMB_COMMAND || !is_slower (self, row->wire_ns, rtt_ns) ||
          is_held_back (self, row))
        continue;
      host = ns_findings_dup_host (self, row->server, &row->remote);
      group = ns_findings_group (self, row->layer.pid, host, NS_FINDINGS_OF_FILES);
      group->sum_a = MAX (group->sum_a, rtt_ns == NS_UNKNOWN ? 0 : (guint64) rtt_ns);
      ns_findings_add (group,
                       NS_TABLE_SMB,
                       i + 1,
                       row->layer.activity,
                       row->sent_ns,
                       row->response_ns);
      ns_findings_mark_at (self, group, row->sent_ns);
      ns_findings_mark_at (self, group, row->response_ns);
    }
}

/* Adds answered calls to other machines; local calls do not use the network. */
static void
add_slow_calls (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->rpc->len; i++)
    {
      const NsRpcRow *row = &g_array_index (trace->rpc, NsRpcRow, i);
      gint64 rtt_ns = ns_findings_connection_rtt (self, row->tcp);
      g_autofree char *host = NULL;
      NsFindingGroup *group;

      if (row->is_server || row->protocol == NS_RPC_LOCAL || row->layer.opened_before_trace ||
          !ns_time_is_set (row->layer.close_ns) || row->layer.status > 0 ||
          !is_slower (self, ns_time_between (row->layer.open_ns, row->layer.close_ns), rtt_ns))
        continue;
      host = ns_findings_dup_host (self, row->address, &row->remote);
      group = ns_findings_group (self, row->layer.pid, host, NS_FINDINGS_OF_CALLS);
      group->sum_a = MAX (group->sum_a, rtt_ns == NS_UNKNOWN ? 0 : (guint64) rtt_ns);
      ns_findings_add (group,
                       NS_TABLE_RPC,
                       i + 1,
                       row->layer.activity,
                       row->layer.open_ns,
                       row->layer.close_ns);
      ns_findings_mark_at (self, group, row->layer.open_ns);
      ns_findings_mark_at (self, group, row->layer.close_ns);
    }
}

/**
 * ns_findings_add_slow_calls: (skip)
 * @self: the findings of one trace
 *
 * Adds SMB commands and RPC calls with slow servers to the groups of the current rule.
 */
void
ns_findings_add_slow_calls (NsFindings *self)
{
  add_slow_commands (self);
  add_slow_calls (self);
}

/**
 * ns_findings_add_handshakes: (skip)
 * @self: the findings of one trace
 *
 * Adds failed handshakes that have no error code of a request: those of .NET have a text, those of
 * QUIC an alert.
 */
void
ns_findings_add_handshakes (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint n;

  for (n = 0; n < self->operations->failed->len; n++)
    {
      guint i = g_array_index (self->operations->failed, guint, n);
      const NsActivityRow *row = ROW (trace, i);
      g_autofree char *host = NULL;
      g_autofree char *code = NULL;
      NsFindingGroup *group;
      NsTlsFacts facts;

      if (!row->failed || row->parent != 0 ||
          (row->source_table != NS_TABLE_DOTNET && row->source_table != NS_TABLE_QUIC) ||
          !ns_tls_get_facts (trace, NS_TABLE_ACTIVITIES, i + 1, &facts))
        continue;
      if (row->source_table == NS_TABLE_QUIC && row->error_family == NS_CODE_TLS)
        code = g_strdup_printf ("alert %u", row->error);
      else if (row->source_table == NS_TABLE_DOTNET && facts.error_text != NS_STRING_NONE)
        code = g_strdup (ns_findings_text (self, facts.error_text));
      else
        continue;
      host = ns_findings_dup_host (self, row->server, row->remote);
      group = ns_findings_group (self, row->pid, host, code);
      if (row->source_table == NS_TABLE_QUIC)
        group->n_filter = row->error;
      else
        group->text = facts.error_text;
      ns_findings_add (group,
                       NS_TABLE_ACTIVITIES,
                       i + 1,
                       0,
                       row->open_ns,
                       ns_findings_end (self, row->close_ns));
    }
}

/**
 * ns_findings_add_lost_packets: (skip)
 * @self: the findings of one trace
 *
 * Adds lost packets of QUIC connections to the groups of the current rule; packets count as
 * segments do.
 */
void
ns_findings_add_lost_packets (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->quic->len; i++)
    {
      const NsQuicRow *row = &g_array_index (trace->quic, NsQuicRow, i);
      g_autofree char *host = NULL;
      NsFindingGroup *group;
      gint64 lost;

      if (row->is_stream || row->packets_sent <= 0 || row->packets_suspected < 0)
        continue;
      host = ns_findings_dup_host (self, row->server, &row->remote);
      group = ns_findings_group (self, row->layer.pid, host, NS_FINDINGS_OF_QUIC);
      group->sum_b += (guint64) row->packets_sent;
      lost = MIN (row->packets_suspected - MAX (row->packets_spurious, 0), row->packets_sent);
      if (lost <= 0)
        continue;
      group->sum_a += (guint64) lost;
      /* The rows do not hold how long the sender waited for each: no cost. */
      ns_findings_add (group,
                       NS_TABLE_QUIC,
                       i + 1,
                       row->layer.activity,
                       row->layer.open_ns,
                       row->layer.open_ns);
    }
}

/* Returns the first drop by the filter, (nullable). */
static const NsWfpRow *
find_drop_by_filter (NsFindings *self, guint64 filter)
{
  const NsTrace *trace = self->trace;
  guint n;
  guint i;

  if (self->filters == NULL)
    {
      self->filters = g_hash_table_new (ns_hash_int64, g_int64_equal);
      for (i = trace->wfp->len; i-- > 0;)
        if (g_array_index (trace->wfp, NsWfpRow, i).has_filter)
          g_hash_table_replace (self->filters,
                                &g_array_index (trace->wfp, NsWfpRow, i).filter,
                                GUINT_TO_POINTER (i + 1));
    }
  n = GPOINTER_TO_UINT (g_hash_table_lookup (self->filters, &filter));
  return n != 0 ? NS_ROW_AT (trace->wfp, NsWfpRow, n) : NULL;
}

static char *
dup_number_and_name (const NsFindings *self, guint64 number, NsString name)
{
  const char *text = ns_findings_text (self, name);

  return *text != '\0' ? g_strdup_printf ("%" G_GUINT64_FORMAT " (%s)", number, text)
                       : g_strdup_printf ("%" G_GUINT64_FORMAT, number);
}

/**
 * ns_findings_dup_filter: (skip)
 * @self: the findings of one trace
 * @filter: run-time ID of a WFP filter
 *
 * Returns: (transfer full): the ID, with the filter's name if it is known
 */
char *
ns_findings_dup_filter (NsFindings *self, guint64 filter)
{
  const NsWfpRow *row = find_drop_by_filter (self, filter);

  return dup_number_and_name (self, filter, row != NULL ? row->filter_name : NS_STRING_NONE);
}

/**
 * ns_findings_dup_filter_layer: (skip)
 * @self: the findings of one trace
 * @filter: run-time ID of a WFP filter
 * @layer: ID of the layer in which it dropped a packet
 *
 * Returns: (transfer full): the ID of the layer, with the layer's name if it is known
 */
char *
ns_findings_dup_filter_layer (NsFindings *self, guint64 filter, guint layer)
{
  const NsWfpRow *row = find_drop_by_filter (self, filter);

  return dup_number_and_name (self,
                              layer,
                              row != NULL && row->layer_id == layer ? row->layer_name
                                                                    : NS_STRING_NONE);
}

/**
 * ns_findings_find_filter: (skip)
 * @self: the findings of one trace
 * @tcp: a TCP row
 * @time_ns: the time at which a packet of @tcp was dropped
 *
 * Returns: run-time ID of the WFP filter that dropped a packet of @tcp at that time, or 0
 */
guint64
ns_findings_find_filter (const NsFindings *self, NsRow tcp, gint64 time_ns)
{
  const NsTrace *trace = self->trace;
  guint n_left = MAX_SAME_DROPS;
  guint low = 0;
  guint high = trace->wfp->len;

  /* The rows are sorted by time. */
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (trace->wfp, NsWfpRow, middle).layer.open_ns <
          ns_time_after (time_ns, -SAME_DROP_NS))
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < trace->wfp->len && n_left > 0; low++, n_left--)
    {
      const NsWfpRow *row = &g_array_index (trace->wfp, NsWfpRow, low);

      if (row->layer.open_ns > ns_time_after (time_ns, SAME_DROP_NS))
        break;
      if (row->tcp == tcp && row->has_filter && row->filter != 0)
        return row->filter;
    }
  return 0;
}

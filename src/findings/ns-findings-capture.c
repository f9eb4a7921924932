/* Rules whose evidence is captured packets only: neighbors that do not answer (D47), old TLS
 * versions and expiring certificates (D26), destinations reported unreachable by ICMP (D08).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "engine/net/packets/ns-packet-row.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MIN_REQUESTS(self) ns_findings_limit (self, NS_THRESHOLD_D47_REQUESTS)
#define UNANSWERED_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D47_SILENT)
#define EXPIRES_SOON_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D26_EXPIRES)
#define NS_PER_FILETIME 100

#define FLOW(trace, i) (&g_array_index ((trace)->flows, NsFlowRow, (i)))

static void
report_silent_neighbor (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *n = g_strdup_printf ("%u", (guint) group->sum_a);
  g_autofree char *interface = group->sum_b > NS_STRING_EMPTY
                                   ? g_strdup (ns_findings_text (self, (NsString) group->sum_b))
                                   /* Translators: the number of a network adapter. */
                                   : g_strdup_printf (_ ("interface %u"), (guint) group->n_filter);

  if (group->sum_a < MIN_REQUESTS (self))
    return;
  group->is_absence = TRUE;
  ns_findings_report_sentence (
      self,
      group,
      NS_SEVERITY_PROBLEM,
      NS_FINDING_HIGH,
      /* Translators: do not translate the words in braces. */
      _ ("Nobody answers for {subject} on {interface}: {n} requests in {longest}; the "
         "machine is off, or the address or mask is wrong."),
      "interface",
      interface,
      "n",
      n,
      NULL);
}

/* Returns whether an ARP or neighbor discovery request got no answer. Requests of other machines do
 * not count: a capture need not show their answers. */
static gboolean
is_unanswered (const NsFindings *self, const NsFlowRow *flow)
{
  return (flow->kind == NS_FLOW_ARP || flow->kind == NS_FLOW_ND) &&
         flow->end != NS_FLOW_END_ANSWERED && flow->local != NS_FLOW_LOCAL_SERVER &&
         flow->ways[0].n_packets > 0 && flow->ways[1].n_packets == 0 &&
         ns_time_between (flow->last_ns, self->trace->end_ns) >= UNANSWERED_NS (self);
}

/* Marks the requests of conversations as evidence; @groups is indexed by the 1-based flow row. */
static void
mark_packets (NsFindings *self, NsFindingGroup *const *groups)
{
  guint i;

  for (i = 0; i < self->trace->packets->len; i++)
    {
      NsRow flow = g_array_index (self->trace->packets, NsPacketRow, i).flow;

      if (flow != 0 && flow <= self->trace->flows->len && groups[flow] != NULL)
        ns_findings_mark_packet (self, groups[flow], i + 1);
    }
}

void
ns_find_silent_neighbors (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree NsFindingGroup **groups = g_new0 (NsFindingGroup *, trace->flows->len + 1);
  guint i;

  for (i = 0; i < trace->flows->len; i++)
    {
      const NsFlowRow *flow = FLOW (trace, i);
      char text[NS_IP_TEXT_SIZE];
      g_autofree char *interface = NULL;
      const NsPacketPlace *place;
      NsFindingGroup *group;

      if (!is_unanswered (self, flow))
        continue;
      place = ns_packet_place_get (trace, flow->place);
      interface = g_strdup_printf ("%u %u", place->interface, place->interface_name);
      group = ns_findings_group (self,
                                 NS_PID_UNKNOWN,
                                 ns_ip_to_text (&flow->server.ip, text),
                                 interface);
      group->sum_a += flow->ways[0].n_packets;
      group->sum_b = place->interface_name;
      group->n_filter = place->interface;
      ns_findings_add (group, NS_TABLE_FLOWS, i + 1, 0, flow->open_ns, flow->last_ns);
      groups[i + 1] = group;
    }
  mark_packets (self, groups);
  ns_findings_report_groups (self, report_silent_neighbor);
}

enum
{
  TLS_OLD = 1,
  TLS_EXPIRED,
  TLS_EXPIRES,
};

static void
report_weak_tls (NsFindings *self, NsFindingGroup *group)
{
  static const char *const sentences[] = {
    [TLS_OLD] = N_ ("{process}: {subject} chose {what}, an old version that is no longer safe "
                    "(connections: {count})."),
    [TLS_EXPIRED] = N_ ("{process}: the certificate of {subject} had expired on {what} "
                        "(connections: {count})."),
    [TLS_EXPIRES] = N_ ("{process}: the certificate of {subject} expires on {what} (connections: "
                        "{count})."),
  };

  ns_findings_report_sentence (self,
                               group,
                               group->sum_a == TLS_EXPIRED ? NS_SEVERITY_PROBLEM
                                                           : NS_SEVERITY_WARNING,
                               NS_FINDING_HIGH,
                               _ (sentences[group->sum_a]),
                               "what",
                               ns_findings_text (self, (NsString) group->sum_b),
                               NULL);
}

/* Returns TLS_EXPIRED or TLS_EXPIRES for a certificate that had expired, or would soon, at the time
 * of the handshake; 0: neither, or not known. */
static guint
judge_expiry (const NsFindings *self, const NsFlowRow *flow)
{
  const char *expires = ns_trace_text (self->trace, flow->inside->expires);
  guint64 now = ns_etl_file_ns_to_filetime (self->trace->file, flow->open_ns);
  guint64 end;

  if (expires == NULL || now == 0 || !ns_time_filetime_from_iso (expires, &end))
    return 0;
  if (end < now)
    return TLS_EXPIRED;
  return end - now <= (guint64) EXPIRES_SOON_NS (self) / NS_PER_FILETIME ? TLS_EXPIRES : 0;
}

/* Returns whether the TLS version, such as `TLS 1.0` or `SSL 3.0`, is an old one. */
static gboolean
is_old (const char *version)
{
  return version != NULL &&
         (g_str_has_prefix (version, "SSL") || g_str_has_suffix (version, "1.0") ||
          g_str_has_suffix (version, "1.1"));
}

static void
add_weak_tls (NsFindings *self, guint n, guint what, NsString text, NsFindingGroup **groups)
{
  const NsFlowRow *flow = FLOW (self->trace, n);
  g_autofree char *host = ns_findings_dup_host (self, flow->server_name, &flow->server);
  g_autofree char *extra = g_strdup_printf ("%u %u", what, text);
  NsFindingGroup *group = ns_findings_group (self, flow->pid, host, extra);

  group->sum_a = what;
  group->sum_b = text;
  ns_findings_add (group, NS_TABLE_FLOWS, n + 1, flow->activity, flow->open_ns, flow->open_ns);
  if (groups[n + 1] == NULL)
    groups[n + 1] = group;
}

/**
 * ns_findings_report_weak_tls: (skip)
 * @self: the findings of one trace, without groups
 *
 * Reports handshakes with an old TLS version, or with a certificate that has expired or expires
 * soon, although they succeeded.
 */
void
ns_findings_report_weak_tls (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree NsFindingGroup **groups = g_new0 (NsFindingGroup *, trace->flows->len + 1);
  guint i;

  for (i = 0; i < trace->flows->len; i++)
    {
      const NsFlowInside *inside = FLOW (trace, i)->inside;
      guint what;

      if (inside == NULL || !inside->is_tls)
        continue;
      if (inside->version > NS_STRING_EMPTY && is_old (ns_trace_text (trace, inside->version)))
        add_weak_tls (self, i, TLS_OLD, inside->version, groups);
      what = inside->expires > NS_STRING_EMPTY ? judge_expiry (self, FLOW (trace, i)) : 0;
      if (what != 0)
        add_weak_tls (self, i, what, inside->expires, groups);
    }
  for (i = 1; i <= trace->flows->len; i++)
    if (groups[i] != NULL && FLOW (trace, i - 1)->inside->tls_begin_ns != NS_TIME_NONE)
      ns_findings_mark_at (self, groups[i], FLOW (trace, i - 1)->inside->tls_begin_ns);
  ns_findings_report_groups (self, report_weak_tls);
}

static void
report_icmp (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *n = g_strdup_printf ("%u", (guint) group->sum_b);
  char from[NS_IP_TEXT_SIZE];

  if (group->sum_b < ns_findings_limit (self, NS_THRESHOLD_D08_CONNECTS))
    return;
  ns_findings_report_sentence (
      self,
      group,
      NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      /* Translators: do not translate the words in braces; ICMP is a protocol, what is its message:
       * “host unreachable”. */
      _ ("{process}: {from} reports for packets to {subject}: {what} (ICMP errors: {n})."),
      "from",
      ns_ip_to_text (&group->local.ip, from),
      "what",
      ns_findings_text (self, (NsString) group->sum_a),
      "n",
      n,
      NULL);
}

/* Returns whether the conversation got ICMP type 3 (RFC 792) or ICMPv6 type 1 (RFC 4443, 3.1).
 * “Fragmentation needed” (type 3 code 4) belongs to another rule. */
static gboolean
is_unreachable (const NsFlowRow *flow)
{
  const NsFlowMore *more = ns_flow_get_more (flow);

  if (more->icmp_from.family == NS_AF_INET6)
    return more->icmp_type == 1;
  return more->icmp_type == 3 && more->icmp_code != 4;
}

/**
 * ns_findings_report_icmp: (skip)
 * @self: the findings of one trace, without groups
 *
 * Reports conversations that ICMP reported unreachable. TCP connects are left to the rules about
 * connection attempts.
 */
void
ns_findings_report_icmp (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->flows->len; i++)
    {
      const NsFlowRow *flow = FLOW (trace, i);
      g_autofree char *subject = NULL;
      NsFindingGroup *group;

      if (flow->more == NULL || flow->more->n_icmp_errors == 0 || !is_unreachable (flow) ||
          flow->local == NS_FLOW_LOCAL_SERVER ||
          (flow->kind == NS_FLOW_TCP && flow->start == NS_FLOW_START_SYN))
        continue;
      subject = ns_findings_dup_endpoint (self, flow->server_name, &flow->server);
      group = ns_findings_group (self, flow->pid, subject, "icmp");
      group->sum_a = flow->more->icmp_error;
      group->sum_b += flow->more->n_icmp_errors;
      group->local.ip = flow->more->icmp_from;
      ns_findings_mark_at (self, group, flow->last_ns);
      ns_findings_add (group,
                       NS_TABLE_FLOWS,
                       i + 1,
                       flow->activity,
                       flow->open_ns,
                       ns_findings_end (self, flow->last_ns));
    }
  ns_findings_report_groups (self, report_icmp);
}

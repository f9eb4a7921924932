/* Part of rule D02: name servers whose port 53 is closed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>

#define PORT_OF_NAMES 53
#define SOCK_DATAGRAM 2
#define STATUS_PORT_UNREACHABLE 0xc000023f
/* A single answer may be a restart of the server. */
#define MIN_PROBLEMS(self) ns_findings_limit (self, NS_THRESHOLD_D02_CLOSED)

static void
report_closed_server (NsFindings *self, NsFindingGroup *group)
{
  ns_findings_report_sentence (self,
                               group,
                               group->count >= MIN_PROBLEMS (self) ? NS_SEVERITY_PROBLEM
                                                                   : NS_SEVERITY_WARNING,
                               NS_FINDING_HIGH,
                               /* Translators: do not translate the words in braces. */
                               _ ("{process}: {subject} does not accept DNS queries: its UDP port "
                                  "53 is unreachable{times}."),
                               NULL);
}

/**
 * ns_find_closed_name_servers: (skip)
 * @self: the findings of one trace
 *
 * Finds name servers that answered with ICMP “port unreachable”. Reports them, then clears the
 * groups of the rule.
 */
void
ns_find_closed_name_servers (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree NsFindingGroup **groups = NULL;
  guint i;

  for (i = 0; i < trace->winsock->len; i++)
    {
      const NsWinsockRow *socket = &g_array_index (trace->winsock, NsWinsockRow, i);
      char text[NS_IP_TEXT_SIZE];

      if (socket->status != STATUS_PORT_UNREACHABLE || socket->socket_type != SOCK_DATAGRAM ||
          socket->remote->port != PORT_OF_NAMES || ns_ip_is_empty (&socket->remote->ip))
        continue;
      if (groups == NULL)
        groups = g_new0 (NsFindingGroup *, trace->winsock->len + 1);
      groups[i + 1] =
          ns_findings_group (self, socket->pid, ns_ip_to_text (&socket->remote->ip, text), NULL);
      ns_findings_add (groups[i + 1],
                       NS_TABLE_WINSOCK,
                       i + 1,
                       socket->activity,
                       ns_time_is_set (socket->first_data_ns) ? socket->first_data_ns
                                                              : socket->open_ns,
                       ns_time_is_set (socket->last_data_ns) ? socket->last_data_ns
                                                             : socket->close_ns);
    }
  for (i = 0; groups != NULL && i < self->calls->failed->len; i++)
    {
      NsRow row = g_array_index (self->calls->failed, NsRow, i);
      const NsCallRow *call = NS_ROW_AT (trace->calls, NsCallRow, row);

      if (call->winsock == 0 || call->winsock > trace->winsock->len ||
          groups[call->winsock] == NULL || call->status != STATUS_PORT_UNREACHABLE)
        continue;
      ns_findings_add_ref (groups[call->winsock], NS_TABLE_CALLS, row);
      ns_findings_mark_at (self, groups[call->winsock], call->close_ns);
    }
  ns_findings_report_groups (self, report_closed_server);
  /* Servers that do not answer at all get another sentence. */
  ns_findings_clear_groups (self);
}

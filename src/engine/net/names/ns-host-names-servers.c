/* DNS servers queried for a name, and those that did not respond.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/names/ns-host-names-private.h"

/* Maximum number of servers kept per query. */
#define NS_HOST_NAMES_MAX_SERVERS 64

static NsHostNamesPending *
pending_at (NsHostNames *self, NsRow row)
{
  return &g_array_index (self->pending, NsHostNamesPending, row - 1);
}

/* Indexes a new row by its name. */
void
ns_host_names_link_row (NsBuilder *builder, NsRow row)
{
  NsHostNames *self = builder->host_names;
  const NsDnsRow *dns = NS_ROW_AT (builder->trace->dns, NsDnsRow, row);
  NsString name = ns_host_names_lower (builder, dns->query);
  NsRow older;

  if (name == NS_STRING_NONE)
    return;
  older = ns_map_get (self->named, name, 0);
  while (older != 0 && pending_at (self, older)->is_done)
    older = pending_at (self, older)->same_name;
  pending_at (self, row)->same_name = older;
  ns_map_set (self->named, name, 0, row);
}

/* Marks a row as complete: later events belong to another query. */
void
ns_host_names_end_row (NsBuilder *builder, NsRow row)
{
  pending_at (builder->host_names, row)->is_done = TRUE;
}

/* Returns whether the event belongs to this row. The DNS service queries on behalf of other
 * processes, and records the client in newer event versions only. */
static gboolean
is_of_row (const NsHostNamesServerEvent *event, const NsDnsRow *dns)
{
  if (event->type != 0 && dns->type != 0 && dns->type != event->type)
    return FALSE;
  return event->client == 0 || dns->pid == NS_PID_UNKNOWN || dns->pid == event->client ||
         dns->pid == event->writer;
}

static NsDnsServer *
get_server (NsDnsRow *dns, NsString address)
{
  NsDnsServer server = {
    .address = address,
    .asked_ns = NS_TIME_NONE,
    .answered_ns = NS_TIME_NONE,
    .timed_out_ns = NS_TIME_NONE,
  };
  guint i;

  if (dns->servers == NULL)
    dns->servers = g_array_sized_new (FALSE, FALSE, sizeof (NsDnsServer), 1);
  for (i = 0; i < dns->servers->len; i++)
    if (g_array_index (dns->servers, NsDnsServer, i).address == address)
      return &g_array_index (dns->servers, NsDnsServer, i);
  if (dns->servers->len >= NS_HOST_NAMES_MAX_SERVERS)
    return NULL;
  g_array_append_val (dns->servers, server);
  return &g_array_index (dns->servers, NsDnsServer, dns->servers->len - 1);
}

static void
note_first (gint64 *at_ns, gint64 time_ns)
{
  if (*at_ns == NS_TIME_NONE)
    *at_ns = time_ns;
}

static void
note (NsDnsServer *server, const NsHostNamesServerEvent *event)
{
  if (event->adapter > NS_STRING_EMPTY)
    server->adapter = event->adapter;
  switch (event->sign)
    {
    case NS_HOST_NAMES_ASKED:
      note_first (&server->asked_ns, event->time_ns);
      break;
    case NS_HOST_NAMES_ANSWERED:
      if (server->answered_ns == NS_TIME_NONE)
        server->status = event->status;
      note_first (&server->answered_ns, event->time_ns);
      break;
    case NS_HOST_NAMES_TIMED_OUT:
      note_first (&server->timed_out_ns, event->time_ns);
      break;
    case NS_HOST_NAMES_LISTED:
    default:
      break;
    }
}

/* Adds the address in normalized form, as events write the same server in several ways. */
static NsString
intern_address (NsBuilder *builder, const char *address)
{
  g_autofree char *stripped = g_strstrip (g_strdup (address));
  char text[NS_IP_TEXT_SIZE];
  NsEndpoint server;

  if (ns_endpoint_from_text (&server, stripped))
    return ns_strings_add (builder->trace->strings, ns_ip_to_text (&server.ip, text));
  return ns_strings_add (builder->trace->strings, stripped);
}

/* Writes the server's result into all waiting rows of the name: the DNS client and its caller
 * have a row each. */
void
ns_host_names_note_server (NsBuilder *builder,
                           const NsHostNamesServerEvent *event,
                           const char *address)
{
  NsHostNames *self = builder->host_names;
  NsString name = ns_host_names_lower (builder, event->query);
  NsString interned;
  NsRow row = name != NS_STRING_NONE ? ns_map_get (self->named, name, 0) : 0;
  guint i;

  if (row == 0 || address == NULL)
    return;
  interned = intern_address (builder, address);
  if (interned <= NS_STRING_EMPTY)
    return;
  for (i = 0; row != 0 && i < NS_HOST_NAMES_MAX_PARALLEL;
       i++, row = pending_at (self, row)->same_name)
    {
      NsDnsRow *dns = NS_ROW_AT (builder->trace->dns, NsDnsRow, row);
      NsDnsServer *server;

      if (pending_at (self, row)->is_done || !is_of_row (event, dns))
        continue;
      server = get_server (dns, interned);
      if (server != NULL)
        note (server, event);
    }
}

/* Adds an event like ns_host_names_note_server(), for each server of a list separated by `;`. */
void
ns_host_names_note_servers (NsBuilder *builder,
                            const NsHostNamesServerEvent *event,
                            const char *list)
{
  /* The last piece is the unsplit rest of the list and is ignored. */
  g_auto (GStrv) items = g_strsplit (list, ";", NS_HOST_NAMES_MAX_SERVERS + 1);
  guint i;

  for (i = 0; i < NS_HOST_NAMES_MAX_SERVERS && items[i] != NULL; i++)
    ns_host_names_note_server (builder, event, items[i]);
}

/* Finds the connection that carries an LDAP operation, and the time of its response (correlation
 * 6.1).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/ldap/ns-ldap-link.h"
#include "engine/trace/ns-interval-index.h"

/* Maximum time until the operation's own thread sends a search. */
#define SEND_WINDOW_NS (50 * (NS_PER_SECOND / 1000))
/* Maximum time until the operation's own thread creates a connection for the search. */
#define CREATE_WINDOW_NS (2 * NS_PER_SECOND)

#define DNS_TYPE_SRV 33

typedef struct
{
  NsTrace *trace;
  GArray *transfers;
  NsIntervalIndex by_endpoint; /* (endpoint, process object) → rows of winsock */
  NsIntervalIndex by_pid;      /* (pid, 0) → those with an LDAP port */
  NsIntervalIndex by_opener;   /* (tid, 0) → those with an LDAP port */
  NsIntervalIndex sends;       /* (tid, 0) → number of a transfer, from 1 */
  NsIntervalIndex services;    /* (pid, address) → rows of dns with SRV queries */
} Linker;

/* Returns whether the port is that of LDAP, LDAPS or the global catalogue. */
static gboolean
is_port (guint16 port)
{
  return port == 389 || port == 636 || port == 3268 || port == 3269;
}

static NsWinsockRow *
socket_row (const Linker *self, NsRow row)
{
  return NS_ROW_AT (self->trace->winsock, NsWinsockRow, row);
}

static gboolean
is_open_at (const NsWinsockRow *row, gint64 time_ns)
{
  return (!ns_time_is_set (row->open_ns) || row->open_ns <= time_ns) &&
         (!ns_time_is_set (row->close_ns) || row->close_ns >= time_ns);
}

static void
add_sockets (Linker *self)
{
  guint i;

  for (i = 1; i <= self->trace->winsock->len; i++)
    {
      const NsWinsockRow *row = socket_row (self, i);

      if (!is_port (row->remote->port))
        continue;
      ns_interval_index_add (&self->by_endpoint,
                             row->endpoint,
                             row->process_object,
                             i,
                             row->open_ns);
      ns_interval_index_add (&self->by_pid, row->pid, 0, i, row->open_ns);
      ns_interval_index_add (&self->by_opener, row->tid_open, 0, i, row->open_ns);
    }
  ns_interval_index_settle (&self->by_endpoint);
  ns_interval_index_settle (&self->by_pid);
  ns_interval_index_settle (&self->by_opener);
}

static void
add_services (Linker *self)
{
  const GArray *dns = self->trace->dns;
  guint i;
  guint j;

  for (i = 0; i < dns->len; i++)
    {
      const NsDnsRow *row = &g_array_index (dns, NsDnsRow, i);

      for (j = 0; row->type == DNS_TYPE_SRV && row->addresses != NULL && j < row->addresses->len;
           j++)
        ns_interval_index_add (&self->services,
                               row->pid,
                               ns_ip_hash (&g_array_index (row->addresses, NsIp, j)),
                               i + 1,
                               row->open_ns);
    }
  ns_interval_index_settle (&self->services);
}

static void
linker_init (Linker *self, NsTrace *trace, GArray *transfers)
{
  self->trace = trace;
  self->transfers = transfers;
  ns_interval_index_init (&self->by_endpoint);
  ns_interval_index_init (&self->by_pid);
  ns_interval_index_init (&self->by_opener);
  ns_interval_index_init (&self->sends);
  ns_interval_index_init (&self->services);
  add_sockets (self);
  add_services (self);
}

static void
linker_clear (Linker *self)
{
  ns_interval_index_clear (&self->by_endpoint);
  ns_interval_index_clear (&self->by_pid);
  ns_interval_index_clear (&self->by_opener);
  ns_interval_index_clear (&self->sends);
  ns_interval_index_clear (&self->services);
}

/* Returns the newest of the sockets that were open at that time. */
static NsRow
find_open (const Linker *self, const NsIntervalIndex *index, guint64 a, guint64 b, gint64 time_ns)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint i;

  lives = ns_interval_index_get (index, a, b, &i);
  for (i = ns_interval_index_count_until (lives, i, time_ns); i > 0 && n_left > 0; i--, n_left--)
    if (is_open_at (socket_row (self, lives[i - 1].row), time_ns))
      return lives[i - 1].row;
  return 0;
}

static void
find_sockets_of_transfers (Linker *self)
{
  guint i;

  for (i = 0; i < self->transfers->len; i++)
    {
      NsLdapTransfer *transfer = &g_array_index (self->transfers, NsLdapTransfer, i);

      transfer->winsock = find_open (self,
                                     &self->by_endpoint,
                                     transfer->endpoint,
                                     transfer->process,
                                     transfer->time_ns);
      if (transfer->is_send && transfer->winsock != 0)
        ns_interval_index_add (&self->sends, transfer->tid, 0, i + 1, transfer->time_ns);
    }
  ns_interval_index_settle (&self->sends);
}

/* Returns the socket of the first send by the operation's thread after its begin; @sent_ns:
 * (out): time of the send. */
static NsRow
find_by_send (const Linker *self, const NsLdapRow *op, gint64 *sent_ns)
{
  const NsLdapTransfer *transfer;
  const NsLife *lives;
  guint n_lives;
  guint i;

  if (!ns_time_is_set (op->open_ns))
    return 0;
  lives = ns_interval_index_get (&self->sends, op->tid, 0, &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, op->open_ns - 1);
  if (i == n_lives || lives[i].open_ns > op->open_ns + SEND_WINDOW_NS)
    return 0;
  transfer = &g_array_index (self->transfers, NsLdapTransfer, lives[i].row - 1);
  *sent_ns = transfer->time_ns;
  return transfer->winsock;
}

/* Returns the first socket that the operation's thread created soon after it. */
static NsRow
find_by_creation (const Linker *self, const NsLdapRow *op)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint n_lives;
  guint i;

  if (!ns_time_is_set (op->open_ns))
    return 0;
  lives = ns_interval_index_get (&self->by_opener, op->tid, 0, &n_lives);
  for (i = ns_interval_index_count_until (lives, n_lives, op->open_ns - 1);
       i < n_lives && n_left > 0;
       i++, n_left--)
    {
      if (lives[i].open_ns > op->open_ns + CREATE_WINDOW_NS)
        return 0;
      if (socket_row (self, lives[i].row)->pid == op->pid)
        return lives[i].row;
    }
  return 0;
}

static void
find_socket (const Linker *self, NsLdapRow *op, gint64 *sent_ns)
{
  *sent_ns = op->open_ns;
  op->winsock = find_by_send (self, op, sent_ns);
  op->confidence = NS_CONFIDENCE_LIKELY;
  if (op->winsock == 0)
    op->winsock = find_open (self, &self->by_pid, op->pid, 0, op->open_ns);
  if (op->winsock != 0)
    return;
  op->confidence = NS_CONFIDENCE_INFERRED;
  op->winsock = find_by_creation (self, op);
}

/* Ends the oldest pending operation of a socket at each receive with data. */
static void
end_operations (Linker *self, const gint64 *sent_ns)
{
  guint n = self->trace->ldap->len;
  g_autofree guint32 *next_of_op = g_new0 (guint32, (gsize) n + 1);
  g_autofree guint32 *oldest = g_new0 (guint32, (gsize) self->trace->winsock->len + 1);
  guint i;

  for (i = n; i > 0; i--)
    {
      NsRow socket = NS_ROW_AT (self->trace->ldap, NsLdapRow, i)->winsock;

      if (socket == 0)
        continue;
      next_of_op[i] = oldest[socket];
      oldest[socket] = i;
    }
  for (i = 0; i < self->transfers->len; i++)
    {
      const NsLdapTransfer *transfer = &g_array_index (self->transfers, NsLdapTransfer, i);
      guint32 op = transfer->winsock != 0 ? oldest[transfer->winsock] : 0;

      if (transfer->is_send || op == 0 || transfer->time_ns < sent_ns[op])
        continue;
      NS_ROW_AT (self->trace->ldap, NsLdapRow, op)->close_ns = transfer->time_ns;
      oldest[transfer->winsock] = next_of_op[op];
    }
}

/* Returns the domain of `_ldap._tcp.site._sites.dc._msdcs.domain`, or %NULL. */
static const char *
domain_of_srv (const char *query)
{
  const char *marker;

  if (query == NULL || !g_str_has_prefix (query, "_ldap._tcp."))
    return NULL;
  marker = strstr (query, "._msdcs.");
  return marker != NULL ? marker + strlen ("._msdcs.") : query + strlen ("_ldap._tcp.");
}

static gboolean
has_address (const NsDnsRow *row, const NsIp *ip)
{
  guint i;

  for (i = 0; i < row->addresses->len; i++)
    if (ns_ip_equal (&g_array_index (row->addresses, NsIp, i), ip))
      return TRUE;
  return FALSE;
}

/* Returns the domain of a server without a name, from the SRV query that the process made last. */
static NsString
server_from_srv (const Linker *self, const NsLdapRow *op)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint i;

  lives = ns_interval_index_get (&self->services, op->pid, ns_ip_hash (&op->remote.ip), &i);
  for (i = ns_interval_index_count_until (lives, i, op->open_ns); i > 0 && n_left > 0;
       i--, n_left--)
    {
      const NsDnsRow *row = NS_ROW_AT (self->trace->dns, NsDnsRow, lives[i - 1].row);
      const char *domain = domain_of_srv (ns_trace_text (self->trace, row->query));

      if (domain != NULL && has_address (row, &op->remote.ip))
        return ns_strings_add (self->trace->strings, domain);
    }
  return NS_STRING_NONE;
}

/**
 * ns_ldap_link_rows: (skip)
 * @trace: a trace whose sockets are written
 * @transfers: (element-type NsLdapTransfer): sends and receives in time order
 *
 * Sets connection, endpoints, server and close time of each operation.
 */
void
ns_ldap_link_rows (NsTrace *trace, GArray *transfers)
{
  g_autofree gint64 *sent_ns = g_new0 (gint64, (gsize) trace->ldap->len + 1);
  Linker self;
  guint i;

  linker_init (&self, trace, transfers);
  find_sockets_of_transfers (&self);
  for (i = 0; i < trace->ldap->len; i++)
    {
      NsLdapRow *op = &g_array_index (trace->ldap, NsLdapRow, i);
      const NsWinsockRow *socket;

      find_socket (&self, op, &sent_ns[i + 1]);
      if (op->winsock == 0)
        continue;
      socket = socket_row (&self, op->winsock);
      op->remote = *socket->remote;
      op->tcp = socket->tcp;
      op->server = socket->server;
      if (op->server == NS_STRING_NONE || op->server == NS_STRING_EMPTY)
        op->server = server_from_srv (&self, op);
    }
  end_operations (&self, sent_ns);
  linker_clear (&self);
}

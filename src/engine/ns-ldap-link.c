/* Which connection carries an LDAP operation, and when its answer came (correlation 6.1).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-ldap-link.h"
#include "engine/ns-row-index.h"

/* A search is sent by its own thread within this time. */
#define SEND_WINDOW_NS (50 * (NS_PER_SECOND / 1000))
/* A connection made for the search is created by the same thread within this time. */
#define CREATE_WINDOW_NS (2 * NS_PER_SECOND)

#define DNS_TYPE_SRV 33

typedef struct
{
  NsTrace *trace;
  GArray *transfers;
  NsRowIndex by_endpoint; /* (endpoint, process object) → rows of winsock */
  NsRowIndex by_pid;      /* (pid, 0) → those with an LDAP port */
  NsRowIndex by_opener;   /* (tid, 0) → those with an LDAP port */
  GArray *srv_lookups;    /* element-type guint32: rows of dns that asked for a service */
} Linker;

/**
 * ns_ldap_is_port:
 * @port: a remote port
 *
 * Returns: %TRUE for LDAP, LDAPS and the global catalogue
 */
gboolean
ns_ldap_is_port (guint16 port)
{
  return port == 389 || port == 636 || port == 3268 || port == 3269;
}

static NsWinsockRow *
socket_row (const Linker *self, NsRow row)
{
  return &g_array_index (self->trace->winsock, NsWinsockRow, row - 1);
}

static gboolean
is_open_at (const NsWinsockRow *row, gint64 time_ns)
{
  return (!ns_time_is_set (row->open_ns) || row->open_ns <= time_ns) &&
         (!ns_time_is_set (row->close_ns) || row->close_ns >= time_ns);
}

static void
linker_init (Linker *self, NsTrace *trace, GArray *transfers)
{
  guint n = trace->winsock->len;
  guint i;

  self->trace = trace;
  self->transfers = transfers;
  ns_row_index_init (&self->by_endpoint, n);
  ns_row_index_init (&self->by_pid, n);
  ns_row_index_init (&self->by_opener, n);
  for (i = 1; i <= n; i++)
    {
      const NsWinsockRow *row = socket_row (self, i);

      if (!ns_ldap_is_port (row->remote->port))
        continue;
      ns_row_index_add (&self->by_endpoint, row->endpoint, row->process_object, i);
      ns_row_index_add (&self->by_pid, row->pid, 0, i);
      ns_row_index_add (&self->by_opener, row->tid_open, 0, i);
    }
  self->srv_lookups = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (i = 0; i < trace->dns->len; i++)
    if (g_array_index (trace->dns, NsDnsRow, i).type == DNS_TYPE_SRV)
      g_array_append_val (self->srv_lookups, i);
}

static void
linker_clear (Linker *self)
{
  ns_row_index_clear (&self->by_endpoint);
  ns_row_index_clear (&self->by_pid);
  ns_row_index_clear (&self->by_opener);
  g_array_unref (self->srv_lookups);
}

static void
find_sockets_of_transfers (Linker *self)
{
  guint i;

  for (i = 0; i < self->transfers->len; i++)
    {
      NsLdapTransfer *transfer = &g_array_index (self->transfers, NsLdapTransfer, i);
      guint32 row = ns_row_index_first (&self->by_endpoint, transfer->endpoint, transfer->process);

      while (row != 0 && !is_open_at (socket_row (self, row), transfer->time_ns))
        row = ns_row_index_next (&self->by_endpoint, row);
      transfer->winsock = row;
    }
}

/* The first transfer at or after @time_ns. */
static guint
first_transfer (const Linker *self, gint64 time_ns)
{
  guint low = 0;
  guint high = self->transfers->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->transfers, NsLdapTransfer, middle).time_ns < time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The send of the operation's own thread right after it; @sent_ns is when. */
static NsRow
find_by_send (const Linker *self, const NsLdapRow *op, gint64 *sent_ns)
{
  guint i;

  for (i = first_transfer (self, op->open_ns); i < self->transfers->len; i++)
    {
      const NsLdapTransfer *transfer = &g_array_index (self->transfers, NsLdapTransfer, i);

      if (transfer->time_ns > op->open_ns + SEND_WINDOW_NS)
        break;
      if (!transfer->is_send || transfer->tid != op->tid || transfer->winsock == 0)
        continue;
      *sent_ns = transfer->time_ns;
      return transfer->winsock;
    }
  return 0;
}

static void
find_socket (const Linker *self, NsLdapRow *op, gint64 *sent_ns)
{
  guint32 row;

  *sent_ns = op->open_ns;
  op->winsock = find_by_send (self, op, sent_ns);
  op->confidence = NS_CONFIDENCE_LIKELY;
  if (op->winsock != 0)
    return;

  for (row = ns_row_index_first (&self->by_pid, op->pid, 0); row != 0;
       row = ns_row_index_next (&self->by_pid, row))
    if (is_open_at (socket_row (self, row), op->open_ns))
      {
        op->winsock = row;
        return;
      }

  /* Newest first: the last one seen inside the window is the first that was made. */
  op->confidence = NS_CONFIDENCE_INFERRED;
  for (row = ns_row_index_first (&self->by_opener, op->tid, 0); row != 0;
       row = ns_row_index_next (&self->by_opener, row))
    {
      gint64 created_ns = socket_row (self, row)->open_ns;

      if (created_ns < op->open_ns)
        break;
      if (created_ns <= op->open_ns + CREATE_WINDOW_NS && socket_row (self, row)->pid == op->pid)
        op->winsock = row;
    }
}

/* Each receive with bytes ends the oldest operation that waits on its socket. */
static void
end_operations (Linker *self, const gint64 *sent_ns)
{
  guint n = self->trace->ldap->len;
  g_autofree guint32 *next_of_op = g_new0 (guint32, (gsize) n + 1);
  g_autofree guint32 *oldest = g_new0 (guint32, (gsize) self->trace->winsock->len + 1);
  guint i;

  for (i = n; i > 0; i--)
    {
      NsRow socket = g_array_index (self->trace->ldap, NsLdapRow, i - 1).winsock;

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
      g_array_index (self->trace->ldap, NsLdapRow, op - 1).close_ns = transfer->time_ns;
      oldest[transfer->winsock] = next_of_op[op];
    }
}

/* The domain of `_ldap._tcp.site._sites.dc._msdcs.domain`, or %NULL. */
static const char *
domain_of_srv (const char *query)
{
  const char *marker;

  if (query == NULL || !g_str_has_prefix (query, "_ldap._tcp."))
    return NULL;
  marker = strstr (query, "._msdcs.");
  return marker != NULL ? marker + strlen ("._msdcs.") : query + strlen ("_ldap._tcp.");
}

/* Without a name of its own the server is called by the domain that the process looked up last. */
static NsString
server_from_srv (const Linker *self, const NsLdapRow *op)
{
  NsString server = NS_STRING_NONE;
  guint i;

  for (i = 0; i < self->srv_lookups->len; i++)
    {
      guint32 number = g_array_index (self->srv_lookups, guint32, i);
      const NsDnsRow *row = &g_array_index (self->trace->dns, NsDnsRow, number);
      const char *domain;
      guint j;

      if (row->pid != op->pid || row->open_ns > op->open_ns || row->addresses == NULL)
        continue;
      domain = domain_of_srv (ns_trace_text (self->trace, row->query));
      for (j = 0; domain != NULL && j < row->addresses->len; j++)
        if (ns_ip_equal (&g_array_index (row->addresses, NsIp, j), &op->remote.ip))
          server = ns_strings_add (self->trace->strings, domain);
    }
  return server;
}

/**
 * ns_ldap_link_rows: (skip)
 * @trace: a trace whose sockets are written
 * @transfers: (element-type NsLdapTransfer): sends and receives in time order
 *
 * Sets connection, ends, server and close of each operation.
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

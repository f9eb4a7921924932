/* Links .NET requests with the sockets, TCP connections, datagram flows and name look-ups below
 * them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/dotnet/ns-dotnet-private.h"

#define NS_LAYERS_OF_OTHERS (NS_LAYER_WINHTTP | NS_LAYER_WININET | NS_LAYER_CHROMIUM)

struct _NsDotnetJoin
{
  NsDotnet *dotnet;
  NsBuilder *builder;
  NsTrace *trace;
  NsIntervalIndex socket_by_thread; /* (pid, tid) → rows of winsock, by connect time */
  NsIntervalIndex socket_by_remote; /* (pid, peer) → rows of winsock, by connect time */
  NsIntervalIndex tcp_by_remote;    /* (pid, peer) → rows of tcp */
  NsIntervalIndex udp_by_remote;    /* likewise, datagram flows */
  NsIntervalIndex dns_by_name;      /* (name, 0) → rows of dns */
  NsMap *taken_socket;              /* row → newest connection linked with it */
  NsMap *taken_tcp;
};

/* Lower layers of a connection: a socket with its TCP connection, or either. */
typedef struct
{
  NsRow winsock;
  NsRow tcp;
} Below;

static NsWinsockRow *
socket_row (const NsDotnetJoin *self, NsRow row)
{
  return NS_ROW_AT (self->trace->winsock, NsWinsockRow, row);
}

static NsTcpRow *
tcp_row (const NsDotnetJoin *self, NsRow row)
{
  return NS_ROW_AT (self->trace->tcp, NsTcpRow, row);
}

static NsEndpoint
unmapped (const NsEndpoint *end)
{
  NsEndpoint plain = *end;

  plain.ip = ns_ip_unmapped (&end->ip);
  plain.scope = 0;
  return plain;
}

static guint64
peer_of (const NsEndpoint *end)
{
  NsEndpoint plain = unmapped (end);

  return ns_endpoint_hash (&plain);
}

static gboolean
is_peer (const NsEndpoint *a, const NsEndpoint *b)
{
  NsEndpoint left = unmapped (a);
  NsEndpoint right = unmapped (b);

  return ns_endpoint_equal (&left, &right);
}

/* Returns the connect time of a socket, else its creation time. */
static gint64
connect_ns_of (const NsWinsockRow *row)
{
  return ns_time_is_set (row->connect_ns) ? row->connect_ns : row->open_ns;
}

/* Normalizes a host name: lower case, without the trailing dot. */
static NsString
plain_name (NsTrace *trace, NsString name)
{
  const char *text = name != NS_STRING_NONE ? ns_trace_text (trace, name) : NULL;
  g_autofree char *lower = NULL;
  gsize n;

  if (text == NULL || *text == '\0')
    return NS_STRING_NONE;
  lower = g_ascii_strdown (text, -1);
  n = strlen (lower);
  if (lower[n - 1] == '.')
    n--;
  return ns_strings_add_len (trace->strings, lower, n);
}

static void
add_sockets (NsDotnetJoin *self)
{
  guint i;

  for (i = 1; i <= self->trace->winsock->len; i++)
    {
      const NsWinsockRow *row = socket_row (self, i);

      if (row->activity != 0 || (row->layers & NS_LAYERS_OF_OTHERS) != 0 || row->accepted ||
          ns_endpoint_is_empty (row->remote) ||
          (row->tcp != 0 && tcp_row (self, row->tcp)->activity != 0))
        continue;
      if (ns_time_is_set (row->connect_ns))
        ns_interval_index_add (&self->socket_by_thread,
                               row->pid,
                               row->tid_connect,
                               i,
                               row->connect_ns);
      ns_interval_index_add (&self->socket_by_remote,
                             row->pid,
                             peer_of (row->remote),
                             i,
                             connect_ns_of (row));
    }
}

static void
add_connections (NsDotnetJoin *self)
{
  guint i;

  for (i = 1; i <= self->trace->tcp->len; i++)
    {
      const NsTcpRow *row = tcp_row (self, i);

      if (row->activity != 0 || row->accepted || ns_endpoint_is_empty (row->remote))
        continue;
      ns_interval_index_add (row->is_udp ? &self->udp_by_remote : &self->tcp_by_remote,
                             row->pid,
                             peer_of (row->remote),
                             i,
                             ns_time_is_set (row->open_ns) ? row->open_ns : G_MININT64);
    }
}

static void
add_names (NsDotnetJoin *self)
{
  guint i;

  for (i = 1; i <= self->trace->dns->len; i++)
    {
      NsString name = plain_name (self->trace, NS_ROW_AT (self->trace->dns, NsDnsRow, i)->query);

      if (name != NS_STRING_NONE)
        ns_interval_index_add (&self->dns_by_name,
                               name,
                               0,
                               i,
                               NS_ROW_AT (self->trace->dns, NsDnsRow, i)->open_ns);
    }
}

NsDotnetJoin *
ns_dotnet_join_new (NsDotnet *dotnet, NsBuilder *builder)
{
  NsDotnetJoin *self = g_new0 (NsDotnetJoin, 1);
  NsIntervalIndex *const all[] = { &self->socket_by_thread,
                                   &self->socket_by_remote,
                                   &self->tcp_by_remote,
                                   &self->udp_by_remote,
                                   &self->dns_by_name };
  guint i;

  self->dotnet = dotnet;
  self->builder = builder;
  self->trace = builder->trace;
  self->taken_socket = ns_map_new ();
  self->taken_tcp = ns_map_new ();
  for (i = 0; i < G_N_ELEMENTS (all); i++)
    ns_interval_index_init (all[i]);
  add_sockets (self);
  add_connections (self);
  add_names (self);
  for (i = 0; i < G_N_ELEMENTS (all); i++)
    ns_interval_index_settle (all[i]);
  return self;
}

void
ns_dotnet_join_free (NsDotnetJoin *self)
{
  ns_interval_index_clear (&self->socket_by_thread);
  ns_interval_index_clear (&self->socket_by_remote);
  ns_interval_index_clear (&self->tcp_by_remote);
  ns_interval_index_clear (&self->udp_by_remote);
  ns_interval_index_clear (&self->dns_by_name);
  ns_map_free (self->taken_socket);
  ns_map_free (self->taken_tcp);
  g_free (self);
}

static Below
below_socket (const NsDotnetJoin *self, NsRow winsock)
{
  return (Below){ winsock, socket_row (self, winsock)->tcp };
}

/* Finds the connect by the span's thread between the begin of the span and the thread's next
 * socket event. */
static gboolean
find_connect_call (const NsDotnetJoin *self, const NsDotnetSpan *span, Below *below)
{
  guint n_left = NS_DOTNET_MAX_STEPS;
  const NsLife *lives;
  guint n_lives;
  guint i;

  if (ns_endpoint_is_empty (&span->remote))
    return FALSE;
  lives = ns_interval_index_get (&self->socket_by_thread, span->pid, span->tid, &n_lives);
  for (i = ns_interval_index_count_until (lives, n_lives, span->begin_ns - 1);
       i < n_lives && n_left > 0;
       i++, n_left--)
    {
      if (lives[i].open_ns > span->next_socket_ns)
        return FALSE;
      if (!is_peer (socket_row (self, lives[i].row)->remote, &span->remote))
        continue;
      *below = below_socket (self, lives[i].row);
      return TRUE;
    }
  return FALSE;
}

/* Returns whether another connection uses them at that time. */
static gboolean
is_taken (const NsDotnetJoin *self, const Below *below, gint64 time_ns)
{
  guint32 connection = below->winsock != 0 ? ns_map_get (self->taken_socket, below->winsock, 0) : 0;

  if (connection == 0 && below->tcp != 0)
    connection = ns_map_get (self->taken_tcp, below->tcp, 0);
  return connection != 0 && ns_dotnet_connection (self->dotnet, connection)->close_ns > time_ns;
}

static void
take (NsDotnetJoin *self, guint32 number, const Below *below, guint16 evidence, guint8 confidence)
{
  NsDotnetConnection *connection = ns_dotnet_connection (self->dotnet, number);

  connection->winsock = below->winsock;
  connection->tcp = below->tcp;
  connection->evidence = evidence;
  connection->confidence = confidence;
  if (below->winsock != 0)
    ns_map_set (self->taken_socket, below->winsock, 0, number);
  if (below->tcp != 0)
    ns_map_set (self->taken_tcp, below->tcp, 0, number);
}

/* Returns the lower layers of a row of sockets, or of connections, and their close time. */
static Below
candidate (const NsDotnetJoin *self, gboolean is_socket, NsRow row, gint64 *close_ns)
{
  if (is_socket)
    {
      *close_ns = socket_row (self, row)->close_ns;
      return below_socket (self, row);
    }
  *close_ns = tcp_row (self, row)->close_ns;
  return (Below){ 0, row };
}

/* Finds the newest free connection to that peer that is open at the time. */
static gboolean
find_remote (const NsDotnetJoin *self,
             guint32 pid,
             const NsEndpoint *remote,
             gint64 time_ns,
             Below *below)
{
  const NsIntervalIndex *const lists[] = { &self->socket_by_remote, &self->tcp_by_remote };
  guint list;

  if (ns_endpoint_is_empty (remote))
    return FALSE;
  for (list = 0; list < G_N_ELEMENTS (lists); list++)
    {
      guint n_left = NS_DOTNET_MAX_STEPS;
      const NsLife *lives;
      guint i;

      lives = ns_interval_index_get (lists[list], pid, peer_of (remote), &i);
      for (i = ns_interval_index_count_until (lives, i, time_ns); i > 0 && n_left > 0;
           i--, n_left--)
        {
          gint64 close_ns;
          Below found = candidate (self, list == 0, lives[i - 1].row, &close_ns);
          const NsEndpoint *end = list == 0 ? socket_row (self, found.winsock)->remote
                                            : tcp_row (self, found.tcp)->remote;

          if (close_ns < time_ns || !is_peer (end, remote) || is_taken (self, &found, time_ns))
            continue;
          *below = found;
          return TRUE;
        }
    }
  return FALSE;
}

static void
add_address (GArray *addresses, const NsIp *ip)
{
  NsIp plain = ns_ip_unmapped (ip);
  guint i;

  for (i = 0; i < addresses->len; i++)
    if (ns_ip_equal (&g_array_index (addresses, NsIp, i), &plain))
      return;
  if (addresses->len < NS_DOTNET_MAX_STEPS)
    g_array_append_val (addresses, plain);
}

/* Returns the addresses of a host by DNS in any process, or the host itself if it is an address. */
static GArray *
list_addresses (NsDotnetJoin *self, NsString host)
{
  GArray *addresses = g_array_new (FALSE, FALSE, sizeof (NsIp));
  NsString name = plain_name (self->trace, host);
  guint n_left = NS_DOTNET_MAX_STEPS;
  const NsLife *lives;
  guint n_lives;
  NsIp literal;
  guint i;
  guint j;

  if (name == NS_STRING_NONE)
    return addresses;
  if (ns_ip_from_text (&literal, ns_trace_text (self->trace, name)))
    add_address (addresses, &literal);
  lives = ns_interval_index_get (&self->dns_by_name, name, 0, &n_lives);
  for (i = 0; i < n_lives && n_left > 0; i++, n_left--)
    {
      const NsDnsRow *dns = NS_ROW_AT (self->trace->dns, NsDnsRow, lives[i].row);

      for (j = 0; dns->addresses != NULL && j < dns->addresses->len; j++)
        add_address (addresses, &g_array_index (dns->addresses, NsIp, j));
    }
  return addresses;
}

/* Criteria for a connection to a host. */
typedef struct
{
  guint32 pid;
  NsString host;
  guint16 port;
  gint64 from_ns;    /* earliest connect time, if @is_made */
  gint64 until_ns;   /* latest connect time */
  gboolean is_made;  /* connected from @from_ns to @until_ns, not only open at @until_ns */
  gboolean is_loose; /* must not belong to another connection */
} Wanted;

static gboolean
fits (const NsDotnetJoin *self, const Wanted *wanted, const Below *below, gint64 close_ns)
{
  const NsWinsockRow *socket = below->winsock != 0 ? socket_row (self, below->winsock) : NULL;
  gint64 made_ns = socket != NULL ? connect_ns_of (socket) : tcp_row (self, below->tcp)->open_ns;
  gboolean is_made = made_ns >= wanted->from_ns && made_ns <= wanted->until_ns;

  if (wanted->is_made)
    return is_made || (socket != NULL && socket->open_ns >= wanted->from_ns &&
                       socket->open_ns <= wanted->until_ns);
  return (!ns_time_is_set (made_ns) || made_ns <= wanted->until_ns) &&
         close_ns >= wanted->until_ns &&
         !(wanted->is_loose && is_taken (self, below, wanted->until_ns));
}

/* Finds the only match; %FALSE: none, or several. */
static gboolean
find_host (NsDotnetJoin *self, const Wanted *wanted, Below *below)
{
  g_autoptr (GArray) addresses = list_addresses (self, wanted->host);
  const NsIntervalIndex *const lists[] = { &self->socket_by_remote, &self->tcp_by_remote };
  guint n_found = 0;
  guint list;
  guint i;

  for (list = 0; list < G_N_ELEMENTS (lists) && n_found == 0; list++)
    for (i = 0; i < addresses->len; i++)
      {
        NsEndpoint end = { .ip = g_array_index (addresses, NsIp, i), .port = wanted->port };
        guint n_left = NS_DOTNET_MAX_STEPS;
        const NsLife *lives;
        guint n_lives;
        guint j;

        lives = ns_interval_index_get (lists[list], wanted->pid, peer_of (&end), &n_lives);
        for (j = ns_interval_index_count_until (lives, n_lives, wanted->until_ns);
             j > 0 && n_left > 0;
             j--, n_left--)
          {
            gint64 close_ns;
            Below found = candidate (self, list == 0, lives[j - 1].row, &close_ns);

            if (!fits (self, wanted, &found, close_ns))
              continue;
            *below = found;
            n_found++;
          }
      }
  return n_found == 1;
}

/* HTTP/3: finds the datagram flow open at the time, else the newest earlier one. */
static gboolean
find_datagrams (const NsDotnetJoin *self, const NsDotnetConnection *connection, Below *below)
{
  guint n_left = NS_DOTNET_MAX_STEPS;
  const NsLife *lives;
  NsRow newest = 0;
  guint i;

  if (ns_endpoint_is_empty (&connection->remote))
    return FALSE;
  lives = ns_interval_index_get (&self->udp_by_remote,
                                 connection->pid,
                                 peer_of (&connection->remote),
                                 &i);
  for (i = ns_interval_index_count_until (lives, i, connection->open_ns); i > 0 && n_left > 0;
       i--, n_left--)
    {
      if (!is_peer (tcp_row (self, lives[i - 1].row)->remote, &connection->remote))
        continue;
      if (newest == 0)
        newest = lives[i - 1].row;
      if (tcp_row (self, lives[i - 1].row)->close_ns >= connection->open_ns)
        {
          newest = lives[i - 1].row;
          break;
        }
    }
  *below = (Below){ 0, newest };
  return newest != 0;
}

static void
join_by_call (NsDotnetJoin *self, guint32 number)
{
  NsDotnetConnection *connection = ns_dotnet_connection (self->dotnet, number);
  NsDotnetSpan *span;

  if (connection->connect == 0 || connection->major >= 3)
    return;
  span = ns_dotnet_span (self->dotnet, connection->connect);
  if (span->winsock != 0)
    {
      Below below = { span->winsock, span->tcp };

      take (self, number, &below, NS_DOTNET_BY_CONNECT, NS_CONFIDENCE_CERTAIN);
    }
  /* The connection's port is that of the host, even behind a proxy. */
  else if (!ns_endpoint_is_empty (&span->remote) &&
           (ns_endpoint_is_empty (&connection->remote) ||
            ns_ip_equal (&connection->remote.ip, &span->remote.ip)))
    connection->remote = span->remote;
}

/* Joins a connection from before the trace by the host of a request. */
static void
join_by_host (NsDotnetJoin *self, guint32 number)
{
  NsDotnetConnection *connection = ns_dotnet_connection (self->dotnet, number);
  const NsDotnetRequest *user =
      connection->first_user != 0 ? ns_dotnet_request (self->dotnet, connection->first_user) : NULL;
  Wanted wanted = { .pid = connection->pid,
                    .host = connection->host,
                    .port = connection->remote.port,
                    .until_ns = connection->open_ns,
                    .is_loose = TRUE };
  Below below;

  if (connection->host == NS_STRING_NONE && connection->owner != 0)
    user = ns_dotnet_request (self->dotnet, connection->owner);
  if (wanted.host == NS_STRING_NONE && user != NULL)
    wanted.host = user->row.host;
  if (wanted.port == 0 && user != NULL)
    wanted.port = (guint16) user->row.port;
  if (!ns_time_is_set (wanted.until_ns))
    wanted.until_ns = connection->first_use_ns;
  if (wanted.port != 0 && ns_time_is_set (wanted.until_ns) && find_host (self, &wanted, &below))
    take (self, number, &below, NS_DOTNET_BY_HOST, NS_CONFIDENCE_INFERRED);
}

/* Joins all connections, the certain ones first, so that weaker matches cannot take their sockets.
 */
void
ns_dotnet_join_connections (NsDotnetJoin *self)
{
  NsDotnet *dotnet = self->dotnet;
  guint32 i;

  for (i = 1; i <= dotnet->spans->len; i++)
    {
      NsDotnetSpan *span = ns_dotnet_span (dotnet, i);
      Below below;

      if (span->kind != NS_DOTNET_SPAN_CONNECT || !find_connect_call (self, span, &below))
        continue;
      span->winsock = below.winsock;
      span->tcp = below.tcp;
      ns_map_set (dotnet->span_of_socket, below.winsock, 0, i);
    }
  for (i = 1; i <= dotnet->connections->len; i++)
    join_by_call (self, i);
  for (i = 1; i <= dotnet->connections->len; i++)
    {
      NsDotnetConnection *connection = ns_dotnet_connection (dotnet, i);
      Below below;

      if (connection->evidence != 0)
        continue;
      if (connection->major >= 3)
        {
          if (find_datagrams (self, connection, &below))
            take (self, i, &below, NS_DOTNET_BY_REMOTE, NS_CONFIDENCE_LIKELY);
        }
      else if (ns_time_is_set (connection->open_ns) && find_remote (self,
                                                                    connection->pid,
                                                                    &connection->remote,
                                                                    connection->open_ns,
                                                                    &below))
        take (self, i, &below, NS_DOTNET_BY_REMOTE, NS_CONFIDENCE_LIKELY);
    }
  for (i = 1; i <= dotnet->connections->len; i++)
    if (ns_dotnet_connection (dotnet, i)->evidence == 0 &&
        ns_dotnet_connection (dotnet, i)->major < 3)
      join_by_host (self, i);
}

/* Joins a failed connect attempt. */
void
ns_dotnet_join_attempt (NsDotnetJoin *self, NsDotnetSpan *span)
{
  gint64 end_ns = ns_time_is_set (span->end_ns) ? span->end_ns : self->trace->end_ns;
  const NsLife *lives;
  guint n_lives;
  guint i;

  if (span->winsock != 0 || span->tcp != 0 || ns_endpoint_is_empty (&span->remote))
    return;
  lives =
      ns_interval_index_get (&self->tcp_by_remote, span->pid, peer_of (&span->remote), &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, span->begin_ns - 1);
  if (i < n_lives && lives[i].open_ns <= end_ns &&
      is_peer (tcp_row (self, lives[i].row)->remote, &span->remote))
    span->tcp = lives[i].row;
}

/* Joins a .NET Framework request, of which only host and time are known. */
void
ns_dotnet_join_framework (NsDotnetJoin *self, NsDotnetRequest *request)
{
  NsDotnetRow *row = &request->row;
  Wanted wanted = { .pid = row->pid,
                    .host = row->host,
                    .port = (guint16) row->port,
                    .from_ns = row->open_ns,
                    .until_ns =
                        ns_time_is_set (row->close_ns) ? row->close_ns : self->trace->end_ns,
                    .is_made = TRUE };
  Below below = { 0, 0 };
  guint n = 0;

  if (row->port == 0 || row->opened_before_trace)
    return;
  if (find_host (self, &wanted, &below))
    n = 1;
  else if (below.winsock == 0 && below.tcp == 0)
    {
      wanted.is_made = FALSE;
      wanted.until_ns = row->open_ns;
      if (find_host (self, &wanted, &below))
        n = 1;
      row->reused = n == 1 ? 1 : -1;
    }
  if (n == 0)
    return;
  if (row->reused < 0)
    row->reused = 0;
  row->winsock = below.winsock;
  row->tcp = below.tcp;
  ns_dotnet_note_evidence (request, NS_DOTNET_BY_HOST_TIME);
}

/* Adds the DNS rows of a look-up to @found; returns the first one with a response. */
NsRow
ns_dotnet_join_names (NsDotnetJoin *self, const NsDotnetSpan *span, GArray *found)
{
  NsString name = plain_name (self->trace, span->text);
  gint64 end_ns = ns_time_is_set (span->end_ns) ? span->end_ns : self->trace->end_ns;
  guint n_left = NS_DOTNET_MAX_STEPS;
  const NsLife *lives;
  NsRow best = 0;
  NsIp literal;
  guint i;

  if (name == NS_STRING_NONE || ns_ip_from_text (&literal, ns_trace_text (self->trace, name)))
    return 0;
  lives = ns_interval_index_get (&self->dns_by_name, name, 0, &i);
  for (i = ns_interval_index_count_until (lives, i, end_ns); i > 0 && n_left > 0; i--, n_left--)
    {
      NsRow row = lives[i - 1].row;
      const NsDnsRow *dns = NS_ROW_AT (self->trace->dns, NsDnsRow, row);
      gboolean begins = dns->open_ns >= span->begin_ns && dns->open_ns <= end_ns;
      gboolean ends = ns_time_is_set (dns->close_ns) && dns->close_ns >= span->begin_ns &&
                      dns->close_ns <= end_ns;

      if (dns->pid != span->pid || !(begins || ends))
        continue;
      if (found != NULL)
        g_array_append_val (found, row);
      if (best == 0 || (dns->addresses != NULL && dns->addresses->len > 0))
        best = row;
    }
  return best;
}

/* Links SMB commands with their connection, and with the operation that they were sent for
 * (`providers.md` 1 J1 to J3).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/quic/ns-quic.h"
#include "engine/app/smb/ns-smb-private.h"
#include "engine/trace/ns-interval-index.h"

#define SMB_PORT 445
#define SYSTEM_PID 4
/* Maximum time between the TCP connect and the SMB connect. */
#define SLACK_NS (NS_PER_SECOND / 1000)

static const NsTcpRow *
tcp_row (NsBuilder *builder, NsRow row)
{
  return NS_ROW_AT (builder->trace->tcp, NsTcpRow, row);
}

static void
index_connections (NsBuilder *builder, NsIntervalIndex *lives)
{
  guint i;

  ns_interval_index_init (lives);
  for (i = 0; i < builder->trace->tcp->len; i++)
    {
      const NsTcpRow *tcp = tcp_row (builder, i + 1);
      gboolean is_old = tcp->before_trace || !ns_time_is_set (tcp->open_ns);

      if (!tcp->is_udp && !ns_ip_is_empty (&tcp->remote->ip))
        ns_interval_index_add (lives,
                               ns_endpoint_hash (tcp->remote),
                               0,
                               i + 1,
                               is_old ? G_MININT64 : tcp->open_ns);
    }
  ns_interval_index_settle (lives);
}

static gboolean
is_of_system (const NsTcpRow *tcp)
{
  return tcp->pid == SYSTEM_PID || tcp->pid == NS_PID_UNKNOWN;
}

static gboolean
is_on_thread (const NsSmbVc *vc, const NsTcpRow *tcp)
{
  return tcp->tid == vc->tid && vc->tid != NS_PID_UNKNOWN && tcp->open_ns >= vc->open_ns &&
         tcp->open_ns < vc->until_ns;
}

/* J3: returns the connection that the thread of the SMB connect opened, else the only one opened
 * in that time. */
static NsRow
find_connection (NsBuilder *builder,
                 const NsIntervalIndex *by_remote,
                 const NsSmbVc *vc,
                 gboolean *by_tid)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  guint n_found = 0;
  guint n_on_thread = 0;
  NsRow found = 0;
  NsRow on_thread = 0;
  const NsLife *lives;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (by_remote, ns_endpoint_hash (&vc->remote), 0, &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, vc->open_ns - SLACK_NS - 1);
  for (; i < n_lives && n_left > 0; i++, n_left--)
    {
      const NsTcpRow *tcp = tcp_row (builder, lives[i].row);

      if (lives[i].open_ns > ns_time_after (vc->done_ns, SLACK_NS))
        break;
      if (!is_of_system (tcp) || !ns_endpoint_equal (tcp->remote, &vc->remote))
        continue;
      n_found++;
      found = lives[i].row;
      if (is_on_thread (vc, tcp))
        {
          n_on_thread++;
          on_thread = lives[i].row;
        }
    }
  *by_tid = n_on_thread == 1;
  if (n_on_thread == 1)
    return on_thread;
  return n_found == 1 && n_on_thread == 0 ? found : 0;
}

/* Returns the newest connection with the endpoints in the failure event of a failed connect. */
static NsRow
find_by_ends (NsBuilder *builder, const NsIntervalIndex *by_remote, const NsSmbVc *vc)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint n_lives;
  guint i;

  if (vc->local.port == 0)
    return 0;
  lives = ns_interval_index_get (by_remote, ns_endpoint_hash (&vc->remote), 0, &n_lives);
  for (i = ns_interval_index_count_until (lives, n_lives, vc->named_ns); i > 0 && n_left > 0;
       i--, n_left--)
    {
      const NsTcpRow *tcp = tcp_row (builder, lives[i - 1].row);

      if (is_of_system (tcp) && ns_endpoint_equal (tcp->remote, &vc->remote) &&
          ns_endpoint_equal (tcp->local, &vc->local))
        return lives[i - 1].row;
    }
  return 0;
}

static void
set_link (NsSmbVc *vc, NsRow tcp, gint8 confidence, const char *evidence)
{
  vc->tcp = tcp;
  vc->confidence = confidence;
  vc->evidence = evidence;
}

/* Links connects with connections. A connection that matches two connects, neither by thread,
 * belongs to neither. */
static void
link_vcs (NsBuilder *builder, const NsIntervalIndex *by_remote)
{
  g_autoptr (NsMap) owners = ns_map_new ();
  gboolean by_tid;
  guint i;

  for (i = 1; i <= builder->smb->vcs->len; i++)
    {
      NsSmbVc *vc = ns_smb_vc (builder, i);
      guint32 owner;
      NsRow tcp;

      if (ns_ip_is_empty (&vc->remote.ip) || vc->transport == NS_SMB_RDMA ||
          vc->transport == NS_SMB_VMBUS || vc->transport == NS_SMB_QUIC)
        continue;
      tcp = find_by_ends (builder, by_remote, vc);
      if (tcp != 0)
        {
          set_link (vc, tcp, NS_CONFIDENCE_LIKELY, "addresses");
          continue;
        }
      if (vc->open_ns == NS_TIME_NONE)
        continue;
      tcp = find_connection (builder, by_remote, vc, &by_tid);
      owner = tcp != 0 ? ns_map_get (owners, tcp, 0) : 0;
      if (tcp == 0 || (owner != 0 && !by_tid))
        continue;
      if (owner != 0)
        set_link (ns_smb_vc (builder, owner), 0, -1, NULL);
      set_link (vc, tcp, NS_CONFIDENCE_LIKELY, by_tid ? "connecting thread" : "only connect");
      ns_map_set (owners, tcp, 0, i);
    }
}

/* Finds the connection of a connect over QUIC: the only one to the address opened in that time. */
static void
link_quic (NsBuilder *builder, const NsIntervalIndex *by_remote, NsSmbVc *vc)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  guint n_found = 0;
  const NsLife *lives;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (by_remote, ns_endpoint_hash (&vc->remote), 0, &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, vc->open_ns - SLACK_NS - 1);
  for (; i < n_lives && n_left > 0; i++, n_left--)
    {
      const NsQuicRow *quic = NS_ROW_AT (builder->trace->quic, NsQuicRow, lives[i].row);

      if (lives[i].open_ns > ns_time_after (vc->done_ns, SLACK_NS))
        break;
      if (!ns_endpoint_equal (&quic->remote, &vc->remote))
        continue;
      n_found++;
      vc->quic = lives[i].row;
    }
  if (n_found != 1)
    {
      vc->quic = 0;
      return;
    }
  vc->confidence = NS_CONFIDENCE_LIKELY;
  vc->evidence = "only connect";
}

static void
link_quic_vcs (NsBuilder *builder)
{
  NsIntervalIndex by_remote;
  guint i;

  if (builder->trace->quic->len == 0)
    return;
  ns_interval_index_init (&by_remote);
  for (i = 0; i < builder->trace->quic->len; i++)
    {
      const NsQuicRow *quic = &g_array_index (builder->trace->quic, NsQuicRow, i);

      if (!quic->is_stream && !quic->layer.opened_before_trace &&
          !ns_ip_is_empty (&quic->remote.ip))
        ns_interval_index_add (&by_remote,
                               ns_endpoint_hash (&quic->remote),
                               0,
                               i + 1,
                               quic->layer.open_ns);
    }
  ns_interval_index_settle (&by_remote);
  for (i = 1; i <= builder->smb->vcs->len; i++)
    {
      NsSmbVc *vc = ns_smb_vc (builder, i);

      if (vc->transport == NS_SMB_QUIC && vc->open_ns != NS_TIME_NONE &&
          !ns_ip_is_empty (&vc->remote.ip))
        link_quic (builder, &by_remote, vc);
    }
  ns_interval_index_clear (&by_remote);
}

static gboolean
is_open_at (const NsTcpRow *tcp, gint64 time_ns)
{
  return (tcp->before_trace || tcp->open_ns <= time_ns) &&
         (!ns_time_is_set (tcp->close_ns) || tcp->close_ns >= time_ns);
}

/* Returns the only connection to the address that is open at that time. */
static NsRow
find_open (NsBuilder *builder, const NsIntervalIndex *by_remote, const NsIp *ip, gint64 time_ns)
{
  NsEndpoint remote = { .ip = *ip, .port = SMB_PORT };
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  NsRow found = 0;
  const NsLife *lives;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (by_remote, ns_endpoint_hash (&remote), 0, &n_lives);
  for (i = ns_interval_index_count_until (lives, n_lives, time_ns); i > 0 && n_left > 0;
       i--, n_left--)
    {
      const NsTcpRow *tcp = tcp_row (builder, lives[i - 1].row);

      if (!is_open_at (tcp, time_ns) || !ns_endpoint_equal (tcp->remote, &remote))
        continue;
      if (found != 0)
        return 0;
      found = lives[i - 1].row;
    }
  return found;
}

/* Returns the newest earlier name of the session's address, else the first later one. */
static const NsSmbName *
find_session (NsBuilder *builder, const NsIntervalIndex *sessions, guint64 session, gint64 time_ns)
{
  const NsLife *lives;
  guint n_lives;
  guint n;

  if (session == 0)
    return NULL;
  lives = ns_interval_index_get (sessions, session, 0, &n_lives);
  if (n_lives == 0)
    return NULL;
  n = ns_interval_index_count_until (lives, n_lives, time_ns);
  return &g_array_index (builder->smb->names, NsSmbName, lives[n > 0 ? n - 1 : 0].row - 1);
}

static void
index_sessions (NsBuilder *builder, NsIntervalIndex *sessions)
{
  guint i;

  ns_interval_index_init (sessions);
  for (i = 0; i < builder->smb->names->len; i++)
    {
      const NsSmbName *name = &g_array_index (builder->smb->names, NsSmbName, i);

      if (name->session != 0 && !ns_ip_is_empty (&name->remote.ip))
        ns_interval_index_add (sessions, name->session, 0, i + 1, name->time_ns);
    }
  ns_interval_index_settle (sessions);
}

/* Links a connection from before the trace, which only the address of a session on it can
 * identify. */
static void
link_by_session (NsBuilder *builder,
                 const NsIntervalIndex *by_remote,
                 const NsIntervalIndex *sessions,
                 NsSmbVc *vc,
                 const NsSmbRow *row)
{
  gint64 time_ns = row->sent_ns != NS_TIME_NONE ? row->sent_ns : row->layer.close_ns;
  const NsSmbName *name;
  NsRow tcp;

  if (time_ns == NS_TIME_OPEN || (vc->tcp != 0 && is_open_at (tcp_row (builder, vc->tcp), time_ns)))
    return;
  name = find_session (builder, sessions, row->session, time_ns);
  if (name == NULL)
    return;
  tcp = find_open (builder, by_remote, &name->remote.ip, time_ns);
  vc->remote = name->remote;
  set_link (vc, tcp, tcp != 0 ? NS_CONFIDENCE_INFERRED : -1, tcp != 0 ? "session" : NULL);
}

static void
take_link (NsSmbRow *row, const NsSmbVc *vc)
{
  if (row->transport == NS_SMB_N_TRANSPORTS)
    row->transport = vc->transport;
  if (row->transport == NS_SMB_N_TRANSPORTS && vc->tcp != 0 && vc->remote.port == SMB_PORT)
    row->transport = NS_SMB_TCP;
  if (!ns_ip_is_empty (&vc->remote.ip))
    row->remote = vc->remote;
  row->tcp = vc->tcp;
  row->quic = vc->quic;
  row->layer.confidence = vc->confidence;
  row->layer.evidence[0] = vc->evidence;
}

/* C3: ends commands that had no response when their connection closed. */
static void
end_with_connection (NsBuilder *builder, NsSmbRow *row)
{
  const NsTcpRow *tcp = tcp_row (builder, row->tcp);

  if (row->layer.close_ns != NS_TIME_OPEN || !ns_time_is_set (tcp->close_ns) ||
      tcp->close_ns == NS_TIME_OPEN || tcp->close_ns < row->layer.open_ns)
    return;
  row->layer.close_ns = tcp->close_ns;
  row->reason = "connection closed";
}

/**
 * ns_smb_link_connections: (skip)
 * @builder: the builder; the table of connections is written
 *
 * Finds the connections of connects and commands.
 */
void
ns_smb_link_connections (NsBuilder *builder)
{
  NsIntervalIndex by_remote;
  NsIntervalIndex sessions;
  guint i;

  index_connections (builder, &by_remote);
  index_sessions (builder, &sessions);
  link_vcs (builder, &by_remote);
  link_quic_vcs (builder);
  for (i = 1; i <= builder->trace->smb->len; i++)
    {
      NsSmbRow *row = ns_smb_row (builder, i);
      guint32 number = ns_smb_extra (builder, i)->vc;
      NsSmbVc *vc;

      if (number == 0)
        continue;
      vc = ns_smb_vc (builder, number);
      if (vc->open_ns == NS_TIME_NONE)
        link_by_session (builder, &by_remote, &sessions, vc, row);
      take_link (row, vc);
      if (row->kind == NS_SMB_COMMAND && row->tcp != 0)
        end_with_connection (builder, row);
    }
  ns_interval_index_clear (&by_remote);
  ns_interval_index_clear (&sessions);
}

typedef struct
{
  NsIntervalIndex ops;      /* operations by thread */
  NsIntervalIndex suspends; /* suspended exchanges by thread and operation */
} Threads;

static void
index_threads (NsBuilder *builder, Threads *self)
{
  guint i;

  ns_interval_index_init (&self->ops);
  ns_interval_index_init (&self->suspends);
  for (i = 1; i <= builder->trace->smb->len; i++)
    {
      const NsSmbRow *row = ns_smb_row (builder, i);

      if (row->kind == NS_SMB_OPERATION && !row->layer.opened_before_trace)
        ns_interval_index_add (&self->ops, row->layer.tid, 0, i, row->layer.open_ns);
    }
  for (i = 0; i < builder->smb->suspends->len; i++)
    {
      const NsSmbSuspend *suspend = &g_array_index (builder->smb->suspends, NsSmbSuspend, i);

      ns_interval_index_add (&self->suspends, suspend->tid, suspend->op, i + 1, suspend->time_ns);
    }
  ns_interval_index_settle (&self->ops);
  ns_interval_index_settle (&self->suspends);
}

/* Returns the end of the time in which the operation may have sent commands. */
static gint64
get_end (NsBuilder *builder, NsRow op)
{
  const NsSmbExtra *extra = ns_smb_extra (builder, op);

  if (extra->end_ns == NS_TIME_OPEN && extra->resumed_ns != NS_TIME_NONE)
    return extra->resumed_ns;
  return extra->end_ns;
}

static gboolean
is_going_on (NsBuilder *builder, NsRow op, gint64 time_ns)
{
  gint64 end_ns = get_end (builder, op);

  return ns_smb_row (builder, op)->layer.open_ns <= time_ns &&
         (end_ns == NS_TIME_OPEN || time_ns <= end_ns);
}

/* Returns the newest open operation of the thread, and the begin of the next one there. */
static NsRow
find_operation (NsBuilder *builder,
                const Threads *threads,
                guint32 tid,
                gint64 time_ns,
                gint64 *next_ns)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint n_lives;
  guint i;

  *next_ns = NS_TIME_OPEN;
  if (tid == NS_PID_UNKNOWN)
    return 0;
  lives = ns_interval_index_get (&threads->ops, tid, 0, &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, time_ns);
  if (i < n_lives)
    *next_ns = lives[i].open_ns;
  for (; i > 0 && n_left > 0; i--, n_left--)
    if (is_going_on (builder, lives[i - 1].row, time_ns))
      return lives[i - 1].row;
  return 0;
}

/* Returns whether an exchange of the operation was suspended right after the command, which
 * shows that the command belongs to it. */
static gboolean
has_exchange (NsBuilder *builder,
              const Threads *threads,
              const NsSmbRow *row,
              NsRow op,
              gint64 next_ns)
{
  const NsLife *lives;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (&threads->suspends, row->layer.tid, op, &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, row->sent_ns - 1);
  return i < n_lives && (next_ns == NS_TIME_OPEN || lives[i].open_ns < next_ns) &&
         (row->response_ns == NS_TIME_NONE || lives[i].open_ns <= row->response_ns);
}

static void
take_first (NsSmbRow *op, const NsSmbRow *command)
{
  op->session = command->session;
  op->tree = command->tree;
  op->connection = command->connection;
  op->transport = command->transport;
  op->remote = command->remote;
  op->tcp = command->tcp;
  op->quic = command->quic;
  op->layer.confidence = command->layer.confidence;
  op->layer.evidence[0] = command->layer.evidence[0];
  op->sent_ns = command->sent_ns;
  op->before_wire_ns = command->sent_ns - op->layer.open_ns;
}

/* Adds a command to its operation; overlapping wire times count once. */
static void
add_command (NsSmbRow *op, NsSmbExtra *extra, const NsSmbRow *command)
{
  if (op->n_commands++ == 0)
    take_first (op, command);
  if (command->response_ns == NS_TIME_NONE)
    {
      if (command->layer.close_ns == NS_TIME_OPEN)
        extra->is_waiting = TRUE;
      return;
    }
  if (op->wire_ns == NS_UNKNOWN)
    op->wire_ns = 0;
  if (op->response_ns == NS_TIME_NONE || command->sent_ns > extra->wire_ns)
    op->wire_ns += command->response_ns - command->sent_ns;
  else if (command->response_ns > extra->wire_ns)
    op->wire_ns += command->response_ns - extra->wire_ns;
  if (op->response_ns == NS_TIME_NONE || command->response_ns > extra->wire_ns)
    extra->wire_ns = command->response_ns;
  op->response_ns = extra->wire_ns;
}

static void
link_command (NsBuilder *builder, const Threads *threads, NsRow number)
{
  NsSmbRow *row = ns_smb_row (builder, number);
  gint64 next_ns;
  NsRow op;

  if (row->kind != NS_SMB_COMMAND || row->sent_ns == NS_TIME_NONE)
    return;
  op = find_operation (builder, threads, row->layer.tid, row->sent_ns, &next_ns);
  if (op == 0)
    return;
  row->parent = op;
  add_command (ns_smb_row (builder, op), ns_smb_extra (builder, op), row);
  row->layer.evidence[1] = row->layer.evidence[0];
  row->layer.evidence[0] =
      has_exchange (builder, threads, row, op, next_ns) ? "exchange" : "thread";
}

/* O4: ends an operation. */
static void
end_operation (NsBuilder *builder, NsRow number)
{
  const NsSmbExtra *extra = ns_smb_extra (builder, number);
  NsSmbRow *row = ns_smb_row (builder, number);

  if (row->kind != NS_SMB_OPERATION)
    return;
  if (extra->is_summed)
    row->layer.close_ns = extra->end_ns;
  else if (extra->resumed_ns != NS_TIME_NONE)
    row->layer.close_ns = extra->resumed_ns;
  else if (row->response_ns != NS_TIME_NONE && !extra->is_waiting)
    row->layer.close_ns = row->response_ns;
  else
    row->layer.close_ns = extra->end_ns;
  if (row->response_ns != NS_TIME_NONE && row->layer.close_ns != NS_TIME_OPEN &&
      row->layer.close_ns >= row->response_ns)
    row->after_wire_ns = row->layer.close_ns - row->response_ns;
}

/* J2: adds a wait to its operation. */
static void
add_wait (NsBuilder *builder, const Threads *threads, const NsSmbWait *wait)
{
  gint64 next_ns;
  NsRow op = wait->op;
  NsSmbRow *row;

  if (op == 0 || !is_going_on (builder, op, wait->open_ns))
    op = find_operation (builder, threads, wait->tid, wait->open_ns, &next_ns);
  if (op == 0 || wait->close_ns == NS_TIME_OPEN)
    return;
  row = ns_smb_row (builder, op);
  if (wait->is_blocked)
    row->reason = "window blocked";
  else
    row->credit_wait_ns += wait->close_ns - wait->open_ns;
}

/**
 * ns_smb_link_operations: (skip)
 * @builder: the builder; commands have their connections
 *
 * Finds the operations of commands, and ends operations.
 */
void
ns_smb_link_operations (NsBuilder *builder)
{
  Threads threads;
  guint i;

  index_threads (builder, &threads);
  for (i = 1; i <= builder->trace->smb->len; i++)
    link_command (builder, &threads, i);
  for (i = 0; i < builder->smb->waits->len; i++)
    add_wait (builder, &threads, &g_array_index (builder->smb->waits, NsSmbWait, i));
  for (i = 1; i <= builder->trace->smb->len; i++)
    end_operation (builder, i);
  ns_interval_index_clear (&threads.ops);
  ns_interval_index_clear (&threads.suspends);
}

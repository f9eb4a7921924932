/* Microsoft-Windows-SMBClient: commands and their answers, connects, and the operations on files
 * that they are for.
 *
 * Layouts: Windows' manifests of the builds 10240 to 28000 (`providers.md` 1). Shorter payloads
 * hold the fields that fit. Pointers are those of the kernel: the newest with a value is meant.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/smb/ns-smb-private.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/ns-masked.h"
#include "wire/ns-sockaddr.h"

#include <string.h>

enum
{
  SMB_SUSPEND = 30103,
  SMB_RESUME = 30104,
  SMB_CREDIT_WAIT = 30105,
  SMB_CREDIT_GOT = 30106,
  SMB_WINDOW_BLOCKED = 30108,
  SMB_CONNECT = 30203,
  SMB_CONNECTED = 30204,
  SMB_RECONNECT = 30403,
  SMB_SEND = 30406,
  SMB_RECEIVE = 30407,
  SMB_RECEIVE_INTERIM = 30408,
  SMB_RECEIVE_FINAL = 30409,
  SMB_CACHE_FIRST = 30501,
  SMB_CACHE_LAST = 30508,
  SMB_SELECTED_INTERFACE = 30704,
  SMB_CONNECT_FAILED = 30803,
  SMB_DISCONNECTED = 30804,
  SMB_SESSION_LOST = 30805,
  SMB_SESSION_THERE = 30806,
  SMB_SHARE_LOST = 30807,
  SMB_SHARE_THERE = 30808,
  SMB_EXPIRED = 30809,
  SMB_CONNECT_FAILED_TOO = 30822,
  SMB_CONNECTION_CHOSEN = 30830,
  SMB_CONNECTION_THERE_TOO = 30831,
  SMB_CONNECTION_THERE = 30832,
  SMB_BEGIN = 32004,
  SMB_READ = 32008,
  SMB_WRITE = 32009,
  SMB_CREATE = 32010,
  SMB_CLOSE = 32011,
  SMB_QUERY_DIRECTORY = 32012,
  SMB_FSCTL = 32013,
};

#define STATUS_PENDING 0x103
/* What the server sends without being asked. */
#define UNASKED G_MAXUINT64
/* A connect that failed is told of so soon after it. */
#define REASON_NS NS_PER_SECOND
#define MAX_OLDER 64

/* Numbers that are no failure of a command (`providers.md` 1). */
static gboolean
is_normal (guint32 status, const char *command)
{
  switch (status)
    {
    case STATUS_PENDING:
    case 0x80000005: /* STATUS_BUFFER_OVERFLOW */
    case 0x80000006: /* STATUS_NO_MORE_FILES */
      return TRUE;
    case 0xc0000016: /* STATUS_MORE_PROCESSING_REQUIRED */
      return command == NULL || strcmp (command, "Session setup") == 0;
    case 0xc0000120: /* STATUS_CANCELLED */
      return command != NULL && strcmp (command, "Change notify") == 0;
    default:
      return status < 0x80000000;
    }
}

/**
 * ns_smb_row_fails: (skip)
 * @row: a row
 * @command: (nullable): its command
 *
 * Returns: whether its status tells of a failure
 */
gboolean
ns_smb_row_fails (const NsSmbRow *row, const char *command)
{
  return row->layer.status != NS_UNKNOWN && !is_normal ((guint32) row->layer.status, command);
}

static void
smb_start (NsBuilder *builder)
{
  NsSmb *self = builder->smb = g_new0 (NsSmb, 1);

  self->extras = g_array_new (FALSE, TRUE, sizeof (NsSmbExtra));
  self->vcs = g_array_new (FALSE, TRUE, sizeof (NsSmbVc));
  self->names = g_array_new (FALSE, TRUE, sizeof (NsSmbName));
  self->suspends = g_array_new (FALSE, TRUE, sizeof (NsSmbSuspend));
  self->waits = g_array_new (FALSE, TRUE, sizeof (NsSmbWait));
  self->vc_of = ns_map_new ();
  self->vc_of_tid = ns_map_new ();
  self->commands = ns_map_new ();
  self->asyncs = ns_map_new ();
  self->expiring = ns_map_new ();
  self->op_of_rx = ns_map_new ();
  self->op_of_exchange = ns_map_new ();
  self->wait_of = ns_map_new ();
  self->known_rx = ns_map_new ();
}

static void
smb_stop (NsBuilder *builder)
{
  NsSmb *self = builder->smb;

  g_array_unref (self->extras);
  g_array_unref (self->vcs);
  g_array_unref (self->names);
  g_array_unref (self->suspends);
  g_array_unref (self->waits);
  ns_map_free (self->vc_of);
  ns_map_free (self->vc_of_tid);
  ns_map_free (self->commands);
  ns_map_free (self->asyncs);
  ns_map_free (self->expiring);
  ns_map_free (self->op_of_rx);
  ns_map_free (self->op_of_exchange);
  ns_map_free (self->wait_of);
  ns_map_free (self->known_rx);
  g_clear_pointer (&builder->smb, g_free);
}

/**
 * ns_smb_add_row: (skip)
 * @builder: the builder
 * @record: what tells of it
 * @kind: what it is
 *
 * Adds a row that begins now, by the record's thread, with nothing else known.
 *
 * Returns: (transfer none): the row, the last one
 */
NsSmbRow *
ns_smb_add_row (NsBuilder *builder, const NsRecord *record, NsSmbKind kind)
{
  GArray *table = builder->trace->smb;
  NsSmbExtra extra = { .end_ns = NS_TIME_OPEN,
                       .resumed_ns = NS_TIME_NONE,
                       .number = NS_SMB_NO_NUMBER };
  NsSmbRow row = { .layer = { .pid = record->pid,
                              .tid = record->tid,
                              .open_ns = record->time_ns,
                              .close_ns = NS_TIME_OPEN,
                              .status = NS_UNKNOWN,
                              .confidence = -1 },
                   .sent = NS_UNKNOWN,
                   .received = NS_UNKNOWN,
                   .sent_ns = NS_TIME_NONE,
                   .response_ns = NS_TIME_NONE,
                   .credit_wait_ns = NS_UNKNOWN,
                   .before_wire_ns = NS_UNKNOWN,
                   .wire_ns = NS_UNKNOWN,
                   .after_wire_ns = NS_UNKNOWN,
                   .credit_charge = NS_UNKNOWN,
                   .credits_requested = NS_UNKNOWN,
                   .credits_granted = NS_UNKNOWN,
                   .kind = kind,
                   .transport = NS_SMB_N_TRANSPORTS,
                   .is_signed = -1,
                   .is_encrypted = -1 };

  g_array_append_val (table, row);
  g_array_append_val (builder->smb->extras, extra);
  return &g_array_index (table, NsSmbRow, table->len - 1);
}

static NsRow
last_row (NsBuilder *builder)
{
  return builder->trace->smb->len;
}

static void
set_before_trace (NsSmbRow *row)
{
  row->layer.open_ns = 0;
  row->layer.opened_before_trace = TRUE;
  row->layer.pid = NS_PID_UNKNOWN;
  row->layer.tid = NS_PID_UNKNOWN;
}

/* A text whose length in characters stands before it. */
static NsString
take_text (NsBuilder *builder, NsCursor *cursor)
{
  gsize n_bytes = (gsize) ns_cursor_u16 (cursor) * 2;
  const guint8 *text = ns_cursor_take (cursor, n_bytes);
  NsString id;

  if (text == NULL || n_bytes == 0)
    return NS_STRING_NONE;
  id = ns_strings_add_utf16 (builder->trace->strings, text, n_bytes);
  return ns_masked_text (builder->trace->strings, id);
}

static NsString
take_ansi (NsBuilder *builder, NsCursor *cursor)
{
  gsize n_bytes = ns_cursor_u16 (cursor);
  const guint8 *text = ns_cursor_take (cursor, n_bytes);

  while (text != NULL && n_bytes > 0 && text[n_bytes - 1] == '\0')
    n_bytes--;
  if (text == NULL || n_bytes == 0)
    return NS_STRING_NONE;
  return ns_masked_text (builder->trace->strings,
                         ns_strings_add_len (builder->trace->strings,
                                             (const char *) text,
                                             n_bytes));
}

/* Both of 64 bits and as a pointer: the same value in a trace of 32 bits. */
static guint64
take_context (NsCursor *cursor, const NsRecord *record)
{
  guint64 context = ns_cursor_u64 (cursor);

  return record->pointer_size == 4 ? context & G_MAXUINT32 : context;
}

static guint64
take_pointer (NsCursor *cursor, const NsRecord *record)
{
  return ns_cursor_ptr (cursor, record->pointer_size);
}

static guint32
add_vc (NsBuilder *builder, guint64 endpoint)
{
  NsSmb *self = builder->smb;
  NsSmbVc vc = { .open_ns = NS_TIME_NONE,
                 .done_ns = NS_TIME_OPEN,
                 .until_ns = NS_TIME_OPEN,
                 .tid = NS_PID_UNKNOWN,
                 .confidence = -1,
                 .transport = NS_SMB_N_TRANSPORTS };

  g_array_append_val (self->vcs, vc);
  ns_map_set (self->vc_of, endpoint, 0, self->vcs->len);
  return self->vcs->len;
}

/* One that is seen first in use was there before. */
static guint32
get_vc (NsBuilder *builder, guint64 endpoint)
{
  guint32 vc = endpoint != 0 ? ns_map_get (builder->smb->vc_of, endpoint, 0) : 0;

  return vc != 0 || endpoint == 0 ? vc : add_vc (builder, endpoint);
}

static void
set_transport (NsSmbRow *row, NsSmbVc *vc, guint32 type)
{
  if (type < NS_SMB_N_TRANSPORTS)
    row->transport = vc->transport = (guint8) type;
}

static void
begin_connect (NsBuilder *builder, const NsRecord *record)
{
  NsSmb *self = builder->smb;
  NsCursor cursor;
  NsEndpoint remote = { 0 };
  guint64 endpoint;
  guint32 before;
  guint32 type;
  guint32 number;
  NsSmbRow *row;
  NsSmbVc *vc;

  ns_record_cursor (record, &cursor);
  ns_sockaddr_take_counted (&cursor, &remote);
  endpoint = take_pointer (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  take_pointer (&cursor, record); /* socket of the kernel */
  type = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    type = NS_SMB_N_TRANSPORTS;

  number = add_vc (builder, endpoint);
  before = ns_map_swap (self->vc_of_tid, record->tid, 0, number);
  if (before != 0)
    ns_smb_vc (builder, before)->until_ns = record->time_ns;
  row = ns_smb_add_row (builder, record, NS_SMB_CONNECT);
  row->remote = remote;
  row->connection = endpoint;
  row->layer.stack = ns_stack_match_find (builder, record);
  vc = ns_smb_vc (builder, number);
  vc->remote = remote;
  vc->open_ns = record->time_ns;
  vc->tid = record->tid;
  vc->row = last_row (builder);
  set_transport (row, vc, type);
  ns_smb_extra (builder, last_row (builder))->vc = number;
}

static void
end_connect (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  guint64 endpoint;
  guint32 number;
  gint64 status;
  guint32 type;
  NsSmbRow *row;
  NsSmbVc *vc;

  ns_record_cursor (record, &cursor);
  endpoint = take_pointer (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  take_pointer (&cursor, record);
  status = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    status = NS_UNKNOWN;
  type = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    type = NS_SMB_N_TRANSPORTS;

  number = ns_map_get (builder->smb->vc_of, endpoint, 0);
  if (number == 0 || ns_smb_vc (builder, number)->row == 0 ||
      ns_smb_vc (builder, number)->done_ns != NS_TIME_OPEN)
    {
      number = add_vc (builder, endpoint);
      row = ns_smb_add_row (builder, record, NS_SMB_CONNECT);
      set_before_trace (row);
      row->connection = endpoint;
      ns_smb_vc (builder, number)->row = last_row (builder);
      ns_smb_extra (builder, last_row (builder))->vc = number;
    }
  vc = ns_smb_vc (builder, number);
  row = ns_smb_row (builder, vc->row);
  vc->done_ns = record->time_ns;
  row->layer.close_ns = record->time_ns;
  row->layer.status = status;
  set_transport (row, vc, type);
}

/* What commands and answers have in common. */
typedef struct
{
  const char *command;
  gsize n_bytes;
  guint64 message_id;
  guint64 async_id;
  guint64 session;
  guint64 connection;
  gint64 status;
  guint32 tree;
  gint32 credits; /* that are given */
  guint32 vc;
} Message;

static void
set_command (NsBuilder *builder, NsSmbRow *row, NsRow number, const char *text, gsize n_bytes)
{
  NsStrings *strings = builder->trace->strings;
  guint16 command = ns_smb_command_find (text, n_bytes);
  const char *name = ns_smb_command_get_name (command);

  ns_smb_extra (builder, number)->number = command;
  if (name != NULL)
    row->command = ns_strings_add (strings, name);
  else if (n_bytes > 0)
    row->command = ns_masked_text (strings, ns_strings_add_len (strings, text, n_bytes));
}

static void
fill_in (NsBuilder *builder, NsSmbRow *row, const Message *message)
{
  NsRow number = last_row (builder);

  set_command (builder, row, number, message->command, message->n_bytes);
  row->message_id = message->message_id;
  row->has_message_id = TRUE;
  row->session = message->session;
  row->tree = message->tree;
  row->connection = message->connection;
  ns_smb_extra (builder, number)->vc = message->vc;
}

/* The command that the same session sent with the same number before; commands of one number are
 * told apart by what they are. */
static void
note_command (NsBuilder *builder, NsRow number, const Message *message)
{
  NsSmb *self = builder->smb;

  if (message->vc != 0)
    ns_map_set (self->commands, message->vc, message->message_id, number);
  ns_smb_extra (builder, number)->older =
      ns_map_swap (self->expiring, message->session, message->message_id, number);
}

static void
send_command (NsBuilder *builder, const NsRecord *record)
{
  Message message = { 0 };
  NsCursor cursor;
  gint32 charge;
  gint32 wanted;
  gint64 length;
  NsSmbRow *row;
  NsRow known;

  ns_record_cursor (record, &cursor);
  ns_cursor_u32 (&cursor); /* how many */
  message.command = ns_cursor_astr (&cursor, &message.n_bytes);
  message.message_id = ns_cursor_u64 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  message.session = ns_cursor_u64 (&cursor);
  message.tree = ns_cursor_u32 (&cursor);
  charge = ns_cursor_u16 (&cursor);
  charge = ns_cursor_ok (&cursor) ? charge : NS_UNKNOWN;
  wanted = ns_cursor_u16 (&cursor);
  wanted = ns_cursor_ok (&cursor) ? wanted : NS_UNKNOWN;
  length = ns_cursor_u32 (&cursor);
  length = ns_cursor_ok (&cursor) ? length : NS_UNKNOWN;
  message.connection = take_pointer (&cursor, record);
  message.vc = get_vc (builder, message.connection);

  known = message.vc != 0 ? ns_map_get (builder->smb->commands, message.vc, message.message_id) : 0;
  if (known != 0 && !ns_smb_extra (builder, known)->is_expired &&
      ns_smb_extra (builder, known)->number ==
          ns_smb_command_find (message.command, message.n_bytes))
    {
      ns_smb_row (builder, known)->n_retries++;
      return;
    }
  row = ns_smb_add_row (builder, record, NS_SMB_COMMAND);
  fill_in (builder, row, &message);
  row->sent_ns = record->time_ns;
  row->sent = length;
  row->credit_charge = charge;
  row->credits_requested = wanted;
  row->layer.stack = ns_stack_match_find (builder, record);
  row->layer.link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  ns_tasks_use_link (builder, row->layer.link);
  note_command (builder, last_row (builder), &message);
}

static gboolean
read_answer (NsBuilder *builder, const NsRecord *record, Message *message)
{
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  message->command = ns_cursor_astr (&cursor, &message->n_bytes);
  message->message_id = ns_cursor_u64 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return FALSE;
  message->async_id = ns_cursor_u64 (&cursor);
  message->session = ns_cursor_u64 (&cursor);
  message->tree = ns_cursor_u32 (&cursor);
  message->credits = ns_cursor_u16 (&cursor);
  if (!ns_cursor_ok (&cursor))
    message->credits = NS_UNKNOWN;
  message->status = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    message->status = NS_UNKNOWN;
  message->connection = take_pointer (&cursor, record);
  message->vc = get_vc (builder, message->connection);
  return TRUE;
}

/* A break of a lock or a lease: nobody asked for it. */
static void
add_unasked (NsBuilder *builder, const NsRecord *record, const Message *message)
{
  NsSmbRow *row = ns_smb_add_row (builder, record, NS_SMB_EVENT);

  fill_in (builder, row, message);
  row->layer.pid = NS_PID_UNKNOWN;
  row->layer.tid = NS_PID_UNKNOWN;
  row->layer.close_ns = record->time_ns;
  row->layer.status = message->status;
}

static NsRow
find_command (NsBuilder *builder, const Message *message, gboolean is_final)
{
  NsSmb *self = builder->smb;
  NsRow number =
      message->vc != 0 ? ns_map_get (self->commands, message->vc, message->message_id) : 0;

  if (number == 0 && is_final && message->vc != 0 && message->async_id != 0)
    number = ns_map_get (self->asyncs, message->vc, message->async_id);
  if (number != 0 && !ns_smb_extra (builder, number)->is_answered)
    return number;
  return 0;
}

static void
take_answer (NsBuilder *builder, const NsRecord *record)
{
  NsSmb *self = builder->smb;
  Message message = { 0 };
  gboolean is_interim;
  NsSmbRow *row;
  NsRow number;

  if (!read_answer (builder, record, &message))
    return;
  if (message.message_id == UNASKED)
    {
      add_unasked (builder, record, &message);
      return;
    }
  is_interim = record->id == SMB_RECEIVE_INTERIM ||
               (record->id == SMB_RECEIVE && message.status == STATUS_PENDING);
  number = find_command (builder, &message, record->id == SMB_RECEIVE_FINAL);
  if (number == 0)
    {
      row = ns_smb_add_row (builder, record, NS_SMB_COMMAND);
      fill_in (builder, row, &message);
      set_before_trace (row);
      number = last_row (builder);
      note_command (builder, number, &message);
    }
  row = ns_smb_row (builder, number);
  if (message.async_id != 0)
    row->async_id = message.async_id;
  if (message.session != 0)
    row->session = message.session;
  if (message.tree != 0)
    row->tree = message.tree;
  if (is_interim)
    {
      row->is_interim = TRUE;
      if (message.vc != 0 && message.async_id != 0)
        ns_map_set (self->asyncs, message.vc, message.async_id, number);
      return;
    }
  row->response_ns = record->time_ns;
  row->layer.close_ns = record->time_ns;
  row->layer.status = message.status;
  row->credits_granted = message.credits;
  row->reason = NULL;
  if (row->sent_ns != NS_TIME_NONE)
    row->wire_ns = row->response_ns - row->sent_ns;
  ns_smb_extra (builder, number)->is_answered = TRUE;
  if (message.vc != 0)
    {
      ns_map_take (self->commands, message.vc, row->message_id);
      if (row->async_id != 0)
        ns_map_take (self->asyncs, message.vc, row->async_id);
    }
}

/* C3: the newest command that waits, with the session, the number and what it is. */
static void
expire_command (NsBuilder *builder, const NsRecord *record)
{
  guint n_left = MAX_OLDER;
  NsCursor cursor;
  guint16 command;
  guint64 message_id;
  guint64 session;
  guint32 tree;
  gint64 status;
  NsString server;
  NsSmbRow *row;
  NsRow number;

  ns_record_cursor (record, &cursor);
  command = ns_cursor_u16 (&cursor);
  message_id = ns_cursor_u64 (&cursor);
  session = ns_cursor_u64 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  tree = ns_cursor_u32 (&cursor);
  server = take_text (builder, &cursor);
  status = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    status = NS_UNKNOWN;

  number = ns_map_get (builder->smb->expiring, session, message_id);
  for (; number != 0 && n_left > 0; number = ns_smb_extra (builder, number)->older, n_left--)
    {
      const NsSmbExtra *extra = ns_smb_extra (builder, number);

      if (extra->number == command && !extra->is_answered && !extra->is_expired)
        break;
    }
  if (number == 0 || n_left == 0)
    {
      const char *name = ns_smb_command_get_name (command);

      row = ns_smb_add_row (builder, record, NS_SMB_COMMAND);
      set_before_trace (row);
      number = last_row (builder);
      if (name != NULL)
        row->command = ns_strings_add (builder->trace->strings, name);
      ns_smb_extra (builder, number)->number = command;
      row->message_id = message_id;
      row->has_message_id = TRUE;
      row->session = session;
      row->tree = tree;
    }
  row = ns_smb_row (builder, number);
  row->layer.close_ns = record->time_ns;
  row->layer.status = status;
  row->reason = "expired";
  if (row->server == NS_STRING_NONE)
    row->server = server;
  ns_smb_extra (builder, number)->is_expired = TRUE;
}

/* Ends one that the next with its context shows to be over. */
static void
end_before (NsBuilder *builder, NsRow number, gint64 time_ns)
{
  NsSmbExtra *extra = ns_smb_extra (builder, number);
  const NsSmbRow *row = ns_smb_row (builder, number);

  if (extra->end_ns == NS_TIME_OPEN && extra->resumed_ns == NS_TIME_NONE)
    extra->end_ns = MAX (time_ns - 1, row->layer.open_ns);
}

static void
begin_operation (NsBuilder *builder, const NsRecord *record)
{
  NsSmb *self = builder->smb;
  NsCursor cursor;
  guint64 rx;
  NsString path;
  guint major;
  guint minor;
  NsRow before;
  NsSmbRow *row;
  NsSmbExtra *extra;
  const char *name = NULL;

  ns_record_cursor (record, &cursor);
  rx = take_context (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  path = take_text (builder, &cursor);
  major = ns_cursor_u8 (&cursor);
  if (ns_cursor_ok (&cursor))
    {
      minor = ns_cursor_u8 (&cursor);
      name = ns_smb_command_of_irp (major, ns_cursor_ok (&cursor) ? minor : 0);
    }
  self->has_starts = TRUE;
  row = ns_smb_add_row (builder, record, NS_SMB_OPERATION);
  row->credit_wait_ns = 0;
  if (name != NULL)
    row->command = ns_strings_add (builder->trace->strings, name);
  row->layer.stack = ns_stack_match_find (builder, record);
  row->layer.link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  ns_tasks_use_link (builder, row->layer.link);
  extra = ns_smb_extra (builder, last_row (builder));
  extra->rx = rx;
  extra->path = path;
  before = ns_map_swap (self->op_of_rx, rx, 0, last_row (builder));
  if (before != 0)
    end_before (builder, before, record->time_ns);
  ns_map_set (self->known_rx, rx, 0, 1);
}

/* The summary of an operation. What has none that began was going on before; where no operation is
 * seen to begin, that is not what is recorded. */
static void
end_operation (NsBuilder *builder, const NsRecord *record)
{
  static const guint8 commands[] = { 8, 9, 5, 6, 14, 11 };
  NsSmb *self = builder->smb;
  gint64 n_bytes = NS_UNKNOWN;
  NsCursor cursor;
  guint64 rx;
  NsRow number;
  NsSmbRow *row;

  ns_record_cursor (record, &cursor);
  rx = take_context (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  if (record->version >= 2 && (record->id == SMB_READ || record->id == SMB_WRITE))
    {
      guint64 count;

      ns_cursor_skip (&cursor, 1 + 8 + 8); /* InstanceId, FileObject, IRP */
      count = ns_cursor_u64 (&cursor);
      if (ns_cursor_ok (&cursor) && count <= G_MAXINT64)
        n_bytes = (gint64) count;
    }
  number = ns_map_take (self->op_of_rx, rx, 0);
  if (number == 0)
    {
      if (ns_map_get (self->known_rx, rx, 0) != 0)
        return;
      row = ns_smb_add_row (builder, record, NS_SMB_OPERATION);
      set_before_trace (row);
      number = last_row (builder);
      row->command = ns_strings_add (builder->trace->strings,
                                     ns_smb_command_get_name (commands[record->id - SMB_READ]));
      ns_map_set (self->known_rx, rx, 0, 1);
    }
  row = ns_smb_row (builder, number);
  ns_smb_extra (builder, number)->end_ns = record->time_ns;
  ns_smb_extra (builder, number)->is_summed = TRUE;
  if (record->id == SMB_READ)
    row->received = n_bytes;
  else
    row->sent = n_bytes;
}

static void
suspend_exchange (NsBuilder *builder, const NsRecord *record)
{
  NsSmb *self = builder->smb;
  NsSmbSuspend suspend = { .time_ns = record->time_ns, .tid = record->tid };
  NsCursor cursor;
  guint64 exchange;

  ns_record_cursor (record, &cursor);
  suspend.op = ns_map_get (self->op_of_rx, take_pointer (&cursor, record), 0);
  exchange = take_pointer (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  ns_map_set (self->op_of_exchange, exchange, 0, suspend.op);
  if (suspend.op != 0)
    g_array_append_val (self->suspends, suspend);
}

static void
resume_exchange (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  guint64 exchange;
  guint32 status;
  NsRow number;

  ns_record_cursor (record, &cursor);
  number = ns_map_get (builder->smb->op_of_rx, take_pointer (&cursor, record), 0);
  exchange = take_pointer (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  ns_map_take (builder->smb->op_of_exchange, exchange, 0);
  if (number == 0)
    return;
  ns_smb_extra (builder, number)->resumed_ns = record->time_ns;
  ns_cursor_u32 (&cursor); /* its state */
  status = ns_cursor_u32 (&cursor);
  if (ns_cursor_ok (&cursor))
    ns_smb_row (builder, number)->layer.status = status;
}

static void
begin_wait (NsBuilder *builder, const NsRecord *record)
{
  NsSmb *self = builder->smb;
  NsSmbWait wait = { .open_ns = record->time_ns, .close_ns = NS_TIME_OPEN, .tid = record->tid };
  NsCursor cursor;
  guint64 context;

  ns_record_cursor (record, &cursor);
  context = take_pointer (&cursor, record);
  wait.op = ns_map_get (self->op_of_exchange, take_pointer (&cursor, record), 0);
  if (!ns_cursor_ok (&cursor))
    return;
  g_array_append_val (self->waits, wait);
  ns_map_set (self->wait_of, context, 0, self->waits->len);
}

static void
end_wait (NsBuilder *builder, const NsRecord *record)
{
  NsSmb *self = builder->smb;
  NsCursor cursor;
  guint32 number;

  ns_record_cursor (record, &cursor);
  number = ns_map_take (self->wait_of, take_pointer (&cursor, record), 0);
  if (ns_cursor_ok (&cursor) && number != 0)
    g_array_index (self->waits, NsSmbWait, number - 1).close_ns = record->time_ns;
}

static void
block_window (NsBuilder *builder, const NsRecord *record)
{
  NsSmbWait wait = { .open_ns = record->time_ns,
                     .close_ns = record->time_ns,
                     .tid = record->tid,
                     .is_blocked = TRUE };
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  take_pointer (&cursor, record);
  if (ns_cursor_u32 (&cursor) != 0 && ns_cursor_ok (&cursor))
    g_array_append_val (builder->smb->waits, wait);
}

static void
name_file (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  NsRow number;
  NsString path;

  ns_record_cursor (record, &cursor);
  number = ns_map_get (builder->smb->op_of_rx, take_pointer (&cursor, record), 0);
  take_pointer (&cursor, record); /* Fcb */
  path = take_text (builder, &cursor);
  if (ns_cursor_ok (&cursor) && number != 0 && path != NS_STRING_NONE &&
      ns_smb_extra (builder, number)->path == NS_STRING_NONE)
    ns_smb_extra (builder, number)->path = path;
}

/* `\srv1\data` is a share, `srv1` a server. */
static void
split_name (NsBuilder *builder, NsSmbName *name)
{
  NsStrings *strings = builder->trace->strings;
  g_autofree char *text = NULL;
  char *share;

  if (name->server == NS_STRING_NONE)
    return;
  text = g_strdup (ns_strings_get (strings, name->server));
  share = text + strspn (text, "\\");
  name->server = NS_STRING_NONE;
  if (*share == '\0')
    return;
  {
    char *server = share;
    char *rest;

    share = strchr (server, '\\');
    if (share != NULL)
      *share++ = '\0';
    rest = share != NULL ? strchr (share, '\\') : NULL;
    if (rest != NULL)
      *rest = '\0';
    name->server = ns_strings_add (strings, server);
    if (share != NULL && *share != '\0')
      name->share = ns_strings_add (strings, share);
  }
}

static void
take_session (NsBuilder *builder, const NsRecord *record)
{
  gboolean is_tree = record->id == SMB_SHARE_LOST || record->id == SMB_SHARE_THERE;
  NsSmbName name = { .time_ns = record->time_ns };
  NsCursor cursor;
  gint64 status;
  NsSmbRow *row;
  NsRow number;

  ns_record_cursor (record, &cursor);
  status = ns_cursor_u32 (&cursor);
  name.session = ns_cursor_u64 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  name.tree = ns_cursor_u32 (&cursor);
  name.server = take_text (builder, &cursor);
  ns_sockaddr_take_counted (&cursor, &name.remote);
  split_name (builder, &name);

  row = ns_smb_add_row (builder, record, is_tree ? NS_SMB_TREE : NS_SMB_SESSION);
  number = last_row (builder);
  row->layer.close_ns = record->time_ns;
  row->layer.status = status;
  row->session = name.session;
  row->tree = is_tree ? name.tree : 0;
  row->server = name.server;
  row->share = name.share;
  row->remote = name.remote;
  if (record->id == SMB_SESSION_LOST || record->id == SMB_SHARE_LOST)
    {
      row->reason = "lost";
      ns_smb_extra (builder, number)->is_lost = TRUE;
    }
  if (record->id == SMB_SHARE_THERE && record->version >= 4)
    {
      guint32 type = ns_cursor_u32 (&cursor);

      if (ns_cursor_ok (&cursor) && type < NS_SMB_N_TRANSPORTS)
        row->transport = (guint8) type;
    }
  if (record->version >= 3)
    {
      guint32 is_signed = ns_cursor_u32 (&cursor);
      guint32 is_encrypted;

      row->is_signed = ns_cursor_ok (&cursor) ? is_signed != 0 : -1;
      is_encrypted = ns_cursor_u32 (&cursor);
      row->is_encrypted = ns_cursor_ok (&cursor) ? is_encrypted != 0 : -1;
    }
  if (!is_tree)
    name.share = NS_STRING_NONE;
  g_array_append_val (builder->smb->names, name);
}

/* The connect to an address that failed last: its end was at most so long ago. */
static NsSmbVc *
find_failure (NsBuilder *builder, const NsEndpoint *remote, gint64 time_ns)
{
  guint n_left = MAX_OLDER;
  guint i;

  for (i = builder->smb->vcs->len; i > 0 && n_left > 0; i--, n_left--)
    {
      NsSmbVc *vc = ns_smb_vc (builder, i);
      const NsSmbRow *row = vc->row != 0 ? ns_smb_row (builder, vc->row) : NULL;

      if (row == NULL || row->reason != NULL || !ns_endpoint_equal (&vc->remote, remote))
        continue;
      if (vc->done_ns == NS_TIME_OPEN ||
          (row->layer.status > 0 && time_ns - vc->done_ns <= REASON_NS))
        return vc;
    }
  return NULL;
}

static void
tell_failure (NsBuilder *builder,
              const NsRecord *record,
              const NsSmbName *name,
              guint32 reason,
              gint64 status)
{
  NsSmbVc *vc = find_failure (builder, &name->remote, record->time_ns);
  const char *text = ns_smb_reason_to_text (reason);
  NsSmbRow *row;

  if (vc == NULL)
    {
      row = ns_smb_add_row (builder, record, NS_SMB_CONNECT);
      row->remote = name->remote;
      row->layer.close_ns = record->time_ns;
      row->layer.status = status;
    }
  else
    row = ns_smb_row (builder, vc->row);
  row->server = name->server;
  row->reason = text;
  if (row->reason == NULL && reason != 0)
    {
      g_autofree char *number = g_strdup_printf ("%u", reason);

      row->reason =
          ns_trace_text (builder->trace, ns_strings_add (builder->trace->strings, number));
    }
}

static void
take_both_ends (NsCursor *cursor, NsSmbName *name)
{
  guint32 n_bytes = ns_cursor_u32 (cursor);

  ns_sockaddr_take (cursor, n_bytes, &name->remote);
  ns_sockaddr_take (cursor, n_bytes, &name->local);
}

/* Events that give an address a name. */
static void
take_name (NsBuilder *builder, const NsRecord *record)
{
  NsSmbName name = { .time_ns = record->time_ns };
  guint32 reason = 0;
  gint64 status = NS_UNKNOWN;
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  switch (record->id)
    {
    case SMB_SELECTED_INTERFACE:
      name.server = take_text (builder, &cursor);
      ns_sockaddr_take_counted (&cursor, &name.local);
      ns_sockaddr_take_counted (&cursor, &name.remote);
      break;
    case SMB_CONNECTION_CHOSEN:
    case SMB_CONNECTION_THERE:
    case SMB_CONNECTION_THERE_TOO:
      if (record->id == SMB_CONNECTION_CHOSEN ||
          record->version >= (record->id == SMB_CONNECTION_THERE ? 2 : 3))
        name.server = take_text (builder, &cursor);
      else
        name.server = take_ansi (builder, &cursor);
      ns_cursor_u32 (&cursor); /* ConnectionType */
      ns_sockaddr_take_counted (&cursor, &name.remote);
      ns_sockaddr_take_counted (&cursor, &name.local);
      break;
    default:
      reason = ns_cursor_u32 (&cursor);
      status = ns_cursor_u32 (&cursor);
      if (record->id == SMB_DISCONNECTED && record->version >= 2)
        take_text (builder, &cursor); /* InstanceName */
      name.server = take_text (builder, &cursor);
      if (record->id == SMB_CONNECT_FAILED_TOO ||
          (record->id == SMB_CONNECT_FAILED && record->version >= 2))
        take_both_ends (&cursor, &name);
      else
        ns_sockaddr_take_counted (&cursor, &name.remote);
      break;
    }
  split_name (builder, &name);
  name.share = NS_STRING_NONE;
  if (ns_endpoint_is_empty (&name.remote))
    return;
  if (record->id == SMB_CONNECT_FAILED)
    tell_failure (builder, record, &name, reason, status);
  if (name.server != NS_STRING_NONE)
    g_array_append_val (builder->smb->names, name);
}

static void
add_reconnect (NsBuilder *builder, const NsRecord *record)
{
  NsSmbRow *row = ns_smb_add_row (builder, record, NS_SMB_EVENT);

  row->layer.close_ns = record->time_ns;
  row->command = ns_strings_add (builder->trace->strings, "Reconnect");
}

static void
smb_event (NsBuilder *builder, const NsRecord *record)
{
  switch (record->id)
    {
    case SMB_SUSPEND:
      suspend_exchange (builder, record);
      break;
    case SMB_RESUME:
      resume_exchange (builder, record);
      break;
    case SMB_CREDIT_WAIT:
      begin_wait (builder, record);
      break;
    case SMB_CREDIT_GOT:
      end_wait (builder, record);
      break;
    case SMB_WINDOW_BLOCKED:
      block_window (builder, record);
      break;
    case SMB_CONNECT:
      begin_connect (builder, record);
      break;
    case SMB_CONNECTED:
      end_connect (builder, record);
      break;
    case SMB_RECONNECT:
      add_reconnect (builder, record);
      break;
    case SMB_SEND:
      send_command (builder, record);
      break;
    case SMB_RECEIVE:
    case SMB_RECEIVE_INTERIM:
    case SMB_RECEIVE_FINAL:
      take_answer (builder, record);
      break;
    case SMB_SESSION_LOST:
    case SMB_SESSION_THERE:
    case SMB_SHARE_LOST:
    case SMB_SHARE_THERE:
      take_session (builder, record);
      break;
    case SMB_EXPIRED:
      expire_command (builder, record);
      break;
    case SMB_SELECTED_INTERFACE:
    case SMB_CONNECT_FAILED:
    case SMB_DISCONNECTED:
    case SMB_CONNECT_FAILED_TOO:
    case SMB_CONNECTION_CHOSEN:
    case SMB_CONNECTION_THERE_TOO:
    case SMB_CONNECTION_THERE:
      take_name (builder, record);
      break;
    case SMB_BEGIN:
      begin_operation (builder, record);
      break;
    case SMB_READ:
    case SMB_WRITE:
    case SMB_CREATE:
    case SMB_CLOSE:
    case SMB_QUERY_DIRECTORY:
    case SMB_FSCTL:
      end_operation (builder, record);
      break;
    default:
      if (record->id >= SMB_CACHE_FIRST && record->id <= SMB_CACHE_LAST)
        name_file (builder, record);
      break;
    }
}

/* By their begin; those of one moment in the order of their records. */
static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  NsBuilder *builder = data;
  guint left = *(const guint *) a;
  guint right = *(const guint *) b;
  gint64 left_ns = ns_smb_row (builder, left)->layer.open_ns;
  gint64 right_ns = ns_smb_row (builder, right)->layer.open_ns;

  if (left_ns != right_ns)
    return left_ns < right_ns ? -1 : 1;
  return left < right ? -1 : left > right;
}

static void
order_rows (NsBuilder *builder)
{
  GArray *table = builder->trace->smb;
  g_autofree NsSmbRow *rows = g_memdup2 (table->data, (gsize) table->len * sizeof (NsSmbRow));
  g_autofree guint *order = g_new (guint, table->len);
  g_autofree NsRow *renamed = g_new0 (NsRow, (gsize) table->len + 1);
  guint i;

  for (i = 0; i < table->len; i++)
    order[i] = i + 1;
  g_qsort_with_data (order, (gint) table->len, sizeof *order, compare_rows, builder);
  for (i = 0; i < table->len; i++)
    renamed[order[i]] = i + 1;
  for (i = 0; i < table->len; i++)
    {
      NsSmbRow *row = &g_array_index (table, NsSmbRow, i);

      *row = rows[order[i] - 1];
      row->parent = renamed[row->parent];
    }
}

/* Where no operation is seen to begin, those that end are not known to have been there before. */
static void
drop_ends (NsBuilder *builder)
{
  GArray *table = builder->trace->smb;
  guint n = 0;
  guint i;

  if (builder->smb->has_starts)
    return;
  for (i = 0; i < table->len; i++)
    if (g_array_index (table, NsSmbRow, i).kind != NS_SMB_OPERATION)
      g_array_index (table, NsSmbRow, n++) = g_array_index (table, NsSmbRow, i);
  g_array_set_size (table, n);
}

/* The rows of connections must be there. */
static void
smb_gather (NsBuilder *builder)
{
  if (builder->trace->smb->len == 0)
    return;
  ns_smb_link_connections (builder);
  ns_smb_link_operations (builder);
  ns_smb_link_names (builder);
  drop_ends (builder);
  order_rows (builder);
}

static const NsProviderOps smb_ops[] = {
  { NS_GUID_SMB_CLIENT, .event = smb_event, .has_stack = ns_stack_match_any },
};

const NsPart ns_smb_part = {
  .name = "smb",
  .start = smb_start,
  .gather = smb_gather,
  .stop = smb_stop,
  .ops = smb_ops,
  .n_ops = G_N_ELEMENTS (smb_ops),
};

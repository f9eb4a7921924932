/* Commands of the SMB client and their responses (`providers.md` 1 C1 to C3).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/smb/ns-smb-private.h"

#include "wire/ns-wire-smb2.h"

#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"
#include "engine/trace/ns-masked.h"

/* Message ID of unsolicited messages of the server. */
#define UNASKED G_MAXUINT64

/* Fields common to commands and responses. */
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
  gint32 credits; /* credits granted */
  guint32 vc;
} Message;

static void
set_command (NsBuilder *builder, NsSmbRow *row, NsRow number, const char *text, gsize n_bytes)
{
  NsStrings *strings = builder->trace->strings;
  guint16 command = ns_smb_command_find (text, n_bytes);
  const char *name = ns_wire_smb2_get_command_name (command);

  ns_smb_extra (builder, number)->number = command;
  if (name != NULL)
    row->command = ns_strings_add (strings, name);
  else if (n_bytes > 0)
    row->command = ns_masked_text (builder->trace, ns_strings_add_len (strings, text, n_bytes));
}

static void
fill_in (NsBuilder *builder, NsSmbRow *row, const Message *message)
{
  NsRow number = ns_smb_last_row (builder);

  set_command (builder, row, number, message->command, message->n_bytes);
  row->message_id = message->message_id;
  row->has_message_id = TRUE;
  row->session = message->session;
  row->tree = message->tree;
  row->connection = message->connection;
  ns_smb_extra (builder, number)->vc = message->vc;
}

/* Links a command to the previous one with the same session and message ID, which only the
 * command number distinguishes. */
static void
note_command (NsBuilder *builder, NsRow number, const Message *message)
{
  NsSmb *self = builder->smb;

  if (message->vc != 0)
    ns_map_set (self->commands, message->vc, message->message_id, number);
  ns_smb_extra (builder, number)->older =
      ns_map_swap (self->expiring, message->session, message->message_id, number);
}

void
ns_smb_event_send_command (NsBuilder *builder, const NsRecord *record)
{
  Message message = { 0 };
  NsCursor cursor;
  gint32 charge;
  gint32 wanted;
  gint64 length;
  NsSmbRow *row;
  NsRow known;

  ns_record_cursor (record, &cursor);
  ns_cursor_u32 (&cursor); /* number of commands */
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
  message.connection = ns_smb_take_pointer (&cursor, record);
  message.vc = ns_smb_get_vc (builder, message.connection);

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
  note_command (builder, ns_smb_last_row (builder), &message);
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
  message->connection = ns_smb_take_pointer (&cursor, record);
  message->vc = ns_smb_get_vc (builder, message->connection);
  return TRUE;
}

/* Adds an oplock or lease break, which is unsolicited. */
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

void
ns_smb_event_take_answer (NsBuilder *builder, const NsRecord *record)
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
               (record->id == SMB_RECEIVE && message.status == NS_SMB_STATUS_PENDING);
  number = find_command (builder, &message, record->id == SMB_RECEIVE_FINAL);
  if (number == 0)
    {
      row = ns_smb_add_row (builder, record, NS_SMB_COMMAND);
      fill_in (builder, row, &message);
      ns_smb_set_before_trace (row);
      number = ns_smb_last_row (builder);
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

/* C3: expires the newest pending command with the session, message ID and command. */
void
ns_smb_event_expire_command (NsBuilder *builder, const NsRecord *record)
{
  guint n_left = NS_SMB_MAX_OLDER;
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
  server = ns_smb_take_text (builder, &cursor);
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
      const char *name = ns_wire_smb2_get_command_name (command);

      row = ns_smb_add_row (builder, record, NS_SMB_COMMAND);
      ns_smb_set_before_trace (row);
      number = ns_smb_last_row (builder);
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

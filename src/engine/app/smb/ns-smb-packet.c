/* SMB messages in events: file names in create requests (`providers.md` 1 J5; [MS-SMB2] 2.2.1 and
 * 2.2.13).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/smb/ns-smb-private.h"

#include "engine/trace/ns-interval-index.h"
#include "engine/trace/ns-masked.h"
#include "wire/ns-sockaddr.h"
#include "wire/ns-wire-smb2.h"

#include <string.h>

#define COMMAND_CREATE 5
#define MAX_MESSAGE_BYTES (16 * 1024 * 1024)
/* Maximum number of messages in a compound request. */
#define MAX_TOGETHER 64

#define KEYWORD_START G_GUINT64_CONSTANT (0x40000000)
#define KEYWORD_END G_GUINT64_CONSTANT (0x80000000)

/* Notes the file name in a create request. */
static void
note_name (NsBuilder *builder,
           const NsSmbPacketEnd *end,
           guint64 message_id,
           const guint8 *message,
           gsize n_bytes)
{
  NsSmbOpened opened = { .time_ns = end->time_ns, .remote = end->peer, .message_id = message_id };
  NsCursor cursor;
  guint16 offset;
  guint16 length;
  const guint8 *name;

  ns_cursor_init (&cursor, message, n_bytes);
  ns_cursor_skip (&cursor, NS_WIRE_SMB2_HEADER + 44);
  offset = ns_cursor_u16 (&cursor);
  length = ns_cursor_u16 (&cursor);
  if (!ns_cursor_ok (&cursor) || length == 0 || offset < NS_WIRE_SMB2_HEADER)
    return;
  ns_cursor_init (&cursor, message, n_bytes);
  ns_cursor_skip (&cursor, offset);
  name = ns_cursor_take (&cursor, length);
  if (name == NULL)
    return;
  opened.file = ns_masked_text (builder->trace,
                                ns_strings_add_utf16 (builder->trace->strings, name, length & ~1u));
  if (opened.file != NS_STRING_NONE)
    g_array_append_val (builder->smb->opened, opened);
}

static void
read_messages (NsBuilder *builder, const NsSmbPacketEnd *end, const guint8 *bytes, gsize n_bytes)
{
  guint n_left = MAX_TOGETHER;
  gsize at = 0;

  for (; at < n_bytes && n_left > 0; n_left--)
    {
      NsWireSmb2 message;

      if (!ns_wire_smb2_parse (&message, bytes + at, n_bytes - at))
        return;
      if (message.command == COMMAND_CREATE && !message.is_answer)
        note_name (builder, end, message.message_id, bytes + at, n_bytes - at);
      if (message.next == 0)
        return;
      at += message.next;
    }
}

/* Reads event 40000, in one part or reassembled. */
static void
read_packet (NsBuilder *builder, const guint8 *bytes, gsize n_bytes, gint64 time_ns)
{
  NsSmbPacketEnd end = { .time_ns = time_ns };
  const guint8 *data;
  NsCursor cursor;
  guint32 size;

  ns_cursor_init (&cursor, bytes, n_bytes);
  ns_cursor_u32 (&cursor); /* ConnectionType */
  ns_sockaddr_take_counted (&cursor, &end.peer);
  size = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  /* A truncated message has only its beginning. */
  size = (guint32) MIN (size, ns_cursor_left (&cursor));
  data = ns_cursor_take (&cursor, size);
  if (data != NULL)
    read_messages (builder, &end, data, size);
}

/* Returns the incomplete packet of a thread. */
static NsSmbPieces *
get_pieces (NsSmb *self, guint32 tid)
{
  NsSmbPieces made = { .bytes = NULL };
  guint32 number = ns_map_get (self->pieces_of, tid, 0);

  if (number == 0)
    {
      made.bytes = g_byte_array_new ();
      g_array_append_val (self->pieces, made);
      number = self->pieces->len;
      ns_map_set (self->pieces_of, tid, 0, number);
    }
  return &g_array_index (self->pieces, NsSmbPieces, number - 1);
}

static void
add_piece (NsBuilder *builder, const NsRecord *record)
{
  NsSmbPieces *pieces;
  const guint8 *data;
  NsCursor cursor;
  guint16 of;
  guint32 size;

  ns_record_cursor (record, &cursor);
  of = ns_cursor_u16 (&cursor);
  size = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor) || of != SMB_PACKET)
    return;
  size = (guint32) MIN (size, ns_cursor_left (&cursor));
  data = ns_cursor_take (&cursor, size);
  pieces = get_pieces (builder->smb, record->tid);
  if ((record->keyword & KEYWORD_START) != 0)
    {
      g_byte_array_set_size (pieces->bytes, 0);
      pieces->is_open = TRUE;
      pieces->time_ns = record->time_ns;
    }
  if (!pieces->is_open)
    return;
  if (pieces->bytes->len + (gsize) size > MAX_MESSAGE_BYTES)
    {
      pieces->is_open = FALSE;
      g_byte_array_set_size (pieces->bytes, 0);
      return;
    }
  if (data != NULL)
    g_byte_array_append (pieces->bytes, data, size);
  if ((record->keyword & KEYWORD_END) == 0)
    return;
  read_packet (builder, pieces->bytes->data, pieces->bytes->len, pieces->time_ns);
  pieces->is_open = FALSE;
  g_byte_array_set_size (pieces->bytes, 0);
}

void
ns_smb_event_take_packet (NsBuilder *builder, const NsRecord *record)
{
  if (record->id == SMB_PACKET)
    read_packet (builder, record->payload, record->payload_size, record->time_ns);
  else
    add_piece (builder, record);
}

static gboolean
is_request_of (const NsSmbRow *row, const NsSmbOpened *opened)
{
  return row->has_message_id && row->message_id == opened->message_id &&
         ns_ip_equal (&row->remote.ip, &opened->remote.ip) &&
         (row->remote.port == 0 || opened->remote.port == 0 ||
          row->remote.port == opened->remote.port);
}

/* Returns the only pending command with the message ID and peer. */
static NsRow
find_command (NsBuilder *builder, const NsIntervalIndex *creates, const NsSmbOpened *opened)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  NsRow found = 0;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (creates, opened->message_id, 0, &n_lives);
  /* The packet may be logged shortly before the command. */
  i = ns_interval_index_count_until (lives, n_lives, opened->time_ns + NS_PER_SECOND / 1000);
  for (; i > 0 && n_left > 0; i--, n_left--)
    {
      const NsSmbRow *row = ns_smb_row (builder, lives[i - 1].row);

      if (!is_request_of (row, opened) || row->layer.close_ns < opened->time_ns)
        continue;
      if (found != 0)
        return 0;
      found = lives[i - 1].row;
    }
  return found;
}

/**
 * ns_smb_link_packets: (skip)
 * @builder: the builder; commands have their connections and names
 *
 * Sets the file names of create commands from their messages.
 */
void
ns_smb_link_packets (NsBuilder *builder)
{
  NsSmb *self = builder->smb;
  NsIntervalIndex creates;
  guint i;

  if (self->opened->len == 0)
    return;
  ns_interval_index_init (&creates);
  for (i = 1; i <= builder->trace->smb->len; i++)
    {
      const NsSmbRow *row = ns_smb_row (builder, i);

      if (row->kind == NS_SMB_COMMAND && row->sent_ns != NS_TIME_NONE &&
          ns_smb_extra (builder, i)->number == COMMAND_CREATE)
        ns_interval_index_add (&creates, row->message_id, 0, i, row->sent_ns);
    }
  ns_interval_index_settle (&creates);
  for (i = 0; i < self->opened->len; i++)
    {
      const NsSmbOpened *opened = &g_array_index (self->opened, NsSmbOpened, i);
      NsRow number = find_command (builder, &creates, opened);
      NsSmbRow *row = number != 0 ? ns_smb_row (builder, number) : NULL;
      guint n;

      if (row == NULL || row->file != NS_STRING_NONE)
        continue;
      row->file = opened->file;
      if (row->parent != 0 && ns_smb_row (builder, row->parent)->file == NS_STRING_NONE)
        ns_smb_row (builder, row->parent)->file = opened->file;
      for (n = 0; n < NS_MAX_EVIDENCE; n++)
        if (row->layer.evidence[n] == NULL)
          {
            row->layer.evidence[n] = "packet";
            break;
          }
    }
  ns_interval_index_clear (&creates);
}

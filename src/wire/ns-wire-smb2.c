/* Parses the headers of SMB 2 and 3 messages ([MS-SMB2] 2.2.1).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-smb2.h"

#include "base/ns-cursor.h"

#define PLAIN_MESSAGE 0x424d53feu /* 0xfe "SMB"; encrypted messages begin with 0xfd */
#define FLAG_FROM_SERVER 1
#define FLAG_ASYNC 2
/* Messages of a compound shown in one line; further ones are left out. */
#define MAX_REPORTED 8

/* Indexed by command number. */
static const char *const names[] = {
  "Negotiate",     "Session setup", "Logoff",   "Tree connect", "Tree disconnect",
  "Create",        "Close",         "Flush",    "Read",         "Write",
  "Lock",          "Ioctl",         "Cancel",   "Echo",         "Query directory",
  "Change notify", "Query info",    "Set info", "Oplock break",
};

/**
 * ns_wire_smb2_get_command_name:
 * @command: number of a command
 *
 * Returns: (nullable) (transfer none): its name; %NULL: unknown
 */
const char *
ns_wire_smb2_get_command_name (guint command)
{
  return command < G_N_ELEMENTS (names) ? names[command] : NULL;
}

/**
 * ns_wire_smb2_parse:
 * @self: (out): the decoded header
 * @data: (array length=size): a message, untrusted
 * @size: number of captured bytes
 *
 * Returns: whether it is an unencrypted message with a complete header
 */
gboolean
ns_wire_smb2_parse (NsWireSmb2 *self, const guint8 *data, gsize size)
{
  NsCursor cursor;
  guint32 flags;

  memset (self, 0, sizeof *self);
  ns_cursor_init (&cursor, data, size);
  if (size < NS_WIRE_SMB2_HEADER || ns_cursor_u32 (&cursor) != PLAIN_MESSAGE)
    return FALSE;
  ns_cursor_skip (&cursor, 2 + 2); /* StructureSize, CreditCharge */
  self->status = ns_cursor_u32 (&cursor);
  self->command = ns_cursor_u16 (&cursor);
  ns_cursor_skip (&cursor, 2); /* credits */
  flags = ns_cursor_u32 (&cursor);
  self->next = ns_cursor_u32 (&cursor);
  self->message_id = ns_cursor_u64 (&cursor);
  ns_cursor_skip (&cursor, 4);
  self->tree = ns_cursor_u32 (&cursor);
  self->session = ns_cursor_u64 (&cursor);
  self->is_answer = (flags & FLAG_FROM_SERVER) != 0;
  self->is_async = (flags & FLAG_ASYNC) != 0;
  if (self->next < NS_WIRE_SMB2_HEADER || self->next >= size)
    self->next = 0;
  return ns_cursor_ok (&cursor);
}

static void
append_message (GString *info, const NsWireSmb2 *message)
{
  const char *name = ns_wire_smb2_get_command_name (message->command);

  if (name != NULL)
    g_string_append (info, name);
  else
    g_string_append_printf (info, "Command %u", message->command);
  g_string_append_printf (info,
                          " %s, message %" G_GUINT64_FORMAT,
                          message->is_answer ? "response" : "request",
                          message->message_id);
  if (message->is_answer)
    g_string_append_printf (info, ", status 0x%x", message->status);
  if (message->session != 0)
    g_string_append_printf (info, ", session 0x%" G_GINT64_MODIFIER "x", message->session);
  if (message->tree != 0 && !message->is_async)
    g_string_append_printf (info, ", tree 0x%x", message->tree);
}

/**
 * ns_wire_smb2_append_info:
 * @info: string to append to
 * @data: (array length=size): a compound of messages, untrusted
 * @size: number of captured bytes
 *
 * Appends a one-line summary of the messages.
 */
void
ns_wire_smb2_append_info (GString *info, const guint8 *data, gsize size)
{
  NsWireSmb2 message;
  guint n;

  for (n = 0; ns_wire_smb2_parse (&message, data, size); n++)
    {
      if (n > 0)
        g_string_append (info, "; ");
      if (n == MAX_REPORTED)
        {
          g_string_append (info, "…");
          return;
        }
      append_message (info, &message);
      if (message.next == 0)
        return;
      data += message.next;
      size -= message.next;
    }
}

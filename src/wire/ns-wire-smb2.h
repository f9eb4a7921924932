/* Parses the headers of SMB 2 and 3 messages ([MS-SMB2] 2.2.1).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NS_WIRE_SMB2_HEADER 64

/**
 * NsWireSmb2:
 * @message_id: MessageId, unique in the connection
 * @session: SessionId
 * @status: NTSTATUS; responses only
 * @tree: TreeId, which names the share; synchronous messages only
 * @next: offset of the next message of the compound; 0: none
 * @command: number of the command
 * @is_answer: whether the server sent it
 * @is_async: whether it is asynchronous: an AsyncId takes the place of @tree
 *
 * The decoded header of a message.
 */
typedef struct
{
  guint64 message_id;
  guint64 session;
  guint32 status;
  guint32 tree;
  guint32 next;
  guint16 command;
  gboolean is_answer;
  gboolean is_async;
} NsWireSmb2;

gboolean ns_wire_smb2_parse (NsWireSmb2 *self, const guint8 *data, gsize size);
const char *ns_wire_smb2_get_command_name (guint command);
void ns_wire_smb2_append_info (GString *info, const guint8 *data, gsize size);

G_END_DECLS

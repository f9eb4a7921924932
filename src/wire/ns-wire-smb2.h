/* Messages of SMB 2 and 3 as they stand on the wire ([MS-SMB2] 2.2.1).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NS_WIRE_SMB2_HEADER 64

/**
 * NsWireSmb2:
 * @message_id: number of the message in its connection
 * @session: identifier of the session
 * @status: an NTSTATUS; of an answer only
 * @tree: identifier of the share; of a message that is not asynchronous only
 * @next: offset of the message that was sent with it; 0: none
 * @command: number of the command
 * @is_answer: the server sent it
 * @is_async: it has an identifier of its own in the place of @tree
 *
 * What the header of a message says.
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

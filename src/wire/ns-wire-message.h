/* Finds HTTP/1 messages in a byte stream, and reads their header fields and body length.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Longest message head in bytes; servers accept about a tenth of that. */
#define NS_WIRE_MESSAGE_MAX_HEAD (256 * 1024)

/**
 * NsWireMessage:
 * @head: offset of the first line; fields and the empty line follow, up to @body
 * @body: offset of the body, codings not removed
 * @end: offset behind the last byte
 * @is_response: whether it is a response
 * @is_whole: whether the message is complete; %FALSE also if only the end of the connection ends it
 *
 * Offsets of a message in a byte stream.
 */
typedef struct
{
  gsize head;
  gsize body;
  gsize end;
  gboolean is_response;
  gboolean is_whole;
} NsWireMessage;

gboolean ns_wire_message_find (NsWireMessage *self, const guint8 *data, gsize size, gsize at);
char *ns_wire_message_dup_field (const char *head, gsize size, const char *name);
char *ns_wire_message_dup_codings (const char *head, gsize size);
gboolean ns_wire_message_is_chunked (const char *head, gsize size);
gboolean ns_wire_message_read_length (const char *head, gsize size, guint64 *length);

G_END_DECLS

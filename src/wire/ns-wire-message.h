/* HTTP/1 messages in a stream of bytes: where each begins, its fields and its body.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The longest head of a message; servers take a tenth of that. */
#define NS_WIRE_MESSAGE_MAX_HEAD (256 * 1024)

/**
 * NsWireMessage:
 * @head: where it begins; up to @body its first line, its fields and the empty line
 * @body: where its body begins, with its codings
 * @end: behind its last byte
 * @is_response: whether it is an answer
 * @is_whole: all of it is there; %FALSE also when only the end of the connection ends it
 *
 * Places in a stream.
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

/* Headers and payload bytes of a request, from the records and packets of its row, and the decoded
 * bodies.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"
#include "wire/ns-wire-coding.h"

G_BEGIN_DECLS

/* Upper limits: parts of a row, bytes of all parts, and bytes of all decoded bodies. */
#define NS_ROW_CONTENT_MAX_PARTS 16384
#define NS_ROW_CONTENT_MAX_BYTES (16 * 1024 * 1024)
#define NS_ROW_CONTENT_MAX_DECODED (64 * 1024 * 1024)
/* Maximum size of headers in records, which does not count towards the byte limit. */
#define NS_ROW_CONTENT_MAX_HEADERS (64 * 1024)

typedef enum
{
  NS_CONTENT_REQUEST,  /* headers, UTF-8 */
  NS_CONTENT_RESPONSE, /* headers, UTF-8 */
  NS_CONTENT_SENT,
  NS_CONTENT_RECEIVED,
  NS_CONTENT_BYTES, /* direction unknown */
} NsContentKind;

/**
 * NsContentPart:
 * @kind: its kind
 * @time_ns: time of the record
 * @table: %NS_TABLE_EVENTS or %NS_TABLE_PACKETS
 * @row: its row there, 0-based
 * @name: name of the field, or description of the packet
 * @cookies: (nullable): for headers, names of their cookies, each followed by a line feed
 * @data: its bytes, @n_bytes of them and a NUL
 * @n_bytes: number of bytes kept
 * @n_all: original number of bytes
 * @stream: number of the stream that the bytes belong to
 * @has_seq: whether @seq gives their order
 * @seq: TCP sequence number of the first byte
 */
typedef struct
{
  NsContentKind kind;
  gint64 time_ns;
  NsTableId table;
  guint32 row;
  char *name;
  char *cookies;
  guint8 *data;
  gsize n_bytes;
  gsize n_all;
  guint stream;
  gboolean has_seq;
  guint32 seq;
} NsContentPart;

/**
 * NsContentMessage:
 * @kind: %NS_CONTENT_SENT, %NS_CONTENT_RECEIVED or %NS_CONTENT_BYTES
 * @time_ns: time of its first byte
 * @name: source of its first byte
 * @head: (nullable): its first line and headers, UTF-8
 * @cookies: (nullable): names of its cookies, each followed by a line feed
 * @codings: (nullable): codings of its body that were decoded, in order of application
 * @charset: (nullable): original charset of @text
 * @text: (nullable): its body in UTF-8; %NULL if it is not text
 * @body: its body, decoded
 * @n_coded: size of the encoded body, in bytes
 * @end: result of decoding
 * @is_whole: whether the trace has all of it
 *
 * A message, or a run of bytes that is not one.
 */
typedef struct
{
  NsContentKind kind;
  gint64 time_ns;
  char *name;
  char *head;
  char *cookies;
  char *codings;
  char *charset;
  char *text;
  GByteArray *body;
  gsize n_coded;
  NsWireCodingEnd end;
  gboolean is_whole;
} NsContentMessage;

/**
 * NsRowContentOptions:
 * @max_bytes: maximum payload bytes to read, up to %NS_ROW_CONTENT_MAX_BYTES; 0: none
 * @max_decoded: maximum decoded bytes, up to %NS_ROW_CONTENT_MAX_DECODED; 0: nothing is decoded
 * @max_parts: maximum number of parts, up to %NS_ROW_CONTENT_MAX_PARTS
 *
 * Limits for reading contents.
 */
typedef struct
{
  gsize max_bytes;
  gsize max_decoded;
  guint max_parts;
} NsRowContentOptions;

/**
 * NsRowContent:
 * @parts: (element-type NsContentPart): in time order
 * @messages: (element-type NsContentMessage): in time order
 * @n_read: payload bytes read
 * @is_cut: whether there is more
 * @secrets: (nullable): secrets of the trace, which must be masked
 */
typedef struct
{
  GArray *parts;
  GArray *messages;
  gsize n_read;
  gboolean is_cut;
  NsSecrets *secrets;
} NsRowContent;

gboolean ns_row_content_may_have_headers (const NsTrace *trace);
gboolean ns_row_content_may_have_bytes (const NsTrace *trace);
NsRowContent *ns_row_content_find (const NsTrace *trace,
                                   NsTableId table,
                                   guint32 row,
                                   const NsRowContentOptions *options,
                                   NsProgressFunc progress,
                                   gpointer progress_data);
void ns_row_content_free (NsRowContent *self);
gboolean ns_row_content_is_text (const NsContentPart *part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsRowContent, ns_row_content_free)

G_END_DECLS

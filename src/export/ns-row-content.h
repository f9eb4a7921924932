/* Headers and bytes of a request, from the records and packets of its row, and the decoded bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"
#include "wire/ns-wire-coding.h"

G_BEGIN_DECLS

/* What may be asked for at most: pieces of one row, bytes of all of them together, and bytes of all
 * bodies after decoding. */
#define NS_ROW_CONTENT_MAX_PARTS 16384
#define NS_ROW_CONTENT_MAX_BYTES (16 * 1024 * 1024)
#define NS_ROW_CONTENT_MAX_DECODED (64 * 1024 * 1024)
/* Headers in records are kept up to this, whatever the limit of bytes is. */
#define NS_ROW_CONTENT_MAX_HEADERS (64 * 1024)

typedef enum
{
  NS_CONTENT_REQUEST,  /* headers, UTF-8 */
  NS_CONTENT_RESPONSE, /* headers, UTF-8 */
  NS_CONTENT_SENT,
  NS_CONTENT_RECEIVED,
  NS_CONTENT_BYTES, /* nobody tells which way */
} NsContentKind;

/**
 * NsContentPart:
 * @kind: what it is
 * @time_ns: when it was recorded
 * @table: %NS_TABLE_EVENTS or %NS_TABLE_PACKETS
 * @row: its row there, 0-based
 * @name: name of the field, or what the packet is
 * @cookies: (nullable): of headers, the names of their cookies, each with a line feed behind it
 * @data: its bytes, @n_bytes of them and a NUL
 * @n_bytes: how many are kept
 * @n_all: how many there were
 * @stream: bytes with the same number follow one another
 * @has_seq: whether @seq tells their order
 * @seq: number of the first byte in TCP
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
 * @time_ns: when its first byte was recorded
 * @name: where that was
 * @head: (nullable): its first line and its headers, UTF-8
 * @cookies: (nullable): the names of the cookies in them, each with a line feed behind it
 * @codings: (nullable): the codings of its body that were undone, in the order they were applied
 * @charset: (nullable): the characters of @text
 * @text: (nullable): its body in UTF-8; %NULL when it is no text
 * @body: its body, decoded
 * @n_coded: bytes of the body as they travelled
 * @end: how far decoding got
 * @is_whole: whether the trace has all of it
 *
 * A message, or a run of bytes that is none.
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
 * @max_bytes: payload bytes that are read at most, up to %NS_ROW_CONTENT_MAX_BYTES; 0: none
 * @max_decoded: bytes that they may become, up to %NS_ROW_CONTENT_MAX_DECODED; 0: nothing is
 * decoded
 * @max_parts: pieces at most, up to %NS_ROW_CONTENT_MAX_PARTS
 *
 * How much is wanted.
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
 * @n_read: payload bytes that were looked at
 * @is_cut: there is more
 * @secrets: (nullable): of its trace: what of it may not be shown
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

/* What a request said: headers in the records of a row, and bytes in its records and packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Pieces of one row that are kept, and bytes of all of them together. */
#define NS_ROW_CONTENT_MAX_PARTS 500
#define NS_ROW_CONTENT_MAX_BYTES (64 * 1024)

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
 * @data: its bytes, @n_bytes of them and a NUL
 * @n_bytes: how many are kept
 * @n_all: how many there were
 */
typedef struct
{
  NsContentKind kind;
  gint64 time_ns;
  NsTableId table;
  guint32 row;
  char *name;
  guint8 *data;
  gsize n_bytes;
  gsize n_all;
} NsContentPart;

/**
 * NsRowContent:
 * @parts: (element-type NsContentPart): in time order
 * @is_cut: there is more
 */
typedef struct
{
  GArray *parts;
  gboolean is_cut;
} NsRowContent;

gboolean ns_row_content_may_have_headers (const NsTrace *trace);
gboolean ns_row_content_may_have_bytes (const NsTrace *trace);
NsRowContent *ns_row_content_find (NsTrace *trace,
                                   NsTableId table,
                                   guint32 row,
                                   NsProgressFunc progress,
                                   gpointer progress_data);
void ns_row_content_free (NsRowContent *self);
gboolean ns_row_content_is_text (const NsContentPart *part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsRowContent, ns_row_content_free)

G_END_DECLS

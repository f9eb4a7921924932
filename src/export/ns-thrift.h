/* Writes Thrift's compact protocol, as far as Parquet metadata needs it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum nesting depth; Parquet's footer has six levels. */
#define NS_THRIFT_MAX_DEPTH 16

/* Types of fields and of elements (Thrift compact protocol specification). */
typedef enum
{
  NS_THRIFT_TRUE = 1,
  NS_THRIFT_FALSE = 2,
  NS_THRIFT_BYTE = 3,
  NS_THRIFT_I16 = 4,
  NS_THRIFT_I32 = 5,
  NS_THRIFT_I64 = 6,
  NS_THRIFT_BINARY = 8,
  NS_THRIFT_LIST = 9,
  NS_THRIFT_STRUCT = 12,
} NsThriftType;

/**
 * NsThrift:
 * @bytes: output
 * @last: last field number written, for each open structure
 * @depth: number of open structures
 *
 * A structure being written. Fields must be in order of their numbers.
 */
typedef struct
{
  GByteArray *bytes;
  gint16 last[NS_THRIFT_MAX_DEPTH];
  guint depth;
} NsThrift;

void ns_thrift_init (NsThrift *self, GByteArray *bytes);
void ns_thrift_add_bool (NsThrift *self, gint16 field, gboolean value);
void ns_thrift_add_i32 (NsThrift *self, gint16 field, gint32 value);
void ns_thrift_add_i64 (NsThrift *self, gint16 field, gint64 value);
void ns_thrift_add_binary (NsThrift *self, gint16 field, const void *data, gsize n_bytes);
void ns_thrift_add_text (NsThrift *self, gint16 field, const char *text);
void ns_thrift_begin_struct (NsThrift *self, gint16 field);
void ns_thrift_end_struct (NsThrift *self);
void ns_thrift_begin_list (NsThrift *self, gint16 field, NsThriftType type, guint n_elements);
void ns_thrift_append_i32 (NsThrift *self, gint32 value);
void ns_thrift_append_text (NsThrift *self, const char *text);
void ns_thrift_begin_element (NsThrift *self);

G_END_DECLS

/* Thrift's compact protocol, as far as the metadata of Parquet need it: writing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Structures within structures; Parquet's footer has six. */
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
 * @bytes: where to
 * @last: number of the last field that was written of each structure that is open
 * @depth: how many are open
 *
 * A structure being written. Fields go in the order of their numbers.
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

/* Writes Thrift's compact protocol, as far as Parquet metadata needs it.
 *
 * Source of the layout: specification of the compact protocol of Apache Thrift.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-thrift.h"

#include <string.h>

/* Maximum difference of consecutive field numbers that fits a nibble. */
#define MAX_SHORT_DISTANCE 15

static void
append_byte (NsThrift *self, guint8 byte)
{
  g_byte_array_append (self->bytes, &byte, 1);
}

static void
append_varint (NsThrift *self, guint64 number)
{
  while (number >= 0x80)
    {
      append_byte (self, (guint8) (number | 0x80));
      number >>= 7;
    }
  append_byte (self, (guint8) number);
}

static void
append_zigzag (NsThrift *self, gint64 number)
{
  append_varint (self, (guint64) number << 1 ^ (guint64) (number >> 63));
}

static void
append_field (NsThrift *self, gint16 field, NsThriftType type)
{
  gint16 *last = &self->last[self->depth];
  gint distance = field - *last;

  if (distance > 0 && distance <= MAX_SHORT_DISTANCE)
    append_byte (self, (guint8) (distance << 4 | type));
  else
    {
      append_byte (self, (guint8) type);
      append_zigzag (self, field);
    }
  *last = field;
}

/**
 * ns_thrift_init:
 * @self: a structure
 * @bytes: (inout): appended to
 *
 * Begins a structure, to be ended with ns_thrift_end_struct().
 */
void
ns_thrift_init (NsThrift *self, GByteArray *bytes)
{
  memset (self, 0, sizeof *self);
  self->bytes = bytes;
}

/**
 * ns_thrift_add_bool:
 * @self: a structure
 * @field: its number
 * @value: the field
 */
void
ns_thrift_add_bool (NsThrift *self, gint16 field, gboolean value)
{
  append_field (self, field, value ? NS_THRIFT_TRUE : NS_THRIFT_FALSE);
}

/**
 * ns_thrift_add_i32:
 * @self: a structure
 * @field: its number
 * @value: the field
 */
void
ns_thrift_add_i32 (NsThrift *self, gint16 field, gint32 value)
{
  append_field (self, field, NS_THRIFT_I32);
  append_zigzag (self, value);
}

/**
 * ns_thrift_add_i64:
 * @self: a structure
 * @field: its number
 * @value: the field
 */
void
ns_thrift_add_i64 (NsThrift *self, gint16 field, gint64 value)
{
  append_field (self, field, NS_THRIFT_I64);
  append_zigzag (self, value);
}

/**
 * ns_thrift_add_binary:
 * @self: a structure
 * @field: its number
 * @data: (array length=n_bytes): the field
 * @n_bytes: number of bytes
 */
void
ns_thrift_add_binary (NsThrift *self, gint16 field, const void *data, gsize n_bytes)
{
  append_field (self, field, NS_THRIFT_BINARY);
  append_varint (self, n_bytes);
  g_byte_array_append (self->bytes, data, (guint) n_bytes);
}

/**
 * ns_thrift_add_text:
 * @self: a structure
 * @field: its number
 * @text: the field
 */
void
ns_thrift_add_text (NsThrift *self, gint16 field, const char *text)
{
  ns_thrift_add_binary (self, field, text, strlen (text));
}

/**
 * ns_thrift_begin_struct:
 * @self: a structure
 * @field: its number
 *
 * Begins a structure field, to be ended with ns_thrift_end_struct().
 */
void
ns_thrift_begin_struct (NsThrift *self, gint16 field)
{
  append_field (self, field, NS_THRIFT_STRUCT);
  ns_thrift_begin_element (self);
}

/**
 * ns_thrift_begin_element:
 * @self: a structure
 *
 * Begins an element of a list of structures, to be ended with ns_thrift_end_struct().
 */
void
ns_thrift_begin_element (NsThrift *self)
{
  g_return_if_fail (self->depth + 1 < NS_THRIFT_MAX_DEPTH);

  self->last[++self->depth] = 0;
}

/**
 * ns_thrift_end_struct:
 * @self: a structure
 *
 * Ends the innermost structure.
 */
void
ns_thrift_end_struct (NsThrift *self)
{
  append_byte (self, 0);
  if (self->depth > 0)
    self->depth--;
}

/**
 * ns_thrift_begin_list:
 * @self: a structure
 * @field: its number
 * @type: type of its elements
 * @n_elements: number of elements, which must be appended next
 */
void
ns_thrift_begin_list (NsThrift *self, gint16 field, NsThriftType type, guint n_elements)
{
  append_field (self, field, NS_THRIFT_LIST);
  if (n_elements < MAX_SHORT_DISTANCE)
    append_byte (self, (guint8) (n_elements << 4 | type));
  else
    {
      append_byte (self, (guint8) (0xf0 | type));
      append_varint (self, n_elements);
    }
}

/**
 * ns_thrift_append_i32:
 * @self: a structure
 * @value: the next element of a list
 */
void
ns_thrift_append_i32 (NsThrift *self, gint32 value)
{
  append_zigzag (self, value);
}

/**
 * ns_thrift_append_text:
 * @self: a structure
 * @text: the next element of a list
 */
void
ns_thrift_append_text (NsThrift *self, const char *text)
{
  gsize n_bytes = strlen (text);

  append_varint (self, n_bytes);
  g_byte_array_append (self->bytes, (const guint8 *) text, (guint) n_bytes);
}

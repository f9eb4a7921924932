/* Field tree of a frame: adds fields, and reads the bytes of the frame.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-tree-private.h"

/**
 * ns_wire_tree_add: (skip)
 * @self: a tree
 * @depth: nesting depth; 0 for a protocol
 * @name: name of the field
 * @offset: offset of its first byte
 * @size: number of bytes; reduced to the captured ones
 * @format: format of its value
 * @...: for @format
 *
 * Appends a field.
 *
 * Returns: number of the field, for ns_wire_tree_set_size()
 */
guint
ns_wire_tree_add (NsWireTree *self,
                  guint depth,
                  const char *name,
                  gsize offset,
                  gsize size,
                  const char *format,
                  ...)
{
  NsWireField field = { .depth = (guint8) depth };
  va_list list;

  if (self->fields->len >= NS_WIRE_TREE_MAX_FIELDS)
    return G_MAXUINT;
  field.offset = (guint32) MIN (offset, self->size);
  field.size = (guint32) MIN (size, self->size - field.offset);
  field.name = g_strdup (name);
  va_start (list, format);
  field.value = g_strdup_vprintf (format, list);
  va_end (list);
  g_array_append_val (self->fields, field);
  return self->fields->len - 1;
}

/**
 * ns_wire_tree_set_size: (skip)
 * @self: a tree
 * @field: number of a field
 * @end: offset behind its last byte
 *
 * Sets the size of a field.
 */
void
ns_wire_tree_set_size (NsWireTree *self, guint field, gsize end)
{
  NsWireField *line;

  if (field >= self->fields->len)
    return;
  line = &g_array_index (self->fields, NsWireField, field);
  end = MIN (end, self->size);
  line->size = end > line->offset ? (guint32) (end - line->offset) : 0;
}

/**
 * ns_wire_tree_has: (skip)
 * @self: a tree
 * @offset: offset of the first byte
 * @size: number of bytes
 *
 * Returns: whether these bytes were captured
 */
gboolean
ns_wire_tree_has (const NsWireTree *self, gsize offset, gsize size)
{
  return offset <= self->size && size <= self->size - offset;
}

/**
 * ns_wire_tree_peek: (skip)
 * @self: a tree
 * @offset: offset of the first byte
 * @n: number of bytes, at most 8
 *
 * Returns: the big-endian number; 0 if not all of its bytes were captured
 */
guint64
ns_wire_tree_peek (const NsWireTree *self, gsize offset, guint n)
{
  guint64 number = 0;
  guint i;

  if (!ns_wire_tree_has (self, offset, n))
    return 0;
  for (i = 0; i < n; i++)
    number = number << 8 | self->data[offset + i];
  return number;
}

/**
 * ns_wire_tree_add_number: (skip)
 * @self: a tree
 * @depth: nesting depth; 0 for a protocol
 * @name: name of the field
 * @offset: offset of the first byte
 * @n: number of bytes, at most 8
 *
 * Adds a number, if it was captured.
 *
 * Returns: number of the field
 */
guint
ns_wire_tree_add_number (NsWireTree *self, guint depth, const char *name, gsize offset, guint n)
{
  if (!ns_wire_tree_has (self, offset, n))
    return G_MAXUINT;
  return ns_wire_tree_add (self,
                           depth,
                           name,
                           offset,
                           n,
                           "%" G_GUINT64_FORMAT,
                           ns_wire_tree_peek (self, offset, n));
}

/**
 * ns_wire_tree_add_hex: (skip)
 * @self: a tree
 * @depth: nesting depth; 0 for a protocol
 * @name: name of the field
 * @offset: offset of the first byte
 * @n: number of bytes, at most 8
 *
 * Adds a number in hexadecimal, if it was captured.
 */
void
ns_wire_tree_add_hex (NsWireTree *self, guint depth, const char *name, gsize offset, guint n)
{
  if (ns_wire_tree_has (self, offset, n))
    ns_wire_tree_add (self,
                      depth,
                      name,
                      offset,
                      n,
                      "0x%0*" G_GINT64_MODIFIER "x",
                      (int) n * 2,
                      ns_wire_tree_peek (self, offset, n));
}

/**
 * ns_wire_tree_add_mac: (skip)
 * @self: a tree
 * @depth: nesting depth; 0 for a protocol
 * @name: name of the field
 * @offset: offset of the first of 6 bytes
 *
 * Adds a MAC address, if it was captured.
 */
void
ns_wire_tree_add_mac (NsWireTree *self, guint depth, const char *name, gsize offset)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!ns_wire_tree_has (self, offset, 6))
    return;
  ns_wire_append_mac (self->data + offset, text);
  ns_wire_tree_add (self, depth, name, offset, 6, "%s", text->str);
}

/**
 * ns_wire_tree_add_ip: (skip)
 * @self: a tree
 * @depth: nesting depth; 0 for a protocol
 * @name: name of the field
 * @offset: offset of the first byte
 * @is_v6: whether it is an IPv6 address, and not IPv4
 *
 * Adds an IP address, if it was captured.
 */
void
ns_wire_tree_add_ip (NsWireTree *self, guint depth, const char *name, gsize offset, gboolean is_v6)
{
  char text[NS_IP_TEXT_SIZE];
  NsIp ip;

  if (!ns_wire_tree_has (self, offset, is_v6 ? 16 : 4))
    return;
  ip = is_v6 ? ns_ip_from_v6 (self->data + offset) : ns_ip_from_v4 (self->data + offset);
  ns_wire_tree_add (self, depth, name, offset, is_v6 ? 16 : 4, "%s", ns_ip_to_text (&ip, text));
}

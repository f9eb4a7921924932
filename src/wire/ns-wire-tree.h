/* Dissects a frame into a tree of fields, each with its byte range in the frame.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum number of fields listed for a frame. */
#define NS_WIRE_TREE_MAX_FIELDS 2048

/**
 * NsWireField:
 * @name: the protocol's term for the field
 * @value: formatted value; may be empty
 * @offset: offset of its first byte in the frame
 * @size: number of bytes; 0: it has no bytes of its own
 * @depth: nesting depth; 0 for a protocol
 *
 * One line of the tree. Names are not translated.
 */
typedef struct
{
  char *name;
  char *value;
  guint32 offset;
  guint32 size;
  guint8 depth;
} NsWireField;

GArray *ns_wire_tree_new (const guint8 *data, gsize size, gsize wire_size, guint link_type);

G_END_DECLS

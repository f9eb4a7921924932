/* A frame as a tree of fields, each with the bytes that it stands in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* So many fields of a frame are listed. */
#define NS_WIRE_TREE_MAX_FIELDS 2048

/**
 * NsWireField:
 * @name: what it is called
 * @value: as people read it; may be empty
 * @offset: first byte, counted from the begin of the frame
 * @size: how many bytes; 0: none of its own
 * @depth: 0 for a protocol
 *
 * One line of the tree. Names are the terms of the protocols and not translated.
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

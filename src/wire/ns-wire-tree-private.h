/* Shared parts of the dissector that makes a tree of fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"
#include "wire/ns-wire-frame.h"
#include "wire/ns-wire-tree.h"

G_BEGIN_DECLS

/* The tree under construction. */
typedef struct
{
  const guint8 *data; /* the captured bytes of the frame */
  gsize size;
  GArray *fields;
} NsWireTree;

/* ns-wire-tree-field.c */
guint ns_wire_tree_add (NsWireTree *self,
                        guint depth,
                        const char *name,
                        gsize offset,
                        gsize size,
                        const char *format,
                        ...) G_GNUC_PRINTF (6, 7);
void ns_wire_tree_set_size (NsWireTree *self, guint field, gsize end);
guint
ns_wire_tree_add_number (NsWireTree *self, guint depth, const char *name, gsize offset, guint n);
void ns_wire_tree_add_hex (NsWireTree *self, guint depth, const char *name, gsize offset, guint n);
void ns_wire_tree_add_mac (NsWireTree *self, guint depth, const char *name, gsize offset);
void
ns_wire_tree_add_ip (NsWireTree *self, guint depth, const char *name, gsize offset, gboolean is_v6);
gboolean ns_wire_tree_has (const NsWireTree *self, gsize offset, gsize size);
guint64 ns_wire_tree_peek (const NsWireTree *self, gsize offset, guint n);

/* ns-wire-tree-link.c: link headers, and the content of frames without IP. */
void ns_wire_tree_add_ethernet (NsWireTree *self, const NsWireLink *link);
void ns_wire_tree_add_wifi (NsWireTree *self, const NsWireLink *link);
void ns_wire_tree_add_no_ip (NsWireTree *self, const NsWireLink *link);

/* ns-wire-tree-icmp.c: ICMP messages, except for the packets that errors quote. */
void
ns_wire_tree_add_icmp_message (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame);

/* ns-wire-tree-app.c: payload of a segment or datagram. */
void ns_wire_tree_add_payload (NsWireTree *self, const NsWireFrame *frame);
void ns_wire_tree_add_smb2 (NsWireTree *self);

G_END_DECLS

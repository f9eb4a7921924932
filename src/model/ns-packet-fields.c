/* Decodes a captured packet into fields, with the bytes of each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-packet-fields.h"

#include "engine/net/packets/ns-packet-mask.h"
#include "engine/net/packets/ns-packet-row.h"
#include "wire/ns-wire-link.h"
#include "wire/ns-wire-tree.h"

#include <string.h>

static void
fact_clear (gpointer data)
{
  NsEventFact *fact = data;

  g_free (fact->name);
  g_free (fact->value);
}

static void
take_fields (NsEventFacts *self, const NsPacketRow *row)
{
  g_autoptr (GArray) fields =
      ns_wire_tree_new (self->bytes, self->n_bytes, row->length, ns_packet_row_get_link_type (row));
  guint i;

  for (i = 0; i < fields->len; i++)
    {
      const NsWireField *field = &g_array_index (fields, NsWireField, i);
      NsEventFact fact = { .name = g_strdup (field->name),
                           .value = g_strdup (field->value),
                           .type = "",
                           .offset = field->offset,
                           .size = field->size,
                           .depth = field->depth,
                           .part = NS_EVENT_PART_FIELD };

      memset (self->known + fact.offset, 1, fact.size);
      g_array_append_val (self->facts, fact);
    }
}

/**
 * ns_packet_fields_new:
 * @trace: a trace
 * @row: row of the table of packets, 0-based
 *
 * Secrets in the packet are masked.
 *
 * Returns: (transfer full) (nullable): the packet as a tree of fields with its bytes; %NULL if
 *   there is no such row
 */
NsEventFacts *
ns_packet_fields_new (const NsTrace *trace, guint32 row)
{
  const NsPacketRow *packet;
  NsEventFacts *self;

  if (row >= trace->packets->len)
    return NULL;
  packet = &g_array_index (trace->packets, NsPacketRow, row);
  if (packet->captured > trace->packet_bytes->len ||
      packet->data > trace->packet_bytes->len - packet->captured)
    return NULL;
  self = g_new0 (NsEventFacts, 1);
  self->row = row;
  self->is_packet = TRUE;
  self->wire_bytes = MAX (packet->length, packet->captured);
  self->n_bytes = packet->captured;
  self->bytes = g_new0 (guint8, MAX (self->n_bytes, 1));
  memcpy (self->bytes, trace->packet_bytes->data + packet->data, self->n_bytes);
  ns_packet_mask_apply (ns_packet_mask_get (trace), packet, self->bytes);
  ns_wire_link_unprotect (self->bytes, self->n_bytes, ns_packet_row_get_link_type (packet));
  self->known = g_new0 (guint8, MAX (self->n_bytes, 1));
  self->facts = g_array_new (FALSE, FALSE, sizeof (NsEventFact));
  g_array_set_clear_func (self->facts, fact_clear);
  take_fields (self, packet);
  return self;
}

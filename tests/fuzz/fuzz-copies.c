/* Fuzz target: the matching of copies of one packet captured at several layers of the stack.
 *
 * Each packet is a header of HEAD_SIZE bytes, followed by the number of bytes in the header.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-cursor.h"
#include "engine/net/packets/ns-packet-copies.h"
#include "fuzz/ns-fuzz.h"
#include "wire/ns-wire-frame.h"

#define HEAD_SIZE 12

typedef struct
{
  NsPacketTable table;
  guint n_added;
  guint n_told;
} Copies;

static void
count_cb (NsRow row, const NsAppearance *appearance, gpointer user_data)
{
  Copies *self = user_data;

  self->n_told++;
  if (row == 0 || row > self->table.rows->len)
    ns_fuzz_fail ("an appearance of no row");
}

/* Returns %FALSE at the end of the data. */
static gboolean
read_appearance (NsCursor *cursor, NsAppearance *appearance, gint64 *time_ns)
{
  static const guint16 link_types[] = { NS_LINK_ETHERNET, NS_LINK_RAW_IP, NS_LINK_IEEE_802_11, 0 };
  guint8 how;
  guint8 size;

  if (ns_cursor_left (cursor) < HEAD_SIZE)
    return FALSE;
  how = ns_cursor_u8 (cursor);
  /* At most 1.6 ms later, so that some are the same packet and some are not. */
  *time_ns += ns_cursor_u8 (cursor) * 6400;
  *appearance = (NsAppearance){ .capture = how % 4,
                                .is_drop = (how & 4) != 0,
                                .is_weak = (how & 8) != 0,
                                .rank = how >> 4 & 7 };
  appearance->row.time_ns = *time_ns;
  appearance->row.direction = (gint8) (ns_cursor_u8 (cursor) % 3) - 1;
  appearance->row.link_type = link_types[ns_cursor_u8 (cursor) % G_N_ELEMENTS (link_types)];
  appearance->row.interface = ns_cursor_u8 (cursor) % 8;
  appearance->row.dropped = appearance->is_drop;
  appearance->row.drop_number = ns_cursor_u8 (cursor);
  appearance->row.vlan = ns_cursor_u8 (cursor);
  appearance->place = ns_cursor_u8 (cursor);
  appearance->count = ns_cursor_u8 (cursor) % 4;
  appearance->number = ns_cursor_u8 (cursor) % 16;
  appearance->group = appearance->edge = ns_cursor_u8 (cursor) % 4;
  size = ns_cursor_u8 (cursor);
  appearance->size = MIN (size, ns_cursor_left (cursor));
  appearance->row.length = (guint32) appearance->size + appearance->row.vlan % 3;
  /* Half of the packets share bytes with the next one, so that some are equal. */
  if ((how & 0x80) != 0 && appearance->size > 0)
    {
      appearance->bytes = cursor->data + cursor->pos;
      return TRUE;
    }
  appearance->bytes = ns_cursor_take (cursor, appearance->size);
  return TRUE;
}

static void
check_rows (const Copies *self)
{
  const NsPacketTable *table = &self->table;
  guint64 n_appearances = 0;
  guint i;

  for (i = 0; i < table->rows->len; i++)
    {
      const NsPacketRow *row = &g_array_index (table->rows, NsPacketRow, i);

      n_appearances += row->appearances;
      if (row->captured > table->bytes->len || row->data > table->bytes->len - row->captured)
        ns_fuzz_fail ("a packet outside of its bytes");
      if (row->place >= table->places->len)
        ns_fuzz_fail ("a packet that was captured nowhere");
      if (i > 0 && row->time_ns < (row - 1)->time_ns)
        ns_fuzz_fail ("packets out of order");
    }
  if (n_appearances != self->n_added || self->n_told != self->n_added)
    ns_fuzz_fail ("appearances that are not counted");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (NsPacketComponents) components = ns_packet_components_new ();
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (NsPacketRow));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GArray) places = g_array_new (FALSE, TRUE, sizeof (NsPacketPlace));
  Copies self = { { rows, bytes, places }, 0, 0 };
  NsPacketCopies *copies = ns_packet_copies_new (&self.table);
  NsAppearance appearance;
  gint64 time_ns = 0;
  NsCursor cursor;

  ns_cursor_init (&cursor, data, size);
  ns_packet_copies_watch (copies, count_cb, &self);
  while (read_appearance (&cursor, &appearance, &time_ns))
    if (ns_packet_copies_add (copies, &appearance))
      self.n_added++;
  ns_packet_copies_settle (copies, components);
  check_rows (&self);
  ns_packet_copies_free (copies);
  return 0;
}

/* Fuzz target: the payload of captured packets, as each protocol decoder reads it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz/ns-fuzz.h"
#include "wire/ns-wire-dns.h"
#include "wire/ns-wire-exchange.h"
#include "wire/ns-wire-frame.h"
#include "wire/ns-wire-handshake.h"
#include "wire/ns-wire-quic.h"
#include "wire/ns-wire-tree.h"

static void
check_quic (const guint8 *data, gsize size)
{
  NsWireQuic quic;

  if (ns_wire_quic_parse (&quic, data, size) &&
      (strlen (quic.dcid) + strlen (quic.scid)) / 2 + 7 > size)
    ns_fuzz_fail ("longer ids than the datagram");
}

/* Feeds the data to both directions in pieces, then with a gap. */
static void
check_handshake (const guint8 *data, gsize size)
{
  g_autoptr (NsWireHandshake) self = ns_wire_handshake_new ();
  const NsWireHandshakeFacts *facts = ns_wire_handshake_get_facts (self);
  gsize at;

  for (at = 0; at < size; at += 50)
    {
      ns_wire_handshake_feed (self, NS_WIRE_CLIENT, data + at, MIN (50, size - at), 2, at);
      ns_wire_handshake_feed (self, NS_WIRE_SERVER, data + at, MIN (50, size - at), 3, at);
    }
  ns_wire_handshake_end (self, NS_WIRE_CLIENT);
  ns_wire_handshake_end (self, NS_WIRE_SERVER);
  if (facts->end_ns >= 0 && facts->begin_ns < 0)
    ns_fuzz_fail ("a handshake that ends and does not begin");
  if (facts->certificate.subject != NULL && !g_utf8_validate (facts->certificate.subject, -1, NULL))
    ns_fuzz_fail ("a subject that is no text");
}

typedef struct
{
  NsWireExchanges *http;
  NsWireSide side;
  gsize n_taken;
} Stream;

static gboolean
take (const NsWireSegment *bytes, gpointer user_data)
{
  Stream *self = user_data;
  gsize n_used;

  self->n_taken += bytes->size;
  if (bytes->captured > bytes->size || (bytes->data == NULL && bytes->captured > 0))
    ns_fuzz_fail ("more bytes than there are");
  ns_wire_exchanges_feed (self->http, self->side, bytes, &n_used);
  return n_used == bytes->size;
}

/* Feeds segments that are repeated, out of order, truncated and missing, as the data determines. */
static void
check_streams (const guint8 *data, gsize size)
{
  g_autoptr (NsWireExchanges) http = ns_wire_exchanges_new ();
  NsWireOrder orders[2] = { 0 };
  Stream streams[2] = { { http, NS_WIRE_CLIENT, 0 }, { http, NS_WIRE_SERVER, 0 } };
  const GArray *exchanges;
  gsize at;
  guint i;

  for (at = 0; at + 40 <= size; at += 40)
    for (i = 0; i < 2; i++)
      {
        guint8 how = data[at] ^ (guint8) i;
        gsize n = 40 + (how % 16 == 0 ? 7 : 0);
        NsWireSegment segment = { .data = data + at,
                                  .captured = how % 8 == 0 ? 20 : 40,
                                  .size = n,
                                  .seq = (guint32) at + (how % 4 == 0 ? how : 0),
                                  .time_ns = (gint64) at };

        ns_wire_order_add (&orders[i], &segment, take, &streams[i]);
      }
  for (i = 0; i < 2; i++)
    {
      ns_wire_order_flush (&orders[i], take, &streams[i]);
      ns_wire_exchanges_end (http, (NsWireSide) i, (size & 1) != 0);
      ns_wire_order_clear (&orders[i]);
      if (streams[i].n_taken > size * 2 + 512)
        ns_fuzz_fail ("more bytes than were sent");
    }
  exchanges = ns_wire_exchanges_get (http);
  for (i = 0; i < exchanges->len; i++)
    if (g_array_index (exchanges, NsWireExchange, i).status > 999)
      ns_fuzz_fail ("a status that is none");
}

static void
check_dns (const guint8 *data, gsize size)
{
  g_autoptr (GPtrArray) aliases = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) ips = g_array_new (FALSE, FALSE, sizeof (NsIp));
  gboolean has_type;
  NsWireDns dns;

  if (!ns_wire_dns_parse (&dns, data, size))
    return;
  ns_wire_dns_read_answers (&dns, data, size, ips, aliases, &has_type);
  if (ips->len + aliases->len > NS_DNS_MAX_RECORDS)
    ns_fuzz_fail ("more records than are read");
}

/* Decodes the data as a frame of each link type; every field must lie inside the frame. */
static void
check_frame (const guint8 *data, gsize size)
{
  static const guint link_types[] = { NS_LINK_ETHERNET, NS_LINK_RAW_IP, NS_LINK_IEEE_802_11 };
  guint i;
  guint k;

  for (i = 0; i < G_N_ELEMENTS (link_types); i++)
    {
      g_autoptr (GArray) fields = ns_wire_tree_new (data, size, size, link_types[i]);
      g_autoptr (GString) info = g_string_new (NULL);
      NsWireFrame frame;

      ns_wire_frame_parse (&frame, data, size, link_types[i]);
      ns_wire_frame_append_info (&frame, info);
      for (k = 0; k < fields->len; k++)
        {
          const NsWireField *field = &g_array_index (fields, NsWireField, k);

          if (field->offset > size || field->size > size - field->offset)
            ns_fuzz_fail ("a field outside of its frame");
          if (!g_utf8_validate (field->name, -1, NULL) || !g_utf8_validate (field->value, -1, NULL))
            ns_fuzz_fail ("a field that is no text");
        }
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  check_quic (data, size);
  check_handshake (data, size);
  check_streams (data, size);
  check_dns (data, size);
  check_frame (data, size);
  return 0;
}

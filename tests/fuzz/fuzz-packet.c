/* Fuzz target: what stands behind the headers of captured packets, as each decoder reads it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz/ns-fuzz.h"
#include "wire/ns-wire-handshake.h"
#include "wire/ns-wire-quic.h"

static void
check_quic (const guint8 *data, gsize size)
{
  NsWireQuic quic;

  if (ns_wire_quic_parse (&quic, data, size) &&
      (strlen (quic.dcid) + strlen (quic.scid)) / 2 + 7 > size)
    ns_fuzz_fail ("longer ids than the datagram");
}

/* Both streams hold the same, and come in pieces; then they have a gap. */
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

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  check_quic (data, size);
  check_handshake (data, size);
  return 0;
}

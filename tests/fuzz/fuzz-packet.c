/* Fuzz target: what stands behind the headers of captured packets, as each decoder reads it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz/ns-fuzz.h"
#include "wire/ns-wire-quic.h"

static void
check_quic (const guint8 *data, gsize size)
{
  NsWireQuic quic;

  if (ns_wire_quic_parse (&quic, data, size) &&
      (strlen (quic.dcid) + strlen (quic.scid)) / 2 + 7 > size)
    ns_fuzz_fail ("longer ids than the datagram");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  check_quic (data, size);
  return 0;
}

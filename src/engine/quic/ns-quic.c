/* Microsoft-Quic and its like in Windows: connections and streams of MsQuic.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/quic/ns-quic.h"

/**
 * ns_quic_row_clear: (skip)
 * @row: an #NsQuicRow
 *
 * Frees what it has.
 */
void
ns_quic_row_clear (gpointer row)
{
  NsQuicRow *self = row;

  g_clear_pointer (&self->source_cids, g_array_unref);
  g_clear_pointer (&self->destination_cids, g_array_unref);
}

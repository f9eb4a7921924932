/* Captured packets as a pcapng or pcap file for Wireshark.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-table.h"

G_BEGIN_DECLS

gboolean ns_export_pcapng (const NsTrace *trace,
                           const guint32 *packets,
                           gsize n_packets,
                           NsExportWriteFunc write,
                           gpointer write_data,
                           GError **error);
gboolean ns_export_pcap (const NsTrace *trace,
                         const guint32 *packets,
                         gsize n_packets,
                         NsExportWriteFunc write,
                         gpointer write_data,
                         GError **error);

G_END_DECLS

/* Converts a .pcap or .pcapng file to a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-source.h"

G_BEGIN_DECLS

NsEtlSource *ns_etl_capture_convert (const NsEtlSource *source, GError **error);

G_END_DECLS

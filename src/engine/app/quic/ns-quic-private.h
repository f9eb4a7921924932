/* Shared by the files of the QUIC part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/app/quic/ns-quic.h"
#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

struct _NsQuic
{
  NsMap *connections; /* (process, pointer) → newest row */
  NsMap *streams;     /* (process, pointer) → newest row of a stream */
  gboolean has_stream_bytes;
};

void ns_quic_join (NsBuilder *builder);
void ns_quic_settle (NsBuilder *builder);

G_END_DECLS

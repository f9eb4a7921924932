/* .NET requests, with the look-ups, connections and handshakes below them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"
#include "engine/trace/ns-phases.h"

G_BEGIN_DECLS

gboolean
ns_dotnet_describe_socket (NsBuilder *builder, NsRow winsock, NsPhases *phases, NsRow *dns);

G_END_DECLS

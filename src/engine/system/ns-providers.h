/* Providers of a trace: one row per provider, and one per kind of event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

/* Maximum number of kinds per provider whose schema is looked up for its source. */
#define NS_PROVIDERS_MAX_LOOKED_UP 64

guint64 ns_providers_count_undecodable (const NsTrace *trace);
const char *ns_providers_get_name (const NsTrace *trace, const NsProviderRow *row);

G_END_DECLS

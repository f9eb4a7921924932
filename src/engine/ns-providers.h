/* Providers of a trace: one row for each, and one for each kind of event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-builder.h"

G_BEGIN_DECLS

/* Kinds of one provider whose schema is looked up to say where it comes from. */
#define NS_PROVIDERS_MAX_LOOKED_UP 64

const char *ns_providers_get_name (const NsTrace *trace, const NsProviderRow *row);

G_END_DECLS

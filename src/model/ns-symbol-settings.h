/* Converts the symbol settings to options of the resolver.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-view-context.h"
#include "symbols/ns-resolver.h"

G_BEGIN_DECLS

char *ns_symbol_settings_dup_path (const NsSymbolSettings *settings, NsResolverOptions *options);

G_END_DECLS

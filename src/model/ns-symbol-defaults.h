/* What the user wants of symbols, for all traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "symbols/ns-resolver.h"

G_BEGIN_DECLS

guint ns_symbol_defaults_get_generation (void);
char *ns_symbol_defaults_dup_path (NsResolverOptions *options);

G_END_DECLS

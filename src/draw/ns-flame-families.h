/* Groups the modules of a call tree into families, each drawn in one colour.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-call-tree.h"

G_BEGIN_DECLS

guint8 *ns_flame_families_new (const NsCallTree *tree);

G_END_DECLS

/* Which code of a call tree belongs together, so that it can have one colour.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-call-tree.h"

G_BEGIN_DECLS

guint8 *ns_flame_families_new (const NsCallTree *tree);

G_END_DECLS

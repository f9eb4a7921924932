/* Distributes time spans over as few lines as possible so that no two on a line overlap.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-time.h"

G_BEGIN_DECLS

guint ns_lane_pack (const NsTimeSpan *spans, guint n_spans, guint32 *lines);

G_END_DECLS

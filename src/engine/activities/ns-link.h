/* Confidence of the link between two rows (`correlation.md` 3.9).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* No layer rates this link. */
#define NS_LINK_NOT_JUDGED (-1)

int ns_link_get_confidence (const NsTrace *trace,
                            NsTableId table,
                            NsRow row,
                            NsTableId target,
                            NsRow linked);
const char *ns_link_get_evidence (const NsTrace *trace,
                                  NsTableId table,
                                  NsRow row,
                                  NsTableId target,
                                  NsRow linked);

G_END_DECLS

/* Reasons why a frame of a stack has no name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-symbol-job.h"

G_BEGIN_DECLS

GHashTable *ns_stack_reasons_new (NsSymbolJob *symbols);
const char *ns_stack_reason_to_words (GHashTable *reasons,
                                      const NsTrace *trace,
                                      guint32 pid,
                                      guint64 address,
                                      gint64 time_ns);

G_END_DECLS

/* Opens a trace: loads it in parts, and mounts its location if needed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-trace-loader.h"

G_BEGIN_DECLS

#define NS_TYPE_OPENING (ns_opening_get_type ())
G_DECLARE_FINAL_TYPE (NsOpening, ns_opening, NS, OPENING, GObject)

NsOpening *ns_opening_new (void);
void ns_opening_begin (NsOpening *self, NsTraceLoader *loader);
void ns_opening_mount (NsOpening *self, GFile *file, GMountOperation *operation);
void ns_opening_cancel (NsOpening *self);
gboolean ns_opening_is_busy (NsOpening *self);
gboolean ns_opening_is_cancelled (NsOpening *self);
gboolean ns_opening_has_part (NsOpening *self);
guint64 ns_opening_get_size (NsOpening *self);

G_END_DECLS

/* The forest of activity IDs, by parent activity.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef struct _NsActivityIds NsActivityIds;

/* Maximum number of IDs kept. */
#define NS_ACTIVITY_IDS_MAX (1u << 24)

NsActivityIds *ns_activity_ids_new (void);
void ns_activity_ids_free (NsActivityIds *self);
void ns_activity_ids_add (NsActivityIds *self, const NsRecord *record);
void ns_activity_ids_settle (NsActivityIds *self);
/* The look-ups accept any ID; they return 0 or %FALSE for an ID that no event has. */
gboolean ns_activity_ids_get_parent (const NsActivityIds *self, const NsGuid *id, NsGuid *parent);
guint32 ns_activity_ids_get_tree (const NsActivityIds *self, const NsGuid *id);
guint ns_activity_ids_get_depth (const NsActivityIds *self, const NsGuid *id);
guint ns_activity_ids_get_size (const NsActivityIds *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsActivityIds, ns_activity_ids_free)

G_END_DECLS

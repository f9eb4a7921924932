/* Saves the state of a view (selection, sort orders, grouping, zoom, scroll position), and restores
 * it after the trace was read again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/ns-trace-tabs.h"
#include "ui/timeline/ns-timeline.h"

G_BEGIN_DECLS

typedef struct _NsKeptView NsKeptView;

NsKeptView *ns_kept_view_new (NsSession *session, NsTimeline *timeline, NsTraceTabs *tabs);
void ns_kept_view_put_back (NsKeptView *self, NsSession *session);
void ns_kept_view_free (NsKeptView *self);

G_END_DECLS

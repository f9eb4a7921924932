/* Window actions that export rows to a file, print, and save a picture of the timeline.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/timeline/ns-timeline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define NS_TYPE_EXPORT_ACTIONS (ns_export_actions_get_type ())
G_DECLARE_FINAL_TYPE (NsExportActions, ns_export_actions, NS, EXPORT_ACTIONS, GObject)

NsExportActions *ns_export_actions_new (NsTimeline *timeline);
GActionMap *ns_export_actions_get_actions (NsExportActions *self);
void ns_export_actions_set_session (NsExportActions *self, NsSession *session);

G_END_DECLS

/* Actions that save and open presets: columns, filters, sort order, grouping and lanes in a small
 * text file (.nsview), which can be opened with any trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/timeline/ns-timeline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define NS_TYPE_PRESET_ACTIONS (ns_preset_actions_get_type ())
G_DECLARE_FINAL_TYPE (NsPresetActions, ns_preset_actions, NS, PRESET_ACTIONS, GObject)

NsPresetActions *ns_preset_actions_new (NsTimeline *timeline);
GActionMap *ns_preset_actions_get_actions (NsPresetActions *self);
void ns_preset_actions_set_session (NsPresetActions *self, NsSession *session);
void ns_preset_actions_restore_columns (NsPresetActions *self);

G_END_DECLS

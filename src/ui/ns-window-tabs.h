/* Which tables have a tab, and the menu at the end of the tabs that lists them all.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/ns-window-private.h"

G_BEGIN_DECLS

void ns_window_add_tabs (NsWindow *self);
void ns_window_enable_tabs (NsWindow *self, gboolean has_trace);
void ns_window_update_tabs (NsWindow *self);
gboolean ns_window_may_have_rows (NsWindow *self, NsTableId table);
void ns_window_ensure_tab (NsWindow *self, NsTableId table);

G_END_DECLS

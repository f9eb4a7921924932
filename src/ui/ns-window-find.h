/* Find in the table in front of a window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/ns-window-private.h"

G_BEGIN_DECLS

void ns_window_add_find (NsWindow *self);
void ns_window_enable_find (NsWindow *self, gboolean has_trace);
void ns_window_find_again (NsWindow *self);
gboolean ns_window_stop_find (NsWindow *self);
void ns_window_find_matching (NsWindow *self, const char *text, const char *filter);

G_END_DECLS

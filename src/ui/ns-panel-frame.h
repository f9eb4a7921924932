/* Container that shows the panel beside the content, or over it as a drawer in a narrow window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_PANEL_FRAME (ns_panel_frame_get_type ())
G_DECLARE_FINAL_TYPE (NsPanelFrame, ns_panel_frame, NS, PANEL_FRAME, GtkBox)

void ns_panel_frame_begin (NsPanelFrame *self, int width, gboolean is_shown);
void ns_panel_frame_fit (NsPanelFrame *self, int width);
gboolean ns_panel_frame_is_narrow (NsPanelFrame *self);
gboolean ns_panel_frame_is_tight (NsPanelFrame *self);
gboolean ns_panel_frame_is_panel_wanted (NsPanelFrame *self);

G_END_DECLS

/* A drop target for files, which shows a hint over the content of the window during a drag.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_DROP_FRAME (ns_drop_frame_get_type ())
G_DECLARE_FINAL_TYPE (NsDropFrame, ns_drop_frame, NS, DROP_FRAME, GtkBox)

void ns_drop_frame_watch (NsDropFrame *self, GtkWidget *widget);

G_END_DECLS

/* Child widgets of the timeline for the overview strip and the ruler, which can be focused.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_TIMELINE_PART (ns_timeline_part_get_type ())
G_DECLARE_FINAL_TYPE (NsTimelinePart, ns_timeline_part, NS, TIMELINE_PART, GtkWidget)

G_END_DECLS

/* Page of a window without a trace: open a file, recent files, and how to record a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_START_PAGE (ns_start_page_get_type ())
G_DECLARE_FINAL_TYPE (NsStartPage, ns_start_page, NS, START_PAGE, GtkWidget)

GtkWidget *ns_start_page_recent_popover_new (void);

G_END_DECLS

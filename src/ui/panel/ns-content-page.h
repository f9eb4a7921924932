/* Page of the headers or the payload of a row, as text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_CONTENT_PAGE (ns_content_page_get_type ())
G_DECLARE_FINAL_TYPE (NsContentPage, ns_content_page, NS, CONTENT_PAGE, GtkWidget)

GtkWidget *ns_content_page_new (gboolean shows_bytes);
void ns_content_page_clear (NsContentPage *self, const char *note);
void ns_content_page_set_row (NsContentPage *self, NsTrace *trace, NsTableId table, guint32 row);

G_END_DECLS

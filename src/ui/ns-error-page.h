/* The page shown when a file cannot be opened: the reason, the bytes found in the file, and advice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_ERROR_PAGE (ns_error_page_get_type ())
G_DECLARE_FINAL_TYPE (NsErrorPage, ns_error_page, NS, ERROR_PAGE, GtkBox)

GActionMap *ns_error_page_get_actions (NsErrorPage *self);
void ns_error_page_show (NsErrorPage *self, GFile *file, const GError *error);
const char *ns_error_page_get_text (NsErrorPage *self);

G_END_DECLS

/* Table of the requests that the trace of the window and the trace of another machine have in
 * common.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-pairing.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_PAIRED_PAGE (ns_paired_page_get_type ())
G_DECLARE_FINAL_TYPE (NsPairedPage, ns_paired_page, NS, PAIRED_PAGE, GtkBox)

GtkWidget *ns_paired_page_new (NsSession *session);
void ns_paired_page_set_pairing (NsPairedPage *self, NsPairing *pairing, GFile *file);
void ns_paired_page_set_machines (NsPairedPage *self, const char *const *names, guint chosen);
void ns_paired_page_set_narrow (NsPairedPage *self, gboolean is_narrow);
guint ns_paired_page_count (NsPairedPage *self);
void ns_paired_page_update_rows (NsPairedPage *self);
GtkWidget *ns_paired_page_get_lanes (NsPairedPage *self);
gboolean ns_paired_page_focus (NsPairedPage *self);

G_END_DECLS

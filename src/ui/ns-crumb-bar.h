/* The breadcrumb bar: the whole trace, the zoom, each filter condition, and the number of rows that
 * remain.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_CRUMB_BAR (ns_crumb_bar_get_type ())
G_DECLARE_FINAL_TYPE (NsCrumbBar, ns_crumb_bar, NS, CRUMB_BAR, GtkBox)

void ns_crumb_bar_set_session (NsCrumbBar *self, NsSession *session);
void ns_crumb_bar_set_reading (NsCrumbBar *self, gboolean is_reading);
void ns_crumb_bar_set_narrow (NsCrumbBar *self, gboolean is_narrow);
void ns_crumb_bar_update (NsCrumbBar *self);

G_END_DECLS

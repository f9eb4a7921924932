/* Container for a grid of wrapping labels, which reports the height at its natural width.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_WRAP (ns_wrap_get_type ())
G_DECLARE_FINAL_TYPE (NsWrap, ns_wrap, NS, WRAP, GtkWidget)

GtkWidget *ns_wrap_new (GtkWidget *child);

G_END_DECLS

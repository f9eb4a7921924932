/* Icon in a table cell: the shape of the protocol, or how the activity ended.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum
{
  NS_RESULT_ICON_PROTOCOL,
  NS_RESULT_ICON_END,
  NS_RESULT_ICON_TITLE, /* the shape of the protocol, or a cross if the activity failed */
} NsMarkKind;

#define NS_TYPE_RESULT_ICON (ns_result_icon_get_type ())
G_DECLARE_FINAL_TYPE (NsResultIcon, ns_result_icon, NS, RESULT_ICON, GtkWidget)

GtkWidget *ns_result_icon_new (NsMarkKind kind);
void ns_result_icon_paint (GtkWidget *widget,
                           GtkSnapshot *snapshot,
                           NsMarkKind kind,
                           const NsActivityRow *row,
                           double x,
                           int width,
                           int height);
void ns_result_icon_paint_arrow (GtkWidget *widget,
                                 GtkSnapshot *snapshot,
                                 double x,
                                 int width,
                                 int height,
                                 gboolean is_open);
void ns_result_icon_set_row (NsResultIcon *self, const NsActivityRow *row);

G_END_DECLS

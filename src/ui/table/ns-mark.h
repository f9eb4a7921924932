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
  NS_MARK_PROTOCOL,
  NS_MARK_END,
  NS_MARK_TITLE, /* the shape of the protocol, or a cross if the activity failed */
} NsMarkKind;

#define NS_TYPE_MARK (ns_mark_get_type ())
G_DECLARE_FINAL_TYPE (NsMark, ns_mark, NS, MARK, GtkWidget)

GtkWidget *ns_mark_new (NsMarkKind kind);
void ns_mark_paint (GtkWidget *widget,
                    GtkSnapshot *snapshot,
                    NsMarkKind kind,
                    const NsActivityRow *row,
                    double x,
                    int width,
                    int height);
void ns_mark_paint_arrow (GtkWidget *widget,
                          GtkSnapshot *snapshot,
                          double x,
                          int width,
                          int height,
                          gboolean is_open);
void ns_mark_set_row (NsMark *self, const NsActivityRow *row);

G_END_DECLS

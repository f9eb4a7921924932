/* Waterfall column: when each row ran, on the time axis of the timeline.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/table/ns-table-group.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

gboolean ns_waterfall_is_field (NsTableId table, const NsField *field);
const char *ns_waterfall_get_title (const NsField *field);
void ns_waterfall_paint_cell (GtkWidget *cell,
                              GtkSnapshot *snapshot,
                              NsSession *session,
                              guint32 row,
                              const NsGroup *group);
void ns_waterfall_update_title (GtkWidget *title, NsSession *session, gboolean is_waterfall);

G_END_DECLS

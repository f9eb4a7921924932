/* What the halves of a table's view share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/table/ns-table-view.h"

G_BEGIN_DECLS

struct _NsTableView
{
  GtkWidget parent_instance;

  NsSession *session;
  NsTableId table;
  GtkWidget *scrolled;
  GtkWidget *empty; /* instead of rows: why there are none */
  GtkColumnView *view;
  GtkMultiSelection *selection;
  gboolean is_syncing; /* the selection is being copied from the session */
  double press_x;
  const NsField *pressed;
};

void ns_table_view_add_columns (NsTableView *self);
void ns_table_view_remember_columns (NsTableView *self);
void ns_table_view_update_clock (NsTableView *self);
void ns_table_view_update_titles (NsTableView *self);
void ns_table_view_add_input (NsTableView *self);

G_END_DECLS

/* What the halves of a table's view share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/table/ns-row-selection.h"
#include "ui/table/ns-table-cell.h"
#include "ui/table/ns-table-view.h"

G_BEGIN_DECLS

struct _NsTableView
{
  GtkWidget parent_instance;

  NsSession *session;
  NsTableId table;
  GtkWidget *box;
  GtkWidget *group_bar;
  GtkWidget *scrolled;
  gboolean is_scrolled; /* sideways, by somebody */
  guint place_id;
  gboolean is_placing; /* sideways, by us */
  gboolean is_fitting; /* all columns fit, and stand right */
  GtkWidget *tip;      /* above a row; NULL: none was wanted so far */
  GtkWidget *tip_of;   /* the cell it tells of, only to be compared; NULL: none */
  GtkWidget *empty;    /* instead of rows: why there are none */
  GtkColumnView *view;
  NsRowSelection *selection;
  NsRowList *rows;
  gboolean has_lent_columns; /* that are not remembered */
  int fitted_px;             /* the width that the columns share */
  gboolean is_grouped;       /* when they last did */
  gboolean is_fit_due;       /* they are to share it anew */
  GArray *seen;              /* guint32: the rows, when they were last looked at; (nullable) */
  char *seen_order;          /* in which they stood then; (nullable) */
  guint report_id;           /* tells GTK of more rows in each frame */
  gboolean has_told_first;
  gboolean is_anew;        /* all rows were told anew, so that the view is at the top */
  guint last_seen;         /* the last place that could be seen before */
  gboolean is_taking_over; /* a later reading of the trace, until its rows are there */
  guint settle_id;         /* ends that once all that was chosen is, too */
  GdkFrameClock *clock;
  gulong layout_id;
  gboolean is_syncing; /* the selection is being copied from the session */
  double press_x;
  double pointer_x; /* where the pointer was seen last */
  double pointer_y;
  gboolean is_keyed; /* keys were pressed since the pointer moved: no tooltip of what it is on */
  const NsField *pressed;
  GtkColumnViewColumn *dragged; /* borrowed: whose title is being dragged */
  guint dragged_from;           /* where it stood */
  GtkColumnViewColumn *asked;   /* borrowed: whose title the menu was asked for on */
};

void ns_table_view_select_again (NsTableView *self);
void ns_table_view_take_selection (NsTableView *self);
void ns_table_view_give_selection (NsTableView *self);
void ns_table_view_show_tip (NsTableView *self, NsTableCell *cell, const char *text);
void ns_table_view_hide_tip (NsTableView *self);
gboolean ns_table_view_shortened_cb (NsTableView *self, guint n_rows);
void ns_table_view_go_back (NsTableView *self, const GtkBitset *selected);
gboolean ns_table_view_is_wide (const NsField *field);
gboolean ns_table_view_wants_column (NsTableView *self, GtkColumnViewColumn *column);
void ns_table_view_update_waterfall (NsTableView *self);
void ns_table_view_column_visible_cb (GtkColumnViewColumn *column);
int ns_table_view_get_column_width (GtkColumnViewColumn *column);
void ns_table_view_set_column_width (GtkColumnViewColumn *column, int width);
int ns_table_view_get_field_width (const NsField *field, double scale);
void ns_table_view_fit_columns (NsTableView *self);
void ns_table_view_queue_fit (NsTableView *self, gboolean is_other);
void ns_table_view_add_columns (NsTableView *self);
void ns_table_view_remember_columns (NsTableView *self);
void ns_table_view_update_columns (NsTableView *self);
void ns_table_view_update_clock (NsTableView *self);
void ns_table_view_update_names (NsTableView *self);
void ns_table_view_update_threads (NsTableView *self, NsTrace *trace);
void ns_table_view_update_titles (NsTableView *self);
void ns_table_view_tint_titles (NsTableView *self);
NsColumnKind ns_table_view_get_kind (GtkColumnViewColumn *column);
void ns_table_view_prepare_titles (NsTableView *self);
void ns_table_view_add_input (NsTableView *self);
void ns_table_view_add_drag (NsTableView *self);
void ns_table_view_add_title_drag (NsTableView *self);
GtkColumnViewColumn *ns_table_view_get_column_at (NsTableView *self, double x, double y);
void ns_table_view_add_keys (NsTableView *self);
void ns_table_view_sort_by (NsTableView *self, GtkColumnViewColumn *column, gboolean add_key);
NsTableCell *ns_table_view_get_cell_at (NsTableView *self, double x, double y);
GtkWidget *ns_table_view_get_header (NsTableView *self);
GtkColumnViewColumn *ns_table_view_get_title_column (NsTableView *self, GtkWidget *title);
void
ns_table_view_popup_title_menu (NsTableView *self, GtkColumnViewColumn *column, double x, double y);

typedef void (*NsTableCellFunc) (NsTableCell *cell, gpointer data);
void ns_table_view_for_each_cell (NsTableView *self, NsTableCellFunc func, gpointer data);

G_END_DECLS

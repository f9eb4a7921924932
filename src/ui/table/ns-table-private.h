/* Internals of NsTableView, shared by the ns-table-*.c files.
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
  gboolean is_scrolled; /* the user scrolled horizontally */
  guint place_id;
  gboolean is_setting_scroll; /* set while this code scrolls horizontally */
  gboolean is_fitting;        /* all columns fit into the view */
  GtkWidget *tip;             /* popover above a row; NULL until first used */
  GtkWidget *tip_of;          /* the cell that tip describes, for comparison only; may be NULL */
  GtkWidget *empty;           /* placeholder for a table without rows */
  GtkColumnView *view;
  NsRowSelection *selection;
  NsRowList *rows;
  gboolean has_pushed_columns; /* columns shown temporarily, not stored */
  int fitted_px;               /* view width of the last layout of the columns */
  gboolean is_grouped;         /* was grouped at the last layout of the columns */
  gboolean is_fit_due;         /* the columns have to be laid out again */
  GArray *seen;                /* guint32: rows at the last update; (nullable) */
  char *seen_order;            /* sort order at the last update; (nullable) */
  guint report_id;             /* tick callback that exposes more rows in each frame */
  gboolean is_first_frame_done;
  gboolean is_reset;       /* all rows were reported again, which scrolled the view to the top */
  guint last_seen;         /* last visible position before that */
  gboolean is_taking_over; /* switching to a later load of the trace; its rows are not there yet */
  guint settle_id;         /* idle source that ends is_taking_over after the selection is
                            * restored */
  GdkFrameClock *clock;
  gulong layout_id;
  gboolean is_syncing; /* the selection is being copied from or to the session */
  double press_x;
  double pointer_x; /* last pointer position */
  double pointer_y;
  gboolean is_keyed; /* a key was pressed since the pointer moved: tooltips for the pointer are
                      * off */
  const NsField *pressed;
  GtkColumnViewColumn *dragged; /* borrowed: the column whose title is dragged */
  guint dragged_from;           /* its position before the drag */
  GtkColumnViewColumn *asked;   /* borrowed: the column of the open title menu */
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

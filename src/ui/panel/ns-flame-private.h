/* Private declarations shared by the files of the flame graph page.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/panel/ns-call-table.h"
#include "ui/panel/ns-flame-area.h"
#include "ui/panel/ns-flame-view.h"

G_BEGIN_DECLS

/* Maximum width of the search entry in characters, by default and in a narrow window. */
#define SEARCH_CHARS 24
#define NARROW_SEARCH_CHARS 6

/* Totals of a node listed in the side panel. */
typedef enum
{
  NS_FLAME_SUM_ROWS,
  NS_FLAME_SUM_FAILED,
  NS_FLAME_SUM_DURATION,
  NS_FLAME_SUM_QUEUED,
  NS_FLAME_SUM_RECEIVED,
  NS_FLAME_N_SUMS,
} NsFlameSum;

struct _NsFlameView
{
  GtkWidget parent_instance;

  NsSession *session;
  gboolean is_page; /* in the window, with the tree also as a table; else in the side panel */
  NsCallStack shown;
  GCancellable *making;
  NsTableId table_of_rows; /* table of the rows in the tree */
  guint set;               /* the session's number of that set of rows */
  guint n_named;           /* number of frames with a name when the tree was made */
  guint names_id;
  gboolean is_stale; /* the rows or the options have changed since the tree was made */
  GtkWidget *box;
  GtkWidget *menu;
  GtkWidget *stacks[NS_CALL_N_STACKS]; /* page only: toggle buttons */
  GtkWidget *stack;                    /* panel only: drop-down with the same choice */
  GtkWidget *weight;
  GtkWidget *color;               /* NULL in the panel */
  GtkWidget *wide_only_labels[3]; /* page only: labels hidden in a narrow window */
  GtkWidget *search;
  GtkWidget *finds;
  GtkWidget *hidden;
  GtkWidget *crumbs;
  GtkWidget *legend; /* NULL in the panel */
  guint legend_id;   /* idle source that waits for the allocation of the area */
  NsFlameArea *area;
  NsCallTable *table; /* NULL in the panel */
  GtkWidget *name;
  GtkWidget *sums; /* page only: totals in one line */
  GtkWidget *card; /* panel only: totals in a grid */
  GtkWidget *values[NS_FLAME_N_SUMS];
  GtkWidget *shares[NS_FLAME_N_SUMS];
  GtkWidget *no_stack; /* NULL in the panel */
  GtkWidget *only_rows;
  GtkWidget *function_rows;
};

/* ns-flame-build.c */
void ns_flame_view_build (NsFlameView *self);

/* ns-flame-tree.c */
void ns_flame_view_show_tree (NsFlameView *self, NsCallTree *tree);
void ns_flame_view_make_tree (NsFlameView *self);
void ns_flame_view_set_stack (NsFlameView *self, NsCallStack stack);
const GArray *ns_flame_view_get_rows (NsFlameView *self, NsCallTreeOptions *options);
void ns_flame_view_find (NsFlameView *self);

/* ns-flame-chosen.c */
guint32 ns_flame_view_get_chosen (NsFlameView *self, const NsCallTree **tree);
const NsCallNode *ns_flame_view_get_chosen_frame (NsFlameView *self, const NsCallTree **tree);
void ns_flame_view_update_chosen (NsFlameView *self);
void ns_flame_view_update_crumbs (NsFlameView *self);
void ns_flame_view_update_legend (NsFlameView *self);
void ns_flame_view_ellipsize (GtkWidget *button);

G_END_DECLS

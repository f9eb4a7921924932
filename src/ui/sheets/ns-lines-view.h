/* A table of lines that are told by their numbers, for windows beside the main one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* No line. */
#define NS_LINES_NONE G_MAXUINT

#define NS_LINES_MAX_COLUMNS 32

/**
 * NsLinesColumn:
 * @title: in the language of the user
 * @width: pixels; 0: what is left
 * @is_number: its cells stand at the right
 *
 * A column.
 */
typedef struct
{
  const char *title;
  int width;
  gboolean is_number;
} NsLinesColumn;

/**
 * NsLinesSource:
 * @dup_cell: what a cell shows; never %NULL
 * @compare: the order of two lines by a column; less than, equal to or more than 0
 * @dup_spoken: what a line is about, for those who listen
 *
 * Where the lines come from. Lines and columns count from 0.
 */
typedef struct
{
  char *(*dup_cell) (gpointer data, guint line, guint column);
  int (*compare) (gpointer data, guint column, guint line, guint other);
  char *(*dup_spoken) (gpointer data, guint line);
} NsLinesSource;

typedef struct _NsLinesView NsLinesView;

NsLinesView *ns_lines_view_new (const char *name,
                                const NsLinesColumn *columns,
                                guint n_columns,
                                const NsLinesSource *source,
                                gpointer data);
void ns_lines_view_free (NsLinesView *self);
GtkWidget *ns_lines_view_get_widget (NsLinesView *self);
GtkSelectionModel *ns_lines_view_get_selection (NsLinesView *self);
guint ns_lines_view_get_chosen (NsLinesView *self);
void ns_lines_view_clear (NsLinesView *self);
void ns_lines_view_fill (NsLinesView *self, guint n_lines);

G_END_DECLS

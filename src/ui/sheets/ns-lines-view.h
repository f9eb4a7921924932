/* A table of lines that are told by their numbers, for windows beside the main one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* No line. */
#define NS_LINES_NONE G_MAXUINT
/* What stands below all lines, whatever they are sorted by. */
#define NS_LINES_FOOT (G_MAXUINT - 1)

/* A cell without blocks among others that have some. */
#define NS_LINES_NO_BLOCKS (-1)

#define NS_LINES_MAX_COLUMNS 32

/**
 * NsLinesColumn:
 * @title: in the language of the user
 * @width: pixels; 0: what is left
 * @is_number: its cells stand at the right
 * @has_blocks: its cells show how sure something is
 *
 * A column.
 */
typedef struct
{
  const char *title;
  int width;
  gboolean is_number;
  gboolean has_blocks;
} NsLinesColumn;

/**
 * NsLinesSource:
 * @dup_cell: what a cell shows; never %NULL
 * @compare: the order of two lines by a column; less than, equal to or more than 0
 * @dup_spoken: what a line is about, for those who listen
 * @get_blocks: how many blocks are filled, or %NS_LINES_NO_BLOCKS; %NULL where no column has some
 *
 * Where the lines come from. Lines and columns count from 0; %NS_LINES_FOOT is not compared.
 */
typedef struct
{
  char *(*dup_cell) (gpointer data, guint line, guint column);
  int (*compare) (gpointer data, guint column, guint line, guint other);
  char *(*dup_spoken) (gpointer data, guint line);
  int (*get_blocks) (gpointer data, guint line);
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
void ns_lines_view_set_has_foot (NsLinesView *self);
void ns_lines_view_choose (NsLinesView *self, guint line);
void ns_lines_view_show_column (NsLinesView *self, guint nth, gboolean is_shown);

G_END_DECLS

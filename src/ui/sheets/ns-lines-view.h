/* Sortable table for secondary windows; lines are identified by their number in the data source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Line number that stands for no line. */
#define NS_LINES_NONE G_MAXUINT
/* Line number of the footer, which stays below all lines in any sort order. */
#define NS_LINES_FOOT (G_MAXUINT - 1)

/* Returned by get_blocks() for a cell without confidence blocks. */
#define NS_LINES_NO_BLOCKS (-1)

#define NS_LINES_MAX_COLUMNS 32

/**
 * NsLinesColumn:
 * @title: the translated title
 * @width: the initial width, px
 * @is_number: whether its cells are right-aligned
 * @has_blocks: whether its cells show a confidence as blocks
 * @is_path: whether its cells differ mostly at their ends, such as URLs, so that those stay visible
 *
 * A column.
 */
typedef struct
{
  const char *title;
  int width;
  gboolean is_number;
  gboolean has_blocks;
  gboolean is_path;
} NsLinesColumn;

/**
 * NsLinesSource:
 * @dup_cell: returns the text of a cell; never %NULL
 * @compare: compares two lines by a column, like strcmp()
 * @dup_spoken: returns the accessible text of a line
 * @get_blocks: returns the number of filled blocks or %NS_LINES_NO_BLOCKS; %NULL if no column has
 *   blocks
 *
 * Callbacks that provide the lines. Lines and columns count from 0; %NS_LINES_FOOT is not compared.
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

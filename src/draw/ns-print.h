/* Printed pages: a title, the timeline, and the rows of a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-timeline-render.h"

G_BEGIN_DECLS

/* Points on paper for a px of the window: small, but readable. */
#define NS_PRINT_SCALE 0.6

/* Appends the text of a cell. */
typedef void (*NsPrintCellFunc) (guint row, guint column, GString *text, gpointer user_data);
/* Returns: (transfer full): the text of a page footer */
typedef char *(*NsPrintFootFunc) (guint page, guint n_pages);

typedef struct
{
  char *title;
  double width; /* preferred width in px */
  gboolean is_right;
} NsPrintColumn;

/**
 * NsPrint:
 * @picture: the timeline of the first page; its width and height are set by ns_print_layout()
 * @lines: (array length=n_lines): lines at the top of the first page; the first of them is repeated
 *   on every page
 * @columns: (array length=n_columns): columns of the table
 * @n_rows: number of rows of the table
 * @cell: appends the text of a cell
 * @cell_data: user data of @cell
 * @foot: returns the footer text
 * @page_width: pt
 * @page_height: pt
 * @n_pages: number of pages; set by ns_print_layout(), like @n_first and @n_other
 * @drawn: (nullable): the timeline, after ns_print_keep_picture()
 * @n_first: rows on the first page
 * @n_other: rows on each other page
 *
 * A print job: its contents and their distribution over pages.
 */
typedef struct
{
  NsTimelinePicture picture;
  const char *const *lines;
  guint n_lines;
  const NsPrintColumn *columns;
  guint n_columns;
  guint n_rows;
  NsPrintCellFunc cell;
  gpointer cell_data;
  NsPrintFootFunc foot;
  double page_width;
  double page_height;

  guint n_pages;
  cairo_surface_t *drawn;
  guint n_first;
  guint n_other;
} NsPrint;

void ns_print_layout (NsPrint *self);
void ns_print_fit_columns (const NsPrint *self, NsPrintColumn *columns);
void ns_print_keep_picture (NsPrint *self);
guint ns_print_get_rows (const NsPrint *self, guint page, guint *first);
void ns_print_paint_page (const NsPrint *self, cairo_t *cr, guint page);

G_END_DECLS

/* Printed pages: a title, the timeline, and the rows of a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-paint.h"
#include "draw/ns-print.h"
#include "draw/ns-timeline-layout.h"

#include <math.h>

/* Sizes in px of the window; one px is NS_PRINT_SCALE points on paper. */
#define LINE_PX 18
#define TITLE_PX 24
#define GAP_PX 12
#define ROW_PX 20
#define HEAD_PX 24
#define FOOT_PX 24
#define CELL_GAP_PX 6
/* Rows whose texts are measured to fit the columns. */
#define MAX_MEASURED 200
/* Share of the first page that the timeline may take. */
#define PICTURE_PART 0.55

static double
page_height_px (const NsPrint *self)
{
  return floor (self->page_height / NS_PRINT_SCALE);
}

/* Returns the height of the lines above the timeline, or above the table on the other pages. */
static double
head_height (const NsPrint *self, guint page)
{
  if (self->n_lines == 0)
    return 0;
  return TITLE_PX + (page == 0 ? (self->n_lines - 1) * LINE_PX + GAP_PX : 0);
}

static guint
rows_in (double height)
{
  return (guint) MAX (floor ((height - HEAD_PX - FOOT_PX) / ROW_PX), 1);
}

/* Returns the height of the timeline, at most @most: the lanes at the bottom that do not fit are
 * left out whole. */
static double
fit_picture (const NsPrint *self, double most)
{
  NsTimelineMetrics metrics;
  double natural = ns_timeline_picture_get_height (&self->picture);
  double top;

  ns_timeline_picture_init_metrics (&self->picture, &metrics);
  top = metrics.overview + metrics.ruler;
  if (natural <= most)
    return natural;
  return top + MAX (floor ((most - top) / metrics.lane), 1) * metrics.lane;
}

/**
 * ns_print_layout:
 * @self: a print job
 *
 * Distributes the timeline and the rows over pages; an empty table takes one page as well.
 */
void
ns_print_layout (NsPrint *self)
{
  double height = page_height_px (self);

  self->picture.width = MAX (floor (self->page_width / NS_PRINT_SCALE), NS_PICTURE_MIN_PX);
  self->picture.height = 0;
  self->picture.height = fit_picture (self, height * PICTURE_PART);
  self->n_first = rows_in (height - head_height (self, 0) - self->picture.height - GAP_PX);
  self->n_other = rows_in (height - head_height (self, 1));
  self->n_pages = 1;
  if (self->n_rows > self->n_first)
    self->n_pages += (self->n_rows - self->n_first - 1) / self->n_other + 1;
}

/**
 * ns_print_get_rows:
 * @self: a print job after ns_print_layout()
 * @page: page index, from 0
 * @first: (out): first row on the page
 *
 * Returns: number of rows on the page
 */
guint
ns_print_get_rows (const NsPrint *self, guint page, guint *first)
{
  *first = page == 0 ? 0 : MIN (self->n_first + (page - 1) * self->n_other, self->n_rows);
  return MIN (page == 0 ? self->n_first : self->n_other, self->n_rows - *first);
}

/**
 * ns_print_keep_picture:
 * @self: a print job after ns_print_layout()
 *
 * Draws the timeline to a recording surface, since its source may have changed or been freed when
 * the pages are painted. Free @drawn with cairo_surface_destroy().
 */
void
ns_print_keep_picture (NsPrint *self)
{
  const cairo_rectangle_t area = { 0, 0, self->picture.width, self->picture.height };
  cairo_t *cr;

  g_clear_pointer (&self->drawn, cairo_surface_destroy);
  self->drawn = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &area);
  cr = cairo_create (self->drawn);
  ns_timeline_picture_paint (&self->picture, cr);
  cairo_destroy (cr);
}

static double
measure_cell (NsPaint *paint, const PangoFontDescription *font, const char *text)
{
  return g_utf8_validate (text, -1, NULL) ? ns_paint_text_width (paint, font, text) + CELL_GAP_PX
                                          : 0;
}

/* Returns the width that no column exceeds if all of them together are as wide as the page. */
static double
find_limit (const NsPrintColumn *columns, guint n_columns, double available)
{
  double limit = available / n_columns;
  guint round;
  guint i;

  /* Each round leaves the space that narrow columns do not need to the wide ones. */
  for (round = 0; round < n_columns; round++)
    {
      double taken = 0;
      guint n_wide = 0;

      for (i = 0; i < n_columns; i++)
        if (columns[i].width > limit)
          n_wide++;
        else
          taken += columns[i].width;
      if (n_wide == 0)
        return G_MAXDOUBLE;
      limit = (available - taken) / n_wide;
    }
  return limit;
}

/**
 * ns_print_fit_columns:
 * @self: a print job after ns_print_layout()
 * @columns: (array): its columns
 *
 * Makes each column as wide as its title and its texts; if they are together wider than the page,
 * the widest columns give way.
 */
void
ns_print_fit_columns (const NsPrint *self, NsPrintColumn *columns)
{
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_ALPHA, NULL);
  NsPaint paint = { .cr = cairo_create (surface), .scale = 1 };
  PangoFontDescription *font = ns_timeline_picture_font (&self->picture, 0.82);
  PangoFontDescription *bold = pango_font_description_copy (font);
  g_autoptr (GString) text = g_string_new (NULL);
  double limit;
  guint row;
  guint i;

  pango_font_description_set_weight (bold, PANGO_WEIGHT_BOLD);
  for (i = 0; i < self->n_columns; i++)
    {
      columns[i].width = measure_cell (&paint, bold, columns[i].title);
      for (row = 0; row < MIN (self->n_rows, MAX_MEASURED); row++)
        {
          g_string_truncate (text, 0);
          self->cell (row, i, text, self->cell_data);
          columns[i].width = MAX (columns[i].width, measure_cell (&paint, font, text->str));
        }
    }
  limit = find_limit (columns, MAX (self->n_columns, 1), self->picture.width);
  for (i = 0; i < self->n_columns; i++)
    columns[i].width = MIN (columns[i].width, limit);
  g_clear_object (&paint.layout);
  pango_font_description_free (bold);
  pango_font_description_free (font);
  cairo_destroy (paint.cr);
  cairo_surface_destroy (surface);
}

static double
sum_widths (const NsPrint *self)
{
  double sum = 0;
  guint i;

  for (i = 0; i < self->n_columns; i++)
    sum += self->columns[i].width;
  return MAX (sum, 1);
}

static void
paint_cell (NsPaint *paint,
            const PangoFontDescription *font,
            const char *text,
            gboolean is_right,
            double x,
            double y,
            double width)
{
  double taken = is_right ? ns_paint_text_width (paint, font, text) : 0;

  if (is_right && taken < width)
    x += width - taken;
  ns_paint_text (paint, font, text, x, y, width);
}

/* Draws one line of the table: the column titles or a row. */
static void
paint_line (const NsPrint *self,
            NsPaint *paint,
            const PangoFontDescription *font,
            guint row,
            gboolean is_head,
            double y,
            double height)
{
  double scale = self->picture.width / sum_widths (self);
  g_autoptr (GString) text = g_string_new (NULL);
  double x = 0;
  guint i;

  for (i = 0; i < self->n_columns; i++)
    {
      const NsPrintColumn *column = &self->columns[i];
      double width = column->width * scale;

      g_string_truncate (text, 0);
      if (is_head)
        g_string_append (text, column->title);
      else
        self->cell (row, i, text, self->cell_data);
      ns_paint_color (paint, is_head ? NS_COLOR_TEXT_DIM : NS_COLOR_TEXT, 1);
      if (text->len > 0 && g_utf8_validate (text->str, -1, NULL))
        paint_cell (paint,
                    font,
                    text->str,
                    column->is_right,
                    x,
                    y + height / 2,
                    width - CELL_GAP_PX);
      x += width;
    }
  ns_paint_color (paint, is_head ? NS_COLOR_TEXT_DIM : NS_COLOR_GRID, 1);
  ns_paint_box (paint, 0, y + height - 1, self->picture.width, y + height);
  cairo_fill (paint->cr);
}

static void
paint_table (const NsPrint *self, NsPaint *paint, guint page, double y)
{
  PangoFontDescription *bold = pango_font_description_copy (paint->caption);
  guint first;
  guint n_rows = ns_print_get_rows (self, page, &first);
  guint i;

  pango_font_description_set_weight (bold, PANGO_WEIGHT_BOLD);
  paint_line (self, paint, bold, 0, TRUE, y, HEAD_PX);
  y += HEAD_PX;
  for (i = 0; i < n_rows; i++, y += ROW_PX)
    paint_line (self, paint, paint->caption, first + i, FALSE, y, ROW_PX);
  pango_font_description_free (bold);
}

static void
paint_head (const NsPrint *self, NsPaint *paint, guint page)
{
  PangoFontDescription *bold = pango_font_description_copy (paint->dense);
  double y = TITLE_PX;
  guint i;

  pango_font_description_set_weight (bold, PANGO_WEIGHT_BOLD);
  ns_paint_color (paint, NS_COLOR_TEXT, 1);
  if (self->n_lines > 0)
    ns_paint_text (paint, bold, self->lines[0], 0, TITLE_PX / 2, self->picture.width);
  for (i = 1; page == 0 && i < self->n_lines; i++, y += LINE_PX)
    ns_paint_text (paint, paint->dense, self->lines[i], 0, y + LINE_PX / 2, self->picture.width);
  pango_font_description_free (bold);
}

static void
paint_foot (const NsPrint *self, NsPaint *paint, guint page)
{
  g_autofree char *text = self->foot != NULL ? self->foot (page, self->n_pages) : NULL;
  double y = page_height_px (self) - FOOT_PX / 2;

  if (text == NULL)
    return;
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  paint_cell (paint, paint->caption, text, TRUE, 0, y, self->picture.width);
}

/**
 * ns_print_paint_page:
 * @self: a print job after ns_print_layout()
 * @cr: context of the page; the origin is the upper left corner, the unit 1 pt
 * @page: page index, from 0
 */
void
ns_print_paint_page (const NsPrint *self, cairo_t *cr, guint page)
{
  NsPalette palette;
  NsPaint paint = { .cr = cr, .palette = &palette, .scale = 1 };
  PangoFontDescription *dense = ns_timeline_picture_font (&self->picture, 0.91);
  PangoFontDescription *caption = ns_timeline_picture_font (&self->picture, 0.82);
  double y = head_height (self, page);

  ns_palette_init (&palette, self->picture.palette);
  paint.dense = dense;
  paint.caption = caption;
  cairo_save (cr);
  cairo_scale (cr, NS_PRINT_SCALE, NS_PRINT_SCALE);
  paint_head (self, &paint, page);
  if (page == 0)
    {
      cairo_save (cr);
      cairo_translate (cr, 0, y);
      if (self->drawn == NULL)
        ns_timeline_picture_paint (&self->picture, cr);
      else
        {
          cairo_set_source_surface (cr, self->drawn, 0, 0);
          cairo_paint (cr);
        }
      cairo_restore (cr);
      y += self->picture.height + GAP_PX;
    }
  paint_table (self, &paint, page, y);
  paint_foot (self, &paint, page);
  cairo_restore (cr);
  g_clear_object (&paint.layout);
  pango_font_description_free (dense);
  pango_font_description_free (caption);
}

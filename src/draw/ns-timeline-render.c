/* Draws the timeline to a PNG, SVG or PDF file with the painter of the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-coverage-paint.h"
#include "draw/ns-overview-legend.h"
#include "draw/ns-timeline-paint.h"
#include "draw/ns-timeline-render.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

/* Width of the lane names. */
#define NAMES_PX 234
/* Maximum height of a picture of all lanes. */
#define MAX_NATURAL_PX 8192

typedef struct
{
  NsRenderWriteFunc write;
  gpointer write_data;
  GError *error;
} Writer;

static cairo_status_t
write_cb (void *closure, const unsigned char *data, unsigned int n_bytes)
{
  Writer *writer = closure;

  if (writer->error == NULL)
    writer->write ((const char *) data, n_bytes, writer->write_data, &writer->error);
  return writer->error == NULL ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/**
 * ns_timeline_picture_font:
 * @self: a picture
 * @factor: factor of the size of the body text
 *
 * Returns: (transfer full): a font
 */
PangoFontDescription *
ns_timeline_picture_font (const NsTimelinePicture *self, double factor)
{
  PangoFontDescription *font = pango_font_description_from_string (self->font);
  int size = pango_font_description_get_size (font);

  /* Pango draws no text if the description has no size. */
  if (size <= 0)
    size = 11 * PANGO_SCALE;
  pango_font_description_set_size (font, (int) (size * factor));
  return font;
}

/**
 * ns_timeline_picture_init_metrics:
 * @self: a picture
 * @metrics: (out caller-allocates): its sizes
 */
void
ns_timeline_picture_init_metrics (const NsTimelinePicture *self, NsTimelineMetrics *metrics)
{
  ns_timeline_metrics_init (metrics, 1);
  metrics->overview += ns_coverage_get_height (self->coverage, 1);
}

/**
 * ns_timeline_picture_get_height:
 * @self: a picture
 *
 * Returns: height in px; that of all lanes if @self sets none
 */
double
ns_timeline_picture_get_height (const NsTimelinePicture *self)
{
  NsTimelineMetrics metrics;
  double natural;

  if (self->height > 0)
    return self->height;
  ns_timeline_picture_init_metrics (self, &metrics);
  natural = metrics.overview + metrics.ruler + MAX (self->lanes->shown->len, 1) * metrics.lane;
  return MIN (natural, MAX_NATURAL_PX);
}

static void
fill_scene (const NsTimelinePicture *self, NsTimelineScene *scene)
{
  guint i;

  scene->trace = self->trace;
  scene->coverage = self->coverage;
  scene->lanes = self->lanes;
  scene->names_width = NAMES_PX;
  scene->height = ns_timeline_picture_get_height (self);
  scene->selected = self->selected;
  scene->hover_row = NS_ROW_NONE;
  scene->focus_row = NS_ROW_NONE;
  scene->hover_lane = NS_LANE_NONE;
  scene->clock_base_ns = self->clock_base_ns;
  scene->words = &self->words;
  scene->title = self->title;
  scene->corner = self->corner;
  for (i = 0; i < NS_TIMELINE_N_LEGENDS; i++)
    scene->legend[i] = self->legend[i];
  scene->pill = self->pill;
  scene->bookmarks = self->bookmarks;
  scene->n_bookmarks = self->n_bookmarks;
  scene->losses = self->losses;
  scene->n_losses = self->n_losses;
  scene->gaps = self->gaps;
  scene->n_gaps = self->n_gaps;
  scene->holes = self->holes;
  scene->n_holes = self->n_holes;
}

/**
 * ns_timeline_picture_paint:
 * @self: a picture
 * @cr: a context; its origin is the upper left corner
 */
void
ns_timeline_picture_paint (const NsTimelinePicture *self, cairo_t *cr)
{
  NsTimeSpan whole = { 0, MAX (self->trace->end_ns, 1) };
  g_autofree NsOverviewBins *bins = NULL;
  NsPalette palette;
  NsTimelineLayout layout;
  NsTimelineMetrics metrics;
  NsTimelineScene scene = { 0 };
  char *legend[NS_TIMELINE_N_LEGENDS] = { NULL };
  NsPaint painter = { .cr = cr, .palette = &palette, .scale = 1 };
  PangoFontDescription *dense = ns_timeline_picture_font (self, 0.91);
  PangoFontDescription *caption = ns_timeline_picture_font (self, 0.82);
  g_autoptr (NsTimelineList) list = NULL;
  guint i;

  ns_palette_init (&palette, self->palette);
  ns_timeline_picture_init_metrics (self, &metrics);
  if (self->n_gaps > 0)
    whole.end_ns = MAX (whole.end_ns, self->gaps[self->n_gaps - 1].end_ns);
  ns_timeline_layout_init (&layout, whole, self->width - NAMES_PX);
  layout.open_end_ns = self->trace->end_ns;
  if (self->span.begin_ns < self->span.end_ns)
    ns_timeline_layout_show (&layout, self->span);
  if (self->overview == NULL)
    {
      bins = g_new (NsOverviewBins, 1);
      ns_overview_bins_init (bins, self->trace, NULL, whole);
    }
  fill_scene (self, &scene);
  if (bins != NULL)
    {
      ns_overview_legend_fill (bins, self->n_lost, self->n_gaps > 0, legend);
      for (i = 0; i < NS_TIMELINE_N_LEGENDS; i++)
        scene.legend[i] = legend[i];
    }
  list = ns_timeline_list_new (self->lanes, &layout, 0, (guint) (scene.height / metrics.lane) + 1);
  painter.dense = dense;
  painter.caption = caption;
  scene.layout = &layout;
  scene.list = list;
  scene.metrics = &metrics;
  scene.overview = bins != NULL ? bins : self->overview;
  ns_timeline_paint (&painter, &scene);

  ns_overview_legend_clear (legend);
  pango_font_description_free (dense);
  pango_font_description_free (caption);
}

static cairo_surface_t *
surface_new (NsRenderFormat format, double width, double height, Writer *writer)
{
  switch (format)
    {
    case NS_RENDER_SVG:
      return cairo_svg_surface_create_for_stream (write_cb, writer, width, height);
    case NS_RENDER_PDF:
      return cairo_pdf_surface_create_for_stream (write_cb, writer, width, height);
    case NS_RENDER_PNG:
    default:
      return cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) width, (int) height);
    }
}

static gboolean
check_size (const NsTimelinePicture *self, GError **error)
{
  if (self->width >= NS_PICTURE_MIN_PX && self->width <= NS_RENDER_MAX_PX && self->height >= 0 &&
      self->height <= NS_RENDER_MAX_PX)
    return TRUE;
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               "a picture is %d to %d px wide and at most %d px high",
               NS_PICTURE_MIN_PX,
               NS_RENDER_MAX_PX,
               NS_RENDER_MAX_PX);
  return FALSE;
}

/**
 * ns_timeline_picture_write:
 * @self: a picture
 * @format: file format
 * @write: receives the bytes of the file
 * @write_data: user data of @write
 * @error: %NS_TRACE_ERROR_QUERY for a size out of range, or %NS_TRACE_ERROR_WRITE
 *
 * Returns: %TRUE if all bytes were written
 */
gboolean
ns_timeline_picture_write (const NsTimelinePicture *self,
                           NsRenderFormat format,
                           NsRenderWriteFunc write,
                           gpointer write_data,
                           GError **error)
{
  Writer writer = { write, write_data, NULL };
  cairo_surface_t *surface;
  cairo_status_t status;
  cairo_t *cr;

  if (!check_size (self, error))
    return FALSE;
  surface = surface_new (format, self->width, ns_timeline_picture_get_height (self), &writer);
  cr = cairo_create (surface);
  ns_timeline_picture_paint (self, cr);
  cairo_destroy (cr);
  if (format == NS_RENDER_PNG)
    status = cairo_surface_write_to_png_stream (surface, write_cb, &writer);
  else
    {
      cairo_surface_finish (surface);
      status = cairo_surface_status (surface);
    }
  cairo_surface_destroy (surface);

  if (writer.error != NULL)
    {
      g_propagate_error (error, writer.error);
      return FALSE;
    }
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_WRITE,
                   "the picture could not be drawn: %s",
                   cairo_status_to_string (status));
      return FALSE;
    }
  return TRUE;
}

/**
 * ns_timeline_render:
 * @trace: an opened trace
 * @options: options of the picture
 * @write: receives the bytes of the file
 * @write_data: user data of @write
 * @error: %NS_TRACE_ERROR_QUERY for a size out of range, or %NS_TRACE_ERROR_WRITE
 *
 * Draws the timeline of all rows.
 *
 * Returns: %TRUE if all bytes were written
 */
gboolean
ns_timeline_render (const NsTrace *trace,
                    const NsRenderOptions *options,
                    NsRenderWriteFunc write,
                    gpointer write_data,
                    GError **error)
{
  NsTimelinePicture picture = {
    .trace = trace,
    .words = options->words,
    .span = options->span,
    .palette = options->palette,
    .font = options->font,
    .width = options->width,
    .height = options->height,
    .clock_base_ns = -1,
    .n_lost = options->n_lost,
    .title = options->title,
    .corner = options->corner,
  };
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autoptr (GPtrArray) coverage = NULL;
  g_autoptr (GArray) holes = NULL;

  if (!check_size (&picture, error))
    return FALSE;
  lanes = ns_timeline_lanes_new (trace, NULL, &options->words);
  coverage = ns_coverage_list (trace);
  picture.lanes = lanes;
  picture.coverage = coverage;
  holes = ns_coverage_list_holes (coverage);
  picture.holes = (const NsCoverageHole *) (gpointer) holes->data;
  picture.n_holes = holes->len;
  return ns_timeline_picture_write (&picture, options->format, write, write_data, error);
}

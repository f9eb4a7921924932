/* The timeline as a picture file: PNG, SVG or PDF, by the painter of the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"
#include "draw/ns-timeline-render.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

/* Width of the lane names (design, part 2), and of the smallest plot beside it. */
#define NAMES_PX 234
#define MIN_PLOT_PX 100
/* A picture that shows all lanes ends here all the same. */
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

static PangoFontDescription *
font_new (const char *text, double factor)
{
  PangoFontDescription *font = pango_font_description_from_string (text);
  int size = pango_font_description_get_size (font);

  /* A description without a size would be drawn with none. */
  if (size <= 0)
    size = 11 * PANGO_SCALE;
  pango_font_description_set_size (font, (int) (size * factor));
  return font;
}

static void
paint (cairo_t *cr,
       const NsTrace *trace,
       const NsRenderOptions *options,
       const NsTimelineLanes *lanes,
       const NsTimelineMetrics *metrics,
       double height)
{
  NsTimeSpan whole = { 0, MAX (trace->end_ns, 1) };
  NsOverviewBins *bins = g_new (NsOverviewBins, 1);
  NsPalette palette;
  NsTimelineLayout layout;
  NsTimelineScene scene = { 0 };
  NsPaint painter = { .cr = cr, .palette = &palette, .scale = 1 };
  PangoFontDescription *dense = font_new (options->font, 0.91);
  PangoFontDescription *caption = font_new (options->font, 0.82);
  g_autoptr (NsTimelineList) list = NULL;

  ns_palette_init (&palette, options->palette);
  ns_timeline_layout_init (&layout, whole, (double) options->width - NAMES_PX);
  if (options->span.begin_ns < options->span.end_ns)
    ns_timeline_layout_show (&layout, options->span);
  ns_overview_bins_init (bins, trace, NULL, whole);
  list = ns_timeline_list_new (lanes, &layout, 0, (guint) (height / metrics->lane) + 1);

  painter.dense = dense;
  painter.caption = caption;
  scene.trace = trace;
  scene.lanes = lanes;
  scene.layout = &layout;
  scene.list = list;
  scene.metrics = metrics;
  scene.overview = bins;
  scene.names_width = NAMES_PX;
  scene.height = height;
  scene.hover_row = NS_ROW_NONE;
  scene.focus_row = NS_ROW_NONE;
  scene.hover_lane = NS_LANE_NONE;
  scene.clock_base_ns = -1;
  scene.words = &options->words;
  scene.title = options->title;
  scene.corner = options->corner;
  ns_timeline_paint (&painter, &scene);

  pango_font_description_free (dense);
  pango_font_description_free (caption);
  g_free (bins);
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

static double
find_height (const NsRenderOptions *options,
             const NsTimelineLanes *lanes,
             const NsTimelineMetrics *metrics)
{
  double natural = metrics->overview + metrics->ruler + MAX (lanes->shown->len, 1) * metrics->lane;

  return options->height > 0 ? options->height : MIN (natural, MAX_NATURAL_PX);
}

/**
 * ns_timeline_render:
 * @trace: an opened trace
 * @options: what to draw
 * @write: takes the bytes of the file
 * @write_data: for @write
 * @error: %NS_TRACE_ERROR_QUERY for a size that cannot be, %NS_TRACE_ERROR_WRITE
 *
 * Draws the timeline of all rows.
 *
 * Returns: whether all bytes were written
 */
gboolean
ns_timeline_render (const NsTrace *trace,
                    const NsRenderOptions *options,
                    NsRenderWriteFunc write,
                    gpointer write_data,
                    GError **error)
{
  Writer writer = { write, write_data, NULL };
  g_autoptr (NsTimelineLanes) lanes = NULL;
  NsTimelineMetrics metrics;
  cairo_surface_t *surface;
  cairo_status_t status;
  cairo_t *cr;
  double height;

  if (options->width < NAMES_PX + MIN_PLOT_PX || options->width > NS_RENDER_MAX_PX ||
      options->height > NS_RENDER_MAX_PX)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   "a picture is %d to %d px wide and at most %d px high",
                   NAMES_PX + MIN_PLOT_PX,
                   NS_RENDER_MAX_PX,
                   NS_RENDER_MAX_PX);
      return FALSE;
    }
  ns_timeline_metrics_init (&metrics, 1);
  lanes = ns_timeline_lanes_new (trace, NULL, &options->words);
  height = find_height (options, lanes, &metrics);
  surface = surface_new (options->format, options->width, height, &writer);
  cr = cairo_create (surface);
  paint (cr, trace, options, lanes, &metrics, height);
  cairo_destroy (cr);
  if (options->format == NS_RENDER_PNG)
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

/* Tests the lead-in painted before a bar: the queue waits that led to it, by pixels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-lead.h"

#include "stitch-fixture.h"

#include <math.h>

/* Queued at 10, run from 21, connected at 25: a queue wait of 11 ms. */
#define POOL "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 25:2:NET 'S2"
#define MS G_GINT64_CONSTANT (1000000)
/* Ten px per ms. */
#define WIDTH 400
#define HEIGHT 24

static guint32
pixel (cairo_surface_t *surface, int x, int y)
{
  const guint8 *line = cairo_image_surface_get_data (surface) +
                       (gsize) y * (gsize) cairo_image_surface_get_stride (surface);

  return ((const guint32 *) (gconstpointer) line)[x] & 0xffffff;
}

/* Paints the bar of the first row in an empty frame. */
static cairo_surface_t *
paint_new (const NsTrace *trace, double free_from)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  NsTimeSpan whole = { 0, 40 * MS };
  NsTimelineLayout layout;
  NsTimelineMetrics metrics;
  NsTimelineScene scene = { .trace = trace,
                            .layout = &layout,
                            .metrics = &metrics,
                            .hover_row = NS_ROW_NONE,
                            .focus_row = NS_ROW_NONE,
                            .has_no_labels = TRUE };
  NsTimelineOccupancy room = { .free_from = free_from, .free_until = WIDTH };
  NsPalette palette;
  NsPaint paint = { .cr = cairo_create (surface), .palette = &palette, .scale = 1 };
  NsTimelineBar bar = { .row = 0 };

  ns_palette_init (&palette, NS_PALETTE_LIGHT);
  ns_timeline_metrics_init (&metrics, 1);
  ns_timeline_layout_init (&layout, whole, WIDTH);
  bar.x0 = ns_timeline_layout_x_at (&layout, 25 * MS);
  bar.x1 = ns_timeline_layout_x_at (&layout, 35 * MS);
  ns_paint_color (&paint, NS_COLOR_BASE, 1);
  cairo_paint (paint.cr);
  ns_timeline_paint_bar (&paint, &scene, &bar, 0, &room);
  cairo_destroy (paint.cr);
  cairo_surface_flush (surface);
  return surface;
}

static void
test_the_wait_before_a_bar_is_drawn (void)
{
  NsTrace *trace = stitch_trace_new (POOL);
  cairo_surface_t *surface = paint_new (trace, -G_MAXDOUBLE);
  const int middle = HEIGHT / 2;
  guint32 ground = pixel (surface, 50, middle);

  /* An outlined box from 10 to 21 ms, then a line 1 px high to the bar at 25. */
  g_assert_cmphex (pixel (surface, 100, middle), !=, ground);
  g_assert_cmphex (pixel (surface, 150, middle), ==, ground);
  g_assert_cmphex (pixel (surface, 150, middle - 3), !=, ground);
  g_assert_cmphex (pixel (surface, 209, middle), !=, ground);
  g_assert_cmphex (pixel (surface, 230, middle), !=, ground);
  g_assert_cmphex (pixel (surface, 230, middle - 3), ==, ground);
  g_assert_cmphex (pixel (surface, 80, middle), ==, ground);
  cairo_surface_destroy (surface);
  ns_trace_unref (trace);
}

static void
test_it_covers_no_bar_before_it (void)
{
  NsTrace *trace = stitch_trace_new (POOL);
  cairo_surface_t *surface = paint_new (trace, 160);
  const int middle = HEIGHT / 2;
  guint32 ground = pixel (surface, 50, middle);

  g_assert_cmphex (pixel (surface, 150, middle - 3), ==, ground);
  g_assert_cmphex (pixel (surface, 180, middle - 3), !=, ground);
  cairo_surface_destroy (surface);
  ns_trace_unref (trace);
}

static void
test_bar_and_lead_are_the_span_since_the_work_was_queued (void)
{
  NsTrace *trace = stitch_trace_new (POOL);
  NsTimeSpan whole = { 0, 40 * MS };
  NsTimelineLayout layout;

  ns_timeline_layout_init (&layout, whole, WIDTH);
  g_assert_cmpfloat (fabs (ns_timeline_get_lead_x (trace, &layout, 0, 250) - 100), <, 0.01);
  ns_trace_unref (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/draw/lead/the-wait-before-a-bar-is-drawn",
                   test_the_wait_before_a_bar_is_drawn);
  g_test_add_func ("/draw/lead/it-covers-no-bar-before-it", test_it_covers_no_bar_before_it);
  g_test_add_func ("/draw/lead/bar-and-lead-are-the-span-since-the-work-was-queued",
                   test_bar_and_lead_are_the_span_since_the_work_was_queued);
  return g_test_run ();
}

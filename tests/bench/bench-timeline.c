/* Measures the painting of a timeline frame with a million rows, at several zoom levels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"

#include "../draw/ns-fake-trace.h"

#define N_ROWS 1000000
#define WIDTH 1100
#define HEIGHT 500

static double
seconds_since (gint64 begin_us)
{
  return (double) (g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC;
}

static void
paint_frame (const NsTimelineScene *scene, cairo_surface_t *surface)
{
  NsPalette palette;
  PangoFontDescription *font = pango_font_description_from_string ("sans-serif 10");
  NsPaint paint = { .palette = &palette, .dense = font, .caption = font, .scale = 1 };

  ns_palette_init (&palette, NS_PALETTE_LIGHT);
  paint.cr = cairo_create (surface);
  ns_timeline_paint (&paint, scene);
  cairo_destroy (paint.cr);
  pango_font_description_free (font);
}

static NsTrace *
big_trace (void)
{
  NsTrace *trace = fake_trace_new ((gint64) N_ROWS * 1000);
  GRand *rand = g_rand_new_with_seed (1);
  guint i;

  for (i = 0; i < N_ROWS; i++)
    {
      gint64 open_ns = (gint64) i * 1000;
      gint64 length_ns = g_rand_int_range (rand, 0, 100) == 0
                             ? g_rand_int_range (rand, 0, 100000000)
                             : g_rand_int_range (rand, 0, 300000);

      fake_trace_add (trace,
                      i % 40,
                      i % 7 == 0 ? "a" : "b",
                      i % 997 + 1,
                      open_ns,
                      open_ns + length_ns);
    }
  g_rand_free (rand);
  return trace;
}

static char *
several (NsConnectionKind end, guint n, guint32 lowest, guint32 highest)
{
  return g_strdup_printf ("%u connections: %u-%u", n, lowest, highest);
}

int
main (int argc, char *argv[])
{
  const NsTimelineTexts words = { "connection", "no server", "no process",      "no activity",
                                  NULL,         "cache",     .several = several };
  NsTrace *trace = big_trace ();
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  NsTimeSpan whole = { 0, (gint64) N_ROWS * 1000 };
  NsTimelineLayout layout;
  NsTimelineMetrics metrics;
  guint i;

  g_print ("lanes of %d rows: %.3f s\n", N_ROWS, seconds_since (begin_us));
  begin_us = g_get_monotonic_time ();
  ns_overview_bins_init (bins, trace, NULL, whole);
  g_print ("overview: %.3f s\n", seconds_since (begin_us));
  ns_timeline_metrics_init (&metrics, 1);
  ns_timeline_layout_init (&layout, whole, WIDTH - 234);
  for (i = 0; i < 10; i++)
    {
      NsTimelineScene scene = { 0 };
      g_autoptr (NsTimelineList) list = NULL;
      double list_s;

      begin_us = g_get_monotonic_time ();
      list = ns_timeline_list_new (lanes, &layout, 0, HEIGHT / 24);
      list_s = seconds_since (begin_us);
      scene.clock_base_ns = -1;
      scene.trace = trace;
      scene.lanes = lanes;
      scene.layout = &layout;
      scene.list = list;
      scene.metrics = &metrics;
      scene.overview = bins;
      scene.names_width = 234;
      scene.height = HEIGHT;
      scene.hover_row = NS_ROW_NONE;
      scene.focus_row = NS_ROW_NONE;
      scene.hover_lane = NS_LANE_NONE;
      scene.title = "Overview";
      scene.corner = "process";
      begin_us = g_get_monotonic_time ();
      paint_frame (&scene, surface);
      g_print ("%12.6f s in view: %5u bars, %5u columns, list %.1f ms, paint %.1f ms\n",
               (double) (layout.end_ns - layout.begin_ns) / 1e9,
               list->bars->len,
               list->columns->len,
               list_s * 1e3,
               seconds_since (begin_us) * 1e3);
      ns_timeline_layout_zoom (&layout, 300, 3);
    }
  cairo_surface_destroy (surface);
  fake_trace_free (trace);
  return 0;
}

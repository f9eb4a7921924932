/* Tests the coverage lines, which show when each machine recorded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-coverage-paint.h"

#include <math.h>

#define WIDTH 400
#define HEIGHT 36

static void
line_free (gpointer data)
{
  NsCoverageLine *line = data;

  g_free (line->name);
  g_array_unref (line->spans);
  g_free (line);
}

static NsCoverageLine *
add_line (GPtrArray *lines, const char *name)
{
  NsCoverageLine *line = g_new0 (NsCoverageLine, 1);

  line->name = g_strdup (name);
  line->spans = g_array_new (FALSE, FALSE, sizeof (NsCoverageSpan));
  line->n_parts = 1;
  g_ptr_array_add (lines, line);
  return line;
}

static void
add_span (NsCoverageLine *line, gint64 begin_s, gint64 end_s, gboolean is_missing)
{
  NsCoverageSpan span = { { begin_s * NS_PER_SECOND, end_s * NS_PER_SECOND }, is_missing };

  g_array_append_val (line->spans, span);
}

/* Makes a file series with a gap from 20 to 30 s, and a log from 5 to 25 s. */
static GPtrArray *
make_lines (void)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (line_free);
  NsCoverageLine *series = add_line (lines, "client_001.etl");
  NsCoverageLine *log = add_line (lines, "pfirewall.log");

  series->n_parts = 2;
  add_span (series, 0, 20, FALSE);
  add_span (series, 20, 30, TRUE);
  add_span (series, 30, 39, FALSE);
  log->is_log = TRUE;
  log->n_lines = 38;
  add_span (log, 5, 25, FALSE);
  return lines;
}

static void
test_lines_take_room_up_to_six (void)
{
  g_autoptr (GPtrArray) lines = make_lines ();
  guint i;

  g_assert_cmpfloat (ns_coverage_get_height (NULL, 1), ==, 0);
  g_assert_cmpfloat (ns_coverage_get_height (lines, 1), ==, 36);
  g_assert_cmpfloat (ns_coverage_get_height (lines, 2), ==, 72);
  for (i = 0; i < 4; i++)
    add_line (lines, "more.etl");
  g_assert_cmpfloat (ns_coverage_get_height (lines, 1), ==, 6 * 18);
  add_line (lines, "more.etl");
  add_line (lines, "more.etl");
  g_assert_cmpfloat (ns_coverage_get_height (lines, 1), ==, 7 * 18);
  g_assert_cmpuint (ns_coverage_find_line (lines, 1, 5 * 18 + 1), ==, 5);
  /* The line that counts the remaining ones is none of them. */
  g_assert_cmpuint (ns_coverage_find_line (lines, 1, 6 * 18 + 1), ==, G_MAXUINT);
}

static void
test_lines_are_found_and_described (void)
{
  g_autoptr (GPtrArray) lines = make_lines ();
  g_autofree char *series = ns_coverage_describe (lines, 0);
  g_autofree char *log = ns_coverage_describe (lines, 1);

  g_assert_cmpuint (ns_coverage_find_line (lines, 1, -1), ==, G_MAXUINT);
  g_assert_cmpuint (ns_coverage_find_line (lines, 1, 0), ==, 0);
  g_assert_cmpuint (ns_coverage_find_line (lines, 1, 18), ==, 1);
  g_assert_cmpuint (ns_coverage_find_line (lines, 1, 36), ==, G_MAXUINT);
  g_assert_cmpuint (ns_coverage_find_line (NULL, 1, 0), ==, G_MAXUINT);
  g_assert_cmpstr (series,
                   ==,
                   "client_001.etl: 0.0 – 39.0 s, 2 parts, gaps: 1\n"
                   "a part is missing: 20.000 – 30.000 s");
  g_assert_cmpstr (log, ==, "pfirewall.log: 5.0 – 25.0 s, 38 lines");
}

/* Counts the px of a colour in one column of the lines. */
static guint
count_colors (const guint32 *pixels, guint stride, guint x, guint y0, guint y1, guint32 color)
{
  guint n = 0;
  guint y;

  for (y = y0; y < y1; y++)
    n += (pixels[y * stride + x] & 0xffffff) == color ? 1 : 0;
  return n;
}

static guint32
to_pixel (NsColor color)
{
  return (guint32) lround (color.red * 255) << 16 | (guint32) lround (color.green * 255) << 8 |
         (guint32) lround (color.blue * 255);
}

static void
assert_missing (const char *before, const char *behind, const char *name)
{
  g_autofree char *told = ns_coverage_dup_missing_name (before, behind);

  g_assert_cmpstr (told, ==, name);
}

static void
test_numbers_tell_what_is_missing (void)
{
  assert_missing ("a_001.etl", "a_003.etl", "a_002.etl");
  assert_missing ("a_009.etl", "a_013.etl", "a_010.etl – a_012.etl");
  assert_missing ("a.etl.8", "a.etl.10", "a.etl.9");
  assert_missing ("a_001.etl", "a_002.etl", NULL);
  assert_missing ("a_003.etl", "a_001.etl", NULL);
  assert_missing ("a_001.etl", "b_003.etl", NULL);
  assert_missing ("a_001.etl", "a_003.etl.zip", NULL);
  assert_missing ("a.etl", "b.etl", NULL);
  assert_missing ("a_0.etl", "a_99999999999999999999.etl", NULL);
  assert_missing ("", "", NULL);
}

static void
test_what_is_missing_is_no_bar (void)
{
  g_autoptr (GPtrArray) lines = make_lines ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  NsTimeSpan whole = { 0, 40 * NS_PER_SECOND };
  NsTimelineLayout layout;
  NsPalette palette;
  NsPaint paint = { .cr = cairo_create (surface), .palette = &palette, .scale = 1 };
  NsTimelineScene scene = { .coverage = lines };
  const guint32 *pixels;
  guint32 bar;
  guint32 full;
  guint stride;

  ns_palette_init (&palette, NS_PALETTE_LIGHT);
  ns_timeline_layout_init (&layout, whole, WIDTH);
  bar = to_pixel (
      ns_color_mix (&palette.colors[NS_COLOR_WINSOCK], &palette.colors[NS_COLOR_BASE], 0.5));
  full = to_pixel (palette.colors[NS_COLOR_WINSOCK]);
  ns_coverage_paint_spans (&paint, &scene, &layout, 0);
  cairo_surface_flush (surface);
  pixels = (const guint32 *) (gpointer) cairo_image_surface_get_data (surface);
  stride = (guint) cairo_image_surface_get_stride (surface) / 4;

  /* 10 px per second: recorded at 10 s, a gap at 25 s, recorded at 35 s, nothing at 39.5 s. */
  g_assert_cmpuint (count_colors (pixels, stride, 100, 0, 18, bar), >=, 6);
  g_assert_cmpuint (count_colors (pixels, stride, 250, 0, 18, bar), ==, 0);
  g_assert_cmpuint (count_colors (pixels, stride, 250, 0, 18, 0), <, 18);
  g_assert_cmpuint (count_colors (pixels, stride, 350, 0, 18, bar), >=, 6);
  g_assert_cmpuint (count_colors (pixels, stride, 396, 0, 18, 0), ==, 18);
  /* A log is a line from its first to its last log line. */
  g_assert_cmpuint (count_colors (pixels, stride, 100, 18, 36, full), >=, 3);
  g_assert_cmpuint (count_colors (pixels, stride, 300, 18, 36, full), ==, 0);
  cairo_destroy (paint.cr);
  cairo_surface_destroy (surface);
}

static void
assert_holes (const GPtrArray *lines, const char *wanted)
{
  g_autoptr (GArray) holes = ns_coverage_list_holes (lines);
  g_autoptr (GString) told = g_string_new (NULL);
  guint i;

  for (i = 0; i < holes->len; i++)
    {
      const NsTimeSpan *hole = &g_array_index (holes, NsCoverageHole, i).span;

      g_string_append_printf (told,
                              "%s%d-%d",
                              i > 0 ? " " : "",
                              (int) (hole->begin_ns / NS_PER_SECOND),
                              (int) (hole->end_ns / NS_PER_SECOND));
    }
  g_assert_cmpstr (told->str, ==, wanted);
}

static void
test_a_hole_is_when_nobody_recorded (void)
{
  g_autoptr (GPtrArray) lines = make_lines ();
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  NsCoverageLine *other;

  assert_holes (none, "");
  /* The log continues during the gap. */
  assert_holes (lines, "20-30");
  other = add_line (lines, "packets.etl");
  add_span (other, 10, 22, FALSE);
  add_span (other, 24, 26, FALSE);
  assert_holes (lines, "22-24 26-30");
  other = add_line (lines, "server_001.etl");
  add_span (other, 21, 25, TRUE);
  add_span (other, 29, 50, FALSE);
  assert_holes (lines, "22-24 26-29");
  add_span (other, 50, 60, TRUE);
  assert_holes (lines, "22-24 26-29 50-60");
  add_span (add_line (lines, "all.etl"), 0, 100, FALSE);
  assert_holes (lines, "");
}

/* Returns the colour of one pixel of lanes with a gap from 20 to 30 s. */
static void
test_holes_are_hatched_in_the_lanes (void)
{
  g_autoptr (GPtrArray) lines = make_lines ();
  g_autoptr (GArray) holes = ns_coverage_list_holes (lines);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  NsTimeSpan whole = { 0, 40 * NS_PER_SECOND };
  NsTimelineLayout layout;
  NsPalette palette;
  NsPaint paint = { .cr = cairo_create (surface), .palette = &palette, .scale = 1 };
  NsTimelineScene scene = { .holes = (const NsCoverageHole *) (gpointer) holes->data,
                            .n_holes = holes->len };
  const guint32 *pixels;
  guint stride;

  ns_palette_init (&palette, NS_PALETTE_LIGHT);
  ns_timeline_layout_init (&layout, whole, WIDTH);
  ns_coverage_paint_holes (&paint, &scene, &layout, 0, HEIGHT);
  cairo_surface_flush (surface);
  pixels = (const guint32 *) (gpointer) cairo_image_surface_get_data (surface);
  stride = (guint) cairo_image_surface_get_stride (surface) / 4;
  g_assert_cmpuint (count_colors (pixels, stride, 250, 0, HEIGHT, 0), ==, 0);
  g_assert_cmpuint (
      count_colors (pixels, stride, 250, 0, HEIGHT, to_pixel (palette.colors[NS_COLOR_WINDOW])),
      <,
      HEIGHT);
  g_assert_cmpuint (count_colors (pixels, stride, 190, 0, HEIGHT, 0), ==, HEIGHT);
  g_assert_cmpuint (count_colors (pixels, stride, 310, 0, HEIGHT, 0), ==, HEIGHT);
  cairo_destroy (paint.cr);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/coverage/numbers-tell-what-is-missing", test_numbers_tell_what_is_missing);
  g_test_add_func ("/coverage/lines-take-room-up-to-six", test_lines_take_room_up_to_six);
  g_test_add_func ("/coverage/lines-are-found-and-described", test_lines_are_found_and_described);
  g_test_add_func ("/coverage/what-is-missing-is-no-bar", test_what_is_missing_is_no_bar);
  g_test_add_func ("/coverage/a-hole-is-when-nobody-recorded", test_a_hole_is_when_nobody_recorded);
  g_test_add_func ("/coverage/holes-are-hatched-in-the-lanes", test_holes_are_hatched_in_the_lanes);
  return g_test_run ();
}

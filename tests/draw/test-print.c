/* Tests printed pages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-print.h"

#include "ns-fake-trace.h"

#define A4_LONG 842
#define A4_SHORT 595

static const NsPrintColumn columns[] = { { (char *) "URL", 200, FALSE },
                                         { (char *) "Sent (B)", 80, TRUE } };
static const char *const lines[] = { "client.etl", "Time: 0 to 1 s", "Filter: failed=true" };

/* Records each row that is printed. */
static void
cell_cb (guint row, guint column, GString *text, gpointer user_data)
{
  guint8 *n_asked = user_data;

  if (column == 0 && n_asked != NULL)
    n_asked[row]++;
  g_string_append_printf (text, "%u", row);
}

static char *
foot_cb (guint page, guint n_pages)
{
  return g_strdup_printf ("%u/%u", page + 1, n_pages);
}

static NsTrace *
story (guint n_servers)
{
  NsTrace *trace = fake_trace_new (1000000);
  guint i;

  for (i = 0; i < n_servers; i++)
    {
      g_autofree char *server = g_strdup_printf ("s%u", i);

      fake_trace_add (trace, 1, server, i + 1, i * 1000, i * 1000 + 50000);
    }
  return trace;
}

static NsPrint
print_of (const NsTrace *trace, const NsTimelineLanes *lanes, guint n_rows, guint8 *n_asked)
{
  NsPrint print = {
    .picture = { .trace = trace,
                 .lanes = lanes,
                 .words = { "connection", "no server", "no process", "no activity", NULL, "cache" },
                 .font = "sans-serif 11",
                 .clock_base_ns = -1,
                 .title = "Overview",
                 .corner = "process" },
    .lines = lines,
    .n_lines = G_N_ELEMENTS (lines),
    .columns = columns,
    .n_columns = G_N_ELEMENTS (columns),
    .n_rows = n_rows,
    .cell = cell_cb,
    .cell_data = n_asked,
    .foot = foot_cb,
    .page_width = A4_LONG,
    .page_height = A4_SHORT,
  };

  ns_print_layout (&print);
  return print;
}

static void
test_each_row_stands_on_one_page (void)
{
  static const guint numbers[] = { 0, 1, 10, 23, 24, 25, 100, 20000 };
  NsTrace *trace = story (3);
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (
      trace,
      NULL,
      &(NsTimelineTexts){ "connection", "no server", "no process", "no activity", NULL, "cache" });
  guint i;

  for (i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      NsPrint print = print_of (trace, lanes, numbers[i], NULL);
      guint next = 0;
      guint page;

      g_assert_cmpuint (print.n_pages, >=, 1);
      for (page = 0; page < print.n_pages; page++)
        {
          guint first;
          guint n_rows = ns_print_get_rows (&print, page, &first);

          g_assert_cmpuint (first, ==, next);
          if (page > 0)
            g_assert_cmpuint (n_rows, >, 0);
          next += n_rows;
        }
      g_assert_cmpuint (next, ==, numbers[i]);
    }
  fake_trace_free (trace);
}

static void
test_the_painter_asks_for_every_row_once (void)
{
  NsTrace *trace = story (3);
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (
      trace,
      NULL,
      &(NsTimelineTexts){ "connection", "no server", "no process", "no activity", NULL, "cache" });
  guint8 n_asked[90] = { 0 };
  NsPrint print = print_of (trace, lanes, G_N_ELEMENTS (n_asked), n_asked);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, A4_LONG, A4_SHORT);
  cairo_t *cr = cairo_create (surface);
  guint i;

  g_assert_cmpuint (print.n_pages, >, 1);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  for (i = print.n_pages; i > 0; i--)
    ns_print_paint_page (&print, cr, i - 1);
  for (i = 0; i < G_N_ELEMENTS (n_asked); i++)
    g_assert_cmpuint (n_asked[i], ==, 1);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  if (g_getenv ("NETSTITCH_ANATOMY") != NULL)
    {
      g_autofree char *path = g_build_filename (g_getenv ("NETSTITCH_ANATOMY"), "page.png", NULL);

      cairo_set_source_rgb (cr, 1, 1, 1);
      cairo_paint (cr);
      ns_print_paint_page (&print, cr, 0);
      cairo_surface_write_to_png (surface, path);
    }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  fake_trace_free (trace);
}

static void
long_cell_cb (guint row, guint column, GString *text, gpointer user_data)
{
  guint i;

  g_string_append (text, "telemetry.example.org");
  for (i = 0; column == 0 && i < 20; i++)
    g_string_append (text, "/a/rather/long/path");
}

/* A long text leaves the other columns the width that theirs need. */
static void
test_columns_are_as_wide_as_their_texts (void)
{
  NsTrace *trace = story (3);
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (
      trace,
      NULL,
      &(NsTimelineTexts){ "connection", "no server", "no process", "no activity", NULL, "cache" });
  NsPrintColumn fitted[] = { { (char *) "URL", 200, FALSE }, { (char *) "Server", 40, FALSE } };
  NsPrint print = print_of (trace, lanes, 5, NULL);
  double server;

  print.columns = fitted;
  ns_print_fit_columns (&print, fitted);
  /* Short texts: nothing is cut. */
  g_assert_cmpfloat (fitted[0].width + fitted[1].width, <, print.picture.width);
  print.cell = long_cell_cb;
  ns_print_fit_columns (&print, fitted);
  server = fitted[1].width;
  g_assert_cmpfloat (server, >, 100);
  g_assert_cmpfloat (server, <, fitted[0].width);
  g_assert_cmpfloat_with_epsilon (fitted[0].width + server, print.picture.width, 0.01);
  fake_trace_free (trace);
}

static void
test_many_lanes_leave_room_for_rows (void)
{
  NsTrace *trace = story (300);
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (
      trace,
      NULL,
      &(NsTimelineTexts){ "connection", "no server", "no process", "no activity", NULL, "cache" });
  NsPrint print = print_of (trace, lanes, 50, NULL);

  g_assert_cmpfloat (print.picture.height * NS_PRINT_SCALE, <=, A4_SHORT * 0.55);
  /* Pages break between lanes. */
  g_assert_cmpint (((int) print.picture.height - 84) % 24, ==, 0);
  g_assert_cmpuint (print.n_first, >=, 8);
  fake_trace_free (trace);
}

static void
test_paper_of_any_size_is_filled (void)
{
  static const double sizes[][2] = { { 20, 20 }, { 297, 420 }, { 3000, 2000 } };
  NsTrace *trace = story (3);
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (
      trace,
      NULL,
      &(NsTimelineTexts){ "connection", "no server", "no process", "no activity", NULL, "cache" });
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      NsPrint print = print_of (trace, lanes, 5, NULL);

      print.page_width = sizes[i][0];
      print.page_height = sizes[i][1];
      ns_print_layout (&print);
      g_assert_cmpuint (print.n_pages, >=, 1);
      g_assert_cmpuint (print.n_pages, <=, 5);
    }
  fake_trace_free (trace);
}

static void
paint_first (const NsPrint *print, cairo_surface_t *surface)
{
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  ns_print_paint_page (print, cr, 0);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
}

/* Pages are painted in an idle callback, after the timeline may have been freed. */
static void
test_the_timeline_may_go_before_the_page_is_painted (void)
{
  NsTrace *trace = story (3);
  NsTimelineLanes *lanes = ns_timeline_lanes_new (
      trace,
      NULL,
      &(NsTimelineTexts){ "connection", "no server", "no process", "no activity", NULL, "cache" });
  NsPrint print = print_of (trace, lanes, 3, NULL);
  cairo_surface_t *before = cairo_image_surface_create (CAIRO_FORMAT_RGB24, A4_LONG, A4_SHORT);
  cairo_surface_t *after = cairo_image_surface_create (CAIRO_FORMAT_RGB24, A4_LONG, A4_SHORT);
  const guchar *a;
  const guchar *b;
  guint n_dark[2] = { 0, 0 };
  int i;

  ns_print_keep_picture (&print);
  paint_first (&print, before);
  ns_timeline_lanes_free (lanes);
  print.picture.lanes = NULL;
  print.picture.title = NULL;
  paint_first (&print, after);
  a = cairo_image_surface_get_data (before);
  b = cairo_image_surface_get_data (after);
  for (i = 0; i < cairo_image_surface_get_stride (before) * A4_SHORT; i++)
    {
      n_dark[0] += a[i] < 128;
      n_dark[1] += b[i] < 128;
    }
  /* More than the header text: bars have more dark pixels. */
  g_assert_cmpuint (n_dark[0], >, 1000);
  g_assert_cmpuint (n_dark[1], ==, n_dark[0]);
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
  cairo_surface_destroy (print.drawn);
  fake_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/print/each-row-stands-on-one-page", test_each_row_stands_on_one_page);
  g_test_add_func ("/print/the-painter-asks-for-every-row-once",
                   test_the_painter_asks_for_every_row_once);
  g_test_add_func ("/print/columns-are-as-wide-as-their-texts",
                   test_columns_are_as_wide_as_their_texts);
  g_test_add_func ("/print/many-lanes-leave-room-for-rows", test_many_lanes_leave_room_for_rows);
  g_test_add_func ("/print/paper-of-any-size-is-filled", test_paper_of_any_size_is_filled);
  g_test_add_func ("/print/the-timeline-may-go-before-the-page-is-painted",
                   test_the_timeline_may_go_before_the_page_is_painted);
  return g_test_run ();
}

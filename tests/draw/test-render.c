/* Tests the timeline as an image file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-render.h"

#include "ns-fake-trace.h"

#include <string.h>

static const NsRenderOptions defaults = {
  .format = NS_RENDER_PNG,
  .width = 640,
  .font = "sans-serif 11",
  .words = { "connection", "no server", "no process", "no activity", NULL, "cache" },
  .title = "Overview",
  .corner = "process",
};

static gboolean
append_cb (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

static gboolean
full_cb (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE, "no space left");
  return FALSE;
}

static NsTrace *
story (void)
{
  NsTrace *trace = fake_trace_new (1000000);
  NsActivityRow *row;

  fake_trace_add (trace, 1, "a", 1, 100000, 400000);
  row = fake_trace_add (trace, 1, "a", 1, 500000, 900000);
  row->failed = TRUE;
  row->http_status = 503;
  row->reused = 1;
  row = fake_trace_add (trace, 1, "b", 2, 0, NS_TIME_OPEN);
  row->opened_before_trace = TRUE;
  fake_phases (row)[NS_PHASE_WAIT] = 100000;
  row->first_byte_ns = 100000;
  row = fake_trace_add (trace, 2, "c", 3, 200000, 300000);
  row->cancelled = TRUE;
  row = fake_trace_add (trace, 2, "c", 3, 400000, 500000);
  row->redirected = TRUE;
  row = fake_trace_add (trace, 2, "c", 3, 600000, 600100);
  row->from_cache = TRUE;
  return trace;
}

static guint32
big_endian (const char *bytes)
{
  guint32 number;

  memcpy (&number, bytes, 4);
  return GUINT32_FROM_BE (number);
}

static void
test_png_has_the_size_asked_for (void)
{
  NsTrace *trace = story ();
  g_autoptr (GString) bytes = g_string_new (NULL);
  NsRenderOptions options = defaults;

  options.height = 300;
  g_assert_true (ns_timeline_render (trace, &options, append_cb, bytes, NULL));
  g_assert_cmpuint (bytes->len, >, 33);
  g_assert_cmpmem (bytes->str, 8, "\211PNG\r\n\032\n", 8);
  g_assert_cmpuint (big_endian (bytes->str + 16), ==, 640);
  g_assert_cmpuint (big_endian (bytes->str + 20), ==, 300);
  fake_trace_free (trace);
}

static void
test_all_lanes_decide_the_height (void)
{
  NsTrace *trace = story ();
  g_autoptr (GString) bytes = g_string_new (NULL);

  /* Two processes and three hosts below the strip and the ruler. */
  g_assert_true (ns_timeline_render (trace, &defaults, append_cb, bytes, NULL));
  g_assert_cmpuint (big_endian (bytes->str + 20), ==, 54 + 30 + 5 * 24);
  fake_trace_free (trace);
}

static void
test_svg_and_pdf_are_such (void)
{
  NsTrace *trace = story ();
  g_autoptr (GString) svg = g_string_new (NULL);
  g_autoptr (GString) pdf = g_string_new (NULL);
  NsRenderOptions options = defaults;

  options.format = NS_RENDER_SVG;
  g_assert_true (ns_timeline_render (trace, &options, append_cb, svg, NULL));
  g_assert_nonnull (strstr (svg->str, "<svg "));
  options.format = NS_RENDER_PDF;
  options.palette = NS_PALETTE_HIGH_CONTRAST_DARK;
  g_assert_true (ns_timeline_render (trace, &options, append_cb, pdf, NULL));
  g_assert_cmpmem (pdf->str, 5, "%PDF-", 5);
  fake_trace_free (trace);
}

static void
test_an_empty_trace_is_a_picture_too (void)
{
  NsTrace *trace = fake_trace_new (0);
  g_autoptr (GString) bytes = g_string_new (NULL);

  g_assert_true (ns_timeline_render (trace, &defaults, append_cb, bytes, NULL));
  g_assert_cmpuint (bytes->len, >, 33);
  fake_trace_free (trace);
}

static void
test_sizes_that_cannot_be_are_refused (void)
{
  static const guint sizes[][2] = { { 10, 100 }, { 100000, 100 }, { 640, 100000 } };
  NsTrace *trace = story ();
  g_autoptr (GString) bytes = g_string_new (NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GError) error = NULL;
      NsRenderOptions options = defaults;

      options.width = sizes[i][0];
      options.height = sizes[i][1];
      g_assert_false (ns_timeline_render (trace, &options, append_cb, bytes, &error));
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
    }
  g_assert_cmpuint (bytes->len, ==, 0);
  fake_trace_free (trace);
}

/* Renders the trace with a span logged by process @pid. */
static GString *
render_with_span (guint32 pid)
{
  NsTrace *trace = story ();
  GString *bytes = g_string_new (NULL);
  NsSpanRow span = { .pid = pid, .tid = 1, .open_ns = 200000, .close_ns = 700000 };

  if (pid != 0)
    g_array_append_val (trace->spans, span);
  g_assert_true (ns_timeline_render (trace, &defaults, append_cb, bytes, NULL));
  fake_trace_free (trace);
  return bytes;
}

static void
test_what_a_process_tells_is_in_its_lane (void)
{
  GString *without = render_with_span (0);
  GString *of_one = render_with_span (1);
  GString *of_two = render_with_span (2);
  GString *of_none = render_with_span (3);

  g_assert_false (g_string_equal (without, of_one));
  g_assert_false (g_string_equal (of_one, of_two));
  g_assert_true (g_string_equal (without, of_none));
  g_string_free (without, TRUE);
  g_string_free (of_one, TRUE);
  g_string_free (of_two, TRUE);
  g_string_free (of_none, TRUE);
}

static void
test_a_full_disk_is_told (void)
{
  NsTrace *trace = story ();
  NsRenderFormat format;

  for (format = NS_RENDER_PNG; format <= NS_RENDER_PDF; format++)
    {
      g_autoptr (GError) error = NULL;
      NsRenderOptions options = defaults;

      options.format = format;
      g_assert_false (ns_timeline_render (trace, &options, full_cb, NULL, &error));
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE);
      g_assert_cmpstr (error->message, ==, "no space left");
    }
  fake_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/render/png-has-the-size-asked-for", test_png_has_the_size_asked_for);
  g_test_add_func ("/render/all-lanes-decide-the-height", test_all_lanes_decide_the_height);
  g_test_add_func ("/render/svg-and-pdf-are-such", test_svg_and_pdf_are_such);
  g_test_add_func ("/render/an-empty-trace-is-a-picture-too", test_an_empty_trace_is_a_picture_too);
  g_test_add_func ("/render/sizes-that-cannot-be-are-refused",
                   test_sizes_that_cannot_be_are_refused);
  g_test_add_func ("/render/what-a-process-tells-is-in-its-lane",
                   test_what_a_process_tells_is_in_its_lane);
  g_test_add_func ("/render/a-full-disk-is-told", test_a_full_disk_is_told);
  return g_test_run ();
}

/* Tests the labels of the timeline: none overlaps another, for any rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"

#include "ns-fake-trace.h"

#include <string.h>

#define NAMES_PX 200
#define PLOT_PX 900
#define END_NS G_GINT64_CONSTANT (9000000)
#define N_CONNECTIONS 6

typedef struct
{
  NsTrace *trace;
  NsPalette palette;
  NsTimelineMetrics metrics;
  NsTimelineLanes *lanes;
  NsOverviewBins *bins;
  GArray *boxes;
  const NsTimelineTexts *words; /* (nullable): label formatter used for painting */
  guint n_pressed;              /* label and mark positions at which a press hits the bar */
  guint n_inked; /* px in the middle of the second lane that differ from the background */
} World;

/* Adds overlapping, nested and adjacent rows, short and long. */
static void
report_story (World *self, guint n_rows)
{
  static const gint64 lengths[] = { 1500, 40000, 300000, 1200000, 6000000 };
  g_autoptr (GRand) dice = g_rand_new_with_seed (n_rows);
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      gint64 open_ns = (gint64) (END_NS * ((double) i + g_rand_double (dice)) / n_rows);
      gint64 length = lengths[(guint) g_rand_int_range (dice, 0, G_N_ELEMENTS (lengths))];
      NsActivityRow *row = fake_trace_add (self->trace,
                                           1,
                                           "server",
                                           1 + (NsRow) g_rand_int_range (dice, 0, N_CONNECTIONS),
                                           open_ns,
                                           open_ns + length);

      row->protocol = NS_LAYER_WINHTTP;
      row->reused = (gint8) g_rand_int_range (dice, 0, 2);
      row->method = ns_strings_add (self->trace->strings, "GET");
      row->url = ns_strings_add (self->trace->strings, "https://x/a/path");
      if (g_rand_int_range (dice, 0, 5) == 0)
        {
          row->failed = TRUE;
          row->http_status = 503;
        }
      fake_phases (row)[NS_PHASE_WAIT] = length;
    }
}

static void
world_init (World *self, gint64 end_ns)
{
  memset (self, 0, sizeof *self);
  self->trace = fake_trace_new (end_ns);
  ns_palette_init (&self->palette, NS_PALETTE_LIGHT);
  ns_timeline_metrics_init (&self->metrics, 1);
  self->bins = g_new (NsOverviewBins, 1);
  self->boxes = g_array_new (FALSE, FALSE, sizeof (cairo_rectangle_t));
}

/* Sorts the rows after all were added. */
static void
world_sort (World *self)
{
  static const NsTimelineTexts words = { "connection",  "no server", "no process",
                                         "no activity", NULL,        "cache" };

  self->lanes = ns_timeline_lanes_new (self->trace, NULL, &words);
  ns_overview_bins_init_until (self->bins,
                               self->trace,
                               NULL,
                               (NsTimeSpan){ 0, self->trace->end_ns },
                               G_MAXINT64);
}

static void
world_clear (World *self)
{
  g_array_unref (self->boxes);
  g_free (self->bins);
  ns_timeline_lanes_free (self->lanes);
  fake_trace_free (self->trace);
}

static gboolean
is_inside_a_bar (const NsTimelineList *list, guint lane, double x0, double x1)
{
  guint i;

  for (i = 0; i < list->bars->len; i++)
    {
      const NsTimelineBar *bar = &g_array_index (list->bars, NsTimelineBar, i);

      if (bar->shown == lane && bar->x0 <= x0 && bar->x1 >= x1)
        return TRUE;
    }
  return FALSE;
}

/* A press on the label or on the end mark of a bar hits the bar. */
static void
check_presses (World *self, const NsTimelineList *list)
{
  double top = self->metrics.overview + self->metrics.ruler;
  gboolean has_counts = FALSE;
  guint i;

  /* Labels of folded blocks are counts. */
  for (i = 0; i < list->columns->len; i++)
    has_counts |= !g_array_index (list->columns, NsTimelineColumn, i).is_profile;
  for (i = 0; i < self->boxes->len && !has_counts; i++)
    {
      const cairo_rectangle_t *box = &g_array_index (self->boxes, cairo_rectangle_t, i);
      double x = box->x + box->width / 2 - NAMES_PX;
      guint lane = (guint) ((box->y + box->height / 2 - top) / self->metrics.lane);

      if (x < 0 || box->y <= top)
        continue;
      g_assert_nonnull (ns_timeline_list_find_at (list, lane, x));
      self->n_pressed++;
    }
  for (i = 0; i < list->bars->len; i++)
    {
      const NsTimelineBar *bar = &g_array_index (list->bars, NsTimelineBar, i);
      const NsActivityRow *row = &g_array_index (self->trace->activities, NsActivityRow, bar->row);

      const NsTimelineBar *found = ns_timeline_list_find_at (list, bar->shown, bar->x1 + 9);

      if (!row->failed || bar->right < bar->x1 + 13)
        continue;
      g_assert_true (found == bar || (found->x0 <= bar->x1 + 9 && found->x1 >= bar->x1 + 9));
      g_assert_true (ns_timeline_list_find_at (list, bar->shown, bar->right + 9) != bar);
      self->n_pressed++;
    }
}

/* A label is either inside a bar or where no bar is; a bar painted later hides it. */
static void
check_words_and_bars (const World *self, const NsTimelineList *list)
{
  double top = self->metrics.overview + self->metrics.ruler;
  guint i;
  guint k;

  for (i = 0; i < self->boxes->len; i++)
    {
      const cairo_rectangle_t *box = &g_array_index (self->boxes, cairo_rectangle_t, i);
      double x0 = box->x - NAMES_PX;
      double x1 = x0 + box->width;
      guint lane = (guint) ((box->y + box->height / 2 - top) / self->metrics.lane);
      gboolean is_hit = FALSE;

      for (k = 0; k < list->bars->len && x0 >= 0 && box->y > top; k++)
        {
          const NsTimelineBar *bar = &g_array_index (list->bars, NsTimelineBar, k);

          if (bar->shown != lane || bar->x1 <= x0 + 1 || bar->x0 >= x1 - 1)
            continue;
          is_hit = bar->x0 > x0 || bar->x1 < x1;
        }
      g_assert_false (is_hit);
      for (k = 0; k < list->columns->len && x0 >= 0 && box->y > top; k++)
        {
          const NsTimelineColumn *column = &g_array_index (list->columns, NsTimelineColumn, k);
          double left = (double) column->column * NS_TIMELINE_COLUMN_PX;

          if (column->shown == lane && left + NS_TIMELINE_COLUMN_PX > x0 && left < x1)
            is_hit = !is_inside_a_bar (list, lane, x0, x1);
          g_assert_false (is_hit);
        }
    }
}

/* Counts the painted px in the middle of the second lane. */
static guint
count_ink (const World *self, cairo_surface_t *surface)
{
  const guint8 *data;
  int stride = cairo_image_surface_get_stride (surface);
  int top = (int) (self->metrics.overview + self->metrics.ruler + self->metrics.lane);
  guint n_inked = 0;
  int x;
  int y;

  cairo_surface_flush (surface);
  data = cairo_image_surface_get_data (surface);
  for (y = top + 6; y < top + 18; y++)
    for (x = NAMES_PX + PLOT_PX / 2; x < NAMES_PX + PLOT_PX / 2 + 60; x++)
      {
        guint32 pixel;

        memcpy (&pixel, data + y * stride + 4 * x, 4);
        /* A selected time span tints the background. */
        n_inked += (pixel >> 16 & 0xff) < 0xe0 || (pixel & 0xff) < 0xe0;
      }
  return n_inked;
}

/* Paints the visible span and records the position of each text. */
static void
paint (World *self, NsTimeSpan view, NsTimeSpan selected, gint64 clock_base_ns)
{
  PangoFontDescription *dense = pango_font_description_from_string ("sans-serif 10");
  PangoFontDescription *caption = pango_font_description_from_string ("sans-serif 9");
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, NAMES_PX + PLOT_PX, 400);
  NsTimelineLayout layout;
  g_autoptr (NsTimelineList) list = NULL;
  NsTimelineScene scene = { .trace = self->trace,
                            .lanes = self->lanes,
                            .layout = &layout,
                            .metrics = &self->metrics,
                            .overview = self->bins,
                            .names_width = NAMES_PX,
                            .height = 400,
                            .clock_base_ns = clock_base_ns,
                            .selected = selected,
                            .pill = "1,893 ms · 4 rows",
                            .hover_row = NS_ROW_NONE,
                            .focus_row = NS_ROW_NONE,
                            .hover_lane = NS_LANE_NONE,
                            .title = "Overview",
                            .words = self->words,
                            .corner = "process" };
  NsPaint painter = { .cr = cairo_create (surface),
                      .palette = &self->palette,
                      .dense = dense,
                      .caption = caption,
                      .scale = 1,
                      .boxes = self->boxes };

  ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, MAX (END_NS, view.end_ns) }, PLOT_PX);
  ns_timeline_layout_show (&layout, view);
  list = ns_timeline_list_new (self->lanes, &layout, 0, 100);
  scene.list = list;
  g_array_set_size (self->boxes, 0);
  ns_timeline_paint (&painter, &scene);
  check_words_and_bars (self, list);
  check_presses (self, list);
  cairo_destroy (painter.cr);
  self->n_inked = count_ink (self, surface);
  cairo_surface_destroy (surface);
  pango_font_description_free (dense);
  pango_font_description_free (caption);
}

/* Asserts that no texts overlap, and returns the number of texts in the plot. */
static guint
check_no_box_meets_another (World *self)
{
  guint n_in_plot = 0;
  guint i;
  guint k;

  for (i = 0; i < self->boxes->len; i++)
    {
      const cairo_rectangle_t *box = &g_array_index (self->boxes, cairo_rectangle_t, i);

      n_in_plot += box->x >= NAMES_PX;
      for (k = i + 1; k < self->boxes->len; k++)
        {
          const cairo_rectangle_t *other = &g_array_index (self->boxes, cairo_rectangle_t, k);
          gboolean is_beside = box->x + box->width <= other->x || other->x + other->width <= box->x;
          /* Adjacent lines of text may touch. */
          gboolean is_above =
              box->y + box->height <= other->y + 4 || other->y + other->height <= box->y + 4;

          if (!is_beside && !is_above)
            g_error ("words at %g+%g, %g and %g+%g, %g",
                     box->x,
                     box->width,
                     box->y,
                     other->x,
                     other->width,
                     other->y);
        }
    }
  return n_in_plot;
}

static void
test_no_word_stands_on_another (void)
{
  static const guint n_rows[] = { 12, 60, 600 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (n_rows); i++)
    {
      World world;
      gint64 length;
      guint n_words = 0;

      world_init (&world, END_NS);
      report_story (&world, n_rows[i]);
      world_sort (&world);
      for (length = END_NS; length > 20000; length /= 2)
        {
          gint64 begin_ns = (END_NS - length) / 2;

          paint (&world,
                 (NsTimeSpan){ begin_ns, begin_ns + length },
                 (NsTimeSpan){ begin_ns + length / 7, begin_ns + length / 6 },
                 -1);
          n_words += check_no_box_meets_another (&world);
        }
      g_assert_cmpuint (n_words, >, 40);
      world_clear (&world);
    }
}

/* At a high zoom far from the beginning, time labels are longer than the steps between them. */
static void
test_times_of_the_ruler_keep_apart (void)
{
  World world;
  gint64 length;

  world_init (&world, END_NS);
  report_story (&world, 12);
  world_sort (&world);
  for (length = 1000; length < G_GINT64_CONSTANT (1000000000000); length *= 4)
    {
      gint64 begin_ns = G_GINT64_CONSTANT (3600) * 24 * NS_PER_SECOND * 9 + 1234567;
      const NsTimeSpan view = { begin_ns, begin_ns + length };

      paint (&world, view, (NsTimeSpan){ 0, 0 }, -1);
      g_assert_cmpuint (check_no_box_meets_another (&world), >, 1);
      paint (&world, view, (NsTimeSpan){ 0, 0 }, G_GINT64_CONSTANT (12345678901234));
      g_assert_cmpuint (check_no_box_meets_another (&world), >, 1);
    }
  world_clear (&world);
}

/* Far inside a row its width exceeds the range of px coordinates; the visible part is still a
 * bar. */
static void
test_a_row_looked_at_closely_is_a_bar (void)
{
  const guint kinds = 8; /* failed, inferred, torn, or none of these */
  guint kind;

  for (kind = 0; kind < kinds; kind++)
    {
      World world;
      NsActivityRow *row;
      gint64 middle_ns = G_GINT64_CONSTANT (43200) * NS_PER_SECOND;

      world_init (&world, 2 * middle_ns);
      row = fake_trace_add (world.trace,
                            1,
                            "server",
                            1,
                            0,
                            (kind & 4) != 0 ? NS_TIME_OPEN : 2 * middle_ns);
      row->protocol = NS_LAYER_WINHTTP;
      row->failed = (kind & 1) != 0;
      row->inferred = (kind & 2) != 0;
      row->opened_before_trace = (kind & 4) != 0;
      fake_phases (row)[NS_PHASE_WAIT] = (kind & 1) != 0 ? 0 : 2 * middle_ns;
      world_sort (&world);
      paint (&world,
             (NsTimeSpan){ middle_ns, middle_ns + 5000 },
             (NsTimeSpan){ 0, 2 * middle_ns },
             -1);
      g_test_message ("kind %u: %u px", kind, world.n_inked);
      g_assert_cmpuint (world.n_inked, >, 200);
      world_clear (&world);
    }
}

static void
test_marks_and_words_belong_to_their_bar (void)
{
  World world;
  guint i;

  world_init (&world, END_NS);
  for (i = 0; i < 3; i++)
    {
      NsActivityRow *row = fake_trace_add (world.trace,
                                           1,
                                           "server",
                                           1,
                                           i * END_NS / 4,
                                           i * END_NS / 4 + END_NS / 20);

      row->protocol = NS_LAYER_WINHTTP;
      row->method = ns_strings_add (world.trace->strings, "GET");
      row->failed = i == 1;
      row->http_status = i == 1 ? 503 : 200;
    }
  world_sort (&world);
  paint (&world, (NsTimeSpan){ 0, END_NS }, (NsTimeSpan){ 0, 0 }, -1);
  /* Three labels and a cross. */
  g_assert_cmpuint (world.n_pressed, ==, 4);
  world_clear (&world);
}

static guint64 most_counted;

static char *
count_cb (guint64 number)
{
  most_counted = MAX (most_counted, number);
  return g_strdup ("many");
}

/* Numbers of lanes and of folded rows are formatted by the callback of the front end. */
static void
test_numbers_are_written_by_whoever_speaks (void)
{
  static const NsTimelineTexts words = { .count = count_cb };
  World world;

  world_init (&world, END_NS);
  report_story (&world, 3000);
  world_sort (&world);
  world.words = &words;
  most_counted = 0;
  paint (&world, (NsTimeSpan){ 0, END_NS }, (NsTimeSpan){ 0, 0 }, -1);
  g_assert_cmpuint (most_counted, ==, 3000);
  world_clear (&world);
}

static char *
several_cb (NsConnectionKind end, guint n, guint32 lowest, guint32 highest)
{
  return g_strdup ("several");
}

/* In a lane shared by connections each bar has the number of its connection, even without another
 * label. */
static void
test_bars_of_a_shared_lane_have_numbers (void)
{
  static const NsTimelineTexts words = { .several = several_cb };
  guint n_words[2] = { 0, 0 };
  guint pass;

  for (pass = 0; pass < 2; pass++)
    {
      World world;
      double foot;
      guint i;

      world_init (&world, END_NS);
      for (i = 0; i < 12; i++)
        fake_trace_add (world.trace,
                        1,
                        "server",
                        i + 1,
                        i * END_NS / 12,
                        i * END_NS / 12 + END_NS / 40);
      world_sort (&world);
      if (pass == 1)
        {
          ns_timeline_lanes_free (world.lanes);
          world.lanes = ns_timeline_lanes_new (world.trace, NULL, &words);
        }
      else
        ns_timeline_lanes_set_folded (world.lanes, 1, TRUE);
      paint (&world, (NsTimeSpan){ 0, END_NS }, (NsTimeSpan){ 0, 0 }, -1);
      foot = world.metrics.overview + world.metrics.ruler + 2 * world.metrics.lane;
      for (i = 0; i < world.boxes->len; i++)
        {
          const cairo_rectangle_t *box = &g_array_index (world.boxes, cairo_rectangle_t, i);

          if (box->x > NAMES_PX && box->y > foot - world.metrics.lane && box->y < foot)
            n_words[pass]++;
        }
      world_clear (&world);
    }
  g_assert_cmpuint (n_words[0], ==, 0);
  g_assert_cmpuint (n_words[1], >=, 10);
}

/* The estimated minimum width must not exceed the actual width, because texts that do not fit by
 * the estimate are never measured. */
static void
test_no_text_is_narrower_than_its_least (void)
{
  static const char *const fonts[] = { "Sans 8",
                                       "Serif Italic 9",
                                       "Monospace 11",
                                       "Sans 32px",
                                       "Sans" };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 8, 8);
  NsPaint paint = { .cr = cairo_create (surface), .scale = 1 };
  guint i;
  char letter;

  for (i = 0; i < G_N_ELEMENTS (fonts); i++)
    {
      PangoFontDescription *font = pango_font_description_from_string (fonts[i]);

      for (letter = ' '; letter <= '~'; letter++)
        {
          g_autofree char *text = g_strnfill (40, letter);
          double least = ns_paint_text_least_width (font, text);

          g_assert_cmpfloat (least, <=, ns_paint_text_width (&paint, font, text));
          g_assert_true (pango_font_description_get_size (font) == 0 || least > 40);
        }
      pango_font_description_free (font);
    }
  g_object_unref (paint.layout);
  cairo_destroy (paint.cr);
  cairo_surface_destroy (surface);
}

/* Addresses of one network have equal beginnings, so the end is kept when they are shortened. */
static void
test_addresses_keep_their_ends (void)
{
  g_assert_cmpint (ns_paint_get_ellipsis ("[fe80::7c23:ce3c:94a7:e6af]:53075"),
                   ==,
                   PANGO_ELLIPSIZE_MIDDLE);
  g_assert_cmpint (ns_paint_get_ellipsis ("2001:db8::1"), ==, PANGO_ELLIPSIZE_MIDDLE);
  g_assert_cmpint (ns_paint_get_ellipsis ("10.128.2.18:50649"), ==, PANGO_ELLIPSIZE_END);
  g_assert_cmpint (ns_paint_get_ellipsis ("mail.example.com:443"), ==, PANGO_ELLIPSIZE_END);
  g_assert_cmpint (ns_paint_get_ellipsis ("3 connections: 7: 9"), ==, PANGO_ELLIPSIZE_END);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/labels/no-word-stands-on-another", test_no_word_stands_on_another);
  g_test_add_func ("/labels/times-of-the-ruler-keep-apart", test_times_of_the_ruler_keep_apart);
  g_test_add_func ("/labels/a-row-looked-at-closely-is-a-bar",
                   test_a_row_looked_at_closely_is_a_bar);
  g_test_add_func ("/labels/marks-and-words-belong-to-their-bar",
                   test_marks_and_words_belong_to_their_bar);
  g_test_add_func ("/labels/numbers-are-written-by-whoever-speaks",
                   test_numbers_are_written_by_whoever_speaks);
  g_test_add_func ("/labels/bars-of-a-shared-lane-have-numbers",
                   test_bars_of_a_shared_lane_have_numbers);
  g_test_add_func ("/labels/no-text-is-narrower-than-its-least",
                   test_no_text_is_narrower_than_its_least);
  g_test_add_func ("/labels/addresses-keep-their-ends", test_addresses_keep_their_ends);
  return g_test_run ();
}

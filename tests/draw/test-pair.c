/* Tests the drawings of traces from two machines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-pair-lanes.h"
#include "draw/ns-pair-paint.h"
#include "ns-fake-trace.h"

#include <math.h>

#define MS (NS_PER_SECOND / 1000)
#define WIDTH 434
#define HEIGHT 108
/* The lanes have 234 px of names and 200 px for 15 ms; the request takes 10 ms of these. */
#define REQUEST_X0 267
#define REQUEST_X1 400

typedef struct
{
  NsTrace *client;
  NsPairs pairs;
  NsPalette palette;
  NsPaint paint;
  cairo_surface_t *surface;
} Fixture;

static void
add_way (Fixture *self, guint sender, gint64 time_ns, gint64 apart_ns)
{
  NsPairDeviation deviation = { time_ns, apart_ns };

  g_array_append_val (self->pairs.deviations[sender], deviation);
}

/* A request of 10 ms: 1 ms queued, 2 ms to the server, 1 ms queued there, 4 ms processing, 2 ms
 * back. */
static void
set_up (Fixture *self, gconstpointer data)
{
  NsPairRow row = { .client = 1,
                    .server = 1,
                    .open_ns = 100 * MS,
                    .duration_ns = 10 * MS,
                    .phases = { MS, 2 * MS, MS, 4 * MS, 2 * MS } };
  guint i;

  self->client = fake_trace_new (NS_PER_SECOND);
  fake_trace_add (self->client, 1, "web-01", 1, 100 * MS, 110 * MS)->protocol = NS_LAYER_WINHTTP;
  self->pairs.traces[0] = self->pairs.traces[1] = self->client;
  self->pairs.rows = g_array_new (FALSE, FALSE, sizeof (NsPairRow));
  g_array_append_val (self->pairs.rows, row);
  for (i = 0; i < 2; i++)
    self->pairs.deviations[i] = g_array_new (FALSE, FALSE, sizeof (NsPairDeviation));
  self->pairs.clock = NS_PAIRS_CLOCK_EXCHANGES;
  self->pairs.fit.uncertainty_ns = MS;
  ns_palette_init (&self->palette, NS_PALETTE_LIGHT);
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  self->paint = (NsPaint){ .cr = cairo_create (self->surface),
                           .palette = &self->palette,
                           .dense = pango_font_description_from_string ("Sans 10"),
                           .caption = pango_font_description_from_string ("Sans 8"),
                           .scale = 1 };
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  guint i;

  pango_font_description_free ((PangoFontDescription *) self->paint.dense);
  pango_font_description_free ((PangoFontDescription *) self->paint.caption);
  g_clear_object (&self->paint.layout);
  cairo_destroy (self->paint.cr);
  cairo_surface_destroy (self->surface);
  g_array_unref (self->pairs.rows);
  for (i = 0; i < 2; i++)
    g_array_unref (self->pairs.deviations[i]);
  fake_trace_free (self->client);
}

static NsPairRow *
get_row (Fixture *self)
{
  return &g_array_index (self->pairs.rows, NsPairRow, 0);
}

static guint32
to_pixel (NsColor color)
{
  return (guint32) lround (color.red * 255) << 16 | (guint32) lround (color.green * 255) << 8 |
         (guint32) lround (color.blue * 255);
}

static guint32
get_pixel (Fixture *self, guint x, guint y)
{
  const guint32 *pixels;

  cairo_surface_flush (self->surface);
  pixels = (const guint32 *) (gpointer) cairo_image_surface_get_data (self->surface);
  return pixels[y * (guint) cairo_image_surface_get_stride (self->surface) / 4 + x] & 0xffffff;
}

/* Mixed colours are rounded. */
static gboolean
is_near (guint32 one, guint32 other)
{
  guint shift;

  for (shift = 0; shift < 24; shift += 8)
    if (ABS ((int) (one >> shift & 0xff) - (int) (other >> shift & 0xff)) > 2)
      return FALSE;
  return TRUE;
}

static gboolean
has_color (Fixture *self, guint x, guint y, guint32 color)
{
  return is_near (get_pixel (self, x, y), color);
}

static guint
count_pixels (Fixture *self, guint x0, guint x1, guint32 color)
{
  guint n = 0;
  guint x;
  guint y;

  for (y = 0; y < HEIGHT; y++)
    for (x = x0; x < x1; x++)
      n += has_color (self, x, y, color);
  return n;
}

/* Parts follow each other; an unknown part takes no space, so the end stays empty. */
static void
test_parts_have_the_room_of_their_time (Fixture *self, gconstpointer data)
{
  NsPairBox boxes[NS_PAIR_N_PHASES];
  NsPairRow *row = get_row (self);

  g_assert_cmpuint (ns_pair_paint_layout (row, 10, 110, boxes), ==, 5);
  g_assert_cmpfloat (boxes[0].x0, ==, 10);
  g_assert_cmpfloat (boxes[1].x0, ==, 20);
  g_assert_cmpfloat (boxes[2].x0, ==, 40);
  g_assert_cmpfloat (boxes[3].x0, ==, 50);
  g_assert_cmpfloat (boxes[4].x0, ==, 90);
  g_assert_cmpfloat (boxes[4].x1, ==, 110);
  row->phases[NS_PAIR_SERVER_QUEUE] = NS_UNKNOWN;
  g_assert_cmpuint (ns_pair_paint_layout (row, 10, 110, boxes), ==, 4);
  g_assert_cmpint (boxes[2].phase, ==, NS_PAIR_SERVER_WORK);
  g_assert_cmpfloat (boxes[2].x0, ==, 40);
  g_assert_cmpfloat (boxes[3].x1, ==, 100);
  row->duration_ns = 0;
  row->phases[0] = row->phases[1] = row->phases[3] = row->phases[4] = 0;
  g_assert_cmpuint (ns_pair_paint_layout (row, 10, 110, boxes), ==, 0);
}

static void
test_ways_stand_by_how_far_they_are (Fixture *self, gconstpointer data)
{
  const NsPairDeviation late = { 0, 2 * MS };
  const NsPairDeviation early = { 0, -2 * MS };
  const NsPairDeviation near = { 0, -MS };

  g_assert_cmpfloat (ns_pair_paint_get_clock_y (&self->pairs, 0, 108), ==, 54);
  g_assert_cmpfloat (ns_pair_paint_get_clock_y (&self->pairs, MS, 108), ==, 54 - 16);
  g_assert_cmpfloat (ns_pair_paint_get_clock_y (&self->pairs, -3 * MS, 108), ==, 54 + 48);
  /* Points beyond the range are clamped to the edge. */
  g_assert_cmpfloat (ns_pair_paint_get_clock_y (&self->pairs, -300 * MS, 108), ==, 54 + 48);
  /* Without an uncertainty band all points are in the range. */
  self->pairs.fit.uncertainty_ns = 0;
  add_way (self, 0, 0, -8 * MS);
  g_assert_cmpfloat (ns_pair_paint_get_clock_y (&self->pairs, 5 * MS, 108), ==, 54 - 24);
  self->pairs.fit.uncertainty_ns = MS;
  /* Packets of the first machine cannot be below the band, those of the second not above it. */
  g_assert_false (ns_pair_deviation_is_wrong (&self->pairs, 0, &late));
  g_assert_true (ns_pair_deviation_is_wrong (&self->pairs, 0, &early));
  g_assert_true (ns_pair_deviation_is_wrong (&self->pairs, 1, &late));
  g_assert_false (ns_pair_deviation_is_wrong (&self->pairs, 1, &early));
  g_assert_false (ns_pair_deviation_is_wrong (&self->pairs, 0, &near));
}

static void
test_what_contradicts_the_clock_is_red (Fixture *self, gconstpointer data)
{
  guint32 red = to_pixel (self->palette.colors[NS_COLOR_FAILURE]);
  guint32 blue = to_pixel (self->palette.colors[NS_COLOR_ACCENT]);
  guint32 band = to_pixel (ns_color_mix (&self->palette.colors[NS_COLOR_ACCENT],
                                         &self->palette.colors[NS_COLOR_BASE],
                                         0.14));
  guint n_blue;

  add_way (self, 0, 0, 2 * MS);
  add_way (self, 0, 100 * MS, 2 * MS);
  add_way (self, 1, 50 * MS, -2 * MS);
  ns_pair_paint_clock (&self->paint, &self->pairs, WIDTH, HEIGHT);
  g_assert_cmpuint (count_pixels (self, 60, WIDTH, red), ==, 0);
  g_assert_true (has_color (self, 200, 50, band));
  g_assert_true (has_color (self, 200, 20, to_pixel (self->palette.colors[NS_COLOR_BASE])));
  n_blue = count_pixels (self, 60, WIDTH, blue);
  /* Of two points in one slot only the tighter one is drawn. */
  add_way (self, 0, 100 * MS, 2 * MS - 1);
  ns_pair_paint_clock (&self->paint, &self->pairs, WIDTH, HEIGHT);
  g_assert_cmpuint (count_pixels (self, 60, WIDTH, blue), ==, n_blue);
  add_way (self, 0, 100 * MS, -2 * MS);
  ns_pair_paint_clock (&self->paint, &self->pairs, WIDTH, HEIGHT);
  g_assert_cmpuint (count_pixels (self, 60, WIDTH, red), >, 0);
}

/* The server's part is in the server lane, at its own times only. */
static void
test_lanes_are_of_one_clock (Fixture *self, gconstpointer data)
{
  const char *const names[] = { "", "" };
  guint32 hue = to_pixel (self->palette.colors[NS_COLOR_WINHTTP]);
  guint32 work = to_pixel (ns_color_mix (&self->palette.colors[NS_COLOR_WINHTTP],
                                         &self->palette.colors[NS_COLOR_BASE],
                                         0.3));
  /* From 4 to 8 of the 10 ms. */
  guint x0 = REQUEST_X0 + (REQUEST_X1 - REQUEST_X0) * 4 / 10;
  guint x1 = REQUEST_X0 + (REQUEST_X1 - REQUEST_X0) * 8 / 10;
  guint y = (guint) (24 + 28 * 2);

  g_assert_cmpfloat (ns_pair_paint_get_lanes_height (1), ==, 24 + 28 * 2.5);
  ns_pair_paint_lanes (&self->paint, &self->pairs, get_row (self), names, WIDTH);
  g_assert_true (has_color (self, (x0 + x1) / 2, y, work));
  g_assert_true (has_color (self, x0 + 4, y, work));
  g_assert_true (has_color (self, x1 - 4, y, work));
  g_assert_false (has_color (self, x1 + 8, y, work));
  g_assert_false (has_color (self, x0 - 20, y, work));
  /* The client waits during all of it. */
  g_assert_true (has_color (self, (x0 + x1) / 2, 24 + 14, work));
  g_assert_cmpuint (count_pixels (self, 0, 233, hue), ==, 0);
}

/* Adds a request like that of the fixture at another time. */
static void
add_request (Fixture *self, gint64 open_ns)
{
  NsPairRow row = *get_row (self);

  fake_trace_add (self->client, 1, "web-01", 1, open_ns, open_ns + 10 * MS)->protocol =
      NS_LAYER_WINHTTP;
  row.client = row.server = self->client->activities->len;
  row.open_ns = open_ns;
  g_array_append_val (self->pairs.rows, row);
}

/* Two heads of 24 px, and lanes of 28 px; 10 px are 1 ms, from 95 ms on. */
static void
test_either_machine_has_lanes (Fixture *self, gconstpointer data)
{
  const char *const names[] = { "client", "server" };
  const char *const notes[] = { "", NULL };
  const guint32 rows[] = { 0, 1, 2 };
  guint32 work = to_pixel (ns_color_mix (&self->palette.colors[NS_COLOR_WINHTTP],
                                         &self->palette.colors[NS_COLOR_BASE],
                                         0.3));
  NsPairLanes *lanes = ns_pair_lanes_new (&self->pairs, rows, 1, names, notes);
  NsTimelineLayout layout;

  ns_timeline_layout_init (&layout, (NsTimeSpan){ 95 * MS, 115 * MS }, 200);
  g_assert_cmpuint (ns_pair_lanes_count (lanes), ==, 4);
  g_assert_cmpfloat (ns_pair_lanes_get_height (lanes, 1), ==, 24 + 2 * (24 + 28));
  g_assert_cmpfloat (ns_pair_lanes_find_y (lanes, 0, 1), ==, 24 + 24 + 14);
  g_assert_cmpfloat (ns_pair_lanes_find_y (lanes, 1, 1), <, 0);
  /* The client's row lasts from 100 to 110 ms, the server's from 103 to 108 ms. */
  g_assert_cmpuint (ns_pair_lanes_find_row (lanes, &layout, 234 + 55, 62, 1), ==, 0);
  g_assert_cmpuint (ns_pair_lanes_find_row (lanes, &layout, 234 + 145, 62, 1), ==, 0);
  g_assert_cmpuint (ns_pair_lanes_find_row (lanes, &layout, 234 + 100, 114, 1), ==, 0);
  g_assert_cmpuint (ns_pair_lanes_find_row (lanes, &layout, 234 + 55, 114, 1),
                    ==,
                    NS_PAIR_LANES_NONE);
  g_assert_cmpuint (ns_pair_lanes_find_row (lanes, &layout, 234 + 100, 88, 1),
                    ==,
                    NS_PAIR_LANES_NONE);
  g_assert_cmpuint (ns_pair_lanes_find_row (lanes, &layout, 100, 62, 1), ==, NS_PAIR_LANES_NONE);
  ns_pair_lanes_paint (lanes, &self->paint, &layout, NS_PAIR_LANES_NONE, 20, HEIGHT);
  g_assert_true (has_color (self, 234 + 100, 114 - 20, work));
  g_assert_true (has_color (self, 234 + 100, 62 - 20, work));
  g_assert_false (has_color (self, 234 + 60, 114 - 20, work));
  ns_pair_lanes_free (lanes);
  /* Concurrent requests have their own lanes, later ones reuse them. */
  add_request (self, 102 * MS);
  add_request (self, 120 * MS);
  lanes = ns_pair_lanes_new (&self->pairs, rows, 3, names, notes);
  g_assert_cmpuint (ns_pair_lanes_count (lanes), ==, 6);
  g_assert_cmpfloat (ns_pair_lanes_find_y (lanes, 1, 1), >, ns_pair_lanes_find_y (lanes, 0, 1));
  g_assert_cmpfloat (ns_pair_lanes_find_y (lanes, 2, 1), ==, ns_pair_lanes_find_y (lanes, 0, 1));
  ns_pair_lanes_free (lanes);
}

/* Returns the pixels of the icon before the name of a machine as text. */
static char *
dup_icon (Fixture *self, guint top)
{
  GString *text = g_string_new (NULL);
  guint x;
  guint y;

  for (y = top + 2; y < top + 22; y++)
    for (x = 8; x < 8 + 14; x++)
      g_string_append_printf (text, "%06x", get_pixel (self, x, y));
  return g_string_free (text, FALSE);
}

/* Server and client have different icons, whichever is the first machine. */
static void
test_server_and_client_are_told_apart (Fixture *self, gconstpointer data)
{
  const char *const names[] = { "", "" };
  const char *const notes[] = { NULL, NULL };
  const guint32 rows[] = { 0 };
  char *icons[2][2];
  NsTimelineLayout layout;
  guint i;

  ns_timeline_layout_init (&layout, (NsTimeSpan){ 95 * MS, 115 * MS }, 200);
  for (i = 0; i < 2; i++)
    {
      NsPairLanes *lanes;

      g_array_index (self->pairs.rows, NsPairRow, 0).client_machine = (guint8) i;
      lanes = ns_pair_lanes_new (&self->pairs, rows, 1, names, notes);
      ns_pair_lanes_paint (lanes, &self->paint, &layout, NS_PAIR_LANES_NONE, 0, HEIGHT);
      icons[i][0] = dup_icon (self, 24);
      icons[i][1] = dup_icon (self, 24 + 24 + 28);
      ns_pair_lanes_free (lanes);
    }
  g_assert_cmpstr (icons[0][0], !=, icons[0][1]);
  g_assert_cmpstr (icons[0][0], ==, icons[1][1]);
  g_assert_cmpstr (icons[0][1], ==, icons[1][0]);
  for (i = 0; i < 4; i++)
    g_free (icons[i / 2][i % 2]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/pair/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("parts-have-the-room-of-their-time", test_parts_have_the_room_of_their_time);
  ADD ("ways-stand-by-how-far-they-are", test_ways_stand_by_how_far_they_are);
  ADD ("what-contradicts-the-clock-is-red", test_what_contradicts_the_clock_is_red);
  ADD ("lanes-are-of-one-clock", test_lanes_are_of_one_clock);
  ADD ("either-machine-has-lanes", test_either_machine_has_lanes);
  ADD ("server-and-client-are-told-apart", test_server_and_client_are_told_apart);
#undef ADD
  return g_test_run ();
}

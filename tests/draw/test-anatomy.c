/* Tests every mark and state of a bar, by the painted pixels in each palette.
 *
 * If NETSTITCH_ANATOMY names a folder, the images are stored there for comparison with the design.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"

#include "ns-fake-trace.h"

#include <math.h>
#include <string.h>

#define NAMES_PX 220
#define PLOT_PX 400
/* One px of the plot is one µs. */
#define PX G_GINT64_CONSTANT (1000)

/* The contents of the lanes, from top to bottom below the lane of the process. */
typedef enum
{
  NEW,
  REUSED,
  FAILED,
  REDIRECT,
  TORN_LEFT,
  TORN_RIGHT,
  NOT_TRACED,
  FOLDED,
  CACHE,
  CANCELLED,
  INFERRED,
  HOVERED,
  SELECTED,
  FOCUSED,
  OUTSIDE_LABEL,
  N_SCENES
} Which;

static const char *const names[N_SCENES] = {
  "new connection, answered",
  "reused connection",
  "failed",
  "redirect",
  "torn left",
  "torn right",
  "phase not traced",
  "folded",
  "cache",
  "cancelled",
  "inferred",
  "hover",
  "selected",
  "focused",
  "label outside",
};

typedef struct
{
  NsTrace *trace;
  guint32 rows[N_SCENES];
  guint shown[N_SCENES]; /* lane of each scene, counted from the top */
  cairo_surface_t *surface;
  NsPalette palette;
  NsTimelineMetrics metrics;
} World;

static void
set_phases (NsActivityRow *row,
            gint64 queue,
            gint64 dns,
            gint64 connect,
            gint64 send,
            gint64 wait,
            gint64 receive)
{
  gint64 at = row->open_ns;

  fake_phases (row)[NS_PHASE_QUEUE] = queue * PX;
  fake_phases (row)[NS_PHASE_PROXY] = 0;
  fake_phases (row)[NS_PHASE_DNS] = dns * PX;
  fake_phases (row)[NS_PHASE_CONNECT] = connect * PX;
  fake_phases (row)[NS_PHASE_TLS] = 0;
  fake_phases (row)[NS_PHASE_SEND] = send * PX;
  fake_phases (row)[NS_PHASE_WAIT] = wait * PX;
  fake_phases (row)[NS_PHASE_RECEIVE] = receive * PX;
  at += (queue + dns + connect + send + wait) * PX;
  if (receive > 0)
    row->first_byte_ns = at;
}

static NsActivityRow *
add (World *self, Which which, gint64 from, gint64 to)
{
  NsActivityRow *row;

  self->rows[which] = self->trace->activities->len;
  row = fake_trace_add (self->trace,
                        1,
                        names[which],
                        which + 1,
                        from * PX,
                        to < 0 ? NS_TIME_OPEN : to * PX);
  row->protocol = NS_LAYER_WINHTTP;
  return row;
}

/* Adds a typical request: queued 14, sent 6, waited 70, received 40 px. */
static NsActivityRow *
add_usual (World *self, Which which)
{
  NsActivityRow *row = add (self, which, 20, 150);

  set_phases (row, 14, 0, 0, 6, 70, 40);
  row->reused = 1;
  return row;
}

static void
label (World *self, NsActivityRow *row, const char *method, const char *url)
{
  row->method = ns_strings_add (self->trace->strings, method);
  row->url = ns_strings_add (self->trace->strings, url);
}

static void
report_story (World *self)
{
  NsActivityRow *row;
  guint i;

  row = add_usual (self, NEW);
  row->reused = 0;
  label (self, row, "GET", "https://x/a");
  label (self, add_usual (self, REUSED), "GET", "https://x/b");
  row = add (self, FAILED, 20, 146);
  set_phases (row, 14, 30, 82, 0, 0, 0);
  row->reused = 0;
  row->failed = TRUE;
  row->error = 10061;
  row->error_family = NS_CODE_WIN32;
  row = add_usual (self, REDIRECT);
  row->redirected = TRUE;
  row->http_status = 302;
  row = add (self, TORN_LEFT, 0, 120);
  set_phases (row, 0, 0, 0, 0, 70, 50);
  row->opened_before_trace = TRUE;
  row = add (self, TORN_RIGHT, 200, -1);
  set_phases (row, 0, 0, 0, 8, 0, 0);
  fake_phases (row)[NS_PHASE_WAIT] = NS_UNKNOWN;
  row->reused = 1;
  row = add (self, NOT_TRACED, 20, 140);
  set_phases (row, 0, 0, 0, 0, 40, 30);
  for (i = NS_PHASE_QUEUE; i < NS_PHASE_WAIT; i++)
    fake_phases (row)[i] = NS_UNKNOWN;
  row->first_byte_ns = 110 * PX;
  row->reused = 0;
  for (i = 0; i < 148; i++)
    {
      row = add (self, FOLDED, 20, 20);
      row->open_ns = 20 * PX + i * i * 5;
      row->close_ns = row->open_ns + 200;
      row->failed = i == 60 || i == 110;
    }
  row = add (self, CACHE, 20, 23);
  row->from_cache = TRUE;
  row = add (self, CANCELLED, 20, 100);
  set_phases (row, 0, 0, 0, 6, 74, 0);
  row->reused = 1;
  row->cancelled = TRUE;
  row = add (self, INFERRED, 20, 120);
  set_phases (row, 0, 0, 0, 0, 60, 40);
  row->first_byte_ns = NS_TIME_NONE;
  row->inferred = TRUE;
  add_usual (self, HOVERED);
  add_usual (self, SELECTED);
  add_usual (self, FOCUSED);
  row = add (self, OUTSIDE_LABEL, 20, 60);
  set_phases (row, 0, 0, 0, 6, 14, 20);
  label (self, row, "GET", "https://x/owa/api");
}

/* Number of texts that the frame has already painted. */
static guint n_texts_before;

static void
paint_picture (World *self, NsTimelineScene *scene)
{
  PangoFontDescription *dense = pango_font_description_from_string ("sans-serif 10");
  PangoFontDescription *caption = pango_font_description_from_string ("sans-serif 9");
  NsPaint paint = { .palette = &self->palette,
                    .dense = dense,
                    .caption = caption,
                    .scale = 1,
                    .n_texts = n_texts_before };

  self->surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, NAMES_PX + PLOT_PX, (int) scene->height);
  paint.cr = cairo_create (self->surface);
  ns_timeline_paint (&paint, scene);
  cairo_destroy (paint.cr);
  cairo_surface_flush (self->surface);
  pango_font_description_free (dense);
  pango_font_description_free (caption);
}

/* Playback position of the trace; G_MAXINT64 for none. */
/* Name of the process of all bars. */
static const char *process_name = "one.exe";
/* Gap in the recording, or NULL. */
static const NsCoverageHole *missing;

static void
world_init_at (World *self, NsPaletteKind kind, gboolean is_arriving, gint64 moment_ns)
{
  static const NsTimelineTexts words = { "connection",  "no server", "no process",
                                         "no activity", NULL,        "cache" };
  const NsLaneOptions options = { .has_moment = moment_ns != G_MAXINT64, .moment_ns = moment_ns };
  NsTimelineScene scene = { 0 };
  NsTimelineLayout layout;
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autoptr (NsTimelineList) list = NULL;
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);
  g_autofree guint8 *marked = NULL;
  guint i;

  memset (self, 0, sizeof *self);
  self->trace = fake_trace_new (320 * PX);
  fake_trace_name_process (self->trace, 1, process_name);
  report_story (self);
  ns_palette_init (&self->palette, kind);
  ns_timeline_metrics_init (&self->metrics, 1);
  lanes = ns_timeline_lanes_new_grouped (self->trace, NULL, &words, &options);
  ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, PLOT_PX * PX }, PLOT_PX);
  for (i = 0; i < N_SCENES; i++)
    self->shown[i] = ns_timeline_lanes_reveal (lanes, self->rows[i]);
  list = ns_timeline_list_new (lanes, &layout, 0, 100);
  ns_overview_bins_init_until (bins, self->trace, NULL, layout.whole, moment_ns);
  marked = g_new0 (guint8, self->trace->activities->len);
  marked[self->rows[SELECTED]] = 1;
  scene.clock_base_ns = -1;
  scene.trace = self->trace;
  scene.lanes = lanes;
  scene.layout = &layout;
  scene.list = list;
  scene.metrics = &self->metrics;
  scene.overview = bins;
  scene.words = &words;
  scene.names_width = NAMES_PX;
  scene.height = self->metrics.overview + self->metrics.ruler + (N_SCENES + 1) * 24;
  scene.marked = marked;
  scene.hover_row = self->rows[HOVERED];
  scene.focus_row = self->rows[FOCUSED];
  scene.focus_lane = self->shown[FOCUSED];
  scene.has_focus = TRUE;
  scene.is_arriving = is_arriving;
  scene.has_moment = options.has_moment;
  scene.moment_ns = moment_ns;
  scene.hover_lane = NS_LANE_NONE;
  scene.holes = missing;
  scene.n_holes = missing != NULL ? 1 : 0;
  scene.title = "Overview";
  scene.corner = "process";
  paint_picture (self, &scene);
}

static void
world_init (World *self, NsPaletteKind kind, gboolean is_arriving)
{
  world_init_at (self, kind, is_arriving, G_MAXINT64);
}

static void
world_clear (World *self)
{
  cairo_surface_destroy (self->surface);
  fake_trace_free (self->trace);
}

/* Returns whether a pixel of the plot has a colour; y is relative to the middle of the lane. */
static gboolean
is_color (const World *self, Which which, double x, double y, const NsColor *wanted)
{
  const guint8 *data = cairo_image_surface_get_data (self->surface);
  double top =
      self->metrics.overview + self->metrics.ruler + self->shown[which] * self->metrics.lane;
  gsize line = (gsize) (top + self->metrics.lane / 2 + y);
  guint32 pixel;

  memcpy (&pixel,
          data + line * (gsize) cairo_image_surface_get_stride (self->surface) +
              4 * (gsize) (NAMES_PX + x),
          4);
  return fabs ((pixel >> 16 & 0xff) / 255.0 - wanted->red) < 0.012 &&
         fabs ((pixel >> 8 & 0xff) / 255.0 - wanted->green) < 0.012 &&
         fabs ((pixel & 0xff) / 255.0 - wanted->blue) < 0.012;
}

static gboolean
is_role (const World *self, Which which, double x, double y, NsColorRole role)
{
  return is_color (self, which, x, y, &self->palette.colors[role]);
}

static gboolean
is_shade (const World *self, Which which, double x, double y, double part)
{
  NsColor mixed = ns_color_mix (&self->palette.colors[NS_COLOR_WINHTTP],
                                &self->palette.colors[NS_COLOR_BASE],
                                part);

  return is_color (self, which, x, y, &mixed);
}

/* Counts the px of a column of the lane that differ from the background. */
static guint
count_high (const World *self, Which which, double x, NsColorRole ground)
{
  guint n_high = 0;
  int y;

  for (y = -11; y < 11; y++)
    n_high += is_role (self, which, x, y, ground) ? 0 : 1;
  return n_high;
}

static guint
count_role (const World *self, Which which, double x0, double x1, NsColorRole role)
{
  guint n_found = 0;
  double x;
  int y;

  for (x = x0; x < x1; x++)
    for (y = -11; y < 11; y++)
      n_found += is_role (self, which, x, y, role) ? 1 : 0;
  return n_found;
}

/* Counts the px between two columns that differ from the background. */
static guint
count_ink (const World *self, Which which, double x0, double x1)
{
  guint n_painted = 0;
  double x;

  for (x = x0; x < x1; x++)
    n_painted += count_high (self, which, x, NS_COLOR_BASE);
  return n_painted;
}

static void
check_phases (const World *self)
{
  /* The groups of phases have three different heights. */
  g_assert_cmpuint (count_high (self, NEW, 27, NS_COLOR_BASE), ==, 2);
  g_assert_true (is_role (self, NEW, 27, -3, NS_COLOR_WINHTTP));
  g_assert_true (is_role (self, NEW, 27, 2, NS_COLOR_WINHTTP));
  g_assert_cmpuint (count_high (self, FAILED, 45, NS_COLOR_BASE), ==, 10);
  g_assert_cmpuint (count_high (self, REUSED, 140, NS_COLOR_BASE), ==, 16);
  /* Fills of the phases, and an outline in the full hue. */
  g_assert_true (is_shade (self, NEW, 37, 0, 1));
  g_assert_true (is_shade (self, NEW, 100, 4, 0.30));
  g_assert_true (is_shade (self, NEW, 130, 0, 0.78));
  g_assert_true (is_shade (self, FAILED, 45, 0, 0.22));
  g_assert_true (is_role (self, NEW, 100, -8, NS_COLOR_WINHTTP));
  g_assert_true (is_role (self, NEW, 149, 0, NS_COLOR_WINHTTP));
  /* First byte: a black mark 2 px wide and 20 px high, with 1 px of background to its right. */
  g_assert_cmpuint (count_role (self, NEW, 108, 113, NS_COLOR_TEXT_STRONG), ==, 40);
  g_assert_true (is_role (self, NEW, 111, 0, NS_COLOR_BASE));
}

static void
check_marks (const World *self)
{
  /* ● is filled and ○ is not, 7 px left of the bar. */
  g_assert_true (is_role (self, NEW, 13, 0, NS_COLOR_WINHTTP));
  g_assert_true (is_role (self, REUSED, 13, 0, NS_COLOR_BASE));
  g_assert_cmpuint (count_role (self, CACHE, 8, 18, NS_COLOR_WINHTTP), ==, 0);
  /* The last phase of a failed row is hatched, with ✕ to its right. */
  g_assert_cmpuint (count_role (self, FAILED, 64, 146, NS_COLOR_FAILURE), >, 150);
  g_assert_true (is_role (self, FAILED, 145, 0, NS_COLOR_FAILURE));
  g_assert_cmpuint (count_role (self, FAILED, 151, 159, NS_COLOR_FAILURE), >, 5);
  g_assert_cmpuint (count_role (self, NEW, 0, 400, NS_COLOR_FAILURE), ==, 0);
  /* ↷ and ⊘ are at the same position. */
  g_assert_cmpuint (count_role (self, REDIRECT, 155, 169, NS_COLOR_TEXT), >, 5);
  g_assert_cmpuint (count_role (self, REUSED, 155, 169, NS_COLOR_TEXT), ==, 0);
  g_assert_cmpuint (count_high (self, CANCELLED, 110, NS_COLOR_BASE), >=, 2);
  /* Not traced: dots, no fill, and a dashed outline. */
  g_assert_cmpuint (count_high (self, NOT_TRACED, 45, NS_COLOR_BASE), <, 9);
  g_assert_cmpuint (count_role (self, NOT_TRACED, 20, 70, NS_COLOR_WINHTTP), <, 120);
  g_assert_true (is_shade (self, NOT_TRACED, 90, 0, 0.30));
  /* From the cache: an outline of 40 × 11 px, however short the row. */
  g_assert_true (is_role (self, CACHE, 40, 0, NS_COLOR_BASE));
  g_assert_cmpuint (count_role (self, CACHE, 20, 62, NS_COLOR_WINHTTP), >, 30);
  g_assert_cmpuint (count_role (self, CACHE, 62, 64, NS_COLOR_WINHTTP), ==, 0);
  g_assert_cmpuint (count_ink (self, CACHE, 64, 98), >, 30);
  /* Rows narrower than 2 px are combined into a shape with failures at its bottom. */
  g_assert_cmpuint (count_role (self, FOLDED, 20, 135, NS_COLOR_FAILURE), ==, 2 * 3 * 5);
  g_assert_true (is_shade (self, FOLDED, 22, 4, 0.50));
}

static void
check_edges (const World *self)
{
  /* Torn edge: no straight line in the hue closes the bar. */
  g_assert_cmpuint (count_role (self, TORN_LEFT, 0, 1, NS_COLOR_WINHTTP), <, 8);
  g_assert_cmpuint (count_role (self, NOT_TRACED, 139, 140, NS_COLOR_WINHTTP), ==, 16);
  g_assert_true (is_shade (self, TORN_LEFT, 40, 0, 0.30));
  g_assert_cmpuint (count_role (self, TORN_RIGHT, 319, 320, NS_COLOR_WINHTTP), <, 8);
  g_assert_true (is_role (self, TORN_RIGHT, 322, 0, NS_COLOR_BASE));
  /* An inferred bar has a dashed outline, an observed one a solid one. */
  g_assert_cmpuint (count_role (self, INFERRED, 22, 78, NS_COLOR_WINHTTP), <, 2 * 56);
  g_assert_cmpuint (count_role (self, CANCELLED, 28, 98, NS_COLOR_WINHTTP), ==, 2 * 70);
}

static void
check_states (const World *self)
{
  /* Rings 3 px around the bar: hover is 1.5 px of dim text colour, selection 2 px of accent colour
   * with a highlighted lane. */
  g_assert_true (is_role (self, REUSED, 60, -11, NS_COLOR_BASE));
  g_assert_false (is_role (self, HOVERED, 60, -11, NS_COLOR_BASE));
  g_assert_false (is_role (self, HOVERED, 60, 10, NS_COLOR_BASE));
  g_assert_cmpuint (count_role (self, SELECTED, 60, 61, NS_COLOR_ACCENT), >=, 2);
  g_assert_true (is_role (self, SELECTED, 290, 0, NS_COLOR_SEL_ROW));
  g_assert_true (is_role (self, HOVERED, 290, 0, NS_COLOR_BASE));
  /* Focus is a line around the lane and a ring around the bar. */
  g_assert_true (is_role (self, FOCUSED, 290, -12, NS_COLOR_FOCUS));
  g_assert_true (is_role (self, FOCUSED, 290, 11, NS_COLOR_FOCUS));
  g_assert_cmpuint (count_role (self, FOCUSED, 151, 156, NS_COLOR_FOCUS), >, 15);
}

static void
check_labels (const World *self)
{
  /* The label is inside the wait phase if it fits, otherwise to the right of the bar. */
  g_assert_cmpuint (count_role (self, NEW, 42, 105, NS_COLOR_TEXT), >, 5);
  g_assert_cmpuint (count_role (self, NEW, 153, 300, NS_COLOR_TEXT), ==, 0);
  g_assert_cmpuint (count_role (self, OUTSIDE_LABEL, 42, 60, NS_COLOR_TEXT), ==, 0);
  g_assert_cmpuint (count_ink (self, OUTSIDE_LABEL, 65, 98), >, 30);
}

static void
keep_picture (const World *self, const char *name)
{
  const char *folder = g_getenv ("NETSTITCH_ANATOMY");
  g_autofree char *path = NULL;

  if (folder == NULL)
    return;
  path = g_strdup_printf ("%s/%s.png", folder, name);
  cairo_surface_write_to_png (self->surface, path);
}

static void
test_the_bars_are_as_designed (gconstpointer data)
{
  static const char *const kinds[] = { "light", "dark", "hc", "hc-dark" };
  World world;

  world_init (&world, GPOINTER_TO_UINT (data), FALSE);
  keep_picture (&world, kinds[GPOINTER_TO_UINT (data)]);
  check_phases (&world);
  check_marks (&world);
  check_edges (&world);
  check_states (&world);
  check_labels (&world);
  world_clear (&world);
}

/* An open row has outlines above and below, and no right edge, torn or not. */
static void
test_what_is_still_arriving_has_no_right_edge (void)
{
  World world;

  world_init (&world, NS_PALETTE_LIGHT, TRUE);
  g_assert_cmpuint (count_role (&world, TORN_RIGHT, 317, 318, NS_COLOR_WINHTTP), ==, 2);
  g_assert_true (is_shade (&world, TORN_RIGHT, 317, 0, 0.30));
  g_assert_cmpuint (count_role (&world, TORN_RIGHT, 319, 324, NS_COLOR_WINHTTP), ==, 0);
  g_assert_cmpuint (count_role (&world, NOT_TRACED, 139, 140, NS_COLOR_WINHTTP), ==, 16);
  world_clear (&world);
}

/* Returns whether two gaps look the same. */
static gboolean
is_same_picture (const NsCoverageHole *first, const NsCoverageHole *second)
{
  World one;
  World other;
  gsize n_bytes;
  gboolean is_same;

  missing = first;
  world_init (&one, NS_PALETTE_DARK, FALSE);
  missing = second;
  world_init (&other, NS_PALETTE_DARK, FALSE);
  missing = NULL;
  n_bytes = (gsize) cairo_image_surface_get_stride (one.surface) *
            (gsize) cairo_image_surface_get_height (one.surface);
  is_same = memcmp (cairo_image_surface_get_data (one.surface),
                    cairo_image_surface_get_data (other.surface),
                    n_bytes) == 0;
  world_clear (&one);
  world_clear (&other);
  return is_same;
}

/* A bar is interrupted by a gap and torn on both sides of it. */
static void
test_what_is_missing_tears_bars (void)
{
  static const NsCoverageHole within = { { 80 * PX, 104 * PX }, "n_2.etl" };
  static const NsCoverageHole wide = { { 170 * PX, 300 * PX }, "n_2.etl" };
  static const NsCoverageHole nameless = { { 170 * PX, 300 * PX }, NULL };
  static const NsCoverageHole is_long = {
    { 170 * PX, 300 * PX },
    "a name that has no room in a hundred and thirty px.etl",
  };
  World world;

  world_init (&world, NS_PALETTE_DARK, FALSE);
  g_assert_cmpuint (count_role (&world, REUSED, 84, 100, NS_COLOR_WINHTTP), >, 0);
  g_assert_true (is_shade (&world, REUSED, 72, 0, 0.30));
  world_clear (&world);
  missing = &within;
  world_init (&world, NS_PALETTE_DARK, FALSE);
  missing = NULL;
  keep_picture (&world, "missing");
  g_assert_cmpuint (count_role (&world, REUSED, 82, 102, NS_COLOR_WINHTTP), ==, 0);
  g_assert_true (is_shade (&world, REUSED, 72, 0, 0.30));
  g_assert_cmpuint (count_high (&world, REUSED, 115, NS_COLOR_BASE), >, 8);
  /* The torn edges reach into the bar on both sides. */
  g_assert_cmpuint (count_role (&world, REUSED, 76, 80, NS_COLOR_WINHTTP), >, 2 * 4);
  g_assert_cmpuint (count_role (&world, REUSED, 104, 108, NS_COLOR_WINHTTP), >, 2 * 4);
  world_clear (&world);

  g_assert_true (is_same_picture (&wide, &wide));
  g_assert_false (is_same_picture (&wide, &nameless));
  g_assert_true (is_same_picture (&is_long, &nameless));
}

/* Returns the height of the highest character to the left of the count in the process lane. */
static guint
measure_detail (const char *process)
{
  World world;
  guint highest = 0;
  double x;

  process_name = process;
  world_init (&world, NS_PALETTE_LIGHT, FALSE);
  process_name = "one.exe";
  world.shown[NEW] = 0;
  for (x = -50; x < -37; x++)
    highest = MAX (highest, count_high (&world, NEW, x, NS_COLOR_WINDOW));
  world_clear (&world);
  return highest;
}

/* The result of a row is not visible before its end. */
static void
test_a_playback_shows_no_end_ahead (void)
{
  static const struct
  {
    gint64 moment;
    gboolean has_failed;    /* the row that fails at 146 */
    guint n_failed_columns; /* folded rows that fail, at 38 and 81 */
  } cases[] = {
    { 37 * PX, FALSE, 0 },
    { 50 * PX, FALSE, 1 },
    { 146 * PX - 1, FALSE, 2 },
    { 146 * PX, TRUE, 2 },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      World world;
      guint n_columns = 0;

      world_init_at (&world, NS_PALETTE_LIGHT, FALSE, cases[i].moment);
      g_test_message ("at %" G_GINT64_FORMAT, cases[i].moment);
      g_assert_cmpint (count_role (&world, FAILED, 64, 146, NS_COLOR_FAILURE) > 150,
                       ==,
                       cases[i].has_failed);
      g_assert_cmpint (count_role (&world, FAILED, 0, 300, NS_COLOR_FAILURE) > 0,
                       ==,
                       cases[i].has_failed);
      n_columns += count_role (&world, FOLDED, 30, 50, NS_COLOR_FAILURE) > 0;
      n_columns += count_role (&world, FOLDED, 70, 90, NS_COLOR_FAILURE) > 0;
      g_assert_cmpuint (n_columns, ==, cases[i].n_failed_columns);
      world_clear (&world);
    }
}

static void
test_a_long_name_leaves_room_for_the_number_of_its_process (void)
{
  g_assert_cmpuint (measure_detail ("ab"), ==, 0);
  g_assert_cmpuint (measure_detail ("................................................"
                                    "................................................"),
                    >=,
                    7);
}

/* Beyond the limit a frame paints no labels beside bars and no folded counts, but still the lane
 * names. */
static void
test_a_frame_has_so_many_texts_only (void)
{
  guint n_ink[2];
  guint n_folded[2];
  guint i;

  for (i = 0; i < 2; i++)
    {
      World world;

      n_texts_before = i == 0 ? 0 : NS_PAINT_MAX_TEXTS;
      world_init (&world, NS_PALETTE_LIGHT, FALSE);
      n_texts_before = 0;
      n_ink[i] = count_ink (&world, OUTSIDE_LABEL, 65, 98);
      n_folded[i] = count_ink (&world, FOLDED, 140, 170);
      g_assert_cmpuint (count_ink (&world, NEW, 20, 150), >, 130);
      g_assert_cmpuint (count_ink (&world, NEW, -150, -20), >, 30);
      world_clear (&world);
    }
  g_assert_cmpuint (n_ink[0], >, 30);
  g_assert_cmpuint (n_ink[1], ==, 0);
  g_assert_cmpuint (n_folded[0], >, 20);
  g_assert_cmpuint (n_folded[1], ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_data_func ("/anatomy/light",
                        GUINT_TO_POINTER (NS_PALETTE_LIGHT),
                        test_the_bars_are_as_designed);
  g_test_add_data_func ("/anatomy/dark",
                        GUINT_TO_POINTER (NS_PALETTE_DARK),
                        test_the_bars_are_as_designed);
  g_test_add_data_func ("/anatomy/high-contrast",
                        GUINT_TO_POINTER (NS_PALETTE_HIGH_CONTRAST),
                        test_the_bars_are_as_designed);
  g_test_add_data_func ("/anatomy/high-contrast-dark",
                        GUINT_TO_POINTER (NS_PALETTE_HIGH_CONTRAST_DARK),
                        test_the_bars_are_as_designed);
  g_test_add_func ("/anatomy/what-is-still-arriving-has-no-right-edge",
                   test_what_is_still_arriving_has_no_right_edge);
  g_test_add_func ("/anatomy/a-frame-has-so-many-texts-only", test_a_frame_has_so_many_texts_only);
  g_test_add_func ("/anatomy/what-is-missing-tears-bars", test_what_is_missing_tears_bars);
  g_test_add_func ("/anatomy/a-playback-shows-no-end-ahead", test_a_playback_shows_no_end_ahead);
  g_test_add_func ("/anatomy/a-long-name-leaves-room-for-the-number-of-its-process",
                   test_a_long_name_leaves_room_for_the_number_of_its_process);
  return g_test_run ();
}

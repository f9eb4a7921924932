/* Measures building, layout and painting of a call tree from the stacks of many rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-flame-paint.h"
#include "ns-test-trace.h"

#define N_ROWS 100000
#define N_FRAMES 30
#define N_ROUNDS 5

/* Every row has its own path; paths diverge towards the leaf. */
static NsTrace *
make_trace (void)
{
  NsTrace *trace = test_trace_new (1000000000);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  guint row;
  guint i;

  for (row = 0; row < N_ROWS; row++)
    {
      NsActivityRow *activity = test_trace_add_activity (trace, "a.example", row);
      guint64 frames[N_FRAMES];

      for (i = 0; i < N_FRAMES; i++)
        frames[N_FRAMES - 1 - i] =
            0x10000 + i * 0x1000 + (guint64) g_rand_int_range (rand, 0, 1 + (gint32) i / 2) * 16;
      activity->pid = 100;
      activity->stack = ns_stacks_add (trace->stacks, 100, frames, N_FRAMES);
    }
  return trace;
}

static double
paint (const NsFlameLayout *layout)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1400, 900);
  PangoFontDescription *font = pango_font_description_from_string ("Sans 9");
  NsPalette palette;
  NsPaint painter = { .cr = cairo_create (surface),
                      .palette = &palette,
                      .dense = font,
                      .caption = font,
                      .scale = 1 };
  NsFlameScene scene = { .layout = layout,
                         .selected = NS_FLAME_NONE,
                         .hover = NS_FLAME_NONE,
                         .height = 900 };
  g_autoptr (GTimer) timer = NULL;
  double seconds;

  ns_palette_init (&palette, NS_PALETTE_LIGHT);
  timer = g_timer_new ();
  ns_flame_paint (&painter, &scene);
  cairo_surface_flush (surface);
  seconds = g_timer_elapsed (timer, NULL);
  g_clear_object (&painter.layout);
  cairo_destroy (painter.cr);
  cairo_surface_destroy (surface);
  pango_font_description_free (font);
  return seconds;
}

int
main (void)
{
  NsTrace *trace = make_trace ();
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  NsCallTreeOptions options = { 0 };
  g_autoptr (NsCallTree) tree = NULL;
  g_autoptr (GTimer) timer = g_timer_new ();
  NsFlameLayout layout;
  double seconds[3] = { 0, G_MAXDOUBLE, G_MAXDOUBLE };
  guint32 i;

  for (i = 0; i < N_ROWS; i++)
    g_array_append_val (rows, i);
  g_timer_start (timer);
  tree = ns_call_tree_new (trace,
                           (const guint32 *) (gconstpointer) rows->data,
                           rows->len,
                           &options,
                           NULL,
                           NULL);
  seconds[0] = g_timer_elapsed (timer, NULL);
  ns_flame_layout_init (&layout);
  for (i = 0; i < N_ROUNDS; i++)
    {
      g_timer_start (timer);
      ns_flame_layout_update (&layout, tree, 0, 1400);
      seconds[1] = MIN (seconds[1], g_timer_elapsed (timer, NULL));
      seconds[2] = MIN (seconds[2], paint (&layout));
    }
  g_print ("%u rows, %u nodes, %u boxes: tree %.1f ms, boxes %.2f ms, picture %.2f ms\n",
           N_ROWS,
           tree->nodes->len,
           layout.boxes->len,
           seconds[0] * 1e3,
           seconds[1] * 1e3,
           seconds[2] * 1e3);
  ns_flame_layout_clear (&layout);
  test_trace_free (trace);
  return 0;
}

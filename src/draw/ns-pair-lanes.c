/* Lanes of two machines on a common clock, with the requests that both recorded.
 *
 * The processes of each machine are below its name. Concurrent requests of a process have separate
 * lanes, up to a maximum.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-pair-lanes.h"

#include "query/ns-fields.h"

#include <math.h>

#define NAMES_PX 234
#define RULER_PX 24
#define MACHINE_PX 24
#define LANE_PX 28
#define INDENT_PX 24
#define ICON_PX 14
#define N_DRAWERS 3
#define BAND_SHADE 0.08
/* Maximum number of lanes of a process; further concurrent requests overlap in the last one. */
#define MAX_OF_PROCESS 8
/* Half the height in px at which a bar is hit. */
#define HIT_PX 9
/* A bar that ends less than this after the previous one is not painted, in px. */
#define LEAST_PX 1
/* Distance in px within which a bar is hit beside its ends. */
#define LEAST_HIT_PX 3

/* The client or the server side of a request. */
typedef struct
{
  guint32 row; /* index of the row of the pairs */
  gboolean is_server_side;
} Bar;

typedef struct
{
  char *name;
  char *note;    /* (nullable) */
  GArray *bars;  /* (element-type Bar): sorted by time; NULL: the lane is the head of a machine */
  gint64 end_ns; /* end of the last bar */
  guint32 group; /* process ID */
  guint machine;
} Lane;

struct _NsPairLanes
{
  const NsPairs *pairs;
  GPtrArray *lanes; /* (element-type Lane): from top to bottom */
  /* by row of the pairs: index of the lane of the client and of the server side, from 1; 0: none */
  guint32 *at[2];
  gboolean is_server[2]; /* by machine: whether it serves more requests than it sends */
};

static void
lane_free (gpointer data)
{
  Lane *lane = data;

  g_free (lane->name);
  g_free (lane->note);
  g_clear_pointer (&lane->bars, g_array_unref);
  g_free (lane);
}

static const NsPairRow *
get_row (const NsPairLanes *self, guint32 row)
{
  return &g_array_index (self->pairs->rows, NsPairRow, row);
}

static gint64
get_end (const NsPairRow *row)
{
  return ns_time_after (row->open_ns, row->duration_ns != NS_UNKNOWN ? row->duration_ns : 0);
}

static const NsActivityRow *
get_activity (const NsPairLanes *self, guint machine, NsRow row)
{
  return NS_ROW_AT (self->pairs->traces[machine]->activities, NsActivityRow, row);
}

static Lane *
add_lane (NsPairLanes *self, guint machine, const char *name, const char *note)
{
  Lane *lane = g_new0 (Lane, 1);

  lane->machine = machine;
  lane->name = g_strdup (name);
  lane->note = g_strdup (note);
  g_ptr_array_add (self->lanes, lane);
  return lane;
}

/* Returns the first lane of the process that is free at that time, else a new one, or the last
 * one if there are MAX_OF_PROCESS. */
static Lane *
find_lane (NsPairLanes *self, guint from, guint machine, NsRow activity, gint64 begin_ns)
{
  guint32 group = get_activity (self, machine, activity)->pid;
  Lane *last = NULL;
  guint n = 0;
  guint i;

  for (i = from; i < self->lanes->len; i++)
    {
      Lane *lane = g_ptr_array_index (self->lanes, i);

      if (lane->group != group)
        continue;
      if (lane->end_ns <= begin_ns)
        return lane;
      last = lane;
      n++;
    }
  if (n < MAX_OF_PROCESS)
    {
      g_autofree char *name =
          n == 0 ? ns_field_dup_raw (self->pairs->traces[machine],
                                     ns_table_find_field (NS_TABLE_ACTIVITIES, "process"),
                                     activity - 1)
                 : NULL;

      last = add_lane (self, machine, name != NULL ? name : "", NULL);
      last->bars = g_array_new (FALSE, FALSE, sizeof (Bar));
      last->group = group;
      last->end_ns = G_MININT64;
    }
  return last;
}

static int
compare_lanes (gconstpointer a, gconstpointer b)
{
  const Lane *one = *(const Lane *const *) a;
  const Lane *other = *(const Lane *const *) b;

  if (one->machine != other->machine)
    return one->machine < other->machine ? -1 : 1;
  if ((one->bars == NULL) != (other->bars == NULL))
    return one->bars == NULL ? -1 : 1;
  return (one->group > other->group) - (one->group < other->group);
}

static void
add_machine (NsPairLanes *self, guint machine, const guint32 *rows, guint n_rows)
{
  guint from = self->lanes->len;
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      const NsPairRow *row = get_row (self, rows[i]);
      Bar bar = { rows[i], row->client_machine != machine };
      NsRow activity = bar.is_server_side ? row->server : row->client;
      Lane *lane;

      if (activity == 0)
        continue;
      lane = find_lane (self, from, machine, activity, row->open_ns);
      g_array_append_val (lane->bars, bar);
      lane->end_ns = MAX (lane->end_ns, get_end (row));
    }
}

/* Counts all pairs, so that a filter does not change the roles. */
static void
find_servers (NsPairLanes *self)
{
  guint n_asked[2] = { 0, 0 };
  guint machine;
  guint i;

  for (i = 0; i < self->pairs->rows->len; i++)
    n_asked[get_row (self, i)->client_machine == 1]++;
  for (machine = 0; machine < 2; machine++)
    self->is_server[machine] = n_asked[!machine] > n_asked[machine];
}

static void
index_rows (NsPairLanes *self)
{
  guint i;
  guint k;

  for (i = 0; i < self->lanes->len; i++)
    {
      const Lane *lane = g_ptr_array_index (self->lanes, i);

      for (k = 0; lane->bars != NULL && k < lane->bars->len; k++)
        {
          const Bar *bar = &g_array_index (lane->bars, Bar, k);

          self->at[bar->is_server_side][bar->row] = i + 1;
        }
    }
}

/**
 * ns_pair_lanes_new:
 * @pairs: requests that both machines recorded; must outlive the lanes
 * @rows: (array length=n_rows): indices of the shown rows, sorted by time
 * @n_rows: number of shown rows
 * @names: names of the machines
 * @notes: texts beside the names
 *
 * Returns: (transfer full): lanes of both machines
 */
NsPairLanes *
ns_pair_lanes_new (const NsPairs *pairs,
                   const guint32 *rows,
                   guint n_rows,
                   const char *const names[2],
                   const char *const notes[2])
{
  NsPairLanes *self = g_new0 (NsPairLanes, 1);
  guint machine;

  self->pairs = pairs;
  self->lanes = g_ptr_array_new_with_free_func (lane_free);
  for (machine = 0; machine < 2; machine++)
    {
      self->at[machine] = g_new0 (guint32, (gsize) pairs->rows->len + 1);
      add_lane (self, machine, names[machine], notes[machine]);
      add_machine (self, machine, rows, n_rows);
    }
  g_ptr_array_sort (self->lanes, compare_lanes);
  index_rows (self);
  find_servers (self);
  return self;
}

/**
 * ns_pair_lanes_free:
 * @self: (transfer full): lanes
 */
void
ns_pair_lanes_free (NsPairLanes *self)
{
  g_ptr_array_unref (self->lanes);
  g_free (self->at[0]);
  g_free (self->at[1]);
  g_free (self);
}

/**
 * ns_pair_lanes_count:
 * @self: lanes
 *
 * Returns: number of lanes, including the heads of both machines
 */
guint
ns_pair_lanes_count (const NsPairLanes *self)
{
  return self->lanes->len;
}

static double
get_lane_height (const Lane *lane, double scale)
{
  return (lane->bars == NULL ? MACHINE_PX : LANE_PX) * scale;
}

/**
 * ns_pair_lanes_get_height:
 * @self: lanes
 * @scale: scale factor of the font
 *
 * Returns: height of all lanes and the ruler, in px
 */
double
ns_pair_lanes_get_height (const NsPairLanes *self, double scale)
{
  double height = RULER_PX * scale;
  guint i;

  for (i = 0; i < self->lanes->len; i++)
    height += get_lane_height (g_ptr_array_index (self->lanes, i), scale);
  return height;
}

/**
 * ns_pair_lanes_get_names_width:
 * @scale: scale factor of the font
 *
 * Returns: width of the column of names, in px
 */
double
ns_pair_lanes_get_names_width (double scale)
{
  return NAMES_PX * scale;
}

/* Returns the top of a lane, without scrolling. */
static double
get_top (const NsPairLanes *self, guint nth, double scale)
{
  double y = RULER_PX * scale;
  guint i;

  for (i = 0; i < nth; i++)
    y += get_lane_height (g_ptr_array_index (self->lanes, i), scale);
  return y;
}

/* Returns the middle of the lane of one side of a request; below 0 if there is none. */
static double
find_end_y (const NsPairLanes *self, guint row, gboolean is_server_side, double scale)
{
  guint32 nth = self->at[is_server_side][row];

  return nth != 0 ? get_top (self, nth - 1, scale) + LANE_PX * scale / 2 : -1;
}

/**
 * ns_pair_lanes_find_y:
 * @self: lanes
 * @row: index of a row of the pairs
 * @scale: scale factor of the font
 *
 * Returns: the middle of the lane of the client side, without scrolling; below 0 if it is not shown
 */
double
ns_pair_lanes_find_y (const NsPairLanes *self, guint row, double scale)
{
  return row < self->pairs->rows->len ? find_end_y (self, row, FALSE, scale) : -1;
}

/* Gets the edges of a bar, relative to the left edge of the lanes. */
static void
find_x (const NsPairRow *row,
        gboolean is_server_side,
        const NsTimelineLayout *layout,
        double *x0,
        double *x1)
{
  *x0 = ns_timeline_layout_x_at (layout, row->open_ns);
  *x1 = ns_timeline_layout_x_at (layout, get_end (row));
  if (is_server_side)
    ns_pair_paint_find_server_side (row, *x0, *x1, x0, x1);
}

/**
 * ns_pair_lanes_find_row:
 * @self: lanes
 * @layout: the visible time
 * @x: px from the left edge of the names
 * @y: px, without scrolling
 * @scale: scale factor of the font
 *
 * Returns: index of the row of the pairs whose bar is at that position, or %NS_PAIR_LANES_NONE
 */
guint
ns_pair_lanes_find_row (const NsPairLanes *self,
                        const NsTimelineLayout *layout,
                        double x,
                        double y,
                        double scale)
{
  double top = RULER_PX * scale;
  guint i;
  guint k;

  x -= NAMES_PX * scale;
  for (i = 0; i < self->lanes->len && x >= 0; i++)
    {
      const Lane *lane = g_ptr_array_index (self->lanes, i);
      double middle = top + get_lane_height (lane, scale) / 2;

      top += get_lane_height (lane, scale);
      if (lane->bars == NULL || fabs (y - middle) > HIT_PX * scale)
        continue;
      for (k = lane->bars->len; k > 0; k--)
        {
          const Bar *bar = &g_array_index (lane->bars, Bar, k - 1);
          double x0;
          double x1;

          find_x (get_row (self, bar->row), bar->is_server_side, layout, &x0, &x1);
          if (x >= x0 - LEAST_HIT_PX && x <= x1 + LEAST_HIT_PX)
            return bar->row;
        }
    }
  return NS_PAIR_LANES_NONE;
}

/* Paints the icon of a client: a monitor. */
static void
paint_screen (NsPaint *paint, double x, double y, double half)
{
  ns_paint_box (paint, x + 1, y - half + 2, x + 2 * half - 1, y + half - 4);
  cairo_stroke (paint->cr);
  ns_paint_line (paint, x + half - 3, y + half - 1.5, x + half + 3, y + half - 1.5);
}

/* Paints the icon of a server: a rack with a light on each unit. */
static void
paint_rack (NsPaint *paint, double x, double y, double half)
{
  double top = y - half + 1;
  double drawer = (2 * half - 2) / N_DRAWERS;
  guint i;

  ns_paint_box (paint, x + 2, top, x + 2 * half - 2, top + N_DRAWERS * drawer);
  cairo_stroke (paint->cr);
  for (i = 0; i < N_DRAWERS; i++)
    {
      double middle = top + (i + 0.5) * drawer;

      if (i > 0)
        ns_paint_line (paint, x + 2, top + i * drawer, x + 2 * half - 2, top + i * drawer);
      ns_paint_line (paint, x + 4, middle, x + 6, middle);
    }
}

static void
paint_icon (NsPaint *paint, gboolean is_server, double x, double y)
{
  double half = floor (ICON_PX * paint->scale / 2);

  ns_paint_color (paint, NS_COLOR_TEXT, 1);
  cairo_set_line_width (paint->cr, is_server ? 1 : 1.5);
  if (is_server)
    paint_rack (paint, x, y, half);
  else
    paint_screen (paint, x, y, half);
  cairo_set_line_width (paint->cr, 1);
}

static void
paint_machine (NsPaint *paint, const Lane *lane, gboolean is_server, double top, double width)
{
  double height = MACHINE_PX * paint->scale;
  double middle = top + height / 2;
  double x = 8 + (ICON_PX + 6) * paint->scale;
  PangoFontDescription *bold = pango_font_description_copy (paint->dense);

  ns_paint_color (paint, NS_COLOR_HEADER, 1);
  ns_paint_box (paint, 0, top, width, top + height);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_BORDER, 1);
  ns_paint_line (paint, 0, floor (top) + 0.5, width, floor (top) + 0.5);
  paint_icon (paint, is_server, 8, middle);
  pango_font_description_set_weight (bold, PANGO_WEIGHT_BOLD);
  ns_paint_color (paint, NS_COLOR_TEXT, 1);
  x += ns_paint_text (paint, bold, lane->name, x, middle, NAMES_PX * paint->scale - x - 8) + 8;
  pango_font_description_free (bold);
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  if (lane->note != NULL && x < width)
    ns_paint_text (paint, paint->dense, lane->note, x, middle, width - x);
}

static void
paint_bars (NsPaint *paint,
            const NsPairLanes *self,
            const Lane *lane,
            const NsTimelineLayout *layout,
            double left,
            double middle)
{
  double edge = -G_MAXDOUBLE; /* right edge of the last painted bar */
  guint i;

  for (i = 0; i < lane->bars->len; i++)
    {
      const Bar *bar = &g_array_index (lane->bars, Bar, i);
      const NsPairRow *row = get_row (self, bar->row);
      double x0 = left + ns_timeline_layout_x_at (layout, row->open_ns);
      double x1 = left + ns_timeline_layout_x_at (layout, get_end (row));

      if (row->open_ns > layout->end_ns)
        break;
      /* Only one of several bars that end in the same px is painted, which bounds the cost of a
       * lane by its width. */
      if (x1 < left || x1 < edge + LEAST_PX)
        continue;
      edge = x1;
      if (bar->is_server_side)
        ns_pair_paint_server_side (paint, self->pairs, row, x0, x1, middle);
      else
        ns_pair_paint_request (paint, self->pairs, row, x0, x1, middle);
    }
}

static void
paint_lanes (const NsPairLanes *self, NsPaint *paint, const NsTimelineLayout *layout, double left)
{
  double width = left + layout->width;
  double y = RULER_PX * paint->scale;
  guint i;

  for (i = 0; i < self->lanes->len; i++)
    {
      const Lane *lane = g_ptr_array_index (self->lanes, i);
      double lane_height = get_lane_height (lane, paint->scale);

      if (lane->bars == NULL)
        paint_machine (paint, lane, self->is_server[lane->machine], y, width);
      else
        {
          ns_paint_color (paint, NS_COLOR_TEXT, 1);
          ns_paint_text (paint,
                         paint->dense,
                         lane->name,
                         INDENT_PX * paint->scale,
                         y + lane_height / 2,
                         left - (INDENT_PX + 8) * paint->scale);
          cairo_save (paint->cr);
          ns_paint_box (paint, left, y, width, y + lane_height);
          cairo_clip (paint->cr);
          paint_bars (paint, self, lane, layout, left, y + lane_height / 2);
          cairo_restore (paint->cr);
        }
      y += lane_height;
    }
}

/* Paints the selected request: the band over all lanes, the frames and the links. */
static void
paint_chosen (const NsPairLanes *self,
              NsPaint *paint,
              const NsTimelineLayout *layout,
              guint chosen,
              double left)
{
  const NsPairRow *row = get_row (self, chosen);
  double client_y = find_end_y (self, chosen, FALSE, paint->scale);
  double server_y = find_end_y (self, chosen, TRUE, paint->scale);
  double x0 = left + ns_timeline_layout_x_at (layout, row->open_ns);
  double x1 = left + ns_timeline_layout_x_at (layout, get_end (row));

  cairo_save (paint->cr);
  ns_paint_box (paint,
                left,
                RULER_PX * paint->scale,
                left + layout->width,
                ns_pair_lanes_get_height (self, paint->scale));
  cairo_clip (paint->cr);
  ns_paint_color (paint, NS_COLOR_ACCENT, BAND_SHADE);
  ns_paint_box (paint,
                MAX (x0, left),
                RULER_PX * paint->scale,
                MIN (x1, left + layout->width),
                ns_pair_lanes_get_height (self, paint->scale));
  cairo_fill (paint->cr);
  if (client_y >= 0 && server_y >= 0)
    ns_pair_paint_chosen (paint, row, x0, x1, client_y, server_y);
  cairo_restore (paint->cr);
}

/**
 * ns_pair_lanes_paint:
 * @self: lanes
 * @paint: a painter
 * @layout: the visible time; its width excludes the names
 * @chosen: index of the selected row of the pairs, or %NS_PAIR_LANES_NONE
 * @scroll_y: vertical scroll position in px
 * @height: visible height in px
 *
 * Paints the lanes of both machines below a ruler, which does not scroll.
 */
void
ns_pair_lanes_paint (const NsPairLanes *self,
                     NsPaint *paint,
                     const NsTimelineLayout *layout,
                     guint chosen,
                     double scroll_y,
                     double height)
{
  double left = ns_pair_lanes_get_names_width (paint->scale);
  double width = left + layout->width;
  double ruler = RULER_PX * paint->scale;

  ns_paint_color (paint, NS_COLOR_BASE, 1);
  ns_paint_box (paint, 0, 0, width, height);
  cairo_fill (paint->cr);
  ns_pair_paint_ruler (paint, layout, left, height);
  cairo_save (paint->cr);
  ns_paint_box (paint, 0, ruler, width, height);
  cairo_clip (paint->cr);
  cairo_translate (paint->cr, 0, -floor (scroll_y));
  paint_lanes (self, paint, layout, left);
  if (chosen < self->pairs->rows->len)
    paint_chosen (self, paint, layout, chosen, left);
  cairo_restore (paint->cr);
}

/* Paints one bar: its phases, edges, marks and label.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-row-span.h"
#include "draw/ns-timeline-lead.h"
#include "draw/ns-timeline-paint.h"
#include "query/ns-field-code.h"
#include "query/ns-field-text.h"

#include <math.h>
#include <string.h>

/* Share of the colour in the fill of each phase. */
static const double shades[NS_N_PHASES] = {
  [NS_PHASE_POOL] = 0,     [NS_PHASE_QUEUE] = 0,      [NS_PHASE_PROXY] = 0.10,
  [NS_PHASE_DNS] = 0.22,   [NS_PHASE_CONNECT] = 0.48, [NS_PHASE_TLS] = 0.64,
  [NS_PHASE_SEND] = 1,     [NS_PHASE_WAIT] = 0.30,    [NS_PHASE_RECEIVE] = 0.78,
  [NS_PHASE_OTHER] = 0.30,
};

/* Bars narrower than this are one box, without phases. */
#define MIN_PHASES_PX 8
#define MIN_HATCH_PX 6

static double
phase_height (const NsTimelineMetrics *metrics, const NsPhaseBox *box)
{
  if (!box->is_traced)
    return metrics->setup;
  if (box->phase == NS_PHASE_POOL || box->phase == NS_PHASE_QUEUE)
    return metrics->queued;
  if (box->phase < NS_PHASE_SEND)
    return metrics->setup;
  return metrics->bar;
}

/* Fills an untraced phase with dots: its duration is known, but not its contents. */
static void
paint_dots (NsPaint *paint, const NsPhaseBox *box, double y0, double y1)
{
  double k = paint->scale;
  double left = box->x0 + 3 * k;
  double right = box->x1 - 2 * k;
  double x;
  double y;

  ns_paint_crop (paint, 4 * k, &left, &right);
  for (y = y0 + 2.3 * k; y < y1 - 2 * k; y += 4 * k)
    for (x = left; x < right; x += 4 * k)
      ns_paint_box (paint, x, y, x + 1.4 * k, y + 1.4 * k);
  cairo_fill (paint->cr);
}

static void
paint_phase (NsPaint *paint,
             const NsTimelineMetrics *metrics,
             NsColorRole role,
             const NsPhaseBox *box,
             double middle_y,
             gboolean is_dashed)
{
  static const double dots[2] = { 2, 2 };
  static const double dashes[2] = { 3, 2 };
  double height = phase_height (metrics, box);
  double y0 = floor (middle_y - height / 2);
  double y1 = y0 + height;

  if (box->is_traced && !is_dashed)
    {
      /* Two fills look like a fill and a stroke, and are many times faster. */
      ns_paint_color (paint, role, 1);
      ns_paint_box (paint, box->x0, y0, box->x1, y1);
      cairo_fill (paint->cr);
      if (box->x1 - box->x0 <= 2)
        return;
      ns_paint_mix (paint, role, NS_COLOR_BASE, shades[box->phase]);
      ns_paint_box (paint, box->x0 + 1, y0 + 1, box->x1 - 1, y1 - 1);
      cairo_fill (paint->cr);
      return;
    }
  ns_paint_box (paint, box->x0, y0, box->x1, y1);
  ns_paint_mix (paint, role, NS_COLOR_BASE, box->is_traced ? shades[box->phase] : 0);
  cairo_fill (paint->cr);

  ns_paint_color (paint, role, 1);
  cairo_set_line_width (paint->cr, 1);
  if (!box->is_traced)
    paint_dots (paint, box, y0, y1);
  cairo_set_dash (paint->cr, box->is_traced ? dashes : dots, 2, 0);
  ns_paint_box (paint, box->x0 + 0.5, y0 + 0.5, MAX (box->x1 - 0.5, box->x0 + 1), y1 - 0.5);
  cairo_stroke (paint->cr);
  cairo_set_dash (paint->cr, NULL, 0, 0);
}

/* Hatches the last phase of a failed row, which must not be marked by colour alone. */
static void
paint_failure (NsPaint *paint,
               const NsTimelineMetrics *metrics,
               const NsPhaseBox *box,
               double middle_y)
{
  double height = phase_height (metrics, box);
  double y0 = floor (middle_y - height / 2);
  double y1 = y0 + height;

  ns_paint_box (paint, box->x0, y0, box->x1, y1);
  ns_paint_color (paint, NS_COLOR_BASE, 1);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_FAILURE, 1);
  cairo_set_line_width (paint->cr, 1.1);
  ns_paint_hatch (paint, box->x0, y0, box->x1, y1, 5, TRUE);
  cairo_set_line_width (paint->cr, 1);
  ns_paint_box (paint, box->x0 + 0.5, y0 + 0.5, MAX (box->x1 - 0.5, box->x0 + 1), y1 - 0.5);
  cairo_stroke (paint->cr);
}

static void
paint_first_byte (NsPaint *paint,
                  const NsTimelineMetrics *metrics,
                  const NsActivityRow *row,
                  gint64 end_ns,
                  double x0,
                  double x1,
                  double middle_y)
{
  gint64 close_ns = ns_time_is_set (row->close_ns) ? row->close_ns : end_ns;
  double reach = metrics->bar / 2 + 2 * paint->scale;
  double half = round (paint->scale);
  double x;

  if (!ns_time_is_set (row->first_byte_ns) || row->first_byte_ns < row->open_ns ||
      row->first_byte_ns > close_ns || close_ns <= row->open_ns)
    return;
  x = floor (x0 + (x1 - x0) * (double) (row->first_byte_ns - row->open_ns) /
                      (double) (close_ns - row->open_ns));
  ns_paint_color (paint, NS_COLOR_BASE, 1);
  ns_paint_box (paint, x + half, middle_y - reach, x + half + 1, middle_y + reach);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_TEXT_STRONG, 1);
  ns_paint_box (paint, x - half, middle_y - reach, x + half, middle_y + reach);
  cairo_fill (paint->cr);
}

/**
 * ns_timeline_paint_phases:
 * @paint: a painter
 * @metrics: sizes of the timeline
 * @row: an activity
 * @end_ns: end of the bar of a row without an end
 * @x0: left edge, px
 * @x1: right edge, px
 * @middle_y: middle of the bar, px
 *
 * Paints the phases of a row, in the timeline and in the detail panel.
 */
void
ns_timeline_paint_phases (NsPaint *paint,
                          const NsTimelineMetrics *metrics,
                          const NsActivityRow *row,
                          gint64 end_ns,
                          double x0,
                          double x1,
                          double middle_y)
{
  NsColorRole role = ns_palette_get_protocol_role (row->protocol);
  NsPhaseBox boxes[NS_N_PHASES + 1];
  guint failed = NS_N_PHASES + 1;
  guint n_boxes;
  guint i;

  if (x1 - x0 < MIN_PHASES_PX)
    {
      boxes[0] =
          (NsPhaseBox){ NS_PHASE_RECEIVE, TRUE, floor (x0), MAX (floor (x1), floor (x0) + 1) };
      n_boxes = 1;
      failed = row->failed ? 0 : failed;
    }
  else
    {
      n_boxes = ns_timeline_split_bar (row, end_ns, x0, x1, boxes);
      if (row->failed)
        failed = ns_timeline_show_failure (row, MIN_HATCH_PX, boxes, &n_boxes);
    }

  for (i = 0; i < n_boxes; i++)
    if (i == failed)
      paint_failure (paint, metrics, &boxes[i], middle_y);
    else if (boxes[i].x1 > boxes[i].x0)
      paint_phase (paint, metrics, role, &boxes[i], middle_y, row->inferred);
  if (x1 - x0 >= MIN_PHASES_PX)
    paint_first_byte (paint, metrics, row, end_ns, x0, x1, middle_y);
}

/* Adds a jagged edge of six teeth from @y0 to @y1, which may be above @y0, to the path. */
static void
teeth_path (cairo_t *cr, double x, double depth, double y0, double y1)
{
  double step = (y1 - y0) / 6;
  guint i;

  for (i = 0; i <= 6; i++)
    cairo_line_to (cr, x + (i % 2 == 0 ? 0 : depth), y0 + step * i);
}

/* Jagged edges of a bar: the trace begins after the row does, or ends before it. */
typedef struct
{
  gboolean left;
  gboolean right;
  gboolean open; /* no right edge, since more data will arrive */
  double x0;
  double x1;
  double y0;
  double y1;
} JaggedEdges;

static JaggedEdges
find_torn (const NsTimelineScene *scene,
           const NsActivityRow *row,
           double x0,
           double x1,
           double middle_y)
{
  double far = scene->layout->width + 100;
  JaggedEdges torn = { .x0 = MAX (floor (x0) + 1, -100), .x1 = MIN (floor (x1) - 1, far) };

  /* Six teeth of 3 px; the teeth cut the outline of the edge as well. */
  torn.y0 = floor (middle_y - scene->metrics->bar / 2) - 1;
  torn.y1 = torn.y0 + scene->metrics->bar + 2;
  if (x1 - x0 <= 12)
    return torn;
  torn.left = row->opened_before_trace;
  torn.right = ns_row_span_is_open_ended (row) && !scene->is_arriving;
  torn.open = ns_row_span_is_open_ended (row) && scene->is_arriving;
  return torn;
}

/* Clips the following drawing to the jagged edges. */
static void
clip_torn (NsPaint *paint, const JaggedEdges *torn)
{
  double depth = 4 * paint->scale;
  double right = torn->open ? torn->x1 : torn->x1 + 2;

  cairo_new_path (paint->cr);
  cairo_move_to (paint->cr, right, torn->y0 - 4);
  if (torn->right)
    teeth_path (paint->cr, torn->x1, -depth, torn->y0, torn->y1);
  cairo_line_to (paint->cr, right, torn->y1 + 4);
  cairo_line_to (paint->cr, torn->x0 - 2, torn->y1 + 4);
  if (torn->left)
    teeth_path (paint->cr, torn->x0, depth, torn->y1, torn->y0);
  cairo_line_to (paint->cr, torn->x0 - 2, torn->y0 - 4);
  cairo_close_path (paint->cr);
  cairo_clip (paint->cr);
}

/* Minimum width of a hole with jagged edges; a narrower one is hatched only. */
#define MIN_HOLE_PX 6

/* Gets the edges of a hole of the trace within a bar. Returns FALSE if it does not overlap the
 * bar or is too narrow. */
static gboolean
find_hole (const NsTimelineScene *scene, const JaggedEdges *bar, guint number, JaggedEdges *hole)
{
  const NsTimeSpan *span = &scene->holes[number].span;

  *hole = *bar;
  hole->x0 = floor (ns_timeline_layout_x_at (scene->layout, span->begin_ns));
  hole->x1 = ceil (ns_timeline_layout_x_at (scene->layout, span->end_ns));
  hole->left = hole->x0 > bar->x0 + 2;
  hole->right = hole->x1 < bar->x1 - 2;
  hole->x0 = MAX (hole->x0, bar->x0 - 2);
  hole->x1 = MIN (hole->x1, bar->x1 + 2);
  return hole->x1 - hole->x0 >= MIN_HOLE_PX;
}

/* Adds the outline of a hole to the path, with teeth where the bar continues. */
static void
hole_path (cairo_t *cr, const JaggedEdges *hole, double depth)
{
  cairo_move_to (cr, hole->x0, hole->y0 - 4);
  if (hole->left)
    teeth_path (cr, hole->x0, -depth, hole->y0, hole->y1);
  cairo_line_to (cr, hole->x0, hole->y1 + 4);
  cairo_line_to (cr, hole->x1, hole->y1 + 4);
  if (hole->right)
    teeth_path (cr, hole->x1, depth, hole->y1, hole->y0);
  cairo_line_to (cr, hole->x1, hole->y0 - 4);
  cairo_close_path (cr);
}

static gboolean
has_holes (const NsTimelineScene *scene, const JaggedEdges *bar)
{
  JaggedEdges hole;
  guint i;

  for (i = 0; i < scene->n_holes; i++)
    if (find_hole (scene, bar, i, &hole))
      return TRUE;
  return FALSE;
}

/* Clips the holes out of the following drawing. */
static void
clip_holes (NsPaint *paint, const NsTimelineScene *scene, const JaggedEdges *bar)
{
  JaggedEdges hole;
  guint i;

  cairo_new_path (paint->cr);
  cairo_rectangle (paint->cr,
                   bar->x0 - 4,
                   bar->y0 - 4,
                   bar->x1 - bar->x0 + 8,
                   bar->y1 - bar->y0 + 8);
  for (i = 0; i < scene->n_holes; i++)
    if (find_hole (scene, bar, i, &hole))
      hole_path (paint->cr, &hole, 4 * paint->scale);
  cairo_set_fill_rule (paint->cr, CAIRO_FILL_RULE_EVEN_ODD);
  cairo_clip (paint->cr);
  cairo_set_fill_rule (paint->cr, CAIRO_FILL_RULE_WINDING);
}

static void
paint_hole_edges (NsPaint *paint,
                  const NsTimelineScene *scene,
                  const JaggedEdges *bar,
                  NsColorRole role)
{
  double depth = 4 * paint->scale;
  JaggedEdges hole;
  guint i;

  cairo_new_path (paint->cr);
  for (i = 0; i < scene->n_holes; i++)
    {
      if (!find_hole (scene, bar, i, &hole))
        continue;
      cairo_new_sub_path (paint->cr);
      if (hole.left)
        teeth_path (paint->cr, hole.x0, -depth, hole.y0, hole.y1);
      cairo_new_sub_path (paint->cr);
      if (hole.right)
        teeth_path (paint->cr, hole.x1, depth, hole.y0, hole.y1);
    }
  ns_paint_color (paint, role, 1);
  cairo_set_line_width (paint->cr, 1.5);
  cairo_stroke (paint->cr);
}

static void
paint_torn (NsPaint *paint, const JaggedEdges *torn, NsColorRole role)
{
  double depth = 4 * paint->scale;

  cairo_new_path (paint->cr);
  if (torn->left)
    teeth_path (paint->cr, torn->x0, depth, torn->y0, torn->y1);
  cairo_new_sub_path (paint->cr);
  if (torn->right)
    teeth_path (paint->cr, torn->x1, -depth, torn->y0, torn->y1);
  ns_paint_color (paint, role, 1);
  cairo_set_line_width (paint->cr, 1.5);
  cairo_stroke (paint->cr);
}

static void
paint_connection_mark (NsPaint *paint,
                       const NsActivityRow *row,
                       NsColorRole role,
                       double x,
                       double y)
{
  double radius = 3.5 * paint->scale;

  if (row->reused < 0 || row->opened_before_trace || x < -radius)
    return;
  cairo_new_sub_path (paint->cr);
  if (row->reused > 0)
    {
      cairo_arc (paint->cr, x, y, radius - 0.75 * paint->scale, 0, 2 * G_PI);
      ns_paint_color (paint, NS_COLOR_BASE, 1);
      cairo_fill_preserve (paint->cr);
      ns_paint_color (paint, role, 1);
      cairo_set_line_width (paint->cr, 1.5 * paint->scale);
      cairo_stroke (paint->cr);
    }
  else
    {
      cairo_arc (paint->cr, x, y, radius, 0, 2 * G_PI);
      ns_paint_color (paint, role, 1);
      cairo_fill (paint->cr);
    }
}

/* Paints the mark of a failed, cancelled or redirected row. Returns the x from which the label
 * may be painted. */
static double
paint_end_mark (NsPaint *paint, const NsActivityRow *row, double x, double y, double free_until)
{
  double k = paint->scale;
  double width = row->failed ? 13 : row->cancelled ? 15 : row->redirected ? 19 : 0;

  /* The hatch marks a failure as well; a mark on the next bar would seem to belong to that bar. */
  if (x + width * k > free_until)
    return x;
  if (row->failed)
    {
      ns_paint_cross (paint, x + 5 * k, y, 8 * k);
      return x + 13 * k;
    }
  if (row->cancelled)
    {
      ns_paint_cancelled (paint, x + 5 * k, y, 10 * k);
      return x + 15 * k;
    }
  if (row->redirected)
    {
      ns_paint_redirect (paint, x + 5 * k, y);
      return x + 19 * k;
    }
  return x;
}

/* Returns the status or error code of a failure. */
static char *
number_of (const NsActivityRow *row)
{
  if (row->http_status != 0)
    return g_strdup_printf ("%u", row->http_status);
  return g_strdup_printf (row->error > 0xffff ? "0x%x" : "%u", row->error);
}

/* Returns the status or error of a failure: `503`, `WSAECONNREFUSED (10061)`. */
static char *
failure_of (const NsActivityRow *row)
{
  if (row->http_status != 0 || row->error_family == NS_CODE_NONE)
    return number_of (row);
  return ns_field_code_to_text (row->error_family, row->error);
}

static char *
label_of (const NsTimelineScene *scene, const NsActivityRow *row)
{
  const NsTrace *trace = scene->trace;
  const char *url = row->url > NS_STRING_EMPTY ? ns_trace_text (trace, row->url) : "";
  const char *method =
      ns_method_to_text (row->method > NS_STRING_EMPTY ? ns_trace_text (trace, row->method) : "");
  const char *path;

  if (row->failed && (row->http_status != 0 || row->error != 0))
    return failure_of (row);
  if (row->from_cache && scene->words != NULL)
    return g_strdup (scene->words->cache);
  if (row->redirected && row->http_status != 0)
    return g_strdup_printf ("%u", row->http_status);
  path = strstr (url, "://");
  if (path != NULL)
    {
      path = strchr (path + 3, '/');
      url = path != NULL ? path : "";
    }
  if (*method == '\0' && *url == '\0')
    return NULL;
  return g_strstrip (g_strdup_printf ("%s %.*s", method, 60, url));
}

/* Returns whether a range right of the bar is clear of later bars and folded blocks. */
static gboolean
is_free_beside (const NsTimelineOccupancy *room,
                const NsTimelineBar *bar,
                double x0,
                double x1,
                double gap)
{
  return room->free_from <= x0 && x1 <= room->free_until - gap &&
         ns_timeline_room_is_free (room, bar->shown, x0, x1 + gap);
}

/* Finds the place of a label: inside the wait phase if it fits there and no later bar covers it,
 * else right of the bar if there is room. If a label has a place, so does a shorter one. */
static gboolean
find_place (const NsTimelineScene *scene,
            const NsTimelineBar *bar,
            const NsActivityRow *row,
            double x,
            const NsTimelineOccupancy *room,
            double k,
            double width,
            double *place)
{
  double gap = 5 * k;
  NsPhaseBox boxes[NS_N_PHASES + 1];
  guint n_boxes;
  guint i;

  n_boxes = row->failed || row->from_cache
                ? 0
                : ns_timeline_split_bar (row, scene->trace->end_ns, bar->x0, bar->x1, boxes);
  for (i = 0; i < n_boxes; i++)
    {
      double left = MAX (boxes[i].x0, 0);

      if ((boxes[i].phase == NS_PHASE_WAIT || boxes[i].phase == NS_PHASE_OTHER) &&
          boxes[i].is_traced && left + width + gap <= room->free_until &&
          MIN (boxes[i].x1, scene->layout->width) - left >= width + 2 * gap)
        {
          *place = left + gap;
          return TRUE;
        }
    }
  *place = x + gap;
  return is_free_beside (room, bar, x + gap, x + gap + width, 6 * k);
}

/* Laying out a text takes longer than painting its bar, so that only labels whose minimum width
 * has a place are laid out. */
static gboolean
paint_label_text (NsPaint *paint,
                  const NsTimelineScene *scene,
                  const NsTimelineBar *bar,
                  const NsActivityRow *row,
                  double x,
                  double y,
                  const NsTimelineOccupancy *room,
                  const char *label,
                  double *end)
{
  double place;
  double width;

  if (!find_place (scene,
                   bar,
                   row,
                   x,
                   room,
                   paint->scale,
                   ns_paint_text_least_width (paint->caption, label),
                   &place) ||
      !g_utf8_validate (label, -1, NULL))
    return FALSE;
  width = ns_paint_text_width (paint, paint->caption, label);
  if (!find_place (scene, bar, row, x, room, paint->scale, width, &place))
    return FALSE;
  ns_paint_color (paint, row->failed ? NS_COLOR_FAILURE : NS_COLOR_TEXT, 1);
  ns_paint_text (paint, paint->caption, label, place, y, -1);
  *end = place + width;
  return TRUE;
}

/* Returns the label, preceded by the number of the connection if several share the lane. */
static char *
number_label (const NsTimelineScene *scene,
              const NsTimelineBar *bar,
              const NsActivityRow *row,
              char *label)
{
  const NsLane *lane =
      ns_timeline_lanes_get (scene->lanes,
                             g_array_index (scene->lanes->shown, guint32, bar->shown));
  g_autofree char *plain = label;
  guint32 number;

  if (lane->n_lives < 2 || ns_lane_connection_number (row, &number) == NS_CONNECTION_KIND_NONE)
    return g_steal_pointer (&plain);
  if (plain == NULL)
    return g_strdup_printf ("%u", number);
  return g_strdup_printf ("%u \302\267 %s", number, plain);
}

/* Paints the label of a bar. Returns its right edge, or @x if there is none. */
static double
paint_label (NsPaint *paint,
             const NsTimelineScene *scene,
             const NsTimelineBar *bar,
             const NsActivityRow *row,
             double x,
             double y,
             const NsTimelineOccupancy *room)
{
  g_autofree char *label = NULL;
  double end = x;

  if (scene->has_no_labels || paint->n_texts >= NS_PAINT_MAX_TEXTS ||
      (bar->x1 - bar->x0 < 4 && !row->from_cache))
    return end;
  label = number_label (scene, bar, row, label_of (scene, row));
  if (label == NULL || paint_label_text (paint, scene, bar, row, x, y, room, label, &end))
    return end;
  /* If the whole label does not fit, a failure gets its number only. */
  if (row->failed && row->error != 0)
    {
      g_autofree char *number = number_label (scene, bar, row, number_of (row));

      paint_label_text (paint, scene, bar, row, x, y, room, number, &end);
    }
  return end;
}

static void
paint_ring (NsPaint *paint, const NsTimelineScene *scene, const NsTimelineBar *bar, double y)
{
  gboolean is_marked = scene->marked != NULL && scene->marked[bar->row];
  gboolean is_focused = scene->has_focus && scene->focus_row == bar->row;
  double line = is_marked || is_focused ? 2 : 1.5;
  double half = scene->metrics->bar / 2 + 3;
  double radius = 3;
  double x0 = MAX (bar->x0, -10) - 3;
  double x1 = MIN (MAX (bar->x1, bar->x0 + 1), scene->layout->width + 10) + 3;

  if (!is_marked && scene->hover_row != bar->row && scene->focus_row != bar->row)
    return;
  cairo_new_sub_path (paint->cr);
  cairo_arc (paint->cr, x0 + radius, y - half + radius, radius, G_PI, 1.5 * G_PI);
  cairo_arc (paint->cr, x1 - radius, y - half + radius, radius, 1.5 * G_PI, 2 * G_PI);
  cairo_arc (paint->cr, x1 - radius, y + half - radius, radius, 0, 0.5 * G_PI);
  cairo_arc (paint->cr, x0 + radius, y + half - radius, radius, 0.5 * G_PI, G_PI);
  cairo_close_path (paint->cr);
  ns_paint_color (paint,
                  is_focused  ? NS_COLOR_FOCUS
                  : is_marked ? NS_COLOR_ACCENT
                              : NS_COLOR_TEXT_DIM,
                  1);
  cairo_set_line_width (paint->cr, line);
  cairo_stroke (paint->cr);
}

static void
paint_body (NsPaint *paint,
            const NsTimelineScene *scene,
            const NsActivityRow *row,
            double x0,
            double x1,
            double y)
{
  JaggedEdges torn = find_torn (scene, row, x0, x1, y);
  gboolean is_cut = has_holes (scene, &torn);

  if (!torn.left && !torn.right && !torn.open && !is_cut)
    {
      ns_timeline_paint_phases (paint, scene->metrics, row, scene->trace->end_ns, x0, x1, y);
      return;
    }
  cairo_save (paint->cr);
  clip_torn (paint, &torn);
  if (is_cut)
    clip_holes (paint, scene, &torn);
  ns_timeline_paint_phases (paint, scene->metrics, row, scene->trace->end_ns, x0, x1, y);
  cairo_restore (paint->cr);
  paint_torn (paint, &torn, ns_palette_get_protocol_role (row->protocol));
  if (is_cut)
    paint_hole_edges (paint, scene, &torn, ns_palette_get_protocol_role (row->protocol));
}

/* Paints the bar of a response from the cache as a dashed outline of a minimum width. Returns
 * its right edge. */
static double
paint_from_cache (NsPaint *paint, NsColorRole role, double x0, double x1, double y)
{
  static const double dashes[2] = { 3, 2 };
  double half = 5.5 * paint->scale;

  x1 = MAX (x1, x0 + 40 * paint->scale);
  ns_paint_color (paint, role, 1);
  cairo_set_line_width (paint->cr, 1);
  cairo_set_dash (paint->cr, dashes, 2, 0);
  ns_paint_box (paint, floor (x0) + 0.5, y - half, floor (x1) + 0.5, y + half);
  cairo_stroke (paint->cr);
  cairo_set_dash (paint->cr, NULL, 0, 0);
  return x1;
}

/* Clears the result of a row that has not ended at the playback time. */
static void
forget_end (NsActivityRow *row)
{
  row->failed = FALSE;
  row->cancelled = FALSE;
  row->redirected = FALSE;
  row->from_cache = FALSE;
  row->http_status = 0;
  row->error = 0;
}

/**
 * ns_timeline_paint_bar:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @bar: (inout): the bar; receives the extent of its marks and label
 * @lane_y: top of its lane, px
 * @room: occupied space of its lane
 *
 * Paints a bar with its lead, marks and label.
 */
void
ns_timeline_paint_bar (NsPaint *paint,
                       const NsTimelineScene *scene,
                       NsTimelineBar *bar,
                       double lane_y,
                       const NsTimelineOccupancy *room)
{
  const NsActivityRow *row = &g_array_index (scene->trace->activities, NsActivityRow, bar->row);
  NsColorRole role = ns_palette_get_protocol_role (row->protocol);
  double y = lane_y + scene->metrics->lane / 2;
  double x0 = ns_timeline_paint_lead (paint, scene, bar->row, bar->x0, room->free_from, y);
  double x1 = bar->x1;
  NsActivityRow known;
  double x;

  if (scene->has_moment && ns_row_span_end (scene->trace, row) > scene->moment_ns)
    {
      known = *row;
      forget_end (&known);
      row = &known;
    }
  if (row->from_cache)
    x1 = paint_from_cache (paint, role, bar->x0, x1, y);
  else
    paint_body (paint, scene, row, bar->x0, x1, y);

  bar->left = MIN (x0, bar->x0);
  if (x0 - 11 * paint->scale >= room->free_from)
    {
      paint_connection_mark (paint, row, role, x0 - 7 * paint->scale, y);
      bar->left = x0 - 11 * paint->scale;
    }
  x = x1 < scene->layout->width ? paint_end_mark (paint, row, x1, y, room->free_until) : x1;
  x = paint_label (paint, scene, bar, row, x, y, room);
  bar->right = MAX (x, bar->x1);
  paint_ring (paint, scene, bar, y);
}

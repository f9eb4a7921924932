/* Paints the lanes of the timeline: backgrounds, names, columns, bars and the selected span.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-coverage-paint.h"
#include "draw/ns-timeline-lead.h"
#include "draw/ns-timeline-paint.h"

#include <math.h>

/* Opacity of rows that do not match the filter. */
#define DIM_ALPHA 0.35

static double
lanes_top (const NsTimelineScene *scene)
{
  return scene->metrics->overview + scene->metrics->ruler;
}

static double
lane_y (const NsTimelineScene *scene, guint shown)
{
  return lanes_top (scene) + shown * scene->metrics->lane - scene->scroll;
}

static const NsLane *
lane_at (const NsTimelineScene *scene, guint shown)
{
  return ns_timeline_lanes_get (scene->lanes, g_array_index (scene->lanes->shown, guint32, shown));
}

/* Returns a flag for each lane from @first on: 1 if a bar in it is selected. */
static guint8 *
find_marked_lanes (const NsTimelineScene *scene, guint first, guint end)
{
  guint8 *marked = g_new0 (guint8, MAX (end, first) - first + 1);
  guint i;

  for (i = 0; scene->marked != NULL && i < scene->list->bars->len; i++)
    {
      const NsTimelineBar *bar = &g_array_index (scene->list->bars, NsTimelineBar, i);

      if (bar->shown >= first && bar->shown < end && scene->marked[bar->row])
        marked[bar->shown - first] = 1;
    }
  return marked;
}

static void
paint_ground (NsPaint *paint, const NsTimelineScene *scene, guint shown, gboolean is_marked)
{
  const NsLane *lane = lane_at (scene, shown);
  double y0 = lane_y (scene, shown);
  double y1 = y0 + scene->metrics->lane;
  double right = scene->names_width + scene->layout->width;

  if (is_marked)
    ns_paint_color (paint, NS_COLOR_SEL_ROW, 1);
  else
    ns_paint_color (paint, lane->level == 0 ? NS_COLOR_BASE_ALT : NS_COLOR_BASE, 1);
  ns_paint_box (paint, scene->names_width, y0, right, y1);
  cairo_fill (paint->cr);
  if (!is_marked)
    ns_paint_color (paint, shown == scene->hover_lane ? NS_COLOR_HOVER_ROW : NS_COLOR_WINDOW, 1);
  else
    ns_paint_color (paint, NS_COLOR_SEL_ROW, 1);
  ns_paint_box (paint, 0, y0, scene->names_width, y1);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_GRID, 1);
  ns_paint_box (paint, 0, y1 - 1, right, y1);
  cairo_fill (paint->cr);
  if (is_marked)
    {
      ns_paint_color (paint, NS_COLOR_ACCENT, 1);
      ns_paint_box (paint, 0, y0, 3, y1);
      cairo_fill (paint->cr);
    }
}

static void
paint_grid (NsPaint *paint, const NsTimelineScene *scene, double bottom)
{
  gint64 step = ns_timeline_scene_get_step (scene, paint->scale);
  gint64 base = MAX (scene->clock_base_ns, 0);
  gint64 time_ns = (scene->layout->begin_ns + base) / step * step - base;

  ns_paint_color (paint, NS_COLOR_GRID, 1);
  for (; time_ns <= scene->layout->end_ns; time_ns += step)
    {
      double x = floor (ns_timeline_layout_x_at (scene->layout, time_ns));

      ns_paint_box (paint, x, lanes_top (scene), x + 1, bottom);
    }
  cairo_fill (paint->cr);
}

static void
paint_lane_mark (NsPaint *paint, const NsLane *lane, double x, double y)
{
  double radius = 3.5 * paint->scale;

  if (lane->kind == NS_LANE_STATE || lane->kind == NS_LANE_LOG)
    return;
  if (lane->kind != NS_LANE_CONNECTION)
    {
      ns_paint_protocol_mark (paint, lane->protocol, x, y, 10 * paint->scale);
      return;
    }
  ns_paint_color (paint, ns_palette_get_protocol_role (lane->protocol), 1);
  cairo_new_sub_path (paint->cr);
  cairo_arc (paint->cr,
             ns_paint_x (paint, x),
             y,
             radius - (lane->reused > 0 ? 0.75 : 0),
             0,
             2 * G_PI);
  cairo_set_line_width (paint->cr, 1.5);
  if (lane->reused > 0)
    cairo_stroke (paint->cr);
  else
    cairo_fill (paint->cr);
}

/* Returns the number of rows, state changes or log lines of a lane. */
static guint
count_of (const NsTimelineScene *scene, const NsLane *lane)
{
  const NsStateMarks *states = scene->lanes->states;
  guint n_marks = 0;
  guint i;

  if (lane->kind == NS_LANE_LOG)
    return lane->n_matching_marks;
  if (lane->kind != NS_LANE_STATE)
    return lane->n_matching;
  for (i = 0; i < states->lanes->len; i++)
    {
      const NsStateLane *state = &g_array_index (states->lanes, NsStateLane, i);

      /* The changes in the lane of a connection are counted in its parent as well. */
      if (lane->state == i || (lane->state == G_MAXUINT && state->name == NULL))
        n_marks += state->marks->len;
    }
  return n_marks;
}

/* Formats a number with a text before and after it. */
static char *
dup_count (const NsTimelineScene *scene, const char *before, guint number, const char *behind)
{
  g_autofree char *digits = scene->words != NULL && scene->words->count != NULL
                                ? scene->words->count (number)
                                : g_strdup_printf ("%u", number);

  return g_strconcat (before, digits, behind, NULL);
}

static void
paint_name (NsPaint *paint, const NsTimelineScene *scene, guint shown)
{
  const NsLane *lane = lane_at (scene, shown);
  double k = paint->scale;
  double y = lane_y (scene, shown) + scene->metrics->lane / 2;
  double x = 12 * k + (double) lane->level * scene->metrics->indent;
  g_autofree char *count = dup_count (scene, "", count_of (scene, lane), lane->is_cut ? "+" : "");
  double count_width = ns_paint_text_width (paint, paint->caption, count);
  double right = scene->names_width - 12 * k - count_width;
  PangoFontDescription *font = pango_font_description_copy (paint->dense);
  double detail_width = 0;
  double kept = 0;

  if (shown == scene->hover_lane && scene->head_name == NULL)
    {
      right = scene->names_width - 48 * k;
      ns_timeline_paint_lane_buttons (paint, scene, lane, y);
    }
  else
    {
      ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
      ns_paint_text (paint, paint->caption, count, right, y, -1);
    }
  if (lane->n_children > 0)
    {
      ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
      ns_paint_expander (paint, x, y, !lane->is_folded);
    }
  if (lane->level == 0)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  else if (lane->kind != NS_LANE_MORE)
    paint_lane_mark (paint, lane, x + 15 * k, y);
  if (lane->is_pinned)
    {
      ns_paint_color (paint, NS_COLOR_ACCENT, 1);
      ns_timeline_paint_pin (paint, x - 8 * k, y);
    }
  x += lane->level == 0 || lane->kind == NS_LANE_MORE ? 12 * k : 25 * k;

  if (lane->detail != NULL)
    detail_width = ns_paint_text_width (paint, paint->dense, lane->detail);
  /* Reserves room for the detail: a process ID distinguishes processes of the same name. */
  if (scene->head_name != NULL && *scene->head_name != '\0')
    kept = MIN (ns_paint_text_width (paint, paint->dense, scene->head_name), (right - x) / 2);
  else if (lane->kind == NS_LANE_PROCESS && detail_width > 0)
    kept = detail_width + 5 * k + 1;
  ns_paint_color (paint, NS_COLOR_TEXT, 1);
  /* `host:port` is written from left to right in every language. */
  if (scene->is_mirrored && lane->kind == NS_LANE_SERVER && lane->detail != NULL &&
      x + ns_paint_text_width (paint, font, lane->name) + detail_width <= right - 6 * k)
    x += ns_paint_text (paint, paint->dense, lane->detail, x, y, -1);
  x += ns_paint_text (paint, font, lane->name, x, y, right - x - 6 * k - kept);
  pango_font_description_free (font);
  if (scene->head_name != NULL && *scene->head_name != '\0')
    {
      ns_paint_text (paint, paint->dense, scene->head_name, x, y, right - x - 6 * k);
      return;
    }
  if (lane->detail == NULL || (scene->is_mirrored && lane->kind == NS_LANE_SERVER))
    return;
  if (lane->kind != NS_LANE_SERVER)
    x += 5 * k;
  if (x + detail_width > right - 6 * k)
    return;
  ns_paint_color (paint, lane->kind == NS_LANE_SERVER ? NS_COLOR_TEXT : NS_COLOR_TEXT_DIM, 1);
  ns_paint_text (paint, paint->dense, lane->detail, x, y, -1);
}

/* Paints the number of folded rows right of their block if there is room. */
static void
paint_count (NsPaint *paint,
             const NsTimelineScene *scene,
             const NsTimelineColumn *last,
             guint n_opened,
             double y,
             NsTimelineOccupancy *room)
{
  double x = (double) (last->column + 1) * NS_TIMELINE_COLUMN_PX + 5;
  g_autofree char *count = NULL;
  double end;

  /* Half of the texts are reserved for the labels of bars. */
  if (paint->n_texts >= NS_PAINT_MAX_TEXTS / 2)
    return;
  count = dup_count (scene, "\303\227", n_opened, "");
  end = x + ns_paint_text_width (paint, paint->caption, count);
  if (!ns_timeline_room_is_free (room, last->shown, x, end + 6 * paint->scale) ||
      !ns_timeline_room_has_no_bar (room,
                                    last->shown,
                                    x - 19 * paint->scale,
                                    end + 11 * paint->scale))
    return;
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  ns_paint_text (paint, paint->caption, count, x, y, -1);
  ns_timeline_room_take (room, last->shown, x, end);
}

/* Paints a run of adjacent columns. Returns the index after it. */
static guint
paint_run (NsPaint *paint, const NsTimelineScene *scene, guint first, NsTimelineOccupancy *room)
{
  const NsTimelineColumn *columns =
      (const NsTimelineColumn *) (gpointer) scene->list->columns->data;
  guint n_columns = scene->list->columns->len;
  const NsLane *lane = lane_at (scene, columns[first].shown);
  NsColorRole role =
      columns[first].is_profile ? NS_COLOR_WINSOCK : ns_palette_get_protocol_role (lane->protocol);
  double bottom = lane_y (scene, columns[first].shown) + scene->metrics->lane - 4 * paint->scale;
  double tall = scene->metrics->bar;
  guint32 most = 1;
  guint n_opened = 0;
  guint end;
  guint i;

  for (end = first; end < n_columns; end++)
    {
      if (columns[end].shown != columns[first].shown ||
          columns[end].is_dim != columns[first].is_dim ||
          (end > first && columns[end].column != columns[end - 1].column + 1))
        break;
      most = MAX (most, columns[end].n_running);
      n_opened += columns[end].n_opened;
    }

  cairo_new_path (paint->cr);
  cairo_move_to (paint->cr, columns[first].column * NS_TIMELINE_COLUMN_PX, bottom);
  for (i = first; i < end; i++)
    {
      /* A minimum height keeps small counts visible. */
      double height = ceil (tall * (0.25 + 0.75 * sqrt ((double) columns[i].n_running / most)));
      double x = (double) columns[i].column * NS_TIMELINE_COLUMN_PX;

      cairo_line_to (paint->cr, x, floor (bottom - height) + 0.5);
      cairo_line_to (paint->cr, x + NS_TIMELINE_COLUMN_PX, floor (bottom - height) + 0.5);
    }
  cairo_line_to (paint->cr, (columns[end - 1].column + 1) * NS_TIMELINE_COLUMN_PX, bottom);
  cairo_close_path (paint->cr);
  ns_paint_mix (paint, role, NS_COLOR_BASE, columns[first].is_profile ? 0.3 : 0.5);
  cairo_fill_preserve (paint->cr);
  ns_paint_color (paint, role, 1);
  cairo_set_line_width (paint->cr, 1);
  cairo_stroke (paint->cr);

  if (columns[first].is_profile)
    return end;
  ns_paint_color (paint, NS_COLOR_FAILURE, 1);
  for (i = first; i < end; i++)
    if (columns[i].n_failed > 0)
      ns_paint_box (paint,
                    columns[i].column * NS_TIMELINE_COLUMN_PX,
                    bottom - 5,
                    columns[i].column * NS_TIMELINE_COLUMN_PX + 3,
                    bottom);
  cairo_fill (paint->cr);
  if (n_opened > 1)
    paint_count (paint, scene, &columns[end - 1], n_opened, bottom - tall / 2, room);
  return end;
}

/* Underlines the search matches in a lane: bars, or the columns they are folded into. */
static void
paint_found (NsPaint *paint, const NsTimelineScene *scene)
{
  const NsTimelineColumn *columns =
      (const NsTimelineColumn *) (gpointer) scene->list->columns->data;
  const NsTimelineBar *bars = (const NsTimelineBar *) (gpointer) scene->list->bars->data;
  double k = paint->scale;
  guint pass;
  guint i;

  if (scene->lanes->found == NULL)
    return;
  /* The highlight colour has too little contrast on a light background, so that it gets a rim. */
  for (pass = 0; pass < 2; pass++)
    {
      double rim = pass == 0 ? 1 : 0;

      for (i = 0; i < scene->list->bars->len; i++)
        if (scene->lanes->found[bars[i].row])
          {
            double y1 = lane_y (scene, bars[i].shown) + scene->metrics->lane - 1;
            double x0 = MAX (floor (bars[i].x0), -2);
            double x1 = MIN (MAX (ceil (bars[i].x1), x0 + 6 * k), scene->layout->width + 2);

            ns_paint_box (paint, x0 - rim, y1 - 2 * k - rim, x1 + rim, y1);
          }
      for (i = 0; i < scene->list->columns->len; i++)
        if (columns[i].n_found > 0 && !columns[i].is_profile)
          {
            double y1 = lane_y (scene, columns[i].shown) + scene->metrics->lane - 1;
            double x0 = (double) columns[i].column * NS_TIMELINE_COLUMN_PX;

            ns_paint_box (paint, x0 - rim, y1 - 2 * k - rim, x0 + NS_TIMELINE_COLUMN_PX + rim, y1);
          }
      ns_paint_color (paint, pass == 0 ? NS_COLOR_TEXT_DIM : NS_COLOR_FIND, 1);
      cairo_fill (paint->cr);
    }
}

/* Paints the bars and columns of either the dimmed or the other rows. */
static void
paint_some_bars (NsPaint *paint,
                 const NsTimelineScene *scene,
                 gboolean is_dim,
                 NsTimelineOccupancy *room)
{
  const GArray *bars = scene->list->bars;
  guint i;

  for (i = 0; i < scene->list->columns->len;)
    if (g_array_index (scene->list->columns, NsTimelineColumn, i).is_dim == is_dim)
      i = paint_run (paint, scene, i, room);
    else
      i++;
  for (i = 0; i < bars->len; i++)
    {
      NsTimelineBar *bar = &g_array_index (bars, NsTimelineBar, i);
      const NsTimelineBar *next = bar + 1;

      room->free_until = scene->layout->width;
      if (i == 0 || bar[-1].shown != bar->shown)
        room->free_from = -G_MAXDOUBLE;
      if (i + 1 < bars->len && next->shown == bar->shown)
        room->free_until =
            ns_timeline_get_lead_x (scene->trace, scene->layout, next->row, next->x0) -
            11 * paint->scale;
      if (bar->is_dim == is_dim)
        ns_timeline_paint_bar (paint, scene, bar, lane_y (scene, bar->shown), room);
      room->free_from = MAX (room->free_from, bar->x1);
    }
}

static void
paint_bars (NsPaint *paint, const NsTimelineScene *scene)
{
  NsTimelineOccupancy room;

  ns_timeline_room_init (&room, scene->list);
  if (scene->lanes->matches_filter != NULL || scene->lanes->highlighted != NULL)
    {
      cairo_push_group (paint->cr);
      paint_some_bars (paint, scene, TRUE, &room);
      cairo_pop_group_to_source (paint->cr);
      cairo_paint_with_alpha (paint->cr, DIM_ALPHA);
    }
  paint_some_bars (paint, scene, FALSE, &room);
  ns_timeline_room_clear (&room);
  paint_found (paint, scene);
}

static void
paint_spans (NsPaint *paint, const NsTimelineScene *scene, double bottom)
{
  double top = lanes_top (scene);
  double end = floor (ns_timeline_layout_x_at (scene->layout, scene->trace->end_ns)) + 0.5;
  static const double dashes[2] = { 4, 3 };

  if (end < scene->layout->width - 1 && end > 0)
    {
      ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
      cairo_set_line_width (paint->cr, 1);
      cairo_set_dash (paint->cr, dashes, 2, 0);
      ns_paint_line (paint, end, top, end, bottom);
      cairo_set_dash (paint->cr, NULL, 0, 0);
    }
  if (scene->selected.begin_ns < scene->selected.end_ns)
    {
      double x0 = floor (ns_timeline_layout_x_at (scene->layout, scene->selected.begin_ns)) + 0.5;
      double x1 = floor (ns_timeline_layout_x_at (scene->layout, scene->selected.end_ns)) + 0.5;

      ns_paint_color (paint, NS_COLOR_SEL_SPAN, 0.07);
      ns_paint_box (paint, x0, top, x1, bottom);
      cairo_fill (paint->cr);
      ns_paint_color (paint, NS_COLOR_SEL_SPAN, 1);
      cairo_set_line_width (paint->cr, paint->palette->is_high_contrast ? 1.5 : 1);
      ns_paint_line (paint, x0, top, x0, bottom);
      ns_paint_line (paint, x1, top, x1, bottom);
    }
}

static void
paint_focus (NsPaint *paint, const NsTimelineScene *scene)
{
  double y = lane_y (scene, scene->focus_lane);

  if (!scene->has_focus || scene->focus_lane >= scene->lanes->shown->len)
    return;
  ns_paint_color (paint, NS_COLOR_FOCUS, 1);
  cairo_set_line_width (paint->cr, 2);
  ns_paint_box (paint,
                1,
                y + 1,
                scene->names_width + scene->layout->width - 1,
                y + scene->metrics->lane - 1);
  cairo_stroke (paint->cr);
}

/* Paints the reason for an empty plot in its middle. */
static void
paint_no_lanes (NsPaint *paint, const NsTimelineScene *scene)
{
  double width = scene->layout->width;
  double gap = 12 * paint->scale;
  double text_width;

  if (scene->no_lanes == NULL || scene->lanes->shown->len > 0)
    return;
  text_width = MIN (ns_paint_text_width (paint, paint->caption, scene->no_lanes), width - 2 * gap);
  if (text_width <= gap)
    return;
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  ns_paint_text (paint,
                 paint->caption,
                 scene->no_lanes,
                 (width - text_width) / 2,
                 (lanes_top (scene) + scene->height) / 2,
                 text_width);
}

static void
paint_lanes (NsPaint *paint, const NsTimelineScene *scene, guint first, guint end)
{
  double bottom = MIN (scene->height, lane_y (scene, scene->lanes->shown->len));
  g_autofree guint8 *marked = find_marked_lanes (scene, first, end);
  guint i;

  ns_timeline_scene_begin_names (scene, paint);
  for (i = first; i < end; i++)
    paint_ground (paint, scene, i, marked[i - first]);
  ns_timeline_scene_end_names (paint);
  cairo_save (paint->cr);
  cairo_translate (paint->cr, ns_timeline_scene_get_plot_x (scene), 0);
  ns_paint_box (paint, 0, lanes_top (scene), scene->layout->width, scene->height);
  cairo_clip (paint->cr);
  paint_grid (paint, scene, bottom);
  ns_coverage_paint_holes (paint, scene, scene->layout, lanes_top (scene), bottom);
  ns_timeline_paint_gaps (paint, scene, scene->layout, lanes_top (scene), bottom, 0.6);
  ns_timeline_paint_losses (paint, scene, scene->layout, lanes_top (scene), bottom);
  ns_timeline_paint_app_spans (paint, scene, first, end);
  paint_bars (paint, scene);
  ns_timeline_paint_lives (paint, scene, first, end);
  ns_timeline_paint_states (paint, scene, first, end);
  ns_timeline_paint_logs (paint, scene, first, end);
  ns_coverage_paint_files (paint, scene, scene->layout, lanes_top (scene));
  paint_spans (paint, scene, scene->height);
  paint_no_lanes (paint, scene);
  ns_timeline_paint_frontier (paint, scene, scene->layout, lanes_top (scene), scene->height);
  cairo_restore (paint->cr);
  ns_timeline_scene_begin_names (scene, paint);
  for (i = first; i < end; i++)
    paint_name (paint, scene, i);
  ns_timeline_scene_end_names (paint);
  paint_focus (paint, scene);
}

/* Returns the name of the server whose first lanes are scrolled out of view below the sticky
 * head, as " › mail.example.com". */
static char *
dup_head_name (const NsTimelineScene *scene, double offset)
{
  double scroll = scene->scroll + scene->metrics->lane + offset;
  guint below = (guint) MAX (scroll / scene->metrics->lane, 0);
  const NsLane *lane;
  const NsLane *above = NULL;

  if (below >= scene->lanes->shown->len)
    return g_strdup ("");
  lane = lane_at (scene, below);
  while (lane->parent != NS_LANE_NONE)
    {
      lane = ns_timeline_lanes_get (scene->lanes, lane->parent);
      if (lane->parent != NS_LANE_NONE && lane->kind != NS_LANE_MORE)
        above = lane;
    }
  return above != NULL ? g_strconcat (" \342\200\272 ", above->name, NULL) : g_strdup ("");
}

/* Paints the sticky head, the outermost lane of the scrolled lanes, with a shadow below it. */
static void
paint_head (NsPaint *paint, const NsTimelineScene *scene)
{
  double top = lanes_top (scene);
  double right = scene->names_width + scene->layout->width;
  NsTimelineScene head = *scene;
  g_autofree char *name = NULL;
  double offset;
  guint place = ns_timeline_lanes_find_head (scene->lanes,
                                             scene->metrics->lane,
                                             scene->height - top,
                                             scene->scroll,
                                             &offset);

  if (place == NS_LANE_NONE || scene->list->head == NULL)
    return;
  name = dup_head_name (scene, offset);
  head.list = scene->list->head;
  head.head_name = name;
  head.scroll = place * scene->metrics->lane - offset;
  head.height = top + scene->metrics->lane + offset;
  cairo_save (paint->cr);
  ns_paint_box (paint, 0, top, right, head.height);
  cairo_clip (paint->cr);
  paint_lanes (paint, &head, place, place + 1);
  cairo_restore (paint->cr);
  ns_paint_color (paint, NS_COLOR_TEXT, 0.1);
  ns_paint_box (paint, 0, head.height, right, head.height + 3);
  cairo_fill (paint->cr);
}

/**
 * ns_timeline_paint:
 * @paint: a painter; its origin is the top left corner of the timeline
 * @scene: the frame
 *
 * Paints the overview, the ruler and the lanes.
 */
void
ns_timeline_paint (NsPaint *paint, const NsTimelineScene *scene)
{
  double top = lanes_top (scene);
  double right = scene->names_width + scene->layout->width;
  guint first = (guint) MAX (scene->scroll / scene->metrics->lane, 0);
  guint end = (guint) MAX (ceil ((scene->scroll + scene->height - top) / scene->metrics->lane), 0);

  end = MIN (end, scene->lanes->shown->len);
  ns_paint_color (paint, NS_COLOR_BASE, 1);
  ns_paint_box (paint, 0, 0, right, scene->height);
  cairo_fill (paint->cr);

  cairo_save (paint->cr);
  ns_paint_box (paint, 0, top, right, scene->height);
  cairo_clip (paint->cr);
  ns_paint_color (paint, NS_COLOR_WINDOW, 1);
  ns_timeline_scene_begin_names (scene, paint);
  ns_paint_box (paint, 0, top, scene->names_width, scene->height);
  ns_timeline_scene_end_names (paint);
  cairo_fill (paint->cr);
  paint_lanes (paint, scene, first, end);
  paint_head (paint, scene);
  cairo_restore (paint->cr);

  ns_timeline_paint_ruler (paint, scene);
  ns_timeline_paint_overview (paint, scene);
  ns_paint_color (paint, NS_COLOR_BORDER, 1);
  ns_timeline_scene_begin_names (scene, paint);
  ns_paint_box (paint, scene->names_width - 1, 0, scene->names_width, scene->height);
  ns_timeline_scene_end_names (paint);
  cairo_fill (paint->cr);
  g_clear_object (&paint->layout);
}

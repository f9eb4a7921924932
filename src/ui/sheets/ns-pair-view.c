/* Drawing of one aspect of paired requests: lanes, phases of a request, or clock alignment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-pair-view.h"

#include "ui/ns-theme.h"

#define REQUEST_PX 28
#define SWATCH_PX 16
#define CLOCK_WIDTH_PX 324
#define CLOCK_HEIGHT_PX 108

struct _NsPairView
{
  GtkWidget parent_instance;

  NsPairViewKind kind;
  NsPairPhase phase;
  const NsPairs *pairs; /* (nullable): borrowed */
  const NsPairRow *row; /* likewise */
  char *names[2];       /* names of the lanes: client, server */
};

G_DEFINE_FINAL_TYPE (NsPairView, ns_pair_view, GTK_TYPE_WIDGET)

static int
get_height (NsPairView *self, double scale)
{
  switch (self->kind)
    {
    case NS_PAIR_VIEW_LANES:
      return (int) ns_pair_paint_get_lanes_height (scale);
    case NS_PAIR_VIEW_REQUEST:
      return (int) (REQUEST_PX * scale);
    case NS_PAIR_VIEW_CLOCK:
      return (int) (CLOCK_HEIGHT_PX * scale);
    case NS_PAIR_VIEW_PHASE:
    default:
      return (int) (SWATCH_PX * scale) + 2;
    }
}

static void
ns_pair_view_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  NsPairView *self = NS_PAIR_VIEW (widget);
  NsThemeLook look = { 0 };

  ns_theme_look_read (&look, widget);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = get_height (self, look.scale);
  else
    {
      *minimum = (int) (SWATCH_PX * look.scale);
      *natural = self->kind == NS_PAIR_VIEW_PHASE ? *minimum : (int) (CLOCK_WIDTH_PX * look.scale);
    }
  ns_theme_look_clear (&look);
}

static NsColorRole
get_role (NsPairView *self)
{
  const NsTrace *trace = self->pairs->traces[self->row->client_machine];
  const NsActivityRow *client = ns_trace_get_row (trace, NS_TABLE_ACTIVITIES, self->row->client);

  return ns_palette_get_protocol_role (client->protocol);
}

static void
paint (NsPairView *self, NsPaint *paint, double width, double height)
{
  const char *const names[] = { self->names[0] != NULL ? self->names[0] : "",
                                self->names[1] != NULL ? self->names[1] : "" };

  switch (self->kind)
    {
    case NS_PAIR_VIEW_LANES:
      ns_pair_paint_lanes (paint, self->pairs, self->row, names, width);
      break;
    case NS_PAIR_VIEW_REQUEST:
      ns_pair_paint_request (paint, self->pairs, self->row, 1, width - 2, height / 2);
      break;
    case NS_PAIR_VIEW_CLOCK:
      ns_pair_paint_clock (paint, self->pairs, width, height);
      break;
    case NS_PAIR_VIEW_PHASE:
    default:
      ns_pair_paint_phase (paint, get_role (self), self->phase, 1, width - 2, height / 2);
    }
}

static void
ns_pair_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  NsPairView *self = NS_PAIR_VIEW (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  NsThemeLook look = { 0 };
  NsPaint draft;
  cairo_t *cr;

  if (self->pairs == NULL || (self->row == NULL && self->kind != NS_PAIR_VIEW_CLOCK) || width < 4)
    return;
  ns_theme_look_read (&look, widget);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  ns_theme_look_begin (&look, &draft, cr);
  paint (self, &draft, width, height);
  cairo_destroy (cr);
  ns_theme_look_clear (&look);
}

static void
ns_pair_view_finalize (GObject *object)
{
  NsPairView *self = NS_PAIR_VIEW (object);

  g_free (self->names[0]);
  g_free (self->names[1]);
  G_OBJECT_CLASS (ns_pair_view_parent_class)->finalize (object);
}

static void
ns_pair_view_class_init (NsPairViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ns_pair_view_finalize;
  widget_class->measure = ns_pair_view_measure;
  widget_class->snapshot = ns_pair_view_snapshot;
  /* The labels beside the drawing contain the same information. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ns_pair_view_init (NsPairView *self)
{
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/**
 * ns_pair_view_new:
 * @kind: the kind of drawing
 * @phase: the phase of a %NS_PAIR_VIEW_PHASE drawing
 *
 * Returns: (transfer floating): an empty drawing
 */
GtkWidget *
ns_pair_view_new (NsPairViewKind kind, NsPairPhase phase)
{
  NsPairView *self = g_object_new (NS_TYPE_PAIR_VIEW, NULL);

  self->kind = kind;
  self->phase = phase;
  gtk_widget_set_hexpand (GTK_WIDGET (self), kind != NS_PAIR_VIEW_PHASE);
  return GTK_WIDGET (self);
}

/**
 * ns_pair_view_set:
 * @self: a drawing
 * @pairs: (nullable): the paired requests; must outlive their use by the drawing
 * @row: (nullable): the request to draw
 *
 * Sets the request and redraws.
 */
void
ns_pair_view_set (NsPairView *self, const NsPairs *pairs, const NsPairRow *row)
{
  self->pairs = pairs;
  self->row = row;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * ns_pair_view_set_names:
 * @self: a drawing of lanes
 * @client: the name of the client
 * @server: the name of the server
 *
 * Sets the names of the lanes.
 */
void
ns_pair_view_set_names (NsPairView *self, const char *client, const char *server)
{
  g_free (self->names[0]);
  g_free (self->names[1]);
  self->names[0] = g_strdup (client);
  self->names[1] = g_strdup (server);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

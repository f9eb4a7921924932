/* Container that divides the height between the timeline and the tables below it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-split.h"

#include "ui/ns-theme.h"

/* Minimum contents of the two parts: the ruler and some lanes; tabs, column titles and some rows.
 */
#define ROW_PX 24
#define RULER_PX 30
#define TITLES_PX 66
#define HANDLE_PX 18
#define LEAST_LANES 4
#define LEAST_ROWS 5

struct _NsSplit
{
  GtkWidget parent_instance;

  GtkWidget *paned;
  gboolean is_setting_position;
  gboolean is_set_by_user; /* the user has moved the handle */
  int requested;           /* requested height of the upper part, px */
  int requested_total;     /* total height when it was requested; 0 until the first allocation */
};

enum
{
  PROP_0,
  PROP_PANED,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsSplit, ns_split, GTK_TYPE_WIDGET)

/* Clamps the height of the upper part so that both parts show their minimum contents, or shares the
 * height in proportion to the minima if there is not enough. */
static int
share_fairly (int requested, int height)
{
  double scale = ns_theme_get_scale ();
  int least_top = (int) (scale * (RULER_PX + LEAST_LANES * ROW_PX));
  int least_bottom = (int) (scale * (TITLES_PX + LEAST_ROWS * ROW_PX));
  int room = height - HANDLE_PX;

  if (room < least_top + least_bottom)
    return (int) ((double) room * least_top / (least_top + least_bottom));
  return CLAMP (requested, least_top, room - least_bottom);
}

static int
find_position (NsSplit *self, int height)
{
  int requested = self->requested_total > 0
                      ? (int) ((double) self->requested * height / self->requested_total + 0.5)
                      : self->requested;

  /* A position set by the user is not clamped unless the height has shrunk since. */
  if (self->is_set_by_user && height >= self->requested_total)
    return requested;
  return share_fairly (requested, height);
}

static gboolean
has_both_parts (NsSplit *self)
{
  GtkWidget *top = gtk_paned_get_start_child (GTK_PANED (self->paned));
  GtkWidget *bottom = gtk_paned_get_end_child (GTK_PANED (self->paned));

  return top != NULL && bottom != NULL && gtk_widget_get_visible (top) &&
         gtk_widget_get_visible (bottom);
}

/* Stores a position set by the user. */
static void
moved_cb (NsSplit *self)
{
  if (self->is_setting_position || self->paned == NULL)
    return;
  self->requested = gtk_paned_get_position (GTK_PANED (self->paned));
  self->requested_total = gtk_widget_get_height (self->paned);
  self->is_set_by_user = self->requested_total > 0;
}

static void
ns_split_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  NsSplit *self = NS_SPLIT (widget);

  if (self->paned == NULL)
    return;
  self->is_setting_position = TRUE;
  if (has_both_parts (self) && height > 0)
    {
      if (gtk_widget_get_height (self->paned) != height || self->requested_total == 0)
        gtk_paned_set_position (GTK_PANED (self->paned), find_position (self, height));
      if (self->requested_total == 0)
        self->requested_total = height;
    }
  gtk_widget_allocate (self->paned, width, height, baseline, NULL);
  self->is_setting_position = FALSE;
}

static void
ns_split_measure (GtkWidget *widget,
                  GtkOrientation orientation,
                  int for_size,
                  int *minimum,
                  int *natural,
                  int *minimum_baseline,
                  int *natural_baseline)
{
  if (NS_SPLIT (widget)->paned != NULL)
    gtk_widget_measure (NS_SPLIT (widget)->paned,
                        orientation,
                        for_size,
                        minimum,
                        natural,
                        minimum_baseline,
                        natural_baseline);
}

static void
ns_split_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_PANED)
    g_value_set_object (value, NS_SPLIT (object)->paned);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
ns_split_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  NsSplit *self = NS_SPLIT (object);

  if (prop_id != PROP_PANED)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      return;
    }
  self->paned = g_value_get_object (value);
  if (self->paned == NULL)
    return;
  gtk_widget_set_parent (self->paned, GTK_WIDGET (self));
  /* Otherwise GtkPaned would distribute each height change over both parts, and move the position
   * set in size_allocate. */
  gtk_paned_set_resize_start_child (GTK_PANED (self->paned), FALSE);
  g_signal_connect_swapped (self->paned, "notify::position", G_CALLBACK (moved_cb), self);
}

static void
ns_split_dispose (GObject *object)
{
  NsSplit *self = NS_SPLIT (object);

  if (self->paned != NULL)
    g_signal_handlers_disconnect_by_data (self->paned, self);
  g_clear_pointer (&self->paned, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_split_parent_class)->dispose (object);
}

static void
ns_split_class_init (NsSplitClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ns_split_dispose;
  object_class->get_property = ns_split_get_property;
  object_class->set_property = ns_split_set_property;
  widget_class->measure = ns_split_measure;
  widget_class->size_allocate = ns_split_size_allocate;

  /**
   * NsSplit:paned:
   *
   * The #GtkPaned with the timeline above and the tables below. Its position stays in proportion to
   * its height, but leaves both parts their minimum contents. A position set by the user is
   * restored when the height is again what it was then.
   */
  properties[PROP_PANED] =
      g_param_spec_object ("paned",
                           NULL,
                           NULL,
                           GTK_TYPE_PANED,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ns_split_init (NsSplit *self)
{
}

/* Container that shows the panel beside the content, or over it as a drawer in a narrow window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-panel-frame.h"

#include "ui/ns-theme.h"

/* Default and minimum width of the panel. */
#define PANEL_PX 348
#define PANEL_MIN_PX 288
/* Below this window width the panel is a drawer; the second value is added at twice the normal
 * font size. */
#define PANEL_MIN_WINDOW_PX 1000
#define PANEL_MIN_WINDOW_MORE_PX 800
/* Below this window width, scaled with the font, buttons show their icons without labels: a window
 * of 900 px less its frame. */
#define WORDS_MIN_WINDOW_PX 880
/* Width of the content that stays visible beside a drawer. */
#define BESIDE_DRAWER_PX 60

struct _NsPanelFrame
{
  GtkBox parent_instance;

  GtkWidget *content; /* (nullable) */
  GtkWidget *panel;   /* (nullable) */
  int width;          /* width of the window, px */
  gboolean is_narrow; /* the panel is a drawer */
  gboolean is_tight;  /* no room for labels beside icons */
  gboolean was_shown; /* the panel was visible before it became a drawer */
  guint fit_id;

  GtkWidget *overlay;
  GtkWidget *paned;
};

enum
{
  PROP_0,
  PROP_CONTENT,
  PROP_PANEL,
  PROP_NARROW,
  PROP_TIGHT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsPanelFrame, ns_panel_frame, GTK_TYPE_BOX)

/* Returns whether the window is too narrow for the panel beside the content. */
static gboolean
is_too_narrow (NsPanelFrame *self, int width)
{
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));

  return width < PANEL_MIN_WINDOW_PX + (int) (PANEL_MIN_WINDOW_MORE_PX * (scale - 1));
}

static gboolean
is_too_tight (NsPanelFrame *self, int width)
{
  return width < (int) (WORDS_MIN_WINDOW_PX * ns_theme_get_width_scale (GTK_WIDGET (self)));
}

/* Allocates the drawer its requested width. GtkOverlay would use the natural width, which grows
 * with long names in the panel. */
static gboolean
place_drawer_cb (GtkOverlay *overlay, GtkWidget *child, GdkRectangle *place, NsPanelFrame *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (overlay));
  int wanted;
  int least;

  if (child != self->panel)
    return FALSE;
  gtk_widget_get_size_request (child, &wanted, NULL);
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  place->width = MAX (wanted, least);
  place->height = gtk_widget_get_height (GTK_WIDGET (overlay));
  place->x = gtk_widget_get_direction (GTK_WIDGET (overlay)) == GTK_TEXT_DIR_RTL
                 ? 0
                 : width - place->width;
  place->y = 0;
  return TRUE;
}

/* Moves the panel into the paned or the overlay, without showing or hiding it. */
static void
place_panel (NsPanelFrame *self)
{
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));
  gboolean is_drawer = gtk_widget_get_parent (self->panel) == self->overlay;

  if (self->is_narrow)
    gtk_widget_set_size_request (self->panel,
                                 MIN ((int) (PANEL_PX * scale),
                                      MAX (self->width - BESIDE_DRAWER_PX, PANEL_MIN_PX)),
                                 -1);
  if (is_drawer == self->is_narrow)
    return;
  if (self->is_narrow)
    {
      gtk_paned_set_end_child (GTK_PANED (self->paned), NULL);
      gtk_widget_set_halign (self->panel, GTK_ALIGN_END);
      gtk_widget_add_css_class (self->panel, "drawer");
      gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), self->panel);
    }
  else
    {
      gtk_overlay_remove_overlay (GTK_OVERLAY (self->overlay), self->panel);
      gtk_widget_remove_css_class (self->panel, "drawer");
      gtk_widget_set_halign (self->panel, GTK_ALIGN_FILL);
      gtk_widget_set_size_request (self->panel, PANEL_MIN_PX, -1);
      gtk_paned_set_end_child (GTK_PANED (self->paned), self->panel);
      gtk_paned_set_resize_end_child (GTK_PANED (self->paned), FALSE);
      gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
      /* The old position of the handle belongs to a narrower window. */
      gtk_paned_set_position (GTK_PANED (self->paned), self->width - (int) (PANEL_PX * scale));
    }
}

static gboolean
fit_cb (gpointer data)
{
  NsPanelFrame *self = data;
  gboolean is_tight = is_too_tight (self, self->width);
  gboolean is_narrow = is_too_narrow (self, self->width);

  self->fit_id = 0;
  if (is_tight != self->is_tight)
    {
      self->is_tight = is_tight;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TIGHT]);
    }
  if (is_narrow == self->is_narrow)
    return G_SOURCE_REMOVE;
  self->is_narrow = is_narrow;
  if (is_narrow)
    self->was_shown = gtk_widget_get_visible (self->panel);
  gtk_widget_set_visible (self->panel, !is_narrow && self->was_shown);
  place_panel (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NARROW]);
  return G_SOURCE_REMOVE;
}

/**
 * ns_panel_frame_fit:
 * @self: a frame with a panel
 * @width: the width of the window, in px
 *
 * Adapts to a new window width: in a narrow window the panel turns into a closed drawer, and it
 * returns when the window is wide again. The change is made by an idle callback, so this may be
 * called during size allocation.
 */
void
ns_panel_frame_fit (NsPanelFrame *self, int width)
{
  g_return_if_fail (NS_IS_PANEL_FRAME (self));

  self->width = width;
  if ((is_too_narrow (self, width) != self->is_narrow ||
       is_too_tight (self, width) != self->is_tight) &&
      self->fit_id == 0)
    self->fit_id = g_idle_add (fit_cb, self);
}

/**
 * ns_panel_frame_begin:
 * @self: a frame with a panel
 * @width: the width of the window, in px
 * @is_shown: whether the panel is shown if there is room
 *
 * Sets the initial layout, without emitting #GObject::notify.
 */
void
ns_panel_frame_begin (NsPanelFrame *self, int width, gboolean is_shown)
{
  g_return_if_fail (NS_IS_PANEL_FRAME (self));

  self->width = width;
  self->was_shown = is_shown;
  self->is_narrow = is_too_narrow (self, width);
  self->is_tight = is_too_tight (self, width);
  gtk_widget_set_visible (self->panel, is_shown && !self->is_narrow);
  place_panel (self);
  gtk_paned_set_position (GTK_PANED (self->paned), width - PANEL_PX);
}

/**
 * ns_panel_frame_is_narrow:
 * @self: a frame
 *
 * Returns: whether the panel is a drawer, and optional labels have no room
 */
gboolean
ns_panel_frame_is_narrow (NsPanelFrame *self)
{
  g_return_val_if_fail (NS_IS_PANEL_FRAME (self), FALSE);

  return self->is_narrow;
}

/**
 * ns_panel_frame_is_tight:
 * @self: a frame
 *
 * Returns: whether labels beside icons have no room
 */
gboolean
ns_panel_frame_is_tight (NsPanelFrame *self)
{
  g_return_val_if_fail (NS_IS_PANEL_FRAME (self), FALSE);

  return self->is_tight;
}

/**
 * ns_panel_frame_is_panel_wanted:
 * @self: a frame with a panel
 *
 * Returns: whether the panel is shown when there is room, regardless of whether the drawer is open
 */
gboolean
ns_panel_frame_is_panel_wanted (NsPanelFrame *self)
{
  g_return_val_if_fail (NS_IS_PANEL_FRAME (self), FALSE);

  return self->is_narrow ? self->was_shown : gtk_widget_get_visible (self->panel);
}

static void
ns_panel_frame_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  NsPanelFrame *self = NS_PANEL_FRAME (object);

  switch (id)
    {
    case PROP_CONTENT:
      g_value_set_object (value, self->content);
      break;
    case PROP_PANEL:
      g_value_set_object (value, self->panel);
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->is_narrow);
      break;
    case PROP_TIGHT:
      g_value_set_boolean (value, self->is_tight);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
ns_panel_frame_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  NsPanelFrame *self = NS_PANEL_FRAME (object);

  switch (id)
    {
    case PROP_CONTENT:
      g_set_object (&self->content, g_value_get_object (value));
      gtk_paned_set_start_child (GTK_PANED (self->paned), self->content);
      break;
    case PROP_PANEL:
      g_set_object (&self->panel, g_value_get_object (value));
      gtk_paned_set_end_child (GTK_PANED (self->paned), self->panel);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
ns_panel_frame_dispose (GObject *object)
{
  NsPanelFrame *self = NS_PANEL_FRAME (object);

  g_clear_handle_id (&self->fit_id, g_source_remove);
  g_clear_object (&self->content);
  g_clear_object (&self->panel);
  G_OBJECT_CLASS (ns_panel_frame_parent_class)->dispose (object);
}

static void
add_properties (GObjectClass *object_class)
{
  /**
   * NsPanelFrame:content:
   *
   * The widget beside the panel, or below the drawer.
   */
  properties[PROP_CONTENT] = g_param_spec_object ("content",
                                                  NULL,
                                                  NULL,
                                                  GTK_TYPE_WIDGET,
                                                  G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  /**
   * NsPanelFrame:panel:
   *
   * The panel; its visibility decides whether it is shown.
   */
  properties[PROP_PANEL] = g_param_spec_object ("panel",
                                                NULL,
                                                NULL,
                                                GTK_TYPE_WIDGET,
                                                G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  /**
   * NsPanelFrame:narrow:
   *
   * Whether the panel is a drawer.
   */
  properties[PROP_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  /**
   * NsPanelFrame:tight:
   *
   * Whether labels beside icons have no room.
   */
  properties[PROP_TIGHT] =
      g_param_spec_boolean ("tight", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ns_panel_frame_class_init (NsPanelFrameClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_panel_frame_get_property;
  object_class->set_property = ns_panel_frame_set_property;
  object_class->dispose = ns_panel_frame_dispose;
  add_properties (object_class);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-panel-frame.ui");
  gtk_widget_class_bind_template_child (widget_class, NsPanelFrame, overlay);
  gtk_widget_class_bind_template_child (widget_class, NsPanelFrame, paned);
}

static void
ns_panel_frame_init (NsPanelFrame *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->overlay,
                           "get-child-position",
                           G_CALLBACK (place_drawer_cb),
                           self,
                           0);
}

/* Drawing area of a flame graph: shows boxes, selects them and zooms in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-theme.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-flame-area.h"
#include "ui/panel/ns-flame-words.h"

#include <glib/gi18n.h>
#include <string.h>

#define WHEEL_LEVELS 2.0

/* Maximum frames in the tooltip of a fold. */
#define MAX_FOLD_LINES 12

struct _NsFlameArea
{
  GtkWidget parent_instance;

  GtkWidget *page; /* not owned: the parent page */
  NsCallTree *tree;
  NsFlameLayout layout;
  guint8 *found;
  char *search;
  guint32 selected;
  guint32 hover;
  NsFlameColor color;
  GtkAdjustment *adjustment;
  NsThemeLook look;
  gboolean has_look;
};

enum
{
  SIGNAL_CHOSEN, /* the selected or the zoomed box changed */
  SIGNAL_ONLY_ROWS,
  SIGNAL_MENU, /* context menu of the selected box, at a position */
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsFlameArea, ns_flame_area, GTK_TYPE_WIDGET)

static double
level_height (NsFlameArea *self)
{
  return NS_FLAME_LEVEL_HEIGHT * (self->has_look ? self->look.scale : 1);
}

static void
update_adjustment (NsFlameArea *self)
{
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  double whole = MAX (self->layout.n_levels * level_height (self), height);

  gtk_adjustment_configure (self->adjustment,
                            MIN (gtk_adjustment_get_value (self->adjustment), whole - height),
                            0,
                            whole,
                            level_height (self),
                            height,
                            height);
}

static void
update_layout (NsFlameArea *self)
{
  ns_flame_layout_update (&self->layout,
                          self->tree,
                          self->layout.focus,
                          gtk_widget_get_width (GTK_WIDGET (self)));
  update_adjustment (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Sets the accessible name to a description of the selected box. */
static void
update_accessible (NsFlameArea *self)
{
  g_autofree char *text = NULL;

  if (self->tree != NULL && self->selected != NS_FLAME_NONE)
    text = ns_call_tree_describe (self->tree, self->selected);
  ns_accessible_set_name (GTK_WIDGET (self), text != NULL ? text : _ ("Flame graph"));
}

static void
reveal (NsFlameArea *self, guint32 node)
{
  const NsFlameBox *box = ns_flame_layout_get_box (&self->layout, node);

  if (box != NULL)
    gtk_adjustment_clamp_page (self->adjustment,
                               box->level * level_height (self),
                               (box->level + 1) * level_height (self));
}

static void
choose (NsFlameArea *self, guint32 node)
{
  self->selected = node;
  if (node != NS_FLAME_NONE)
    reveal (self, node);
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0);
}

static guint32
node_at (NsFlameArea *self, double x, double y)
{
  double down = y + gtk_adjustment_get_value (self->adjustment);

  if (self->tree == NULL || down < 0)
    return NS_FLAME_NONE;
  return ns_flame_layout_find (&self->layout, x, (guint) (down / level_height (self)));
}

static void
pressed_cb (GtkGestureClick *click, int n_press, double x, double y, NsFlameArea *self)
{
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click));
  guint32 node = node_at (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (node == NS_FLAME_NONE)
    return;
  choose (self, node);
  if (state & GDK_SHIFT_MASK)
    g_signal_emit (self, signals[SIGNAL_ONLY_ROWS], 0);
  else if (n_press == 2)
    ns_flame_area_zoom_to (self, node);
}

static void
menu_cb (GtkGestureClick *click, int n_press, double x, double y, NsFlameArea *self)
{
  guint32 node = node_at (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (node == NS_FLAME_NONE)
    return;
  choose (self, node);
  g_signal_emit (self, signals[SIGNAL_MENU], 0, x, y);
}

/* Opens the context menu below the selected box, for the keyboard. */
static gboolean
popup_menu (NsFlameArea *self)
{
  const NsFlameBox *box = self->selected != NS_FLAME_NONE
                              ? ns_flame_layout_get_box (&self->layout, self->selected)
                              : NULL;

  if (box == NULL)
    return FALSE;
  g_signal_emit (self,
                 signals[SIGNAL_MENU],
                 0,
                 box->x0 + 12,
                 (box->level + 1) * level_height (self) -
                     gtk_adjustment_get_value (self->adjustment));
  return TRUE;
}

static void
motion_cb (NsFlameArea *self, double x, double y)
{
  guint32 node = node_at (self, x, y);

  if (node == self->hover)
    return;
  self->hover = node;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
leave_cb (NsFlameArea *self)
{
  self->hover = NS_FLAME_NONE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
scroll_cb (GtkEventControllerScroll *scroll, double dx, double dy, NsFlameArea *self)
{
  gtk_adjustment_set_value (self->adjustment,
                            gtk_adjustment_get_value (self->adjustment) +
                                dy * WHEEL_LEVELS * level_height (self));
  return TRUE;
}

static void
look_outside (NsFlameArea *self)
{
  if (self->tree != NULL)
    ns_flame_area_zoom_to (
        self,
        g_array_index (self->tree->nodes, NsCallNode, self->layout.focus).parent);
}

static gboolean
key_cb (GtkEventControllerKey *keys,
        guint keyval,
        guint keycode,
        GdkModifierType state,
        NsFlameArea *self)
{
  NsFlameStep step;

  if (self->tree == NULL)
    return FALSE;
  switch (keyval)
    {
    case GDK_KEY_Up:
      step = NS_FLAME_PARENT;
      break;
    case GDK_KEY_Down:
      step = NS_FLAME_CHILD;
      break;
    case GDK_KEY_Left:
      step = NS_FLAME_BEFORE;
      break;
    case GDK_KEY_Right:
      step = NS_FLAME_NEXT;
      break;
    case GDK_KEY_BackSpace:
      look_outside (self);
      return TRUE;
    case GDK_KEY_Menu:
      return popup_menu (self);
    case GDK_KEY_F10:
      return (state & GDK_SHIFT_MASK) != 0 && popup_menu (self);
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (self->selected == NS_FLAME_NONE)
        return FALSE;
      if (state & GDK_SHIFT_MASK)
        g_signal_emit (self, signals[SIGNAL_ONLY_ROWS], 0);
      else
        ns_flame_area_zoom_to (self, self->selected);
      return TRUE;
    default:
      return FALSE;
    }
  choose (self,
          self->selected == NS_FLAME_NONE
              ? self->layout.focus
              : ns_flame_layout_step (&self->layout, self->selected, step));
  return TRUE;
}

/* Returns a sentence wrapped for a tooltip, as markup with its subject @name in bold. */
static char *
dup_strong (const char *sentence, const char *name)
{
  gsize n_name = g_str_has_prefix (sentence, name) ? strlen (name) : 0;
  g_autofree char *lines = ns_words_tooltip (sentence);
  g_autofree char *head = NULL;
  g_autofree char *tail = NULL;
  const char *end = lines;

  /* Skip @name in the wrapped text, where a line break replaces a space or is extra. */
  for (; n_name > 0; end++)
    if (*end == *sentence || *sentence == ' ')
      {
        sentence++;
        n_name--;
      }
  head = g_markup_escape_text (lines, end - lines);
  tail = g_markup_escape_text (end, -1);
  return g_strdup_printf ("<b>%s</b>%s", head, tail);
}

/* Returns the frames of a fold as markup; empty for other boxes. */
static char *
dup_folded (NsFlameArea *self, guint32 node)
{
  const NsFlameBox *box = ns_flame_layout_get_box (&self->layout, node);
  GString *text = g_string_new (NULL);
  guint32 i;

  for (i = 1; box != NULL && i < box->n_folded && i <= MAX_FOLD_LINES; i++)
    {
      g_autofree char *tip = ns_words_tooltip (ns_call_tree_get_name (self->tree, box->node + i));
      g_autofree char *name = g_markup_escape_text (i < MAX_FOLD_LINES ? tip : "…", -1);

      g_string_append_printf (text, "\n › %s", name);
    }
  return g_string_free (text, FALSE);
}

static gboolean
query_tooltip_cb (NsFlameArea *self, int x, int y, gboolean is_key, GtkTooltip *tooltip)
{
  guint32 node = is_key ? self->selected : node_at (self, x, y);
  g_autofree char *sentence = NULL;
  g_autofree char *strong = NULL;
  g_autofree char *folded = NULL;
  g_autofree char *keys = NULL;
  g_autofree char *text = NULL;

  if (node == NS_FLAME_NONE || self->tree == NULL || ns_help_has_open_menu (self->page))
    return FALSE;
  sentence = ns_call_tree_describe (self->tree, node);
  folded = dup_folded (self, node);
  keys = g_markup_escape_text (_ ("Enter: look inside · Shift+Enter: only these rows"), -1);
  strong = dup_strong (sentence, ns_call_tree_get_name (self->tree, node));
  text = g_strdup_printf ("%s%s\n<span alpha=\"75%%\">%s</span>", strong, folded, keys);
  gtk_tooltip_set_markup (tooltip, text);
  return TRUE;
}

static void
read_look (NsFlameArea *self)
{
  if (self->has_look)
    return;
  ns_theme_look_read (&self->look, GTK_WIDGET (self));
  self->has_look = TRUE;
}

static void
ns_flame_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  NsFlameArea *self = NS_FLAME_AREA (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  NsFlameScene scene = { .layout = &self->layout,
                         .found = self->found,
                         .selected = self->selected,
                         .hover = self->hover,
                         .has_focus = gtk_widget_has_focus (widget),
                         .top = gtk_adjustment_get_value (self->adjustment),
                         .height = height,
                         .color = self->color,
                         .text_of = ns_flame_words_dup_box };
  NsPaint paint;
  cairo_t *cr;

  if (self->tree == NULL)
    return;
  read_look (self);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  ns_theme_look_begin (&self->look, &paint, cr);
  ns_paint_color (&paint, NS_COLOR_BASE, 1);
  cairo_paint (cr);
  ns_flame_paint (&paint, &scene);
  g_clear_object (&paint.layout);
  cairo_destroy (cr);
}

static void
ns_flame_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  /* The scrollbar depends on the row height, so the style is read before it is drawn. */
  read_look (NS_FLAME_AREA (widget));
  update_layout (NS_FLAME_AREA (widget));
}

static void
ns_flame_area_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 60 : 96;
  *natural = 240;
}

static void
ns_flame_area_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ns_flame_area_parent_class)->css_changed (widget, change);
  NS_FLAME_AREA (widget)->has_look = FALSE;
  gtk_widget_queue_allocate (widget);
}

static void
ns_flame_area_dispose (GObject *object)
{
  NsFlameArea *self = NS_FLAME_AREA (object);

  g_clear_object (&self->adjustment);
  G_OBJECT_CLASS (ns_flame_area_parent_class)->dispose (object);
}

static void
ns_flame_area_finalize (GObject *object)
{
  NsFlameArea *self = NS_FLAME_AREA (object);

  ns_flame_layout_clear (&self->layout);
  g_clear_pointer (&self->tree, ns_call_tree_free);
  g_free (self->found);
  g_free (self->search);
  ns_theme_look_clear (&self->look);
  G_OBJECT_CLASS (ns_flame_area_parent_class)->finalize (object);
}

static void
ns_flame_area_class_init (NsFlameAreaClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_flame_area_dispose;
  G_OBJECT_CLASS (klass)->finalize = ns_flame_area_finalize;
  widget_class->snapshot = ns_flame_area_snapshot;
  widget_class->size_allocate = ns_flame_area_size_allocate;
  widget_class->measure = ns_flame_area_measure;
  widget_class->css_changed = ns_flame_area_css_changed;
  gtk_widget_class_set_css_name (widget_class, "flame-area");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen",
                                         G_TYPE_FROM_CLASS (klass),
                                         G_SIGNAL_RUN_LAST,
                                         0,
                                         NULL,
                                         NULL,
                                         NULL,
                                         G_TYPE_NONE,
                                         0);
  signals[SIGNAL_ONLY_ROWS] = g_signal_new ("only-rows",
                                            G_TYPE_FROM_CLASS (klass),
                                            G_SIGNAL_RUN_LAST,
                                            0,
                                            NULL,
                                            NULL,
                                            NULL,
                                            G_TYPE_NONE,
                                            0);
  signals[SIGNAL_MENU] = g_signal_new ("menu",
                                       G_TYPE_FROM_CLASS (klass),
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       G_TYPE_NONE,
                                       2,
                                       G_TYPE_DOUBLE,
                                       G_TYPE_DOUBLE);
}

static void
add_controllers (NsFlameArea *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *second = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (second), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (pressed_cb), self, 0);
  g_signal_connect_object (second, "pressed", G_CALLBACK (menu_cb), self, 0);
  g_signal_connect_object (motion, "motion", G_CALLBACK (motion_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "leave", G_CALLBACK (leave_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_cb), self, 0);
  g_signal_connect_object (scroll, "scroll", G_CALLBACK (scroll_cb), self, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (second));
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, keys);
  gtk_widget_add_controller (widget, scroll);
}

static void
ns_flame_area_init (NsFlameArea *self)
{
  ns_flame_layout_init (&self->layout);
  self->selected = NS_FLAME_NONE;
  self->hover = NS_FLAME_NONE;
  self->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 0, 0, 0, 0));
  g_signal_connect_object (self->adjustment,
                           "value-changed",
                           G_CALLBACK (gtk_widget_queue_draw),
                           self,
                           G_CONNECT_SWAPPED);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  g_signal_connect (self, "notify::has-focus", G_CALLBACK (gtk_widget_queue_draw), NULL);
  add_controllers (self);
  update_accessible (self);
}

/**
 * ns_flame_area_new:
 * @page: page that contains the area and opens the context menu
 *
 * Returns: (transfer floating): an empty area; it shows no tooltip while the menu is open
 */
NsFlameArea *
ns_flame_area_new (GtkWidget *page)
{
  NsFlameArea *self = g_object_new (NS_TYPE_FLAME_AREA, NULL);

  self->page = page;
  return self;
}

/* Finds the zoomed and the selected node of the previous tree in the new one. */
static void
keep_place (NsFlameArea *self, const NsTrace *trace, const NsCallTree *before)
{
  self->hover = NS_FLAME_NONE;
  if (self->tree == NULL || before == NULL || trace == NULL)
    {
      self->layout.focus = 0;
      self->selected = NS_FLAME_NONE;
      return;
    }
  self->layout.focus = ns_call_tree_find_again (self->tree, trace, before, self->layout.focus);
  if (self->selected != NS_FLAME_NONE)
    self->selected = ns_call_tree_find_again (self->tree, trace, before, self->selected);
}

/**
 * ns_flame_area_set_tree:
 * @self: a flame graph area
 * @trace: (nullable): trace of the tree
 * @tree: (transfer full) (nullable): tree to draw
 */
void
ns_flame_area_set_tree (NsFlameArea *self, const NsTrace *trace, NsCallTree *tree)
{
  g_autoptr (NsCallTree) before = self->tree;
  guint32 focus = self->layout.focus;
  NsFlameFinds finds;

  /* Detach the layout: a new tree may be allocated at the address of the old one. */
  ns_flame_layout_update (&self->layout, NULL, 0, 0);
  self->layout.focus = focus;
  self->tree = tree;
  keep_place (self, trace, before);
  g_clear_pointer (&self->found, g_free);
  if (tree != NULL && self->search != NULL)
    self->found = ns_flame_search (tree, self->search, &finds);
  update_layout (self);
  update_accessible (self);
}

/**
 * ns_flame_area_get_tree:
 * @self: a flame graph area
 *
 * Returns: (transfer none) (nullable): the tree shown
 */
const NsCallTree *
ns_flame_area_get_tree (NsFlameArea *self)
{
  return self->tree;
}

/**
 * ns_flame_area_search:
 * @self: a flame graph area
 * @text: text to find in names; empty to end the search
 * @finds: (out): number of matches and their weight
 */
void
ns_flame_area_search (NsFlameArea *self, const char *text, NsFlameFinds *finds)
{
  *finds = (NsFlameFinds){ 0, 0 };
  g_free (self->search);
  self->search = g_strdup (text);
  g_clear_pointer (&self->found, g_free);
  if (self->tree != NULL)
    self->found = ns_flame_search (self->tree, text, finds);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * ns_flame_area_step_find:
 * @self: a flame graph area
 * @step: 1 for the next match, −1 for the previous one
 *
 * Selects the next or previous match, wrapping around.
 */
void
ns_flame_area_step_find (NsFlameArea *self, int step)
{
  guint n = self->tree != NULL ? self->tree->nodes->len : 0;
  guint at = self->selected < n ? self->selected : 0;
  guint i;

  for (i = 0; self->found != NULL && i < n; i++)
    {
      at = (guint) (((gint64) at + step + n) % n);
      if (!self->found[at])
        continue;
      /* Zoom out to reach a match outside the zoomed subtree. */
      if (ns_flame_layout_get_box (&self->layout, at) == NULL)
        {
          self->layout.focus = 0;
          update_layout (self);
        }
      choose (self, at);
      return;
    }
}

/**
 * ns_flame_area_get_find_place:
 * @self: a flame graph area
 *
 * Returns: 1-based index of the selected match; 0 if no match is selected
 */
guint
ns_flame_area_get_find_place (NsFlameArea *self)
{
  guint place = 0;
  guint32 i;

  if (self->found == NULL || self->tree == NULL || self->selected >= self->tree->nodes->len ||
      !self->found[self->selected])
    return 0;
  for (i = 0; i <= self->selected; i++)
    place += self->found[i];
  return place;
}

/**
 * ns_flame_area_set_color:
 * @self: a flame graph area
 * @color: colour scheme
 */
void
ns_flame_area_set_color (NsFlameArea *self, NsFlameColor color)
{
  self->color = color < NS_FLAME_N_COLORS ? color : NS_FLAME_COLOR_MODULE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * ns_flame_area_get_color:
 * @self: a flame graph area
 *
 * Returns: the colour scheme
 */
NsFlameColor
ns_flame_area_get_color (NsFlameArea *self)
{
  return self->color;
}

/**
 * ns_flame_area_list_legend:
 * @self: a flame graph area
 *
 * Returns: (transfer full) (element-type NsFlameLegendLine): the legend of the boxes shown
 */
GArray *
ns_flame_area_list_legend (NsFlameArea *self)
{
  return ns_flame_legend_new (&self->layout, self->color, self->found != NULL);
}

/**
 * ns_flame_area_get_selected:
 * @self: a flame graph area
 *
 * Returns: the selected node, or %NS_FLAME_NONE
 */
guint32
ns_flame_area_get_selected (NsFlameArea *self)
{
  return self->selected;
}

/**
 * ns_flame_area_get_focus:
 * @self: a flame graph area
 *
 * Returns: the zoomed node, which fills the width
 */
guint32
ns_flame_area_get_focus (NsFlameArea *self)
{
  return self->layout.focus;
}

/**
 * ns_flame_area_zoom_to:
 * @self: a flame graph area
 * @node: a node; 0 for the whole tree
 *
 * Zooms in to a node and selects it.
 */
void
ns_flame_area_zoom_to (NsFlameArea *self, guint32 node)
{
  self->layout.focus = node;
  update_layout (self);
  choose (self, node);
}

/**
 * ns_flame_area_select:
 * @self: a flame graph area
 * @node: a node, or %NS_FLAME_NONE
 *
 * Selects a node, like a click.
 */
void
ns_flame_area_select (NsFlameArea *self, guint32 node)
{
  if (node != self->selected)
    choose (self, node);
}

/**
 * ns_flame_area_get_adjustment:
 * @self: a flame graph area
 *
 * Returns: (transfer none): adjustment of the vertical scroll position, in px
 */
GtkAdjustment *
ns_flame_area_get_adjustment (NsFlameArea *self)
{
  return self->adjustment;
}

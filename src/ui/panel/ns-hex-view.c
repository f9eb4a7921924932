/* Hex view of an event; highlights the bytes of the selected field.
 *
 * A leaf widget that implements #GtkScrollable and draws only the visible rows. Its CSS node is
 * `hexview`. Its accessible role is a text box, and its label, which Orca reads, names the field
 * and its byte range. Arrows, Page Up, Page Down, Home and End move by bytes; Alt with an arrow
 * moves by fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-hex-paint.h"
#include "ui/ns-accessible.h"
#include "ui/ns-theme.h"
#include "ui/panel/ns-hex-view.h"

#include <glib/gi18n.h>
#include <math.h>

#define CODE_SIZE 0.82

struct _NsHexView
{
  GtkWidget parent_instance;

  const NsEventFacts *facts; /* borrowed; the owner clears it before freeing it */
  guint32 first;             /* offset of the first byte shown */
  guint chosen;
  guint hovered;
  guint32 cursor; /* counted from @first, like the offsets in the layout */
  NsHexLayout layout;
  NsThemeLook look;
  PangoFontDescription *font;
  GtkAdjustment *adjustments[2]; /* by GtkOrientation */
  GtkScrollablePolicy policies[2];
  gboolean is_look_read;
};

enum
{
  PROP_0,
  PROP_HADJUSTMENT,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

enum
{
  SIGNAL_CHOSEN,
  SIGNAL_HOVERED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (NsHexView,
                               ns_hex_view,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

static const NsEventFact *
get_fact (NsHexView *self, guint which)
{
  if (self->facts == NULL || which >= self->facts->facts->len)
    return NULL;
  return &g_array_index (self->facts->facts, NsEventFact, which);
}

static guint32
count_bytes (NsHexView *self)
{
  return self->facts != NULL ? self->facts->n_bytes - self->first : 0;
}

/* Returns the field at a byte shown. */
static guint
find_fact (NsHexView *self, guint32 byte)
{
  if (byte >= count_bytes (self))
    return NS_EVENT_FACT_NONE;
  return ns_event_facts_find (self->facts, self->first + byte);
}

/* Returns the range of a field in the bytes shown; empty if it is before them. */
static NsHexRun
get_run (NsHexView *self, guint which)
{
  const NsEventFact *fact = get_fact (self, which);
  NsHexRun run = { 0 };

  if (fact != NULL && fact->offset >= self->first)
    run = (NsHexRun){ fact->offset - self->first, fact->size };
  return run;
}

static void
read_look (NsHexView *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  int size;

  if (self->is_look_read)
    return;
  ns_theme_look_read (&self->look, GTK_WIDGET (self));
  g_clear_pointer (&self->font, pango_font_description_free);
  self->font = pango_font_description_copy (pango_context_get_font_description (context));
  size = pango_font_description_get_size (self->font);
  if (pango_font_description_get_size_is_absolute (self->font))
    pango_font_description_set_absolute_size (self->font, size * CODE_SIZE / 0.91);
  else
    pango_font_description_set_size (self->font, (int) (size * CODE_SIZE / 0.91));
  pango_font_description_set_family (self->font, "monospace");
  self->is_look_read = TRUE;
}

/* Returns the width of a character in px, averaged over a line of 64. */
static double
measure_character (NsHexView *self)
{
  g_autoptr (PangoLayout) text = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  g_autofree char *line = g_strnfill (64, '0');
  int width;

  pango_layout_set_font_description (text, self->font);
  pango_layout_set_text (text, line, 64);
  pango_layout_get_size (text, &width, NULL);
  return (double) width / PANGO_SCALE / 64;
}

static double
get_scrolled (NsHexView *self)
{
  GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];

  return vertical != NULL ? floor (gtk_adjustment_get_value (vertical)) : 0;
}

static void
lay_out (NsHexView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  double all;

  read_look (self);
  ns_hex_layout_init (&self->layout,
                      count_bytes (self),
                      width,
                      measure_character (self),
                      self->look.scale);
  all = ns_hex_layout_get_height (&self->layout);
  if (self->adjustments[GTK_ORIENTATION_VERTICAL] != NULL)
    gtk_adjustment_configure (self->adjustments[GTK_ORIENTATION_VERTICAL],
                              get_scrolled (self),
                              0,
                              MAX (all, height),
                              self->layout.row_px,
                              MAX (height - self->layout.row_px, self->layout.row_px),
                              height);
  if (self->adjustments[GTK_ORIENTATION_HORIZONTAL] != NULL)
    gtk_adjustment_configure (self->adjustments[GTK_ORIENTATION_HORIZONTAL],
                              0,
                              0,
                              width,
                              self->layout.char_px,
                              width,
                              width);
}

/* Scrolls as little as needed to make a byte visible. */
static void
show_byte (NsHexView *self, guint32 byte)
{
  GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];
  double top;

  if (vertical == NULL || self->layout.per_row == 0 || byte >= self->layout.n_bytes)
    return;
  top = byte / self->layout.per_row * self->layout.row_px;
  gtk_adjustment_clamp_page (vertical, top, top + self->layout.row_px);
}

/* Sets the accessible label: the field, its value and its byte range. */
static void
update_label (NsHexView *self)
{
  const NsEventFact *fact = get_fact (self, self->chosen);
  g_autofree char *text = NULL;

  if (self->facts == NULL)
    text = g_strdup (_ ("Bytes"));
  else if (fact != NULL && fact->size > 0 && fact->offset >= self->first)
    text = g_strdup_printf (_ ("Bytes: %s, %s, bytes %u to %u of %u"),
                            fact->name,
                            fact->value,
                            fact->offset - self->first,
                            fact->offset - self->first + fact->size - 1,
                            count_bytes (self));
  else if (self->cursor < count_bytes (self))
    text = g_strdup_printf (_ ("Bytes: byte %u of %u, %02x, no field"),
                            self->cursor,
                            count_bytes (self),
                            self->facts->bytes[self->first + self->cursor]);
  else
    text = g_strdup_printf (_ ("Bytes: %u"), count_bytes (self));
  ns_accessible_set_name (GTK_WIDGET (self), text);
}

/* Moves the cursor to a byte and selects its field. */
static void
go_to_byte (NsHexView *self, guint32 byte)
{
  if (byte >= count_bytes (self))
    return;
  self->cursor = byte;
  self->chosen = find_fact (self, byte);
  show_byte (self, byte);
  update_label (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, self->chosen);
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, NsHexView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  go_to_byte (self, ns_hex_layout_find (&self->layout, x, y + get_scrolled (self)));
}

static void
hover (NsHexView *self, guint fact)
{
  if (fact == self->hovered)
    return;
  ns_hex_view_hover (self, fact);
  g_signal_emit (self, signals[SIGNAL_HOVERED], 0, fact);
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, NsHexView *self)
{
  hover (self, find_fact (self, ns_hex_layout_find (&self->layout, x, y + get_scrolled (self))));
}

static void
leave_cb (GtkEventControllerMotion *controller, NsHexView *self)
{
  hover (self, NS_EVENT_FACT_NONE);
}

static gboolean
tooltip_cb (GtkWidget *widget,
            int x,
            int y,
            gboolean is_keyboard,
            GtkTooltip *tooltip,
            gpointer user_data)
{
  NsHexView *self = NS_HEX_VIEW (widget);
  const NsEventFact *fact = get_fact (self, is_keyboard ? self->chosen : self->hovered);
  g_autofree char *text = NULL;

  if (fact == NULL)
    return FALSE;
  text = g_strdup_printf ("%s: %.200s", fact->name, fact->value);
  g_strdelimit (text, "\n\r", ' ');
  if (!g_utf8_validate (text, -1, NULL))
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
step_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsHexView *self = NS_HEX_VIEW (widget);
  guint rows = (guint) (gtk_widget_get_height (widget) / MAX (self->layout.row_px, 1));

  go_to_byte (self,
              ns_hex_layout_step (&self->layout,
                                  self->cursor,
                                  (NsHexStep) g_variant_get_int32 (parameter),
                                  MAX (rows, 2) - 1));
}

static void
step_field_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsHexView *self = NS_HEX_VIEW (widget);
  gboolean is_forward = g_variant_get_int32 (parameter) > 0;
  guint fact = self->chosen;
  guint before;

  if (self->facts == NULL)
    return;
  /* Skip fields before the first byte shown. */
  do
    {
      before = fact;
      fact = ns_event_facts_step (self->facts, fact, is_forward);
    }
  while (fact != before && get_run (self, fact).size == 0);
  if (get_run (self, fact).size == 0)
    return;
  ns_hex_view_choose (self, fact);
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, fact);
}

static void
ns_hex_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  NsHexView *self = NS_HEX_VIEW (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  NsHexPicture picture = { .layout = &self->layout,
                           .chosen = get_run (self, self->chosen),
                           .hovered = get_run (self, self->hovered),
                           .cursor = self->cursor,
                           .has_focus = gtk_widget_has_focus (widget) };
  NsPaint paint;
  cairo_t *cr;

  if (self->facts == NULL)
    return;
  read_look (self);
  picture.bytes = self->facts->bytes + self->first;
  picture.known = self->facts->known + self->first;
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  ns_theme_look_begin (&self->look, &paint, cr);
  ns_hex_paint (&paint, &picture, self->font, get_scrolled (self), height);
  cairo_destroy (cr);
}

static void
ns_hex_view_measure (GtkWidget *widget,
                     GtkOrientation orientation,
                     int for_size,
                     int *minimum,
                     int *natural,
                     int *minimum_baseline,
                     int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : 60;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 300 : 240;
}

static void
ns_hex_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  lay_out (NS_HEX_VIEW (widget));
}

static void
ns_hex_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ns_hex_view_parent_class)->css_changed (widget, change);
  NS_HEX_VIEW (widget)->is_look_read = FALSE;
  gtk_widget_queue_resize (widget);
}

static void
set_adjustment (NsHexView *self, GtkOrientation orientation, GtkAdjustment *adjustment)
{
  GtkAdjustment **place = &self->adjustments[orientation];

  if (*place != NULL)
    g_signal_handlers_disconnect_by_data (*place, self);
  if (adjustment == NULL)
    adjustment = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  g_object_ref_sink (adjustment);
  g_clear_object (place);
  *place = adjustment;
  g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (gtk_widget_queue_draw), self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
ns_hex_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  NsHexView *self = NS_HEX_VIEW (object);

  switch (prop_id)
    {
    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->adjustments[GTK_ORIENTATION_HORIZONTAL]);
      break;
    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->adjustments[GTK_ORIENTATION_VERTICAL]);
      break;
    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, self->policies[GTK_ORIENTATION_HORIZONTAL]);
      break;
    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, self->policies[GTK_ORIENTATION_VERTICAL]);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
ns_hex_view_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  NsHexView *self = NS_HEX_VIEW (object);

  switch (prop_id)
    {
    case PROP_HADJUSTMENT:
      set_adjustment (self, GTK_ORIENTATION_HORIZONTAL, g_value_get_object (value));
      break;
    case PROP_VADJUSTMENT:
      set_adjustment (self, GTK_ORIENTATION_VERTICAL, g_value_get_object (value));
      break;
    case PROP_HSCROLL_POLICY:
      self->policies[GTK_ORIENTATION_HORIZONTAL] = g_value_get_enum (value);
      break;
    case PROP_VSCROLL_POLICY:
      self->policies[GTK_ORIENTATION_VERTICAL] = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
ns_hex_view_dispose (GObject *object)
{
  NsHexView *self = NS_HEX_VIEW (object);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (self->adjustments); i++)
    if (self->adjustments[i] != NULL)
      {
        g_signal_handlers_disconnect_by_data (self->adjustments[i], self);
        g_clear_object (&self->adjustments[i]);
      }
  self->facts = NULL;
  ns_theme_look_clear (&self->look);
  g_clear_pointer (&self->font, pango_font_description_free);
  G_OBJECT_CLASS (ns_hex_view_parent_class)->dispose (object);
}

static void
add_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key;
    guint keypad;
    NsHexStep step;
    GdkModifierType modifiers;
  } keys[] = {
    { GDK_KEY_Left, GDK_KEY_KP_Left, NS_HEX_LEFT, 0 },
    { GDK_KEY_Right, GDK_KEY_KP_Right, NS_HEX_RIGHT, 0 },
    { GDK_KEY_Up, GDK_KEY_KP_Up, NS_HEX_UP, 0 },
    { GDK_KEY_Down, GDK_KEY_KP_Down, NS_HEX_DOWN, 0 },
    { GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, NS_HEX_PAGE_UP, 0 },
    { GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, NS_HEX_PAGE_DOWN, 0 },
    { GDK_KEY_Home, GDK_KEY_KP_Home, NS_HEX_HOME, 0 },
    { GDK_KEY_End, GDK_KEY_KP_End, NS_HEX_END, 0 },
    { GDK_KEY_Home, GDK_KEY_KP_Home, NS_HEX_FIRST, GDK_CONTROL_MASK },
    { GDK_KEY_End, GDK_KEY_KP_End, NS_HEX_LAST, GDK_CONTROL_MASK },
  };
  static const struct
  {
    guint key;
    int by;
  } field_keys[] = { { GDK_KEY_Left, -1 },
                     { GDK_KEY_Right, 1 },
                     { GDK_KEY_Up, -1 },
                     { GDK_KEY_Down, 1 } };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gtk_widget_class_add_binding_action (widget_class,
                                           keys[i].key,
                                           keys[i].modifiers,
                                           "hex.step",
                                           "i",
                                           keys[i].step);
      gtk_widget_class_add_binding_action (widget_class,
                                           keys[i].keypad,
                                           keys[i].modifiers,
                                           "hex.step",
                                           "i",
                                           keys[i].step);
    }
  for (i = 0; i < G_N_ELEMENTS (field_keys); i++)
    gtk_widget_class_add_binding_action (widget_class,
                                         field_keys[i].key,
                                         GDK_ALT_MASK,
                                         "hex.step-field",
                                         "i",
                                         field_keys[i].by);
}

static void
ns_hex_view_class_init (NsHexViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ns_hex_view_dispose;
  object_class->get_property = ns_hex_view_get_property;
  object_class->set_property = ns_hex_view_set_property;
  widget_class->snapshot = ns_hex_view_snapshot;
  widget_class->measure = ns_hex_view_measure;
  widget_class->size_allocate = ns_hex_view_size_allocate;
  widget_class->css_changed = ns_hex_view_css_changed;
  gtk_widget_class_set_css_name (widget_class, "hexview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TEXT_BOX);
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
  gtk_widget_class_install_action (widget_class, "hex.step", "i", step_cb);
  gtk_widget_class_install_action (widget_class, "hex.step-field", "i", step_field_cb);
  add_keys (widget_class);

  /**
   * NsHexView::chosen:
   * @self: the view
   * @fact: index of the fact selected by its bytes, or %NS_EVENT_FACT_NONE
   */
  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen",
                                         NS_TYPE_HEX_VIEW,
                                         G_SIGNAL_RUN_LAST,
                                         0,
                                         NULL,
                                         NULL,
                                         NULL,
                                         G_TYPE_NONE,
                                         1,
                                         G_TYPE_UINT);

  /**
   * NsHexView::hovered:
   * @self: the view
   * @fact: index of the fact whose bytes are under the pointer, or %NS_EVENT_FACT_NONE
   */
  signals[SIGNAL_HOVERED] = g_signal_new ("hovered",
                                          NS_TYPE_HEX_VIEW,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          1,
                                          G_TYPE_UINT);
}

static void
ns_hex_view_init (NsHexView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->chosen = NS_EVENT_FACT_NONE;
  self->hovered = NS_EVENT_FACT_NONE;
  self->cursor = NS_HEX_NONE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  /* Hex dumps are left-to-right in every language. */
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (tooltip_cb), NULL);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (gtk_widget_queue_draw), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  update_label (self);
}

/**
 * ns_hex_view_new:
 *
 * Returns: (transfer floating): an empty view
 */
GtkWidget *
ns_hex_view_new (void)
{
  return g_object_new (NS_TYPE_HEX_VIEW, NULL);
}

/**
 * ns_hex_view_set_facts:
 * @self: a view
 * @facts: (nullable): the event to show; must live until the next call or the end of the view
 * @first: offset of the first byte to show
 */
void
ns_hex_view_set_facts (NsHexView *self, const NsEventFacts *facts, guint32 first)
{
  GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];

  self->facts = facts;
  self->first = facts != NULL ? MIN (first, facts->n_bytes) : 0;
  self->chosen = NS_EVENT_FACT_NONE;
  self->hovered = NS_EVENT_FACT_NONE;
  self->cursor = NS_HEX_NONE;
  lay_out (self);
  if (vertical != NULL)
    gtk_adjustment_set_value (vertical, 0);
  /* Start at the payload. */
  if (facts != NULL && vertical != NULL && facts->payload_at > self->first &&
      facts->payload_at < facts->n_bytes)
    gtk_adjustment_set_value (vertical,
                              (facts->payload_at - self->first) / self->layout.per_row *
                                  self->layout.row_px);
  update_label (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * ns_hex_view_hover:
 * @self: a view
 * @fact: index of the fact under the pointer, or %NS_EVENT_FACT_NONE
 *
 * Gives the bytes of a field the hover style.
 */
void
ns_hex_view_hover (NsHexView *self, guint fact)
{
  self->hovered = fact;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * ns_hex_view_choose:
 * @self: a view
 * @fact: index of the fact to highlight, or %NS_EVENT_FACT_NONE
 *
 * Highlights the bytes of a field and scrolls to them.
 */
void
ns_hex_view_choose (NsHexView *self, guint fact)
{
  NsHexRun run;

  self->chosen = fact;
  run = get_run (self, fact);
  if (run.size > 0)
    {
      /* A cursor inside the field does not move. */
      if (self->cursor < run.offset || self->cursor - run.offset >= run.size)
        self->cursor = run.offset;
      show_byte (self, run.offset + run.size - 1);
      show_byte (self, run.offset);
    }
  update_label (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
